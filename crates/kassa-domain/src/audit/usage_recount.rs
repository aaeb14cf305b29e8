//! What partners store, counted again from the rows themselves.

use rustc_hash::FxHashMap;

use super::Findings;
use crate::model::partner::Partner;
use crate::model::quota::{PartnerUsage, QuotaKind};
use crate::values::resource_ids::{EventId, PartnerId, VenueId};
use crate::view::{Table, View};

/// A count of what partners store.
#[derive(Default)]
pub struct UsageRecount {
    usages: FxHashMap<PartnerId, PartnerUsage>,
}

/// Tells how the counters of a partner differ from what was counted.
pub fn compare_usage(partner: PartnerId, counters: &PartnerUsage, counted: &PartnerUsage, findings: &mut Findings) {
    let mut checker = findings.checker_for("partner", &partner);
    for kind in QuotaKind::ALL {
        checker.expect_equal(kind.name(), &counted.get(kind), &counters.get(kind));
    }
}

impl UsageRecount {
    /// Counts all that there is in a view: all rows of all partners.
    pub fn of_view(view: &View) -> Self {
        let mut recount = Self::default();
        recount.add_events(view);
        recount.add_catalogue(view);
        for attachment in view.attachments.rows() {
            recount.add(attachment.author, QuotaKind::Attachments, 1);
            let bytes = if attachment.removed { 0 } else { attachment.length };
            recount.add(attachment.author, QuotaKind::AttachmentBytes, bytes);
        }
        for record in view.idempotency_records.rows() {
            if let Some(partner) = record.charged_to {
                recount.add(partner, QuotaKind::AnswerBytes, record.bytes());
            }
        }
        recount
    }

    /// What a partner stores.
    pub fn usage_of(&self, partner: PartnerId) -> PartnerUsage {
        self.usages.get(&partner).copied().unwrap_or_default()
    }

    /// Compares all partners with what was counted.
    pub fn compare(&self, partners: &Table<Partner>, findings: &mut Findings) {
        partners
            .rows()
            .for_each(|partner| compare_usage(partner.id, &partner.usage, &self.usage_of(partner.id), findings));
    }

    fn add(&mut self, partner: PartnerId, kind: QuotaKind, amount: i64) {
        self.usages.entry(partner).or_default().add(kind, amount);
    }

    /// Events, and what belongs to them.
    fn add_events(&mut self, view: &View) {
        let organizer = |event: EventId| view.events.get(event).map(|event| event.organizer);
        for event in view.events.rows() {
            self.add(event.organizer, QuotaKind::Events, 1);
        }
        for set in view.sets.rows() {
            if let Some(organizer) = organizer(set.event) {
                self.add(organizer, QuotaKind::Tickets, set.target_amount());
            }
        }
        let promocodes = view.promocodes.rows().map(|promocode| (promocode.event, QuotaKind::Promocodes));
        let promotions = view.promotions.rows().map(|promotion| (promotion.event, QuotaKind::Promotions));
        for (event, kind) in promocodes.chain(promotions) {
            if let Some(organizer) = organizer(event) {
                self.add(organizer, kind, 1);
            }
        }
    }

    /// Venues with their maps, keys, deals and webhooks.
    fn add_catalogue(&mut self, view: &View) {
        let owner = |venue: VenueId| view.venues.get(venue).map(|venue| venue.owner);
        let venues = view.venues.rows().map(|venue| (venue.owner, QuotaKind::Venues));
        let maps = view.hall_maps.rows().filter_map(|map| Some((owner(map.venue)?, QuotaKind::HallMaps)));
        let keys = view.keys.rows().map(|key| (key.partner, QuotaKind::ApiKeys));
        let deals = view.deals.rows().map(|deal| (deal.proposer(), QuotaKind::Deals));
        let webhooks = view.webhooks.rows().map(|webhook| (webhook.partner, QuotaKind::Webhooks));
        for (partner, kind) in venues.chain(maps).chain(keys).chain(deals).chain(webhooks) {
            self.add(partner, kind, 1);
        }
    }
}
