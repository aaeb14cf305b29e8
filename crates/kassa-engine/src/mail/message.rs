//! Messages as they go over the wire (RFC 5322).

use std::str::FromStr;
use std::time::{Duration, SystemTime};

use kassa_domain::Timestamp;
use kassa_domain::mail::{Mail, MailId};
use kassa_domain::user::Email;
use lettre::Address;
use lettre::address::{AddressError, Envelope};
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use url::Host;

use super::SendError;
use super::templates::ComposedMail;

/// Sender of mails, such as `Harbour Hall <tickets@example.org>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSender(Mailbox);

/// The text is not a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an address, as tickets@example.org or Harbour Hall <tickets@example.org>")]
pub struct InvalidSender;

impl FromStr for MailSender {
    type Err = InvalidSender;

    fn from_str(text: &str) -> Result<Self, InvalidSender> {
        let Mailbox { name, email } = text.parse().map_err(|_| InvalidSender)?;
        let address = address(email.user(), email.domain()).map_err(|_| InvalidSender)?;
        Ok(Self(Mailbox::new(name, address)))
    }
}

impl MailSender {
    /// The domain of its address.
    pub fn domain(&self) -> &str {
        self.0.email.domain()
    }
}

/// A message, ready to leave.
#[derive(Clone, Debug)]
pub struct MailMessage {
    /// The mail that it is.
    pub id: MailId,
    /// When the mail came to be.
    pub written_at: Timestamp,
    /// The sender and the recipient.
    pub(super) envelope: Envelope,
    /// All of it, headers first.
    pub bytes: Vec<u8>,
}

impl MailMessage {
    /// A mail as a MIME message. `boundaries` are random, so that no text can hold them.
    pub(super) fn new(
        sender: &MailSender,
        mail: &Mail,
        content: ComposedMail,
        now: Timestamp,
        boundaries: [String; 3],
    ) -> Result<Self, SendError> {
        let to = Mailbox::new(None, address_of(&mail.to)?);
        let date = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.ms()).unwrap_or(0));
        let automatic = HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
        let message = lettre::Message::builder()
            .from(sender.0.clone())
            .to(to)
            .subject(content.subject.clone())
            .date(date)
            .message_id(Some(format!("<{}@{}>", mail.id, sender.domain())))
            .raw_header(automatic)
            .multipart(mime_body(content, boundaries)?)
            .map_err(|error| SendError::permanent(&error))?;
        let envelope = message.envelope().clone();
        Ok(Self { id: mail.id, written_at: mail.created_at, envelope, bytes: message.formatted() })
    }
}

/// The text of a mail, and its attachments.
fn mime_body(mut content: ComposedMail, [outmost, outer, inner]: [String; 3]) -> Result<MultiPart, SendError> {
    let files = std::mem::take(&mut content.attachments);
    let text = mime_alternative(content, [outer, inner])?;
    if files.is_empty() {
        return Ok(text);
    }
    let mut body = MultiPart::mixed().boundary(outmost).multipart(text);
    for file in files {
        let content_type = ContentType::parse(file.content_type).map_err(|error| SendError::permanent(&error))?;
        body = body.singlepart(Attachment::new(file.name).body(file.bytes, content_type));
    }
    Ok(body)
}

/// The same as text and as HTML, whose pictures lie beside it.
fn mime_alternative(content: ComposedMail, [outer, inner]: [String; 2]) -> Result<MultiPart, SendError> {
    let png = ContentType::parse("image/png").map_err(|error| SendError::permanent(&error))?;
    let text = MultiPart::alternative().boundary(outer).singlepart(SinglePart::plain(content.text));
    let html = SinglePart::html(content.html);
    if content.inline_images.is_empty() {
        return Ok(text.singlepart(html));
    }
    let mut html = MultiPart::related().boundary(inner).singlepart(html);
    for picture in content.inline_images {
        html = html.singlepart(Attachment::new_inline(picture.name).body(picture.png, png.clone()));
    }
    Ok(text.multipart(html))
}

fn address_of(email: &Email) -> Result<Address, SendError> {
    let (local, domain) = email.as_str().rsplit_once('@').unwrap_or_default();
    address(local, domain).map_err(|error| SendError::permanent(&error))
}

/// An address with its domain in ASCII: servers need not accept any other characters.
fn address(local: &str, domain: &str) -> Result<Address, AddressError> {
    let domain = Host::parse(domain).map_err(|_| AddressError::InvalidDomain)?;
    Address::new(local, domain.to_string())
}
