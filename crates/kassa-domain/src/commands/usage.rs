//! Counting of what a partner stores, with the rows that are counted.

use crate::model::partner::Partner;
use crate::model::quota::{QuotaKind, Quotas};
use crate::refusal::Refusal;
use crate::values::resource_ids::PartnerId;
use crate::view::View;

/// Whether a quota can refuse what is counted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuotaCheck<'a> {
    /// More than these quotas allow is refused.
    Enforced(&'a Quotas),
    /// It is counted, however much it is: what it belongs to has been decided.
    Skipped,
}

/// Counts what a partner stores more: more than it may store is refused.
pub(crate) fn charge(
    partner: PartnerId,
    kind: QuotaKind,
    amount: i64,
    quotas: &Quotas,
    view: &mut View,
) -> Result<(), Refusal> {
    charge_checked(partner, kind, amount, QuotaCheck::Enforced(quotas), view)
}

/// Counts what a partner stores no more.
pub(crate) fn refund(partner: PartnerId, kind: QuotaKind, amount: i64, view: &mut View) -> Result<(), Refusal> {
    charge_checked(partner, kind, -amount, QuotaCheck::Skipped, view)
}

/// Counts so much more or, below zero, less. Nothing is ever refused that makes it less.
pub(crate) fn charge_checked(
    partner: PartnerId,
    kind: QuotaKind,
    amount: i64,
    check: QuotaCheck<'_>,
    view: &mut View,
) -> Result<(), Refusal> {
    if amount == 0 {
        return Ok(());
    }
    // The row of a partner is never deleted: where it is not in the view, it was not named.
    let mut partner = view.require_partner(partner).ok_or(Refusal::Stale)?.clone();
    if let QuotaCheck::Enforced(quotas) = check {
        check_room(&partner, kind, amount, quotas)?;
    }
    partner.usage.add(kind, amount);
    view.partners.put(partner);
    Ok(())
}

/// Refuses so much more than a partner may store.
pub(crate) fn check_room(partner: &Partner, kind: QuotaKind, amount: i64, quotas: &Quotas) -> Result<(), Refusal> {
    let (used, allowed) = (partner.usage.get(kind), quotas.with(&partner.quotas, kind));
    if amount > 0 && used.saturating_add(amount) > allowed {
        return Err(Refusal::QuotaExceeded { kind, used, wanted: amount, allowed });
    }
    Ok(())
}
