//! `kassa admin usage`: what partners store, against their quotas.

use clap::Args;
use kassa_domain::ReadSet;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::quota::{QuotaKind, Quotas};
use kassa_store::{RowCursor, Store};
use serde_json::{Map, Value, json};

use crate::error::Fatal;
use crate::quotas::QuotaArguments;

/// Partners that are read at a time.
const PAGE_ROWS: usize = 1_000;

/// Flags of `kassa admin usage`.
#[derive(Debug, Args)]
pub(crate) struct UsageArguments {
    /// The partner's id; all of them by default, those first that have used the most of one of their quotas.
    partner: Option<PartnerId>,
    #[command(flatten)]
    quotas: QuotaArguments,
}

/// What a partner stores, in the order of the output.
struct UsageLine {
    /// The largest part of a quota that is used up, in millionths.
    fullest: i128,
    shown: Value,
}

/// Prints a line of JSON for each partner.
pub(crate) async fn run(store: &Store, arguments: &UsageArguments) -> Result<(), Fatal> {
    let quotas = arguments.quotas.quotas();
    let mut lines = match arguments.partner {
        Some(partner) => {
            let view = store.view(&ReadSet { partners_to_read: vec![partner], ..ReadSet::default() }).await?;
            let found = view.partners.get(partner).ok_or_else(|| format!("there is no partner {partner}"))?;
            vec![usage_line(found, &quotas)]
        }
        None => all_partners(store, &quotas).await?,
    };
    lines.sort_by_key(|line| std::cmp::Reverse(line.fullest));
    for line in lines {
        println!("{}", line.shown);
    }
    Ok(())
}

async fn all_partners(store: &Store, quotas: &Quotas) -> Result<Vec<UsageLine>, Fatal> {
    let (mut lines, mut after): (_, Option<RowCursor>) = (Vec::new(), None);
    loop {
        let page = store.scan::<Partner>(after.as_ref(), PAGE_ROWS).await?;
        let Some(last) = page.last() else { return Ok(lines) };
        after = Some(last.cursor.clone());
        for scanned in page {
            lines.push(usage_line(&scanned.row?, quotas));
        }
    }
}

/// What a partner stores as JSON.
pub(crate) fn usage_json(partner: &Partner, quotas: &Quotas) -> Value {
    usage_line(partner, quotas).shown
}

fn usage_line(partner: &Partner, quotas: &Quotas) -> UsageLine {
    let (mut fullest, mut kinds) = (0, Map::new());
    for kind in QuotaKind::ALL {
        let (used, quota) = (partner.usage.get(kind), quotas.with(&partner.quotas, kind));
        fullest = fullest.max(i128::from(used) * 1_000_000 / i128::from(quota.max(1)));
        kinds.insert(kind.name().to_owned(), json!({ "used": used, "quota": quota }));
    }
    let shown = json!({ "id": partner.id, "name": partner.name, "removed": partner.removed, "usage": kinds });
    UsageLine { fullest, shown }
}
