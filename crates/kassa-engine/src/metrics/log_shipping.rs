//! What is counted of the shipping of the log.

use std::sync::atomic::{AtomicI64, Ordering};

use kassa_domain::Timestamp;

use super::{Counter, MetricsText};

/// What is counted of the shipping of the log.
#[derive(Debug, Default)]
pub struct LogShippingMetrics {
    restorable_ms: AtomicI64,
    base_ms: AtomicI64,
    segments: Counter,
    bytes: Counter,
    lines: Counter,
    failures: Counter,
}

impl LogShippingMetrics {
    /// This server ships its log from now on.
    pub fn start(&self, now: Timestamp) {
        self.restorable_ms.store(now.ms(), Ordering::Relaxed);
    }

    /// All that was committed before this time is kept elsewhere, too.
    pub fn set_shipped(&self, before: Timestamp) {
        // Without a base nothing can be made of it.
        if self.base_ms.load(Ordering::Relaxed) > 0 {
            self.restorable_ms.store(before.ms(), Ordering::Relaxed);
        }
    }

    /// There is a base as of this time.
    pub fn set_base(&self, at: Timestamp) {
        self.base_ms.store(at.ms(), Ordering::Relaxed);
    }

    /// A segment of so many bytes was shipped.
    pub fn count_segment(&self, bytes: u64) {
        self.segments.add(1);
        self.bytes.add(bytes);
    }

    /// A line has begun, which has no base yet.
    pub fn count_line(&self) {
        self.base_ms.store(0, Ordering::Relaxed);
        self.lines.add(1);
    }

    /// Something could not be shipped, or a base could not be made.
    pub fn count_failure(&self) {
        self.failures.add(1);
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        for (name, help, ms) in [
            (
                "kassa_log_restorable_timestamp_seconds",
                "Unix time up to which this installation can be restored from where its log is shipped to, until it can be \
                 that of the start; 0 if this server ships none.",
                &self.restorable_ms,
            ),
            (
                "kassa_log_base_timestamp_seconds",
                "Unix time of the newest base of the log that is shipped; 0 if there is none.",
                &self.base_ms,
            ),
        ] {
            let ms = ms.load(Ordering::Relaxed);
            text.gauge(name, help);
            text.sample(name, &[], format_args!("{}.{:03}", ms / 1_000, ms % 1_000));
        }
        for (name, help, counter) in [
            ("kassa_log_segments_total", "Segments of the log that this server has shipped.", &self.segments),
            ("kassa_log_segment_bytes_total", "Bytes of these.", &self.bytes),
            (
                "kassa_log_lines_total",
                "Lines of the log that this server has begun: the first, and one each time that something was not shipped.",
                &self.lines,
            ),
            ("kassa_log_shipping_failures_total", "Attempts to ship that failed.", &self.failures),
        ] {
            text.counter(name, help);
            text.sample(name, &[], counter.get());
        }
    }
}
