//! `/v2/resources/orders/{order}/payments`

pub(super) mod begin;
pub(super) mod get;
pub(super) mod give_back;
pub(super) mod list;
pub(super) mod model;
pub(super) mod plan_test;
pub(super) mod receive;

use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::Shop;
use kassa_domain::payment::{OrderPayment, PaymentStatus};
use kassa_domain::{Actor, ReadSet};
use kassa_engine::Engine;
use kassa_engine::payments::NextStep;

use crate::base_url::BaseUrl;
use crate::error::ApiError;
use crate::related::load_visible_order;
use model::{NextStepBody, PaymentBody};

/// What answers about payments of an order say besides the payments.
#[derive(Clone)]
struct PaymentContext {
    engine: Engine,
    base: BaseUrl,
    order: Order,
    shop: Shop,
    /// Whether the caller is told how to pay: whoever has the order's link, and who may give it away.
    may_pay: bool,
}

impl PaymentContext {
    /// Of an order that the caller may see.
    async fn load(engine: &Engine, actor: &Actor, base: BaseUrl, order: OrderId) -> Result<Self, ApiError> {
        let order = load_visible_order(engine, actor, order).await?;
        let view = engine.view(&ReadSet { partners: vec![order.vendor], ..ReadSet::default() }).await?;
        let shop = view.partners.get(order.vendor).map(|vendor| vendor.profile.shop.clone()).unwrap_or_default();
        let may_pay = *actor == Actor::Buyer(order.id) || actor.acts_for(order.vendor);
        Ok(Self { engine: engine.clone(), base, order, shop, may_pay })
    }

    /// A payment as the caller sees it.
    fn show(&self, payment: &OrderPayment) -> PaymentBody {
        let is_open = self.may_pay && payment.status == PaymentStatus::Pending;
        PaymentBody::new(payment, is_open.then(|| self.next_step(payment)))
    }

    fn next_step(&self, payment: &OrderPayment) -> NextStepBody {
        match self.engine.next_step(payment, &self.shop) {
            NextStep::Page => {
                NextStepBody::redirect(self.base.test_payment_url(&self.engine.order_link(self.order.id), payment.id))
            }
            NextStep::Transfer(account) => NextStepBody::transfer(&account, payment),
            NextStep::Done => NextStepBody::done(),
        }
    }
}
