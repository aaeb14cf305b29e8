//! Who will come with the tickets of an order.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::order::{OrderStatus, Visitor};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{OrderId, TicketId};
use crate::view::{ReadSet, View};

/// Says who will come with the tickets of an order, in place of all that was said before. Only as long
/// as the order awaits nothing but its payment's begin.
#[derive(Debug)]
pub struct SetVisitors {
    /// Which order.
    pub order: OrderId,
    /// Whoever comes; those who are given no ticket get the order's others, in turn.
    pub visitors: Vec<(Option<TicketId>, VisitorDetails)>,
}

/// A visitor, before it has a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitorDetails {
    /// What the vendor's system calls the person.
    pub user_id: String,
    /// First name.
    pub name: String,
    /// Last name.
    pub surname: String,
    /// Middle name.
    pub middle_name: Option<String>,
}

impl VisitorDetails {
    fn with_ticket(&self, ticket: TicketId) -> Visitor {
        let Self { user_id, name, surname, middle_name } = self.clone();
        Visitor { ticket, user_id, name, surname, middle_name }
    }
}

impl Command for SetVisitors {
    type Outcome = ();

    fn shard(&self) -> ShardTag {
        self.order.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        cx.actor.require_credential()?;
        let seen = view.orders.get(self.order).filter(|order| permission::sees_order(cx.actor, order));
        let mut order = seen.ok_or_else(|| Refusal::OrderUnknown(self.order.to_string()))?.clone();
        permission::write_order(cx.actor, &order, false)?;
        if order.status != OrderStatus::Reserved {
            return Err(Refusal::OrderFinal(order.state()));
        }
        let tickets: Vec<TicketId> = order.lines.iter().map(|line| line.ticket).collect();
        order.notes.visitors = self.assign_tickets(&tickets)?;
        cx.state(&mut order, ChangeType::OrderChanged, Facts::none().hidden(FactName::Visitors), view);
        view.orders.put(order);
        Ok(())
    }
}

impl SetVisitors {
    /// Each visitor with a ticket of its own.
    fn assign_tickets(&self, tickets: &[TicketId]) -> Result<Vec<Visitor>, Refusal> {
        if self.visitors.len() > tickets.len() {
            return Err(Refusal::TooMany {
                what: "visitors of this order, one for each ticket",
                max: u32::try_from(tickets.len()).unwrap_or(u32::MAX),
            });
        }
        let named: Vec<TicketId> = self.visitors.iter().filter_map(|(ticket, _)| *ticket).collect();
        for (at, ticket) in named.iter().enumerate() {
            if !tickets.contains(ticket) {
                return Err(Refusal::TicketNotInOrder(*ticket));
            }
            if named[..at].contains(ticket) {
                return Err(Refusal::DuplicateTicket(*ticket));
            }
        }
        let mut others = tickets.iter().copied().filter(|ticket| !named.contains(ticket));
        // There are no more visitors than tickets: each gets one.
        let seated = |(ticket, visitor): &(Option<TicketId>, VisitorDetails)| {
            Some(visitor.with_ticket(ticket.or_else(|| others.next())?))
        };
        Ok(self.visitors.iter().filter_map(seated).collect())
    }
}
