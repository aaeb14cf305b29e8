use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use super::references::IdsByKind;
use super::*;
use crate::route::ResourceKind;
use crate::v1::resource_kinds::{EVENT, ORDER, PARTNER, SET, TICKET};

fn schema(text: &str) -> FieldSelection {
    text.parse().unwrap()
}

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).unwrap()
}

#[track_caller]
fn refuses(text: &str, reason: &str) {
    assert_eq!(projection::check_fields(&schema(text), ORDER.fields, ""), Err(reason.to_owned()), "{text}");
}

#[test]
fn a_schema_is_checked_at_every_level() {
    refuses("id,nonsense", "there is no field nonsense");
    refuses("values{sets{x}}", "there is no field values.sets.x");
    refuses("event{org{legal{any{thing}},users{password}}}", "there is no field event.org.users.password");
    refuses("number{a}", "number has no fields of its own");
    refuses("tickets{seat{row{a}}}", "tickets.seat.row has no fields of its own");
    let free = schema("rules{a{b}},customer{user{partners{name}}},event{sets{rules{cal}}}");
    assert_eq!(projection::check_fields(&free, ORDER.fields, ""), Ok(()));
}

fn find_missing(
    answer: &Value,
    text: &str,
    kind: &ResourceKind,
    found: &LoadedResources,
) -> Result<IdsByKind, ProjectionLimit> {
    missing_references(&raw(answer), &schema(text), kind.fields, found, &mut ScanBudget::default())
}

fn project(
    answer: &Value,
    text: &str,
    kind: &ResourceKind,
    found: &LoadedResources,
) -> Result<Vec<u8>, ProjectionLimit> {
    let text_buffer = TextBuffer::new(BYTES_MAX, MemoryMeter::unlimited());
    let (answer, schema, mut scans) = (raw(answer), schema(text), ScanBudget::default());
    projection::project(&answer, &schema, kind.fields, found, &mut scans, text_buffer)
}

#[test]
fn each_level_is_looked_up_once_for_all_rows() {
    let answer = json!([
        {"org": "p1", "vendor": "p2", "event": "e1", "tickets": ["t1", "t2"]},
        {"org": "p1", "vendor": "p3", "event": null, "tickets": ["t3", "t1"]},
    ]);
    let text = "org{name},vendor{id},event{org{name}},tickets{set{id}}";
    let missing = |found: &LoadedResources| -> Vec<(&str, Vec<String>)> {
        let missing = find_missing(&answer, text, &ORDER, found).unwrap();
        missing.into_iter().map(|(name, (_, ids))| (name, ids.into_iter().collect())).collect()
    };
    let mut found = LoadedResources::default();
    let list = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    let first =
        [("event", list(&["e1"])), ("partner", list(&["p1", "p2", "p3"])), ("ticket", list(&["t1", "t2", "t3"]))];
    assert_eq!(missing(&found), first);
    found.add(&EVENT, list(&["e1"]), vec![("e1".to_owned(), raw(&json!({"id": "e1", "org": "p1"})))]);
    found.add(&PARTNER, list(&["p1", "p2", "p3"]), vec![("p1".to_owned(), raw(&json!({"name": "One"})))]);
    let ticket = |id: &str, set: &str| (id.to_owned(), raw(&json!({"id": id, "set": set})));
    found.add(&TICKET, list(&["t1", "t2", "t3"]), vec![ticket("t1", "s1"), ticket("t2", "s1")]);
    assert_eq!(missing(&found), [("set", list(&["s1"]))], "one partner is known from before");
    let shown = project(&answer, text, &ORDER, &found).unwrap();
    assert_eq!(
        String::from_utf8(shown).unwrap(),
        r#"[{"org":{"name":"One"},"vendor":"p2","event":{"org":{"name":"One"}},"tickets":[{"set":"s1"},{"set":"s1"}]},"#
            .to_owned() + r#"{"org":{"name":"One"},"vendor":"p3","event":null,"tickets":["t3",{"set":"s1"}]}]"#
    );
}

#[test]
fn names_and_values_of_any_kind_are_kept_as_they_are() {
    let answer =
        json!({"rules": {"a \"b": 1, "c": {"d": [1.50, {"e": "\u{7}\n"}, null, []]}}, "number": 7, "values": {}});
    let shown: Value = serde_json::from_slice(
        &project(&answer, "rules{c{d{e}}},number,values{full}", &ORDER, &LoadedResources::default()).unwrap(),
    )
    .unwrap();
    assert_eq!(shown, json!({"rules": {"c": {"d": [1.50, {"e": "\u{7}\n"}, null, []]}}, "number": 7, "values": {}}));
}

