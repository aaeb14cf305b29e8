//! The beginning of a payment.

use super::SaleRows;
use crate::commands::mail::queue_payment_instructions;
use crate::commands::order::{OrderTransition, PAYMENT_MINUTES};
use crate::commands::payment_closing::close_payments;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::event::{DEFAULT_TICKETS_LIMIT, Event};
use crate::model::order::{Order, OrderStatusKind};
use crate::model::payment::{OrderPayment, PAYMENTS_PER_ORDER_MAX, PaymentReason, PaymentReference, PaymentStatus};
use crate::model::shop::{PaymentProvider, Shop};
use crate::permission;
use crate::refusal::{ForbiddenReason, Refusal};
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::values::time::{DAY_MS, Timestamp};
use crate::view::{ReadSet, View};

/// How long a transfer takes at least: nobody is asked for one that cannot come in time.
const TRANSFER_DAYS_MIN: i64 = 1;
/// How long tickets wait for a card: pages of Stripe are open for half an hour at least, and the customer goes there first.
const CARD_MINUTES: u32 = 35;
/// How long the tickets of an event without a time wait for their money at the door.
const DOOR_DAYS_MAX: i64 = 30;

/// Begins the payment of an order: by whoever has its link, or by its vendor. One that has begun the same way goes on; one
/// that has begun another way is canceled. An order that costs nothing is paid at once, without a payment.
#[derive(Debug)]
pub struct BeginPayment {
    /// Its order.
    pub rows: SaleRows,
    /// The order's vendor, which never changes.
    pub vendor: PartnerId,
    /// How the money shall come; not needed for an order that costs nothing.
    pub provider: Option<PaymentProvider>,
}

/// What has begun.
#[derive(Clone, Debug)]
pub struct BegunPayment {
    /// The order as it is now.
    pub order: Order,
    /// Its payment; none if it costs nothing.
    pub payment: Option<OrderPayment>,
}

impl Command for BeginPayment {
    type Outcome = BegunPayment;

    fn shard(&self) -> ShardTag {
        self.rows.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        self.rows.read_set(read_set);
        read_set.partners_to_read.push(self.vendor);
    }

