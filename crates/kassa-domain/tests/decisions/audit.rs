//! What must hold after every command, whatever it was.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::bench::{Bench, Numbers};
use kassa_domain::mail::{Letter, Mail};
use kassa_domain::order::{Order, OrderState};
use kassa_domain::promocode::{Promocode, Uses};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{RefundRequest, RefundState};
use kassa_domain::seating::RowName;
use kassa_domain::set::{Counts, Set, SetId, check_rules};
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
    audit_benches(view);
    view.tickets.rows().for_each(|ticket| audit_ticket(ticket, view));
    view.orders.rows().for_each(|order| audit_order(order, view));
    view.promocodes.rows().for_each(|promocode| audit_promocode(promocode, view));
    view.promotions.rows().for_each(|promotion| audit_promotion(promotion, view));
    view.refunds.rows().for_each(|request| audit_refund(request, view));
    view.mails.rows().for_each(|mail| audit_mail(mail, view));
    let numbers: BTreeSet<_> = view.tickets.rows().map(|ticket| (ticket.event, ticket.number)).collect();
    assert_eq!(numbers.len(), view.tickets.rows().count(), "numbers are unique in the event");
    let chair = |ticket: &Ticket| {
        let seat = ticket.seat.clone()?;
        Some((ticket.event, seat.sector, seat.row, seat.number))
    };
    let chairs: Vec<_> = view.tickets.rows().filter_map(chair).collect();
    let distinct: BTreeSet<_> = chairs.iter().collect();
    assert_eq!(distinct.len(), chairs.len(), "a chair is in two sets");
}

/// The benches are a recount of the tickets with seats.
fn audit_benches(view: &View) {
    let mut recount: BTreeMap<(SetId, RowName), Bench> = BTreeMap::new();
    for ticket in view.tickets.rows() {
        let Some(seat) = ticket.seat.as_deref() else { continue };
        let new = || {
            let rank = view.benches.get(seat.bench).expect("its bench is there").rank;
            let (row, vacant) = (seat.row.clone(), Numbers::default());
            Bench { id: seat.bench, set: ticket.set, row, rank, chairs: 0, vacant }
        };
        let bench = recount.entry((ticket.set, seat.row.clone())).or_insert_with(new);
        assert_eq!(bench.id, seat.bench, "a set has one bench in a row");
        bench.chairs += 1;
        if ticket.state == TicketState::Vacant {
            bench.vacant.insert(seat.number);
        }
    }
    for bench in recount.values() {
        assert_eq!(view.benches.get(bench.id), Some(bench));
    }
    assert_eq!(view.benches.rows().count(), recount.len(), "no bench is without chairs");
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
    let going = set.counts.vacant + if set.removed { set.counts.blocked } else { 0 };
    assert!((0..=going).contains(&set.doomed), "only what nobody has is taken away: {set:?}");
    audit_chairs(set, view);
    let there = set.counts.pending == 0 && set.doomed == 0;
    assert!(there || set.job.is_some(), "work that is left has a job: {set:?}");
    assert!(set.job.is_none_or(|job| view.jobs.get(job).is_some()), "the job of a set is there");
    assert_eq!(check_rules(&set.rules), Ok(()));
}

/// The tickets of a set with seats are those of its chairs, and what is about to go is nobody's.
fn audit_chairs(set: &Set, view: &View) {
    let tickets = || view.tickets.rows().filter(|ticket| ticket.set == set.id);
    let Some(seats) = &set.seats else {
        assert!(tickets().all(|ticket| ticket.seat.is_none()), "{set:?}");
        return;
    };
    let (wanted, made) = (seats.wanted(), seats.made());
    assert_eq!(set.counts.pending, wanted.minus(&made).count());
    assert_eq!(set.doomed, made.minus(&wanted).count());
    assert_eq!(seats.made.is_some(), set.job.is_some(), "{set:?}");
    let mut chairs: Vec<(&RowName, u16)> = Vec::new();
    for ticket in tickets() {
        let place = ticket.seat.as_deref().expect("a chair for each ticket");
        assert_eq!(place.sector, set.sector);
        let stays = wanted.has(&place.row, place.number);
        assert!(stays || ticket.state == TicketState::Vacant || set.removed, "{ticket:?} is not to go");
        chairs.push((&place.row, place.number));
    }
    chairs.sort_unstable();
    assert!(made.seats().eq(chairs), "each chair has a ticket: {set:?}");
}

fn audit_promocode(promocode: &Promocode, view: &View) {
    let naming = |is: fn(&Order) -> bool| {
        let orders = view.orders.rows().filter(|order| is(order) && order.promocodes.contains(&promocode.id));
        i64::try_from(orders.count()).unwrap()
    };
    let uses = promocode.uses;
    let recount = Uses { reserved: naming(Order::is_live), used: naming(was_paid), ..uses };
    assert_eq!(uses, recount, "the counters are a recount of the orders");
    assert!(uses.balance(), "{promocode:?}");
}

/// At no time two promotions run for one set.
fn audit_promotion(promotion: &Promotion, view: &View) {
    let others = view.promotions_of(promotion.event).filter(|other| other.id != promotion.id && !promotion.removed);
    for other in others {
        let both = [&promotion.lifetime, &other.lifetime];
        let mut sets = view.sets.rows().map(|set| set.id);
        let meets = sets.any(|set| promotion.discount.covers(set) && other.discount.covers(set));
        let begins = both.map(|lifetime| lifetime.start);
        let at_once = begins.iter().any(|at| both.iter().all(|lifetime| lifetime.contains(*at)));
        assert!(!(meets && at_once), "{promotion:?} {other:?}");
    }
}

