//! Answers to the questions of an event, and the names on tickets, as requests write them.

use kassa_domain::checkout::{ANSWER_CHARS_MAX, AnswerValue, QUESTIONS_MAX};
use kassa_domain::order::{AnswerPatch, CheckoutPatch};
use kassa_domain::ticket::{Ticket, TicketId};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::error::{ErrorDetail, shorten};
use crate::input::{FromJson, IdMap, Input, LineText, Problems, object_members};
use crate::openapi::schema;

/// The longest name on a ticket, in characters.
const HOLDER_CHARS_MAX: usize = 200;

/// Answers by ticket.
pub(super) type TicketAnswersInput = IdMap<Ticket, AnswersInput>;
/// Names by ticket.
pub(super) type HoldersInput = IdMap<Ticket, HolderInput>;

/// Answers by the ids of their questions; `None` takes one away.
#[derive(Debug)]
pub(super) struct AnswersInput(Vec<(String, Option<AnswerValue>)>);

impl FromJson for AnswersInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let (mut answers, mut problems) = (Vec::new(), Vec::new());
        for (question, raw) in object_members(json, QUESTIONS_MAX)? {
            match parse_answer(raw.get()) {
                Ok(answer) => answers.push((question.into_owned(), answer)),
                Err(wanted) => problems.push(ErrorDetail::new(format!(".{}", shorten(&question)), wanted)),
            }
        }
        if problems.is_empty() { Ok(Self(answers)) } else { Err(problems) }
    }

    fn json_schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        let answer = schema::any_of([schema::line(ANSWER_CHARS_MAX).into(), flag.into()]);
        let answers = ObjectBuilder::new().schema_type(Type::Object).max_properties(Some(QUESTIONS_MAX));
        answers.additional_properties(Some(schema::nullable(answer))).into()
    }
}

/// An answer, none for null, or what it should have been.
fn parse_answer(json: &str) -> Result<Option<AnswerValue>, String> {
    match json {
        "null" => Ok(None),
        "true" | "false" => Ok(Some(AnswerValue::Flag(json == "true"))),
        text => match LineText::<ANSWER_CHARS_MAX>::from_json(text) {
            Ok(LineText(text)) => Ok(Some(AnswerValue::Text(text))),
            Err(_) => Err(format!("must be a line of at most {ANSWER_CHARS_MAX} characters, true, false or null")),
        },
    }
}

/// The name on a ticket; `None` takes it away.
#[derive(Debug)]
pub(super) struct HolderInput(Option<String>);

impl FromJson for HolderInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        if json == "null" {
            return Ok(Self(None));
        }
        let LineText(name) = LineText::<HOLDER_CHARS_MAX>::from_json(json)?;
        Ok(Self(Some(name).filter(|name| !name.trim().is_empty())))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::nullable(schema::line(HOLDER_CHARS_MAX).into())
    }
}

/// What whoever buys says for its organizer.
pub(super) fn checkout_patch(
    answers: Input<AnswersInput>,
    of_tickets: Input<TicketAnswersInput>,
    holders: Input<HoldersInput>,
    problems: &mut Problems,
) -> CheckoutPatch {
    let patch = |ticket: Option<TicketId>, AnswersInput(answers): AnswersInput| {
        answers.into_iter().map(move |(question, value)| AnswerPatch { ticket, question, value })
    };
    let of_order = answers.optional("answers", problems).into_iter().flat_map(|answers| patch(None, answers));
    let mut answers: Vec<AnswerPatch> = of_order.collect();
    let of_tickets = of_tickets.optional("ticket_answers", problems).map_or_else(Vec::new, |map| map.0);
    answers.extend(of_tickets.into_iter().flat_map(|(ticket, answers)| patch(Some(ticket), answers)));
    let holders = holders.optional("holders", problems).map_or_else(Vec::new, |map| map.0);
    let holders = holders.into_iter().map(|(ticket, HolderInput(name))| (ticket, name)).collect();
    CheckoutPatch { answers, holders, ..CheckoutPatch::default() }
}
