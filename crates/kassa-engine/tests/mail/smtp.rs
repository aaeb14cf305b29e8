//! Mails that leave by SMTP.

use std::time::Duration;

use kassa_domain::mail::MailState;
use kassa_engine::housekeeping::{CHANGES_KEPT, Housekeeping};
use kassa_engine::mail::{DeliveryReport, Mailer, Smtp, SmtpSecurity, SmtpSettings};

use crate::harness::{ANN, FIRST_RETRY_MS, MailHarness, delivered, mail_settings};
use crate::parsed_mail::ParsedMail;
use crate::sale::SaleFixture;
use crate::smtp_server::{ServerBehavior, SmtpServer};

const PASSWORD: &str = "a secret of the mail server";

/// A harness whose mails leave through this server.
async fn harness_with_server(server: &SmtpServer, change: impl FnOnce(&mut SmtpSettings)) -> MailHarness {
    let mut harness = MailHarness::memory().await;
    let mut settings = SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port: Some(server.address.port()),
        security: SmtpSecurity::Off,
        root_certificate: Some(server.certificate.clone().into_bytes()),
        login: None,
        timeout: Duration::from_secs(20),
    };
    change(&mut settings);
    harness.settings = mail_settings(Mailer::Smtp(Smtp::new(settings, &harness.settings.sender).unwrap()));
    harness
}

/// A registration whose mail is put off once, for a reason that names this, and sent then.
async fn assert_postponed_once(server: &SmtpServer, harness: &MailHarness, reason: &str) {
    harness.register(ANN).await.unwrap();
    let DeliveryReport { postponed: 1, done: 0, given_up: 0, error: Some(error) } = harness.send().await else {
        panic!("it should have been put off")
    };
    assert!(error.contains(reason), "{error}");
    assert!(!error.contains(PASSWORD), "{error}");
    let mail = harness.only_queued_mail().await;
    assert_eq!((mail.state, mail.attempts, mail.error), (MailState::Waiting, 1, Some(error)));
    assert_eq!(server.received(), []);
    harness.advance_ms(FIRST_RETRY_MS);
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(server.received().len(), 1);
    assert!(harness.queued_mails().await.is_empty());
}

#[tokio::test]
async fn a_message_arrives_as_it_left() {
    let server = SmtpServer::start([], &[]).await;
    let harness = harness_with_server(&server, |_| ()).await;
    // A line that is a lone dot ends a message on the wire.
    SaleFixture { title: ".", set: "Партер", ..SaleFixture::default_for(&harness) }.sell().await;
    assert_eq!(harness.send().await, delivered(1));
    let [taken] = server.received().try_into().unwrap();
    assert_eq!((taken.from.as_str(), taken.to.as_slice()), ("tickets@example.org", &[ANN.to_owned()][..]));
    let letter = ParsedMail::of(&taken.bytes);
    assert!(letter.text.starts_with(".\n\nWhen: ") && letter.text.ends_with("or on a screen.\n"), "{}", letter.text);
    assert_eq!((letter.to.as_slice(), letter.pictures.len()), (&[ANN.to_owned()][..], 2));
    assert_eq!(server.command_verbs(), ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"]);
    assert_eq!(server.commands()[0], "EHLO example.org", "in the name of the sender");
}

#[tokio::test]
async fn a_temporary_refusal_is_retried() {
    for (word, answer) in [
        ("EHLO", "421 4.3.2 closing"),
        ("MAIL", "451 4.7.1 greylisted"),
        ("RCPT", "450 4.2.1 mailbox busy"),
        ("DATA", "452 4.3.1 no space"),
        ("RCPT", "550 5.7.1 relaying denied"),
    ] {
        let server = SmtpServer::start([ServerBehavior::RepliesWith(word, answer)], &[]).await;
        let harness = harness_with_server(&server, |_| ()).await;
        assert_postponed_once(&server, &harness, &answer[4..]).await;
    }
}

#[tokio::test]
async fn an_address_that_does_not_exist_is_tried_once() {
    let answer = "550 5.1.1 no such mailbox";
    let server = SmtpServer::start([ServerBehavior::RepliesWith("RCPT", answer)], &[]).await;
    let harness = harness_with_server(&server, |_| ()).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.given_up == 1 && round.error.as_ref().unwrap().contains(&answer[4..]), "{round:?}");
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let server = SmtpServer::start([ServerBehavior::Silent], &[]).await;
    let harness = harness_with_server(&server, |settings| settings.timeout = Duration::from_millis(50)).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.postponed == 1 && round.error.as_ref().unwrap().contains("within 50ms"), "{round:?}");
}

