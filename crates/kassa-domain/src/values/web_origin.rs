//! Origins of web sites.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The longest name of a host, by RFC 1035.
const HOST_LENGTH_MAX: usize = 253;
/// The longest part of such a name.
const LABEL_LENGTH_MAX: usize = 63;

/// The origin of a web site, as browsers name it: `https://www.example.org`, in lower case, with a port only where that is
/// not the usual one. It stands in headers as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebOrigin(String);

/// The text is no origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an origin, as https://www.example.org: http or https, a host in ASCII, a port if it is not the usual one"
)]
pub struct MalformedWebOrigin;

impl WebOrigin {
    /// As browsers name it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WebOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for WebOrigin {
    type Err = MalformedWebOrigin;

    fn from_str(text: &str) -> Result<Self, MalformedWebOrigin> {
        let text = text.trim().to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://").ok_or(MalformedWebOrigin)?;
        let usual_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(MalformedWebOrigin),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match rest.split_once(':') {
            Some((host, port)) => (host, Some(port_of(port).ok_or(MalformedWebOrigin)?)),
            None => (rest, None),
        };
        if !is_host(host) {
            return Err(MalformedWebOrigin);
        }
        Ok(Self(match port.filter(|port| *port != usual_port) {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        }))
    }
}

fn port_of(text: &str) -> Option<u16> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| is_number && *port > 0)
}

fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=LABEL_LENGTH_MAX).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    host.len() <= HOST_LENGTH_MAX && host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_as_browsers_name_it() {
        for (text, named) in [
            ("https://www.example.org", "https://www.example.org"),
            (" HTTPS://Example.ORG:443/ ", "https://example.org"),
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("http://localhost:80", "http://localhost"),
            ("https://xn--bcher-kva.example:8443", "https://xn--bcher-kva.example:8443"),
        ] {
            assert_eq!(text.parse::<WebOrigin>().map(|origin| origin.to_string()), Ok(named.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_could_end_a_header_or_mean_more_is_no_origin() {
        for text in [
            "",
            "example.org",
            "https://",
            "https://example.org/shop",
            "https://*.example.org",
            "https://a b",
            "https://a;script-src *",
            "https://bücher.example",
            "https://user@example.org",
            "https://example.org:0",
            "https://example.org:65536",
            "https://example.org:",
            "https://example.org:+443",
            "https://-a.example",
            "https://a..example",
            "ftp://example.org",
            "null",
        ] {
            assert_eq!(text.parse::<WebOrigin>(), Err(MalformedWebOrigin), "{text}");
        }
    }
}
