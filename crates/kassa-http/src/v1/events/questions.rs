//! What an organizer asks of those who buy.

use std::borrow::Cow;

use kassa_domain::checkout::{QUESTION_OPTIONS_MAX, QUESTIONS_MAX, Question, QuestionKind, QuestionScope};
use utoipa::PartialSchema as _;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Flag, FromJson, Input, LineText, List, NameText, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::wire::{BUYER_FIELDS, enum_input, enum_names, wire_form};

/// The longest id of a question.
const ID_CHARS_MAX: usize = 32;
/// The longest option, in characters.
const OPTION_CHARS_MAX: usize = 100;

/// Questions in a request.
pub(super) type QuestionsInput = List<QuestionInput, QUESTIONS_MAX>;

enum_names! {
    static QUESTION_KINDS: QuestionKind {
        Text => "text",
        Choice => "choice",
        YesNo => "yes_no",
    }

    static QUESTION_SCOPES: QuestionScope {
        Order => "order",
        Ticket => "ticket",
    }
}

enum_input! {
    struct QuestionKindInput(QuestionKind) of QUESTION_KINDS;
}

enum_input! {
    struct QuestionScopeInput(QuestionScope) of QUESTION_SCOPES;
}

wire_form! {
    /// A question to those who buy.
    #[derive(Debug)]
    #[schema(as = Question)]
    pub(super) struct QuestionBody {
        /// What answers name it by.
        #[schema(example = "diet")]
        id: String,
        /// The question, as people read it.
        #[schema(example = "What do you eat?")]
        text: String,
        #[schema(schema_with = kind_schema)]
        kind: &'static str,
        #[schema(schema_with = scope_schema)]
        per: &'static str,
        /// What can be chosen; `[]` where it is no choice.
        #[schema(example = json!(["Everything", "Vegan"]))]
        options: Vec<String>,
        /// Whether those who buy for themselves must answer it before they pay.
        required: bool,
    }
}

fn kind_schema() -> RefOr<Schema> {
    let about = "What answers it: a line of `text`, a `choice` of its options, or `yes_no`.";
    QUESTION_KINDS.schema().description(Some(about)).into()
}

fn scope_schema() -> RefOr<Schema> {
    let about = "Whether it is answered once for each `order`, or for each `ticket`.";
    QUESTION_SCOPES.schema().description(Some(about)).into()
}

pub(super) fn buyer_field_schema() -> RefOr<Schema> {
    let about = "Whether those who buy for themselves give it before they pay: they must, they may, or are not asked.";
    BUYER_FIELDS.schema().description(Some(about)).into()
}

impl From<&Question> for QuestionBody {
    fn from(question: &Question) -> Self {
        Self {
            id: question.id.clone(),
            text: question.text.clone(),
            kind: QUESTION_KINDS.name(question.kind),
            per: QUESTION_SCOPES.name(question.scope),
            options: question.options.clone(),
            required: question.is_required,
        }
    }
}

fields! {
    struct QuestionFields {
        /// What answers name it by: up to 32 of `a` to `z`, `0` to `9`, `_` and `-`. No other question of the event has it.
        id: Input<QuestionId>,
        /// The question, as people read it, in one line; up to 255 characters.
        text: Input<NameText>,
        /// What answers it: a line of `text`, which is the default, a `choice` of its options, or `yes_no`.
        kind: Input<QuestionKindInput>,
        /// Whether it is answered once for each `order`, which is the default, or for each `ticket`.
        per: Input<QuestionScopeInput>,
        /// What can be chosen: up to 50 of up to 100 characters. A `choice` has two at least, others have none.
        options: Input<List<LineText<OPTION_CHARS_MAX>, QUESTION_OPTIONS_MAX>>,
        /// Whether those who buy for themselves must answer it before they pay; `false` by default.
        required: Input<Flag>,
    }
}

/// The id of a question in a request.
#[derive(Debug)]
struct QuestionId(String);

impl FromJson for QuestionId {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(id) = LineText::<ID_CHARS_MAX>::from_json(json)?;
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-');
        if !id.is_empty() && id.bytes().all(is_plain) {
            return Ok(Self(id));
        }
        Err(vec![ErrorDetail::new("", "must consist of a to z, 0 to 9, _ and -")])
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[a-z0-9_-]{1,32}$")).into()
    }
}

/// A question in a request: all of it at once.
#[derive(Debug)]
pub(super) struct QuestionInput(Question);

impl FromJson for QuestionInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: QuestionFields = parse_object(json)?;
        let mut problems = Problems::default();
        let id = fields.id.required("id", &mut problems);
        let text = fields.text.required("text", &mut problems);
        let kind = fields.kind.optional("kind", &mut problems).map_or(QuestionKind::Text, |kind| kind.0);
        let scope = fields.per.optional("per", &mut problems).map_or(QuestionScope::Order, |scope| scope.0);
        let options = fields.options.optional("options", &mut problems).map_or_else(Vec::new, |list| list.0);
        let options: Vec<String> = options.into_iter().map(|option| option.0.trim().to_owned()).collect();
        let is_required = fields.required.optional("required", &mut problems).is_some_and(|flag| flag.0);
        if let Some(wrong) = problem_with_options(kind, &options) {
            problems.add("options", wrong);
        }
        match id.zip(text) {
            Some((id, text)) => {
                problems.into_result(Self(Question { id: id.0, text: text.0, kind, scope, options, is_required }))
            }
            None => Err(problems.into_details()),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        QuestionFields::schema()
    }
}

fn problem_with_options(kind: QuestionKind, options: &[String]) -> Option<Cow<'static, str>> {
    if kind != QuestionKind::Choice {
        return (!options.is_empty()).then_some("must be empty where nothing is chosen".into());
    }
    if options.len() < 2 || options.iter().any(String::is_empty) {
        return Some("must be two at least, and none of them empty".into());
    }
    let twice = options.iter().enumerate().find(|(at, option)| options[..*at].contains(option));
    twice.map(|(_, option)| format!("must be different: {option} stands there twice").into())
}

/// The questions of an event; an id that stands there twice is a problem.
pub(super) fn questions(input: QuestionsInput, problems: &mut Problems) -> Vec<Question> {
    let questions: Vec<Question> = input.0.into_iter().map(|question| question.0).collect();
    for (at, question) in questions.iter().enumerate() {
        if questions[..at].iter().any(|other| other.id == question.id) {
            problems.add(&format!("questions[{at}].id"), "must be different from those of other questions");
        }
    }
    questions
}
