//! What a service manager such as systemd is told, and what it hands over.

mod notify;
mod sockets;
mod watchdog;

pub(crate) use notify::Notifier;
pub(crate) use sockets::PassedSockets;
pub(crate) use watchdog::Watchdog;
