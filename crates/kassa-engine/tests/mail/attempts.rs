//! When mails are tried, and how often.

use std::collections::BTreeSet;
use std::time::Duration;

use kassa_domain::mail::{ClaimMail, MailState};
use kassa_domain::user::{ConfirmEmail, RegisterUser};
use kassa_domain::{Actor, Refusal};
use kassa_engine::Failure;
use kassa_engine::accounts::UserUpdate;
use kassa_engine::housekeeping::{CHANGES_KEPT, Housekeeping};
use kassa_engine::mail::DeliveryReport;

use crate::harness::{ANN, DAY_MS, FIRST_RETRY_MS, MINUTE_MS, MailHarness, confirm, delivered};

#[tokio::test]
async fn a_registration_is_mailed_once_and_its_token_confirms() {
    let harness = MailHarness::memory().await;
    let ann = harness.register(ANN).await.unwrap();
    assert_eq!(harness.send().await, delivered(1));
    let letters = harness.sent_mails();
    assert_eq!((letters.len(), &letters[0].to), (1, &vec![ANN.to_owned()]));
    let confirmed = confirm(&harness.engine, &letters[0].token()).await.unwrap();
    assert_eq!((confirmed.id, confirmed.is_email_confirmed()), (ann.id, true));
    assert_eq!(harness.register(ANN).await, Err(Failure::Refused(Refusal::EmailTaken)));
    assert_eq!(harness.send().await, delivered(0));
    assert!(harness.sent_mails().is_empty() && harness.queued_mails().await.is_empty());
}

#[tokio::test]
async fn failed_mail_is_retried_on_schedule() {
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    harness.mailer.set_down(true);
    let error = Some("the mailer is down".to_owned());
    assert_eq!(harness.send().await, DeliveryReport { postponed: 1, error: error.clone(), ..delivered(0) });
    assert_eq!(harness.only_queued_mail().await.error, error);
    harness.mailer.set_down(false);
    harness.advance_ms(MINUTE_MS - 1);
    assert_eq!(harness.send().await, delivered(0));
    harness.advance_ms(FIRST_RETRY_MS - MINUTE_MS + 1);
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(harness.sent_mails().len(), 1);
}

#[tokio::test]
async fn a_mail_is_given_up_after_three_days_and_kept_for_a_month() {
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    harness.mailer.set_down(true);
    let (mut rounds, mut passed) = (0, 0);
    while harness.send().await.given_up == 0 {
        let pause = harness.only_queued_mail().await.due_at.ms() - harness.engine.now().ms();
        harness.advance_ms(pause);
        (rounds, passed) = (rounds + 1, passed + pause);
    }
    assert!((12..25).contains(&rounds) && passed <= 3 * DAY_MS, "{rounds} attempts in {passed} ms");
    harness.mailer.set_down(false);
    harness.advance_ms(29 * DAY_MS);
    assert_eq!(harness.send().await, delivered(0));
    assert_eq!(harness.only_queued_mail().await.state, MailState::Failed);
    harness.advance_ms(DAY_MS);
    assert_eq!(harness.send().await, delivered(0));
    assert!(harness.sent_mails().is_empty() && harness.queued_mails().await.is_empty());
}

#[tokio::test]
async fn an_undeliverable_mail_is_given_up_at_once_and_blocks_no_other() {
    let harness = MailHarness::memory().await;
    for email in ["a..b@example.org", ANN, "bob@example.org"] {
        harness.register(email).await.unwrap();
    }
    let round = harness.send().await;
    assert_eq!((round.done, round.postponed, round.given_up), (2, 0, 1), "{round:?}");
    assert_eq!(harness.sent_mails().len(), 2);
    assert_eq!(harness.only_queued_mail().await.state, MailState::Failed);
}

async fn two_engines_send_each_mail_once(harness: MailHarness) {
    let addresses: BTreeSet<String> = (0..30).map(|at| format!("n{at}@example.org")).collect();
    for email in &addresses {
        let (email, password) = (email.parse().unwrap(), "no hash of any".to_owned());
        let command = RegisterUser { email, password_hash: password, first_name: None, last_name: None, earlier: None };
        harness.engine.execute(&Actor::Anonymous, command, |_, _| ()).await.unwrap();
    }
    let neighbour = harness.second_engine().await;
    let (own, others) =
        tokio::join!(harness.engine.send_due_mails(&harness.settings), neighbour.send_due_mails(&harness.settings),);
    let letters = harness.sent_mails();
    assert_eq!(letters.len(), addresses.len(), "{own:?} {others:?}");
    assert_eq!(letters.iter().map(|letter| letter.to[0].clone()).collect::<BTreeSet<_>>(), addresses);
    assert_eq!(own.unwrap().done + others.unwrap().done, 30);
    assert!(harness.queued_mails().await.is_empty());
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
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    let mail = harness.only_queued_mail().await.id;
    let neighbour = harness.second_engine().await;
    neighbour.execute(&Actor::System, ClaimMail { mail }, |_, _| ()).await.unwrap();
    assert_eq!(harness.send().await, delivered(0));
    harness.advance_ms(5 * MINUTE_MS);
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(harness.sent_mails().len(), 1);
}

#[tokio::test]
async fn an_address_confirmed_meanwhile_gets_no_mail() {
    let harness = MailHarness::memory().await;
    let user = harness.register(ANN).await.unwrap();
    let command = ConfirmEmail { user: user.id, email: user.email, password_hash: None, new_password_hash: None };
    harness.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    assert_eq!(harness.send().await, delivered(1), "there is nothing left to tell");
    assert!(harness.sent_mails().is_empty());
}

/// Changes Ann's e-mail or password.
async fn update_ann(harness: &MailHarness, change: UserUpdate) {
    let ann = harness.user(ANN).await.id;
    let change = UserUpdate { current_password: Some("correct horse".to_owned()), ..change };
    harness.engine.update_user(&Actor::Operator, ann, change, |_, _| ()).await.unwrap();
}

#[tokio::test]
async fn only_the_current_address_gets_a_confirmation_mail() {
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    update_ann(&harness, UserUpdate { email: Some("ann@example.net".parse().unwrap()), ..UserUpdate::default() }).await;
    assert_eq!(harness.only_sent_mail().await.to, ["ann@example.net"]);
    assert!(harness.queued_mails().await.is_empty());
}

#[tokio::test]
async fn a_new_password_leaves_the_token_good_that_was_sent() {
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    let token = harness.only_sent_mail().await.token();
    update_ann(&harness, UserUpdate { password: Some("battery staple".to_owned()), ..UserUpdate::default() }).await;
    assert_eq!(harness.send().await, delivered(0), "it need not be sent once more");
    assert!(confirm(&harness.engine, &token).await.is_ok());
}

#[tokio::test]
async fn background_tasks_send_mail_as_soon_as_it_is_queued() {
    let harness = MailHarness::memory().await;
    let housekeeping = Housekeeping::start(&harness.engine, harness.settings.clone(), None, CHANGES_KEPT);
    for email in [ANN, "bob@example.org"] {
        harness.register(email).await.unwrap();
        let sent = tokio::time::timeout(Duration::from_secs(4), async {
            let mut every = tokio::time::interval(Duration::from_millis(5));
            loop {
                every.tick().await;
                if let [letter] = harness.sent_mails().as_slice() {
                    return letter.to[0].clone();
                }
            }
        });
        assert_eq!(sent.await.as_deref(), Ok(email), "sooner than by looking now and then");
    }
    housekeeping.stop().await;
}
