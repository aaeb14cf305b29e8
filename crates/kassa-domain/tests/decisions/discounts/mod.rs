//! Orders with promocodes: which they may name, what these take off, and the uses that are held.

mod amounts;
mod naming;
mod uses;

use kassa_domain::order::{OrderEdit, OrderId};
use kassa_domain::price::Share;
use kassa_domain::promocode::{CreatePromocode, PromocodeId, PromocodeText};
use kassa_domain::set::SetId;
use kassa_domain::{Money, Patch, Timestamp};

use crate::fixture::{Fixture, codes, random};

fn code(text: &str) -> PromocodeText {
    text.parse().unwrap()
}

fn fixed(minor: i64) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.discount = Share::Amount(Money::from_minor(minor))
}

fn at_least(min: u32) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.ticket_count_limits.min = Some(min)
}

fn until(finish: Timestamp) -> impl FnOnce(&mut CreatePromocode) {
    move |new| new.lifetime.finish = Patch::Set(finish)
}

/// So many tickets of a set, with these codes.
fn with(set: SetId, count: u32, named: &[&str]) -> OrderEdit {
    OrderEdit { selection: random(&[(set, count)]).selection, ..codes(named) }
}

fn order(fixture: &mut Fixture, set: SetId, count: u32, named: &[&str]) -> OrderId {
    fixture.try_order(with(set, count, named)).expect("an order is made").order.id
}

/// What is taken off each ticket.
fn discounts(fixture: &Fixture, order: OrderId) -> Vec<i64> {
    fixture.found(order).lines.iter().map(|line| line.price.discount.minor()).collect()
}

/// What acts on each ticket.
fn acting(fixture: &Fixture, order: OrderId) -> Vec<Option<PromocodeId>> {
    fixture.found(order).lines.iter().map(|line| line.promocode).collect()
}
