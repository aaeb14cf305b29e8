//! When mails are tried, and how often.

use std::collections::BTreeSet;
use std::time::Duration;

use kassa_domain::mail::{ClaimMail, MailState};
use kassa_domain::user::{ConfirmEmail, RegisterUser};
use kassa_domain::{Actor, Refusal};
use kassa_engine::Failure;
use kassa_engine::accounts::UserUpdate;
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::DeliveryReport;

use crate::harness::{ANN, DAY_MS, FIRST_RETRY_MS, MINUTE_MS, MailHarness, confirm, delivered};

#[tokio::test]
async fn a_registration_is_mailed_once_and_its_token_confirms() {
    let house = MailHarness::memory().await;
    let ann = house.register(ANN).await.unwrap();
    assert_eq!(house.register(ANN).await, Err(Failure::Refused(Refusal::EmailTaken)));
    assert_eq!(house.send().await, delivered(1));
    let letters = house.sent_mails();
    assert_eq!((letters.len(), &letters[0].to), (1, &vec![ANN.to_owned()]));
    let confirmed = confirm(&house.engine, &letters[0].token()).await.unwrap();
    assert_eq!((confirmed.id, confirmed.is_email_confirmed()), (ann.id, true));
    assert_eq!(house.send().await, delivered(0));
    assert!(house.sent_mails().is_empty() && house.queued_mails().await.is_empty());
}

#[tokio::test]
async fn failed_mail_is_retried_on_schedule() {
    let house = MailHarness::memory().await;
    house.register(ANN).await.unwrap();
    house.mailer.set_down(true);
    let error = Some("the mailer is down".to_owned());
    assert_eq!(house.send().await, DeliveryReport { postponed: 1, error: error.clone(), ..delivered(0) });
    assert_eq!(house.only_queued_mail().await.error, error);
    house.mailer.set_down(false);
    house.advance_ms(MINUTE_MS - 1);
    assert_eq!(house.send().await, delivered(0));
    house.advance_ms(FIRST_RETRY_MS - MINUTE_MS + 1);
    assert_eq!(house.send().await, delivered(1));
    assert_eq!(house.sent_mails().len(), 1);
}

#[tokio::test]
async fn a_mail_is_given_up_after_three_days_and_kept_for_a_month() {
    let house = MailHarness::memory().await;
    house.register(ANN).await.unwrap();
    house.mailer.set_down(true);
    let (mut rounds, mut passed) = (0, 0);
    while house.send().await.given_up == 0 {
        let pause = house.only_queued_mail().await.due_at.ms() - house.engine.now().ms();
        house.advance_ms(pause);
        (rounds, passed) = (rounds + 1, passed + pause);
    }
    assert!((12..25).contains(&rounds) && passed <= 3 * DAY_MS, "{rounds} tries in {passed} ms");
    house.mailer.set_down(false);
    house.advance_ms(29 * DAY_MS);
    assert_eq!(house.send().await, delivered(0));
    assert_eq!(house.only_queued_mail().await.state, MailState::Failed);
    house.advance_ms(DAY_MS);
    assert_eq!(house.send().await, delivered(0));
    assert!(house.sent_mails().is_empty() && house.queued_mails().await.is_empty());
}

#[tokio::test]
async fn an_undeliverable_mail_is_given_up_at_once_and_blocks_no_other() {
    let house = MailHarness::memory().await;
    for email in ["a..b@example.org", ANN, "bob@example.org"] {
        house.register(email).await.unwrap();
    }
    let round = house.send().await;
    assert_eq!((round.done, round.postponed, round.given_up), (2, 0, 1), "{round:?}");
    assert_eq!(house.sent_mails().len(), 2);
    assert_eq!(house.only_queued_mail().await.state, MailState::Failed);
}

