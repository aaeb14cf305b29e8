//! Payments of orders.

use kassa_domain::attachment::Hex128;
use kassa_domain::change::Revision;
use kassa_domain::partner::PartnerId;
use kassa_domain::payment::{OrderPayment, PaymentProvider, PaymentReason, PaymentReference, PaymentStatus, TestPlan};
use kassa_domain::view::Condition;
use kassa_domain::{Id, Money, Timestamp};
use serde::{Deserialize, Serialize};

use crate::cell::json_cell;
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey, root_keys};
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, read_time_or_null, table};

/// What of a payment nothing filters by.
#[derive(Serialize, Deserialize)]
struct OrderPaymentBody {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<PaymentReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plan: Option<TestPlan>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    entries: Vec<Hex128>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checkout: Option<String>,
}

table! { OrderPayment, "payments", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "order_id": order = Id::with_tag(tag, source.int()?), row.order.key();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "vendor": vendor = Id::root(source.int()?), row.vendor.key();
    Immutable Text "provider": provider = read_provider(key, &source.text()?)?, provider_name(row.provider);
    Mutable Text "status": status = read_status(key, &source.text()?)?, row.status.name();
    Immutable Int "amount": amount = Money::from_minor(source.int()?), row.amount.minor();
    Mutable Int "received": received = Money::from_minor(source.int()?), row.received.minor();
    Mutable Int "used": used = Money::from_minor(source.int()?), row.used.minor();
    Mutable Int "returned": returned = Money::from_minor(source.int()?), row.returned.minor();
    Immutable Text "reference": reference = read_reference(key, &source.text()?)?, row.reference.as_str();
    Immutable Int "due_at": due_at = read_time(source)?, row.due_at.ms();
    Mutable Int "poll_at": poll_at = read_time_or_null(source)?, row.poll_at.map(Timestamp::ms);
    Mutable Int "polls": polls = source.int_as()?, i64::from(row.polls);
    Mutable Json "body": body = source.json::<OrderPaymentBody>()?,
        json_cell(&OrderPaymentBody {
            reason: row.reason,
            plan: row.plan,
            entries: row.entries.clone(),
            checkout: row.checkout.clone(),
        });
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => OrderPayment {
    id: Id::with_tag(tag, key),
    order,
    event,
    organizer,
    vendor,
    provider,
    status,
    reason: body.reason,
    amount,
    received,
    used,
    returned,
    reference,
    due_at,
    poll_at,
    polls,
    plan: body.plan,
    checkout: body.checkout,
    entries: body.entries,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
},
    unique vec![row.reference.to_string()],
    check row.used >= Money::ZERO && row.returned >= Money::ZERO && row.used + row.returned <= row.received
}

fn provider_name(provider: PaymentProvider) -> &'static str {
    match provider {
        PaymentProvider::Test => "test",
        PaymentProvider::Transfer => "transfer",
        PaymentProvider::Door => "door",
        PaymentProvider::Stripe => "stripe",
    }
}

fn read_provider(key: i64, name: &str) -> Result<PaymentProvider, StoreError> {
    let known = PaymentProvider::ALL.into_iter().find(|known| provider_name(*known) == name);
    known.ok_or_else(|| StoreError::Corrupt(format!("payment {key} by provider {name}")))
}

fn read_status(key: i64, name: &str) -> Result<PaymentStatus, StoreError> {
    let known = PaymentStatus::ALL.into_iter().find(|known| known.name() == name);
    known.ok_or_else(|| StoreError::Corrupt(format!("payment {key} in status {name}")))
}

fn read_reference(key: i64, text: &str) -> Result<PaymentReference, StoreError> {
    text.parse().map_err(|error| StoreError::Corrupt(format!("payment {key} with reference {text}: {error}")))
}

/// Payments that are to be looked at, those first that have been due for longest.
#[derive(Clone, Copy, Debug)]
pub struct DuePayments {
    /// By when.
    pub now: Timestamp,
}

impl Filter for DuePayments {
    type Row = OrderPayment;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("poll_at"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Condition::NotNull("poll_at"));
        conditions.add(Predicate::compare("poll_at", Comparison::AtMost, self.now.ms()));
    }
}

/// Payments of a vendor by what transfers say: every reference is of one.
#[derive(Clone, Debug)]
pub struct PaymentsByReference {
    /// Who gets the money.
    pub vendor: PartnerId,
    /// What was found in statements.
    pub references: Vec<PaymentReference>,
}

impl Filter for PaymentsByReference {
    type Row = OrderPayment;

    fn conditions(&self, conditions: &mut Conditions) {
        let named = self.references.iter().map(|reference| reference.to_string().into());
        conditions.add(Predicate::one_of("reference", named));
        conditions.add(Predicate::compare("vendor", Comparison::Equal, self.vendor.key()));
    }
}

/// Payments of which these vendors still have to give money back, those first that have waited for longest.
#[derive(Clone, Debug)]
pub struct ReturningPayments {
    /// Who has the money.
    pub vendors: Vec<PartnerId>,
}

impl Filter for ReturningPayments {
    type Row = OrderPayment;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::one_of("vendor", root_keys(&self.vendors)));
        conditions.add(Condition::OneOf("status", &["returning"]));
    }
}