#[test]
fn an_answer_expands_so_many_references_also_within_what_it_repeats() {
    let ids: Vec<String> = (0..EXPANDED_MAX).map(|id| id.to_string()).collect();
    let answer = |more: Value| json!({"tickets": ids, "event": more});
    let missing = |answer: &Value, text: &str, found: &LoadedResources| {
        find_missing(answer, text, &ORDER, found).map(|missing| missing.len())
    };
    let nothing = LoadedResources::default();
    assert_eq!(missing(&answer(Value::Null), "tickets{id},event{id}", &nothing), Ok(1));
    assert_eq!(
        missing(&answer(json!("one more")), "tickets{id},event{id}", &nothing),
        Err(ProjectionLimit::References)
    );
    // One ticket that leads to one set, five thousand times.
    let mut found = LoadedResources::default();
    found.add(&TICKET, vec!["t".to_owned()], vec![("t".to_owned(), raw(&json!({"set": "s"})))]);
    let same = |count: usize| json!({"tickets": vec!["t"; count]});
    assert_eq!(missing(&same(EXPANDED_MAX / 2), "tickets{set{id}}", &found), Ok(1));
    assert_eq!(missing(&same(EXPANDED_MAX / 2 + 1), "tickets{set{id}}", &found), Err(ProjectionLimit::References));
}

/// Sets of one event, each of which shows the event with all of these sets: the text grows with the square of their
/// number.
#[test]
fn each_copy_counts() {
    let sets = |count: usize| -> Vec<Value> {
        (0..count).map(|_| json!({"event": "e", "desc": "d".repeat(10_000)})).collect()
    };
    let shaped = |count: usize, text: &str| {
        let (answer, mut found) = (json!(sets(count)), LoadedResources::default());
        found.add(&EVENT, vec!["e".to_owned()], vec![("e".to_owned(), raw(&json!({"sets": sets(count)})))]);
        project(&answer, text, &SET, &found).map(|text| text.len())
    };
    assert!(shaped(50, "event{sets{desc}}").unwrap() > 50 * 50 * 10_000);
    assert_eq!(shaped(60, "event{sets{desc}}"), Err(ProjectionLimit::Bytes));
    assert!(shaped(60, "event{sets{event}}").unwrap() < 100_000);
    // Keys are text, too.
    let ids = json!(vec![json!({"event": "e"}); 40_000]);
    assert!(project(&ids, "event", &SET, &LoadedResources::default()).unwrap().len() > 40_000 * 10);
}

#[test]
fn what_is_looked_at_is_bounded_too() {
    // Each level of a free-form field is looked at again.
    let deep = json!({"rules": {"a": {"b": {"c": "d".repeat(8 * 1024 * 1024)}}}});
    let mut scans = ScanBudget::default();
    let shape = |scans: &mut ScanBudget| {
        let text = TextBuffer::new(BYTES_MAX, MemoryMeter::unlimited());
        projection::project(
            &raw(&deep),
            &schema("rules{a{b{x}}}"),
            ORDER.fields,
            &LoadedResources::default(),
            scans,
            text,
        )
    };
    let shaped = (0..100).map(|_| shape(&mut scans)).take_while(Result::is_ok).count();
    assert!((5..20).contains(&shaped), "{shaped}");
    assert_eq!(shape(&mut scans), Err(ProjectionLimit::Scans));
}

#[test]
fn memory_is_taken_before_the_text_grows() {
    let budget = kassa_store::memory_budget::MemoryBudget::new(2 * 1024 * 1024, || ());
    let meter = MemoryMeter::new(&budget, usize::MAX);
    let mut text = TextBuffer::new(BYTES_MAX, meter);
    let long = "x".repeat(600 * 1024);
    text.push(&long).unwrap();
    assert_eq!(text.push(&long), Err(ProjectionLimit::Memory(MemoryExceeded::TooLarge)));
    drop(text);
    assert_eq!(budget.available(), 2 * 1024 * 1024);
}

#[tokio::test]
async fn a_long_answer_is_not_collected() {
    let meter = MemoryMeter::unlimited();
    let whole = async |bytes: usize, bytes_max: usize| {
        collect_body(Body::from(vec![b' '; bytes]), bytes_max, &meter).await.map(|body| body.len())
    };
    assert_eq!(whole(BYTES_MAX, BYTES_MAX).await.unwrap(), BYTES_MAX);
    assert_eq!(whole(BYTES_MAX + 1, usize::MAX).await.unwrap(), BYTES_MAX + 1);
    let refused = whole(BYTES_MAX + 1, BYTES_MAX).await.unwrap_err().into_response();
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    let streamed = async |pieces: usize| {
        let pieces = futures_util::stream::iter(0..pieces).map(|_| Ok::<_, std::io::Error>(vec![b' '; 1000]));
        collect_body(Body::from_stream(pieces), 10_000, &meter).await.map(|body| body.len())
    };
    assert_eq!(streamed(10).await.unwrap(), 10_000);
    assert_eq!(streamed(11).await.unwrap_err().code(), "bad_fields_schema");
}

#[test]
fn an_escaped_name_is_seen() {
    assert!(may_have_parameter("a=1&fields-schema=id") && may_have_parameter("fields%2Dschema=id"));
    assert!(!may_have_parameter("limit=5&status=vacant"));
}
