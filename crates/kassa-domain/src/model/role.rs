//! What somebody is to a partner that it manages, and what that lets it do.

use std::fmt;

use crate::values::resource_ids::PartnerId;

/// What a user is to a partner that it manages. Every role sees all that the partner sees; [`Role::may`] says what it
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It does everything. A partner always has one.
    Owner,
    /// It runs the business, but for who has access to it and where its money goes.
    Manager,
    /// It sells.
    Seller,
    /// It looks after the money.
    Accountant,
    /// It looks on.
    Reader,
}

/// What a role lets somebody do for a partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capability {
    /// Its team, keys and webhooks, the accounts that money goes to, and its end.
    Administer,
    /// What it puts on sale, and how: events, prices, venues, deals, pictures and its shop.
    Organize,
    /// Orders, and what becomes of them until they are paid.
    Sell,
    /// To ask for tickets of an order back.
    RequestRefunds,
    /// What has come and gone, what is paid back, and lists of sales.
    HandleMoney,
}

impl Role {
    /// All, the one that does most first.
    pub const ALL: [Self; 5] = [Self::Owner, Self::Manager, Self::Seller, Self::Accountant, Self::Reader];

    /// Whether it lets somebody do something.
    pub const fn may(self, needs: Capability) -> bool {
        match self {
            Self::Owner => true,
            Self::Manager => !matches!(needs, Capability::Administer),
            Self::Seller => matches!(needs, Capability::Sell | Capability::RequestRefunds),
            Self::Accountant => matches!(needs, Capability::HandleMoney | Capability::RequestRefunds),
            Self::Reader => false,
        }
    }

    /// Its name in the interface and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Manager => "manager",
            Self::Seller => "seller",
            Self::Accountant => "accountant",
            Self::Reader => "reader",
        }
    }

    /// The role of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What it is, behind "cannot".
impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Administer => "change or read what gives access to it: its team, keys, webhooks and accounts",
            Self::Organize => "change what it puts on sale: events, prices, venues, deals and its shop",
            Self::Sell => "sell or change orders",
            Self::RequestRefunds => "ask for refunds",
            Self::HandleMoney => "handle its money or send lists of its sales",
        })
    }
}

/// A partner that a user manages, and what it is to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The partner.
    pub partner: PartnerId,
    /// The role.
    pub role: Role,
}

impl Membership {
    /// Of somebody who does everything for a partner.
    pub const fn owner(partner: PartnerId) -> Self {
        Self { partner, role: Role::Owner }
    }
}
