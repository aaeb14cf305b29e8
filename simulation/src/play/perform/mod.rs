//! How each act is given to an engine.

mod accounts;
mod deals;
mod discounts;
mod events;
mod orders;

pub use orders::order_bytes;

use kassa_domain::order::{ExpireOrder, Order};
use kassa_domain::{Actor, Command, View};

use super::acts::Act;
use super::answer::{Answer, Report, Told};
use super::known::Known;
use super::server::Server;

const MINUTE_MS: i64 = 60_000;

/// Who gives acts to a server: what they name is the nth of what is known.
pub struct Player<'a> {
    /// To whom.
    pub server: &'a Server,
    /// What is there to act upon.
    pub known: &'a Known,
    /// Somebody else than whose business it is, who tries it.
    pub stranger: Option<&'a Actor>,
    /// What the caller calls its request: asked for again under the same key, an order is made once.
    pub key: Option<String>,
}

impl<'a> Player<'a> {
    /// Those whose business it is, without a key.
    pub fn new(server: &'a Server, known: &'a Known) -> Self {
        Self { server, known, stranger: None, key: None }
    }
}

impl Player<'_> {
    /// Performs an act.
    pub async fn perform(&self, act: &Act) -> Answer {
        let Server { engine, clock, post } = self.server;
        match act {
            Act::Wait { minutes } => {
                clock.advance_ms(minutes * MINUTE_MS);
                Ok(Report::Nothing)
            }
            Act::Expire => engine.expire_due().await.map(Report::Expired),
            Act::ExpireOne { order } => match self.known.order(*order) {
                Some(order) => {
                    let Order { id, event, promocodes, .. } = order.clone();
                    let ended = engine.execute(&Actor::System, ExpireOrder { order: id, event, promocodes }, |_, o| *o);
                    ended.await.map(|ended| Report::ExpiredOne(id, ended))
                }
                None => Ok(Report::Nothing),
            },
            Act::RunJobs => engine.run_jobs().await.map(|()| Report::Nothing),
            Act::SendMails => engine.send_due_mails(post).await.map(Report::Mails),
            Act::Account(act) => self.account(act).await,
            Act::Event(act) => self.event(act).await,
            Act::Set { set, act } => self.set(*set, act).await,
            Act::Promocode(act) => self.promocode(act).await,
            Act::Promotion(act) => self.promotion(act).await,
            Act::Refund(act) => self.refund(act).await,
            Act::Deal(act) => self.deal(act).await,
            Act::Sale { event, agent, wish, codes, email } => {
                self.sale(*event, *agent, (wish, codes.as_ref()), *email).await
            }
            Act::Change { order, act } => match self.known.order(*order) {
                Some(order) => self.change(order, act).await,
                None => Ok(Report::Nothing),
            },
        }
    }

    /// Who asks, unless a stranger does.
    fn caller(&self, own: Actor) -> Actor {
        self.stranger.cloned().unwrap_or(own)
    }

    async fn give<C: Command<Outcome: Told>>(&self, own: Actor, command: C) -> Answer {
        self.server.engine.execute(&self.caller(own), command, report_of).await
    }
}

fn report_of<T: Told>(_: &View, outcome: &T) -> Report {
    outcome.told()
}
