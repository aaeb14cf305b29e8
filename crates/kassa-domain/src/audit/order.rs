//! An order has the tickets of its lines, and its money is theirs.

use super::change_log::{audit_last_change, read_last_change};
use super::finding::FindingChecker;
use super::{Audited, Findings};
use crate::model::deal::Deal;
use crate::model::order::{Order, OrderLine, OrderStatusKind, RefundTotals};
use crate::model::refund::{RefundRequest, RefundStatusKind};
use crate::model::ticket::Ticket;
use crate::values::money::Money;
use crate::values::price::{Share, Terms, TicketPrice};
use crate::values::resource_ids::TicketId;
use crate::view::{ReadSet, View};

impl Audited for Order {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.orders.push(self.id);
        read_set.tickets_held_by.push(self.id);
        read_set.refunds_of.push(self.id);
        read_set.payments_of.push(self.id);
        read_set.promocodes.extend(&self.promocodes);
        read_set.deals.extend(self.deal);
        read_set.sets.extend(self.lines.iter().map(|line| line.set));
        read_last_change(self.revision, read_set);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("order", &self.id);
        audit_last_change(self, view, &mut about);
        audit_tickets(self, view, &mut about);
        audit_refunded(self, view, &mut about);
        audit_money(self, view, &mut about);
        audit_terms(self, view, &mut about);
        for id in &self.promocodes {
            about.expect("promocodes", view.promocodes.get(*id).is_some(), "those that are there", id);
        }
        for line in &self.lines {
            audit_price(self, line, view, &mut about);
            audit_discount(self, line, view, &mut about);
        }
    }
}

/// It holds the tickets of its lines, and no others, as long as it may.
fn audit_tickets(order: &Order, view: &View, about: &mut FindingChecker<'_>) {
    let holds = order.is_live() || order.state() == OrderStatusKind::Paid;
    let lines = order.lines.iter().filter(|_| holds).map(|line| (line.ticket, line.number, line.set));
    let held = view.tickets.rows().filter(|ticket| ticket.holder() == Some(order.id));
    let mut expected: Vec<_> = lines.collect();
    let mut found: Vec<_> = held.map(|ticket: &Ticket| (ticket.id, ticket.number, ticket.set)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    about.expect_equal("tickets", &expected, &found);
}

fn approved_refunds<'a>(order: &Order, view: &'a View) -> impl Iterator<Item = &'a RefundRequest> {
    let id = order.id;
    view.refunds.rows().filter(move |request| request.order == id && request.state() == RefundStatusKind::Approved)
}

/// What has left it is what was approved.
fn audit_refunded(order: &Order, view: &View, about: &mut FindingChecker<'_>) {
    let paid = approved_refunds(order, view).map(RefundRequest::paid).sum();
    let back = approved_refunds(order, view).map(|request| request.amounts().total()).sum();
    about.expect_equal("refunded", &RefundTotals { paid, returned: back }, &order.refunded);
    let was_paid = matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
    let is_over = (order.state() == OrderStatusKind::Refunded) == (was_paid && order.lines.is_empty());
    about.expect("status", is_over, "refunded just when all tickets are given back", &order.state());
    let given_back: Vec<TicketId> = approved_refunds(order, view).flat_map(RefundRequest::tickets).collect();
    let left = order.lines.iter().all(|line| !given_back.contains(&line.ticket));
    about.expect("tickets", left, "none that was given back", &given_back);
}

/// What was paid for it, and was not given back, is what its payments say of it.
fn audit_money(order: &Order, view: &View, about: &mut FindingChecker<'_>) {
    let was_paid = matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
    let price = if was_paid && order.payment.has_payments() {
        order.totals().full + order.refunded.retained()
    } else {
        Money::ZERO
    };
    let used = view.payments.rows().filter(|payment| payment.order == order.id).map(|payment| payment.used).sum();
    about.expect_equal("payments", &price, &used);
}

/// It is sold under the terms of its deal, or by the organizer itself.
fn audit_terms(order: &Order, view: &View, about: &mut FindingChecker<'_>) {
    let Some(id) = order.deal else {
        let Terms { organizer_share: org, markup: extra, platform_fee_on_top: pfc, .. } = order.terms;
        let is_own = order.vendor == order.organizer && org.is_none() && extra == Share::Amount(Money::ZERO) && !pfc;
        about.expect("deal", is_own, "one, or a sale of the organizer's own", &(order.vendor, order.terms));
        return;
    };
    let deal = view.deals.get(id);
    let between =
        |deal: &Deal| (deal.event, deal.organizer, deal.agent) == (order.event, order.organizer, order.vendor);
    about.expect("deal", deal.is_some_and(between), "one of the vendor for the event", &id);
    if let Some(deal) = deal {
        about.expect_equal("terms", &deal.terms, &order.terms);
    }
}

/// A line's price is that of its rule, and is split by the order's terms.
fn audit_price(order: &Order, line: &OrderLine, view: &View, about: &mut FindingChecker<'_>) {
    let price = &line.price;
    about.expect_equal("split", &TicketPrice::new(price.price, price.discount, &order.terms), price);
    let sane = price.nominal() >= Money::ZERO && price.agent() >= Money::ZERO;
    about.expect("split", sane, "nothing below zero", price);
    let set = view.sets.get(line.set).filter(|set| set.event == order.event);
    about.expect("lines", set.is_some(), "sets of its event", &line.set);
    let rule = set.and_then(|set| set.rules.iter().find(|rule| rule.id == line.rule));
    let fits = rule.is_some_and(|rule| rule.has_sold && rule.price == price.price);
    about.expect("price", set.is_none() || fits, "that of a rule that has sold", &(line.rule, price.price));
}

/// What is taken off has one reason, and is what that gives.
fn audit_discount(order: &Order, line: &OrderLine, view: &View, about: &mut FindingChecker<'_>) {
    let price = &line.price;
    let expected = match (line.promocode, line.promotion) {
        (Some(_), Some(_)) => {
            about.expect("discount", false, "one reason", line);
            return;
        }
        (Some(promocode), None) => {
            about.expect("promocodes", order.promocodes.contains(&promocode), "those that act are named", &promocode);
            let acts = view.promocodes.get(promocode).filter(|promocode| promocode.covers(line.set));
            acts.map(|promocode| promocode.discount_on(price.price))
        }
        (None, Some(promotion)) => {
            let grant = order.promotion_grants.iter().find(|grant| grant.promotion == promotion);
            let discount = grant.map(|grant| &grant.discount).filter(|discount| discount.covers(line.set));
            // What was given back had reached the level, too.
            let given_back =
                approved_refunds(order, view).flat_map(|request| request.lines.iter().map(|back| &back.line));
            let tickets = order.lines.iter().chain(given_back).map(|line| (line.set, line.price.price));
            discount
                .and_then(|discount| discount.share_for(tickets))
                .map(|share| share.of(price.price).min(price.price))
        }
        (None, None) if order.payment.is_invitation() => Some(price.price),
        (None, None) => Some(Money::ZERO),
    };
    about.expect_equal("discount", &expected, &Some(price.discount));
}
