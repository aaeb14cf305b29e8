//! What a request to an order asks for and what is so already: no step, no mail and no new revision comes of it, in
//! whatever state the order is (decisions §3).

use super::{OrderEdit, TicketSelection};
use crate::model::order::Order;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{PromocodeId, SetId, TicketId};
use crate::view::View;

impl OrderEdit {
    /// The edit without the parts that leave the order as it is.
    pub(super) fn without_unchanged(&self, order: &Order, view: &View) -> Self {
        let mut edit = self.clone();
        edit.customer = edit.customer.filter(|patch| !order.customer.is_unchanged_by(patch));
        edit.payment = edit.payment.filter(|patch| {
            let mut after = order.payment.clone();
            after.apply(patch.clone());
            after != order.payment
        });
        edit.notes = edit.notes.filter(|patch| {
            let mut after = order.notes.clone();
            after.apply(patch.clone()).is_err() || after != order.notes
        });
        edit.checkout = edit.checkout.filter(|patch| !order.is_unchanged_by_checkout(patch));
        edit.hold_till = edit.hold_till.filter(|till| till.whole_second() != order.reserved_till.whole_second());
        edit.selection = edit.selection.filter(|selection| !order.holds_exactly(selection));
        // With other tickets, the same codes are named anew: what they ask of an order is looked at again.
        let keeps_tickets = edit.selection.is_none();
        edit.promocodes = edit.promocodes.filter(|codes| !(keeps_tickets && order.names_exactly(codes, view)));
        edit.transition = edit.transition.filter(|step| step.target_state() != order.state());
        edit
    }
}

impl Order {
    /// Whether it holds, or held at its end, all that is selected and nothing else.
    fn holds_exactly(&self, selection: &TicketSelection) -> bool {
        match selection {
            TicketSelection::Tickets(wanted) => {
                let mut wanted = wanted.clone();
                let mut held: Vec<TicketId> = self.lines.iter().map(|line| line.ticket).collect();
                wanted.sort_unstable();
                held.sort_unstable();
                wanted == held
            }
            TicketSelection::AnyOfSets(wanted) => {
                let held = |set: SetId| self.lines.iter().filter(|line| line.set == set).count();
                selection.len() == self.lines.len() && wanted.iter().all(|(set, count)| held(*set) == *count as usize)
            }
        }
    }

    /// Whether these are its promocodes, in their order: of equal ones the first acts.
    fn names_exactly(&self, codes: &[PromocodeText], view: &View) -> bool {
        codes.iter().map(|code| self.promocode_named(code, view)).eq(self.promocodes.iter().copied().map(Some))
    }

    /// The promocode that a code means; one that the order has may be named by its id, as orders show it.
    pub(super) fn promocode_named(&self, code: &PromocodeText, view: &View) -> Option<PromocodeId> {
        let by_id = || code.as_str().parse().ok().filter(|id| self.promocodes.contains(id));
        view.promocode(self.event, code).map(|promocode| promocode.id).or_else(by_id)
    }
}
