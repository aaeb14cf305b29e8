//! Where a request comes from.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{Extensions, HeaderMap, HeaderName};
use kassa_domain::change::AddressClass;
use kassa_engine::Reader;
use kassa_store::memory_budget::MemoryCaller;

pub(crate) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// Of an IPv6 address, the half that a network is given; the other half each host chooses as it likes.
const NETWORK_BITS: u32 = 64;

/// The other end of the connection that a request came by: an extension of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// Whose requests are counted together: an IPv4 address, or a network of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClientNetwork(IpAddr);

impl ClientNetwork {
    /// Whose share its requests take.
    pub(crate) fn reader(self) -> Reader {
        Reader::Network(self.0)
    }

    /// The address, or the first of the network, as text.
    pub(crate) fn text(self) -> String {
        self.0.to_string()
    }

    /// What kind of address it is: all that the log of changes says of it.
    pub(crate) fn class(self) -> AddressClass {
        let is_private = match self.0 {
            IpAddr::V4(address) => address.is_private() || address.is_link_local(),
            IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
        };
        // Of IPv6, the network is known only: that of the loopback has no other address.
        if self.0.is_loopback() || self.0 == Ipv6Addr::UNSPECIFIED {
            AddressClass::Loopback
        } else if is_private {
            AddressClass::Private
        } else {
            AddressClass::Public
        }
    }

    /// Of an address.
    pub(crate) fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = address.to_bits() >> NETWORK_BITS << NETWORK_BITS;
                Self(Ipv6Addr::from_bits(network).into())
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }
}

/// Whose share of memory a reader takes.
pub(crate) fn memory_caller(reader: Reader) -> MemoryCaller {
    match reader {
        Reader::Partner(partner) => MemoryCaller::new(0, partner.key().cast_unsigned().into()),
        Reader::User(user) => MemoryCaller::new(1, user.key().cast_unsigned().into()),
        Reader::Network(IpAddr::V4(address)) => MemoryCaller::new(2, address.to_bits().into()),
        Reader::Network(IpAddr::V6(address)) => MemoryCaller::new(3, address.to_bits()),
    }
}

/// Where a request comes from, behind so many proxies of the operator; `None` if it came by no connection.
///
/// Each proxy adds to `X-Forwarded-For` who asked it, at the right: what stands further left, anybody may have written.
/// Where there is less than so many, or something else than an address, only the connection is believed.
pub(crate) fn client_network(extensions: &Extensions, headers: &HeaderMap, proxies: usize) -> Option<ClientNetwork> {
    let PeerAddress(peer) = *extensions.get::<PeerAddress>()?;
    let forwarded = proxies.checked_sub(1).and_then(|at| forwarded_for(headers).rev().nth(at).and_then(parse_address));
    Some(ClientNetwork::of(forwarded.unwrap_or(peer)))
}

fn forwarded_for(headers: &HeaderMap) -> impl DoubleEndedIterator<Item = &str> {
    let values = headers.get_all(FORWARDED_FOR).iter();
    values.flat_map(|value| value.to_str().unwrap_or_default().split(',').map(str::trim))
}

/// Some proxies write the port, too.
fn parse_address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const PEER: &str = "10.0.0.9";

    /// Who asks, when these headers came by a connection from `PEER`.
    fn asks(proxies: usize, forwarded: &[&'static str]) -> String {
        let headers = forwarded.iter().map(|value| (FORWARDED_FOR, HeaderValue::from_static(value)));
        let mut extensions = Extensions::new();
        extensions.insert(PeerAddress(PEER.parse().unwrap()));
        let mut all = HeaderMap::new();
        headers.for_each(|(name, value)| {
            all.append(name, value);
        });
        client_network(&extensions, &all, proxies).unwrap().0.to_string()
    }

    #[test]
    fn without_trusted_proxies_forwarded_addresses_are_ignored() {
        assert_eq!(asks(0, &[]), PEER);
        assert_eq!(asks(0, &["192.0.2.1"]), PEER);
    }

    #[test]
    fn forwarded_addresses_are_trusted_from_the_right() {
        let headers = ["203.0.113.7, 192.0.2.1", "198.51.100.5"];
        assert_eq!(asks(1, &headers), "198.51.100.5");
        assert_eq!(asks(2, &headers), "192.0.2.1");
        assert_eq!(asks(3, &headers), "203.0.113.7");
        assert_eq!(asks(4, &headers), PEER, "somebody has come past a proxy");
        assert_eq!(asks(1, &[]), PEER);
    }

    #[test]
    fn addresses_may_have_ports_and_must_be_addresses() {
        for (text, address) in [
            ("192.0.2.1:8080", "192.0.2.1"),
            ("[2001:db8:1:2:3:4:5:6]:8080", "2001:db8:1:2::"),
            ("[2001:db8:1:2:3:4:5:6]", "2001:db8:1:2::"),
            ("unknown", PEER),
            ("", PEER),
        ] {
            assert_eq!(asks(1, &[text]), address, "{text}");
        }
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_as_one_client() {
        let of = |text: &str| ClientNetwork::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.2"), of("192.0.2.1"));
    }
}
