//! Whether the rows agree with what was acknowledged.

use std::collections::BTreeMap;

use kassa_domain::order::Order;
use kassa_domain::payment::OrderPayment;
use kassa_domain::{ReadSet, View};
use kassa_engine::clock::Clock as _;
use kassa_engine::{Failure, SequencerRound};
use kassa_store::PageWindow;
use kassa_store::queries::{DuePayments, TicketsFilter};

use super::{ROUNDS_MAX, SimNode, World};
use crate::acknowledged_orders::without_batch;
use crate::affected::AffectedRows;
use crate::lane_driver::ConcurrentCalls;
use crate::play::{Action, ActionReport, ActionResult, KnownRows};
use crate::sim_step::Disruption;
use crate::{Violation, recount};

impl World {
    /// Takes answers for true.
    pub(super) fn learn(&mut self, heard: &[ActionReport], touched: &mut AffectedRows) -> Result<(), Violation> {
        for report in heard {
            touched.add_report(report);
            self.known.learn(report);
            if let ActionReport::Order(outcome) = report {
                self.acknowledged.record_answer(&outcome.order)?;
            }
            if let ActionReport::Payment(order, payment) = report {
                self.acknowledged.record_answer(order)?;
                if let Some(payment) = payment {
                    self.money.record_answer(payment);
                }
            }
        }
        Ok(())
    }

    pub(super) async fn learn_tickets(&mut self, touched: &AffectedRows) -> Result<(), Violation> {
        for event in &touched.events {
            let filter = TicketsFilter {
                event: *event,
                sets: Vec::new(),
                states: [true; 4],
                ids: None,
                after: -1,
                are_few: false,
            };
            let page = self.nodes[0].server.engine.page(filter, PageWindow::first(u32::MAX)).await?;
            self.known.learn_tickets(*event, page.rows);
        }
        Ok(())
    }

    /// Rows as they are now.
    pub(super) async fn view(&self, read_set: &ReadSet) -> Result<View, Violation> {
        Ok(self.nodes[0].server.engine.view(read_set).await?)
    }

    /// Compares what was touched with what was acknowledged.
    pub(super) async fn check(&mut self, touched: &AffectedRows) -> Result<(), Violation> {
        let orders: Vec<_> = touched.orders.iter().map(|(_, order)| *order).collect();
        let of_them = |event| touched.events.contains(event);
        let read_set = ReadSet {
            tickets_held_by: orders.clone(),
            payments_of: orders.clone(),
            orders,
            sets_of: touched.events.iter().copied().collect(),
            promocodes: self.known.promocodes.iter().filter(|row| of_them(&row.event)).map(|row| row.id).collect(),
            ..ReadSet::default()
        };
        let view = self.view(&read_set).await?;
        for (event, order) in &touched.orders {
            self.acknowledged.check_order(*event, *order, &view)?;
        }
        self.check_money(view.orders.rows(), view.payments.rows())?;
        for payment in view.payments.rows() {
            self.known.learn_payment(payment);
        }
        view.sets.rows().try_for_each(|set| self.acknowledged.check_set(set))?;
        view.promocodes.rows().try_for_each(|promocode| self.acknowledged.check_promocode(promocode))
    }

    /// Compares the payments of orders with the money that moved.
    fn check_money<'a>(
        &mut self,
        orders: impl Iterator<Item = &'a Order>,
        payments: impl Iterator<Item = &'a OrderPayment>,
    ) -> Result<(), Violation> {
        let mut of: BTreeMap<_, Vec<&OrderPayment>> = BTreeMap::new();
        for payment in payments {
            of.entry(payment.order).or_default().push(payment);
        }
        let now = self.clock.now();
        for order in orders {
            let payments = of.remove(&order.id).unwrap_or_default();
            self.money.check_order(order, &payments, now)?;
        }
        of.pop_first().map_or(Ok(()), |lost| Err(Violation::new("a payment is for no order", lost)))
    }

    /// Notes the money that an act has moved, or may have moved if there is no answer.
    pub(super) fn note_money(&mut self, act: &Action, answer: Option<&ActionResult>, disruption: Option<Disruption>) {
        let Action::Payment(act) = act else { return };
        match answer {
            Some(Ok(ActionReport::Payment(..))) => self.money.note(act, &self.known, true),
            Some(Ok(_) | Err(Failure::Refused(_))) => {}
            Some(Err(_)) | None if disruption.is_some() => self.money.note(act, &self.known, false),
            Some(Err(_)) | None => {}
        }
    }

    /// The orders whose payments are due.
    pub(super) async fn add_due_payments(&self, touched: &mut AffectedRows) -> Result<(), Violation> {
        let due = DuePayments { now: self.clock.now() };
        let page = self.nodes[0].server.engine.page(due, PageWindow::first(u32::MAX)).await?;
        for payment in &page.rows {
            touched.add_order(Some((payment.event, payment.order)));
        }
        Ok(())
    }

    /// Hears the feed to its end, and compares it with the rows.
    async fn check_log(&mut self) -> Result<(), Violation> {
        loop {
            match self.place_changes(0).await? {
                SequencerRound::Placed(1..) | SequencerRound::PlacedFirst(1..) => {}
                SequencerRound::Placed(0) | SequencerRound::PlacedFirst(0) | SequencerRound::Idle => break,
                // Whoever has placed the last may be gone, and have seen a later time.
                SequencerRound::ClaimedElsewhere(until) => self.clock.advance_ms(until.ms() - self.clock.now().ms()),
            }
        }
        let server = &self.nodes[0].server;
        while !self.log.read(&server.engine, 100).await? {}
        self.log.compare(server).await
    }

    /// One round of a sequencer.
    async fn place_changes(&mut self, at: usize) -> Result<SequencerRound, Violation> {
        let SimNode { server, lanes, .. } = &mut self.nodes[at];
        let mut placing = ConcurrentCalls::new([server.engine.place_batches()]);
        placing.advance(lanes, ROUNDS_MAX).await;
        match placing.answers().pop().flatten() {
            Some(Ok(round)) => Ok(round),
            other => Err(Violation::new("no place is given", other)),
        }
    }

    /// Recounts everything, and compares every order with its acknowledgement, and the rows with the feed.
    pub(crate) async fn check_all(&mut self) -> Result<(), Violation> {
        self.check_log().await?;
        let server = &self.nodes[0].server;
        if let Some(found) = recount::recount(server).await?.into_iter().next() {
            return Err(Violation::new("the audit has findings", found));
        }
        let stored: Vec<Order> = server.rows().await?.iter().map(without_batch).collect();
        let payments: Vec<OrderPayment> = server.rows().await?;
        self.check_money(stored.iter(), payments.iter())?;
        let server = &self.nodes[0].server;
        let mut acknowledged: Vec<&Order> = self.acknowledged.orders().collect();
        acknowledged.sort_unstable_by_key(|order| order.id);
        let mut found: Vec<&Order> = stored.iter().collect();
        found.sort_unstable_by_key(|order| order.id);
        if let Some((acknowledged, found)) =
            acknowledged.iter().zip(&found).find(|(acknowledged, found)| acknowledged != found)
        {
            return Err(Violation::new("an order differs from its acknowledgement", (acknowledged, found)));
        }
        if acknowledged.len() != found.len() {
            return Err(Violation::new(
                "orders are missing, or were never acknowledged",
                (acknowledged.len(), found.len()),
            ));
        }
        let lost = self.known.missing_from(&KnownRows::load_all(server).await?);
        lost.map_or(Ok(()), |lost| Err(Violation::new("an acknowledged row is missing", lost)))
    }
}
