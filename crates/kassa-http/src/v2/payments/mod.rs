//! `/v2/resources/orders/{order}/payments`, and lists of them over orders.

pub(super) mod begin;
pub(super) mod checkout;
pub(super) mod get;
pub(super) mod give_back;
pub(super) mod import;
pub(super) mod list;
pub(super) mod model;
pub(super) mod plan_test;
pub(super) mod receive;
pub(super) mod returning;
pub(super) mod stripe_notice;

use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::Shop;
use kassa_domain::payment::{OrderPayment, PaymentStatus};
use kassa_domain::{Actor, Money, ReadSet, View, permission};
use kassa_engine::Engine;
use kassa_engine::payments::NextStep;

use crate::base_url::BaseUrl;
use crate::error::ApiError;
use crate::input::{Input, MoneyInput, Problems, fields};
use crate::related::load_visible_order;
use crate::response::ApiResponse;
use model::{NextStepBody, PaymentBody, PaymentResponse};

fields! {
    /// Money that has come, or has gone back.
    pub(crate) struct MovedMoneyInput {
        /// How much more: by default, all that is missing, or all that is to go back.
        amount: Input<MoneyInput>,
    }
}

impl MovedMoneyInput {
    fn read(self) -> Result<Option<Money>, ApiError> {
        let mut problems = Problems::default();
        let amount = self.amount.optional("amount", &mut problems).map(|amount| amount.0);
        problems.finish()?;
        Ok(amount)
    }
}

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
        let may_pay = permission::write_order(actor, &order, false).is_ok();
        Ok(Self { engine: engine.clone(), base, order, shop, may_pay })
    }

    /// Answers with a payment as it was changed.
    fn into_answer(self) -> impl Fn(&View, &OrderPayment) -> ApiResponse + Clone + Send + 'static {
        move |_, payment| self.answer(payment)
    }

    /// Answers with a payment.
    fn answer(&self, payment: &OrderPayment) -> ApiResponse {
        ApiResponse::ok(&PaymentResponse::new(self.show(payment))).with_revision(payment.revision.number())
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
            NextStep::Checkout => {
                NextStepBody::redirect(self.base.stripe_page_url(&self.engine.order_link(self.order.id), payment.id))
            }
            NextStep::Transfer(account) => NextStepBody::transfer(&account, payment),
            NextStep::Done => NextStepBody::done(),
        }
    }
}
