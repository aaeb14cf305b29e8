//! Rows whose changes are stated: what a change says of each kind of row besides its facts.

use crate::model::api_key::ApiKey;
use crate::model::attachment::Attachment;
use crate::model::change::{Audience, Subject};
use crate::model::deal::Deal;
use crate::model::event::Event;
use crate::model::hall_map::HallMap;
use crate::model::order::Order;
use crate::model::partner::Partner;
use crate::model::payment::OrderPayment;
use crate::model::promocode::Promocode;
use crate::model::promotion::Promotion;
use crate::model::refund::RefundRequest;
use crate::model::resource_ref::ResourceRef;
use crate::model::set::TicketSet;
use crate::model::venue::Venue;
use crate::model::webhook::Webhook;
use crate::values::resource_ids::{EventId, VenueId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;
use crate::view::View;

/// A row whose changes are stated.
pub trait Followed {
    /// What its changes happen to.
    fn subject(&self) -> Subject;

    /// Who sees its changes: the partners that see it by its id because it is theirs. That everybody sees some events
    /// and all venues makes nobody a reader of their changes. The view has the rows that say whose it is.
    fn audience(&self, view: &View) -> Audience;

    /// The event that it hangs on.
    fn event(&self) -> Option<EventId> {
        None
    }

    /// How often it was changed.
    fn revision(&self) -> Revision;

    /// When it was changed, if the row says so.
    fn updated_at(&self) -> Option<Timestamp> {
        None
    }

    /// What counts its changes.
    fn revision_mut(&mut self) -> &mut Revision;

    /// Notes when it was changed, if the row says so.
    fn set_updated_at(&mut self, _now: Timestamp) {}
}

/// The organizer of an event.
fn organizer_of(event: EventId, view: &View) -> Audience {
    view.events.get(event).map_or_else(Audience::default, |event| Audience::of(event.organizer))
}

/// The partner that made a venue.
fn owner_of(venue: VenueId, view: &View) -> Audience {
    view.venues.get(venue).map_or_else(Audience::default, |venue| Audience::of(venue.owner))
}

macro_rules! followed {
    ($(
        $row:ident as $name:ident of |$this:ident, $view:ident| $audience:expr
        $(, on $event:expr)? $(, at $updated_at:ident)?;
    )*) => {
        $(
            impl Followed for $row {
                fn subject(&self) -> Subject {
                    Subject::Resource(ResourceRef::$name(self.id))
                }

                fn audience(&self, $view: &View) -> Audience {
                    let $this = self;
                    $audience
                }

                $(
                    fn event(&self) -> Option<EventId> {
                        let $this = self;
                        Some($event)
                    }
                )?

                fn revision(&self) -> Revision {
                    self.revision
                }

                fn revision_mut(&mut self) -> &mut Revision {
                    &mut self.revision
                }

                $(
                    fn updated_at(&self) -> Option<Timestamp> {
                        Some(self.$updated_at)
                    }

                    fn set_updated_at(&mut self, now: Timestamp) {
                        self.$updated_at = now;
                    }
                )?
            }
        )*
    };
}

followed! {
    Event as Event of |event, _view| Audience::of(event.organizer).and_agents_of(event.id),
        on event.id, at updated_at;
    TicketSet as Set of |set, view| organizer_of(set.event, view).and_agents_of(set.event),
        on set.event, at updated_at;
    Order as Order of |order, _view| Audience::between(order.vendor, order.organizer),
        on order.event, at updated_at;
    RefundRequest as Refund of |request, _view| Audience::between(request.vendor, request.organizer),
        on request.event, at updated_at;
    OrderPayment as Payment of |payment, _view| Audience::between(payment.vendor, payment.organizer),
        on payment.event, at updated_at;
    Deal as Deal of |deal, _view| Audience::between(deal.agent, deal.organizer),
        on deal.event, at updated_at;
    Promocode as Promocode of |promocode, view| organizer_of(promocode.event, view),
        on promocode.event, at updated_at;
    Promotion as Promotion of |promotion, view| organizer_of(promotion.event, view),
        on promotion.event, at updated_at;
    Partner as Partner of |partner, _view| Audience::of(partner.id), at updated_at;
    ApiKey as ApiKey of |key, _view| Audience::of(key.partner);
    Venue as Venue of |venue, _view| Audience::of(venue.owner), at updated_at;
    HallMap as HallMap of |map, view| owner_of(map.venue, view), at updated_at;
    Webhook as Webhook of |webhook, _view| Audience::of(webhook.partner), at updated_at;
    Attachment as Attachment of |attachment, _view| Audience::of(attachment.author), at updated_at;
}
