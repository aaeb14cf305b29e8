//! How many files the process may have open at a time: each connection is one.

use std::io;

use kassa_http::{CONNECTIONS_MAX, DOWNLOADS_MAX, NEWCOMERS_MAX};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections of operators at a time.
pub(crate) const OPS_CONNECTIONS_MAX: usize = 64;
/// Connections of clients who do not know yet that they are to use TLS.
pub(crate) const REDIRECT_CONNECTIONS_MAX: usize = 256;
/// Files beside connections of clients: operators, redirects, connections that wait for a place, downloads, and databases,
/// uploads, mails.
const RESERVED_FILES: usize = OPS_CONNECTIONS_MAX + REDIRECT_CONNECTIONS_MAX + NEWCOMERS_MAX + DOWNLOADS_MAX + 448;

/// How many connections clients may have at a time, so that files are left for all else. What the system lets the
/// process have is raised first, as far as it can be and is of use.
pub(crate) fn connections_max() -> io::Result<usize> {
    let limit = getrlimit(Resource::Nofile);
    let raised = raise_limit(limit);
    if raised != limit {
        setrlimit(Resource::Nofile, raised)?;
    }
    let connections = connections_within(raised.current);
    if connections < CONNECTIONS_MAX {
        tracing::warn!(connections, "the limit of open files restricts concurrent connections; raise it (ulimit -n)");
    }
    Ok(connections)
}

/// A limit without a number is none.
fn raise_limit(limit: Rlimit) -> Rlimit {
    let wanted = (CONNECTIONS_MAX + RESERVED_FILES) as u64;
    let reachable = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    Rlimit { current: limit.current.map(|current| current.max(reachable)), ..limit }
}

/// How many connections clients may have where so many files may be open; a limit without a number is none.
pub(crate) fn connections_within(limit: Option<u64>) -> usize {
    let files = limit.and_then(|files| usize::try_from(files).ok()).unwrap_or(usize::MAX);
    // However few there are, some are for clients.
    files.saturating_sub(RESERVED_FILES).max(files / 4).min(CONNECTIONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_for_all_else() {
        let limit = |current, maximum| Rlimit { current, maximum };
        for (given, files, clients) in [
            (limit(Some(1_024), Some(1_048_576)), Some(21_152), 20_000),
            (limit(Some(1_024), Some(4_096)), Some(4_096), 2_944),
            (limit(Some(1_024), None), Some(21_152), 20_000),
            (limit(Some(256), Some(256)), Some(256), 64),
            (limit(Some(1_048_576), Some(1_048_576)), Some(1_048_576), 20_000),
            (limit(None, None), None, 20_000),
        ] {
            let raised = raise_limit(given);
            assert_eq!((raised.current, connections_within(raised.current)), (files, clients), "{given:?}");
        }
    }
}
