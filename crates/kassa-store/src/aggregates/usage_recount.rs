//! What a partner stores: its counters, and the same counted again from the rows, as of one moment.

use kassa_domain::audit::{Findings, compare_usage};
use kassa_domain::partner::PartnerId;
use kassa_domain::quota::{PartnerUsage, QuotaKind};

use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::Statement;

/// The counters of a partner, and the recount, which one statement reads together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsageRecountQuery(pub(crate) PartnerId);

impl UsageRecountQuery {
    /// One row, if there is such a partner: for each kind its counter and its count.
    pub(crate) fn statement(self) -> Statement {
        let columns = QuotaKind::ALL.map(|kind| format!("used_{}, {}", kind.name(), count_sql(kind)));
        let text = format!("SELECT {} FROM partners WHERE id = $1", columns.join(", "));
        Statement { text, args: vec![self.0.key().into()] }
    }

    /// What does not agree, by the row of the statement.
    pub(crate) fn read(self, source: &mut dyn RowReader) -> Result<Findings, StoreError> {
        let (mut stored, mut counted) = (PartnerUsage::default(), PartnerUsage::default());
        for kind in QuotaKind::ALL {
            stored.add(kind, source.int()?);
            counted.add(kind, source.int()?);
        }
        let mut findings = Findings::default();
        compare_usage(self.0, &stored, &counted, &mut findings);
        Ok(findings)
    }
}

/// How much a partner has of a kind, as a value of SQL.
fn count_sql(kind: QuotaKind) -> String {
    const OF_ITS_EVENTS: &str = "event IN (SELECT id FROM events WHERE organizer = $1)";
    let (value, rows) = match kind {
        QuotaKind::Events => ("1", "events WHERE organizer = $1".to_owned()),
        QuotaKind::Tickets => ("amount - pending_removal", format!("sets WHERE {OF_ITS_EVENTS}")),
        QuotaKind::Promocodes => ("1", format!("promocodes WHERE {OF_ITS_EVENTS}")),
        QuotaKind::Promotions => ("1", format!("promotions WHERE {OF_ITS_EVENTS}")),
        QuotaKind::Venues => ("1", "venues WHERE owner = $1".to_owned()),
        QuotaKind::HallMaps => ("1", "hall_maps WHERE venue IN (SELECT id FROM venues WHERE owner = $1)".to_owned()),
        QuotaKind::ApiKeys => ("1", "api_keys WHERE partner = $1".to_owned()),
        QuotaKind::Deals => return deals_sql(),
        QuotaKind::Attachments => ("1", "attachments WHERE author = $1".to_owned()),
        QuotaKind::AttachmentBytes => ("length", "attachments WHERE author = $1 AND removed = 0".to_owned()),
        QuotaKind::Webhooks => ("1", "webhooks WHERE partner = $1".to_owned()),
        QuotaKind::AnswerBytes => {
            ("length(encrypted_response)", "idempotency_records WHERE charged_to = $1".to_owned())
        }
    };
    sum_sql(value, &rows)
}

/// Deals count for whoever proposed them.
fn deals_sql() -> String {
    let of_agent = sum_sql("1", "deals WHERE agent = $1 AND proposed_by_agent = 1");
    let of_organizer = sum_sql("1", "deals WHERE organizer = $1 AND proposed_by_agent = 0");
    format!("{of_agent} + {of_organizer}")
}

fn sum_sql(value: &str, rows: &str) -> String {
    format!("(SELECT CAST(coalesce(sum({value}), 0) AS BIGINT) FROM {rows})")
}
