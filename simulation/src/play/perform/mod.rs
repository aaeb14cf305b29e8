//! How each act is given to an engine.

mod accounts;
mod deals;
mod discounts;
mod events;
mod orders;
mod payments;

pub use orders::order_bytes;
pub(crate) use payments::{MoneyMovement, movement};

use kassa_domain::order::{ExpireOrder, Order};
use kassa_domain::{Actor, Command, View};

use super::action_result::{ActionReport, ActionResult, ToReport};
use super::actions::Action;
use super::known_rows::KnownRows;
use super::server::SimServer;

const MINUTE_MS: i64 = 60_000;
/// A day in milliseconds.
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// Who gives acts to a server: what they name is the nth of what is known.
pub struct ActionRunner<'a> {
    /// To whom.
    pub server: &'a SimServer,
    /// What is there to act upon.
    pub known: &'a KnownRows,
    /// Somebody else than whose business it is, who tries it.
    pub stranger: Option<&'a Actor>,
    /// What the caller calls its request: asked for again under the same key, an order is made once.
    pub key: Option<String>,
}

impl<'a> ActionRunner<'a> {
    /// Those whose business it is, without a key.
    pub fn new(server: &'a SimServer, known: &'a KnownRows) -> Self {
        Self { server, known, stranger: None, key: None }
    }
}

impl ActionRunner<'_> {
    /// Performs an act.
    pub async fn perform(&self, act: &Action) -> ActionResult {
        let SimServer { engine, clock, mail_settings } = self.server;
        match act {
            Action::AdvanceClock { minutes } => {
                clock.advance_ms(minutes * MINUTE_MS);
                Ok(ActionReport::Nothing)
            }
            Action::ExpireDue => engine.expire_due().await.map(ActionReport::Expired),
            Action::ExpireOne { order } => match self.known.order(*order) {
                Some(order) => {
                    let Order { id, event, promocodes, lines, .. } = order.clone();
                    let command = ExpireOrder { order: id, event, promocodes, lines: lines.len() };
                    let ended = engine.execute(&Actor::System, command, |_, ended| *ended);
                    ended.await.map(|ended| ActionReport::ExpiredOne(id, ended))
                }
                None => Ok(ActionReport::Nothing),
            },
            Action::RunJobs => engine.run_jobs().await.map(|_| ActionReport::Nothing),
            Action::SendMails => engine.send_due_mails(mail_settings).await.map(ActionReport::Mails),
            Action::PlaceChanges => engine.place_batches().await.map(|_| ActionReport::Nothing),
            Action::LookAtPayments => engine.look_at_payments().await.map(ActionReport::Looked),
            Action::Payment(act) => self.payment(act).await,
            Action::Account(act) => self.account(act).await,
            Action::Event(act) => self.event(act).await,
            Action::Set { set, act } => self.set(*set, act).await,
            Action::Promocode(act) => self.promocode(act).await,
            Action::Promotion(act) => self.promotion(act).await,
            Action::Refund(act) => self.refund(act).await,
            Action::Deal(act) => self.deal(act).await,
            Action::Sale { event, agent, choice, codes, email } => {
                self.sale(*event, *agent, choice, codes.as_ref(), *email).await
            }
            Action::ChangeOrder { order, act } => match self.known.order(*order) {
                Some(order) => self.change(order, act).await,
                None => Ok(ActionReport::Nothing),
            },
        }
    }

    /// Who asks, unless a stranger does.
    fn acting_as(&self, own: Actor) -> Actor {
        self.stranger.cloned().unwrap_or(own)
    }

    async fn execute<C: Command<Outcome: ToReport>>(&self, own: Actor, command: C) -> ActionResult {
        self.server.engine.execute(&self.acting_as(own), command, report).await
    }
}

fn report<T: ToReport>(_: &View, outcome: &T) -> ActionReport {
    outcome.to_report()
}
