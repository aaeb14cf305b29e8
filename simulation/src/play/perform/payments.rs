//! Payments: they are begun, and money comes and goes by them.

use kassa_domain::attachment::Hex128;
use kassa_domain::payment::{BegunPayment, OrderPayment, PaymentNews, PaymentReport};
use kassa_domain::{Actor, Money, View};

use super::ActionRunner;
use crate::play::action_result::{ActionReport, ActionResult};
use crate::play::actions::PaymentAction;
use crate::play::known_rows::KnownRows;

/// Money that moves by a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoneyMovement {
    /// The provider has so much in all.
    Reported(Money),
    /// The vendor has got so much more, by this entry of a statement.
    Received(Money, Option<Hex128>),
    /// The vendor has sent so much back.
    Returned(Money),
}

/// The payment that an act moves money by, and what moves.
pub(crate) fn movement<'a>(act: &PaymentAction, known: &'a KnownRows) -> Option<(&'a OrderPayment, MoneyMovement)> {
    let payment = known.payment(act.payment()?)?;
    let movement = match act {
        PaymentAction::Pay { percent, entry, .. } => {
            let amount = Money::from_minor(payment.amount.minor() * percent / 100);
            if payment.provider.can_be_asked() {
                MoneyMovement::Reported(amount)
            } else {
                MoneyMovement::Received(amount, entry.map(|entry| Hex128([entry; 16])))
            }
        }
        PaymentAction::GiveBack { .. } => MoneyMovement::Returned(payment.to_return()),
        PaymentAction::Begin { .. } | PaymentAction::PlanTest { .. } | PaymentAction::Decline { .. } => return None,
    };
    Some((payment, movement))
}

impl ActionRunner<'_> {
    pub(super) async fn payment(&self, act: &PaymentAction) -> ActionResult {
        match act {
            PaymentAction::Begin { order, provider } => {
                let Some(order) = self.known.order_to_pay(*order) else { return Ok(ActionReport::Nothing) };
                let actor = self.acting_as(Actor::Buyer(order.id));
                let render = |_: &View, begun: &BegunPayment| {
                    ActionReport::Payment(Box::new(begun.order.clone()), begun.payment.clone().map(Box::new))
                };
                self.server.engine.begin_payment(&actor, order.id, Some(*provider), render).await
            }
            PaymentAction::PlanTest { payment, outcome } => match self.known.payment(*payment) {
                Some(payment) => {
                    let buyer = Actor::Buyer(payment.order);
                    self.tell(buyer, payment, PaymentNews::TestOutcome(*outcome)).await
                }
                None => Ok(ActionReport::Nothing),
            },
            PaymentAction::Decline { payment } => match self.known.payment(*payment) {
                Some(payment) if payment.provider.can_be_asked() => {
                    self.tell(Actor::System, payment, PaymentNews::Report(PaymentReport::Declined)).await
                }
                Some(_) | None => Ok(ActionReport::Nothing),
            },
            PaymentAction::Pay { .. } | PaymentAction::GiveBack { .. } => self.move_money(act).await,
        }
    }

    async fn move_money(&self, act: &PaymentAction) -> ActionResult {
        let Some((payment, moved)) = movement(act, self.known) else { return Ok(ActionReport::Nothing) };
        let vendor = Actor::Partner(payment.vendor);
        match moved {
            MoneyMovement::Reported(total) => {
                self.tell(Actor::System, payment, PaymentNews::Report(PaymentReport::Received(total))).await
            }
            MoneyMovement::Received(amount, entry) => {
                self.tell(vendor, payment, PaymentNews::Received { amount: Some(amount), entry }).await
            }
            MoneyMovement::Returned(amount) => {
                let (actor, OrderPayment { id, order, .. }) = (self.acting_as(vendor), payment);
                self.server.engine.return_payment(&actor, *order, *id, Some(amount), report).await
            }
        }
    }

    async fn tell(&self, own: Actor, payment: &OrderPayment, news: PaymentNews) -> ActionResult {
        let actor = self.acting_as(own);
        self.server.engine.settle_payment(&actor, payment.order, payment.id, news, report).await
    }
}

/// The payment, and its order as the same command has left it.
fn report(view: &View, payment: &OrderPayment) -> ActionReport {
    match view.orders.get(payment.order) {
        Some(order) => ActionReport::Payment(Box::new(order.clone()), Some(Box::new(payment.clone()))),
        None => ActionReport::Nothing,
    }
}
