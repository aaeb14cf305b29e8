//! `kassa echo`: what `kassa bench` measures the server beside.

use kassa_http::{CONNECTIONS_MAX, ConnectionSettings};
use tokio::net::TcpListener;

use crate::error::BenchError;

/// Serves the responses that it was given, on a port that it prints, until it is killed.
pub async fn run() -> Result<(), BenchError> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    eprintln!("The echo is ready url=http://{}", listener.local_addr()?);
    let connections = ConnectionSettings::new(CONNECTIONS_MAX, true);
    kassa_http::echo::serve(listener, connections).await;
    Ok(())
}
