//! What a listener does with connections.

use kassa_engine::outgoing::Network;

use super::tls::TlsIdentity;

/// The most connections that a server is meant for.
pub const CONNECTIONS_MAX: usize = 20_000;

/// What a listener does with connections.
#[derive(Clone, Debug)]
pub struct ConnectionSettings {
    /// How many there are at a time. For one more, another is closed, or it waits.
    pub max: usize,
    /// Whether a client that has said all, and closed its side, still gets its answer. Otherwise what is done for it
    /// ends with that.
    pub half_close: bool,
    /// Whether somebody else takes new connections once this server does not. Then clients are told to come anew before
    /// their connections are closed, and none of them is refused.
    pub has_successor: bool,
    /// Clients speak TLS.
    pub tls: Option<TlsIdentity>,
    /// For how many seconds browsers remember that the host speaks TLS only; 0 says nothing to them.
    pub hsts_seconds: u64,
    /// Proxies that say by the PROXY protocol, version 2, whose connection each is. Nobody else is believed.
    pub proxies: Vec<Network>,
}

impl ConnectionSettings {
    /// In the clear, by clients themselves, on a socket of its own.
    pub fn new(max: usize, half_close: bool) -> Self {
        Self { max, half_close, has_successor: false, tls: None, hsts_seconds: 0, proxies: Vec::new() }
    }
}
