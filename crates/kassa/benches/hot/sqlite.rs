//! A batch of orders on SQLite: loaded, decided, written, and on the disk.

use std::cell::LazyCell;

use criterion::{BatchSize, Criterion};
use kassa_domain::View;
use kassa_domain::order::CreateOrder;
use kassa_store::sqlite::Sqlite;
use kassa_store::{Store, Writer};
use serde_json::json;
use tempfile::TempDir;

use crate::shop::{Decider, Shop, needs};

/// Orders of a batch.
const BATCH: u32 = 64;
/// Tickets of a sale; when they are sold, there is another.
const TICKETS: u32 = 20_000;

/// A shop in a file, and who writes it beside the engine.
struct House {
    shop: Shop,
    writer: Writer,
    decider: Decider,
    /// The event and the set that are being sold, and the tickets that are left of them.
    sale: (String, String, u32),
    _folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let shop = Shop::over(Store::Sqlite(Sqlite::open(&folder.path().join("kassa.db"), false).unwrap()));
        let (writer, decider) = (shop.store.writer(1).unwrap(), Decider::new(shop.org));
        Self { shop, writer, decider, sale: (String::new(), String::new(), 0), _folder: folder }
    }

    /// Orders that are to be had.
    fn orders(&mut self) -> Vec<CreateOrder> {
        if self.sale.2 < 2 * BATCH {
            let event = self.shop.event();
            let set = self.shop.set(&event, &json!({"name": "Standing", "amount": TICKETS, "price": "100.00"}));
            self.sale = (event, set, TICKETS);
        }
        let (event, set, left) = &mut self.sale;
        *left -= 2 * BATCH;
        (0..BATCH).map(|_| self.shop.two_of(event, set)).collect()
    }

    fn write(&mut self, orders: &[CreateOrder]) {
        let Self { shop, writer, decider, .. } = self;
        let decide = &mut |view: &mut View| {
            for order in orders {
                assert_eq!(decider.decide(order, view).unwrap().order.lines.len(), 2, "both are to be had");
                view.accept_changes();
            }
            Ok(())
        };
        shop.runtime.block_on(writer.transact(&needs(orders), decide)).unwrap();
    }
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let house = LazyCell::new(|| std::cell::RefCell::new(House::new()));
    criterion.bench_function("sqlite/64 orders", |bencher| {
        let (orders, write) =
            (|| house.borrow_mut().orders(), |orders: Vec<CreateOrder>| house.borrow_mut().write(&orders));
        bencher.iter_batched(orders, write, BatchSize::PerIteration);
    });
}
