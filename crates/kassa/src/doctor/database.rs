//! The database: whether it keeps what it was told, and what waits in it.

use kassa_domain::mail::{Mail, MailState};
use kassa_store::health::{PostgresHealth, SqliteHealth};
use kassa_store::postgres::{DatabaseUrl, Postgres};
use kassa_store::sqlite::DataFolder;
use kassa_store::{RowCursor, Store, StoreError};

use super::finding::Finding;
use super::machine::now_s;
use crate::config::InstallationArguments;
use crate::installation::{self, database_error_text};

/// Sessions beside those of a server: an operator's, a backup's.
const SPARE_CONNECTIONS: u64 = 5;
/// How far two clocks may be apart, in milliseconds.
const CLOCK_DIFFERENCE_MS_MAX: u64 = 1_000;
/// A mail that has waited for longer is a problem, in seconds.
const MAIL_WAIT_S_MAX: i64 = 3_600;
/// Mails that are read at a time.
const PAGE_ROWS: usize = 1_000;

/// Everything about it. A server that wants so many connections shall find them.
pub(super) async fn look(place: &InstallationArguments, connections: u64) -> Vec<Finding> {
    let url = match place.database() {
        Ok(url) => url,
        Err(error) => return vec![unusable(error.to_string())],
    };
    let mut findings = match &url {
        Some(url) => match postgres_health(url).await {
            Ok(health) => of_postgres(&health, connections, now_s() * 1_000),
            Err(error) => return vec![unusable(database_error_text(url, &error))],
        },
        None if !place.data.join("kassa.db").exists() => {
            return vec![Finding::unknown("database", format!("{} has none yet", place.data.display()))];
        }
        None => match DataFolder::open_shared(&place.data).and_then(|folder| folder.health()) {
            Ok(health) => vec![of_sqlite(&health)],
            Err(error) => return vec![unusable(error.to_string())],
        },
    };
    match installation::open_read_only(place).await {
        Ok(store) => findings.push(look_at_mails(&store).await),
        Err(error) => findings.push(Finding::problem("schema", error.to_string(), "run kassa migrate")),
    }
    findings
}

fn unusable(text: String) -> Finding {
    Finding::problem("database", text, "see that it runs, and that the server may reach it")
}

async fn postgres_health(url: &DatabaseUrl) -> Result<PostgresHealth, StoreError> {
    Postgres::connect(url).await?.health().await
}

fn of_sqlite(health: &SqliteHealth) -> Finding {
    let text = format!("SQLite, {} MiB, journal_mode {}", health.bytes / 1024 / 1024, health.journal_mode);
    if health.journal_mode == "wal" {
        return Finding::fine("database", text);
    }
    let advice = "another program has changed it: stop that, and start the server, which sets it again";
    Finding::problem("database", text, advice)
}

fn of_postgres(health: &PostgresHealth, wanted: u64, now_ms: i64) -> Vec<Finding> {
    let mut findings = vec![Finding::fine("database", format!("PostgreSQL {}", health.version))];
    let off = |name: &str| format!("{name} is off: what was sold may be lost when the machine stops");
    let turn_on = |name: &str| format!("ALTER SYSTEM SET {name} = on, and SELECT pg_reload_conf()");
    for (name, is_on) in [("fsync", health.fsync), ("full_page_writes", health.full_page_writes)] {
        findings.push(if is_on {
            Finding::fine("database", format!("{name} is on"))
        } else {
            Finding::problem("database", off(name), turn_on(name))
        });
    }
    let commit = format!("synchronous_commit is {}", health.synchronous_commit);
    findings.push(match health.synchronous_commit.as_str() {
        // The server raises it for its own sessions.
        "off" | "local" => Finding::problem("database", commit, turn_on("synchronous_commit")),
        _ => Finding::fine("database", commit),
    });
    let (max, used) = (health.connections_max, health.connections);
    let text = format!("max_connections is {max}, {used} are in use, and a server takes {wanted}");
    findings.push(if max < wanted + SPARE_CONNECTIONS {
        Finding::problem("connections", text, "raise max_connections above the sum of all servers")
    } else {
        Finding::fine("connections", text)
    });
    let apart = health.now_ms.abs_diff(now_ms);
    let text = format!("that of the database is {apart} ms away");
    // The local one was read in whole seconds.
    findings.push(if apart > CLOCK_DIFFERENCE_MS_MAX + 1_000 {
        Finding::problem("clock", text, "keep both machines in step with NTP")
    } else {
        Finding::fine("clock", text)
    });
    findings
}

async fn look_at_mails(store: &Store) -> Finding {
    let (mut waiting, mut failed, mut oldest_s, mut after): (u64, u64, i64, Option<RowCursor>) = (0, 0, 0, None);
    loop {
        let page = match store.scan::<Mail>(after.as_ref(), PAGE_ROWS).await {
            Ok(page) => page,
            Err(error) => return Finding::unknown("mails", error.to_string()),
        };
        let Some(last) = page.last() else { break };
        after = Some(last.cursor.clone());
        for mail in page.into_iter().filter_map(|scanned| scanned.row.ok()) {
            if mail.state == MailState::Failed {
                failed += 1;
            } else {
                waiting += 1;
                oldest_s = oldest_s.max(now_s() - mail.created_at.ms() / 1_000);
            }
        }
    }
    mails_finding(waiting, failed, oldest_s)
}

fn mails_finding(waiting: u64, failed: u64, oldest_s: i64) -> Finding {
    let text = format!("{waiting} wait, the oldest for {} minutes; {failed} were given up", oldest_s / 60);
    if failed > 0 || oldest_s > MAIL_WAIT_S_MAX {
        let advice = "kassa admin list mails says why each was not sent; see that the mail server takes mails";
        return Finding::problem("mails", text, advice);
    }
    Finding::fine("mails", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(change: impl FnOnce(&mut PostgresHealth)) -> Vec<String> {
        let mut health = PostgresHealth {
            version: "16.2".to_owned(),
            fsync: true,
            full_page_writes: true,
            synchronous_commit: "on".to_owned(),
            connections_max: 100,
            connections: 20,
            now_ms: 1_767_225_600_300,
        };
        change(&mut health);
        let findings = of_postgres(&health, 16, 1_767_225_600_000);
        findings.iter().filter(|finding| finding.is_problem()).map(ToString::to_string).collect()
    }

    #[test]
    fn settings_that_lose_sales_are_problems() {
        assert_eq!(problems(|_| {}), Vec::<String>::new());
        for (name, found) in [
            ("fsync", problems(|health| health.fsync = false)),
            ("full_page_writes", problems(|health| health.full_page_writes = false)),
            ("synchronous_commit", problems(|health| health.synchronous_commit = "off".to_owned())),
            ("max_connections", problems(|health| health.connections_max = 20)),
            ("NTP", problems(|health| health.now_ms -= 3_000)),
        ] {
            assert!(matches!(found.as_slice(), [one] if one.contains(name) && one.contains("to do: ")), "{found:?}");
        }
        let journal_mode = |mode: &str| of_sqlite(&SqliteHealth { journal_mode: mode.to_owned(), bytes: 0 });
        assert!(!journal_mode("wal").is_problem() && journal_mode("delete").is_problem());
    }

    #[test]
    fn mails_that_wait_for_long_or_were_given_up_are_problems() {
        for (waiting, failed, oldest_s, is_problem) in
            [(0, 0, 0, false), (9, 0, 3_600, false), (1, 0, 3_601, true), (0, 1, 0, true)]
        {
            assert_eq!(mails_finding(waiting, failed, oldest_s).is_problem(), is_problem);
        }
    }
}
