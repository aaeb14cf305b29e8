//! Which URLs clients may have requests sent to.

use std::net::IpAddr;

use url::{Host, Url};

use super::OutgoingRules;
use super::addresses::is_public;

/// The longest URL, in bytes.
const URL_BYTES_MAX: usize = 2_048;

/// The ports that are open to everybody.
const USUAL_PORTS: [u16; 2] = [443, 8443];

/// A URL to which requests may be sent, as far as the URL itself tells: what its name resolves to is checked at each
/// connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetUrl {
    url: Url,
    reach: Reach,
}

/// Which addresses the name of a URL may resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those of the internet, and those in allowed networks.
    Checked,
    /// All: the operator has named the host with its port.
    Any,
}

/// Why no request is sent to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    /// It is no URL with a host.
    #[error("it is not a URL such as https://example.org/hooks")]
    Malformed,
    /// It is too long.
    #[error("it is longer than {URL_BYTES_MAX} bytes")]
    TooLong,
    /// It is not https.
    #[error("it must begin with https://")]
    Scheme,
    /// It has a user name or a password.
    #[error("it must have no user name and no password: what is sent is signed")]
    UserInfo,
    /// It has a fragment.
    #[error("it must have no fragment (#)")]
    Fragment,
    /// Its port is not one of those that are open.
    #[error("its port must be 443 or 8443")]
    Port,
    /// Its host is an address that is not of the internet.
    #[error("its address is not one of the internet")]
    Address,
}

impl TargetUrl {
    /// Reads a URL. Hosts are compared in the form that browsers have of them: names as IDNA has them in ASCII, and
    /// addresses however they are spelled (`0x7f.1`, `2130706433`, `0177.0.0.1`).
    pub fn parse(text: &str, rules: &OutgoingRules) -> Result<Self, TargetFault> {
        if text.len() > URL_BYTES_MAX {
            return Err(TargetFault::TooLong);
        }
        let url = Url::parse(text.trim()).map_err(|_| TargetFault::Malformed)?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(TargetFault::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetFault::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(TargetFault::Fragment);
        }
        let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
            return Err(TargetFault::Malformed);
        };
        let reach = rules.reach(&host, port, url.scheme() == "https")?;
        Ok(Self { url, reach })
    }

    /// The URL.
    pub fn url(&self) -> &Url {
        &self.url
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }
}

impl OutgoingRules {
    fn reach(&self, host: &Host<&str>, port: u16, is_https: bool) -> Result<Reach, TargetFault> {
        if self.allowed.has_endpoint(host, port) {
            return Ok(Reach::Any);
        }
        if let Some(address) = literal_address(host) {
            if self.allowed.has_address(address) {
                return Ok(Reach::Checked);
            }
            if !is_public(address) {
                return Err(TargetFault::Address);
            }
        }
        if !is_https {
            return Err(TargetFault::Scheme);
        }
        if !USUAL_PORTS.contains(&port) {
            return Err(TargetFault::Port);
        }
        Ok(Reach::Checked)
    }

    /// Whether a connection may be made to an address that a name resolved to.
    pub(super) fn permits(&self, address: IpAddr) -> bool {
        is_public(address) || self.allowed.has_address(address)
    }
}

fn literal_address(host: &Host<&str>) -> Option<IpAddr> {
    match host {
        Host::Domain(_) => None,
        Host::Ipv4(v4) => Some(IpAddr::V4(*v4)),
        Host::Ipv6(v6) => Some(IpAddr::V6(*v6)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, allowed: &[&str]) -> Result<Reach, TargetFault> {
        let allowed = allowed.iter().map(|target| target.parse().unwrap());
        TargetUrl::parse(text, &OutgoingRules::new(allowed)).map(|target| target.reach)
    }

    #[test]
    fn only_plain_https_urls_of_the_internet_are_taken() {
        let cases = [
            ("https://example.org/hooks?a=b", Ok(Reach::Checked)),
            ("https://example.org:443/", Ok(Reach::Checked)),
            ("https://example.org:8443/", Ok(Reach::Checked)),
            ("https://1.1.1.1/", Ok(Reach::Checked)),
            ("https://[2606:4700:4700::1111]/", Ok(Reach::Checked)),
            ("HTTPS://EXAMPLE.ORG", Ok(Reach::Checked)),
            ("https://b\u{fc}cher.example/", Ok(Reach::Checked)),
            ("", Err(TargetFault::Malformed)),
            ("example.org/hooks", Err(TargetFault::Malformed)),
            ("https://", Err(TargetFault::Malformed)),
            ("https://exa mple.org/", Err(TargetFault::Malformed)),
            ("http://example.org/", Err(TargetFault::Scheme)),
            ("ftp://example.org/", Err(TargetFault::Scheme)),
            ("file:///etc/passwd", Err(TargetFault::Scheme)),
            ("gopher://example.org:443/", Err(TargetFault::Scheme)),
            ("https://user@example.org/", Err(TargetFault::UserInfo)),
            ("https://:secret@example.org/", Err(TargetFault::UserInfo)),
            ("https://1.1.1.1@127.0.0.1/", Err(TargetFault::UserInfo)),
            ("https://example.org/#part", Err(TargetFault::Fragment)),
            ("https://example.org:22/", Err(TargetFault::Port)),
            ("https://example.org:80/", Err(TargetFault::Port)),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text, &[]), expected, "{text}");
        }
        let long = format!("https://example.org/{}", "a".repeat(URL_BYTES_MAX));
        assert_eq!(check(&long, &[]), Err(TargetFault::TooLong));
    }

    #[test]
    fn an_address_is_recognized_however_it_is_spelled() {
        let inside = [
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://017700000001/",
            "https://0177.0.0.1/",
            "https://127.0.0.1./",
            "https://\u{ff11}27.0.0.1/",
            "https://%31%32%37.0.0.1/",
            "https://0/",
            "https://0x0a.0x01.0x02.0x03/",
            "https://10.66051/",
            "https://169.254.169.254/latest/meta-data/",
            "https://0xA9FEA9FE/",
            "https://[::1]/",
            "https://[0:0:0:0:0:0:0:1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[64:ff9b::7f00:1]/",
            "https://[fd00:ec2::254]/",
        ];
        for text in inside {
            assert_eq!(check(text, &[]), Err(TargetFault::Address), "{text}");
        }
    }

    #[test]
    fn what_the_operator_allows_is_taken() {
        let cases = [
            ("http://127.0.0.1:9000/", "127.0.0.0/8", Ok(Reach::Checked)),
            ("https://10.1.2.3/", "10.0.0.0/8", Ok(Reach::Checked)),
            ("http://127.0.0.1:9000/", "127.0.0.1:9000", Ok(Reach::Any)),
            ("http://hooks.internal:8080/", "hooks.internal:8080", Ok(Reach::Any)),
            ("http://[::1]:9000/", "[::1]:9000", Ok(Reach::Any)),
            ("http://127.0.0.1:9001/", "127.0.0.1:9000", Err(TargetFault::Address)),
            ("http://hooks.internal:8081/", "hooks.internal:8080", Err(TargetFault::Scheme)),
            ("https://11.1.2.3:22/", "10.0.0.0/8", Err(TargetFault::Port)),
            ("https://127.0.0.1/", "10.0.0.0/8", Err(TargetFault::Address)),
        ];
        for (text, allowed, expected) in cases {
            assert_eq!(check(text, &[allowed]), expected, "{text} with {allowed}");
        }
    }
}
