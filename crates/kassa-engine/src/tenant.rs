//! On whose account a command runs.

use kassa_domain::Actor;
use kassa_domain::order::OrderId;
use kassa_domain::partner::PartnerId;
use kassa_domain::user::UserId;

/// Whoever shares a server with others: what one of them asks for must not be felt by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tenant {
    /// The server itself, and its operator.
    System,
    /// All callers without a credential.
    Anonymous,
    /// A user who acts for no partner.
    User(UserId),
    /// A partner: all its keys, and the users who act for it.
    Partner(PartnerId),
    /// All visitors of a partner's shop.
    Shop(PartnerId),
    /// Whoever has the link of an order.
    Order(OrderId),
}

impl From<&Actor> for Tenant {
    fn from(actor: &Actor) -> Self {
        match (actor, actor.acting_partner()) {
            (Actor::Operator | Actor::System, _) => Self::System,
            (Actor::Visitor(visit), _) => Self::Shop(visit.shop),
            (Actor::Buyer(order), _) => Self::Order(*order),
            (_, Ok(partner)) => Self::Partner(partner),
            (Actor::User(user), Err(_)) => Self::User(user.user),
            (Actor::Anonymous | Actor::Partner(_), Err(_)) => Self::Anonymous,
        }
    }
}
