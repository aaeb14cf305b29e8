//! What became of a statement, as v2 shows it.

use kassa_domain::Refusal;
use kassa_domain::payment::OrderPayment;
use kassa_engine::payments::ImportedEntry;
use kassa_engine::payments::statement::{ProposedMatch, ProposedPart};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;
use crate::wire::{EmptyBody, IdRef, MoneyBody, OrderRef, PAYMENT_STATUSES, PaymentRef, enum_names};

enum_names! {
    static MATCHES: ProposedMatch {
        Exact => "exact",
        Partial => "partial",
        Surplus => "surplus",
        Late => "late",
        Known => "known",
        Ambiguous => "ambiguous",
        Unmatched => "unmatched",
        OtherCurrency => "other_currency",
        Ignored => "ignored",
    }
}

/// An entry of a statement, and what became of it.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedEntry)]
pub(super) struct ImportedEntryBody<'a> {
    /// What tells it from others: the same in every statement of the account that has it.
    #[schema(example = "5f2b8e0c9d4a41c7a1e6f0b3d2c8e9fa")]
    id: String,
    /// When it was booked.
    #[schema(example = "2026-04-13")]
    date: &'a str,
    /// How much it is; `null` where it has more than two decimals.
    amount: Option<MoneyBody>,
    /// Its currency; empty where the bank names none.
    #[schema(example = "EUR")]
    currency: &'a str,
    /// Who paid; empty where the bank does not say so.
    name: &'a str,
    /// What was said with it.
    text: String,
    #[serde(rename = "match")]
    #[schema(schema_with = match_schema)]
    fit: &'static str,
    /// The payments that it names.
    parts: Vec<ImportedPartBody>,
}

/// What of an entry is for one payment.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportedPart)]
struct ImportedPartBody {
    /// Which.
    payment: PaymentRef,
    /// Its order.
    order: OrderRef,
    /// Its reference.
    #[schema(example = "RF18539007547034")]
    reference: String,
    /// How much of the entry; `null` where that is not known.
    amount: Option<MoneyBody>,
    /// Whether it is noted now.
    applied: bool,
    #[schema(schema_with = status_schema)]
    status: Option<&'static str>,
    /// Why it was not noted; `null` if nothing was refused.
    error: Option<ImportErrorBody>,
}

/// Why an entry was not noted.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportError)]
struct ImportErrorBody {
    /// The stable name of the error.
    #[schema(example = "payment_by_provider")]
    code: &'static str,
    /// What is wrong, for people.
    reason: String,
}

impl<'a> ImportedEntryBody<'a> {
    fn new(imported: &'a ImportedEntry) -> Self {
        let proposal = &imported.proposal;
        let entry = &proposal.entry;
        let noted = imported.noted.iter().map(Some).chain(std::iter::repeat(None));
        Self {
            id: entry.id.to_string(),
            date: &entry.date,
            amount: entry.amount.map(MoneyBody),
            currency: &entry.currency,
            name: &entry.name,
            text: entry.texts.join(" "),
            fit: MATCHES.name(proposal.kind),
            parts: proposal.parts.iter().zip(noted).map(|(part, noted)| ImportedPartBody::new(part, noted)).collect(),
        }
    }
}

impl ImportedPartBody {
    fn new(part: &ProposedPart, noted: Option<&Result<OrderPayment, Refusal>>) -> Self {
        let payment = noted.and_then(|noted| noted.as_ref().ok());
        let refusal = noted.and_then(|noted| noted.as_ref().err());
        Self {
            payment: IdRef(part.payment),
            order: IdRef(part.order),
            reference: part.reference.to_string(),
            amount: part.amount.map(MoneyBody),
            applied: payment.is_some(),
            status: payment.map(|payment| PAYMENT_STATUSES.name(payment.status)),
            error: refusal.map(|refusal| ImportErrorBody { code: refusal.code(), reason: refusal.to_string() }),
        }
    }
}

/// What became of a statement.
#[derive(Serialize, ToSchema)]
#[schema(as = ImportAnswer)]
pub(super) struct ImportResponse<'a> {
    /// The entries, in the order of the statement.
    data: Vec<ImportedEntryBody<'a>>,
    /// Always empty.
    refs: EmptyBody,
}

impl<'a> ImportResponse<'a> {
    pub(super) fn new(imported: &'a [ImportedEntry]) -> Self {
        Self { data: imported.iter().map(ImportedEntryBody::new).collect(), refs: EmptyBody {} }
    }
}

fn match_schema() -> RefOr<Schema> {
    let about = "`exact`: what is missing; `partial`: less; `surplus`: more, or all is there; `late`: nobody waits for it any \
                 more; `known`: noted before; `ambiguous`: of several payments, and not what they miss together; \
                 `unmatched`: of no payment; `other_currency`; `ignored`: no booked money that came in.";
    MATCHES.schema().description(Some(about)).into()
}

fn status_schema() -> RefOr<Schema> {
    let about = "Where the payment is since it was noted; `null` if it was not.";
    schema::nullable(PAYMENT_STATUSES.schema().description(Some(about)).into())
}