fn was_paid(order: &Order) -> bool {
    matches!(order.state(), OrderState::Done | OrderState::Refunded)
}

fn audit_refund(request: &RefundRequest, view: &View) {
    let back = request.back();
    assert_eq!(back.nominal + back.extra, back.org + back.agent() + back.core, "shares add up: {request:?}");
    let order = view.orders.get(request.order).expect("a request is for an order");
    assert!(was_paid(order), "{order:?}");
    for line in &request.lines {
        let (price, back) = (&line.line.price, &line.back);
        let got_and_gives = [(price.org, back.org), (price.agent(), back.agent()), (price.core, back.core)];
        let sound = got_and_gives.iter().all(|(got, gives)| Money::ZERO <= *gives && gives <= got);
        assert!(sound, "nobody gives more than it got: {line:?}");
        let is_in_order = order.lines.contains(&line.line);
        let marked_by = view.tickets.get(line.line.ticket).and_then(Ticket::refund);
        match request.state() {
            RefundState::New | RefundState::InProgress => {
                assert!(is_in_order && marked_by == Some(request.id), "{request:?}");
            }
            RefundState::Approved => assert!(!is_in_order && marked_by != Some(request.id), "{request:?}"),
            RefundState::Rejected => assert_ne!(marked_by, Some(request.id), "{request:?}"),
        }
    }
}

fn approved<'a>(order: &Order, view: &'a View) -> impl Iterator<Item = &'a RefundRequest> {
    let id = order.id;
    view.refunds.rows().filter(move |request| request.order == id && request.state() == RefundState::Approved)
}

/// What has left an order is what was approved.
fn audit_refunded(order: &Order, view: &View) {
    assert_eq!(order.refunded.paid, approved(order, view).map(RefundRequest::paid).sum());
    assert_eq!(order.refunded.back, approved(order, view).map(|request| request.back().value()).sum());
    assert_eq!(order.state() == OrderState::Refunded, was_paid(order) && order.lines.is_empty(), "{order:?}");
}

fn audit_ticket(ticket: &Ticket, view: &View) {
    let Some(holder) = ticket.holder() else { return };
    let order = view.orders.get(holder).expect("a holder is an order");
    let lines = order.lines.iter().filter(|line| line.ticket == ticket.id).count();
    if let Some(request) = ticket.refund() {
        let request = view.refunds.get(request).expect("the mark is of a request");
        assert!(request.is_open() && request.order == holder, "{ticket:?} {request:?}");
    }
    assert_eq!(lines, 1, "the holder has the ticket in its lines: {ticket:?} {order:?}");
    match ticket.reserved_till() {
        Some(till) => assert!(order.is_live() && till == order.reserved_till, "{ticket:?} {order:?}"),
        None => assert_eq!(order.state(), OrderState::Done, "{ticket:?}"),
    }
}

fn audit_mail(mail: &Mail, view: &View) {
    match mail.letter {
        Letter::Export(_) => {}
        Letter::ConfirmEmail { user } => assert!(view.users.get(user).is_some(), "{mail:?}"),
        Letter::Tickets { order, .. } => {
            let order = view.orders.get(order).expect("a mail tells of what there is");
            assert!(!order.is_live(), "only what is paid is told: {mail:?}");
        }
    }
}

fn audit_order(order: &Order, view: &View) {
    audit_refunded(order, view);
    for line in &order.lines {
        let price = &line.price;
        assert_eq!(price.org + price.agent() + price.core, price.full(), "shares add up: {line:?}");
        assert!(price.agent() >= Money::ZERO, "{line:?}");
        assert!(price.nominal() >= Money::ZERO, "a discount is never more than the price: {line:?}");
        if let Some(promocode) = line.promocode {
            assert!(order.promocodes.contains(&promocode), "what acts is named: {order:?}");
            let promocode = view.promocodes.get(promocode).expect("what acts is there");
            assert!(promocode.covers(line.set), "{promocode:?} {line:?}");
            assert_eq!(price.discount, promocode.discount_on(price.price), "{promocode:?} {line:?}");
        }
        if let Some(promotion) = line.promotion {
            assert_eq!(line.promocode, None, "one thing acts on a ticket: {line:?}");
            let promise = order.promises.iter().find(|promise| promise.promotion == promotion);
            let discount = &promise.expect("what acts was promised").discount;
            assert!(discount.covers(line.set), "{discount:?} {line:?}");
            // What was given back had reached the level, too.
            let given_back = approved(order, view).flat_map(|request| request.lines.iter().map(|back| &back.line));
            let tickets = order.lines.iter().chain(given_back).map(|line| (line.set, line.price.price));
            let share = discount.share_for(tickets).expect("a level is reached");
            assert_eq!(price.discount, share.of(price.price).min(price.price), "{discount:?} {line:?}");
        }
        let free = order.payment.invites() || line.promocode.is_some() || line.promotion.is_some();
        assert!(free || price.discount == Money::ZERO, "a discount has a reason: {line:?}");
        if order.is_live() || order.state() == OrderState::Done {
            let ticket = view.tickets.get(line.ticket).expect("a line's ticket is there");
            assert_eq!(ticket.holder(), Some(order.id), "{line:?}");
            assert_eq!((ticket.number, ticket.set), (line.number, line.set));
        }
    }
}
