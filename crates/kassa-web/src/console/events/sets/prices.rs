//! The prices of a set in time as fields of its form: the first, and those that follow it, each with the time from which it
//! holds.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use kassa_texts::Texts;
use serde_json::{Value, json};

use crate::console::events::Loaded;
use crate::console::events::form::money;
use crate::console::fields::Fields;
use crate::console::times::{of_field, to_field, to_utc};
use crate::model::read_span;

/// Prices that a set can have.
const PRICES_MAX: usize = 100;
/// Rows without a price that a form has at its end.
const EMPTY_ROWS: usize = 2;
const FIRST: &str = "price";
const FIRST_RULE: &str = "_rule0";

/// The names of the fields of a price that follows another one.
pub(super) struct PriceRow {
    /// Which price it is: the first one is that of the set.
    pub(super) number: String,
    /// From when it holds.
    pub(super) from: String,
    pub(super) price: String,
    /// The rule that it is already.
    pub(super) rule: String,
}

impl PriceRow {
    fn at(index: usize) -> Self {
        Self {
            number: (index + 1).to_string(),
            from: format!("from{index}"),
            price: format!("price{index}"),
            rule: format!("_rule{index}"),
        }
    }

    fn is_said(&self, fields: &Fields) -> bool {
        fields.given(&self.from).is_some() || fields.given(&self.price).is_some()
    }
}

/// A rule that there is, as a hidden field has it: its id, its start in full seconds, and its end, where it ends neither with
/// the event nor because another price begins.
#[derive(Clone, Debug)]
struct KnownRule {
    id: String,
    start: Timestamp,
    own_end: Option<Timestamp>,
}

impl KnownRule {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace();
        let (id, start) = (parts.next()?.to_owned(), parts.next()?.parse().ok()?);
        Some(Self { id, start, own_end: parts.next().and_then(|end| end.parse().ok()) })
    }

    fn written(&self) -> String {
        let end = self.own_end.map(|end| format!(" {}", to_utc(end))).unwrap_or_default();
        format!("{} {}{end}", self.id, to_utc(self.start))
    }
}

/// A price that a form says.
struct SaidPrice {
    known: Option<KnownRule>,
    /// When the rule has ended so far, if another one followed it.
    known_next: Option<Timestamp>,
    /// From when; of the first price of a new set from now on.
    start: Option<Timestamp>,
    price: String,
}

fn later_rows() -> impl Iterator<Item = PriceRow> {
    (1..PRICES_MAX).map(PriceRow::at)
}

/// The rows of a form: those that say something, and some more.
pub(super) fn rows(fields: &Fields) -> Vec<PriceRow> {
    let last = later_rows().zip(1..).filter(|(row, _)| row.is_said(fields)).map(|(_, count)| count).last();
    later_rows().take(last.unwrap_or_default() + EMPTY_ROWS).collect()
}

/// Whether a form says that the price changes with time.
pub(super) fn has_later(fields: &Fields) -> bool {
    later_rows().any(|row| row.is_said(fields))
}

/// The fields of the prices that there are.
pub(super) fn fields_of(set: &Value, event: &Loaded) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let zone = event.zone();
    let rules: Vec<&Value> = set["rules"].as_array().into_iter().flatten().collect();
    let spans: Vec<_> = rules.iter().map(|rule| read_span(rule["cal"].as_str().unwrap_or_default())).collect();
    let event_end = event.data.lifetime.and_then(|span| span.end);
    let mut fields = Vec::new();
    if rules.is_empty() {
        fields.push((FIRST.to_owned(), text(&set["price_org"])));
    }
    for (at, (rule, span)) in rules.iter().zip(&spans).enumerate() {
        let row = PriceRow::at(at);
        let Some(start) = span.start else { continue };
        let next = spans.get(at + 1).map_or(event_end, |next| next.start);
        let known = KnownRule { id: text(&rule["id"]), start, own_end: span.end.filter(|end| Some(*end) != next) };
        fields.push((row.rule, known.written()));
        if at == 0 {
            fields.push((FIRST.to_owned(), text(&rule["price_org"])));
        } else {
            fields.push((row.from, to_field(start, &zone)));
            fields.push((row.price, text(&rule["price_org"])));
        }
    }
    fields
}

/// Whether any of them was changed.
pub(super) fn is_changed(fields: &Fields) -> bool {
    fields.is_changed(FIRST) || later_rows().any(|row| fields.is_changed(&row.from) || fields.is_changed(&row.price))
}

/// The prices as the interface takes them: one from now on, or all in time. What cannot be read is marked as wrong.
///
/// A rule by which tickets were sold keeps its time. With `keeps_times` each rule that would last longer does, and another
/// one goes on at its price.
pub(super) fn body_of(
    fields: &mut Fields,
    zone: &TimeZone,
    (now, texts): (Timestamp, &Texts),
    keeps_times: bool,
) -> Vec<(&'static str, Value)> {
    let prices = said_prices(fields, zone, texts);
    match prices.as_slice() {
        [only] if is_plain(fields, only, now) => vec![("price", json!(only.price))],
        [before @ .., new] if is_added(fields, before, new) => {
            vec![("price", json!(new.price)), ("price_from", json!(new.start.map(to_utc)))]
        }
        prices => vec![("rules", rules(prices, keeps_times))],
    }
}

