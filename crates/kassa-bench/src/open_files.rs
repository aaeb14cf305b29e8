//! How many files this process may have open: each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::error::BenchError;

/// Files that are open besides connections.
const OTHER_FILES: usize = 256;

/// Lets this process have so many connections.
pub(crate) fn allow_connections(connections: usize) -> Result<(), BenchError> {
    let files = (connections + OTHER_FILES) as u64;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= files) {
        return Ok(());
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(files), ..limit });
    raised.map_err(|error| format!("{files} open files are needed (ulimit -n): {error}").into())
}
