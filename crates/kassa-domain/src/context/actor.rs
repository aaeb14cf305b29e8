//! Who gives a command. An actor comes from a credential and from nothing else.

use crate::model::role::{Membership, Role};
use crate::model::suspension::Inactivity;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::email::Email;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, UserId, WidgetTokenId};

/// The caller, as its credential says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// No credential.
    Anonymous,
    /// A cookie session.
    User(UserActor),
    /// An API key of this partner.
    Partner(PartnerId),
    /// Anybody in the shop of a partner, which sells to people: a token of the shop.
    Visitor(ShopVisit),
    /// Whoever has the link of this order.
    Buyer(OrderId),
    /// The command line beside the data.
    Operator,
    /// The server itself: expiry and jobs.
    System,
}

/// The visit of a partner's shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShopVisit {
    /// Whose shop.
    pub shop: PartnerId,
    /// The one event that is sold there; `None` for all.
    pub event: Option<EventId>,
    /// The token that it was made with, for as long as that is good; `None` for the shop's own pages.
    pub token: Option<WidgetTokenId>,
}

impl ShopVisit {
    /// The visit of a shop by its own pages.
    pub fn of(shop: PartnerId) -> Self {
        Self { shop, event: None, token: None }
    }
}

/// A user who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserActor {
    /// The user.
    pub user: UserId,
    /// The addresses that it has proved to be its own: only by these do orders follow it.
    pub confirmed_emails: Vec<Email>,
    /// The partners it manages that may act.
    pub managed_partners: Vec<Membership>,
    /// The partners it manages that may not act.
    pub inactive_partners: Vec<(Membership, Inactivity)>,
    /// The partners it manages that require a second factor, where it has none: it may not act for these.
    pub locked_partners: Vec<PartnerId>,
    /// Whether it has a second factor, which every session of it has shown.
    pub has_second_factor: bool,
    /// Whether it is an operator of the platform.
    pub is_operator: bool,
    /// The one it acts for, when the request names it.
    pub acting_for: Option<PartnerId>,
}

impl UserActor {
    /// What it is to a partner that it manages and that may act.
    pub fn role_in(&self, partner: PartnerId) -> Option<Role> {
        self.managed_partners.iter().find(|membership| membership.partner == partner).map(|membership| membership.role)
    }
}

impl Actor {
    /// The partner that acts, where one is needed: a key's own, the one that a user chose, or the
    /// only one it has.
    pub fn acting_partner(&self) -> Result<PartnerId, Refusal> {
        match self {
            Self::Anonymous => Err(Refusal::CredentialRequired),
            Self::Partner(partner) => Ok(*partner),
            Self::Visitor(_) | Self::Buyer(_) => Err(ForbiddenReason::ShoppersOnlyBuy.into()),
            Self::User(user) => match (user.acting_for, user.managed_partners.as_slice()) {
                (Some(chosen), _) => Ok(chosen),
                (None, [only]) => Ok(only.partner),
                (None, []) if !user.locked_partners.is_empty() => Err(Refusal::PartnerRequiresSecondFactor),
                (None, []) => match user.inactive_partners.as_slice() {
                    [(_, inactivity)] => Err(Refusal::PartnerInactive(*inactivity)),
                    _ => Err(Refusal::PartnerRequired),
                },
                (None, _) => Err(Refusal::PartnerRequired),
            },
            Self::Operator | Self::System => Err(Refusal::PartnerRequired),
        }
    }

    /// Whether the actor acts for `partner`: a user does for each that it manages, unless the
    /// request names one.
    pub fn acts_for(&self, partner: PartnerId) -> bool {
        match self {
            Self::Anonymous | Self::Visitor(_) | Self::Buyer(_) => false,
            Self::Partner(own) => *own == partner,
            Self::User(user) => match user.acting_for {
                Some(chosen) => chosen == partner,
                None => user.role_in(partner).is_some(),
            },
            Self::Operator | Self::System => true,
        }
    }

