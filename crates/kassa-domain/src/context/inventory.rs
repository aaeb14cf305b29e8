//! Changes of what can be bought: stated for every command that moves tickets, whatever it is.

use super::Context;
use super::followed::Followed;
use crate::model::change::{Audience, ChangeType, FactName, Facts, Subject};
use crate::model::set::TicketSet;
use crate::values::resource_ids::EventId;
use crate::values::revision::Revision;
use crate::view::View;

/// The inventory of a set: a sale is no edit of the set, and whether it has tickets left is counted apart.
struct SetInventory<'a>(&'a mut TicketSet);

impl Followed for SetInventory<'_> {
    fn subject(&self) -> Subject {
        Subject::Inventory(self.0.id)
    }

    fn audience(&self, view: &View) -> Audience {
        self.0.audience(view)
    }

    fn event(&self) -> Option<EventId> {
        Some(self.0.event)
    }

    #[expect(clippy::misnamed_getters, reason = "the revision of the inventory is not that of its set")]
    fn revision(&self) -> Revision {
        self.0.inventory
    }

    #[expect(clippy::misnamed_getters, reason = "the revision of the inventory is not that of its set")]
    fn revision_mut(&mut self) -> &mut Revision {
        &mut self.0.inventory
    }
}

/// States of each set that the command has changed whether the last of its tickets went, or the first one came. What a
/// set has that was removed nobody can buy, and its removal says so.
pub(super) fn state_inventory(cx: &Context<'_>, view: &mut View) {
    let crossed: Vec<TicketSet> = view
        .sets
        .pending()
        .filter(|(before, after)| !after.removed && has_tickets(after) != before.is_some_and(has_tickets))
        .map(|(_, after)| after.clone())
        .collect();
    for mut set in crossed {
        let kind = if has_tickets(&set) { ChangeType::InventoryAvailable } else { ChangeType::InventorySoldOut };
        let facts = Facts::none().with(FactName::Available, set.available());
        cx.state(&mut SetInventory(&mut set), kind, facts, view);
        view.sets.put(set);
    }
}

fn has_tickets(set: &TicketSet) -> bool {
    set.available() > 0
}
