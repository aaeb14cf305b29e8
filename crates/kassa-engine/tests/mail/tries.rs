//! When mails are tried, and how often.

use std::collections::BTreeSet;
use std::time::Duration;

use kassa_domain::mail::{ClaimMail, MailState};
use kassa_domain::user::{ConfirmEmail, RegisterUser};
use kassa_domain::{Actor, Refusal};
use kassa_engine::Failure;
use kassa_engine::accounts::UserChange;
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::Round;

use crate::house::{ANN, DAY_MS, FIRST_PAUSE_MS, House, MINUTE_MS, confirm, done};

#[tokio::test]
async fn a_registration_is_mailed_once_and_its_token_confirms() {
    let house = House::memory().await;
    let ann = house.register(ANN).await.unwrap();
    assert_eq!(house.register(ANN).await, Err(Failure::Refused(Refusal::EmailTaken)));
    assert_eq!(house.send().await, done(1));
    let letters = house.letters();
    assert_eq!((letters.len(), &letters[0].to), (1, &vec![ANN.to_owned()]));
    let confirmed = confirm(&house.engine, &letters[0].token()).await.unwrap();
    assert_eq!((confirmed.id, confirmed.confirmed()), (ann.id, true));
    assert_eq!(house.send().await, done(0));
    assert!(house.letters().is_empty() && house.waiting().await.is_empty());
}

#[tokio::test]
async fn what_could_not_be_sent_is_tried_again_in_its_time() {
    let house = House::memory().await;
    house.register(ANN).await.unwrap();
    house.mailer.set_down(true);
    let error = Some("the mailer is down".to_owned());
    assert_eq!(house.send().await, Round { put_off: 1, error: error.clone(), ..done(0) });
    assert_eq!(house.only().await.error, error);
    house.mailer.set_down(false);
    house.pass_ms(MINUTE_MS - 1);
    assert_eq!(house.send().await, done(0));
    house.pass_ms(FIRST_PAUSE_MS - MINUTE_MS + 1);
    assert_eq!(house.send().await, done(1));
    assert_eq!(house.letters().len(), 1);
}

#[tokio::test]
async fn a_mail_is_given_up_after_three_days_and_kept_for_a_month() {
    let house = House::memory().await;
    house.register(ANN).await.unwrap();
    house.mailer.set_down(true);
    let (mut rounds, mut passed) = (0, 0);
    while house.send().await.given_up == 0 {
        let pause = house.only().await.due_at.ms() - house.engine.now().ms();
        house.pass_ms(pause);
        (rounds, passed) = (rounds + 1, passed + pause);
    }
    assert!((12..25).contains(&rounds) && passed <= 3 * DAY_MS, "{rounds} tries in {passed} ms");
    house.mailer.set_down(false);
    house.pass_ms(29 * DAY_MS);
    assert_eq!(house.send().await, done(0));
    assert_eq!(house.only().await.state, MailState::Failed);
    house.pass_ms(DAY_MS);
    assert_eq!(house.send().await, done(0));
    assert!(house.letters().is_empty() && house.waiting().await.is_empty());
}

#[tokio::test]
async fn a_mail_that_no_server_takes_is_given_up_at_once_and_keeps_nobody() {
    let house = House::memory().await;
    for email in ["a..b@example.org", ANN, "bob@example.org"] {
        house.register(email).await.unwrap();
    }
    let round = house.send().await;
    assert_eq!((round.done, round.put_off, round.given_up), (2, 0, 1), "{round:?}");
    assert_eq!(house.letters().len(), 2);
    assert_eq!(house.only().await.state, MailState::Failed);
}

