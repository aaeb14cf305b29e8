//! Mails on their way. A mail is a row that a command made; here it is claimed,
//! written over the rows as they are now, handed to a mailer, and settled. No request waits for it,
//! and no transaction is open meanwhile.
//!
//! A mail is sent at least once: if the server dies between sending and settling, it is sent again,
//! with the same Message-ID.

mod attempts;
#[cfg(feature = "test-support")]
mod delivery_round;
mod limits;
mod mailer;
#[cfg(feature = "test-support")]
mod memory;
mod message;
mod outbox;
mod smtp;
mod templates;

pub(crate) use attempts::{AttemptResult, DeliveryAttempts};
#[cfg(feature = "test-support")]
pub use delivery_round::DeliveryReport;
pub use limits::{MailLimits, MailRates};
pub use mailer::{Mailer, MailerError};
#[cfg(feature = "test-support")]
pub use memory::MemoryMailer;
pub use message::{InvalidSender, MailMessage, MailSender};
pub use outbox::Outbox;
pub use smtp::{Smtp, SmtpSecurity, SmtpSettings};
pub(crate) use templates::{ComposedMail, MailAttachment, MailBuilder};

use std::sync::Arc;

use kassa_domain::mail::{DeliveryResult, Mail};
use kassa_texts::Currency;
use url::Url;

use crate::engine::Engine;
use crate::failure::Failure;

/// How mails are written, and how they leave.
#[derive(Clone, Debug)]
pub struct MailSettings {
    /// How they leave.
    pub mailer: Mailer,
    /// Whom they are from.
    pub sender: MailSender,
    /// What amounts are in; where it is not known, they are numbers.
    pub currency: Option<Currency>,
    /// How clients reach the server, if that is known.
    pub public_url: Option<Url>,
    /// A page of the shop that confirms an e-mail with the `token` of its query.
    pub confirm_page: Option<Url>,
    /// A page of the shop that sets a new password with the `token` of its query.
    pub reset_page: Option<Url>,
    /// How many of them leave in an hour.
    pub limits: Arc<MailLimits>,
}

/// Why a mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SendError {
    error: String,
    /// Whether it will be no better next time.
    is_permanent: bool,
}

impl SendError {
    /// Another try may succeed.
    fn transient(error: &impl ToString) -> Self {
        Self { error: error.to_string(), is_permanent: false }
    }

    /// No try can succeed.
    fn permanent(error: &impl ToString) -> Self {
        Self { error: error.to_string(), is_permanent: true }
    }
}

impl Engine {
    /// Renders a mail and hands it over. One that has become pointless is done.
    async fn deliver(&self, settings: &MailSettings, mail: &Mail) -> Result<DeliveryResult, Failure> {
        let Some(content) = self.render_mail(settings, mail).await? else { return Ok(DeliveryResult::Done) };
        let boundaries = [self.random_hex(16), self.random_hex(16), self.random_hex(16)];
        // A long list takes as long to encode as many requests take altogether.
        let (sender, mail, now) = (settings.sender.clone(), mail.clone(), self.now());
        let message = move || MailMessage::new(&sender, &mail, content, now, boundaries);
        let message = tokio::task::spawn_blocking(message).await;
        let sent = match message.map_err(|error| Failure::internal(&error.to_string()))? {
            Ok(message) => settings.mailer.send(&message).await,
            Err(not_sent) => Err(not_sent),
        };
        Ok(match sent {
            Ok(()) => DeliveryResult::Done,
            Err(SendError { error, is_permanent }) => DeliveryResult::Failed { error, is_permanent },
        })
    }
}