    /// What it is to a partner that it acts for; `None` if it does not. All but users do everything.
    pub fn role_for(&self, partner: PartnerId) -> Option<Role> {
        match self {
            Self::User(user) => user.role_in(partner).filter(|_| self.acts_for(partner)),
            Self::Anonymous | Self::Partner(_) | Self::Visitor(_) | Self::Buyer(_) | Self::Operator | Self::System => {
                self.acts_for(partner).then_some(Role::Owner)
            }
        }
    }

    /// Refuses a user who would act for `partner`, if it had the second factor that this requires.
    pub fn require_second_factor_for(&self, partner: PartnerId) -> Result<(), Refusal> {
        let is_locked = self.user().is_some_and(|user| user.locked_partners.contains(&partner));
        if is_locked { Err(Refusal::PartnerRequiresSecondFactor) } else { Ok(()) }
    }

    /// The partners it acts for, when that is what limits what it sees.
    pub fn acting_partners(&self) -> Vec<PartnerId> {
        match self {
            Self::Anonymous | Self::Visitor(_) | Self::Buyer(_) | Self::Operator | Self::System => Vec::new(),
            Self::Partner(own) => vec![*own],
            Self::User(user) => match user.acting_for {
                Some(chosen) => vec![chosen],
                None => user.managed_partners.iter().map(|membership| membership.partner).collect(),
            },
        }
    }

    /// Why a partner that the user manages may not act: its users still see it.
    pub fn inactivity_of(&self, partner: PartnerId) -> Option<Inactivity> {
        self.inactive_membership(partner).map(|(_, inactivity)| inactivity)
    }

    /// What a user is to a partner that it manages and that may not act, and why that may not.
    pub fn inactive_membership(&self, partner: PartnerId) -> Option<(Role, Inactivity)> {
        let user = self.user().filter(|user| user.acting_for.is_none())?;
        let found = user.inactive_partners.iter().find(|(membership, _)| membership.partner == partner);
        found.map(|(membership, inactivity)| (membership.role, *inactivity))
    }

    /// The partners whose own rows it sees in full: those it acts for, and those it manages that may not act.
    pub fn own_partners(&self) -> Vec<PartnerId> {
        let mut own = self.acting_partners();
        if let Some(user) = self.user().filter(|user| user.acting_for.is_none()) {
            own.extend(user.inactive_partners.iter().map(|(membership, _)| membership.partner));
        }
        own
    }

    /// The user of a session.
    pub fn user(&self) -> Option<&UserActor> {
        match self {
            Self::User(user) => Some(user),
            Self::Anonymous | Self::Partner(_) | Self::Visitor(_) | Self::Buyer(_) | Self::Operator | Self::System => {
                None
            }
        }
    }

    /// The visit of somebody in a shop.
    pub fn shop_visit(&self) -> Option<ShopVisit> {
        match self {
            Self::Visitor(visit) => Some(*visit),
            Self::Anonymous | Self::User(_) | Self::Partner(_) | Self::Buyer(_) | Self::Operator | Self::System => None,
        }
    }

    /// The partner that sells what the actor orders: the shop that it visits, else the partner that it acts for.
    pub fn vendor(&self) -> Result<PartnerId, Refusal> {
        match self {
            Self::Visitor(visit) => Ok(visit.shop),
            Self::Anonymous | Self::User(_) | Self::Partner(_) | Self::Buyer(_) | Self::Operator | Self::System => {
                self.acting_partner()
            }
        }
    }

    /// The partners whose prices it is shown: those that it acts for, or the shop that it visits.
    pub fn selling_partners(&self) -> Vec<PartnerId> {
        match self {
            Self::Visitor(visit) => vec![visit.shop],
            Self::Anonymous | Self::User(_) | Self::Partner(_) | Self::Buyer(_) | Self::Operator | Self::System => {
                self.acting_partners()
            }
        }
    }

    /// Whether it is somebody who buys for itself, and not in the name of a partner.
    pub fn is_shopper(&self) -> bool {
        matches!(self, Self::Visitor(_) | Self::Buyer(_))
    }

    /// Refuses callers without a credential.
    pub fn require_credential(&self) -> Result<(), Refusal> {
        if matches!(self, Self::Anonymous) { Err(Refusal::CredentialRequired) } else { Ok(()) }
    }
}
