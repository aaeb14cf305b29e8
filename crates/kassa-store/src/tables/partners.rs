//! Partners and who manages them.

use kassa_domain::Id;
use kassa_domain::change::Revision;
use kassa_domain::media::MediaItem;
use kassa_domain::partner::{Partner, PartnerId, PartnerManager, Role};
use kassa_domain::quota::{PartnerUsage, QuotaKind};
use kassa_domain::user::UserId;
use kassa_domain::view::Condition;

use crate::cell::{Cell, json_cell};
use crate::error::StoreError;
use crate::lists::{Conditions, Filter, Predicate, root_keys};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::{RowKey, batch_id_cell, read_batch_id, read_time, read_time_or_null, suspension, table};

table! { Partner, "partners", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Mutable Text "name": name = source.text()?, row.name.as_str();
    Mutable Json "about": profile = source.json()?, json_cell(&row.profile);
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Mutable Int "suspended_at": suspended_at = read_time_or_null(source)?,
        row.suspension.as_ref().map(|suspension| suspension.since.ms());
    Mutable Text "suspension_reason": reason = source.text_or_null()?,
        row.suspension.as_ref().and_then(|suspension| suspension.reason.as_deref());
    Immutable Int "user_id": user = source.int_or_null()?.map(Id::root), row.user.map(Id::key);
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
    Mutable Text "logo": _logo = source.text_or_null()?, media_token(row.profile.media.main.as_ref());
    Mutable Text "logo_small": _logo_small = source.text_or_null()?, media_token(row.profile.media.small.as_ref());
    Mutable Text "logo_original": _logo_original = source.text_or_null()?, media_token(row.profile.media.original.as_ref());
    Mutable Int "used_events": events = source.int()?, row.usage.get(QuotaKind::Events);
    Mutable Int "used_tickets": tickets = source.int()?, row.usage.get(QuotaKind::Tickets);
    Mutable Int "used_promocodes": promocodes = source.int()?, row.usage.get(QuotaKind::Promocodes);
    Mutable Int "used_promotions": promotions = source.int()?, row.usage.get(QuotaKind::Promotions);
    Mutable Int "used_venues": venues = source.int()?, row.usage.get(QuotaKind::Venues);
    Mutable Int "used_hall_maps": hall_maps = source.int()?, row.usage.get(QuotaKind::HallMaps);
    Mutable Int "used_api_keys": api_keys = source.int()?, row.usage.get(QuotaKind::ApiKeys);
    Mutable Int "used_deals": deals = source.int()?, row.usage.get(QuotaKind::Deals);
    Mutable Int "used_attachments": attachments = source.int()?, row.usage.get(QuotaKind::Attachments);
    Mutable Int "used_attachment_bytes": attachment_bytes = source.int()?, row.usage.get(QuotaKind::AttachmentBytes);
    Mutable Int "used_answer_bytes": answer_bytes = source.int()?, row.usage.get(QuotaKind::AnswerBytes);
    Mutable Int "used_webhooks": webhooks = source.int()?, row.usage.get(QuotaKind::Webhooks);
    Mutable Json "quotas": quotas = source.json()?, json_cell(&row.quotas);
} => Partner {
    id,
    name,
    profile,
    removed,
    suspension: suspension(suspended_at, reason),
    user,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
    usage: PartnerUsage::from_iter([
        (QuotaKind::Events, events),
        (QuotaKind::Tickets, tickets),
        (QuotaKind::Promocodes, promocodes),
        (QuotaKind::Promotions, promotions),
        (QuotaKind::Venues, venues),
        (QuotaKind::HallMaps, hall_maps),
        (QuotaKind::ApiKeys, api_keys),
        (QuotaKind::Deals, deals),
        (QuotaKind::Attachments, attachments),
        (QuotaKind::AttachmentBytes, attachment_bytes),
        (QuotaKind::AnswerBytes, answer_bytes),
        (QuotaKind::Webhooks, webhooks),
    ]),
    quotas,
},
    check QuotaKind::ALL.iter().all(|kind| row.usage.get(*kind) >= 0)
}

/// What names the attachment of a picture: attachments in use are found by it.
pub(super) fn media_token(picture: Option<&MediaItem>) -> Option<String> {
    picture.map(|item| item.token.to_string())
}

impl RowKey for (PartnerId, UserId) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.key().into()]);
    }
}

table! { PartnerManager, "managers", |row, source| {
    Key Int "partner": partner = Id::root(source.int()?), row.partner.key();
    Key Int "user_id": user = Id::root(source.int()?), row.user.key();
    Mutable Text "role": role = read_role(&source.text()?)?, row.role.name();
} => PartnerManager { partner, user, role } }

/// What somebody is to a partner.
pub(super) fn read_role(text: &str) -> Result<Role, StoreError> {
    Role::named(text).ok_or_else(|| StoreError::Corrupt(format!("the role {text} of a manager")))
}

/// The organizer of a row may act, as `Partner::inactivity` says. A single value is looked up for each row; for `EXISTS`
/// below an `OR`, PostgreSQL would read all partners first.
pub(super) const IS_ORGANIZER_ACTIVE: &str = "(SELECT org.removed = 0 AND org.suspended_at IS NULL \
    FROM partners AS org WHERE org.id = organizer)";

/// Partners, newest first.
#[derive(Clone, Debug, Default)]
pub struct PartnersFilter {
    /// Only these.
    pub ids: Option<Vec<PartnerId>>,
    /// Only these, and the other sides of their deals.
    pub counterparties_of: Option<Vec<PartnerId>>,
    /// Partners whose removed state the caller may see.
    pub include_removed_of: Vec<PartnerId>,
}

/// As `permission::partner_visibility` says; a partner that deals with nobody is left out.
impl Filter for PartnersFilter {
    type Row = Partner;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::names_one_of("id", ids)));
        conditions.extend(self.counterparties_of.as_deref().map(is_counterparty_of));
        let is_own = Predicate::names_one_of("id", &self.include_removed_of);
        conditions.add(Predicate::AnyOf(vec![vec![Condition::NOT_REMOVED.into()], vec![is_own]]));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, partner: &Partner, tables: &MemoryTables) -> bool {
        self.counterparties_of.as_ref().is_none_or(|own| {
            own.contains(&partner.id) || tables.deals.rows().any(|deal| deal.is_between(partner.id, own))
        })
    }
}

/// One of these, or the other side of one of their deals. It is one list of ids, by which partners are looked up; with
/// OR they would be read one and all.
fn is_counterparty_of(own: &[PartnerId]) -> Predicate {
    if own.is_empty() {
        return Predicate::AnyOf(Vec::new());
    }
    let marks = vec!["?"; own.len()].join(", ");
    let named = format!("SELECT id FROM partners WHERE id IN ({marks})");
    let agents = format!("SELECT agent FROM deals WHERE organizer IN ({marks})");
    let organizers = format!("SELECT organizer FROM deals WHERE agent IN ({marks})");
    let args = root_keys(own).chain(root_keys(own)).chain(root_keys(own));
    Predicate::sql(format!("id IN ({named} UNION ALL {agents} UNION ALL {organizers})"), args)
}
