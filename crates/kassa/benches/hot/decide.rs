//! An order is decided: over rows that are loaded, and without a trace.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;
use serde_json::{Value, json};

use crate::shop::{Decider, Shop};

pub(crate) fn bench(criterion: &mut Criterion) {
    one(criterion, "decide/two tickets", &json!({"name": "Standing", "amount": 1_000, "price": "100.00"}));
    let hall = json!({"1": [[1, 50]], "2": [[1, 50]], "3": [[1, 50]]});
    one(criterion, "decide/two neighbours", &json!({"name": "Stalls", "seats": hall, "price": "100.00"}));
}

fn one(criterion: &mut Criterion, name: &str, set: &Value) {
    let order = LazyCell::new(|| {
        let shop = Shop::in_memory();
        let event = shop.event();
        let order = shop.two_of(&event, &shop.set(&event, set));
        (shop, order)
    });
    criterion.bench_function(name, |bencher| {
        let (shop, order) = &*order;
        let (mut view, mut decider) = (shop.view(std::slice::from_ref(order)), Decider::new(shop.org));
        bencher.iter(|| {
            let outcome = decider.decide(black_box(order), &mut view).unwrap();
            assert_eq!(outcome.order.lines.len(), 2, "both are to be had");
            view.roll_back();
            outcome
        });
    });
}
