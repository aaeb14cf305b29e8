//! How a database is set up, and how it is: for whoever looks after it.

/// A database that is a file of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqliteHealth {
    /// `wal` if commits are as safe as they should be.
    pub journal_mode: String,
    /// The size of the database and of its log, in bytes.
    pub bytes: u64,
}

/// A database on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresHealth {
    /// As the server calls it, such as `15.4`.
    pub version: String,
    /// Whether it waits for its disk at a commit.
    pub fsync: bool,
    /// Whether a page that was half written when the machine stopped can be restored.
    pub full_page_writes: bool,
    /// What its sessions have unless they set it, as Kassa's own do.
    pub synchronous_commit: String,
    /// Sessions that it has room for.
    pub connections_max: u64,
    /// Sessions that it has.
    pub connections: u64,
    /// Its time, in milliseconds since 1970.
    pub now_ms: i64,
}
