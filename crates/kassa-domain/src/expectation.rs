//! What a caller expects of the row that it is about to change (decisions §10, `If-Match`): that nobody has
//! edited it since it was read. Sales are no edits.

use crate::attachment::AttachmentId;
use crate::deal::DealId;
use crate::event::EventId;
use crate::hall::MapId;
use crate::key::KeyId;
use crate::order::OrderId;
use crate::partner::PartnerId;
use crate::promocode::PromocodeId;
use crate::promotion::PromotionId;
use crate::refund::RefundId;
use crate::set::SetId;
use crate::user::UserId;
use crate::venue::VenueId;
use crate::view::{Needs, View};

/// A row whose edits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A user.
    User(UserId),
    /// A partner.
    Partner(PartnerId),
    /// An API key.
    Key(KeyId),
    /// An attachment.
    Attachment(AttachmentId),
    /// An order.
    Order(OrderId),
    /// A refund request.
    Refund(RefundId),
    /// A promocode.
    Promocode(PromocodeId),
    /// A set.
    Set(SetId),
    /// A venue.
    Venue(VenueId),
    /// A hall map.
    Map(MapId),
    /// An event.
    Event(EventId),
    /// A deal.
    Deal(DealId),
    /// A promotion.
    Promotion(PromotionId),
}

impl Subject {
    /// Names the row.
    pub fn needs(self, needs: &mut Needs) {
        match self {
            Self::User(id) => needs.users.push(id),
            Self::Partner(id) => needs.partners.push(id),
            Self::Key(id) => needs.keys.push(id),
            Self::Attachment(id) => needs.attachments.push(id),
            Self::Order(id) => needs.orders.push(id),
            Self::Refund(id) => needs.refunds.push(id),
            Self::Promocode(id) => needs.promocodes.push(id),
            Self::Set(id) => needs.sets.push(id),
            Self::Venue(id) => needs.venues.push(id),
            Self::Map(id) => needs.maps.push(id),
            Self::Event(id) => needs.events.push(id),
            Self::Deal(id) => needs.deals.push(id),
            Self::Promotion(id) => needs.promotions.push(id),
        }
    }

    /// How often the row was edited; `None` where there is none.
    pub fn revision(self, view: &View) -> Option<i64> {
        match self {
            Self::User(id) => view.users.get(id).map(|row| row.revision),
            Self::Partner(id) => view.partners.get(id).map(|row| row.revision),
            Self::Key(id) => view.keys.get(id).map(|row| row.revision),
            Self::Attachment(id) => view.attachments.get(id).map(|row| row.revision),
            Self::Order(id) => view.orders.get(id).map(|row| row.revision),
            Self::Refund(id) => view.refunds.get(id).map(|row| row.revision),
            Self::Promocode(id) => view.promocodes.get(id).map(|row| row.revision),
            Self::Set(id) => view.sets.get(id).map(|row| row.revision),
            Self::Venue(id) => view.venues.get(id).map(|row| row.revision),
            Self::Map(id) => view.maps.get(id).map(|row| row.revision),
            Self::Event(id) => view.events.get(id).map(|row| row.revision),
            Self::Deal(id) => view.deals.get(id).map(|row| row.revision),
            Self::Promotion(id) => view.promotions.get(id).map(|row| row.revision),
        }
    }
}

/// That a row has one of these revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Which row; without one, no revision is the right one.
    pub subject: Option<Subject>,
    /// Its revisions.
    pub revisions: Vec<i64>,
}

impl Expectation {
    /// Names the row.
    pub fn needs(&self, needs: &mut Needs) {
        if let Some(subject) = self.subject {
            subject.needs(needs);
        }
    }

    /// Whether it holds.
    pub fn holds(&self, view: &View) -> bool {
        let found = self.subject.and_then(|subject| subject.revision(view));
        found.is_some_and(|found| self.revisions.contains(&found))
    }
}
