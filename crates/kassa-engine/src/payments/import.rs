//! Statements of accounts: what they pay, and the payments that are noted by them.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::Refusal;
use kassa_domain::attachment::Hex128;
use kassa_domain::partner::PartnerId;
use kassa_domain::payment::{OrderPayment, PaymentNews, PaymentReference};
use kassa_store::PageWindow;
use kassa_store::queries::PaymentsByReference;

use super::statement::{Proposal, StatementEntry, propose, references_in};
use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;

/// References that are looked for at a time.
const REFERENCES_AT_ONCE: u32 = 200;

/// An entry, and what became of it.
#[derive(Debug)]
pub struct ImportedEntry {
    /// The entry, and what it pays.
    pub proposal: Proposal,
    /// Each payment that it was noted for, as it is now, or why it was not; empty if nothing was to be noted.
    pub noted: Vec<Result<OrderPayment, Refusal>>,
}

impl Engine {
    /// What the entries of a statement pay to a vendor. Where `is_chosen` holds for the id of an entry, it is noted at once:
    /// one that was noted before is known, and is not noted again.
    pub async fn import_statement(
        &self,
        by: CallerRef<'_>,
        vendor: PartnerId,
        (entries, currency): (Vec<StatementEntry>, &str),
        is_chosen: impl Fn(Hex128) -> bool,
    ) -> Result<Vec<ImportedEntry>, Failure> {
        let payments = self.payments_named(vendor, &entries).await?;
        let mut imported = Vec::with_capacity(entries.len());
        for proposal in propose(entries, &payments, currency, self.now()) {
            let mut noted = Vec::new();
            if proposal.kind.is_applicable() && is_chosen(proposal.entry.id) {
                for part in &proposal.parts {
                    let news = PaymentNews::Received { amount: part.amount, entry: Some(proposal.entry.id) };
                    let render = |_: &_, payment: &OrderPayment| payment.clone();
                    match self.settle_payment(by, part.order, part.payment, news, render).await {
                        Ok(payment) => noted.push(Ok(payment)),
                        Err(Failure::Refused(refusal)) => noted.push(Err(refusal)),
                        // The same import goes on later where this one ends.
                        Err(failure) => return Err(failure),
                    }
                }
            }
            imported.push(ImportedEntry { proposal, noted });
        }
        Ok(imported)
    }

    /// The payments of a vendor that entries name, by their references.
    async fn payments_named(
        &self,
        vendor: PartnerId,
        entries: &[StatementEntry],
    ) -> Result<BTreeMap<PaymentReference, OrderPayment>, Failure> {
        let receipts = entries.iter().filter(|entry| entry.is_receipt);
        let named: BTreeSet<PaymentReference> = receipts.flat_map(|entry| references_in(&entry.texts)).collect();
        let named: Vec<PaymentReference> = named.into_iter().collect();
        let mut payments = BTreeMap::new();
        for references in named.chunks(REFERENCES_AT_ONCE as usize) {
            let filter = PaymentsByReference { vendor, references: references.to_vec() };
            let window = PageWindow::first(REFERENCES_AT_ONCE);
            let page = self.page(filter, window).await?;
            payments.extend(page.rows.into_iter().map(|payment| (payment.reference.clone(), payment)));
        }
        Ok(payments)
    }
}
