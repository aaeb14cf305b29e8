//! Forgets answers that were kept long enough.

use super::AnswerKey;
use crate::command::Command;
use crate::context::Context;
use crate::id::Tag;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Forgets these answers, as far as they are over. Several nodes may do it at once.
#[derive(Debug)]
pub struct ForgetAnswers {
    /// Where they lie.
    pub tag: Tag,
    /// Which.
    pub answers: Vec<AnswerKey>,
}

impl Command for ForgetAnswers {
    /// How many were forgotten.
    type Outcome = u64;

    fn shard(&self) -> Tag {
        self.tag
    }

    fn needs(&self, needs: &mut Needs) {
        needs.answers.extend(&self.answers);
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.answers.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let is_over = |key: &&AnswerKey| view.answers.get(**key).is_some_and(|answer| answer.is_over(cx.now));
        let over: Vec<AnswerKey> = self.answers.iter().filter(is_over).copied().collect();
        for key in &over {
            view.answers.remove(*key);
        }
        Ok(over.len() as u64)
    }
}
