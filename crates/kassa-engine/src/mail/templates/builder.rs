//! A mail under construction: each part is written as plain text and as HTML at once. What people have
//! typed is one line wherever it stands, and is escaped here and nowhere else.

use std::fmt::Write as _;

use kassa_texts::Language;
use serde_json::Value;

/// Columns of plain text.
const LINE_CHARS: usize = 72;

/// A mail, written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComposedMail {
    pub(in crate::mail) subject: String,
    pub(in crate::mail) text: String,
    pub(in crate::mail) html: String,
    pub(in crate::mail) inline_images: Vec<InlineImage>,
    /// What comes with it, for saving.
    pub(crate) attachments: Vec<MailAttachment>,
}

/// A file that a mail carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailAttachment {
    pub(crate) name: String,
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// A picture that the HTML shows as `cid:<name>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mail) struct InlineImage {
    pub(in crate::mail) name: String,
    pub(in crate::mail) png: Vec<u8>,
}

/// What is written so far.
#[derive(Default)]
pub(crate) struct MailBuilder {
    text: String,
    html: String,
    inline_images: Vec<InlineImage>,
    /// What the HTML says of itself to programs.
    structured_data: String,
    language: Language,
}

impl MailBuilder {
    /// One in a language.
    pub(super) fn in_language(language: Language) -> Self {
        Self { language, ..Self::default() }
    }

    /// What the mail is about.
    pub(super) fn heading(&mut self, text: &str) {
        self.append(&wrap(text), &format!("<h1>{}</h1>", escape_html(text)));
    }

    /// Words that follow each other.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.append(&wrap(text), &format!("<p>{}</p>", escape_html(text)));
    }

    /// Something to copy, on a line of its own.
    pub(super) fn code(&mut self, text: &str) {
        self.append(&one_line(text), &format!("<p><code>{}</code></p>", escape_html(text)));
    }

    /// A way to a page.
    pub(super) fn link(&mut self, label: &str, url: &str) {
        self.append(&one_line(url), &format!("<p><a href=\"{}\">{}</a></p>", escape_html(url), escape_html(label)));
    }

    /// Names with their values; those without a value are left out.
    pub(crate) fn labeled_values(&mut self, facts: &[(&str, &str)]) {
        let (mut text, mut html) = (String::new(), "<p>".to_owned());
        for (name, value) in facts.iter().filter(|(_, value)| !one_line(value).is_empty()) {
            let ends = if text.is_empty() { ("", "") } else { ("\n", "<br>\n") };
            // Writing to a String does not fail.
            let _ = write!(text, "{}{name}: {}", ends.0, one_line(value));
            let _ = write!(html, "{}{name}: <b>{}</b>", ends.1, escape_html(value));
        }
        self.append(&text, &(html + "</p>"));
    }

    /// A ticket: what it is, and its barcode as digits and as a picture.
    pub(super) fn ticket(&mut self, what: &str, barcode: &str, picture: Option<InlineImage>) {
        let shown = picture.as_ref().map(|picture| {
            let name = escape_html(&picture.name);
            format!("<img src=\"cid:{name}\" width=\"232\" height=\"232\" alt=\"\"><br>\n")
        });
        let (text, html) = (format!("{}\n{}", one_line(what), one_line(barcode)), shown.unwrap_or_default());
        let (what, barcode) = (escape_html(what), escape_html(barcode));
        self.append(&text, &format!("<p><b>{what}</b><br>\n{html}<code>{barcode}</code></p>"));
        self.inline_images.extend(picture);
    }

    /// The same for programs, as JSON-LD.
    pub(super) fn structured_data(&mut self, data: &Value) {
        // A text in it may not end the element. Lines are short as those of all else.
        let json = format!("{data:#}").replace('<', "\\u003c");
        self.structured_data = format!("<script type=\"application/ld+json\">\n{json}\n</script>\n");
    }

    fn append(&mut self, text: &str, html: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        for (sheet, part) in [(&mut self.text, text), (&mut self.html, html)] {
            sheet.push_str(part);
            sheet.push('\n');
        }
    }

    /// The whole mail.
    pub(crate) fn finish(self, subject: &str) -> ComposedMail {
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n{}</head>\n\
             <body style=\"font-family: sans-serif\">\n{}</body>\n</html>\n",
            self.language.code(),
            escape_html(subject),
            self.structured_data,
            self.html
        );
        ComposedMail {
            subject: one_line(subject),
            text: self.text,
            html,
            inline_images: self.inline_images,
            attachments: Vec::new(),
        }
    }
}

