//! `kassa health`: whether the server of this machine is ready. Images of containers have no other program to ask with.

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, value_parser};

use crate::error::Fatal;

/// More than any answer has.
const ANSWER_BYTES_MAX: u64 = 1024 * 1024;

/// Flags of `kassa health`.
#[derive(Debug, Args)]
pub(crate) struct HealthArguments {
    /// The address of health checks, as the server has it.
    #[arg(long, env = "KASSA_OPS_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    ops_listen: SocketAddr,
    /// Seconds that the answer may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u64).range(1..=600))]
    timeout: u64,
}

/// Prints what `/readyz` says. The exit status is 0 if the server is ready.
pub(crate) fn run(arguments: &HealthArguments) -> Result<ExitCode, Fatal> {
    let address = reachable(arguments.ops_listen);
    if address.port() == 0 {
        return Err("port 0 names no server: say its address with --ops-listen, or ops-listen in the file".into());
    }
    let answer = ask(address, Duration::from_secs(arguments.timeout));
    let answer = answer.map_err(|error| format!("no answer from {address}: {error}"))?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| format!("{address} speaks no HTTP"))?;
    println!("{}", body.trim_end());
    let is_ready = head.split_whitespace().nth(1) == Some("200");
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Where to ask a server that listens everywhere.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    address
}

fn ask(address: SocketAddr, timeout: Duration) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    stream.write_all(format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes())?;
    let mut answer = String::new();
    stream.take(ANSWER_BYTES_MAX).read_to_string(&mut answer)?;
    Ok(answer)
}