async fn two_engines_send_each_mail_once(house: MailHarness) {
    let addresses: BTreeSet<String> = (0..30).map(|at| format!("n{at}@example.org")).collect();
    for email in &addresses {
        let (email, password) = (email.parse().unwrap(), "no hash of any".to_owned());
        let command = RegisterUser { email, password_hash: password, first_name: None, last_name: None };
        house.engine.execute(&Actor::Anonymous, command, |_, _| ()).await.unwrap();
    }
    let neighbour = house.second_engine().await;
    let (own, others) =
        tokio::join!(house.engine.send_due_mails(&house.settings), neighbour.send_due_mails(&house.settings),);
    let letters = house.sent_mails();
    assert_eq!(letters.len(), addresses.len(), "{own:?} {others:?}");
    assert_eq!(letters.iter().map(|letter| letter.to[0].clone()).collect::<BTreeSet<_>>(), addresses);
    assert_eq!(own.unwrap().done + others.unwrap().done, 30);
    assert!(house.queued_mails().await.is_empty());
}

#[tokio::test]
async fn two_engines_in_memory_send_each_mail_once() {
    two_engines_send_each_mail_once(MailHarness::memory().await).await;
}

#[tokio::test]
async fn two_engines_on_sqlite_send_each_mail_once() {
    two_engines_send_each_mail_once(MailHarness::sqlite().await).await;
}

#[tokio::test]
async fn two_engines_on_postgres_send_each_mail_once() {
    two_engines_send_each_mail_once(MailHarness::postgres().await).await;
}

#[tokio::test]
async fn mail_claimed_by_a_dead_node_is_sent_when_its_lease_expires() {
    let house = MailHarness::memory().await;
    house.register(ANN).await.unwrap();
    let mail = house.only_queued_mail().await.id;
    let neighbour = house.second_engine().await;
    neighbour.execute(&Actor::System, ClaimMail { mail }, |_, _| ()).await.unwrap();
    assert_eq!(house.send().await, delivered(0));
    house.advance_ms(5 * MINUTE_MS);
    assert_eq!(house.send().await, delivered(1));
    assert_eq!(house.sent_mails().len(), 1);
}

#[tokio::test]
async fn an_address_confirmed_meanwhile_gets_no_mail() {
    let house = MailHarness::memory().await;
    let user = house.register(ANN).await.unwrap();
    let command = ConfirmEmail { user: user.id, email: user.email, password_hash: None };
    house.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    assert_eq!(house.send().await, delivered(1), "there is nothing left to tell");
    assert!(house.sent_mails().is_empty());
}

/// Changes Ann's e-mail or password.
async fn update_ann(house: &MailHarness, change: UserUpdate) {
    let ann = house.user(ANN).await.id;
    let change = UserUpdate { current_password: Some("correct horse".to_owned()), ..change };
    house.engine.update_user(&Actor::Operator, ann, change, |_, _| ()).await.unwrap();
}

#[tokio::test]
async fn only_the_current_address_gets_a_confirmation_mail() {
    let house = MailHarness::memory().await;
    house.register(ANN).await.unwrap();
    update_ann(&house, UserUpdate { email: Some("ann@example.net".parse().unwrap()), ..UserUpdate::default() }).await;
    assert_eq!(house.only_sent_mail().await.to, ["ann@example.net"]);
    assert!(house.queued_mails().await.is_empty());
}

#[tokio::test]
async fn a_new_password_makes_older_tokens_void_and_sends_a_new_one() {
    let house = MailHarness::memory().await;
    house.register(ANN).await.unwrap();
    let old = house.only_sent_mail().await.token();
    update_ann(&house, UserUpdate { password: Some("battery staple".to_owned()), ..UserUpdate::default() }).await;
    let new = house.only_sent_mail().await.token();
    assert_eq!(confirm(&house.engine, &old).await, Err(Failure::Refused(Refusal::TokenInvalid)));
    assert!(confirm(&house.engine, &new).await.is_ok());
}

#[tokio::test]
async fn background_tasks_send_mail_as_soon_as_it_is_queued() {
    let house = MailHarness::memory().await;
    let housekeeping = Housekeeping::start(&house.engine, house.settings.clone());
    for email in [ANN, "bob@example.org"] {
        house.register(email).await.unwrap();
        let sent = tokio::time::timeout(Duration::from_secs(4), async {
            let mut every = tokio::time::interval(Duration::from_millis(5));
            loop {
                every.tick().await;
                if let [letter] = house.sent_mails().as_slice() {
                    return letter.to[0].clone();
                }
            }
        });
        assert_eq!(sent.await.as_deref(), Ok(email), "sooner than by looking now and then");
    }
    housekeeping.stop().await;
}
