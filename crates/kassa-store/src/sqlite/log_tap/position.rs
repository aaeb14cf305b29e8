//! Places in the write-ahead log.

use std::fmt;
use std::str::FromStr;

/// Behind a commit in the write-ahead log. It is told from the same place in another log by the salts, which change each
/// time the log starts anew, and by the checksum over all that stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPosition {
    /// Of the log.
    pub(super) salts: [u32; 2],
    /// How many frames stand before it.
    pub(super) frames: u32,
    /// That of the last of them, or of the log's header.
    pub(super) checksum: [u32; 2],
}

/// What is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no position in a log")]
pub struct MalformedPosition;

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { salts, frames, checksum } = self;
        write!(f, "{:08x}{:08x}-{frames}-{:08x}{:08x}", salts[0], salts[1], checksum[0], checksum[1])
    }
}

impl FromStr for LogPosition {
    type Err = MalformedPosition;

    fn from_str(text: &str) -> Result<Self, MalformedPosition> {
        let mut parts = text.split('-');
        let (salts, frames, checksum) = (parts.next(), parts.next(), parts.next());
        let pair = |digits: Option<&str>| {
            let (one, other) = digits?.split_at_checked(8)?;
            Some([u32::from_str_radix(one, 16).ok()?, u32::from_str_radix(other, 16).ok()?])
        };
        let found = || Some(Self { salts: pair(salts)?, frames: frames?.parse().ok()?, checksum: pair(checksum)? });
        // Whatever is written in another way is not ours.
        found().filter(|found| found.to_string() == text).ok_or(MalformedPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_is_written() {
        let position = LogPosition { salts: [1, 0xffff_ffff], frames: 17, checksum: [0xab, 2] };
        let text = "00000001ffffffff-17-000000ab00000002";
        assert_eq!((position.to_string().as_str(), text.parse()), (text, Ok(position)));
        for malformed in ["", "1-17-2", "00000001ffffffff-17", "00000001ffffffff-017-000000ab00000002", "ä-1-ä"] {
            assert_eq!(malformed.parse::<LogPosition>(), Err(MalformedPosition), "{malformed}");
        }
    }
}
