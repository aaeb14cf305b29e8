//! One command on its way through a lane, whatever its type.

use kassa_domain::context::Random;
use kassa_domain::node::Node;
use kassa_domain::{Actor, Command, Context, Needs, Refusal, Settings, Timestamp, View};
use tokio::sync::oneshot;

use crate::failure::Failure;

/// What a lane lends to each decision.
pub(crate) struct Surroundings<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a Settings,
    pub(crate) node: &'a mut Node,
    pub(crate) random: &'a mut dyn Random,
}

/// A command with the one who waits for it.
pub(crate) trait Task: Send {
    fn needs(&self, needs: &mut Needs);
    fn weight(&self) -> u32;
    /// Whether nobody waits for it any more.
    fn is_given_up(&self) -> bool;
    /// Decides and renders. What a refusal changed is taken back. May run again.
    fn attempt(&mut self, surroundings: Surroundings<'_>, view: &mut View);
    /// Answers, once the batch is durable or has failed.
    fn settle(self: Box<Self>, batch: Result<(), Failure>);
}

pub(crate) struct Entry<C, R, F> {
    actor: Actor,
    command: C,
    render: F,
    weight: u32,
    result: Option<Result<R, Refusal>>,
    reply: oneshot::Sender<Result<R, Failure>>,
}

impl<C, R, F> Entry<C, R, F> {
    pub(crate) fn new(actor: Actor, command: C, render: F, reply: oneshot::Sender<Result<R, Failure>>) -> Self
    where
        C: Command,
    {
        let weight = command.weight();
        Self { actor, command, render, weight, result: None, reply }
    }
}

impl<C, R, F> Task for Entry<C, R, F>
where
    C: Command,
    R: Send + 'static,
    F: Fn(&View, &C::Outcome) -> R + Send + 'static,
{
    fn needs(&self, needs: &mut Needs) {
        self.command.needs(needs);
    }

    fn weight(&self) -> u32 {
        self.weight
    }

    fn is_given_up(&self) -> bool {
        self.reply.is_closed()
    }

    fn attempt(&mut self, surroundings: Surroundings<'_>, view: &mut View) {
        let Surroundings { now, settings, node, random } = surroundings;
        let mut cx = Context { actor: &self.actor, now, settings, node, random };
        let result = self.command.decide(&mut cx, view).map(|outcome| (self.render)(view, &outcome));
        match result {
            Ok(_) => view.accept(),
            Err(_) => view.take_back(),
        }
        self.result = Some(result);
    }

    fn settle(self: Box<Self>, batch: Result<(), Failure>) {
        let answer = match (batch, self.result) {
            (Ok(()), Some(result)) => result.map_err(Failure::Refused),
            (Ok(()), None) => Err(Failure::Unavailable),
            (Err(failure), _) => Err(failure),
        };
        // Nobody may be waiting any more; what was begun stands all the same.
        let _ = self.reply.send(answer);
    }
}
