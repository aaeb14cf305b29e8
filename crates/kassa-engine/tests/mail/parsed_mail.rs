//! Mails as their readers see them: read by somebody else's program.

use mail_parser::{MessageParser, MimeHeaders as _};

/// A message, read.
#[derive(Debug)]
pub(crate) struct ParsedMail {
    /// As it went over the wire.
    pub(crate) raw: String,
    pub(crate) from: Vec<String>,
    pub(crate) to: Vec<String>,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
    /// Names and bytes.
    pub(crate) pictures: Vec<(String, Vec<u8>)>,
    /// Names and bytes of what is there for saving.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl ParsedMail {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let message = MessageParser::default().parse(bytes).unwrap();
        let addresses = |list: Option<&mail_parser::Address<'_>>| {
            list.map(|list| list.iter().filter_map(|addr| addr.address().map(str::to_owned)).collect())
                .unwrap_or_default()
        };
        let is_picture =
            |part: &&mail_parser::MessagePart<'_>| part.content_type().unwrap().c_subtype.as_deref() == Some("png");
        let picture =
            |part: &mail_parser::MessagePart<'_>| (part.content_id().unwrap().to_owned(), part.contents().to_vec());
        let file = |part: &mail_parser::MessagePart<'_>| {
            (part.attachment_name().unwrap().to_owned(), part.contents().to_vec())
        };
        assert_eq!((message.bcc(), message.cc()), (None, None));
        assert_eq!((message.text_body_count(), message.html_body_count()), (1, 1));
        Self {
            raw: String::from_utf8(bytes.to_vec()).unwrap(),
            from: addresses(message.from()),
            to: addresses(message.to()),
            subject: message.subject().unwrap().to_owned(),
            // How lines end on the wire is of no interest.
            text: message.body_text(0).unwrap().replace("\r\n", "\n"),
            html: message.body_html(0).unwrap().replace("\r\n", "\n"),
            pictures: message.attachments().filter(is_picture).map(picture).collect(),
            files: message.attachments().filter(|part| !is_picture(part)).map(file).collect(),
        }
    }

    /// The names of its headers, in their order.
    pub(crate) fn headers(&self) -> Vec<&str> {
        let (headers, _) = self.raw.split_once("\r\n\r\n").unwrap();
        let begins = |line: &&str| !line.starts_with([' ', '\t']);
        headers.split("\r\n").filter(begins).map(|line| line.split_once(':').unwrap().0).collect()
    }

    /// The token that it carries: a line of 64 hexadecimal digits.
    pub(crate) fn token(&self) -> String {
        let is_token = |line: &&str| line.len() == 64 && line.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.text.lines().find(is_token).unwrap().to_owned()
    }
}
