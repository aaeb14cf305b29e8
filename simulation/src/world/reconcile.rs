//! Commands without an answer: either all of their changes are there, or none.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderId, OrderStatusKind};
use kassa_domain::refund::{RefundRequest, RefundStatusKind};
use kassa_domain::{ReadSet, View};
use kassa_engine::Clock;
use kassa_store::PageWindow;
use kassa_store::fault_injection::InjectedFault;
use kassa_store::queries::OrdersFilter;

use super::World;
use crate::Violation;
use crate::acknowledged_orders::{expired, is_refunded, without_batch};
use crate::affected::AffectedRows;
use crate::play::{Action, ActionReport};
use crate::sim_step::Disruption;

impl World {
    /// Follows what answers mean without showing it: holds that have ended, and tickets that were given back.
    pub(super) async fn apply_side_effects(
        &mut self,
        heard: &[ActionReport],
        touched: &mut AffectedRows,
    ) -> Result<(), Violation> {
        let now = self.clock.now();
        let mut granted: BTreeMap<_, Vec<&RefundRequest>> = BTreeMap::new();
        for report in heard {
            match report {
                ActionReport::Expired(count) => {
                    let due = self.acknowledged.expire_due(now);
                    if due.len() as u64 != *count {
                        return Err(Violation::new("other holds have ended than are due", (count, due)));
                    }
                    for order in due {
                        touched.add_order(Some(order));
                        self.refresh_known(order);
                    }
                }
                ActionReport::ExpiredOne(order, true) => {
                    let event = self.known.order_by_id(*order).map(|order| order.event);
                    let Some(event) = event else { continue };
                    touched.add_order(Some((event, *order)));
                    // A late payment was acknowledged afterwards.
                    if self.acknowledged.order(event, *order).is_none_or(Order::is_live) {
                        self.settle_order((event, *order), |before, after| *after == expired(before, now)).await?;
                    }
                }
                ActionReport::Looked(_) => {
                    for order in touched.orders.clone() {
                        let fits = |before: &Order, after: &Order| before == after || is_paid_late(before, after);
                        self.settle_order(order, fits).await?;
                    }
                }
                ActionReport::Refund(request) if request.state() == RefundStatusKind::Approved => {
                    if self.acknowledged.record_grant(request)? {
                        granted.entry((request.event, request.order)).or_default().push(request);
                    }
                }
                ActionReport::Nothing
                | ActionReport::User(_)
                | ActionReport::Partner(_)
                | ActionReport::Key(_)
                | ActionReport::Event(..)
                | ActionReport::Set(_)
                | ActionReport::Promocode(_)
                | ActionReport::Promotion(_)
                | ActionReport::Deal(_)
                | ActionReport::Order(_)
                | ActionReport::Refund(_)
                | ActionReport::Payment(..)
                | ActionReport::ExpiredOne(_, false)
                | ActionReport::Mails(_)
                | ActionReport::Replayed(_) => {}
            }
        }
        for (order, requests) in granted {
            self.settle_order(order, |before, after| is_refunded(before, &requests, after)).await?;
        }
        Ok(())
    }

    /// Takes an order as it is stored, if that is what `fits` says that it became.
    async fn settle_order(
        &mut self,
        (event, id): (EventId, OrderId),
        fits: impl Fn(&Order, &Order) -> bool,
    ) -> Result<(), Violation> {
        let view = self.view(&ReadSet { orders: vec![id], ..ReadSet::default() }).await?;
        let (before, after) = (self.acknowledged.order(event, id), view.orders.get(id).map(without_batch));
        let (Some(before), Some(after)) = (before, &after) else {
            return Err(Violation::new("an order is unknown", (before, after)));
        };
        if !fits(before, after) {
            return Err(Violation::new("an order is in an unexpected state", (before, after)));
        }
        self.acknowledged.record(after)?;
        self.refresh_known((event, id));
        Ok(())
    }

    /// Later actions know the order as it is now.
    fn refresh_known(&mut self, (event, id): (EventId, OrderId)) {
        if let Some(order) = self.acknowledged.order(event, id)
            && self.known.order_by_id(id).is_some()
        {
            self.known.learn_order(order);
        }
    }

