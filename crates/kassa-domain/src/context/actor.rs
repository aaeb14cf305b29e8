//! Who gives a command. An actor comes from a credential and from nothing else.

use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::resource_ids::{PartnerId, UserId};

/// The caller, as its credential says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// No credential.
    Anonymous,
    /// A cookie session.
    User(UserActor),
    /// An API key of this partner.
    Partner(PartnerId),
    /// The command line beside the data.
    Operator,
    /// The server itself: expiry and jobs.
    System,
}

/// A user who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserActor {
    /// The user.
    pub user: UserId,
    /// The addresses that it has proved to be its own: only by these do orders follow it.
    pub confirmed_emails: Vec<Email>,
    /// The partners it manages.
    pub managed_partners: Vec<PartnerId>,
    /// The one it acts for, when the request names it.
    pub acting_for: Option<PartnerId>,
}

impl Actor {
    /// The partner that acts, where one is needed: a key's own, the one that a user chose, or the
    /// only one it has.
    pub fn acting_partner(&self) -> Result<PartnerId, Refusal> {
        match self {
            Self::Anonymous => Err(Refusal::CredentialRequired),
            Self::Partner(partner) => Ok(*partner),
            Self::User(user) => match (user.acting_for, user.managed_partners.as_slice()) {
                (Some(chosen), _) => Ok(chosen),
                (None, [only]) => Ok(*only),
                (None, _) => Err(Refusal::PartnerRequired),
            },
            Self::Operator | Self::System => Err(Refusal::PartnerRequired),
        }
    }

    /// Whether the actor acts for `partner`: a user does for each that it manages, unless the
    /// request names one.
    pub fn acts_for(&self, partner: PartnerId) -> bool {
        match self {
            Self::Anonymous => false,
            Self::Partner(own) => *own == partner,
            Self::User(user) => match user.acting_for {
                Some(chosen) => chosen == partner,
                None => user.managed_partners.contains(&partner),
            },
            Self::Operator | Self::System => true,
        }
    }

    /// The partners it acts for, when that is what limits what it sees.
    pub fn acting_partners(&self) -> Vec<PartnerId> {
        match self {
            Self::Anonymous | Self::Operator | Self::System => Vec::new(),
            Self::Partner(own) => vec![*own],
            Self::User(user) => match user.acting_for {
                Some(chosen) => vec![chosen],
                None => user.managed_partners.clone(),
            },
        }
    }

    /// The user of a session.
    pub fn user(&self) -> Option<&UserActor> {
        match self {
            Self::User(user) => Some(user),
            Self::Anonymous | Self::Partner(_) | Self::Operator | Self::System => None,
        }
    }

    /// Refuses callers without a credential.
    pub fn require_credential(&self) -> Result<(), Refusal> {
        if matches!(self, Self::Anonymous) { Err(Refusal::CredentialRequired) } else { Ok(()) }
    }
}