/// Whether all that is new is a price that follows the others: then those may have sold.
fn is_added(fields: &Fields, before: &[SaidPrice], new: &SaidPrice) -> bool {
    let Some(last) = before.last().and_then(|said| said.known.as_ref()) else { return false };
    let known_rows = later_rows().filter(|row| fields.given(&row.rule).is_some());
    let is_kept = |row: PriceRow| !fields.is_changed(&row.from) && !fields.is_changed(&row.price);
    new.known.is_none()
        && last.own_end.is_none()
        && before.iter().all(|said| said.known.is_some())
        && !fields.is_changed(FIRST)
        && known_rows.into_iter().all(is_kept)
}

/// Whether a price is the only one, and holds already, or as soon as it is there. What has not begun keeps its beginning, and
/// what goes away has to be left out of all.
fn is_plain(fields: &Fields, only: &SaidPrice, now: Timestamp) -> bool {
    let has_others = later_rows().any(|row| fields.given(&row.rule).is_some());
    !has_others && only.known.as_ref().is_none_or(|rule| rule.start <= now)
}

/// The prices of a form, the first one first.
fn said_prices(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Vec<SaidPrice> {
    let known: Vec<Option<KnownRule>> =
        (0..PRICES_MAX).map(|at| KnownRule::read(fields.value(&PriceRow::at(at).rule))).collect();
    let known_next = |at: usize| known.get(at + 1).and_then(Option::as_ref).map(|next| next.start);
    let first = KnownRule::read(fields.value(FIRST_RULE));
    let mut before = first.as_ref().map(|rule| rule.start);
    let price = money(fields.value(FIRST));
    let mut prices = vec![SaidPrice { start: before, known: first, known_next: known_next(0), price }];
    for (at, row) in (1..).zip(later_rows()) {
        let known = known.get(at).cloned().flatten();
        // The field has no seconds.
        let unmoved = known.as_ref().filter(|rule| to_field(rule.start, zone) == fields.value(&row.from));
        let unmoved = unmoved.map(|rule| rule.start);
        let time = fields.given(&row.from).map(|text| unmoved.or_else(|| of_field(text, zone)));
        match (time, fields.given(&row.price).map(money)) {
            (None, None) => {}
            (Some(Some(start)), Some(price)) => {
                if before.is_some_and(|before| start <= before) {
                    fields.set_wrong(&row.from, texts.text("wrong-order"));
                }
                before = Some(start);
                prices.push(SaidPrice { known, known_next: known_next(at), start: Some(start), price });
            }
            (Some(None), _) => fields.set_wrong(&row.from, texts.text("wrong-time")),
            (Some(_), None) => fields.set_wrong(&row.price, texts.text("wrong-required")),
            (None, Some(_)) => fields.set_wrong(&row.from, texts.text("wrong-required")),
        }
    }
    prices
}

/// Prices in time: each until the next one begins, the last one until the event is over, but for those that end before.
fn rules(prices: &[SaidPrice], keeps_times: bool) -> Value {
    let mut rules = Vec::new();
    for (at, said) in prices.iter().enumerate() {
        let next = prices.get(at + 1).and_then(|next| next.start);
        let own_end = said.known.as_ref().and_then(|rule| rule.own_end);
        let finish = [own_end, next].into_iter().flatten().min();
        let id = said.known.as_ref().map(|rule| rule.id.as_str());
        let kept = said.known_next.filter(|end| keeps_times && own_end.is_none() && finish.is_none_or(|it| it > *end));
        if kept.is_some() {
            rules.push(rule(id, (said.start, kept), &said.price));
            rules.push(rule(None, (kept, finish), &said.price));
        } else {
            rules.push(rule(id, (said.start, finish), &said.price));
        }
    }
    Value::Array(rules)
}

fn rule(id: Option<&str>, (start, finish): (Option<Timestamp>, Option<Timestamp>), price: &str) -> Value {
    let mut rule = json!({"price": price});
    if let Some(id) = id {
        rule["id"] = json!(id);
    }
    for (name, time) in [("start", start), ("finish", finish)] {
        if let Some(time) = time {
            rule[name] = json!(to_utc(time));
        }
    }
    rule
}

/// Which path of the body is said by which field: empty rows are none of the body's rules.
pub(super) fn names(fields: &Fields) -> Vec<(String, String)> {
    let said = (1..).zip(later_rows().filter(|row| row.is_said(fields)));
    let of_row = |(at, row): (usize, PriceRow)| {
        let name = |end: &str| format!("rules[{at}]{end}");
        [(name(".price"), row.price), (name(""), row.from)]
    };
    said.flat_map(of_row).collect()
}

#[cfg(test)]
mod tests {
    use kassa_texts::Language;

    use super::*;
    use crate::form::Form;

    /// What a form makes, at the beginning of 2026.
    fn body(form: &str, keeps_times: bool) -> (&'static str, Value, bool) {
        let mut fields = Fields::typed(&Form::parse(form.as_bytes()));
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let mut body = body_of(&mut fields, &TimeZone::UTC, (now, Texts::of(Language::En)), keeps_times);
        let (name, value) = body.remove(0);
        assert!(body.is_empty(), "{body:?}");
        (name, value, fields.has_wrong())
    }

    #[test]
    fn a_price_that_is_added_leaves_the_others_alone() {
        let form = "price=20&_was.price=20&_rule0=a+2025-01-01T00:00:00Z&from1=2026-02-01T00%3A00&price1=25,50";
        let mut fields = Fields::typed(&Form::parse(form.as_bytes()));
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let body = body_of(&mut fields, &TimeZone::UTC, (now, Texts::of(Language::En)), false);
        assert_eq!(body, [("price", json!("25.50")), ("price_from", json!("2026-02-01T00:00:00Z"))]);
        // With another price before it, all are said.
        let dearer = form.replace("price=20&_was", "price=21&_was");
        let mut fields = Fields::typed(&Form::parse(dearer.as_bytes()));
        assert_eq!(body_of(&mut fields, &TimeZone::UTC, (now, Texts::of(Language::En)), false)[0].0, "rules");
    }

    #[test]
    fn prices_follow_each_other() {
        let new = body("price=20&from1=2026-02-01T00%3A00&price1=25,50&from2=&price2=", false);
        let rules = json!([
            {"finish": "2026-02-01T00:00:00Z", "price": "20"},
            {"start": "2026-02-01T00:00:00Z", "price": "25.50"},
        ]);
        assert_eq!(new, ("rules", rules, false));
        assert_eq!(body("price=20&from1=&price1=", false), ("price", json!("20"), false));
    }

    #[test]
    fn one_price_is_plain_only_where_it_holds_already() {
        assert_eq!(body("price=30&_rule0=a+2025-01-01T00:00:00Z", false), ("price", json!("30"), false));
        let coming = json!([{"id": "a", "start": "2026-03-01T00:00:00Z", "price": "30"}]);
        assert_eq!(body("price=30&_rule0=a+2026-03-01T00:00:00Z", false), ("rules", coming, false));
        // The price that followed is taken away.
        let form = "price=20&_rule0=a+2025-01-01T00:00:00Z&from1=&price1=&_rule1=b+2026-02-01T00:00:07Z";
        let alone = json!([{"id": "a", "start": "2025-01-01T00:00:00Z", "price": "20"}]);
        assert_eq!(body(form, false), ("rules", alone, false));
        let kept = json!([
            {"id": "a", "start": "2025-01-01T00:00:00Z", "finish": "2026-02-01T00:00:07Z", "price": "20"},
            {"start": "2026-02-01T00:00:07Z", "price": "20"},
        ]);
        assert_eq!(body(form, true), ("rules", kept, false));
    }

    #[test]
    fn rules_that_nobody_changes_stay_to_the_second() {
        let form = "price=20&_rule0=a+2025-01-01T00:00:07Z+2025-02-01T00:00:00Z\
            &from1=2025-03-01T00%3A00&price1=25&_rule1=b+2025-03-01T00:00:59Z\
            &from2=2026-03-01T00%3A00&price2=31&_rule2=c+2026-03-01T00:00:00Z+2026-04-01T00:00:00Z";
        let rules = json!([
            {"id": "a", "start": "2025-01-01T00:00:07Z", "finish": "2025-02-01T00:00:00Z", "price": "20"},
            {"id": "b", "start": "2025-03-01T00:00:59Z", "finish": "2026-03-01T00:00:00Z", "price": "25"},
            {"id": "c", "start": "2026-03-01T00:00:00Z", "finish": "2026-04-01T00:00:00Z", "price": "31"},
        ]);
        for keeps_times in [false, true] {
            assert_eq!(body(form, keeps_times), ("rules", rules.clone(), false));
        }
    }

    #[test]
    fn half_a_price_is_asked_for_and_so_is_an_order() {
        let mut fields = Fields::typed(&Form::parse(b"price=1&from1=2026-02-01T00%3A00"));
        body_of(&mut fields, &TimeZone::UTC, (Timestamp::UNIX_EPOCH, Texts::of(Language::En)), false);
        assert!(fields.is_wrong("price1"));
        let form = b"price=1&_rule0=a+2026-03-01T00:00:00Z&from1=2026-02-01T00%3A00&price1=2";
        let mut fields = Fields::typed(&Form::parse(form));
        body_of(&mut fields, &TimeZone::UTC, (Timestamp::UNIX_EPOCH, Texts::of(Language::En)), false);
        assert!(fields.is_wrong("from1"));
    }

    #[test]
    fn what_is_wrong_with_a_price_stands_beside_it() {
        let fields = Fields::typed(&Form::parse(b"price=1&from1=&price1=&from2=2026-02-01T00%3A00&price2=x"));
        let names = names(&fields);
        assert_eq!(names[0], ("rules[1].price".to_owned(), "price2".to_owned()));
        assert_eq!(rows(&fields).len(), 4);
    }
}