    /// Finds what came of acts that nobody has heard of, and lets nothing else be changed. How many orders were made.
    pub(super) async fn reconcile(
        &mut self,
        unheard: &[(&Action, &AffectedRows)],
        disruption: Option<Disruption>,
        touched: &mut AffectedRows,
    ) -> Result<usize, Violation> {
        let now = self.clock.now();
        let expires = unheard.iter().any(|(act, _)| matches!(act, Action::ExpireDue));
        let mut may_change = AffectedRows::default();
        let (mut new_max, mut new) = (0, 0);
        for (act, named) in unheard.iter().filter(|(act, _)| may_have_happened(act, disruption)) {
            may_change.merge(named);
            new_max += usize::from(matches!(act, Action::Sale { .. }));
        }
        let mut events: BTreeSet<EventId> = touched.events.clone();
        if expires {
            events.extend(self.acknowledged.events_due(now));
        }
        for event in events {
            for order in self.stored_orders(event).await? {
                let id = (event, order.id);
                let Some(known) = self.acknowledged.order(event, order.id) else {
                    new_max = new_max.checked_sub(1).ok_or_else(|| Violation::new("nobody asked for this", &order))?;
                    new += 1;
                    self.known.learn_order(&order);
                    self.acknowledged.record(&order)?;
                    touched.add_order(Some(id));
                    continue;
                };
                if *known == order {
                    continue;
                }
                let has_lapsed = expires && known.is_live() && known.reserved_till <= now;
                let is_as_it_may = may_change.orders.contains(&id) && is_later(known, &order);
                let is_lapse = has_lapsed && order == expired(known, now);
                if !is_as_it_may && !is_lapse {
                    return Err(Violation::new("an order has changed by itself", (known, &order)));
                }
                self.acknowledged.record(&order)?;
                self.refresh_known(id);
                touched.add_order(Some(id));
            }
        }
        Ok(new)
    }

    /// All orders of an event, as its organizer sees them.
    async fn stored_orders(&self, event: EventId) -> Result<Vec<Order>, Violation> {
        let view: View = self.view(&ReadSet { events: vec![event], ..ReadSet::default() }).await?;
        let partners = view.events.get(event).map(|event| event.organizer).into_iter().collect();
        let filter = OrdersFilter { partners, events: Some(vec![event]), ..OrdersFilter::default() };
        let rows = self.nodes[0].server.engine.page(filter, PageWindow::first(u32::MAX)).await?.rows;
        Ok(rows.iter().map(without_batch).collect())
    }
}

/// Whether an act may have been done, although nobody has heard so. Each order is changed by one batch.
fn may_have_happened(act: &Action, disruption: Option<Disruption>) -> bool {
    match disruption {
        Some(
            Disruption::LostReply
            | Disruption::Restart
            | Disruption::Crash(_)
            | Disruption::DatabaseFault(_, InjectedFault::LostReply),
        ) => true,
        // A round of housekeeping is many batches.
        Some(Disruption::DatabaseFault(_, InjectedFault::Unavailable | InjectedFault::BeforeCommit)) => {
            matches!(act, Action::ExpireDue | Action::RunJobs | Action::LookAtPayments)
        }
        Some(Disruption::Paused | Disruption::Fenced) | None => false,
    }
}

/// Whether a provider's word has paid an order, whether it had expired or not.
fn is_paid_late(before: &Order, after: &Order) -> bool {
    let was_open = before.is_live() || before.state() == OrderStatusKind::Expired;
    was_open && after.state() == OrderStatusKind::Paid && after.payment.has_payments() && is_later(before, after)
}

/// Whether a row can be what another became.
fn is_later(before: &Order, after: &Order) -> bool {
    let is_final = matches!(before.state(), OrderStatusKind::Canceled | OrderStatusKind::Refunded);
    let same = |order: &Order| (order.number, order.event, order.vendor, order.organizer, order.created_at);
    before.revision < after.revision && same(before) == same(after) && !is_final
}
