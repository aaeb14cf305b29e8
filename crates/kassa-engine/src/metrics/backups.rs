//! What is counted of backups.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use kassa_domain::Timestamp;

use super::{Counter, MetricsText};

/// What is counted of backups.
#[derive(Debug, Default)]
pub struct BackupMetrics {
    interval_s: AtomicU64,
    newest_at_s: AtomicI64,
    took_ms: AtomicU64,
    bytes: AtomicU64,
    made: Counter,
    failures: Counter,
}

impl BackupMetrics {
    /// A backup is to be made so often.
    pub fn set_interval(&self, every: Duration) {
        self.interval_s.store(every.as_secs(), Ordering::Relaxed);
    }

    /// The newest backup that is where they are kept, whoever has made it, is as of this time.
    pub fn set_newest(&self, at: Timestamp) {
        self.newest_at_s.store(at.ms() / 1_000, Ordering::Relaxed);
    }

    /// This server has made one, and has read it again.
    pub fn count_made(&self, at: Timestamp, took: Duration, bytes: u64) {
        self.set_newest(at);
        self.took_ms.store(u64::try_from(took.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.made.add(1);
    }

    /// One could not be made, or those that are not kept any longer could not be removed.
    pub fn count_failure(&self) {
        self.failures.add(1);
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        let name = "kassa_backup_interval_seconds";
        text.gauge(name, "How often a backup is to be made; 0 if this server makes none.");
        text.sample(name, &[], self.interval_s.load(Ordering::Relaxed));
        let name = "kassa_backup_timestamp_seconds";
        text.gauge(name, "Unix time of the newest backup that this server knows of; 0 before the first.");
        text.sample(name, &[], self.newest_at_s.load(Ordering::Relaxed));
        let name = "kassa_backup_duration_seconds";
        text.gauge(name, "How long the last backup of this server took, until it was read again; 0 before the first.");
        let ms = self.took_ms.load(Ordering::Relaxed);
        text.sample(name, &[], format_args!("{}.{:03}", ms / 1_000, ms % 1_000));
        let name = "kassa_backup_bytes";
        text.gauge(name, "Size of the last backup of this server; 0 before the first.");
        text.sample(name, &[], self.bytes.load(Ordering::Relaxed));
        text.counter("kassa_backups_made_total", "Backups that this server has made and read again since it started.");
        text.sample("kassa_backups_made_total", &[], self.made.get());
        text.counter("kassa_backup_failures_total", "Attempts at a backup that failed since the server started.");
        text.sample("kassa_backup_failures_total", &[], self.failures.get());
    }
}
