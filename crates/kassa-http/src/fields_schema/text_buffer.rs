//! The text of an answer while it is written.

use std::ops::Range;
use std::sync::Arc;

use kassa_store::memory_budget::MemoryMeter;

use super::ProjectionLimit;

/// A text that is charged to a meter before it grows, and that does not grow beyond a limit.
pub(super) struct TextBuffer {
    text: Vec<u8>,
    bytes_max: usize,
    meter: Arc<MemoryMeter>,
}

impl TextBuffer {
    pub(super) fn new(bytes_max: usize, meter: Arc<MemoryMeter>) -> Self {
        Self { text: Vec::new(), bytes_max, meter }
    }

    pub(super) fn push(&mut self, part: &str) -> Result<(), ProjectionLimit> {
        self.push_bytes(part.as_bytes())
    }

    pub(super) fn push_bytes(&mut self, part: &[u8]) -> Result<(), ProjectionLimit> {
        self.grow(part.len())?;
        self.text.extend_from_slice(part);
        Ok(())
    }

    /// Adds what stands somewhere in it once more.
    pub(super) fn repeat(&mut self, part: Range<usize>) -> Result<(), ProjectionLimit> {
        self.grow(part.len())?;
        self.text.extend_from_within(part);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.text
    }

    fn grow(&mut self, bytes: usize) -> Result<(), ProjectionLimit> {
        let length = self.text.len().saturating_add(bytes);
        if length > self.bytes_max {
            return Err(ProjectionLimit::Bytes);
        }
        if length > self.text.capacity() {
            let capacity = (2 * self.text.capacity()).min(self.bytes_max).max(length);
            self.meter.charge(capacity - self.text.capacity())?;
            self.text.reserve_exact(capacity - self.text.len());
        }
        Ok(())
    }
}
