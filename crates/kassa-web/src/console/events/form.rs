//! The form of an event: its fields, and the body that they make.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use kassa_texts::Texts;
use serde_json::{Map, Value, json};

use super::{Loaded, asking, translating};
use crate::console::fields::Fields;
use crate::console::times::{of_field, to_field, to_utc, to_vevent};

/// How long an event takes whose end nobody has named, in hours.
const USUAL_HOURS: i64 = 3;

/// Which field of the form says what of the interface's.
pub(super) const NAMES: [(&str, &str); 8] = [
    ("questions", "questions"),
    ("translations", "translations"),
    ("title.text", "title"),
    ("title.desc", "desc"),
    ("lifetime", "end"),
    ("refund_policy.kept_percent", "kept_percent"),
    ("refund_policy.days_before", "days_before"),
    ("refund_policy", "policy"),
];

/// The fields of an event, as it is.
pub(super) fn fields_of(event: &Loaded) -> Fields {
    let (value, zone) = (&event.value, event.zone());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| value.as_u64().map(|number| number.to_string()).unwrap_or_default();
    let time = |at: Option<Timestamp>| at.map(|at| to_field(at, &zone)).unwrap_or_default();
    let policy = &value["refund_policy"];
    let kept = text(&policy["kept_percent"]).trim_end_matches('%').to_owned();
    let own = [
        ("buyer_name", text(&value["buyer_name"])),
        ("buyer_phone", text(&value["buyer_phone"])),
        ("name_change_until", time(value["name_change_until"].as_str().and_then(|at| at.parse().ok()))),
        ("title", event.data.title.text.clone()),
        ("desc", event.data.title.desc.clone().unwrap_or_default()),
        ("start", time(event.data.lifetime.and_then(|span| span.start))),
        ("end", time(event.data.lifetime.and_then(|span| span.end))),
        ("venue", event.venue_id().to_owned()),
        ("age_rating", number(&value["age_rating"])),
        ("tickets_limit", number(&value["tickets_limit"])),
        ("hold_minutes", number(&value["hold_minutes"])),
        ("policy", if policy.is_object() { "own".to_owned() } else { String::new() }),
        ("kept_percent", kept),
        ("days_before", number(&policy["days_before"])),
        ("after_start", if policy["after_start"] == true { "true".to_owned() } else { String::new() }),
    ];
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
    Fields::to_change(own.chain(asking::fields_of(value)).chain(translating::fields_of(value)))
}

/// What the fields change, in a zone. What cannot be read is marked as wrong.
pub(super) fn body_of(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Value {
    let mut body = Map::new();
    let mut title = Map::new();
    if fields.is_changed("title") {
        title.insert("text".to_owned(), json!(fields.value("title").trim()));
    }
    if fields.is_changed("desc") {
        title.insert("desc".to_owned(), json!(fields.given("desc")));
    }
    if !title.is_empty() {
        body.insert("title".to_owned(), Value::Object(title));
    }
    // The hour on the clock stays when the place moves to another zone.
    let is_moved = ["start", "end", "venue"].into_iter().any(|name| fields.is_changed(name));
    if is_moved && let Some(span) = span_of(fields, zone, texts) {
        body.insert("lifetime".to_owned(), span);
    }
    if fields.is_changed("venue") {
        body.insert("venue".to_owned(), json!(fields.given("venue")));
    }
    for (name, usual) in [("age_rating", 0), ("tickets_limit", 100), ("hold_minutes", 15)] {
        if fields.is_changed(name) {
            body.insert(name.to_owned(), fields.given(name).map_or_else(|| json!(usual), number));
        }
    }
    if ["policy", "kept_percent", "days_before", "after_start"].into_iter().any(|name| fields.is_changed(name)) {
        let own = || {
            json!({
                "kept_percent": format!("{}%", fields.given("kept_percent").unwrap_or("0").replace(',', ".")),
                "days_before": fields.given("days_before").map_or_else(|| json!(0), number),
                "after_start": fields.is("after_start", "true"),
            })
        };
        // Whoever writes a rule means it, whatever is ticked above it.
        let is_written = ["kept_percent", "days_before", "after_start"]
            .into_iter()
            .any(|name| fields.is_changed(name) && fields.given(name).is_some());
        let is_own = fields.is("policy", "own") || !fields.is_changed("policy") && is_written;
        body.insert("refund_policy".to_owned(), if is_own { own() } else { Value::Null });
    }
    for name in ["buyer_name", "buyer_phone"] {
        if fields.is_changed(name) {
            body.insert(name.to_owned(), json!(fields.given(name).unwrap_or("optional")));
        }
    }
    // So does the hour until which names are changed.
    if fields.is_changed("name_change_until")
        || fields.is_changed("venue") && fields.given("name_change_until").is_some()
    {
        let until = fields.given("name_change_until").map(|text| of_field(text, zone));
        if until == Some(None) {
            fields.set_wrong("name_change_until", texts.text("wrong-time"));
        }
        body.insert("name_change_until".to_owned(), json!(until.flatten().map(to_utc)));
    }
    if let Some(translations) = translating::changed(fields) {
        body.insert("translations".to_owned(), json!(translations));
    }
    if let Some(questions) = asking::changed(fields) {
        body.insert("questions".to_owned(), json!(questions));
    }
    Value::Object(body)
}

/// A whole number, or the text, of which the interface says what is wrong with it.
pub(super) fn number(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number))
}

