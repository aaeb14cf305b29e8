//! How mails leave the server.

use std::fmt;

#[cfg(feature = "test-support")]
use super::MemoryMailer;
use super::{MailMessage, Outbox, SendError, Smtp};

/// A way by which messages leave.
#[derive(Clone, Debug)]
pub enum Mailer {
    /// A mail server.
    Smtp(Smtp),
    /// A folder: mail is off.
    Outbox(Outbox),
    /// Memory: for tests.
    #[cfg(feature = "test-support")]
    Memory(MemoryMailer),
}

impl Mailer {
    /// Whether messages leave the machine; a folder keeps them.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self, Self::Outbox(_))
    }
}

impl fmt::Display for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Smtp(smtp) => smtp.fmt(f),
            Self::Outbox(outbox) => outbox.fmt(f),
            #[cfg(feature = "test-support")]
            Self::Memory(_) => f.write_str("memory"),
        }
    }
}

/// Why mails cannot leave this way.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The folder cannot be made or used.
    #[error("the outbox cannot be used: {0}")]
    Outbox(String),
    /// The certificates or the name of the server are of no use.
    #[error("the mail server cannot be used: {0}")]
    Smtp(String),
}

impl Mailer {
    /// Makes what it needs on this machine, before the first message.
    pub fn prepare(&self) -> Result<(), MailerError> {
        match self {
            Self::Outbox(outbox) => outbox.prepare(),
            Self::Smtp(_) => Ok(()),
            #[cfg(feature = "test-support")]
            Self::Memory(_) => Ok(()),
        }
    }

    /// Hands a message over: when this returns, it is in other hands.
    pub(super) async fn send(&self, message: &MailMessage) -> Result<(), SendError> {
        match self {
            Self::Smtp(smtp) => smtp.send(message).await,
            Self::Outbox(outbox) => outbox.send(message).await,
            #[cfg(feature = "test-support")]
            Self::Memory(memory) => memory.send(message),
        }
    }
}
