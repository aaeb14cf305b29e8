//! Orders: what has to be looked up before their commands.

use kassa_domain::event::EventId;
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderOutcome, OrderState, UpdateOrder};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, EnsureUser};
use kassa_domain::{Actor, Needs, Patch, Refusal, View, permission};

use crate::{Engine, Failure};

/// Times that a change of an order looks again, because the order expired meanwhile.
const LOOKS_MAX: u32 = 5;

/// A request to an order.
#[derive(Clone, Debug, Default)]
pub struct OrderRequest {
    /// What changes.
    pub edit: OrderEdit,
    /// The customer's address; its user record is made or found.
    pub email: Patch<Email>,
}

impl Engine {
    /// Makes an order.
    pub async fn create_order<R: Send + 'static>(
        &self,
        actor: &Actor,
        (event, vendor, deal): (EventId, PartnerId, Option<String>),
        request: OrderRequest,
        render: impl Fn(&View, &OrderOutcome) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let edit = self.with_customer(request).await?;
        self.execute(actor, CreateOrder { event, vendor, deal, edit }, render).await
    }

    /// Changes an order.
    pub async fn update_order<R: Send + 'static>(
        &self,
        actor: &Actor,
        order: OrderId,
        request: OrderRequest,
        render: impl Fn(&View, &OrderOutcome) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let mut request = Some(request);
        let mut edit = OrderEdit::default();
        for _ in 0..LOOKS_MAX {
            let view = self.view(&Needs { orders: vec![order], ..Needs::default() }).await?;
            let found = view.orders.get(order).ok_or(Refusal::NotFound("order"))?;
            if let Some(request) = request.take() {
                // Before a record of a customer is made for somebody who may not even look.
                permission::write_order(actor, found, request.edit.only_cancels() && !request.email.is_given())?;
                edit = self.with_customer(request).await?;
            }
            let expired_lines = (found.state() == OrderState::Expired).then(|| found.lines.clone());
            let command = UpdateOrder { order, event: found.event, expired_lines, edit: edit.clone() };
            match self.execute(actor, command, render.clone()).await {
                Err(Failure::Refused(Refusal::Stale)) => {}
                result => return result,
            }
        }
        Err(Failure::Busy)
    }

    async fn with_customer(&self, request: OrderRequest) -> Result<OrderEdit, Failure> {
        let OrderRequest { mut edit, email } = request;
        if email.is_given() {
            let email = match email {
                Patch::Set(email) => {
                    let command = EnsureUser { email: email.clone() };
                    let user = self.execute(&Actor::System, command, |_, user| *user).await?;
                    Patch::Set((email, user))
                }
                Patch::Clear => Patch::Clear,
                Patch::Keep => Patch::Keep,
            };
            edit.customer.get_or_insert_default().email = email;
        }
        Ok(edit)
    }
}
