//! Prices of tickets: by their rules, less what takes most off, split between those who sell.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;
use kassa_domain::order::{OrderEdit, OrderId, UpdateOrder};
use kassa_domain::promocode::PromocodeText;
use kassa_domain::{Command, ReadSet};
use serde_json::{Value, json};

use crate::shop::{Decider, Shop};

/// Tickets of the order.
const TICKETS: usize = 10;

pub(crate) fn bench(criterion: &mut Criterion) {
    let codes = ["SPRING", "SUMMER", "AUTUMN"];
    let promocode = |code: &&str| ("promocodes", json!({"code": code, "discount": {"percentage": "30%"}}));
    one(criterion, "pricing/ten tickets with three promocodes", &codes.each_ref().map(promocode), &codes);
    let level = |from, value| json!({"from": from, "value": value});
    let levels = [level(2, "5%"), level(5, "10%"), level(9, "20%")];
    let promotion = json!({"lifetime": {}, "by": "count", "kind": "percentage", "levels": levels});
    one(criterion, "pricing/ten tickets under a promotion", &[("promotions", promotion)], &[]);
}

/// Names the codes of an order anew, which prices all of its tickets.
fn one(criterion: &mut Criterion, name: &str, discounts: &[(&str, Value)], codes: &[&str]) {
    let order = LazyCell::new(|| {
        let shop = Shop::in_memory();
        let event = shop.event();
        for (kind, discount) in discounts {
            shop.make(&format!("/v1/resources/events/{event}/{kind}"), discount);
        }
        let set = shop.set(&event, &json!({"name": "Standing", "amount": 100, "price": "100.00"}));
        let order = json!({"event": event, "random": {set: TICKETS}, "promocodes": codes});
        let order = shop.make("/v1/resources/orders", &order);
        (shop, order)
    });
    let codes: Vec<PromocodeText> = codes.iter().map(|code| code.parse().unwrap()).collect();
    criterion.bench_function(name, |bencher| {
        let (shop, order) = &*order;
        let update = update(shop, order.parse().unwrap(), codes.clone());
        let (mut view, mut decider) = (shop.view(std::slice::from_ref(&update)), Decider::new(shop.org));
        bencher.iter(|| {
            let outcome = decider.decide(black_box(&update), &mut view).unwrap();
            assert_eq!(outcome.order.totals().discount.minor(), discount(&codes));
            view.roll_back();
            outcome
        });
    });
}

/// What is taken off the order, in cents: of each ticket, which costs 100.00.
fn discount(codes: &[PromocodeText]) -> i64 {
    let percent = if codes.is_empty() { 20 } else { 30 };
    i64::try_from(TICKETS).unwrap() * 100 * percent
}

fn update(
    shop: &Shop,
    order: OrderId,
    codes: Vec<PromocodeText>,
) -> impl Command<Outcome = kassa_domain::order::OrderOutcome> {
    let needs = ReadSet { orders: vec![order], ..ReadSet::default() };
    let view = shop.runtime.block_on(shop.store.view(&needs)).unwrap();
    let found = view.orders.get(order).unwrap();
    let edit = OrderEdit { promocodes: Some(codes), ..OrderEdit::default() };
    let (event, deal, promocodes) = (found.event, found.deal, found.promocodes.clone());
    UpdateOrder { order, event, deal, expired_lines: None, promocodes, has_payments: false, edit }
}
