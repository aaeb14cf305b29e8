//! The HTTP interface of Kassa.
//!
//! Each endpoint is one file whose path is the URL's: `POST /v1/resources/orders` is
//! `v1/orders/create.rs`. Requests are parsed into types here (`input`), and answers are shaped
//! here (`wire`, and the `model.rs` beside the endpoints); what is decided is decided in
//! `kassa-domain`. Nothing outside this crate names the HTTP framework.

mod answer;
mod app;
mod base;
mod browser;
mod caller;
mod conditions;
mod cookie;
mod cors;
pub mod echo;
mod edge;
mod error;
mod files;
mod impatient;
mod input;
mod limits;
pub mod local;
mod openapi;
pub mod ops;
mod paths;
mod peer;
mod requests;
mod server;
mod stream;
mod under_way;
mod unread;
mod v1;
mod v2;
mod wire;

pub use app::{App, Config};
pub use edge::Interface;
pub use limits::{BadRate, Rate, Rates};
pub use peer::Peer;
pub use server::{CONNECTIONS_MAX, Connections, serve};

/// The interface as a service, as clients meet it: [`serve`] puts it on a socket, tests call it in process.
pub fn service(app: App) -> Interface {
    Interface::new(app)
}
