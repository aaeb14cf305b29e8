//! A list that is shaped as its caller wishes, with what its entries refer to.

use std::cell::LazyCell;
use std::hint::black_box;

use criterion::Criterion;
use serde_json::json;

use crate::shop::Shop;

/// Orders of the list.
const ORDERS: usize = 50;
const LIST: &str = "/v1/resources/orders?fields-schema=id,status,values,event%7Btitle,lifetime%7D,\
    tickets%7Bstatus,set%7Bname%7D%7D";

pub(crate) fn bench(criterion: &mut Criterion) {
    let shop = LazyCell::new(|| {
        let shop = Shop::in_memory();
        let event = shop.event();
        let set = shop.set(&event, &json!({"name": "Standing", "amount": 1_000, "price": "100.00"}));
        for _ in 0..ORDERS {
            shop.make("/v1/resources/orders", &json!({"event": event, "random": {&set: 2}}));
        }
        shop
    });
    for (name, path) in
        [("fields-schema/fifty orders", LIST), ("fields-schema/none, for comparison", "/v1/resources/orders")]
    {
        criterion.bench_function(name, |bencher| {
            let shop = &*shop;
            bencher.iter(|| shop.get(black_box(path)));
        });
    }
}
