//! What an organizer asks of those who buy for themselves: which fields, and questions of its own.

use serde::{Deserialize, Serialize};

/// Questions of one event, at most.
pub const QUESTIONS_MAX: usize = 20;
/// Options of one question, at most.
pub const QUESTION_OPTIONS_MAX: usize = 50;
/// The longest answer, in characters.
pub const ANSWER_CHARS_MAX: usize = 255;
/// All answers of one order together, in characters at most.
pub const ORDER_ANSWER_CHARS_MAX: usize = 20_000;

/// Whether somebody who buys has to fill in a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuyerField {
    /// It must be filled in.
    Required,
    /// It may be.
    #[default]
    Optional,
    /// It is not asked for.
    Hidden,
}

impl BuyerField {
    /// Whether it is as where nobody has said anything.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What kind of answer a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// A line of text.
    Text,
    /// One of its options.
    Choice,
    /// Yes or no.
    YesNo,
}

/// For what a question is answered once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionScope {
    /// For each order.
    Order,
    /// For each ticket.
    Ticket,
}

/// A question that an organizer asks of those who buy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What answers name it by: unique within the event.
    pub id: String,
    /// The question, as people read it.
    pub text: String,
    /// What kind of answer it wants.
    pub kind: QuestionKind,
    /// For what it is answered.
    pub scope: QuestionScope,
    /// What can be chosen, where it is a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether whoever buys for itself must answer it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_required: bool,
}

/// An answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnswerValue {
    /// Yes or no.
    Flag(bool),
    /// A text, or the option that was chosen.
    Text(String),
}

impl AnswerValue {
    /// How long it is, in characters.
    pub fn chars(&self) -> usize {
        match self {
            Self::Flag(_) => 1,
            Self::Text(text) => text.chars().count(),
        }
    }
}

impl Question {
    /// How long its texts are, in bytes.
    pub(crate) fn text_bytes(&self) -> usize {
        self.id.len() + self.text.len() + self.options.iter().map(String::len).sum::<usize>()
    }

    /// What is wrong with an answer to it; `None` if nothing is.
    pub fn problem_with(&self, answer: &AnswerValue) -> Option<&'static str> {
        match (self.kind, answer) {
            (QuestionKind::YesNo, AnswerValue::Text(_)) => Some("must be true or false"),
            (QuestionKind::Text | QuestionKind::Choice, AnswerValue::Flag(_)) => Some("must be a text"),
            (QuestionKind::Choice, AnswerValue::Text(text)) if !self.options.contains(text) => {
                Some("must be one of the options of the question")
            }
            (QuestionKind::Text, AnswerValue::Text(text)) if text.trim().is_empty() => Some("must not be blank"),
            (QuestionKind::Text, AnswerValue::Text(_)) if answer.chars() > ANSWER_CHARS_MAX => {
                Some("must have at most 255 characters")
            }
            (QuestionKind::YesNo, AnswerValue::Flag(_))
            | (QuestionKind::Text | QuestionKind::Choice, AnswerValue::Text(_)) => None,
        }
    }
}
