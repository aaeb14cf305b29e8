//! Refund requests that meet each other, and a cancellation that meets payments.

use kassa_domain::Actor;
use kassa_domain::event::{EventPatch, EventStatus, UpdateEvent};
use kassa_domain::order::{Order, OrderEdit, OrderStatusKind, OrderTransition, TicketSelection};
use kassa_domain::refund::{Culprit, RefundRefusal, RefundRequest, RefundStatusKind, RefundTickets};
use kassa_domain::{Patch, Refusal};
use kassa_engine::refunds::NewRefundRequest;
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::queries::{OrdersFilter, RefundsFilter};
use tokio::task::JoinSet;

use crate::harness::Database;
use crate::sales::Sale;

/// More than one step of the job looks after.
const ORDERS: u32 = 120;

impl Sale {
    async fn paid(&self, engine: &Engine, order: &Order) -> Result<(), Failure> {
        let edit = OrderEdit { transition: Some(OrderTransition::Paid), ..OrderEdit::default() };
        engine.update_order(&Actor::Partner(self.org), order.id, edit, |_, _| ()).await
    }

    async fn ask(&self, order: &Order) -> Result<(), Failure> {
        let tickets = RefundTickets::AllExcept(Vec::new());
        let request = NewRefundRequest {
            order: order.id.into(),
            culprit: Culprit::Customer,
            tickets,
            requested_at: None,
            reason: None,
        };
        self.engine.create_refund(&Actor::Partner(self.org), request, |_, _| ()).await
    }

    async fn requests(&self) -> Vec<RefundRequest> {
        let filter = RefundsFilter { partners: vec![self.org], ..RefundsFilter::default() };
        self.engine.page(filter, PageWindow::first(u32::MAX)).await.unwrap().rows
    }
}

pub(crate) async fn a_payment_that_meets_a_cancellation_is_refused_or_gets_its_request(db: Database) {
    let sale = Sale::of(&db, ORDERS).await;
    // The event is canceled by another node, which also works on the job.
    let other = db.engine().await;
    let mut orders = Vec::new();
    for _ in 0..ORDERS {
        orders.push(sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 1)])).await.unwrap());
    }
    let mut payments = JoinSet::new();
    for (at, order) in orders.iter().cloned().enumerate() {
        let (sale, other) = (sale.clone(), other.clone());
        payments.spawn(async move {
            let engine = if at % 2 == 0 { &sale.engine } else { &other };
            sale.paid(engine, &order).await
        });
    }
    let patch = EventPatch { status: Patch::Set(EventStatus::Canceled), ..EventPatch::default() };
    // Half of the payments first, so that some of them are in time.
    let (mut paid, mut refused) = (0, 0);
    let mut count = |result| match result {
        Ok(()) => paid += 1,
        Err(Failure::Refused(Refusal::EventOver)) => refused += 1,
        Err(failure) => panic!("{failure:?}"),
    };
    for _ in 0..ORDERS / 4 {
        count(payments.join_next().await.unwrap().unwrap());
    }
    let cancels = UpdateEvent { event: sale.event, patch };
    other.execute(&Actor::Partner(sale.org), cancels, |_, _| ()).await.unwrap();
    other.run_jobs().await.unwrap();
    while let Some(result) = payments.join_next().await {
        count(result.unwrap());
    }
    assert_eq!(paid + refused, ORDERS);
    let filter =
        OrdersFilter { partners: vec![sale.org], status: Some(vec![OrderStatusKind::Paid]), ..OrdersFilter::default() };
    let done = sale.engine.page(filter, PageWindow::first(u32::MAX)).await.unwrap().rows;
    let requests = sale.requests().await;
    let mut asked: Vec<_> = requests.iter().map(|request| request.order).collect();
    asked.sort_unstable();
    let mut paid_for: Vec<_> = done.iter().map(|order| order.id).collect();
    paid_for.sort_unstable();
    assert_eq!(asked, paid_for, "each paid order has one request, and no other has");
    let sound = |request: &RefundRequest| {
        request.state() == RefundStatusKind::New && request.culprit == Culprit::Organizer && request.lines.len() == 1
    };
    assert!(requests.iter().all(sound));
    other.run_jobs().await.unwrap();
    assert_eq!(sale.requests().await.len(), requests.len(), "the job is done");
}

pub(crate) async fn of_many_requests_for_a_ticket_one_is_opened(db: Database) {
    let sale = Sale::of(&db, 1).await;
    let order = sale.order(TicketSelection::AnyOfSets(vec![(sale.set, 1)])).await.unwrap();
    sale.paid(&sale.engine, &order).await.unwrap();
    let mut requests = JoinSet::new();
    for _ in 0..32 {
        let (sale, order) = (sale.clone(), order.clone());
        requests.spawn(async move { sale.ask(&order).await });
    }
    let mut opened = 0;
    while let Some(result) = requests.join_next().await {
        match result.unwrap() {
            Ok(()) => opened += 1,
            Err(Failure::Refused(Refusal::Refund(RefundRefusal::TicketsTaken))) => {}
            Err(failure) => panic!("{failure:?}"),
        }
    }
    assert_eq!((opened, sale.requests().await.len()), (1, 1));
}