#[tokio::test]
async fn mail_in_flight_is_finished_at_shutdown() {
    let server = SmtpServer::start([ServerBehavior::Silent], &[]).await;
    let harness = harness_with_server(&server, |settings| settings.timeout = Duration::from_millis(300)).await;
    harness.register(ANN).await.unwrap();
    let housekeeping = Housekeeping::start(&harness.engine, harness.settings.clone(), None, CHANGES_KEPT);
    let mut every = tokio::time::interval(Duration::from_millis(5));
    while harness.only_queued_mail().await.attempts == 0 {
        every.tick().await;
    }
    housekeeping.stop().await;
    assert!(harness.only_queued_mail().await.error.unwrap().contains("within 300ms"), "what came of it is noted");
}

#[tokio::test]
async fn an_unreachable_server_is_retried() {
    let server = SmtpServer::start([], &[]).await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let harness = harness_with_server(&server, |settings| settings.port = Some(closed.port())).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.postponed == 1 && round.error.as_ref().unwrap().contains("refused"), "{round:?}");
}

#[tokio::test]
async fn an_accepted_message_is_sent_even_if_the_server_hangs_up() {
    let server = SmtpServer::start([ServerBehavior::HangsUp], &[]).await;
    let harness = harness_with_server(&server, |_| ()).await;
    harness.register(ANN).await.unwrap();
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(server.received().len(), 1);
}

fn with_login(security: SmtpSecurity) -> impl FnOnce(&mut SmtpSettings) {
    move |settings| {
        settings.security = security;
        settings.login = Some(("kassa".to_owned(), PASSWORD.to_owned()));
    }
}

#[tokio::test]
async fn a_server_without_starttls_gets_no_credentials() {
    let server = SmtpServer::start([], &["AUTH PLAIN LOGIN"]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::StartTls)).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.postponed == 1 && round.error.as_ref().unwrap().contains("STARTTLS"), "{round:?}");
    assert_eq!(server.command_verbs(), ["EHLO"]);
}

#[tokio::test]
async fn a_failed_starttls_sends_no_credentials() {
    let refuses = ServerBehavior::RepliesWith("STARTTLS", "454 4.7.0 not now");
    let server = SmtpServer::start([refuses], &["STARTTLS", "AUTH PLAIN LOGIN"]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::StartTls)).await;
    harness.register(ANN).await.unwrap();
    assert_eq!(harness.send().await.postponed, 1);
    assert_eq!(server.command_verbs(), ["EHLO", "STARTTLS", "QUIT"]);
}

#[tokio::test]
async fn credentials_are_sent_over_tls() {
    let server = SmtpServer::start([], &["STARTTLS", "AUTH PLAIN LOGIN"]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::StartTls)).await;
    harness.register(ANN).await.unwrap();
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(server.command_verbs(), ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"]);
    assert_eq!(server.received()[0].to, [ANN]);

    let server = SmtpServer::start([ServerBehavior::Tls], &["AUTH PLAIN LOGIN"]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::Tls)).await;
    harness.register(ANN).await.unwrap();
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(server.command_verbs(), ["EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"]);
}

#[tokio::test]
async fn an_untrusted_certificate_stops_the_session() {
    let features = ["STARTTLS", "AUTH PLAIN LOGIN"];
    let (stranger, other) = (SmtpServer::start([], &features).await, SmtpServer::start([], &[]).await);
    let with_another_certificate = |settings: &mut SmtpSettings| {
        settings.root_certificate = Some(other.certificate.clone().into_bytes());
        with_login(SmtpSecurity::StartTls)(settings);
    };
    let harness = harness_with_server(&stranger, with_another_certificate).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.error.as_ref().unwrap().contains("invalid peer certificate"), "{round:?}");
    assert_eq!(stranger.command_verbs(), ["EHLO", "STARTTLS"]);

    let misnamed = SmtpServer::named("mail.example.org", [], &features).await;
    let harness = harness_with_server(&misnamed, with_login(SmtpSecurity::StartTls)).await;
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert!(round.error.as_ref().unwrap().contains("not valid for name"), "{round:?}");
    assert_eq!(misnamed.command_verbs(), ["EHLO", "STARTTLS"]);
}

#[tokio::test]
async fn login_is_sent_and_a_wrong_password_is_retried() {
    let wrong = ServerBehavior::RepliesWith("AUTH", "535 5.7.8 bad credentials");
    let server = SmtpServer::start([wrong], &["AUTH PLAIN LOGIN"]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::Off)).await;
    assert_postponed_once(&server, &harness, "5.7.8 bad credentials").await;
    // The base64 of "\0kassa\0" and the password.
    let plain = "AUTH PLAIN AGthc3NhAGEgc2VjcmV0IG9mIHRoZSBtYWlsIHNlcnZlcg==";
    assert_eq!(server.commands().iter().filter(|command| *command == plain).count(), 2, "{:?}", server.commands());
}

#[tokio::test]
async fn a_password_is_never_shown() {
    let server = SmtpServer::start([], &[]).await;
    let harness = harness_with_server(&server, with_login(SmtpSecurity::Off)).await;
    let shown = format!("{:?}", harness.settings);
    assert!(shown.contains("127.0.0.1") && !shown.contains(PASSWORD) && !shown.contains("kassa\""), "{shown}");
}
