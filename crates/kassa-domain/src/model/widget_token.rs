//! Tokens of a partner's shop for pages of other sites: a site names the partner by one, and the partner takes it back.

use serde::{Deserialize, Serialize};

use crate::values::resource_ids::{EventId, WidgetTokenId};
use crate::values::time::Timestamp;

/// Tokens of one partner, at most: they stand in its row, which every order of its shop reads.
pub const WIDGET_TOKENS_MAX: u32 = 50;

/// A token. It is no secret, so that nothing of it is stored but that it is good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidgetToken {
    /// The id.
    pub id: WidgetTokenId,
    /// The one event that it sells; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventId>,
    /// When it was made.
    pub created_at: Timestamp,
}
