//! What holds for the whole installation, and for every writer of it.

use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, Row, View};

/// Something that holds for the whole installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Which one.
    pub name: FactName,
    /// What holds.
    pub value: String,
}

/// The facts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactName {
    /// The fingerprint of the secret that all nodes share.
    SecretFingerprint,
}

impl Row for Fact {
    type Key = FactName;

    fn key(&self) -> FactName {
        self.name
    }
}

/// Notes the fingerprint of the secret when there is none yet, and tells the one that holds.
#[derive(Debug)]
pub struct ClaimSecret {
    /// Of the secret that this node has.
    pub fingerprint: String,
}

impl Command for ClaimSecret {
    type Outcome = String;

    fn shard(&self) -> Tag {
        Tag::of(0)
    }

    fn needs(&self, needs: &mut Needs) {
        needs.facts.push(FactName::SecretFingerprint);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<String, Refusal> {
        if let Some(fact) = view.facts.get(FactName::SecretFingerprint) {
            return Ok(fact.value.clone());
        }
        view.facts.put(Fact { name: FactName::SecretFingerprint, value: self.fingerprint.clone() });
        Ok(self.fingerprint.clone())
    }
}
