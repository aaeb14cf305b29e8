//! Names of committed batches.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Names a batch that stated changes. A writer numbers its batches without a gap, whoever has its number.
///
/// As text: `node.epoch.number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BatchId {
    /// The number of the writer.
    pub node: u16,
    /// The claim under which it wrote.
    pub epoch: i64,
    /// Which of the writer's batches, from 1 on; claims do not start it anew.
    pub number: i64,
}

impl fmt::Display for BatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.node, self.epoch, self.number)
    }
}

/// The text does not name a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be three numbers with dots between them")]
pub struct MalformedBatchId;

impl FromStr for BatchId {
    type Err = MalformedBatchId;

    fn from_str(text: &str) -> Result<Self, MalformedBatchId> {
        let mut parts = text.splitn(3, '.');
        let mut next = || parts.next().ok_or(MalformedBatchId);
        let (node, epoch, number) = (next()?, next()?, next()?);
        let parsed = Self {
            node: node.parse().map_err(|_| MalformedBatchId)?,
            epoch: epoch.parse().map_err(|_| MalformedBatchId)?,
            number: number.parse().map_err(|_| MalformedBatchId)?,
        };
        // One batch has one text.
        if parsed.to_string() == text { Ok(parsed) } else { Err(MalformedBatchId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_has_one_text() {
        let id = BatchId { node: 7, epoch: 3, number: 1_000_000 };
        assert_eq!(id.to_string(), "7.3.1000000");
        assert_eq!("7.3.1000000".parse(), Ok(id));
        for text in ["", "7", "7.3", "7.3.", "7.3.1.2", "+7.3.1", "07.3.1", "70000.3.1", "7.3.x"] {
            assert_eq!(text.parse::<BatchId>(), Err(MalformedBatchId), "{text}");
        }
    }
}
