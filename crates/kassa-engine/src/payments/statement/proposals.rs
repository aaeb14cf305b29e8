//! What entries of statements pay: by the references that they name, and by their amounts.

use std::collections::{BTreeMap, HashMap};

use kassa_domain::order::OrderId;
use kassa_domain::payment::{OrderPayment, PaymentId, PaymentReference, PaymentStatus};
use kassa_domain::{Money, Timestamp};

use super::{StatementEntry, references_in};

/// How an entry fits what is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProposedMatch {
    /// It is what is missing, of one payment or of several together.
    Exact,
    /// It is less than what is missing.
    Partial,
    /// It is more than what is missing, or all is there already.
    Surplus,
    /// Nobody waits for it any more: it buys the tickets if they are to be had, or goes back.
    Late,
    /// It has been noted before.
    Known,
    /// It names several payments, and is not what is missing of them together.
    Ambiguous,
    /// It names no payment of the vendor.
    Unmatched,
    /// It names a payment, and is in another currency.
    OtherCurrency,
    /// It is no money that has come in and is booked.
    Ignored,
}

impl ProposedMatch {
    /// Every one.
    pub const ALL: [Self; 9] = [
        Self::Exact,
        Self::Partial,
        Self::Surplus,
        Self::Late,
        Self::Known,
        Self::Ambiguous,
        Self::Unmatched,
        Self::OtherCurrency,
        Self::Ignored,
    ];

    /// Whether it says what is to be noted.
    pub fn is_applicable(self) -> bool {
        match self {
            Self::Exact | Self::Partial | Self::Surplus | Self::Late => true,
            Self::Known | Self::Ambiguous | Self::Unmatched | Self::OtherCurrency | Self::Ignored => false,
        }
    }
}

/// What of an entry is for one payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedPart {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub order: OrderId,
    /// Its reference.
    pub reference: PaymentReference,
    /// How much of the entry; `None` where that is not known.
    pub amount: Option<Money>,
}

/// What is to be done with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The entry.
    pub entry: StatementEntry,
    /// How it fits.
    pub kind: ProposedMatch,
    /// The payments that it names.
    pub parts: Vec<ProposedPart>,
}

/// What the entries of a statement pay in this currency. `payments` are the vendor's that they name. Entries that come
/// earlier count for those that come later.
pub fn propose(
    entries: Vec<StatementEntry>,
    payments: &BTreeMap<PaymentReference, OrderPayment>,
    currency: &str,
    now: Timestamp,
) -> Vec<Proposal> {
    let mut missing: HashMap<PaymentId, Money> =
        payments.values().map(|payment| (payment.id, payment.missing())).collect();
    entries.into_iter().map(|entry| propose_one(entry, payments, (currency, now), &mut missing)).collect()
}

fn propose_one(
    entry: StatementEntry,
    payments: &BTreeMap<PaymentReference, OrderPayment>,
    (currency, now): (&str, Timestamp),
    missing: &mut HashMap<PaymentId, Money>,
) -> Proposal {
    let named = if entry.is_receipt { named_in(&entry, payments) } else { Vec::new() };
    let missing_of = |payment: &OrderPayment, missing: &HashMap<PaymentId, Money>| {
        missing.get(&payment.id).copied().unwrap_or_default()
    };
    let known = named.iter().any(|payment| payment.entries.contains(&entry.id));
    let all = named.iter().map(|payment| missing_of(payment, missing)).sum::<Money>();
    let (kind, amounts): (_, Vec<Option<Money>>) = match (entry.amount, named.as_slice()) {
        (None, _) => (ProposedMatch::Ignored, Vec::new()),
        _ if !entry.is_receipt => (ProposedMatch::Ignored, Vec::new()),
        (Some(_), []) => (ProposedMatch::Unmatched, Vec::new()),
        (Some(_), _) if known => (ProposedMatch::Known, vec![None; named.len()]),
        (Some(_), _) if entry.currency != currency => (ProposedMatch::OtherCurrency, vec![None; named.len()]),
        (Some(amount), [only]) => (fit(only, amount, all, now), vec![Some(amount)]),
        (Some(amount), several) if amount == all && several.iter().all(|of| missing_of(of, missing) > Money::ZERO) => {
            (ProposedMatch::Exact, several.iter().map(|of| Some(missing_of(of, missing))).collect())
        }
        (Some(_), several) => (ProposedMatch::Ambiguous, vec![None; several.len()]),
    };
    let parts: Vec<ProposedPart> = named
        .iter()
        .zip(&amounts)
        .map(|(payment, amount)| ProposedPart {
            payment: payment.id,
            order: payment.order,
            reference: payment.reference.clone(),
            amount: *amount,
        })
        .collect();
    if kind.is_applicable() {
        for (payment, amount) in parts.iter().filter_map(|part| Some((part.payment, part.amount?))) {
            let rest = missing.entry(payment).or_default();
            *rest = (*rest - amount).max(Money::ZERO);
        }
    }
    Proposal { entry, kind, parts }
}

fn fit(payment: &OrderPayment, amount: Money, missing: Money, now: Timestamp) -> ProposedMatch {
    let is_waited_for = payment.status == PaymentStatus::Pending && now < payment.due_at;
    if payment.may_buy() && !is_waited_for {
        return ProposedMatch::Late;
    }
    match amount.cmp(&missing) {
        std::cmp::Ordering::Less => ProposedMatch::Partial,
        std::cmp::Ordering::Equal => ProposedMatch::Exact,
        std::cmp::Ordering::Greater => ProposedMatch::Surplus,
    }
}

/// The payments that an entry names, each once, the earliest first. Of references that begin alike, the longest is meant: the others are its
/// beginning, by accident.
fn named_in<'a>(
    entry: &StatementEntry,
    payments: &'a BTreeMap<PaymentReference, OrderPayment>,
) -> Vec<&'a OrderPayment> {
    let found: Vec<PaymentReference> =
        references_in(&entry.texts).into_iter().filter(|reference| payments.contains_key(reference)).collect();
    let is_beginning = |reference: &PaymentReference| {
        found.iter().any(|other| other != reference && other.as_str().starts_with(reference.as_str()))
    };
    let meant = found.iter().filter(|reference| !is_beginning(reference));
    let mut named: Vec<&OrderPayment> = meant.filter_map(|reference| payments.get(reference)).collect();
    named.sort_unstable_by_key(|payment| payment.id);
    named
}
