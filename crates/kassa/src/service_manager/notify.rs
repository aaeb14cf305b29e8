//! Messages to the service manager, by the socket that `NOTIFY_SOCKET` names (`sd_notify`(3)).

use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use rustix::time::{ClockId, clock_gettime};

use crate::error::Fatal;

/// Tells the service manager how the server is; nobody where there is none.
pub(crate) struct Notifier(Option<(UnixDatagram, SocketAddr)>);

impl Notifier {
    /// Whom the environment names.
    pub(crate) fn from_environment() -> Result<Self, Fatal> {
        let Some(name) = std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
            return Ok(Self(None));
        };
        let open = || Ok((UnixDatagram::unbound()?, address(&name)?));
        let target: io::Result<_> = open();
        Ok(Self(Some(target.map_err(|error| format!("NOTIFY_SOCKET {}: {error}", name.display()))?)))
    }

    /// It answers.
    pub(crate) fn ready(&self) {
        self.tell("READY=1");
    }

    /// It reads its settings again, until it is ready.
    pub(crate) fn reloading(&self) {
        let now = clock_gettime(ClockId::Monotonic);
        self.tell(&format!("RELOADING=1\nMONOTONIC_USEC={}", now.tv_sec * 1_000_000 + now.tv_nsec / 1_000));
    }

    /// It takes no more requests.
    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1");
    }

    /// It makes progress.
    pub(crate) fn alive(&self) {
        self.tell("WATCHDOG=1");
    }

    fn tell(&self, state: &str) {
        let Some((socket, manager)) = &self.0 else { return };
        if let Err(error) = socket.send_to_addr(state.as_bytes(), manager) {
            tracing::warn!(%error, state, "the service manager could not be told");
        }
    }
}

/// A path, or after `@` a name that no file has.
fn address(name: &OsStr) -> io::Result<SocketAddr> {
    match name.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name),
        None => SocketAddr::from_pathname(name),
    }
}
