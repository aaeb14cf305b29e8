//! What the changes of an event say.

use crate::context::Context;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::event::{Event, EventStatus};
use crate::view::View;

impl Event {
    /// States that it was made and, where it is more than prepared, the step to its status.
    pub(super) fn state_creation(&mut self, cx: &Context<'_>, view: &mut View) {
        let made = EventStatus::StandBy;
        let facts = Facts::none()
            .with(FactName::Status, made)
            .with(FactName::Venue, self.venue)
            .window_step(None, self.lifetime);
        cx.state(self, ChangeType::EventCreated, facts, view);
        if self.status != made {
            let facts = Facts::none().step(FactName::Status, made, self.status);
            cx.state(self, self.status_type(), facts, view);
        }
    }

    /// What an edit is stated as: by what it did to the sales, if anything.
    pub(super) fn edit_type(&self, was: &Self) -> ChangeType {
        if self.removed && !was.removed {
            ChangeType::EventRemoved
        } else if self.status == was.status {
            ChangeType::EventChanged
        } else {
            self.status_type()
        }
    }

    /// What the step to the status that it has is stated as.
    fn status_type(&self) -> ChangeType {
        match self.status {
            EventStatus::Canceled => ChangeType::EventCanceled,
            EventStatus::Public => ChangeType::EventPublished,
            EventStatus::StandBy => ChangeType::EventChanged,
        }
    }

    /// The facts of an edit.
    pub(super) fn edit_facts(&self, was: &Self) -> Facts {
        let (about, before) = (&self.details, &was.details);
        Facts::none()
            .step(FactName::Status, was.status, self.status)
            .step(FactName::Removed, was.removed, self.removed)
            .window_step(was.lifetime, self.lifetime)
            .step(FactName::Venue, was.venue, self.venue)
            .step(FactName::HallMap, was.hall_map, self.hall_map)
            .step(FactName::TicketsLimit, was.tickets_limit, self.tickets_limit)
            .step(FactName::HoldMinutes, was.hold_minutes, self.hold_minutes)
            .step(FactName::AgeRating, before.age_rating, about.age_rating)
            .hidden_step(FactName::SingleSeats, &before.single_seats, &about.single_seats)
            .hidden_if(
                FactName::BuyerFields,
                (before.buyer_name, before.buyer_phone) != (about.buyer_name, about.buyer_phone),
            )
            .hidden_step(FactName::Questions, &before.questions, &about.questions)
            .step(FactName::NameChangeUntil, before.name_change_until, about.name_change_until)
            .hidden_step(FactName::Title, &before.title, &about.title)
            .hidden_step(FactName::Description, &before.desc, &about.desc)
            .hidden_step(FactName::Translations, &before.translations, &about.translations)
            .hidden_step(FactName::Tags, &before.tags, &about.tags)
            .hidden_step(FactName::RefundPolicy, &before.refund_policy, &about.refund_policy)
            .hidden_step(FactName::Media, &before.media, &about.media)
    }
}
