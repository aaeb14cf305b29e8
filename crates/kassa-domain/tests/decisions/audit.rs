//! What must hold after every command, whatever it was.

use std::collections::BTreeSet;

use kassa_domain::order::{Order, OrderState};
use kassa_domain::set::{Counts, Set, check_rules};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::{Money, View, every_table};

/// All rows as text, to compare one moment with another.
pub(crate) fn dump(view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    macro_rules! dump_tables {
        ($($field:ident: $row:ty,)*) => {
            $(lines.extend(view.$field.rows().map(|row| format!("{row:?}")));)*
        };
    }
    every_table!(dump_tables);
    lines.sort_unstable();
    lines
}

/// Panics where the books, the holders or the prices do not agree.
pub(crate) fn audit(view: &View) {
    view.sets.rows().for_each(|set| audit_set(set, view));
    view.tickets.rows().for_each(|ticket| audit_ticket(ticket, view));
    view.orders.rows().for_each(|order| audit_order(order, view));
    let numbers: BTreeSet<_> = view.tickets.rows().map(|ticket| (ticket.event, ticket.number)).collect();
    assert_eq!(numbers.len(), view.tickets.rows().count(), "numbers are unique in the event");
}

fn audit_set(set: &Set, view: &View) {
    let mut counts = Counts { pending: set.counts.pending, amount: set.counts.pending, ..Counts::default() };
    for ticket in view.tickets.rows().filter(|ticket| ticket.set == set.id) {
        counts.amount += 1;
        match ticket.state {
            TicketState::Vacant => counts.vacant += 1,
            TicketState::Held { .. } => counts.held += 1,
            TicketState::Sold { .. } => counts.sold += 1,
            TicketState::Blocked => counts.blocked += 1,
        }
    }
    assert_eq!(set.counts, counts, "the counters are a recount of the tickets");
    assert!(set.counts.balance(), "{:?}", set.counts);
    let kept = set.counts.in_orders() + set.counts.blocked;
    assert!(set.target >= kept, "{kept} tickets are kept of {} wanted ones", set.target);
    let there = set.counts.pending == 0 && set.counts.amount <= set.target;
    assert!(there || set.job.is_some(), "work that is left has a job: {set:?}");
    assert!(set.job.is_none_or(|job| view.jobs.get(job).is_some()), "the job of a set is there");
    assert_eq!(check_rules(&set.rules), Ok(()));
}

fn audit_ticket(ticket: &Ticket, view: &View) {
    let Some(holder) = ticket.holder() else { return };
    let order = view.orders.get(holder).expect("a holder is an order");
    let lines = order.lines.iter().filter(|line| line.ticket == ticket.id).count();
    assert_eq!(lines, 1, "the holder has the ticket in its lines: {ticket:?} {order:?}");
    match ticket.reserved_till() {
        Some(till) => assert!(order.is_live() && till == order.reserved_till, "{ticket:?} {order:?}"),
        None => assert_eq!(order.state(), OrderState::Done, "{ticket:?}"),
    }
}

fn audit_order(order: &Order, view: &View) {
    for line in &order.lines {
        let price = &line.price;
        assert_eq!(price.org + price.agent() + price.core, price.full(), "shares add up: {line:?}");
        assert!(price.agent() >= Money::ZERO, "{line:?}");
        if order.is_live() || order.state() == OrderState::Done {
            let ticket = view.tickets.get(line.ticket).expect("a line's ticket is there");
            assert_eq!(ticket.holder(), Some(order.id), "{line:?}");
            assert_eq!((ticket.number, ticket.set), (line.number, line.set));
        }
    }
}
