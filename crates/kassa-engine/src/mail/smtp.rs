//! A mail server that is spoken to over SMTP.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::{MailerError, Message, NotSent, Sender};

/// How long a good-bye may take: the message is in other hands by then.
const GOODBYE_MAX: Duration = Duration::from_secs(5);

/// How a connection is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// It becomes secret before anything is sent, or nothing is sent.
    StartTls,
    /// It is secret from its first byte.
    Tls,
    /// It is not: for a server on the same machine.
    Off,
}

impl Security {
    /// The port on which servers usually expect it.
    fn usual_port(self) -> u16 {
        match self {
            Self::StartTls => 587,
            Self::Tls => 465,
            Self::Off => 25,
        }
    }
}

/// What is known of a mail server. It has no `Debug`: its password is never shown.
pub struct SmtpSettings {
    /// Its name or address.
    pub host: String,
    /// Its port; `None` for the usual one.
    pub port: Option<u16>,
    /// How the connection is kept secret.
    pub security: Security,
    /// A certificate that vouches for it besides those of the system, as PEM.
    pub authority: Option<Vec<u8>>,
    /// User and password, for a server that wants them.
    pub login: Option<(String, String)>,
    /// How long it may take to take a message, from the first packet on.
    pub patience: Duration,
}

/// A mail server. Clones share it.
#[derive(Clone)]
pub struct Smtp {
    inner: Arc<Inner>,
}

struct Inner {
    settings: SmtpSettings,
    tls: Option<TlsParameters>,
    hello: ClientId,
}

impl fmt::Display for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (host, port) = self.inner.settings.address();
        write!(f, "smtp://{host}:{port}")
    }
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl SmtpSettings {
    fn address(&self) -> (&str, u16) {
        (&self.host, self.port.unwrap_or(self.security.usual_port()))
    }
}

impl Smtp {
    /// Nothing is asked of the server yet. It is greeted in the name of the sender's domain.
    pub fn new(settings: SmtpSettings, sender: &Sender) -> Result<Self, MailerError> {
        let tls = match settings.security {
            Security::Off => None,
            Security::StartTls | Security::Tls => {
                Some(tls(&settings).map_err(|error| MailerError::Smtp(error.to_string()))?)
            }
        };
        let hello = ClientId::Domain(sender.domain().to_owned());
        Ok(Self { inner: Arc::new(Inner { settings, tls, hello }) })
    }

    /// Any refusal is taken for one that passes: a relay says no for ever to all mails where only its
    /// password is wrong.
    pub(super) async fn send(&self, message: &Message) -> Result<(), NotSent> {
        let patience = self.inner.settings.patience;
        let Ok(handed_over) = tokio::time::timeout(patience, self.inner.hand_over(message)).await else {
            return Err(NotSent::for_now(&format!("the mail server has not taken it within {patience:?}")));
        };
        let mut connection = handed_over.map_err(|error| NotSent::for_now(&error))?;
        // It is a courtesy. The server that does not hear it has the message all the same.
        let _ = tokio::time::timeout(GOODBYE_MAX, connection.abort()).await;
        Ok(())
    }
}

/// Only a server that somebody vouches for is trusted.
fn tls(settings: &SmtpSettings) -> Result<TlsParameters, SmtpError> {
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if let Some(pem) = &settings.authority {
        parameters = parameters.add_root_certificate(Certificate::from_pem(pem)?);
    }
    parameters.build()
}

impl Inner {
    /// Connects and hands the message over.
    async fn hand_over(&self, message: &Message) -> Result<AsyncSmtpConnection, SmtpError> {
        let SmtpSettings { security, patience, login, .. } = &self.settings;
        let (at_once, later) = match security {
            Security::Tls => (self.tls.clone(), None),
            Security::StartTls => (None, self.tls.clone()),
            Security::Off => (None, None),
        };
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(self.settings.address(), Some(*patience), &self.hello, at_once, None)
                .await?;
        if let Some(tls) = later {
            connection.starttls(tls, &self.hello).await?;
        }
        if let Some((user, password)) = login {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        connection.send(&message.envelope, &message.bytes).await?;
        Ok(connection)
    }
}