/// What there is of these, one behind the other.
pub(super) fn join_nonempty<const N: usize>(parts: [&str; N]) -> String {
    parts.map(one_line).into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// A text as one line: without line breaks and other control characters.
fn one_line(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
}

/// A text in lines of at most [`LINE_CHARS`].
fn wrap(text: &str) -> String {
    let (mut wrapped, mut column) = (String::new(), 0);
    for word in words(text) {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= LINE_CHARS;
            wrapped.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        wrapped.push_str(word);
        column += length;
    }
    wrapped
}

/// A text as it stands in HTML. Its lines are those of plain text: mail has no long ones.
fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in wrap(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_text_is_one_line_and_escaped() {
        assert_eq!(one_line(" a\r\nBcc: b\t\u{0}c\u{2028}d "), "a Bcc: b c d");
        assert_eq!(escape_html("<b onclick='x'>\"R&B\"\r\n"), "&lt;b onclick=&#39;x&#39;&gt;&quot;R&amp;B&quot;");
    }

    #[test]
    fn lines_break_between_words() {
        let (long, short) = ("x".repeat(70), "y".repeat(36));
        assert_eq!(wrap(&format!("{long} a b {short} {short}")), format!("{long} a\nb {short}\n{short}"));
        assert_eq!(wrap(&"z".repeat(100)), "z".repeat(100), "a word is never broken");
    }

    #[test]
    fn what_programs_read_ends_where_it_should() {
        let mut sheet = MailBuilder::default();
        sheet.structured_data(&serde_json::json!({"name": "</script><b>\"R&B\""}));
        let html = sheet.finish("Your tickets").html;
        let (_, data) = html.split_once("<script type=\"application/ld+json\">").unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Value>(data).unwrap()["name"], "</script><b>\"R&B\"");
    }

    #[test]
    fn each_part_is_in_the_text_and_in_the_html() {
        let mut sheet = MailBuilder::default();
        sheet.heading("<Night>");
        sheet.labeled_values(&[("When", "today"), ("Where", " \n"), ("Order", "1")]);
        sheet.link("Here", "https://example.org/?a=1&b=2");
        let picture = InlineImage { name: "1@kassa".to_owned(), png: vec![1] };
        sheet.ticket("Stalls", "42", Some(picture.clone()));
        let ComposedMail { subject, text, html, inline_images: pictures, attachments: files } =
            sheet.finish("Your\ntickets");
        assert_eq!(subject, "Your tickets");
        assert_eq!(text, "<Night>\n\nWhen: today\nOrder: 1\n\nhttps://example.org/?a=1&b=2\n\nStalls\n42\n");
        let (_, body) = html.split_once("sans-serif\">\n").unwrap();
        assert_eq!(
            body,
            "<h1>&lt;Night&gt;</h1>\n<p>When: <b>today</b><br>\nOrder: <b>1</b></p>\n\
             <p><a href=\"https://example.org/?a=1&amp;b=2\">Here</a></p>\n\
             <p><b>Stalls</b><br>\n<img src=\"cid:1@kassa\" width=\"232\" height=\"232\" alt=\"\"><br>\n\
             <code>42</code></p>\n</body>\n</html>\n"
        );
        assert_eq!((pictures, files), (vec![picture], Vec::new()));
    }
}
