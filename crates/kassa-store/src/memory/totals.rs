//! What is summed up over several rows.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::audit::EventRecount;
use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderStatusKind};
use kassa_domain::ticket::Ticket;
use kassa_domain::user::UserId;

use crate::memory_tables::MemoryTables;
use crate::queries::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope};

/// The states of orders that were paid.
const PAID_ORDER_STATES: [OrderStatusKind; 2] = [OrderStatusKind::Paid, OrderStatusKind::Refunded];

/// What a user has bought.
pub(super) fn customer_totals(tables: &MemoryTables, query: &CustomerTotalsQuery) -> CustomerTotals {
    let mine = |order: &&Order| order.customer.user == Some(query.user) && includes(&query.scope, order);
    tables.orders.rows().filter(mine).fold(CustomerTotals::default(), plus_order)
}

/// What several users have bought.
pub(super) fn customer_totals_by_user(
    tables: &MemoryTables,
    query: &CustomerTotalsByUserQuery,
) -> BTreeMap<UserId, CustomerTotals> {
    let wanted: BTreeSet<UserId> = query.users.iter().copied().collect();
    let mut found = BTreeMap::<UserId, CustomerTotals>::new();
    for order in tables.orders.rows().filter(|order| includes(&query.scope, order)) {
        if let Some(user) = order.customer.user.filter(|user| wanted.contains(user)) {
            let sums = found.entry(user).or_default();
            *sums = plus_order(*sums, order);
        }
    }
    found
}

fn plus_order(sums: CustomerTotals, order: &Order) -> CustomerTotals {
    let known = sums.all_orders + 1;
    if !PAID_ORDER_STATES.contains(&order.state()) {
        return CustomerTotals { all_orders: known, ..sums };
    }
    CustomerTotals {
        paid_orders: sums.paid_orders + 1,
        tickets: sums.tickets + i64::try_from(order.lines.len()).unwrap_or(i64::MAX),
        paid_sum: sums.paid_sum + order.totals().full + order.refunded.retained(),
        all_orders: known,
    }
}

fn includes(scope: &CustomerTotalsScope, order: &Order) -> bool {
    match scope {
        CustomerTotalsScope::CustomersOwn(proved) => {
            order.customer.email.as_ref().is_some_and(|email| proved.contains(email))
        }
        CustomerTotalsScope::OfPartners(partners) => {
            partners.contains(&order.organizer) || partners.contains(&order.vendor)
        }
    }
}

/// Counts all rows of an event again.
pub(super) fn recount_event(tables: &MemoryTables, event: EventId) -> EventRecount {
    let mut recount = EventRecount::default();
    tables.events.get(event).into_iter().for_each(|event| recount.add_event(event));
    tables.jobs.rows().for_each(|job| recount.add_job(job));
    let sets = || tables.sets.rows().filter(|set| set.event == event);
    sets().for_each(|set| recount.add_set(set.clone()));
    let inventories = tables.seat_row_inventories.rows().filter(|inventory| sets().any(|set| set.id == inventory.set));
    inventories.for_each(|inventory| recount.add_inventory(inventory.clone()));
    let promocodes = tables.promocodes.rows().filter(|promocode| promocode.event == event);
    promocodes.for_each(|promocode| recount.add_promocode(promocode.clone()));
    let mut tickets: Vec<&Ticket> = tables.tickets.rows().filter(|ticket| ticket.event == event).collect();
    tickets.sort_unstable_by_key(|ticket| ticket.number);
    for ticket in tickets {
        recount.add_ticket(ticket);
    }
    tables.orders.rows().filter(|order| order.event == event).for_each(|order| recount.add_order(order));
    recount
}
