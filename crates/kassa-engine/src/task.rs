//! One command on its way through a lane, whatever its type.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use kassa_domain::change::Origin;
use kassa_domain::command;
use kassa_domain::context::RandomBits;
use kassa_domain::node::Node;
use kassa_domain::{Actor, Command, Context, DecisionSettings, ReadSet, ShardTag, Timestamp, View, permission};
use kassa_store::memory_budget::MemoryMeter;
use tokio::sync::oneshot;

use crate::caller::{self, CallerRef, RequestConditions};
use crate::failure::Failure;
use crate::tenant::Tenant;
use crate::traces::CommandTrace;

/// What a lane lends to each decision.
pub(crate) struct DecisionEnv<'a> {
    pub(crate) now: Timestamp,
    pub(crate) settings: &'a DecisionSettings,
    pub(crate) node: &'a mut Node,
    pub(crate) random: &'a mut dyn RandomBits,
}

/// The response to a command that was not refused.
pub(crate) enum Executed<R> {
    /// It was decided now.
    Decided(R),
    /// It was answered before under its idempotency key: nothing was decided.
    Replayed(R),
}

impl<R> Executed<R> {
    pub(crate) fn into_response(self) -> R {
        match self {
            Self::Decided(response) | Self::Replayed(response) => response,
        }
    }
}

/// Sends the result of a command to its caller.
pub(crate) type ReplySender<R> = oneshot::Sender<Result<Executed<R>, Failure>>;
/// Receives the result of a command.
pub(crate) type ReplyReceiver<R> = oneshot::Receiver<Result<Executed<R>, Failure>>;

