//! `kassa changes`: the feed of all changes, on standard output, beside the server or without one. It only reads.

use std::io::{self, Write};
use std::time::Duration;

use clap::{Args, value_parser};
use kassa_domain::ReadSet;
use kassa_domain::change::{Change, FeedCursor, FeedHead, FeedName};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::webhook::TypePattern;
use kassa_engine::feed::{FeedAudience, FeedChange, FeedError, PlacedBatch};
use kassa_store::queries::AcceptedDeals;
use kassa_store::{PageWindow, Store};
use serde_json::Value;

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation;
use crate::telemetry::{self, LogFormat};

/// Batches that are read at a time.
const BATCHES_PER_READ: usize = 16;
/// Deals that are read at a time.
const DEALS_PER_READ: u32 = 500;
/// How often `--follow` looks for more.
const FOLLOW_INTERVAL: Duration = Duration::from_millis(250);

/// Flags of `kassa changes`.
#[derive(Debug, Args)]
pub(crate) struct ChangesArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    /// Only what comes behind this cursor, with which each line begins; by default, everything that is kept.
    #[arg(long, value_name = "CURSOR")]
    after: Option<FeedCursor>,
    /// Only changes of these types, such as `order.paid,ticket.*`.
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    types: Vec<TypePattern>,
    /// Only what belongs to this event; may be repeated.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    event: Vec<EventId>,
    /// Only what this partner is told: changes of what is its own, and of events that it sells.
    #[arg(long, value_name = "ID")]
    partner: Option<PartnerId>,
    /// Ends after so many changes.
    #[arg(long, value_name = "COUNT", value_parser = value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Waits for more at the end.
    #[arg(long)]
    follow: bool,
    /// Prints JSON Lines: one object per line, as the feed has it, with where the change was made.
    #[arg(long)]
    json: bool,
}

/// Prints the changes, a line each.
pub(crate) async fn run(arguments: ChangesArguments) -> Result<(), Fatal> {
    telemetry::start(telemetry::COMMAND_LOG_FILTER, LogFormat::Text)?;
    let store = installation::open_read_only(&arguments.installation).await?;
    let left = arguments.limit.unwrap_or(u64::MAX);
    let mut printer = ChangePrinter { store, arguments, left, out: io::BufWriter::new(io::stdout().lock()) };
    match printer.print().await {
        // Whoever read it has seen enough, such as `head`.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        result => result,
    }
}

fn is_broken_pipe(error: &Fatal) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

struct ChangePrinter<W: Write> {
    store: Store,
    arguments: ChangesArguments,
    /// How many changes are still wanted.
    left: u64,
    out: W,
}

impl<W: Write> ChangePrinter<W> {
    async fn print(&mut self) -> Result<(), Fatal> {
        let mut next = self.arguments.after;
        let mut rounds = tokio::time::interval(FOLLOW_INTERVAL);
        loop {
            let head = self.feed_head().await?;
            let oldest = FeedCursor { place: head.oldest_place, index: 0 };
            let from = next.unwrap_or(oldest);
            let end = FeedCursor::behind(head.last_place);
            if from.place < oldest.place {
                return Err(FeedError::Gone(oldest).into());
            }
            if from > end {
                return Err(FeedError::Ahead(end).into());
            }
            next = Some(self.print_until(from, head.last_place).await?);
            self.out.flush()?;
            if self.left == 0 || !self.arguments.follow {
                return Ok(());
            }
            rounds.tick().await;
        }
    }

    /// Prints what is wanted from a cursor on, up to a place, and returns from where to go on.
    async fn print_until(&mut self, from: FeedCursor, last: i64) -> Result<FeedCursor, Fatal> {
        let (mut next, audience) = (from, self.audience().await?);
        while next.place <= last && self.left > 0 {
            let places: Vec<i64> = (next.place..=last).take(BATCHES_PER_READ).collect();
            let view = self.store.view(&ReadSet { change_batches_at: places, ..ReadSet::default() }).await?;
            let mut batches: Vec<PlacedBatch> = view.change_batches.rows().filter_map(PlacedBatch::new).collect();
            batches.sort_unstable_by_key(|batch| batch.place);
            if batches.is_empty() {
                return self.explain_gap(next.place).await;
            }
            for batch in batches {
                if batch.place != next.place {
                    return self.explain_gap(next.place).await;
                }
                self.print_batch(&batch, next.index, audience.as_ref())?;
                next = FeedCursor::behind(batch.place);
            }
        }
        Ok(next)
    }

    /// Why there is no batch at a place of the feed.
    async fn explain_gap(&self, place: i64) -> Result<FeedCursor, Fatal> {
        let head = self.feed_head().await?;
        if place < head.oldest_place {
            return Err(FeedError::Gone(FeedCursor { place: head.oldest_place, index: 0 }).into());
        }
        Err(format!("the feed has nothing at place {place}: run kassa verify").into())
    }

