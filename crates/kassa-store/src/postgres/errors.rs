//! What an error of PostgreSQL means to the caller of a driver.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

use crate::error::StoreError;
use crate::memory_budget::MemoryExceeded;

/// What came in the way of a transaction, by what can be done about it.
#[derive(Debug)]
pub(super) enum TransactionFailure {
    /// It had to give way to another: nothing of it is there, and it may run again.
    Retryable(StoreError),
    /// Its connection was lost before the commit, or is of no use any more: nothing of it is there, and it may run
    /// again on another.
    ConnectionLost(StoreError),
    /// It shall not run again.
    Fatal(StoreError),
}

impl From<TransactionFailure> for StoreError {
    fn from(trouble: TransactionFailure) -> Self {
        match trouble {
            TransactionFailure::Retryable(error)
            | TransactionFailure::ConnectionLost(error)
            | TransactionFailure::Fatal(error) => error,
        }
    }
}

/// Why a round trip has failed.
#[derive(Debug)]
pub(super) enum PgError {
    /// The database or the driver says it.
    Server(Error),
    /// Nobody says anything.
    Timeout,
    /// It was done, and may not be durable.
    CommitInDoubt,
    /// It has given more rows than there is memory for.
    Memory(MemoryExceeded),
}

impl PgError {
    /// Whether the connection is gone, and with it what the database had to say, or says nothing that helps.
    pub(super) fn is_connection_lost(&self) -> bool {
        let error = match self {
            Self::Server(error) => error,
            Self::Timeout | Self::CommitInDoubt => return true,
            Self::Memory(_) => return false,
        };
        error.is_closed() || is_io(error) || error.code().is_some_and(ends_connection)
    }

    /// Whether a commit that failed so has left nothing for sure. Any other may have happened: what tells of it may
    /// be about the way of the answer, about a standby, or about what the server does after it.
    pub(super) fn proves_rollback(&self) -> bool {
        let Self::Server(error) = self else { return false };
        error.code().is_some_and(proves_rollback)
    }

    /// Whether a statement has met other rows than it had to: see `statements::requiring_rows`. No other of ours divides.
    pub(super) fn is_unmet_requirement(&self) -> bool {
        let Self::Server(error) = self else { return false };
        error.code() == Some(&SqlState::DIVISION_BY_ZERO)
    }

    /// Whether somebody else has just made what was to be made.
    pub(super) fn is_duplicate(&self) -> bool {
        let Self::Server(error) = self else { return false };
        let reasons = [&SqlState::UNIQUE_VIOLATION, &SqlState::DUPLICATE_OBJECT, &SqlState::DUPLICATE_TABLE];
        error.code().is_some_and(|code| reasons.contains(&code))
    }

    /// Whether the transaction had to give way to another.
    pub(super) fn is_retryable(&self) -> bool {
        let Self::Server(error) = self else { return false };
        let reasons =
            [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED, &SqlState::LOCK_NOT_AVAILABLE];
        error.code().is_some_and(|code| reasons.contains(&code))
    }
}

/// Any fault before the commit.
impl From<PgError> for TransactionFailure {
    fn from(fault: PgError) -> Self {
        let (is_lost, gives_way) = (fault.is_connection_lost(), fault.is_retryable());
        let error = StoreError::from(fault);
        match (is_lost, gives_way) {
            (true, _) => Self::ConnectionLost(error),
            (false, true) => Self::Retryable(error),
            (false, false) => Self::Fatal(error),
        }
    }
}

impl From<StoreError> for TransactionFailure {
    fn from(error: StoreError) -> Self {
        Self::Fatal(error)
    }
}

impl From<PgError> for StoreError {
    fn from(fault: PgError) -> Self {
        match fault {
            PgError::Server(error) => Self::from(error),
            PgError::Timeout => Self::Unavailable("the database does not answer".to_owned()),
            PgError::Memory(exceeded) => exceeded.into(),
            PgError::CommitInDoubt => Self::Unavailable("the database did not wait for its standby".to_owned()),
        }
    }
}

/// Whether the server ends the connection, or serves nobody who writes: it is a standby now.
fn ends_connection(code: &SqlState) -> bool {
    let text = code.code();
    let ended = [&SqlState::READ_ONLY_SQL_TRANSACTION, &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT];
    text.starts_with("08") || text.starts_with("57P0") || ended.contains(&code)
}

/// Constraints, others that went first, and a transaction that had failed before.
fn proves_rollback(code: &SqlState) -> bool {
    let proofs = [
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::T_R_INTEGRITY_CONSTRAINT_VIOLATION,
        &SqlState::IN_FAILED_SQL_TRANSACTION,
    ];
    code.code().starts_with("23") || proofs.contains(&code)
}

fn is_io(error: &Error) -> bool {
    error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = error_text(&error);
        let Some(code) = error.code() else {
            return if error.is_closed() || is_io(&error) { Self::Unavailable(text) } else { Self::Corrupt(text) };
        };
        if *code == SqlState::LOCK_NOT_AVAILABLE {
            return Self::Busy(text);
        }
        if *code == SqlState::QUERY_CANCELED {
            return Self::ReadTimeout;
        }
        match code.code().get(..2) {
            Some("23") => Self::Constraint(text),
            // Connections, resources, operators, locks, a standby, the disk: it may work again later.
            Some("08" | "53" | "55" | "57" | "58" | "25" | "40") => Self::Unavailable(text),
            _ => Self::Corrupt(text),
        }
    }
}

/// An error with its causes. Values of rows, which the database names in the details, are left out.
pub(super) fn error_text(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return db_error_text(error);
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn db_error_text(error: &DbError) -> String {
    format!("{} ({})", error.message(), error.code().code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_codes_prove_a_rollback() {
        // The code, whether its connection is lost, and whether its commit has left nothing for sure.
        let cases = [
            ("23505", false, true),
            ("23503", false, true),
            ("40001", false, true),
            ("40P01", false, true),
            ("40002", false, true),
            ("25P02", false, true),
            ("40003", false, false),
            ("40000", false, false),
            ("08000", true, false),
            ("08006", true, false),
            ("08007", true, false),
            ("08P01", true, false),
            ("57P01", true, false),
            ("57P02", true, false),
            ("57P03", true, false),
            ("57P04", true, false),
            ("57P05", true, false),
            ("25P03", true, false),
            ("25006", true, false),
            ("25000", false, false),
            ("57014", false, false),
            ("53100", false, false),
            ("55P03", false, false),
            ("58030", false, false),
            ("P0001", false, false),
            ("XX000", false, false),
        ];
        for (code, is_lost, leaves_nothing) in cases {
            let state = SqlState::from_code(code);
            assert_eq!((ends_connection(&state), proves_rollback(&state)), (is_lost, leaves_nothing), "{code}");
        }
    }

    #[test]
    fn a_timeout_or_a_commit_in_doubt_proves_nothing() {
        for fault in [PgError::Timeout, PgError::CommitInDoubt] {
            assert!(fault.is_connection_lost() && !fault.proves_rollback(), "{fault:?}");
        }
    }
}
