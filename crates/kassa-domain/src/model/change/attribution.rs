//! Who made a change, and from where.

use serde::{Deserialize, Serialize};

use crate::values::resource_ids::{ApiKeyId, PartnerId, UserId};

/// Who made a change, and from where. The batch of the change names the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attribution {
    /// Who.
    pub author: Author,
    /// From what kind of address; `None` for what did not come over a network.
    pub address: Option<AddressClass>,
}

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Author {
    /// Somebody without a credential.
    Anonymous,
    /// A user who is logged in.
    User(UserId),
    /// A program of a partner.
    ApiKey {
        /// The partner.
        partner: PartnerId,
        /// The key that it showed, where that is known.
        key: Option<ApiKeyId>,
    },
    /// The operator.
    Operator,
    /// The server itself: expiry and jobs.
    System,
}

/// Where a request came from: what is said of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AddressClass {
    /// The same machine.
    Loopback,
    /// A private network.
    Private,
    /// The internet.
    Public,
}
