//! Orders: what has to be looked up before their commands.

use kassa_domain::deal::DealId;
use kassa_domain::event::EventId;
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderOutcome, OrderState, UpdateOrder};
use kassa_domain::partner::PartnerId;
use kassa_domain::user::{Email, EnsureUser, UserId};
use kassa_domain::{Actor, Command, Needs, Patch, Refusal, View};

use crate::{By, Engine, Failure};

/// Times that a change looks again, because what it had looked at is not so any more.
pub(crate) const LOOKS_MAX: u32 = 5;

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
        by: impl Into<By<'_>>,
        (event, vendor, deal): (EventId, PartnerId, Option<DealId>),
        request: OrderRequest,
        render: impl Fn(&View, &OrderOutcome) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let command = |edit| CreateOrder { event, vendor, deal, edit };
        let edit = self.with_customer(by, request, command).await?;
        self.execute(by, command(edit), render).await
    }

    /// What an order would come to that is made now: the same decision as that of [`Engine::create_order`],
    /// which nothing is left of.
    pub async fn quote_order<R>(
        &self,
        actor: &Actor,
        (event, vendor, deal): (EventId, PartnerId, Option<DealId>),
        edit: OrderEdit,
        render: impl FnOnce(&View, &OrderOutcome) -> R,
    ) -> Result<R, Failure> {
        self.rehearse(actor, &CreateOrder { event, vendor, deal, edit }, render).await
    }

    /// Changes an order.
    pub async fn update_order<R: Send + 'static>(
        &self,
        by: impl Into<By<'_>>,
        order: OrderId,
        request: OrderRequest,
        render: impl Fn(&View, &OrderOutcome) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        let mut request = Some(request);
        let mut edit = OrderEdit::default();
        for _ in 0..LOOKS_MAX {
            let command = {
                let view = self.view(&Needs { orders: vec![order], ..Needs::default() }).await?;
                let found = view.orders.get(order).ok_or(Refusal::NotFound("order"))?;
                let expired_lines = (found.state() == OrderState::Expired).then(|| found.lines.clone());
                let (event, deal, promocodes) = (found.event, found.deal, found.promocodes.clone());
                move |edit| UpdateOrder {
                    order,
                    event,
                    deal,
                    expired_lines: expired_lines.clone(),
                    promocodes: promocodes.clone(),
                    edit,
                }
            };
            if let Some(request) = request.take() {
                edit = self.with_customer(by, request, &command).await?;
            }
            match self.execute(by, command(edit.clone()), render.clone()).await {
                Err(Failure::Refused(Refusal::Stale)) => {}
                result => return result,
            }
        }
        Err(Failure::Busy)
    }

    /// The edit with the user record of the customer's address.
    async fn with_customer<C: Command>(
        &self,
        by: By<'_>,
        request: OrderRequest,
        command: impl Fn(OrderEdit) -> C,
    ) -> Result<OrderEdit, Failure> {
        let OrderRequest { mut edit, email } = request;
        let email = match email {
            Patch::Keep => return Ok(edit),
            Patch::Clear => Patch::Clear,
            Patch::Set(email) => {
                // Long, and not for every order: the others do not carry it.
                let user = Box::pin(self.customer(by, &email, &edit, command)).await?;
                Patch::Set((email, user))
            }
        };
        edit.customer.get_or_insert_default().email = email;
        Ok(edit)
    }

    /// The user with this address. A record that is not there yet is made only for a command that would
    /// succeed on its conditions: what is refused leaves nothing behind.
    async fn customer<C: Command>(
        &self,
        by: By<'_>,
        email: &Email,
        edit: &OrderEdit,
        command: impl Fn(OrderEdit) -> C,
    ) -> Result<UserId, Failure> {
        let view = self.view(&Needs { emails: vec![email.clone()], ..Needs::default() }).await?;
        if let Some(user) = view.user_by_email(email) {
            return Ok(user.id);
        }
        let mut rehearsed = edit.clone();
        let nobody = UserId::root(0);
        rehearsed.customer.get_or_insert_default().email = Patch::Set((email.clone(), nobody));
        self.rehearse(by, &command(rehearsed), |_, _| ()).await?;
        self.execute(&Actor::System, EnsureUser { email: email.clone() }, |_, user| *user).await
    }
}
