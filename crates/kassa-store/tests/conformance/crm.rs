//! What a user has bought.

use kassa_domain::order::{Customer, Order, OrderStatus, RefundTotals};
use kassa_domain::user::UserId;
use kassa_domain::{Id, Money};
use kassa_store::queries::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope};

use crate::crowd::write_sample_rows;
use crate::database::Database;
use crate::dice::Dice;
use crate::samples;

async fn sums(db: &Database, user: i64, scope: CustomerTotalsScope) -> CustomerTotals {
    db.store.customer_totals(CustomerTotalsQuery { user: Id::root(user), scope }).await.unwrap()
}

fn partners(keys: &[i64]) -> CustomerTotalsScope {
    CustomerTotalsScope::OfPartners(keys.iter().map(|key| Id::root(*key)).collect())
}

/// What user 5 asks for itself: it has proved its address, and one more.
fn own() -> CustomerTotalsScope {
    CustomerTotalsScope::CustomersOwn(vec![samples::user(5).email, samples::user(50).email])
}

/// An order of user 5 with tickets of these prices.
fn order(key: i64, status: OrderStatus, cents: &[i64]) -> Order {
    let event = samples::event(1).id;
    let customer = Customer { user: Some(Id::root(5)), email: Some(samples::user(5).email), ..Customer::default() };
    let lines = cents.iter().map(|minor| samples::line(event, key, *minor)).collect();
    Order { status, lines, customer, ..samples::order(event, key) }
}

async fn given(db: &Database, orders: &[Order]) {
    db.insert(|view| orders.iter().for_each(|order| view.orders.put(order.clone()))).await;
}

/// What the customer of these orders paid.
fn paid(orders: &[&Order]) -> Money {
    orders.iter().map(|order| order.totals().full).sum()
}

pub(crate) async fn only_paid_orders_are_summed_and_all_are_known(db: Database) {
    let orders = [
        order(1, samples::paid_status(), &[1_000, 2_000]),
        order(2, samples::paid_status(), &[Money::PRICE_MAX.minor()]),
        order(3, OrderStatus::Expired, &[500]),
        order(4, OrderStatus::AwaitingPayment, &[500]),
        Order { customer: Customer::default(), ..order(5, samples::paid_status(), &[7]) },
    ];
    given(&db, &orders).await;
    let expected = CustomerTotals {
        paid_orders: 2,
        tickets: 3,
        paid_sum: paid(&[&orders[0], &orders[1]]),
        all_orders: 4,
        first_order_at: Some(orders[0].created_at),
    };
    assert_eq!(sums(&db, 5, own()).await, expected);
}

pub(crate) async fn what_was_given_back_is_not_summed(db: Database) {
    let gave = |paid, back| RefundTotals { paid: Money::from_minor(paid), returned: Money::from_minor(back) };
    let orders = [
        Order { refunded: gave(500, 400), ..order(1, samples::paid_status(), &[1_000]) },
        Order { refunded: gave(300, 300), ..order(2, samples::refunded_status(), &[]) },
        Order { refunded: gave(200, 50), ..order(3, samples::refunded_status(), &[]) },
    ];
    given(&db, &orders).await;
    let sum = paid(&[&orders[0]]) + Money::from_minor(100 + 150);
    assert_eq!(
        sums(&db, 5, own()).await,
        CustomerTotals {
            paid_orders: 3,
            tickets: 1,
            paid_sum: sum,
            all_orders: 3,
            first_order_at: Some(orders[0].created_at)
        }
    );
}

pub(crate) async fn orders_follow_proved_addresses_only(db: Database) {
    let under = |key, at| {
        let customer =
            Customer { user: Some(Id::root(5)), email: Some(samples::user(at).email), ..Customer::default() };
        Order { customer, ..order(key, samples::paid_status(), &[key * 100]) }
    };
    let orders = [under(1, 5), under(2, 50), under(3, 6)];
    given(&db, &orders).await;
    let expected = CustomerTotals {
        paid_orders: 2,
        tickets: 2,
        paid_sum: paid(&[&orders[0], &orders[1]]),
        all_orders: 2,
        first_order_at: Some(orders[0].created_at),
    };
    assert_eq!(sums(&db, 5, own()).await, expected);
    assert_eq!(sums(&db, 5, CustomerTotalsScope::CustomersOwn(Vec::new())).await, CustomerTotals::default());
    assert_eq!(sums(&db, 5, partners(&[1])).await.all_orders, 3);
}

pub(crate) async fn partners_see_what_they_sold_or_organized(db: Database) {
    let by = |key, org, vendor| Order {
        organizer: Id::root(org),
        vendor: Id::root(vendor),
        ..order(key, samples::paid_status(), &[key * 100])
    };
    let orders = [by(1, 1, 1), by(2, 1, 2), by(3, 3, 3)];
    given(&db, &orders).await;
    let cases: [(&[i64], &[usize]); 6] =
        [(&[1], &[0, 1]), (&[2], &[1]), (&[2, 3], &[1, 2]), (&[1, 2], &[0, 1]), (&[4], &[]), (&[], &[])];
    for (who, seen) in cases {
        let seen: Vec<&Order> = seen.iter().map(|at| &orders[*at]).collect();
        let count = i64::try_from(seen.len()).unwrap();
        let first_order_at = seen.iter().map(|order| order.created_at).min();
        let expected = CustomerTotals {
            paid_orders: count,
            tickets: count,
            paid_sum: paid(&seen),
            all_orders: count,
            first_order_at,
        };
        assert_eq!(sums(&db, 5, partners(who)).await, expected, "partners {who:?}");
    }
}

pub(crate) async fn a_stranger_has_bought_nothing(db: Database) {
    given(&db, &[order(1, samples::paid_status(), &[100])]).await;
    assert_eq!(sums(&db, 6, own()).await, CustomerTotals::default());
}

pub(crate) async fn sums_are_those_of_the_model(db: Database) {
    let model = Database::memory().await;
    for db in [&db, &model] {
        write_sample_rows(db).await;
    }
    let mut dice = Dice::new(3);
    for _ in 0..100 {
        let user = dice.user().key();
        let partners = dice.maybe(|dice| dice.some(Dice::partner)).map(CustomerTotalsScope::OfPartners);
        let scope = partners
            .unwrap_or_else(|| CustomerTotalsScope::CustomersOwn((0..dice.below(9)).map(|_| dice.email()).collect()));
        let expected = sums(&model, user, scope.clone()).await;
        assert_eq!(sums(&db, user, scope.clone()).await, expected, "user {user}, {scope:?}");
    }
}

pub(crate) async fn sums_of_several_are_those_of_each(db: Database) {
    write_sample_rows(&db).await;
    let mut dice = Dice::new(4);
    for _ in 0..50 {
        let users: Vec<UserId> = dice.some(Dice::user);
        let partners = dice.maybe(|dice| dice.some(Dice::partner)).map(CustomerTotalsScope::OfPartners);
        let scope = partners
            .unwrap_or_else(|| CustomerTotalsScope::CustomersOwn((0..dice.below(9)).map(|_| dice.email()).collect()));
        let found = db
            .store
            .customer_totals_by_user(CustomerTotalsByUserQuery { users: users.clone(), scope: scope.clone() })
            .await
            .unwrap();
        assert!(found.keys().all(|user| users.contains(user)));
        for user in users {
            let each = sums(&db, user.key(), scope.clone()).await;
            assert_eq!(found.get(&user).copied().unwrap_or_default(), each, "user {user}, {scope:?}");
            assert_eq!(found.contains_key(&user), each.all_orders > 0, "user {user}, {scope:?}");
        }
    }
}