async fn two_engines_send_each_mail_once(house: House) {
    let addresses: BTreeSet<String> = (0..30).map(|at| format!("n{at}@example.org")).collect();
    for email in &addresses {
        let (email, password) = (email.parse().unwrap(), "no hash of any".to_owned());
        let command = RegisterUser { email, password, first_name: None, last_name: None };
        house.engine.execute(&Actor::Anonymous, command, |_, _| ()).await.unwrap();
    }
    let neighbour = house.neighbour().await;
    let (own, others) = tokio::join!(house.engine.send_due_mails(&house.post), neighbour.send_due_mails(&house.post),);
    let letters = house.letters();
    assert_eq!(letters.len(), addresses.len(), "{own:?} {others:?}");
    assert_eq!(letters.iter().map(|letter| letter.to[0].clone()).collect::<BTreeSet<_>>(), addresses);
    assert_eq!(own.unwrap().done + others.unwrap().done, 30);
    assert!(house.waiting().await.is_empty());
}

#[tokio::test]
async fn two_engines_in_memory_send_each_mail_once() {
    two_engines_send_each_mail_once(House::memory().await).await;
}

#[tokio::test]
async fn two_engines_on_sqlite_send_each_mail_once() {
    two_engines_send_each_mail_once(House::sqlite().await).await;
}

#[tokio::test]
async fn two_engines_on_postgres_send_each_mail_once() {
    two_engines_send_each_mail_once(House::postgres().await).await;
}

#[tokio::test]
async fn a_mail_whose_sender_has_died_is_sent_when_its_lease_is_over() {
    let house = House::memory().await;
    house.register(ANN).await.unwrap();
    let mail = house.only().await.id;
    let neighbour = house.neighbour().await;
    neighbour.execute(&Actor::System, ClaimMail { mail }, |_, _| ()).await.unwrap();
    assert_eq!(house.send().await, done(0));
    house.pass_ms(5 * MINUTE_MS);
    assert_eq!(house.send().await, done(1));
    assert_eq!(house.letters().len(), 1);
}

#[tokio::test]
async fn what_has_been_proved_meanwhile_is_not_asked() {
    let house = House::memory().await;
    let user = house.register(ANN).await.unwrap();
    let command = ConfirmEmail { user: user.id, email: user.email, password: None };
    house.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    assert_eq!(house.send().await, done(1), "there is nothing left to tell");
    assert!(house.letters().is_empty());
}

/// Changes Ann's e-mail or password.
async fn change(house: &House, change: UserChange) {
    let ann = house.user(ANN).await.id;
    let change = UserChange { current_password: Some("correct horse".to_owned()), ..change };
    house.engine.update_user(&Actor::Operator, ann, change, |_, _| ()).await.unwrap();
}

#[tokio::test]
async fn only_the_address_that_a_user_has_now_is_asked() {
    let house = House::memory().await;
    house.register(ANN).await.unwrap();
    change(&house, UserChange { email: Some("ann@example.net".parse().unwrap()), ..UserChange::default() }).await;
    assert_eq!(house.letter().await.to, ["ann@example.net"]);
    assert!(house.waiting().await.is_empty());
}

#[tokio::test]
async fn a_new_password_makes_older_tokens_void_and_sends_a_new_one() {
    let house = House::memory().await;
    house.register(ANN).await.unwrap();
    let old = house.letter().await.token();
    change(&house, UserChange { password: Some("battery staple".to_owned()), ..UserChange::default() }).await;
    let new = house.letter().await.token();
    assert_eq!(confirm(&house.engine, &old).await, Err(Failure::Refused(Refusal::TokenInvalid)));
    assert!(confirm(&house.engine, &new).await.is_ok());
}

#[tokio::test]
async fn the_house_sends_by_itself_as_soon_as_there_is_a_mail() {
    let house = House::memory().await;
    let housekeeping = Housekeeping::start(&house.engine, house.post.clone());
    for email in [ANN, "bob@example.org"] {
        house.register(email).await.unwrap();
        let sent = tokio::time::timeout(Duration::from_secs(4), async {
            let mut every = tokio::time::interval(Duration::from_millis(5));
            loop {
                every.tick().await;
                if let [letter] = house.letters().as_slice() {
                    return letter.to[0].clone();
                }
            }
        });
        assert_eq!(sent.await.as_deref(), Ok(email), "sooner than by looking now and then");
    }
    housekeeping.stop().await;
}
