//! Who asks, and on which conditions.

use std::ops::Deref;
use std::sync::Arc;

use kassa_domain::expectation::Expectation;
use kassa_domain::view::View;
use kassa_domain::{Actor, Needs, Refusal};

use crate::once::Once;

/// What a request wants of its main command, besides what the command says. What is done before that, as
/// keeping the bytes of an attachment, can be repeated, and knows nothing of it.
#[derive(Debug, Default)]
pub struct Conditions {
    /// That it is not decided twice.
    pub once: Option<Arc<Once>>,
    /// That what it changes is as it was.
    pub expects: Option<Expectation>,
}

/// What is decided without conditions.
pub(crate) static NONE: Conditions = Conditions { once: None, expects: None };

impl Conditions {
    /// Names the rows that they are about.
    pub(crate) fn needs(&self, needs: &mut Needs) {
        if let Some(once) = &self.once {
            once.needs(needs);
        }
        if let Some(expects) = &self.expects {
            expects.needs(needs);
        }
    }

    /// Whether the rows are as they are expected to be.
    pub(crate) fn hold(&self, view: &View) -> bool {
        self.expects.as_ref().is_none_or(|expects| expects.holds(view))
    }

    /// What was decided, if the rows were as expected. Who may not see or change them learns nothing more.
    pub(crate) fn judge<R>(decided: Result<R, Refusal>, held: bool) -> Result<R, Refusal> {
        match decided {
            Err(refusal) if refusal.precedes_conditions() => Err(refusal),
            _ if !held => Err(Refusal::PreconditionFailed),
            decided => decided,
        }
    }
}

/// The caller of a request.
#[derive(Clone, Debug)]
pub struct Asker {
    actor: Actor,
    conditions: Option<Arc<Conditions>>,
}

impl Asker {
    /// One whose main command is decided on these conditions, if there are any.
    pub fn new(actor: Actor, conditions: Option<Arc<Conditions>>) -> Self {
        Self { actor, conditions }
    }

    /// The same conditions, for a command of somebody else: what the asker may do is known by other means.
    pub(crate) fn on_behalf_of<'a>(&'a self, actor: &'a Actor) -> By<'a> {
        By { actor, conditions: self.conditions.as_ref() }
    }
}

impl Deref for Asker {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

/// By whom a command is given: an [`Asker`], or an [`Actor`] without conditions.
#[derive(Clone, Copy, Debug)]
pub struct By<'a> {
    pub(crate) actor: &'a Actor,
    pub(crate) conditions: Option<&'a Arc<Conditions>>,
}

impl<'a> By<'a> {
    /// The conditions, of which there may be none.
    pub(crate) fn conditions(self) -> &'a Conditions {
        self.conditions.map_or(&NONE, |conditions| conditions)
    }
}

impl<'a> From<&'a Actor> for By<'a> {
    fn from(actor: &'a Actor) -> Self {
        Self { actor, conditions: None }
    }
}

impl<'a> From<&'a Asker> for By<'a> {
    fn from(asker: &'a Asker) -> Self {
        Self { actor: &asker.actor, conditions: asker.conditions.as_ref() }
    }
}
