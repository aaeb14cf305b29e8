//! Mails that leave by SMTP.

use std::time::Duration;

use kassa_domain::mail::MailState;
use kassa_engine::housekeeping::Housekeeping;
use kassa_engine::mail::{Mailer, Round, Security, Smtp, SmtpSettings};

use crate::house::{ANN, FIRST_PAUSE_MS, House, done, post};
use crate::reader::Read;
use crate::sale::Sale;
use crate::smtp_server::{Mood, SmtpServer};

const PASSWORD: &str = "a secret of the mail server";

/// A house whose mails leave by this server.
async fn with_server(server: &SmtpServer, change: impl FnOnce(&mut SmtpSettings)) -> House {
    let mut house = House::memory().await;
    let mut settings = SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port: Some(server.address.port()),
        security: Security::Off,
        authority: Some(server.certificate.clone().into_bytes()),
        login: None,
        patience: Duration::from_secs(20),
    };
    change(&mut settings);
    house.post = post(Mailer::Smtp(Smtp::new(settings, &house.post.sender).unwrap()));
    house
}

/// A registration whose mail is put off once, for a reason that names this, and sent then.
async fn put_off_once(server: &SmtpServer, house: &House, reason: &str) {
    house.register(ANN).await.unwrap();
    let Round { put_off: 1, done: 0, given_up: 0, error: Some(error) } = house.send().await else {
        panic!("it should have been put off")
    };
    assert!(error.contains(reason), "{error}");
    assert!(!error.contains(PASSWORD), "{error}");
    let mail = house.only().await;
    assert_eq!((mail.state, mail.attempts, mail.error), (MailState::Waiting, 1, Some(error)));
    assert_eq!(server.taken(), []);
    house.pass_ms(FIRST_PAUSE_MS);
    assert_eq!(house.send().await, done(1));
    assert_eq!(server.taken().len(), 1);
    assert!(house.waiting().await.is_empty());
}

#[tokio::test]
async fn a_message_arrives_as_it_left() {
    let server = SmtpServer::start([], &[]).await;
    let house = with_server(&server, |_| ()).await;
    // A line that is a lone dot ends a message on the wire.
    Sale { title: ".", set: "Партер", ..Sale::of(&house) }.sell().await;
    assert_eq!(house.send().await, done(1));
    let [taken] = server.taken().try_into().unwrap();
    assert_eq!((taken.from.as_str(), taken.to.as_slice()), ("tickets@example.org", &[ANN.to_owned()][..]));
    let letter = Read::of(&taken.bytes);
    assert!(letter.text.starts_with(".\n\nWhen: ") && letter.text.ends_with("or on a screen.\n"), "{}", letter.text);
    assert_eq!((letter.to.as_slice(), letter.pictures.len()), (&[ANN.to_owned()][..], 2));
    assert_eq!(server.words(), ["EHLO", "MAIL", "RCPT", "DATA", "QUIT"]);
    assert_eq!(server.commands()[0], "EHLO example.org", "in the name of the sender");
}

