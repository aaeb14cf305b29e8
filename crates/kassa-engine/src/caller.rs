//! Who asks, and on which conditions.

use std::ops::Deref;
use std::sync::Arc;

use kassa_domain::precondition::Precondition;
use kassa_domain::view::View;
use kassa_domain::{Actor, ReadSet, Refusal};

use crate::idempotency::IdempotentRequest;

/// What a request wants of its main command, besides what the command says. What is done before that, as
/// keeping the bytes of an attachment, can be repeated, and knows nothing of it.
#[derive(Debug, Default)]
pub struct RequestConditions {
    /// That it is not decided twice.
    pub idempotency: Option<Arc<IdempotentRequest>>,
    /// That what it changes is as it was.
    pub precondition: Option<Precondition>,
}

/// What is decided without conditions.
pub(crate) static UNCONDITIONAL: RequestConditions = RequestConditions { idempotency: None, precondition: None };

impl RequestConditions {
    /// Names the rows that they are about.
    pub(crate) fn read_set(&self, read_set: &mut ReadSet) {
        if let Some(once) = &self.idempotency {
            once.read_set(read_set);
        }
        if let Some(expects) = &self.precondition {
            expects.read_set(read_set);
        }
    }

    /// Whether the rows are as they are expected to be.
    pub(crate) fn are_met(&self, view: &View) -> bool {
        self.precondition.as_ref().is_none_or(|expects| expects.holds(view))
    }

    /// What was decided, if the rows were as expected. Who may not see or change them learns nothing more.
    pub(crate) fn apply_precondition<R>(decided: Result<R, Refusal>, held: bool) -> Result<R, Refusal> {
        match decided {
            Err(refusal) if refusal.precedes_preconditions() => Err(refusal),
            _ if !held => Err(Refusal::PreconditionFailed),
            decided => decided,
        }
    }
}

/// The caller of a request.
#[derive(Clone, Debug)]
pub struct Caller {
    actor: Actor,
    conditions: Option<Arc<RequestConditions>>,
}

impl Caller {
    /// One whose main command is decided on these conditions, if there are any.
    pub fn new(actor: Actor, conditions: Option<Arc<RequestConditions>>) -> Self {
        Self { actor, conditions }
    }

    /// The same conditions, for a command of somebody else: what the caller may do is known by other means.
    pub(crate) fn on_behalf_of<'a>(&'a self, actor: &'a Actor) -> CallerRef<'a> {
        CallerRef { actor, conditions: self.conditions.as_ref() }
    }
}

impl Deref for Caller {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

/// By whom a command is given: an [`Caller`], or an [`Actor`] without conditions.
#[derive(Clone, Copy, Debug)]
pub struct CallerRef<'a> {
    pub(crate) actor: &'a Actor,
    pub(crate) conditions: Option<&'a Arc<RequestConditions>>,
}

impl<'a> CallerRef<'a> {
    /// The conditions, of which there may be none.
    pub(crate) fn conditions(self) -> &'a RequestConditions {
        self.conditions.map_or(&UNCONDITIONAL, |conditions| conditions)
    }
}

impl<'a> From<&'a Actor> for CallerRef<'a> {
    fn from(actor: &'a Actor) -> Self {
        Self { actor, conditions: None }
    }
}

impl<'a> From<&'a Caller> for CallerRef<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self { actor: &caller.actor, conditions: caller.conditions.as_ref() }
    }
}
