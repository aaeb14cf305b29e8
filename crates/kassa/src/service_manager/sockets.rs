//! Sockets that the service manager holds, so that nobody is refused while the server starts anew (`LISTEN_FDS`).

use std::env;
use std::io;
use std::net::TcpListener as StdListener;

use listenfd::ListenFd;
use tokio::net::TcpListener;

use crate::error::Fatal;

/// The names that sockets may have, in the order in which sockets without these names are taken.
const NAMES: [&str; 3] = [PassedSockets::HTTP, PassedSockets::OPS, PassedSockets::REDIRECT];

/// Sockets that were handed over and are not taken yet.
pub(crate) struct PassedSockets(Vec<(String, StdListener)>);

impl PassedSockets {
    /// That of clients.
    pub(crate) const HTTP: &str = "http";
    /// That of operators.
    pub(crate) const OPS: &str = "ops";
    /// That of clients who do not know yet that they are to use TLS.
    pub(crate) const REDIRECT: &str = "http-redirect";

    /// All that the environment says.
    pub(crate) fn from_environment() -> Result<Self, Fatal> {
        let mut passed = ListenFd::from_env();
        let said = env::var("LISTEN_FDNAMES").unwrap_or_default();
        let said: Vec<&str> = said.split(':').collect();
        // A unit that says nothing names them after itself.
        let are_named = said.iter().any(|name| NAMES.contains(name));
        let mut sockets = Vec::new();
        for at in 0..passed.len() {
            let name = if are_named { said.get(at) } else { NAMES.get(at) }.copied().unwrap_or_default();
            if !NAMES.contains(&name) {
                return Err(
                    format!("the service manager passes socket {at} as {name:?}: use {}", NAMES.join(", ")).into()
                );
            }
            let failed = |error: io::Error| format!("the service manager passes {name}: {error}");
            let socket = passed.take_tcp_listener(at).map_err(failed)?;
            sockets.extend(socket.map(|socket| (name.to_owned(), socket)));
        }
        Ok(Self(sockets))
    }

    /// The socket of this name, if there is one.
    pub(crate) fn take(&mut self, name: &str) -> Result<Option<TcpListener>, Fatal> {
        let Some(at) = self.0.iter().position(|(own, _)| own == name) else { return Ok(None) };
        let (_, socket) = self.0.swap_remove(at);
        socket.set_nonblocking(true)?;
        Ok(Some(TcpListener::from_std(socket)?))
    }
}
