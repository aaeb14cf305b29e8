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

/// Who made a change. Changes are stored with the place of its kind in this list: new kinds go to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Author {
    /// Somebody without a credential.
    Anonymous,
    /// A user who is logged in, and acts for none of the partners that see the change as theirs.
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
    /// A user who is logged in, for a partner that sees the change because the row is its own.
    Manager {
        /// The user.
        user: UserId,
        /// The partner; of two that the user acts for, the first.
        partner: PartnerId,
    },
    /// Whoever buys: in a shop, or by the link of an order.
    Customer,
}

impl Author {
    /// The partner for which it was made, where that is known.
    pub const fn partner(self) -> Option<PartnerId> {
        match self {
            Self::ApiKey { partner, .. } | Self::Manager { partner, .. } => Some(partner),
            Self::Anonymous | Self::User(_) | Self::Operator | Self::System | Self::Customer => None,
        }
    }
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

impl AddressClass {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::Public => "public",
        }
    }
}
