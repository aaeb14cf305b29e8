//! For tests: what is done to a database behind the program's back.

use std::path::Path;

use rusqlite::Connection;

/// Runs statements on a file as somebody would who breaks it: no constraint stands in the way.
///
/// # Panics
/// Panics where a statement fails: then the test says nothing.
#[expect(clippy::expect_used, reason = "for tests")]
pub fn damage(path: &Path, statements: &str) {
    let connection = Connection::open(path).expect("the file opens");
    connection.pragma_update(None, "ignore_check_constraints", true).expect("checks are left out");
    connection.execute_batch(statements).expect("the statements run");
}
