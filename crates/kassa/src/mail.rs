//! How mails leave an installation: flags, and what they mean.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use kassa_engine::mail::{
    MailLimits, MailRates, MailSender, MailSettings, Mailer, Outbox, Smtp, SmtpSecurity, SmtpSettings,
};
use url::Url;

use crate::error::Fatal;
use crate::http_url::parse_http_url;
use crate::secrets::SMTP_PASSWORD;

/// How long a mail server may take for one message.
const SMTP_TIMEOUT: Duration = Duration::from_mins(1);

/// Where messages are written while mail is off, in the data folder.
pub(crate) const OUTBOX_FOLDER: &str = "outbox";

/// Pages of the console that mails lead to where the operator names no others.
const CONFIRM_PAGE: &str = "console/confirm";
const RESET_PAGE: &str = "console/password";

/// A page of this server, if it is known where people reach it.
fn own_page(public_url: Option<&Url>, path: &str) -> Option<Url> {
    let mut page = public_url?.clone();
    let path = format!("{}/{path}", page.path().trim_end_matches('/'));
    page.set_path(&path);
    Some(page)
}

/// Mails that stay here: messages are written into a folder.
pub(crate) fn outbox_delivery(folder: &Path, public_url: Option<Url>, rates: MailRates) -> Result<MailSettings, Fatal> {
    let sender = "Kassa <kassa@localhost>".parse()?;
    let (mailer, limits) = (Mailer::Outbox(Outbox::new(folder)), Arc::new(MailLimits::new(rates)));
    let [confirm_page, reset_page] = [CONFIRM_PAGE, RESET_PAGE].map(|path| own_page(public_url.as_ref(), path));
    Ok(MailSettings { mailer, sender, currency: None, public_url, confirm_page, reset_page, limits })
}

/// Flags of the server that sends mails.
#[derive(Debug, Args)]
pub(crate) struct MailArguments {
    /// The SMTP server. Without one, mail is off: messages are written to the outbox.
    #[arg(long, env = "KASSA_SMTP_HOST", value_name = "HOST", value_parser = NonEmptyStringValueParser::new())]
    smtp_host: Option<String>,
    /// The SMTP port; by default 587, 465 with `tls`, 25 with `off`.
    #[arg(long, env = "KASSA_SMTP_PORT", value_name = "PORT")]
    smtp_port: Option<u16>,
    /// Encryption of the SMTP connection.
    #[arg(long, env = "KASSA_SMTP_TLS", value_enum, default_value_t = TlsMode::Starttls)]
    smtp_tls: TlsMode,
    /// A PEM file with a CA certificate to trust for the SMTP server, in addition to those of the system.
    #[arg(long, env = "KASSA_SMTP_CA_FILE", value_name = "FILE")]
    smtp_ca_file: Option<PathBuf>,
    /// SMTP user name. The password is read from `KASSA_SMTP_PASSWORD` or from a file.
    #[arg(long, env = "KASSA_SMTP_USER", value_name = "NAME")]
    smtp_user: Option<String>,
    /// A file with the SMTP password.
    #[arg(long, env = "KASSA_SMTP_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) smtp_password_file: Option<PathBuf>,
    /// Sender of mails, such as `Harbour Hall <tickets@example.org>`.
    #[arg(long, env = "KASSA_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<MailSender>,
    /// The folder for messages while mail is off; by default `outbox` in the data folder.
    #[arg(long, env = "KASSA_OUTBOX", value_name = "DIR")]
    outbox: Option<PathBuf>,
    /// A page that confirms an e-mail with the `token` from its query string and the password that it asks for; by default
    /// that of the console below `--public-url`. Without either, mails contain the token itself.
    #[arg(long, env = "KASSA_CONFIRM_PAGE", value_name = "URL", value_parser = parse_http_url)]
    confirm_page: Option<Url>,
    /// A page that sets a new password with the `token` from its query string; by default that of the console below
    /// `--public-url`. Without either, mails contain the token itself.
    #[arg(long, env = "KASSA_RESET_PAGE", value_name = "URL", value_parser = parse_http_url)]
    reset_page: Option<Url>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TlsMode {
    /// Upgraded to TLS before anything is sent.
    Starttls,
    /// TLS from the first byte.
    Tls,
    /// Unencrypted: for a mail server on the same machine.
    Off,
}

impl From<TlsMode> for SmtpSecurity {
    fn from(mode: TlsMode) -> Self {
        match mode {
            TlsMode::Starttls => Self::StartTls,
            TlsMode::Tls => Self::Tls,
            TlsMode::Off => Self::Off,
        }
    }
}

impl MailArguments {
    /// The way that the flags name. Nothing is made or asked yet.
    pub(crate) fn delivery(
        &self,
        data: &Path,
        public_url: Option<Url>,
        rates: MailRates,
    ) -> Result<MailSettings, Fatal> {
        let named = [(&self.confirm_page, CONFIRM_PAGE), (&self.reset_page, RESET_PAGE)];
        let [confirm_page, reset_page] =
            named.map(|(page, own)| page.clone().or_else(|| own_page(public_url.as_ref(), own)));
        let Some(host) = &self.smtp_host else {
            let folder = self.outbox.clone().unwrap_or_else(|| data.join(OUTBOX_FOLDER));
            let settings = outbox_delivery(&folder, public_url, rates)?;
            let sender = self.mail_from.clone().unwrap_or(settings.sender);
            return Ok(MailSettings { sender, confirm_page, reset_page, ..settings });
        };
        let sender = self.mail_from.clone().ok_or("--smtp-host needs --mail-from: whom mails are from")?;
        let settings = SmtpSettings {
            host: host.clone(),
            port: self.smtp_port,
            security: self.smtp_tls.into(),
            root_certificate: self.smtp_ca_file.as_deref().map(read_file).transpose()?,
            login: self.smtp_login()?,
            timeout: SMTP_TIMEOUT,
        };
        let (mailer, limits) = (Mailer::Smtp(Smtp::new(settings, &sender)?), Arc::new(MailLimits::new(rates)));
        Ok(MailSettings { mailer, sender, currency: None, public_url, confirm_page, reset_page, limits })
    }

    fn smtp_login(&self) -> Result<Option<(String, String)>, Fatal> {
        match (&self.smtp_user, SMTP_PASSWORD.read(self.smtp_password_file.as_deref())?) {
            (Some(user), Some(password)) => Ok(Some((user.clone(), password))),
            (Some(_), None) => Err("--smtp-user needs KASSA_SMTP_PASSWORD or --smtp-password-file".into()),
            (None, Some(_)) => Err("the password of the mail server needs --smtp-user".into()),
            (None, None) => Ok(None),
        }
    }
}

fn read_file(file: &Path) -> Result<Vec<u8>, Fatal> {
    std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()).into())
}
