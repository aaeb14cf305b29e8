//! Up to when the installation can be restored from where its log is shipped to.

use super::finding::Finding;
use super::machine::now_s;
use crate::backups::BackupPlace;
use crate::error::Fatal;
use crate::log_shipping::{Recovery, RecoveryTime};

const SUBJECT: &str = "log shipping";
/// What is older is a problem, in seconds: a server that runs ships something at least every few seconds.
const SECONDS_MAX: i64 = 600;
const ADVICE: &str = "the log of the server says why, if it runs";

/// `None` where none is shipped.
pub(super) async fn look(place: Result<Option<BackupPlace>, Fatal>) -> Option<Finding> {
    let place = match place {
        Ok(place) => place?,
        Err(error) => return Some(Finding::unknown(SUBJECT, error.to_string())),
    };
    Some(match Recovery::find(&place, RecoveryTime::Latest).await {
        Ok(recovery) => {
            let as_of = recovery.as_of();
            let text = format!("{place} has all up to {as_of}");
            let is_old = now_s() - as_of.0.ms() / 1_000 > SECONDS_MAX;
            if is_old { Finding::problem(SUBJECT, text, ADVICE) } else { Finding::fine(SUBJECT, text) }
        }
        Err(error) => Finding::problem(SUBJECT, error.to_string(), ADVICE),
    })
}
