//! The caller of a command, and under which conditions it is decided.

use std::ops::Deref;
use std::sync::Arc;

use kassa_domain::change::Origin;
use kassa_domain::precondition::Precondition;
use kassa_domain::view::View;
use kassa_domain::{Actor, ReadSet, Refusal};

use crate::idempotency::IdempotentRequest;
use crate::tenant::Tenant;

/// The conditions under which the main command of a request is decided. What is done before that, such as storing the
/// bytes of an attachment, can be repeated, and does not depend on them.
#[derive(Debug, Default)]
pub struct RequestConditions {
    /// The request under its idempotency key: it is not decided twice.
    pub idempotency: Option<Arc<IdempotentRequest>>,
    /// The revision of the resource that the caller expects.
    pub precondition: Option<Precondition>,
}

/// No conditions.
pub(crate) static UNCONDITIONAL: RequestConditions = RequestConditions { idempotency: None, precondition: None };

impl RequestConditions {
    /// Names the rows that they are about.
    pub(crate) fn read_set(&self, read_set: &mut ReadSet) {
        if let Some(request) = &self.idempotency {
            request.read_set(read_set);
        }
        if let Some(precondition) = &self.precondition {
            precondition.read_set(read_set);
        }
    }

    /// Whether the precondition holds.
    pub(crate) fn are_met(&self, view: &View) -> bool {
        self.precondition.as_ref().is_none_or(|precondition| precondition.holds(view))
    }

    /// The decision, if the precondition held. Refusals that precede preconditions come first: a caller who may not see
    /// or change a row does not learn whether the precondition held.
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
    origin: Origin,
    conditions: Option<Arc<RequestConditions>>,
}

impl Caller {
    /// A caller whose main command is decided under these conditions, if there are any.
    pub fn new(actor: Actor, conditions: Option<Arc<RequestConditions>>) -> Self {
        Self { actor, origin: Origin::default(), conditions }
    }

    /// The same caller, who asks from there.
    #[must_use]
    pub fn from_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The same caller without its conditions: for commands of which one request needs several. They can be repeated, and
    /// the answer to the request is stored apart.
    pub fn unconditional(&self) -> CallerRef<'_> {
        CallerRef { origin: self.origin, ..CallerRef::from(&self.actor) }
    }

    /// The same conditions for a command of another actor: other means have shown what the caller may do.
    pub(crate) fn on_behalf_of<'a>(&'a self, actor: &'a Actor) -> CallerRef<'a> {
        CallerRef {
            actor,
            origin: self.origin,
            conditions: self.conditions.as_ref(),
            tenant: Tenant::from(&self.actor),
        }
    }
}

impl Deref for Caller {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

/// The caller of a command: a [`Caller`], or an [`Actor`] without conditions.
#[derive(Clone, Copy, Debug)]
pub struct CallerRef<'a> {
    pub(crate) actor: &'a Actor,
    /// From where it asks, as the log of changes says.
    pub(crate) origin: Origin,
    pub(crate) conditions: Option<&'a Arc<RequestConditions>>,
    /// On whose account its command runs.
    pub(crate) tenant: Tenant,
}

impl<'a> CallerRef<'a> {
    /// The system, for a request of a tenant.
    pub(crate) fn system_for(tenant: Tenant) -> Self {
        Self { actor: &Actor::System, origin: Origin::default(), conditions: None, tenant }
    }

    /// The conditions, of which there may be none.
    pub(crate) fn conditions(self) -> &'a RequestConditions {
        self.conditions.map_or(&UNCONDITIONAL, |conditions| conditions)
    }
}

impl<'a> From<&'a Actor> for CallerRef<'a> {
    fn from(actor: &'a Actor) -> Self {
        Self { actor, origin: Origin::default(), conditions: None, tenant: Tenant::from(actor) }
    }
}

impl<'a> From<&'a Caller> for CallerRef<'a> {
    fn from(caller: &'a Caller) -> Self {
        Self { origin: caller.origin, conditions: caller.conditions.as_ref(), ..Self::from(&caller.actor) }
    }
}
