//! Where the commands on one session meet.

use crate::model::session::SessionHash;
use crate::values::id::ShardTag;

pub(super) fn session_tag(hash: &SessionHash) -> ShardTag {
    ShardTag::of_key(hash.iter().take(8).fold(0, |key, byte| (key << 8) | i64::from(*byte)))
}
