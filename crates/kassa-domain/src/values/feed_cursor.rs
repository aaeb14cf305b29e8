//! Where a reader of the feed is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The first change of the feed that a reader has not seen, and so where a change is: a place, and which change of the
/// batch at that place.
///
/// As text: `place-index`. Whoever is at the end of the feed has the place behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeedCursor {
    /// The place of the batch, from 1 on.
    pub place: i64,
    /// Which change of the batch, from 0 on.
    pub index: u32,
}

impl FeedCursor {
    /// Before everything that was ever told.
    pub const START: Self = Self { place: 1, index: 0 };

    /// Behind everything at a place.
    pub const fn behind(place: i64) -> Self {
        Self { place: place.saturating_add(1), index: 0 }
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.place, self.index)
    }
}

impl Default for FeedCursor {
    fn default() -> Self {
        Self::START
    }
}

/// The text is no cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a cursor that an answer gave")]
pub struct MalformedCursor;

impl FromStr for FeedCursor {
    type Err = MalformedCursor;

    fn from_str(text: &str) -> Result<Self, MalformedCursor> {
        let (place, index) = text.split_once('-').ok_or(MalformedCursor)?;
        let cursor = Self {
            place: place.parse().map_err(|_| MalformedCursor)?,
            index: index.parse().map_err(|_| MalformedCursor)?,
        };
        // One cursor has one text.
        if cursor.place >= 1 && cursor.to_string() == text { Ok(cursor) } else { Err(MalformedCursor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_has_one_text() {
        let cursor = FeedCursor { place: 12, index: 3 };
        assert_eq!((cursor.to_string().as_str(), "12-3".parse()), ("12-3", Ok(cursor)));
        for text in ["", "12", "12-", "-3", "0-0", "012-3", "12-+3", "12-3-4", "12-4294967296", "-12-3"] {
            assert_eq!(text.parse::<FeedCursor>(), Err(MalformedCursor), "{text}");
        }
    }
}
