//! What the operator allows besides the internet: receivers inside its own network.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use url::Host;

use super::addresses::Network;

/// A target that is allowed though its address is not of the internet: `10.1.0.0/16`, `10.1.2.3`, `hooks.internal:8080`
/// or `[fd00::7]:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedTarget {
    /// Addresses: whatever a name resolves to may be one of them. Where the URL has the address itself, any port does,
    /// and http.
    Network(Network),
    /// A host and a port, by whatever address, and by http, too.
    Endpoint(Host<String>, u16),
}

/// It is none of the forms of an [`AllowedTarget`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is neither a network, such as 10.1.0.0/16, nor a host with its port, such as hooks.internal:8080")]
pub struct MalformedTarget(String);

impl FromStr for AllowedTarget {
    type Err = MalformedTarget;

    fn from_str(text: &str) -> Result<Self, MalformedTarget> {
        let network = text.parse().ok().map(Self::Network);
        network.or_else(|| read_endpoint(text)).ok_or_else(|| MalformedTarget(text.to_owned()))
    }
}

fn read_endpoint(text: &str) -> Option<AllowedTarget> {
    if let Ok(address) = text.parse::<SocketAddr>() {
        let host = match address.ip() {
            IpAddr::V4(v4) => Host::Ipv4(v4),
            IpAddr::V6(v6) => Host::Ipv6(v6),
        };
        return Some(AllowedTarget::Endpoint(host, address.port()));
    }
    let (host, port) = text.rsplit_once(':')?;
    Some(AllowedTarget::Endpoint(Host::parse(host).ok()?, port.parse().ok()?))
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AllowedTargets(pub(super) Vec<AllowedTarget>);

impl AllowedTargets {
    /// Whether an address is in one of the networks.
    pub(super) fn has_address(&self, address: IpAddr) -> bool {
        self.0.iter().any(|target| matches!(target, AllowedTarget::Network(network) if network.contains(address)))
    }

    /// Whether a host with this port is one of those that are named.
    pub(super) fn has_endpoint(&self, host: &Host<&str>, port: u16) -> bool {
        self.0.iter().any(|target| match target {
            AllowedTarget::Endpoint(own, own_port) => *own == host.to_owned() && *own_port == port,
            AllowedTarget::Network(_) => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_and_hosts_with_ports_are_read() {
        let read = |text: &str| text.parse::<AllowedTarget>();
        for network in ["10.1.0.0/16", "10.1.2.3", "fd00::/8", "::1"] {
            assert!(matches!(read(network), Ok(AllowedTarget::Network(_))), "{network}");
        }
        for endpoint in ["hooks.internal:8080", "127.0.0.1:9000", "[::1]:9000", "Hooks.Internal:8080"] {
            assert!(matches!(read(endpoint), Ok(AllowedTarget::Endpoint(_, 8080 | 9000))), "{endpoint}");
        }
        for wrong in
            ["", "10.1.0.0/33", "hooks.internal", "hooks.internal:port", "https://hooks.internal:8080", "a b:1"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_host_is_compared_whatever_its_case() {
        let allowed = AllowedTargets(vec!["Hooks.Internal:8080".parse().unwrap()]);
        assert!(allowed.has_endpoint(&Host::Domain("hooks.internal"), 8080));
        assert!(!allowed.has_endpoint(&Host::Domain("hooks.internal"), 8081));
        assert!(!allowed.has_endpoint(&Host::Domain("other.internal"), 8080));
    }
}
