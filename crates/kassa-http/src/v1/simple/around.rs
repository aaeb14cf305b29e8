//! What is shown around events, loaded for many of them at once.

use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::permission::{self, PartnerSight, see_partner};
use kassa_domain::set::Set;
use kassa_domain::{Timestamp, View};
use kassa_engine::Failure;

use super::model::{DealBody, LegalBody, MapBody, PartnerBody, SetBody, SimpleBody, TemplateBody, VenueBody};
use super::{Asker, needs_of};
use crate::v1::events::model::{Title, status_name};
use crate::wire::{COVER, MediaBody, Ref, Time, show_vevent};

/// The sets, deals, partners, venues and hall maps of some events.
pub(super) struct Around<'a> {
    asker: &'a Asker,
    view: View,
    now: Timestamp,
}

impl<'a> Around<'a> {
    /// For events as they are at `now`.
    pub(super) async fn load(asker: &'a Asker, events: &[Event], now: Timestamp) -> Result<Self, Failure> {
        let mut needs = needs_of(&asker.actor, events);
        // The deals under which the asker sells are those that show it a partner's contact, too.
        needs.partners = events.iter().map(|event| event.org).chain(asker.actor.partners()).collect();
        needs.maps = events.iter().filter_map(|event| event.map).collect();
        needs.venues = events.iter().filter_map(|event| event.venue).collect();
        Ok(Self { asker, view: asker.engine.view(&needs).await?, now })
    }

    /// The events as the asker sells them, without those that it does not sell.
    pub(super) fn show<'b>(&'b self, events: &'b [Event]) -> impl Iterator<Item = SimpleBody<'b>> {
        let actor = &self.asker.actor;
        let (mut sets, deals) = (self.view.sets_by_event(), self.view.deals_by_event(&actor.partners()));
        events.iter().filter_map(move |event| {
            let deal = deals.get(&event.id).copied();
            let sold = permission::sells_under(actor, event, deal);
            sold.then(|| self.body(event, deal, &sets.remove(&event.id).unwrap_or_default()))
        })
    }

    fn body<'b>(&'b self, event: &'b Event, deal: Option<&'b Deal>, sets: &[&'b Set]) -> SimpleBody<'b> {
        let (now, Asker { actor, base, .. }) = (self.now, self.asker);
        // The organizer sells without.
        let deal = deal.filter(|_| !permission::organizes(actor, event));
        let terms = deal.map(|deal| &deal.terms);
        let sets = || sets.iter().filter(|set| !set.removed);
        let venue = event.venue.and_then(|venue| self.view.venues.get(venue));
        let venue = venue.filter(|venue| permission::sees_venue(actor, venue));
        let map = self.view.map_of(event);
        let seller = deal.map_or(event.org, |deal| deal.subj);
        SimpleBody {
            id: Ref(event.id),
            created_at: Time(event.created_at),
            updated_at: Time(event.updated_at),
            age_rating: event.about.age_rating,
            allow_other_ps: false,
            status: status_name(event.shown_status(now)),
            tags: &event.about.tags,
            title: Title::new(event),
            lifetime: event.lifetime.as_ref().map(show_vevent),
            deal: deal.map(|deal| DealBody::new(&deal.terms)),
            map: venue.and(map).map(|map| MapBody::new(map, base)),
            media: MediaBody::new(&event.about.media, COVER, base),
            org: PartnerBody::new(event.org, self.partner(event.org), base),
            partner: PartnerBody::new(seller, self.partner(seller), base),
            sets: sets().map(|set| SetBody::new(set, terms, now)).collect(),
            ticket_template: TemplateBody::default(),
            tickets_amount: sets().map(|set| set.counts.amount).sum(),
            tickets_amount_vacant: sets().map(|set| set.free()).sum(),
            venue: venue.map(VenueBody::new),
            legal_detail: self.partner(event.org).and_then(|(org, sight)| LegalBody::new(org, sight)),
        }
    }

    fn partner(&self, id: PartnerId) -> Option<(&Partner, PartnerSight)> {
        let partner = self.view.partners.get(id)?;
        see_partner(&self.asker.actor, partner, &self.view).map(|sight| (partner, sight))
    }
}
