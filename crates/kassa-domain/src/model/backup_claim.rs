//! Which server makes the backups of an installation.

use std::fmt;
use std::str::FromStr;

use crate::values::time::Timestamp;

/// Whoever makes a backup, and until when nobody else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupClaim {
    /// A number that it has drawn.
    pub worker: u64,
    /// When the claim ends unless it is renewed.
    pub till: Timestamp,
}

/// `17 1795507200000`
impl fmt::Display for BackupClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.worker, self.till.ms())
    }
}

/// A text that says no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no claim of backups")]
pub struct MalformedBackupClaim;

impl FromStr for BackupClaim {
    type Err = MalformedBackupClaim;

    fn from_str(text: &str) -> Result<Self, MalformedBackupClaim> {
        let (worker, till) = text.split_once(' ').ok_or(MalformedBackupClaim)?;
        let worker = worker.parse().map_err(|_| MalformedBackupClaim)?;
        Ok(Self { worker, till: Timestamp::from_ms(till.parse().map_err(|_| MalformedBackupClaim)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_read_as_it_is_written() {
        let claim = BackupClaim { worker: u64::MAX, till: Timestamp::from_ms(-9) };
        assert_eq!(claim.to_string().parse(), Ok(claim));
        for text in ["", "1", "1 x", "-1 2", "1 2 3"] {
            assert_eq!(text.parse::<BackupClaim>(), Err(MalformedBackupClaim), "{text}");
        }
    }
}
