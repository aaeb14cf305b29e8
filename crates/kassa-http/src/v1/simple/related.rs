//! What is shown around events, loaded for many of them at once.

use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::permission::{self, PartnerVisibility, partner_visibility};
use kassa_domain::set::TicketSet;
use kassa_domain::{Timestamp, View};
use kassa_engine::Failure;

use super::CallerContext;
use super::model::{RelatedToEvent, SimpleEventBody};
use crate::related::sets_and_deals;

/// The sets, deals, partners, venues and hall maps of some events.
pub(super) struct RelatedEventRows<'a> {
    caller: &'a CallerContext,
    view: View,
    now: Timestamp,
}

impl<'a> RelatedEventRows<'a> {
    /// For events as they are at `now`.
    pub(super) async fn load(caller: &'a CallerContext, events: &[Event], now: Timestamp) -> Result<Self, Failure> {
        let mut read_set = sets_and_deals(&caller.actor, events);
        // The deals under which the caller sells are those that show it a partner's contact, too.
        read_set.partners = events.iter().map(|event| event.organizer).chain(caller.actor.acting_partners()).collect();
        read_set.hall_maps = events.iter().filter_map(|event| event.hall_map).collect();
        read_set.venues = events.iter().filter_map(|event| event.venue).collect();
        Ok(Self { caller, view: caller.engine.view(&read_set).await?, now })
    }

    /// The events as the caller sells them, without those that it does not sell.
    pub(super) fn sellable_bodies<'b>(&'b self, events: &'b [Event]) -> impl Iterator<Item = SimpleEventBody<'b>> {
        let actor = &self.caller.actor;
        let (mut sets, deals) = (self.view.sets_by_event(), self.view.deals_by_event(&actor.acting_partners()));
        events.iter().filter_map(move |event| {
            let deal = deals.get(&event.id).copied();
            let sold = permission::sells_under(actor, event, deal, &self.view);
            sold.then(|| self.event_body(event, deal, &sets.remove(&event.id).unwrap_or_default()))
        })
    }

    fn event_body<'b>(
        &'b self,
        event: &'b Event,
        deal: Option<&'b Deal>,
        sets: &[&'b TicketSet],
    ) -> SimpleEventBody<'b> {
        let (now, CallerContext { actor, base, .. }) = (self.now, self.caller);
        // The organizer sells without.
        let deal = deal.filter(|_| !permission::organizes(actor, event));
        let venue = event.venue.and_then(|venue| self.view.venues.get(venue));
        let venue = venue.filter(|venue| permission::sees_venue(actor, venue));
        let map = self.view.hall_map_of(event);
        let seller = deal.map_or(event.organizer, |deal| deal.agent);
        let related = RelatedToEvent {
            terms: deal.map(|deal| &deal.terms),
            map: venue.and(map),
            organizer: self.visible_partner(event.organizer),
            seller: (seller, self.visible_partner(seller)),
            sets: sets.iter().copied().filter(|set| !set.removed).collect(),
            venue,
        };
        SimpleEventBody::new(event, &related, now, base)
    }

    fn visible_partner(&self, id: PartnerId) -> Option<(&Partner, PartnerVisibility)> {
        let partner = self.view.partners.get(id)?;
        partner_visibility(&self.caller.actor, partner, &self.view).map(|sight| (partner, sight))
    }
}