/// A sum of money as the interface takes it: `25,50` is 25.50.
pub(crate) fn money(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>().replace(',', ".")
}

fn span_of(fields: &mut Fields, zone: &TimeZone, texts: &Texts) -> Option<Value> {
    let read = |name: &str| fields.given(name).map(|text| of_field(text, zone));
    let (start, end) = (read("start"), read("end"));
    let wrong = |read: Option<Option<Timestamp>>| read == Some(None);
    let (is_start_wrong, is_end_wrong) = (wrong(start), wrong(end));
    if is_start_wrong {
        fields.set_wrong("start", texts.text("wrong-time"));
    }
    if is_end_wrong {
        fields.set_wrong("end", texts.text("wrong-time"));
    }
    let Some(start) = start.flatten() else {
        if end.is_some() && !is_start_wrong {
            fields.set_wrong("start", texts.text("wrong-required"));
        }
        return fields.is_changed("start").then_some(Value::Null);
    };
    let end = end.flatten().or_else(|| start.checked_add(USUAL_HOURS.hours()).ok())?;
    if end <= start {
        fields.set_wrong("end", texts.text("wrong-times"));
    }
    Some(json!(to_vevent(start, end)))
}

#[cfg(test)]
mod tests {
    use kassa_texts::Language;

    use super::*;
    use crate::form::Form;

    #[test]
    fn only_what_was_changed_is_sent() {
        let form =
            b"title=Night&_was.title=Night&desc=New&_was.desc=&start=2026-06-01T20%3A00&_was.start=&end=&age_rating=12";
        let mut fields = Fields::typed(&Form::parse(form));
        let texts = Texts::of(Language::En);
        let body = body_of(&mut fields, &TimeZone::UTC, texts);
        let span = "BEGIN:VEVENT\r\nDTSTART:20260601T200000Z\r\nDTEND:20260601T230000Z\r\nEND:VEVENT\r\n";
        assert_eq!(body, json!({"title": {"desc": "New"}, "lifetime": span, "age_rating": 12}));
        assert!(!fields.has_wrong());
    }

    #[test]
    fn a_rule_for_returned_tickets_that_is_written_counts() {
        let own = json!({"kept_percent": "12.5%", "days_before": 3, "after_start": false});
        let policy = |form: &str| {
            let mut fields = Fields::typed(&Form::parse(form.as_bytes()));
            body_of(&mut fields, &TimeZone::UTC, Texts::of(Language::En))["refund_policy"].clone()
        };
        assert_eq!(policy("policy=&kept_percent=12,5&days_before=3"), own, "of a new event");
        assert_eq!(policy("policy=own&kept_percent=12,5&days_before=3"), own);
        let before = "_was.policy=own&_was.kept_percent=12,5&_was.days_before=3";
        assert_eq!(policy(&format!("policy=&kept_percent=12,5&days_before=3&{before}")), Value::Null);
        assert_eq!(policy("policy=&kept_percent=&days_before="), Value::Null);
    }

    #[test]
    fn hours_on_the_clock_stay_when_the_place_moves() {
        let form = "start=2026-06-01T20%3A00&_was.start=2026-06-01T20%3A00&venue=b&_was.venue=a\
            &name_change_until=2026-05-31T12%3A00&_was.name_change_until=2026-05-31T12%3A00";
        let mut fields = Fields::typed(&Form::parse(form.as_bytes()));
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let body = body_of(&mut fields, &zone, Texts::of(Language::En));
        assert!(body["lifetime"].as_str().unwrap().contains("DTSTART:20260601T180000Z"), "{body}");
        assert_eq!(body["name_change_until"], "2026-05-31T10:00:00Z");
        let mut fields = Fields::typed(&Form::parse(b"venue=b&_was.venue=a"));
        assert_eq!(body_of(&mut fields, &zone, Texts::of(Language::En)), json!({"venue": "b"}));
    }

    #[test]
    fn an_event_does_not_end_before_it_begins() {
        let mut fields = Fields::typed(&Form::parse(b"start=2026-06-01T20%3A00&end=2026-06-01T19%3A00"));
        body_of(&mut fields, &TimeZone::UTC, Texts::of(Language::En));
        assert!(fields.is_wrong("end"));
    }

    #[test]
    fn sums_are_written_as_people_write_them() {
        assert_eq!(["25,50", "1 000.00", "7"].map(money), ["25.50", "1000.00", "7"]);
    }
}
