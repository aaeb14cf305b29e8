//! What a file is: a media type as RFC 9110 (section 8.3.1) writes it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The longest text of a media type.
const MEDIA_TYPE_BYTES_MAX: usize = 255;

/// Pictures that a browser can only draw, never run. SVG is none: it can carry scripts.
const SAFE_IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// A media type as it was given, as `image/png` or `text/plain; charset=utf-8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaType(String);

/// The text is not a media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a media type, as image/png")]
pub struct MalformedMediaType;

impl MediaType {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a picture that a browser can only draw.
    pub fn is_safe_image(&self) -> bool {
        SAFE_IMAGES.iter().any(|safe| safe.eq_ignore_ascii_case(self.essence()))
    }

    /// Whether it is a PDF.
    pub fn is_pdf(&self) -> bool {
        self.essence().eq_ignore_ascii_case("application/pdf")
    }

    /// Its name, without parameters.
    fn essence(&self) -> &str {
        self.0.split(';').next().unwrap_or_default().trim()
    }
}

impl FromStr for MediaType {
    type Err = MalformedMediaType;

    fn from_str(text: &str) -> Result<Self, MalformedMediaType> {
        let text = text.trim_matches([' ', '\t']);
        if is_media_type(text) { Ok(Self(text.to_owned())) } else { Err(MalformedMediaType) }
    }
}

fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text.split_at(text.find(';').unwrap_or(text.len()));
    let names = essence.trim_end().split_once('/');
    text.len() <= MEDIA_TYPE_BYTES_MAX
        && names.is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
        && are_parameters(parameters)
}

/// `; name=value` any number of times; a value may be quoted, and a semicolon may stand alone.
fn are_parameters(text: &str) -> bool {
    let blank = [' ', '\t'];
    let mut rest = text.trim_matches(blank);
    while let Some(after) = rest.strip_prefix(';') {
        rest = after.trim_start_matches(blank);
        if rest.is_empty() || rest.starts_with(';') {
            continue;
        }
        let Some((name, value)) = rest.split_once('=') else { return false };
        let length = if value.starts_with('"') { quoted_length(value) } else { token_length(value) };
        if !is_token(name) || length == 0 {
            return false;
        }
        rest = value[length..].trim_start_matches(blank);
    }
    rest.is_empty()
}

/// How long the quoted text at the start is; 0 when it has no end.
fn quoted_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return at + 1,
            b'\t' | b' '..=b'~' => escaped = byte == b'\\' && !escaped,
            _ => return 0,
        }
    }
    0
}

fn token_length(text: &str) -> usize {
    text.bytes().take_while(|byte| is_token_byte(*byte)).count()
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && token_length(text) == text.len()
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for MediaType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for MediaType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_those_of_the_standard() {
        let sound = [
            "image/png",
            " application/vnd.oasis.opendocument.text ",
            "text/plain; charset=utf-8",
            "text/plain;charset=\"utf\\\"-8; x\" ; a=b;",
            "image/svg+xml",
        ];
        for text in sound {
            assert!(text.parse::<MediaType>().is_ok(), "{text}");
        }
        let bad = [
            "",
            "image",
            "image/",
            "/png",
            "image/png/x",
            "a b/c",
            "a/b; c",
            "a/b; c=",
            "a/b; c=\"d",
            "a/é",
            "a/b\r\nX: y",
        ];
        for text in bad {
            assert_eq!(text.parse::<MediaType>(), Err(MalformedMediaType), "{text}");
        }
        assert_eq!(format!("a/{}", "b".repeat(254)).parse::<MediaType>(), Err(MalformedMediaType));
    }

    #[test]
    fn only_pictures_that_cannot_run_are_safe() {
        let safe = |text: &str| text.parse::<MediaType>().unwrap().is_safe_image();
        assert!(safe("image/png") && safe("IMAGE/JPEG; q=1") && safe("image/webp ;a=b") && safe("image/avif"));
        for text in ["image/svg+xml", "text/html", "application/pdf", "image/x-png", "video/mp4"] {
            assert!(!safe(text), "{text}");
        }
    }
}