    fn weight(&self) -> u32 {
        self.rows.weight() + DEFAULT_TICKETS_LIMIT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<BegunPayment, Refusal> {
        let mut order = view.orders.get(self.rows.order).ok_or(Refusal::NotFound("order"))?.clone();
        permission::write_order(cx.actor, &order, false)?;
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?.clone();
        let shop = view.partners.get(self.vendor).ok_or(Refusal::Stale)?.profile.shop.clone();
        if !shop.is_open {
            return Err(ForbiddenReason::ShopClosed.into());
        }
        let state = order.state();
        if !order.is_live() {
            return Err(Refusal::OrderTransition { from: state, to: OrderStatusKind::AwaitingPayment });
        }
        if order.lines.is_empty() {
            return Err(Refusal::OrderEmpty);
        }
        if order.customer.email.is_none() {
            return Err(Refusal::CustomerEmailRequired);
        }
        if cx.actor.is_shopper() {
            order.check_checkout(&event, &shop)?;
        }
        if event.is_over(cx.now) {
            return Err(Refusal::EventOver);
        }
        let full = order.totals().full;
        if full == Money::ZERO {
            order.payment.send_tickets = true;
            close_payments(&order, None, PaymentReason::OrderPaid, cx, view);
            order.payment.system = order.payment.system.filter(|system| !system.has_payments());
            order.transition(OrderTransition::Paid, &event, cx, view)?;
            view.orders.put(order.clone());
            return Ok(BegunPayment { order, payment: None });
        }
        let is_offered = |provider: &PaymentProvider| cx.settings.allows(*provider) && shop.offers(*provider);
        let provider = self.provider.filter(is_offered);
        let provider = provider.ok_or(Refusal::PaymentNotOffered)?;
        let others: Vec<OrderPayment> = view.payments.rows().filter(|other| other.order == order.id).cloned().collect();
        let goes_on = |other: &&OrderPayment| {
            (other.status, other.provider, other.amount) == (PaymentStatus::Pending, provider, full)
        };
        if let Some(payment) = others.iter().find(goes_on).cloned() {
            return Ok(BegunPayment { order, payment: Some(payment) });
        }
        let begun = u32::try_from(others.len()).unwrap_or(PAYMENTS_PER_ORDER_MAX);
        if begun >= PAYMENTS_PER_ORDER_MAX {
            return Err(Refusal::TooMany { what: "payments of one order", max: PAYMENTS_PER_ORDER_MAX });
        }
        let due_at = due_at(provider, &order, &event, &shop, cx.now)?;
        close_payments(&order, None, PaymentReason::Replaced, cx, view);
        order.await_money(provider, due_at, &event, cx, view)?;
        view.orders.put(order.clone());
        let payment = OrderPayment::begin(&order, provider, full, begun, due_at, cx, view);
        // Whom nobody asks to pay then and there has it in the mailbox what to do.
        if !provider.can_be_asked() {
            queue_payment_instructions(&order, &payment, cx, view);
        }
        Ok(BegunPayment { order, payment: Some(payment) })
    }
}

impl Order {
    /// Holds its tickets until the money shall be there.
    fn await_money(
        &mut self,
        provider: PaymentProvider,
        due_at: Timestamp,
        event: &Event,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let was = self.clone();
        self.payment.system = Some(provider.system());
        self.payment.send_tickets = true;
        if self.state() == OrderStatusKind::AwaitingPayment {
            self.hold_until(due_at, view);
            let facts = self.edit_facts(&was);
            cx.state(self, ChangeType::OrderChanged, facts, view);
            return Ok(());
        }
        self.begin_payment_till(due_at, event, cx, view)
    }
}

impl OrderPayment {
    /// A new payment of an order, which waits for its money.
    fn begin(
        order: &Order,
        provider: PaymentProvider,
        amount: Money,
        begun: u32,
        due_at: Timestamp,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Self {
        let mut payment = Self {
            id: cx.id_with_tag(order.event.tag()),
            order: order.id,
            event: order.event,
            organizer: order.organizer,
            vendor: order.vendor,
            provider,
            status: PaymentStatus::Pending,
            reason: None,
            amount,
            received: Money::ZERO,
            used: Money::ZERO,
            returned: Money::ZERO,
            reference: PaymentReference::new(order.number, begun),
            due_at,
            poll_at: None,
            polls: 0,
            plan: None,
            checkout: None,
            entries: Vec::new(),
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        payment.poll_at = payment.next_poll(cx.now);
        let facts = payment.start_facts();
        cx.state(&mut payment, ChangeType::PaymentStarted, facts, view);
        view.payments.put(payment.clone());
        payment
    }
}

/// Until when the money shall come: till then the tickets are held, however often the way to pay is changed.
fn due_at(
    provider: PaymentProvider,
    order: &Order,
    event: &Event,
    shop: &Shop,
    now: Timestamp,
) -> Result<Timestamp, Refusal> {
    let start = event.lifetime.map(|lifetime| lifetime.start);
    let (due_at, earliest) = match provider {
        PaymentProvider::Test => (now.plus_minutes(PAYMENT_MINUTES), now),
        PaymentProvider::Stripe => (now.plus_minutes(CARD_MINUTES), now),
        PaymentProvider::Transfer => {
            let account = shop.transfer.as_ref().ok_or(Refusal::PaymentNotOffered)?;
            let due_at = order.created_at.plus_ms(i64::from(account.days) * DAY_MS);
            (start.map_or(due_at, |start| start.min(due_at)), now.plus_ms(TRANSFER_DAYS_MIN * DAY_MS))
        }
        PaymentProvider::Door => (start.unwrap_or(order.created_at.plus_ms(DOOR_DAYS_MAX * DAY_MS)), now),
    };
    if due_at <= earliest { Err(Refusal::PaymentTooLate) } else { Ok(due_at) }
}