    fn print_batch(&mut self, batch: &PlacedBatch, first: u32, audience: Option<&FeedAudience>) -> Result<(), Fatal> {
        for (index, change) in (0..).zip(&*batch.changes).skip(first as usize) {
            if self.left > 0 && self.wants(change, audience) {
                let found = kassa_http::change_for_operators(&FeedChange { batch: batch.clone(), index })?;
                if self.arguments.json {
                    writeln!(self.out, "{found}")?;
                } else {
                    writeln!(self.out, "{}", plain_line(&found))?;
                }
                self.left -= 1;
            }
        }
        Ok(())
    }

    fn wants(&self, change: &Change, audience: Option<&FeedAudience>) -> bool {
        let ChangesArguments { types, event: events, .. } = &self.arguments;
        let is_of_types = types.is_empty() || types.iter().any(|types| types.matches(change.kind));
        let is_of_events = events.is_empty() || change.event.is_some_and(|event| events.contains(&event));
        is_of_types && is_of_events && audience.is_none_or(|audience| audience.sees(&change.audience))
    }

    /// What the partner sees; `None` if all is wanted.
    async fn audience(&self) -> Result<Option<FeedAudience>, Fatal> {
        let Some(agent) = self.arguments.partner else { return Ok(None) };
        let mut audience = FeedAudience { partners: vec![agent], ..FeedAudience::default() };
        let mut filter = AcceptedDeals { agent, after_key: 0 };
        loop {
            let deals = self.store.page(filter, PageWindow::first(DEALS_PER_READ)).await?.rows;
            audience.sold_events.extend(deals.iter().map(|deal| deal.event));
            match deals.last() {
                Some(last) if deals.len() == DEALS_PER_READ as usize => filter.after_key = last.id.key(),
                _ => return Ok(Some(audience)),
            }
        }
    }

    async fn feed_head(&self) -> Result<FeedHead, Fatal> {
        let view = self.store.view(&ReadSet { feed_heads: vec![FeedName::Changes], ..ReadSet::default() }).await?;
        let head = view.feed_heads.get(FeedName::Changes).cloned();
        Ok(head.unwrap_or_else(|| FeedHead::new(FeedName::Changes)))
    }
}

/// A change in a line: `cursor  time  type  resource version  by whom from where  facts`.
fn plain_line(change: &Value) -> String {
    let (resource, actor) = (&change["resource"], &change["actor"]);
    let of = |before: &str, value: &Value| value.as_str().map(|text| format!("{before} {text}"));
    let by: Vec<String> = [
        of("by", &actor["type"]),
        actor["id"].as_str().map(str::to_owned),
        of("of partner", &actor["partner"]),
        of("from", &change["origin"]["address"]),
        Some(format!("at node {}", change["origin"]["node"])),
    ]
    .into_iter()
    .flatten()
    .collect();
    let facts: Vec<String> = change["facts"].as_object().into_iter().flatten().map(fact_text).collect();
    let parts = [
        text_of(&change["cursor"]),
        text_of(&change["timestamp"]),
        text_of(&change["type"]),
        format!("{} {} v{}", text_of(&resource["type"]), text_of(&resource["id"]), resource["version"]),
        by.join(" "),
        facts.join("; "),
    ];
    parts.join("  ").trim_end().to_owned()
}

fn fact_text((name, fact): (&String, &Value)) -> String {
    match fact.as_object() {
        Some(step) if step.contains_key("to") => {
            format!("{name}: {} -> {}", text_of(&fact["from"]), text_of(&fact["to"]))
        }
        Some(_) => format!("{name} changed"),
        None => format!("{name}: {}", text_of(fact)),
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<String>>().join(","),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_says_what_who_from_where_and_what_it_was() {
        let mut change = json!({
            "cursor": "12-1", "timestamp": "2026-04-11 17:40:12", "type": "order.paid",
            "resource": {"type": "order", "id": "69a97748c4d1a7e300400001", "version": 3},
            "actor": {
                "type": "api_key", "id": "69a97748c4d1a7e300400007", "partner": "69a97748c4d1a7e300400003",
            },
            "origin": {"node": 4, "address": "public"},
            "facts": {
                "status": {"from": "executed", "to": "done"}, "customer": {"changed": true}, "ticket_count": 2,
                "promocodes": ["a", "b"], "reserved_till": {"from": "2026-04-11 17:50:00", "to": null},
            },
        });
        assert_eq!(
            plain_line(&change),
            "12-1  2026-04-11 17:40:12  order.paid  order 69a97748c4d1a7e300400001 v3  by api_key \
             69a97748c4d1a7e300400007 of partner 69a97748c4d1a7e300400003 from public at node 4  customer changed; \
             promocodes: a,b; reserved_till: 2026-04-11 17:50:00 -> none; status: executed -> done; ticket_count: 2"
        );
        (change["actor"], change["origin"]["address"]) = (json!({"type": "system"}), Value::Null);
        change["facts"] = json!({});
        assert_eq!(
            plain_line(&change),
            "12-1  2026-04-11 17:40:12  order.paid  order 69a97748c4d1a7e300400001 v3  by system at node 4"
        );
    }
}
