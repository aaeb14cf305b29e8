//! A recount of all rows: whatever was done, these hold.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::Money;
use kassa_domain::bench::{Bench, BenchId, Numbers};
use kassa_domain::order::{Order, OrderId, OrderState};
use kassa_domain::refund::{RefundRequest, RefundState};
use kassa_domain::set::{Counts, SetId};
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use kassa_engine::Failure;

use crate::play::{Known, Server};

/// Whatever does not agree, in words.
pub async fn recount(server: &Server) -> Result<Vec<String>, Failure> {
    let known = Known::all_of(server).await?;
    let benches: Vec<Bench> = server.rows().await?;
    let mut found = Vec::new();
    sets_agree_with_tickets(&known, &mut found);
    tickets_agree_with_orders(&known, &mut found);
    benches_agree_with_tickets(&known, &benches, &mut found);
    promocodes_agree_with_orders(&known, &mut found);
    refunds_agree_with_orders(&known, &mut found);
    Ok(found)
}

/// The counters of each set say where its tickets are, and those of a set with seats have its chairs.
fn sets_agree_with_tickets(known: &Known, found: &mut Vec<String>) {
    let mut recount: BTreeMap<SetId, Counts> = BTreeMap::new();
    let mut chairs: BTreeMap<SetId, BTreeSet<_>> = BTreeMap::new();
    for ticket in &known.tickets {
        let counts = recount.entry(ticket.set).or_default();
        match ticket.state {
            TicketState::Vacant => counts.vacant += 1,
            TicketState::Held { .. } => counts.held += 1,
            TicketState::Sold { .. } => counts.sold += 1,
            TicketState::Blocked => counts.blocked += 1,
        }
        counts.amount += 1;
        if let Some(seat) = ticket.seat.as_deref() {
            chairs.entry(ticket.set).or_default().insert((&seat.row, seat.number));
        }
    }
    for set in &known.sets {
        let counts = recount.remove(&set.id).unwrap_or_default();
        let pending = set.counts.pending;
        if set.counts != (Counts { pending, amount: counts.amount + pending, ..counts }) {
            found.push(format!("the counters are no recount of the tickets ({counts:?}): {set:?}"));
        }
        let own = chairs.remove(&set.id).unwrap_or_default();
        if let Some(seats) = &set.seats
            && !seats.made().seats().eq(own)
        {
            found.push(format!("the chairs are not those of its tickets: {set:?}"));
        }
    }
    for set in recount.keys() {
        found.push(format!("tickets of no set: {set}"));
    }
}

/// Each ticket has the one holder that has it in its lines, and each live or paid order holds its lines.
fn tickets_agree_with_orders(known: &Known, found: &mut Vec<String>) {
    let mut held: BTreeMap<TicketId, &Order> = BTreeMap::new();
    let mut numbers: BTreeMap<i64, OrderId> = BTreeMap::new();
    for order in &known.orders {
        if let Some(other) = numbers.insert(order.number, order.id) {
            found.push(format!("the number of {} is that of {other}", order.id));
        }
        if !order.is_live() && order.state() != OrderState::Done {
            continue;
        }
        for line in &order.lines {
            if let Some(other) = held.insert(line.ticket, order) {
                found.push(format!("the ticket {} is in the orders {} and {}", line.ticket, order.id, other.id));
            }
        }
    }
    for ticket in &known.tickets {
        let order = held.remove(&ticket.id);
        if ticket.holder() != order.map(|order| order.id) {
            found.push(format!("the holder has it not in its lines, or it has another: {ticket:?} {order:?}"));
        }
        if let Some(order) = order
            && ticket.reserved_till() != order.is_live().then_some(order.reserved_till)
        {
            found.push(format!("it is not held as long as its order: {ticket:?} {order:?}"));
        }
    }
    for (ticket, order) in held {
        found.push(format!("the ticket {ticket} is not there: {order:?}"));
    }
}

/// Each bench says how many chairs it has, and which of them are vacant.
fn benches_agree_with_tickets(known: &Known, benches: &[Bench], found: &mut Vec<String>) {
    let mut recount: BTreeMap<BenchId, (u32, Numbers)> = BTreeMap::new();
    for ticket in &known.tickets {
        let Some(seat) = ticket.seat.as_deref() else { continue };
        let (chairs, vacant) = recount.entry(seat.bench).or_default();
        *chairs += 1;
        if ticket.state == TicketState::Vacant {
            vacant.insert(seat.number);
        }
    }
    for bench in benches {
        if recount.remove(&bench.id) != Some((bench.chairs, bench.vacant.clone())) {
            found.push(format!("it is no recount of its tickets: {bench:?}"));
        }
    }
    for bench in recount.keys() {
        found.push(format!("tickets of no bench: {bench}"));
    }
}

/// The counters of each promocode say how many orders name it.
fn promocodes_agree_with_orders(known: &Known, found: &mut Vec<String>) {
    let mut recount: BTreeMap<_, (i64, i64)> = BTreeMap::new();
    for order in &known.orders {
        for promocode in &order.promocodes {
            let (reserved, used) = recount.entry(*promocode).or_default();
            *reserved += i64::from(order.is_live());
            *used += i64::from(matches!(order.state(), OrderState::Done | OrderState::Refunded));
        }
    }
    for promocode in &known.promocodes {
        let uses = promocode.uses;
        let counted = recount.remove(&promocode.id).unwrap_or_default();
        if counted != (uses.reserved, uses.used) || !uses.balance() {
            found.push(format!("its uses are no recount of the orders ({counted:?}): {promocode:?}"));
        }
    }
    for promocode in recount.keys() {
        found.push(format!("orders name a promocode that is not there: {promocode}"));
    }
}

/// Each ticket that is asked back is in one open request, and each order has given back what was approved.
fn refunds_agree_with_orders(known: &Known, found: &mut Vec<String>) {
    let marked = known.tickets.iter().filter_map(|ticket: &Ticket| Some((ticket.id, ticket.refund()?)));
    let mut marked: Vec<_> = marked.collect();
    let open = known.refunds.iter().filter(|request| request.is_open());
    let mut asked: Vec<_> =
        open.flat_map(|request| request.lines.iter().map(|line| (line.line.ticket, request.id))).collect();
    marked.sort_unstable();
    asked.sort_unstable();
    if marked != asked {
        found.push(format!("tickets that are asked back are in other requests: {marked:?} {asked:?}"));
    }
    let mut back: BTreeMap<OrderId, Money> = BTreeMap::new();
    let approved = |request: &&RefundRequest| request.state() == RefundState::Approved;
    for request in known.refunds.iter().filter(approved) {
        let sum = back.entry(request.order).or_insert(Money::ZERO);
        *sum += request.back().value();
    }
    for order in &known.orders {
        if order.refunded.back != back.remove(&order.id).unwrap_or(Money::ZERO) {
            found.push(format!("it has not given back what was approved: {order:?}"));
        }
    }
    for order in back.keys() {
        found.push(format!("money was given back for no order: {order}"));
    }
}
