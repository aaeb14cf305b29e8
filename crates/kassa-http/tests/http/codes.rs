//! The guide's table of error codes names each code that there is, with its status.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use axum::http::StatusCode;

const GUIDE: &str = include_str!("../../../../docs/api/errors.md");
const REFUSALS: &str = include_str!("../../../kassa-domain/src/refusal/mod.rs");
const SEATS_REFUSALS: &str = include_str!("../../../kassa-domain/src/refusal/seats.rs");
const CHECKOUT_REFUSALS: &str = include_str!("../../../kassa-domain/src/refusal/checkout.rs");
const REFUND_REFUSALS: &str = include_str!("../../../kassa-domain/src/refusal/refund.rs");
const ERRORS: &str = include_str!("../../src/error.rs");

/// A status and a code, as a row of the table begins.
type Code = (u16, String);

#[test]
fn the_guide_names_every_error_code() {
    let (named, known) = (codes_of_the_guide(), &codes_of_refusals() | &own_codes());
    assert_eq!(&known - &named, BTreeSet::new(), "docs/api/errors.md does not name these");
    assert_eq!(&named - &known, BTreeSet::new(), "docs/api/errors.md names these, and there are none");
}

/// Rows as ``| 400 | `event_not_found` | … |``.
fn codes_of_the_guide() -> BTreeSet<Code> {
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let status = cells.next()?.parse().ok()?;
        Some((status, cells.next()?.trim_matches('`').to_owned()))
    };
    GUIDE.lines().filter_map(row).collect()
}

/// Those of the domain, with the statuses that the interface gives them.
fn codes_of_refusals() -> BTreeSet<Code> {
    let codes = arms(REFUSALS, "impl Refusal {", "Self::");
    let statuses = arms(ERRORS, "fn status_of(", "Refusal::");
    assert!(codes.keys().eq(statuses.keys()), "each has a code and a status");
    let of_seats = arms(SEATS_REFUSALS, "impl SeatsRefusal {", "Self::");
    let of_checkouts = arms(CHECKOUT_REFUSALS, "fn code(", "Self::");
    let of_refunds = arms(REFUND_REFUSALS, "impl RefundRefusal {", "Self::");
    let values = |name, value| match name {
        "Seats" => of_seats.values().copied().collect(),
        "Checkout" => of_checkouts.values().copied().collect(),
        "Refund" => of_refunds.values().copied().collect(),
        _ => vec![value],
    };
    let code = |value: &str| value.split('"').nth(1).unwrap().to_owned();
    let all = codes.iter().flat_map(|(name, value)| {
        let values = values(*name, *value).into_iter();
        values.map(|value| (status(statuses[name]), code(value)))
    });
    all.collect()
}

/// Those of the interface itself. Where an error is made, its status and its code are written out.
fn own_codes() -> BTreeSet<Code> {
    let mut codes = BTreeSet::new();
    for source in sources_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let makers: &[&str] = if source == ERRORS { &["ApiError::new(", "Self::new("] } else { &["ApiError::new("] };
        let calls = makers.iter().flat_map(|maker| source.split(maker).skip(1));
        // What comes from the domain has its code from there.
        for call in calls.filter(|call| !call.starts_with("status_of(")) {
            let mut given = call.splitn(3, ',').map(str::trim);
            let code = given.nth(1).and_then(|code| code.strip_prefix('"')?.strip_suffix('"'));
            codes.insert((status(call), code.unwrap().to_owned()));
        }
    }
    codes
}

/// The arms of the match in a function, by the variants that they name: what comes behind each arrow.
fn arms(source: &'static str, function: &str, variant: &str) -> BTreeMap<&'static str, &'static str> {
    let (_, body) = source.split_once(function).unwrap();
    let body = body.split("\n}\n").next().unwrap();
    let chunks: Vec<&str> = body.split("=>").collect();
    let arm = |pair: &[&'static str]| {
        let value = pair[1];
        let names =
            pair[0].split(variant).skip(1).map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap());
        names.map(|name| (name, value)).collect::<Vec<_>>()
    };
    chunks.windows(2).flat_map(arm).collect()
}

/// The number of the first status that a text names.
fn status(text: &str) -> u16 {
    let name = text.split("StatusCode::").nth(1).unwrap();
    let name = name.split(|c: char| !c.is_ascii_uppercase() && c != '_').next().unwrap();
    let spelled = |status: &StatusCode| status.canonical_reason().map(|reason| reason.to_uppercase().replace(' ', "_"));
    let all = (400..600).filter_map(|status| StatusCode::from_u16(status).ok());
    all.into_iter().find(|status| spelled(status).as_deref() == Some(name)).unwrap().as_u16()
}

fn sources_below(folder: &Path) -> Vec<String> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: std::path::PathBuf| {
        if path.is_dir() { sources_below(&path) } else { vec![std::fs::read_to_string(path).unwrap()] }
    };
    let is_source = |path: &std::path::PathBuf| path.is_dir() || path.extension().is_some_and(|kind| kind == "rs");
    paths.filter(is_source).flat_map(below).collect()
}
