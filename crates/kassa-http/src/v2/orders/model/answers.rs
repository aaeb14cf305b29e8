//! Answers to the questions of an event, as v2 shows them.

use std::borrow::Cow;

use kassa_domain::checkout::AnswerValue;
use kassa_domain::order::{OrderNotes, TermsAcceptance};
use kassa_domain::ticket::TicketId;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::openapi::schema;
use crate::wire::TimeV2;

/// Answers by the ids of their questions.
pub(super) struct AnswersBody<'a>(Vec<(&'a str, &'a AnswerValue)>);

impl<'a> AnswersBody<'a> {
    /// Those for a ticket, or for the whole order; `None` if there are none.
    pub(super) fn of(notes: &'a OrderNotes, ticket: Option<TicketId>) -> Option<Self> {
        let answers: Vec<_> =
            notes.answers_for(ticket).map(|answer| (answer.question.as_str(), &answer.value)).collect();
        (!answers.is_empty()).then_some(Self(answers))
    }
}

impl Serialize for AnswersBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl PartialSchema for AnswersBody<'_> {
    fn schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        let answer = schema::any_of([schema::text().into(), flag.into()]);
        ObjectBuilder::new().schema_type(Type::Object).additional_properties(Some(answer)).into()
    }
}

impl ToSchema for AnswersBody<'_> {
    fn name() -> Cow<'static, str> {
        "OrderAnswers".into()
    }
}

/// Which terms of its seller the customer has accepted, and when.
#[derive(Serialize, ToSchema)]
#[schema(as = AcceptedTerms)]
pub(super) struct AcceptedTermsBody {
    /// Since when these terms hold, as the seller's shop says.
    terms: TimeV2,
    /// When they were accepted.
    at: TimeV2,
}

impl From<TermsAcceptance> for AcceptedTermsBody {
    fn from(accepted: TermsAcceptance) -> Self {
        Self { terms: TimeV2(accepted.terms), at: TimeV2(accepted.at) }
    }
}