/// A command with its caller, who waits for the result.
pub(crate) trait Task: Send {
    fn read_set(&self, read_set: &mut ReadSet);
    fn weight(&self) -> u32;
    /// On whose account it runs.
    fn tenant(&self) -> Tenant;
    /// Where it meets other commands.
    fn shard(&self) -> ShardTag;
    /// Whether all sets of its event are loaded with it.
    fn loads_event(&self) -> bool;
    /// Whether nobody waits for it any more.
    fn is_abandoned(&self) -> bool;
    /// Decides and renders. A refusal is rolled back. May run again.
    fn attempt(&mut self, env: DecisionEnv<'_>, view: &mut View);
    /// Whether the last attempt was refused.
    fn is_refused(&self) -> bool;
    /// Answers, once the batch is durable or has failed.
    fn reply(self: Box<Self>, batch: Result<(), Failure>);
}

pub(crate) struct CommandTask<C, R, F> {
    actor: Actor,
    origin: Origin,
    conditions: Option<Arc<RequestConditions>>,
    command: C,
    render: F,
    weight: u32,
    tenant: Tenant,
    shard: ShardTag,
    loads_event: OnceLock<bool>,
    result: Option<Result<Executed<R>, Failure>>,
    /// The memory of the request.
    meter: Option<Arc<MemoryMeter>>,
    trace: Option<Box<CommandTrace>>,
    reply: ReplySender<R>,
}

impl<C, R, F> CommandTask<C, R, F> {
    pub(crate) fn new(by: CallerRef<'_>, command: C, render: F, reply: ReplySender<R>) -> Self
    where
        C: Command,
    {
        let (weight, shard, tenant) = (command.weight(), command.shard(), by.tenant);
        let (actor, origin, conditions) = (by.actor.clone(), by.origin, by.conditions.cloned());
        let (loads_event, result, trace) = (OnceLock::new(), None, CommandTrace::begin());
        let meter = MemoryMeter::try_current();
        Self {
            actor,
            origin,
            conditions,
            command,
            render,
            weight,
            tenant,
            shard,
            loads_event,
            result,
            meter,
            trace,
            reply,
        }
    }

    fn conditions(&self) -> &RequestConditions {
        self.conditions.as_deref().unwrap_or(&caller::UNCONDITIONAL)
    }
}

impl<C, R, F> CommandTask<C, R, F>
where
    C: Command,
    R: Send + 'static,
    F: Fn(&View, &C::Outcome) -> R,
{
    /// Decides under the conditions of the caller, and stores the response if the request has an idempotency key.
    fn decide(&self, actor: &Actor, env: DecisionEnv<'_>, view: &mut View) -> Result<R, Failure> {
        let DecisionEnv { now, settings, node, random } = env;
        let conditions = self.conditions();
        if let Some(request) = &conditions.idempotency {
            request.check_room(&settings.quotas, view)?;
        }
        let held = conditions.are_met(view);
        let mut cx = Context { actor, origin: self.origin, now, settings, node, random: &mut *random };
        let decided = command::decide(&self.command, &mut cx, view).map(|outcome| self.render(view, &outcome));
        let answer = RequestConditions::apply_precondition(decided, held)??;
        if let Some(request) = &conditions.idempotency {
            request.record(&answer, (now, &settings.quotas), random, view)?;
        }
        Ok(answer)
    }

    /// What is answered. What there is no memory for is not done: once it is, its answer is not refused.
    fn render(&self, view: &View, outcome: &C::Outcome) -> Result<R, Failure> {
        let render = || (self.render)(view, outcome);
        self.meter.as_ref().map_or_else(|| Ok(render()), |meter| Ok(meter.render(render)?))
    }

    /// The stored response, else the decision. Nothing is said to an actor that was suspended since its credential was
    /// looked up.
    fn replay_or_decide(&self, env: DecisionEnv<'_>, view: &mut View) -> Result<Executed<R>, Failure> {
        let actor = permission::admit(&self.actor, view)?;
        let idempotency = self.conditions().idempotency.as_ref();
        match idempotency.and_then(|request| request.replay(view, env.now)) {
            Some(replayed) => replayed.map(Executed::Replayed),
            None => self.decide(&actor, env, view).map(Executed::Decided),
        }
    }
}

impl<C, R, F> Task for CommandTask<C, R, F>
where
    C: Command,
    R: Send + 'static,
    F: Fn(&View, &C::Outcome) -> R + Send + 'static,
{
    fn read_set(&self, read_set: &mut ReadSet) {
        self.conditions().read_set(read_set);
        permission::add_actor_reads(&self.actor, read_set);
        self.command.read_set(read_set);
    }

    fn loads_event(&self) -> bool {
        *self.loads_event.get_or_init(|| {
            let mut read_set = ReadSet::default();
            // One that panics will do so again in its batch, which then fails by itself.
            let named = catch_unwind(AssertUnwindSafe(|| self.command.read_set(&mut read_set)));
            named.is_err() || !read_set.sets_of.is_empty()
        })
    }

    fn weight(&self) -> u32 {
        self.weight
    }

    fn tenant(&self) -> Tenant {
        self.tenant
    }

    fn shard(&self) -> ShardTag {
        self.shard
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }

    fn is_refused(&self) -> bool {
        matches!(self.result, Some(Err(_)))
    }

    fn attempt(&mut self, env: DecisionEnv<'_>, view: &mut View) {
        let mut trace = self.trace.take();
        let result = CommandTrace::decide(&mut trace, || self.replay_or_decide(env, view));
        self.trace = trace;
        match result {
            Ok(Executed::Decided(_)) => view.accept_changes(),
            Ok(Executed::Replayed(_)) | Err(_) => view.roll_back(),
        }
        self.result = Some(result);
    }

    fn reply(self: Box<Self>, batch: Result<(), Failure>) {
        let answer = match (batch, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(Failure::Unavailable),
            (Err(failure), _) => Err(failure),
        };
        let request = self.conditions.as_ref().and_then(|conditions| conditions.idempotency.as_ref());
        if let (Some(request), Ok(Executed::Decided(_))) = (request, &answer) {
            request.set_recorded();
        }
        if let Some(trace) = self.trace {
            trace.end();
        }
        // The caller may have gone; the command is committed all the same.
        let _ = self.reply.send(answer);
    }
}
