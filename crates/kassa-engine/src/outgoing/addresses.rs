//! Which addresses are of the internet, and which are somebody's own: no request that a client asked for goes to those.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses: the first bits of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// IPv4: those that IANA has set aside and that are not of the internet, each with how many bits of it count.
const FORBIDDEN_V4: &[([u8; 4], u8)] = &[
    ([0, 0, 0, 0], 8),        // "this network", and the unspecified address
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared between a carrier and its customers
    ([127, 0, 0, 0], 8),      // this machine
    ([168, 63, 129, 16], 32), // what a cloud tells its machines
    ([169, 254, 0, 0], 16),   // link-local, and what clouds tell their machines
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 88, 99, 0], 24),   // relays of 6to4
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, and the broadcast address
];

/// IPv6: the internet is within `2000::/3`, without these. What is outside is this machine, unspecified, IPv4 that is
/// mapped or translated (`64:ff9b::/96`, `64:ff9b:1::/48`), discarded (`100::/64`), private (`fc00::/7`), link-local
/// (`fe80::/10`), site-local (`fec0::/10`), multicast (`ff00::/8`), or not given to anybody.
const FORBIDDEN_V6: &[([u16; 8], u8)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), // protocol assignments: Teredo, benchmarks, ORCHID
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), // documentation
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), // 6to4: an IPv4 address within
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), // documentation
    ([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16), // the 6bone, returned
];

/// The IPv6 addresses of the internet.
const GLOBAL_V6: Network = Network { address: IpAddr::V6(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0)), prefix: 3 };

/// It is neither an address nor a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is neither an address nor a network, such as 10.1.0.0/16")]
pub struct MalformedNetwork(String);

impl FromStr for Network {
    type Err = MalformedNetwork;

    /// An address, with a prefix or all of it.
    fn from_str(text: &str) -> Result<Self, MalformedNetwork> {
        let network = || match text.split_once('/') {
            Some((address, prefix)) => Self::new(address.parse().ok()?, prefix.parse().ok()?),
            None => text
                .parse()
                .ok()
                .and_then(|address: IpAddr| Self::new(address, if address.is_ipv4() { 32 } else { 128 })),
        };
        network().ok_or_else(|| MalformedNetwork(text.to_owned()))
    }
}

impl Network {
    /// The addresses that begin with the first `prefix` bits of `address`; `None` where it has not so many.
    pub fn new(address: IpAddr, prefix: u8) -> Option<Self> {
        let bits = if address.is_ipv4() { 32 } else { 128 };
        (prefix <= bits).then_some(Self { address, prefix })
    }

    /// Whether an address is one of them. An address of one version is never one of the other.
    pub fn contains(&self, address: IpAddr) -> bool {
        let differing = match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => u128::from(own.to_bits() ^ other.to_bits()) << 96,
            (IpAddr::V6(own), IpAddr::V6(other)) => own.to_bits() ^ other.to_bits(),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => return false,
        };
        differing.leading_zeros() >= u32::from(self.prefix)
    }
}

/// Whether an address is one of the internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(_) => {
            let mut forbidden = FORBIDDEN_V4.iter();
            !forbidden.any(|(own, prefix)| in_range(IpAddr::V4(Ipv4Addr::from(*own)), *prefix, address))
        }
        IpAddr::V6(v6) => {
            let mut forbidden = FORBIDDEN_V6.iter();
            GLOBAL_V6.contains(address)
                && !forbidden.any(|(own, prefix)| in_range(IpAddr::V6(Ipv6Addr::from(*own)), *prefix, address))
                && !has_isatap_interface(v6)
        }
    }
}

fn in_range(address: IpAddr, prefix: u8, other: IpAddr) -> bool {
    Network { address, prefix }.contains(other)
}

/// Whether the second half says that an IPv4 address within is where packets go (ISATAP, RFC 5214).
fn has_isatap_interface(address: Ipv6Addr) -> bool {
    let [_, _, _, _, interface, scheme, ..] = address.segments();
    matches!(interface, 0 | 0x200) && scheme == 0x5efe
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At least one of each kind, and the ends of ranges; and 127.64.0.1 in all its forms, where a receiver of tests listens.
    const FORBIDDEN: &str = include_str!("../../tests/outgoing/forbidden_addresses.txt");

    const PUBLIC: &[&str] = &[
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.1",
        "192.167.255.255",
        "192.169.0.1",
        "198.17.255.255",
        "198.20.0.1",
        "223.255.255.255",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2001:db7::1",
        "2003::1",
        "2606:4700:4700::1111",
        "2a00:1450:4001::200e",
        "3ffd::1",
    ];

    #[test]
    fn what_is_somebodys_own_is_not_of_the_internet() {
        assert!(FORBIDDEN.lines().count() >= 40);
        for text in FORBIDDEN.lines() {
            assert!(!is_public(text.parse().unwrap()), "{text}");
        }
        for text in PUBLIC {
            assert!(is_public(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn a_network_has_the_addresses_that_begin_as_it_does() {
        let network = |text: &str, prefix| Network::new(text.parse().unwrap(), prefix).unwrap();
        let contains = |network: Network, text: &str| network.contains(text.parse().unwrap());
        assert!(contains(network("10.1.2.3", 8), "10.255.0.1"));
        assert!(!contains(network("10.1.2.3", 8), "11.0.0.1"));
        assert!(contains(network("0.0.0.0", 0), "203.0.113.1"));
        assert!(!contains(network("0.0.0.0", 0), "::1"));
        assert!(contains(network("10.1.2.3", 32), "10.1.2.3"));
        assert!(!contains(network("10.1.2.3", 32), "10.1.2.2"));
        assert!(contains(network("fd00::", 8), "fdff::1"));
        assert!(!contains(network("::ffff:10.0.0.0", 104), "10.0.0.1"));
        assert_eq!(Network::new("10.0.0.0".parse().unwrap(), 33), None);
    }
}
