//! Promotions in words: what they take off, when, and whether they do so now.

use jiff::Timestamp;
use serde_json::Value;

use crate::console::events::Loaded;
use crate::console::times::in_words;
use crate::console::visit::Visit;

/// A promotion, as lists show it.
pub(crate) struct PromotionRow {
    pub(crate) path: String,
    /// What its levels take off.
    pub(crate) levels: Vec<String>,
    /// The names of its sets; empty if it is for all.
    pub(crate) sets: String,
    pub(crate) when: String,
    pub(crate) state: &'static str,
    pub(crate) state_text: String,
}

/// A promotion in words.
pub(super) fn row_of(visit: &Visit<'_>, event: &Loaded, promotion: &Value) -> PromotionRow {
    let texts = visit.texts();
    let (state, key) = state_of(promotion, visit.shop.present().0);
    let id = promotion["id"].as_str().unwrap_or_default();
    let chosen: Vec<&str> = promotion["sets"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = event.data.sets.iter().filter(|set| chosen.contains(&set.id.as_str())).map(|set| set.name.as_str());
    PromotionRow {
        path: format!("{}/events/{}/promotions/{id}", visit.home(), event.data.id),
        levels: levels_in_words(visit, promotion),
        sets: names.collect::<Vec<_>>().join(", "),
        when: span_in_words(visit, event, &promotion["lifetime"]),
        state,
        state_text: texts.text(key),
    }
}

/// The word by which a state is drawn, and its text.
pub(super) fn state_of(promotion: &Value, now: Timestamp) -> (&'static str, &'static str) {
    let time = |value: &Value| value.as_str().and_then(|at| at.parse::<Timestamp>().ok());
    let (start, finish) = (time(&promotion["lifetime"]["start"]), time(&promotion["lifetime"]["finish"]));
    if promotion["removed"] == true {
        ("canceled", "promotion-removed")
    } else if finish.is_some_and(|finish| finish <= now) {
        ("finished", "promotion-over")
    } else if start.is_some_and(|start| start > now) {
        ("draft", "promotion-coming")
    } else {
        ("public", "promotion-runs")
    }
}

fn levels_in_words(visit: &Visit<'_>, promotion: &Value) -> Vec<String> {
    let (texts, currency) = (visit.texts(), visit.shop.settings.currency);
    let money = |text: &str| text.parse().map_or_else(|_| text.to_owned(), |sum| texts.amount(sum, currency));
    let level = |level: &Value| {
        let value = money(level["value"].as_str().unwrap_or_default());
        if let Some(count) = level["from"].as_u64() {
            return texts.with("promotion-level-count", &[("from", &count.to_string()), ("value", &value)]);
        }
        let from = money(level["from"].as_str().unwrap_or_default());
        texts.with("promotion-level-sum", &[("from", &from), ("value", &value)])
    };
    promotion["levels"].as_array().into_iter().flatten().map(level).collect()
}

/// From when and until when it is, in words.
fn span_in_words(visit: &Visit<'_>, event: &Loaded, lifetime: &Value) -> String {
    let (texts, zone) = (visit.texts(), event.zone());
    let time = |value: &Value| value.as_str().and_then(|at| at.parse::<Timestamp>().ok());
    let words = |at: Timestamp| in_words(texts.language(), &at.to_zoned(zone.clone()));
    let from = time(&lifetime["start"]).map(|at| texts.about("since-time", &words(at)));
    let until = time(&lifetime["finish"]).map(|at| texts.about("until-time", &words(at)));
    from.into_iter().chain(until).collect::<Vec<_>>().join(" ")
}
