//! Backups: which server makes them, what they are called by, and what is counted of them. What they are made of is the
//! program's.

use std::time::Duration;

use kassa_domain::node::{BackupClaim, ClaimBackups, InstallationSettingName};
use kassa_domain::{Actor, ReadSet};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::metrics::{BackupMetrics, LogShippingMetrics};

/// Hexadecimal digits by which the files of an installation are told from those of another.
const INSTALLATION_DIGITS: usize = 8;

impl Engine {
    /// Claims the making of backups for so long, or renews the claim: one worker at a time has it, whatever server it is
    /// of. A time of zero ends it. Whether it is this worker's.
    pub async fn claim_backups(&self, worker: u64, lease: Duration) -> Result<bool, Failure> {
        let till = self.now().plus_ms(i64::try_from(lease.as_millis()).unwrap_or(i64::MAX / 2));
        let command = ClaimBackups { claim: BackupClaim { worker, till } };
        self.execute(&Actor::System, command, |_, is_own| *is_own).await
    }

    /// Names this installation among others whose files are kept in the same place: the beginning of the fingerprint of its
    /// secret.
    pub async fn installation_digits(&self) -> Result<String, Failure> {
        let name = InstallationSettingName::SecretFingerprint;
        let view = self.view(&ReadSet { installation_settings: vec![name], ..ReadSet::default() }).await?;
        let fingerprint = view.installation_settings.get(name).map(|setting| setting.value.as_str());
        Ok(fingerprint.unwrap_or_default().chars().take(INSTALLATION_DIGITS).collect())
    }

    /// What is counted of the shipping of the log.
    pub fn log_shipping_metrics(&self) -> &LogShippingMetrics {
        self.inner.shared.metrics.log_shipping()
    }

    /// What is counted of backups.
    pub fn backup_metrics(&self) -> &BackupMetrics {
        self.inner.shared.metrics.backups()
    }
}
