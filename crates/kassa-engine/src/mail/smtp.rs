//! A mail server that is spoken to over SMTP.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kassa_store::system_authorities::{NO_AUTHORITIES, has_authorities};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::{MailMessage, MailSender, MailerError, SendError};

/// How long a good-bye may take: the message is in other hands by then.
const QUIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The codes of addresses that do not exist: bad mailbox, bad system, bad syntax, moved mailbox, and one that takes no mail.
const UNKNOWN_ADDRESS: [&str; 5] = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"];

/// How a connection is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// It becomes secret before anything is sent, or nothing is sent.
    StartTls,
    /// It is secret from its first byte.
    Tls,
    /// It is not: for a server on the same machine.
    Off,
}

impl SmtpSecurity {
    /// The port on which servers usually expect it.
    fn default_port(self) -> u16 {
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
    pub security: SmtpSecurity,
    /// A certificate that vouches for it besides those of the system, as PEM.
    pub root_certificate: Option<Vec<u8>>,
    /// User and password, for a server that wants them.
    pub login: Option<(String, String)>,
    /// How long it may take to take a message, from the first packet on.
    pub timeout: Duration,
}

/// A mail server. Clones share it.
#[derive(Clone)]
pub struct Smtp {
    inner: Arc<Inner>,
}

struct Inner {
    settings: SmtpSettings,
    tls: Option<TlsParameters>,
    client_id: ClientId,
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
        (&self.host, self.port.unwrap_or(self.security.default_port()))
    }
}

impl Smtp {
    /// Nothing is asked of the server yet. It is greeted in the name of the sender's domain.
    pub fn new(settings: SmtpSettings, sender: &MailSender) -> Result<Self, MailerError> {
        let tls = match settings.security {
            SmtpSecurity::Off => None,
            SmtpSecurity::StartTls | SmtpSecurity::Tls => {
                if settings.root_certificate.is_none() && !has_authorities() {
                    return Err(MailerError::Smtp(NO_AUTHORITIES.to_owned()));
                }
                Some(tls_parameters(&settings).map_err(|error| MailerError::Smtp(error.to_string()))?)
            }
        };
        let hello = ClientId::Domain(sender.domain().to_owned());
        Ok(Self { inner: Arc::new(Inner { settings, tls, client_id: hello }) })
    }

    /// Only that an address does not exist is taken for good. Any other refusal is taken for one that passes: a relay says
    /// no for ever to all mails where only its password is wrong.
    pub(super) async fn send(&self, message: &MailMessage) -> Result<(), SendError> {
        let timeout = self.inner.settings.timeout;
        let Ok(handed_over) = tokio::time::timeout(timeout, self.inner.transmit(message)).await else {
            return Err(SendError::transient(&format!("the mail server did not accept the mail within {timeout:?}")));
        };
        let mut connection = handed_over.map_err(|error| {
            if says_unknown_address(&error) { SendError::permanent(&error) } else { SendError::transient(&error) }
        })?;
        // It is a courtesy. The server that does not hear it has the message all the same.
        let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.abort()).await;
        Ok(())
    }
}

/// Whether a mail server says, by an enhanced status code (RFC 3463), that the recipient's address does not exist.
fn says_unknown_address(error: &SmtpError) -> bool {
    error.is_permanent() && error.to_string().split_whitespace().any(|word| UNKNOWN_ADDRESS.contains(&word))
}

/// Only a server with a certificate that a known authority has signed is trusted.
fn tls_parameters(settings: &SmtpSettings) -> Result<TlsParameters, SmtpError> {
    let mut parameters = TlsParameters::builder(settings.host.clone());
    if let Some(pem) = &settings.root_certificate {
        parameters = parameters.add_root_certificate(Certificate::from_pem(pem)?);
    }
    parameters.build()
}

impl Inner {
    /// Connects and hands the message over.
    async fn transmit(&self, message: &MailMessage) -> Result<AsyncSmtpConnection, SmtpError> {
        let SmtpSettings { security, timeout, login, .. } = &self.settings;
        let (at_once, later) = match security {
            SmtpSecurity::Tls => (self.tls.clone(), None),
            SmtpSecurity::StartTls => (None, self.tls.clone()),
            SmtpSecurity::Off => (None, None),
        };
        let mut connection = AsyncSmtpConnection::connect_tokio1(
            self.settings.address(),
            Some(*timeout),
            &self.client_id,
            at_once,
            None,
        )
        .await?;
        if let Some(tls) = later {
            connection.starttls(tls, &self.client_id).await?;
        }
        if let Some((user, password)) = login {
            let credentials = Credentials::new(user.clone(), password.clone());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        connection.send(&message.envelope, &message.bytes).await?;
        Ok(connection)
    }
}
