//! Keeps an answer that no transaction could keep: a refusal, which leaves nothing behind, or what a client is
//! shown of an answer that was.

use super::{AnswerKey, Digest, KeptAnswer};
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Keeps an answer before anybody has seen it. One that is there already stands, unless this one
/// finishes it.
#[derive(Debug)]
pub struct KeepAnswer {
    /// What it is found by.
    pub key: AnswerKey,
    /// Of the request that it answers.
    pub request: Digest,
    /// What it says, encrypted.
    pub sealed: Vec<u8>,
    /// Whether it is what a client shall see of an answer to the same request that is not final.
    pub finishes: bool,
}

impl Command for KeepAnswer {
    /// The answer that was there before, if that is what counts.
    type Outcome = Option<KeptAnswer>;

    fn shard(&self) -> Tag {
        self.key.tag
    }

    fn needs(&self, needs: &mut Needs) {
        needs.answers.push(self.key);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Self::Outcome, Refusal> {
        let there = view.answers.get(self.key).filter(|there| !there.is_over(cx.now));
        let kept_at = match there {
            None => cx.now,
            Some(there) if self.finishes && !there.is_final && there.request == self.request => there.kept_at,
            Some(there) => return Ok(Some(there.clone())),
        };
        let Self { key, request, sealed, .. } = self;
        view.answers.put(KeptAnswer { key: *key, request: *request, sealed: sealed.clone(), is_final: true, kept_at });
        Ok(None)
    }
}
