//! Servers of several machines, as far as one machine can play them: databases that follow each other, and servers
//! on one of them, which fail under the load of clients that count what they were told.
//!
//! `KASSA_FLEET_ROUNDS` says how often each accident happens; `.config/nextest.toml` keeps these tests from
//! running beside others.

pub(crate) mod cluster;
mod contested;
mod database_restart;
mod dump_backup;
mod failover;
mod feed;
mod load;
mod rolling_upgrade;
mod runbooks;
mod scheduled_backups;
mod servers;
mod shared_state;
mod spread_database;
mod stalled_server;
mod standby;
mod takeover;

/// How often each accident happens.
fn configured_rounds(usually: usize) -> usize {
    std::env::var("KASSA_FLEET_ROUNDS").map_or(usually, |text| text.parse().unwrap())
}
