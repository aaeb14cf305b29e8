//! Listeners as clients meet them that speak TLS and HTTP/2.

mod certificates;
mod clear_connections;
mod client;
mod shared_connections;
mod tls_connections;

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::time::Instant;

use super::*;
