//! Partners: organizations that put events on sale and sell tickets.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::quota::{PartnerUsage, QuotaExceptions};
use super::role::Role;
use super::row::Row;
use super::shop::{Shop, ShopPatch};
use super::suspension::{Inactivity, Suspension};
use super::widget_token::WidgetToken;
use crate::values::hex128::Hex128;
use crate::values::media::Media;
use crate::values::money::Percent;
use crate::values::patch::{ApplyTo, Patch, patchable};
use crate::values::price::Share;
use crate::values::refund_policy::{RefundPolicy, RefundPolicyPatch};
use crate::values::resource_ids::{PartnerId, UserId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;

/// Users that can manage one partner, and partners that one user can manage.
pub const MANAGERS_MAX: u32 = 100;

/// What a partner does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartnerRole {
    /// Organizes events.
    Organizer,
    /// Sells tickets of others.
    Agent,
}

patchable! {
    /// How to reach a partner.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Contact {
        /// Postal address.
        address: Option<String> = Patch<String>,
        /// E-mail, as text for people.
        email: Option<String> = Patch<String>,
        /// Whom to ask for.
        name: Option<String> = Patch<String>,
        /// Telephone numbers.
        phones: Vec<String> = Patch<Vec<String>>,
        /// Web site; the one part that everybody sees.
        www: Option<String> = Patch<String>,
    }

    /// A partial update of how to reach a partner.
    pub struct ContactPatch;
}

/// A partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partner {
    /// The id.
    pub id: PartnerId,
    /// Its name.
    pub name: String,
    /// The rest of what its people write.
    pub profile: PartnerProfile,
    /// Whether it was deleted.
    pub removed: bool,
    /// Set while the operator has suspended it.
    pub suspension: Option<Suspension>,
    /// The user that made it; `None` when the operator did.
    pub user: Option<UserId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: Revision,
    /// What it stores, counted.
    pub usage: PartnerUsage,
    /// How much of it the operator has allowed it in place of what all are allowed.
    pub quotas: QuotaExceptions,
}

patchable! {
    /// What a partner says of itself.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PartnerProfile {
        /// Description.
        desc: Option<String> = Patch<String>,
        /// Who directs it.
        director: Option<String> = Patch<String>,
        /// Its channels of distribution, in words.
        channels: Option<String> = Patch<String>,
        /// How to reach it.
        contact: Contact = Patch<ContactPatch>,
        /// What it does.
        roles: Vec<PartnerRole> = Patch<Vec<PartnerRole>>,
        /// Labels.
        tags: Vec<String> = Patch<Vec<String>>,
        /// What an organizer asks of agents: a proposal that is no worse is accepted at once.
        #[serde(skip_serializing_if = "Option::is_none")]
        standard_terms: Option<StandardTerms> = Patch<StandardTermsPatch>,
        /// What it keeps of tickets that customers give back, unless an event says otherwise.
        #[serde(skip_serializing_if = "Option::is_none")]
        refund_policy: Option<RefundPolicy> = Patch<RefundPolicyPatch>,
        /// Whether only those of its users may act for it that have a second factor.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        require_second_factor: bool = Patch<bool>,
        /// How it sells to people.
        #[serde(skip_serializing_if = "Shop::is_default")]
        shop: Shop = Patch<ShopPatch>,
    }
    unpatched {
        /// Its legal form and bank: an object of objects of texts, shaped by country.
        legal: Option<Map<String, Value>>,
        /// Its logo.
        media: Media,
        /// The tokens of its shop that are good, in the order in which they were made.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        widget_tokens: Vec<WidgetToken>,
    }

    /// A partial update of what a partner says of itself.
    pub struct PartnerProfilePatch;
}

/// An organizer's usual terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardTerms {
    /// The organizer's part.
    pub organizer_share: Share,
    /// What the agent usually adds.
    pub markup: Share,
    /// Whether the customer pays the commission on top.
    pub platform_fee_on_top: bool,
    /// The most that an agent may add in a deal that is accepted at once.
    #[serde(default = "StandardTerms::default_markup_max")]
    pub markup_max: Share,
}

/// An organizer's usual terms anew; a bound that is not named stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandardTermsPatch {
    /// The organizer's part.
    pub organizer_share: Share,
    /// What the agent usually adds.
    pub markup: Share,
    /// Whether the customer pays the commission on top.
    pub platform_fee_on_top: bool,
    /// The most that an agent may add in a deal that is accepted at once.
    pub markup_max: Option<Share>,
}

impl ApplyTo<Option<StandardTerms>> for Patch<StandardTermsPatch> {
    fn apply_to(self, value: &mut Option<StandardTerms>) {
        let before = value.map(|terms| terms.markup_max);
        let terms = self.map(|StandardTermsPatch { organizer_share, markup, platform_fee_on_top, markup_max }| {
            let markup_max = markup_max.or(before).unwrap_or_else(StandardTerms::default_markup_max);
            StandardTerms { organizer_share, markup, platform_fee_on_top, markup_max }
        });
        terms.apply(value);
    }
}

impl StandardTerms {
    /// The bound of what an agent adds, where the organizer names none: as much as the price.
    pub fn default_markup_max() -> Share {
        Share::Percent(Percent::HUNDRED)
    }
}

impl Partner {
    /// Whether its pages show the attachment of this token.
    pub fn shows(&self, token: Hex128) -> bool {
        self.profile.media.shows(token) || self.profile.shop.shows(token)
    }

    /// Why it may not act, if it may not.
    pub fn inactivity(&self) -> Option<Inactivity> {
        let removed = self.removed.then_some(Inactivity::Removed);
        self.suspension.as_ref().map(|_| Inactivity::Suspended).or(removed)
    }
}

impl Row for Partner {
    type Key = PartnerId;

    fn key(&self) -> PartnerId {
        self.id
    }
}

/// The tie between a partner and a user that manages it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartnerManager {
    /// The partner.
    pub partner: PartnerId,
    /// The user.
    pub user: UserId,
    /// What it is to the partner.
    pub role: Role,
}

impl Row for PartnerManager {
    type Key = (PartnerId, UserId);

    fn key(&self) -> Self::Key {
        (self.partner, self.user)
    }
}
