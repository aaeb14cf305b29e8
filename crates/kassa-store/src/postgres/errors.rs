//! What an error of PostgreSQL means for the house.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

use crate::error::StoreError;

/// What came in the way of a transaction, by what can be done about it.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It had to give way to another, or its connection was lost before the commit: nothing of it is
    /// there, and it may run again.
    Again(StoreError),
    /// It shall not run again.
    Final(StoreError),
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Again(error) | Trouble::Final(error) => error,
        }
    }
}

/// Why a round trip has failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// The database or the driver says it.
    Told(Error),
    /// Nobody says anything.
    Silence,
    /// It was done, and may not be durable.
    Doubt,
}

impl Fault {
    /// Whether the connection is gone, and with it what the database had to say, or says nothing that helps.
    pub(super) fn is_lost(&self) -> bool {
        let Self::Told(error) = self else { return true };
        let ended =
            [&SqlState::ADMIN_SHUTDOWN, &SqlState::CRASH_SHUTDOWN, &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT];
        error.is_closed() || is_io(error) || error.code().is_some_and(|code| ended.contains(&code))
    }

    /// Whether somebody else has just made what was to be made.
    pub(super) fn met_its_like(&self) -> bool {
        let Self::Told(error) = self else { return false };
        let reasons = [&SqlState::UNIQUE_VIOLATION, &SqlState::DUPLICATE_OBJECT, &SqlState::DUPLICATE_TABLE];
        error.code().is_some_and(|code| reasons.contains(&code))
    }

    /// Whether the transaction had to give way to another.
    pub(super) fn gives_way(&self) -> bool {
        let Self::Told(error) = self else { return false };
        let reasons =
            [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED, &SqlState::LOCK_NOT_AVAILABLE];
        error.code().is_some_and(|code| reasons.contains(&code))
    }
}

/// Any fault before the commit.
impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        let again = fault.gives_way() || fault.is_lost();
        let error = StoreError::from(fault);
        if again { Self::Again(error) } else { Self::Final(error) }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Final(error)
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Told(error) => Self::from(error),
            Fault::Silence => Self::Unavailable("the database does not answer".to_owned()),
            Fault::Doubt => Self::Unavailable("the database did not wait for its standby".to_owned()),
        }
    }
}

fn is_io(error: &Error) -> bool {
    error.source().is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = sentence(&error);
        let Some(code) = error.code() else {
            return if error.is_closed() || is_io(&error) { Self::Unavailable(text) } else { Self::Corrupt(text) };
        };
        match code.code().get(..2) {
            Some("23") => Self::Constraint(text),
            // Connections, resources, operators, locks, a standby, the disk: it may work again later.
            Some("08" | "53" | "55" | "57" | "58" | "25" | "40") => Self::Unavailable(text),
            _ => Self::Corrupt(text),
        }
    }
}

/// An error with its causes. Values of rows, which the database names in the details, are left out.
pub(super) fn sentence(error: &Error) -> String {
    if let Some(error) = error.as_db_error() {
        return told(error);
    }
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

fn told(error: &DbError) -> String {
    format!("{} ({})", error.message(), error.code().code())
}
