//! What every answer goes through that is kept: large ones count against the quota of a partner.

use crate::commands::usage::{QuotaCheck, charge_checked, refund};
use crate::model::idempotency::{IdempotencyRecord, IdempotencyRecordKey, LARGE_ANSWER_BYTES};
use crate::model::quota::{QuotaKind, Quotas};
use crate::refusal::Refusal;
use crate::values::resource_ids::PartnerId;
use crate::view::View;

/// Keeps an answer for a partner, in place of one under the same key. If the partner has no room for it, what it answers
/// is refused.
pub fn keep_answer(
    record: IdempotencyRecord,
    owner: Option<PartnerId>,
    quotas: &Quotas,
    view: &mut View,
) -> Result<(), Refusal> {
    put_answer(record, owner, QuotaCheck::Enforced(quotas), view)
}

/// Refuses a partner that has no room for another large answer, before anything is decided: of what is shown to a client
/// later, nobody knows yet how large it will be. The partner is read, if it was named.
pub fn check_answer_room(owner: PartnerId, quotas: &Quotas, view: &View) -> Result<(), Refusal> {
    let Some(partner) = view.partners.get(owner) else { return Ok(()) };
    let (kind, wanted) = (QuotaKind::AnswerBytes, i64::try_from(LARGE_ANSWER_BYTES).unwrap_or(i64::MAX));
    let (used, allowed) = (partner.usage.get(kind), quotas.with(&partner.quotas, kind));
    if used + wanted > allowed { Err(Refusal::QuotaExceeded { kind, used, wanted, allowed }) } else { Ok(()) }
}

pub(super) fn put_answer(
    record: IdempotencyRecord,
    owner: Option<PartnerId>,
    check: QuotaCheck<'_>,
    view: &mut View,
) -> Result<(), Refusal> {
    forget_bytes(record.key, view)?;
    let charged_to = owner.filter(|_| record.encrypted_response.len() >= LARGE_ANSWER_BYTES);
    if let Some(partner) = charged_to {
        charge_checked(partner, QuotaKind::AnswerBytes, record.bytes(), check, view)?;
    }
    view.idempotency_records.put(IdempotencyRecord { charged_to, ..record });
    Ok(())
}

/// Counts the bytes of an answer that goes no more.
pub(super) fn forget_bytes(key: IdempotencyRecordKey, view: &mut View) -> Result<(), Refusal> {
    let record = view.idempotency_records.get(key);
    let Some((partner, bytes)) = record.and_then(|record| Some((record.charged_to?, record.bytes()))) else {
        return Ok(());
    };
    refund(partner, QuotaKind::AnswerBytes, bytes, view)
}
