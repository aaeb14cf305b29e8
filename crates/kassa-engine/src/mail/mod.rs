//! Mails on their way (decisions §4, §9). A mail is a row that a command made; here it is claimed,
//! written over the rows as they are now, handed to a mailer, and settled. No request waits for it,
//! and no transaction is open meanwhile.
//!
//! A mail is sent at least once: if the server dies between sending and settling, it is sent again,
//! with the same Message-ID.

mod letters;
mod mailer;
mod memory;
mod message;
mod outbox;
mod smtp;
mod tries;

pub(crate) use letters::{Attached, Content, Sheet};
pub use mailer::{Mailer, MailerError};
pub use memory::MemoryMailer;
pub use message::{BadSender, Message, Sender};
pub use outbox::Outbox;
pub use smtp::{Security, Smtp, SmtpSettings};
pub(crate) use tries::{Tried, Tries};

use kassa_domain::mail::{Delivery, Mail, Settled};
use url::Url;

use crate::{Engine, Failure};

/// How mails are written, and how they leave.
#[derive(Clone, Debug)]
pub struct Post {
    /// What takes them away.
    pub mailer: Mailer,
    /// Whom they are from.
    pub sender: Sender,
    /// How clients reach the server, if that is known.
    pub public_url: Option<Url>,
    /// A page of the shop that confirms an e-mail with the `token` of its query.
    pub confirm_page: Option<Url>,
}

/// What came of a round of tries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Mails that were sent, or had nothing left to tell.
    pub done: u32,
    /// Mails that wait for another try.
    pub put_off: u32,
    /// Mails that were given up.
    pub given_up: u32,
    /// Why the last one that was not sent was not.
    pub error: Option<String>,
}

/// Why a mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotSent {
    error: String,
    /// Whether it will be no better next time.
    hopeless: bool,
}

impl NotSent {
    /// Another try may succeed.
    fn for_now(error: &impl ToString) -> Self {
        Self { error: error.to_string(), hopeless: false }
    }

    /// No try can succeed.
    fn for_ever(error: &impl ToString) -> Self {
        Self { error: error.to_string(), hopeless: true }
    }
}

impl Engine {
    /// Tries all mails that are due now. An error that keeps one from being claimed or settled does not
    /// keep those that are under way.
    pub async fn send_due_mails(&self, post: &Post) -> Result<Round, Failure> {
        let mut tries = Tries::new(self.clone(), post.clone());
        let (mut round, mut failed) = (Round::default(), None);
        loop {
            let looked_at = tries.begin().await.unwrap_or_else(|failure| {
                failed = Some(failure);
                0
            });
            match tries.next().await {
                Some(Ok(ended)) => round.count(ended),
                Some(Err(failure)) => failed = Some(failure),
                None if looked_at > 0 => {}
                None => return failed.map_or(Ok(round), Err),
            }
        }
    }

    /// Writes a mail and hands it over. One that has nothing left to tell is done.
    async fn deliver(&self, post: &Post, mail: &Mail) -> Result<Delivery, Failure> {
        let Some(content) = self.write_letter(post, mail).await? else { return Ok(Delivery::Done) };
        let boundaries = [self.random_hex(16), self.random_hex(16), self.random_hex(16)];
        let sent = match Message::new(&post.sender, mail, content, self.now(), boundaries) {
            Ok(message) => post.mailer.send(&message).await,
            Err(not_sent) => Err(not_sent),
        };
        Ok(match sent {
            Ok(()) => Delivery::Done,
            Err(NotSent { error, hopeless }) => Delivery::Failed { error, hopeless },
        })
    }
}

impl Round {
    fn count(&mut self, tried: Tried) {
        match tried.settled {
            Settled::Gone => self.done += 1,
            Settled::Waits => self.put_off += 1,
            Settled::GivenUp => self.given_up += 1,
        }
        if tried.error.is_some() {
            self.error = tried.error;
        }
    }
}
