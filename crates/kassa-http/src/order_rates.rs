//! How many orders without tickets a vendor makes, and how many further customers its orders name: no quota counts them,
//! and no ticket bounds them. Who sells is not kept from it: beyond the rate, new orders are made with tickets only.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kassa_domain::order::{CreateOrder, HoldBound, Order, OrderEdit, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::{Actor, Patch, Refusal};
use kassa_engine::Failure;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::caller::RequestAddress;
use crate::error::ApiError;
use crate::rate_limits::{PromocodeChecker, RateAccount, RateLimitExceeded};

/// Whether an order has been left without tickets, as its answer was rendered; not, where no answer was.
#[derive(Clone, Default)]
pub(crate) struct SeenOrder(Arc<AtomicBool>);

impl SeenOrder {
    /// Notes an order as it is now. A batch may run again: what is noted last holds.
    pub(crate) fn note(&self, order: &Order) {
        self.0.store(order.lines.is_empty(), Ordering::Release);
    }

    fn is_empty(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A new order. It is counted before it is made, so that whoever hangs up gains nothing, and no more once it is known to
/// have tickets.
pub(crate) struct NewOrderTurn<'a> {
    app: &'a AppState,
    empty_orders: Option<RateAccount<'a, PartnerId>>,
    counted: Result<(), RateLimitExceeded>,
    /// Notes the order that is made.
    pub(crate) seen: SeenOrder,
}

impl<'a> NewOrderTurn<'a> {
    /// Says in `command` whether the order must have tickets.
    pub(crate) fn begin(app: &'a AppState, command: &mut CreateOrder) -> Self {
        let empty_orders = app.rate_limiters.empty_orders.account(&command.vendor);
        let counted = empty_orders.as_ref().map_or(Ok(()), |account| account.try_acquire(app.engine.now()));
        command.edit.needs_tickets = counted.is_err();
        Self { app, empty_orders, counted, seen: SeenOrder::default() }
    }

    /// What came of it: 429 where the order would have had no tickets, and must.
    pub(crate) fn finish<R>(self, made: Result<R, Failure>) -> Result<R, ApiError> {
        record_unpaid_limit(self.app, &made);
        match (self.counted, &made) {
            (Err(exceeded), Err(Failure::Refused(Refusal::OrderEmpty))) => {
                self.app.engine.limit_hits().record(Limit::EmptyOrders);
                return Err(exceeded.into());
            }
            (Ok(()), Ok(_)) if self.seen.is_empty() => {}
            (Ok(()), _) => {
                if let Some(account) = self.empty_orders {
                    account.give_back(self.app.engine.now());
                }
            }
            (Err(_), _) => {}
        }
        made.map_err(Into::into)
    }
}

/// Counts the promocodes of a quote for a visitor as checks of them: whoever has no key would guess codes by quotes
/// otherwise. Those who sell have limits of their own, and know their codes.
pub(crate) fn count_guesses(
    app: &AppState,
    actor: &Actor,
    RequestAddress(network): RequestAddress,
    promocodes: usize,
) -> Result<(), RateLimitExceeded> {
    let Some(visitor) = PromocodeChecker::of(actor, network).filter(|_| actor.is_shopper() && promocodes > 0) else {
        return Ok(());
    };
    let count = u32::try_from(promocodes).unwrap_or(u32::MAX);
    let counted = app.rate_limiters.promocode_checks.try_acquire_many(&visitor, count, app.engine.now());
    counted.inspect_err(|_| app.engine.limit_hits().record(Limit::PromocodeChecks))
}

/// Whose count a customer's e-mail is in that is taken away, or replaced: each may be a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replaced {
    /// None is replaced, or whoever asks may not do it.
    None,
    /// Of all orders of a vendor.
    OfVendor(PartnerId),
    /// Of the order whose link is shown: nobody takes a vendor's share away who buys there.
    OfOrder(OrderId),
}

impl Replaced {
    fn by(actor: &Actor, order: &Order) -> Self {
        if *actor == Actor::Buyer(order.id) {
            Self::OfOrder(order.id)
        } else if actor.acting_partner() == Ok(order.vendor) {
            Self::OfVendor(order.vendor)
        } else {
            Self::None
        }
    }

    fn try_acquire(self, app: &AppState) -> Result<(), RateLimitExceeded> {
        let (limits, now) = (&app.rate_limiters, app.engine.now());
        let (acquired, limit) = match self {
            Self::None => return Ok(()),
            Self::OfVendor(vendor) => (limits.empty_orders.try_acquire(&vendor, now), Limit::EmptyOrders),
            Self::OfOrder(order) => (limits.shop_emails.try_acquire(&order, now), Limit::ShopEmails),
        };
        acquired.inspect_err(|_| app.engine.limit_hits().record(limit))
    }

    fn give_back(self, app: &AppState) {
        match self {
            Self::None => {}
            Self::OfVendor(vendor) => app.rate_limiters.empty_orders.give_back(&vendor, app.engine.now()),
            Self::OfOrder(order) => app.rate_limiters.shop_emails.give_back(&order, app.engine.now()),
        }
    }
}

/// Counts what was refused because it is held without being paid.
fn record_unpaid_limit<R>(app: &AppState, result: &Result<R, Failure>) {
    if let Err(Failure::Refused(Refusal::UnpaidLimit(bound))) = result {
        app.engine.limit_hits().record(match bound {
            HoldBound::OrdersOfEmail(_) => Limit::UnpaidOrdersOfEmail,
            HoldBound::OrdersOfNetwork(_) => Limit::UnpaidOrdersOfAddress,
            HoldBound::TicketsOfNetwork(_) => Limit::UnpaidTicketsOfAddress,
        });
    }
}

/// A change of an order. One that takes away the customer's e-mail, or replaces it, counts. So does one that leaves an
/// order without tickets; one that gives it some counts the other way.
pub(crate) struct OrderUpdateTurn<'a> {
    app: &'a AppState,
    vendor: PartnerId,
    replaced: Replaced,
    was_empty: bool,
    /// Notes the order as it is changed.
    pub(crate) seen: SeenOrder,
}

impl<'a> OrderUpdateTurn<'a> {
    /// Refuses one more customer than a vendor may name.
    pub(crate) fn begin(
        app: &'a AppState,
        actor: &Actor,
        order: &Order,
        edit: &OrderEdit,
    ) -> Result<Self, RateLimitExceeded> {
        let wanted = edit.customer.as_ref().map(|customer| &customer.email);
        let is_another = order.customer.email.as_ref().is_some_and(|present| match wanted {
            Some(Patch::Set(email)) => email != present,
            Some(Patch::Clear) => true,
            Some(Patch::Keep) | None => false,
        });
        let replaced = if is_another { Replaced::by(actor, order) } else { Replaced::None };
        replaced.try_acquire(app)?;
        let (vendor, was_empty) = (order.vendor, order.lines.is_empty());
        let seen = SeenOrder(Arc::new(was_empty.into()));
        Ok(Self { app, vendor, replaced, was_empty, seen })
    }

    /// What came of it.
    pub(crate) fn finish<R>(self, changed: Result<R, Failure>) -> Result<R, Failure> {
        record_unpaid_limit(self.app, &changed);
        let (orders, now) = (&self.app.rate_limiters.empty_orders, self.app.engine.now());
        if changed.is_err() {
            self.replaced.give_back(self.app);
            return changed;
        }
        match (self.was_empty, self.seen.is_empty()) {
            (false, true) => orders.record(&self.vendor, now),
            (true, false) => orders.give_back(&self.vendor, now),
            (false, false) | (true, true) => {}
        }
        changed
    }
}