#[tokio::test]
async fn a_server_that_says_later_is_asked_later() {
    for (word, answer) in [
        ("EHLO", "421 4.3.2 closing"),
        ("MAIL", "451 4.7.1 greylisted"),
        ("RCPT", "450 4.2.1 mailbox busy"),
        ("DATA", "452 4.3.1 no space"),
        ("RCPT", "550 5.7.1 relaying denied"),
    ] {
        let server = SmtpServer::start([Mood::Answers(word, answer)], &[]).await;
        let house = with_server(&server, |_| ()).await;
        put_off_once(&server, &house, &answer[4..]).await;
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_is_not_waited_for() {
    let server = SmtpServer::start([Mood::Silent], &[]).await;
    let house = with_server(&server, |settings| settings.patience = Duration::from_millis(50)).await;
    house.register(ANN).await.unwrap();
    let round = house.send().await;
    assert!(round.put_off == 1 && round.error.as_ref().unwrap().contains("within 50ms"), "{round:?}");
}

#[tokio::test]
async fn what_is_under_way_is_finished_when_the_house_closes() {
    let server = SmtpServer::start([Mood::Silent], &[]).await;
    let house = with_server(&server, |settings| settings.patience = Duration::from_millis(300)).await;
    house.register(ANN).await.unwrap();
    let housekeeping = Housekeeping::start(&house.engine, house.post.clone());
    let mut every = tokio::time::interval(Duration::from_millis(5));
    while house.only().await.attempts == 0 {
        every.tick().await;
    }
    housekeeping.stop().await;
    assert!(house.only().await.error.unwrap().contains("within 300ms"), "what came of it is noted");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_tried_again() {
    let server = SmtpServer::start([], &[]).await;
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let house = with_server(&server, |settings| settings.port = Some(closed.port())).await;
    house.register(ANN).await.unwrap();
    let round = house.send().await;
    assert!(round.put_off == 1 && round.error.as_ref().unwrap().contains("refused"), "{round:?}");
}

#[tokio::test]
async fn what_was_taken_is_sent_though_the_server_hangs_up() {
    let server = SmtpServer::start([Mood::HangsUp], &[]).await;
    let house = with_server(&server, |_| ()).await;
    house.register(ANN).await.unwrap();
    assert_eq!(house.send().await, done(1));
    assert_eq!(server.taken().len(), 1);
}

fn with_login(security: Security) -> impl FnOnce(&mut SmtpSettings) {
    move |settings| {
        settings.security = security;
        settings.login = Some(("kassa".to_owned(), PASSWORD.to_owned()));
    }
}

#[tokio::test]
async fn a_server_that_cannot_keep_secrets_hears_none() {
    let server = SmtpServer::start([], &["AUTH PLAIN LOGIN"]).await;
    let house = with_server(&server, with_login(Security::StartTls)).await;
    house.register(ANN).await.unwrap();
    let round = house.send().await;
    assert!(round.put_off == 1 && round.error.as_ref().unwrap().contains("STARTTLS"), "{round:?}");
    assert_eq!(server.words(), ["EHLO"]);
}

#[tokio::test]
async fn a_server_that_only_promises_secrecy_hears_none() {
    let refuses = Mood::Answers("STARTTLS", "454 4.7.0 not now");
    let server = SmtpServer::start([refuses], &["STARTTLS", "AUTH PLAIN LOGIN"]).await;
    let house = with_server(&server, with_login(Security::StartTls)).await;
    house.register(ANN).await.unwrap();
    assert_eq!(house.send().await.put_off, 1);
    assert_eq!(server.words(), ["EHLO", "STARTTLS", "QUIT"]);
}

#[tokio::test]
async fn secrets_are_told_under_tls() {
    let server = SmtpServer::start([], &["STARTTLS", "AUTH PLAIN LOGIN"]).await;
    let house = with_server(&server, with_login(Security::StartTls)).await;
    house.register(ANN).await.unwrap();
    assert_eq!(house.send().await, done(1));
    assert_eq!(server.words(), ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"]);
    assert_eq!(server.taken()[0].to, [ANN]);

    let server = SmtpServer::start([Mood::Secret], &["AUTH PLAIN LOGIN"]).await;
    let house = with_server(&server, with_login(Security::Tls)).await;
    house.register(ANN).await.unwrap();
    assert_eq!(house.send().await, done(1));
    assert_eq!(server.words(), ["EHLO", "AUTH", "MAIL", "RCPT", "DATA", "QUIT"]);
}

#[tokio::test]
async fn a_server_that_nobody_vouches_for_hears_nothing() {
    let features = ["STARTTLS", "AUTH PLAIN LOGIN"];
    let (stranger, other) = (SmtpServer::start([], &features).await, SmtpServer::start([], &[]).await);
    let with_another_certificate = |settings: &mut SmtpSettings| {
        settings.authority = Some(other.certificate.clone().into_bytes());
        with_login(Security::StartTls)(settings);
    };
    let house = with_server(&stranger, with_another_certificate).await;
    house.register(ANN).await.unwrap();
    let round = house.send().await;
    assert!(round.error.as_ref().unwrap().contains("invalid peer certificate"), "{round:?}");
    assert_eq!(stranger.words(), ["EHLO", "STARTTLS"]);

    let misnamed = SmtpServer::named("mail.example.org", [], &features).await;
    let house = with_server(&misnamed, with_login(Security::StartTls)).await;
    house.register(ANN).await.unwrap();
    let round = house.send().await;
    assert!(round.error.as_ref().unwrap().contains("not valid for name"), "{round:?}");
    assert_eq!(misnamed.words(), ["EHLO", "STARTTLS"]);
}

#[tokio::test]
async fn who_may_send_logs_in_and_a_wrong_password_is_tried_again() {
    let wrong = Mood::Answers("AUTH", "535 5.7.8 bad credentials");
    let server = SmtpServer::start([wrong], &["AUTH PLAIN LOGIN"]).await;
    let house = with_server(&server, with_login(Security::Off)).await;
    put_off_once(&server, &house, "5.7.8 bad credentials").await;
    // The base64 of "\0kassa\0" and the password.
    let plain = "AUTH PLAIN AGthc3NhAGEgc2VjcmV0IG9mIHRoZSBtYWlsIHNlcnZlcg==";
    assert_eq!(server.commands().iter().filter(|command| *command == plain).count(), 2, "{:?}", server.commands());
}

#[tokio::test]
async fn a_password_is_never_shown() {
    let server = SmtpServer::start([], &[]).await;
    let house = with_server(&server, with_login(Security::Off)).await;
    let shown = format!("{:?}", house.post);
    assert!(shown.contains("127.0.0.1") && !shown.contains(PASSWORD) && !shown.contains("kassa\""), "{shown}");
}
