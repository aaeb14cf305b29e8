//! One tenant, or nobody in particular, attacks with all that 32 connections can do, while another tenant sells: the
//! sale goes on as if nothing was, and the server takes no more memory than it may.
//!
//! `KASSA_PROGRAM` names a release build of the program: only then it matters how long the seller waits, since a debug
//! build is slow by itself. `KASSA_ATTACK_SECONDS` says how long each attack takes; `.config/nextest.toml` keeps these
//! tests from running beside others:
//!
//! ```sh
//! cargo build --release -p kassa
//! KASSA_PROGRAM=$PWD/target/release/kassa KASSA_ATTACK_SECONDS=30 \
//!     .ci/postgres cargo nextest run --profile long -p kassa attacks::
//! ```

mod answers;
mod attackers;
mod connection;
mod drawings;
mod exports;
mod lanes;
mod promocodes;
mod readers;
mod scene;
mod seller;
mod shares;
mod slots;
mod sqlite_log;
mod storage;
mod writes;

use std::time::Duration;

/// How long an attack takes, unless somebody says how long.
const ATTACK_SECONDS: u64 = 3;
/// The sale before it is measured for no longer than this.
const QUIET_SECONDS_MAX: u64 = 10;

fn attack_time() -> Duration {
    let seconds = std::env::var("KASSA_ATTACK_SECONDS").map_or(ATTACK_SECONDS, |text| text.parse().unwrap());
    Duration::from_secs(seconds)
}

fn quiet_time() -> Duration {
    attack_time().min(Duration::from_secs(QUIET_SECONDS_MAX))
}

/// Makes two tests of each function: one on SQLite, and one on PostgreSQL with four lanes.
macro_rules! on_both_databases {
    ($($attack:ident),+ $(,)?) => { $(
        mod $attack {
            use crate::attacks::scene::Database;

            #[test]
            fn on_sqlite() {
                super::$attack(Database::Sqlite);
            }

            #[test]
            fn on_postgres() {
                super::$attack(Database::Postgres);
            }
        }
    )+ };
}
use on_both_databases;
