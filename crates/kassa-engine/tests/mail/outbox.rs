//! The outbox folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use kassa_engine::mail::{Mailer, Outbox};

use crate::harness::{ANN, FIRST_RETRY_MS, MailHarness, confirm, delivered, mail_settings};
use crate::parsed_mail::ParsedMail;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_message_is_a_file_that_nobody_else_reads() {
    let mut harness = MailHarness::memory().await;
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("a/outbox");
    harness.settings = mail_settings(Mailer::Outbox(Outbox::new(&outbox)));
    harness.settings.mailer.prepare().unwrap();
    harness.settings.mailer.prepare().expect("it may be there");
    harness.register(ANN).await.unwrap();
    let mail = harness.only_queued_mail().await.id;
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(files(&outbox), [outbox.join(format!("20260101T000000Z-{mail}.eml"))]);
    assert_eq!((mode(&outbox), mode(&files(&outbox)[0])), (0o700, 0o600));
    let letter = ParsedMail::of(&fs::read(&files(&outbox)[0]).unwrap());
    assert!(confirm(&harness.engine, &letter.token()).await.is_ok());
}

#[tokio::test]
async fn an_outbox_that_is_gone_is_tried_again() {
    let mut harness = MailHarness::memory().await;
    let folder = tempfile::tempdir().unwrap();
    let outbox = folder.path().join("outbox");
    harness.settings = mail_settings(Mailer::Outbox(Outbox::new(&outbox)));
    harness.register(ANN).await.unwrap();
    let round = harness.send().await;
    assert_eq!((round.postponed, round.done), (1, 0));
    assert!(round.error.unwrap().contains(&outbox.display().to_string()), "the folder is named");
    harness.settings.mailer.prepare().unwrap();
    harness.advance_ms(FIRST_RETRY_MS);
    assert_eq!(harness.send().await, delivered(1));
    assert_eq!(files(&outbox).len(), 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Mailer::Outbox(Outbox::new(&file.join("outbox"))).prepare().unwrap_err();
    assert!(error.to_string().contains(&file.display().to_string()), "{error}");
}
