//! Names in a request that nobody reads, and that resemble one that is read: a misspelled field or parameter. They are
//! ignored like all unknown ones (decisions §3), and named in the header `Warning`, so that the mistake is found.

use std::cell::RefCell;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use parking_lot::Mutex;

/// Unknown names of one request that are compared with the known ones.
const COMPARED_MAX: usize = 32;
/// Longer names are not compared, in bytes.
const NAME_BYTES_MAX: usize = 40;
/// Warnings of one answer.
const WARNINGS_MAX: usize = 5;
/// Names of known words that differ in one letter resemble each other from so many letters on, and in two from twice as
/// many.
const LETTERS_MIN: usize = 4;

/// An unknown name, and the known one that it resembles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SimilarName {
    unknown: String,
    known: &'static str,
}

thread_local! {
    /// What the body that this thread reads has said: it is read in one go, and its objects know nothing of each other.
    static BODY_NAMES: RefCell<BodyNames> = const { RefCell::new(BodyNames { compared: 0, similar: Vec::new() }) };
}

struct BodyNames {
    compared: usize,
    similar: Vec<SimilarName>,
}

/// Notes a name that an object of a body has, and that is none of its fields.
pub(crate) fn note_unknown_field(name: &str, known: &'static [&'static str]) {
    BODY_NAMES.with_borrow_mut(|names| {
        if names.compared < COMPARED_MAX {
            names.compared += 1;
            names.similar.extend(SimilarName::find(name, known));
        }
    });
}

/// Reads a body, and returns the names that were noted on the way.
pub(super) fn collect_similar_fields<T>(read: impl FnOnce() -> T) -> (T, Vec<SimilarName>) {
    let start = || BODY_NAMES.replace(BodyNames { compared: 0, similar: Vec::new() }).similar;
    start();
    let value = read();
    (value, start())
}

/// What was found out about the names of one request. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct RequestNames(Arc<Mutex<Names>>);

#[derive(Default)]
struct Names {
    fields: Vec<SimilarName>,
    /// The parameters that were looked for.
    parameters: Vec<&'static str>,
}

impl RequestNames {
    pub(super) fn add_fields(&self, fields: impl IntoIterator<Item = SimilarName>) {
        self.0.lock().fields.extend(fields);
    }

    /// Notes a parameter that was looked for.
    pub(crate) fn add_parameter(&self, name: &'static str) {
        self.0.lock().parameters.push(name);
    }

    /// Names in the answer what was misspelled in its request, if the handler has looked at all. `parameters` are those
    /// that its query has.
    pub(super) fn warn<'a>(&self, parameters: impl Iterator<Item = &'a str>, headers: &mut HeaderMap) {
        let names = self.0.lock();
        let fields = names.fields.iter().map(|field| field.warning("field"));
        let parameters = similar_parameters(parameters, &names.parameters);
        let parameters = parameters.iter().map(|parameter| parameter.warning("parameter"));
        for text in fields.chain(parameters).take(WARNINGS_MAX) {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.append(header::WARNING, value);
            }
        }
    }
}

fn similar_parameters<'a>(given: impl Iterator<Item = &'a str>, known: &[&'static str]) -> Vec<SimilarName> {
    if known.is_empty() {
        return Vec::new();
    }
    let unknown = given.filter(|name| !known.contains(name));
    unknown.take(COMPARED_MAX).filter_map(|name| SimilarName::find(name, known)).collect()
}

impl SimilarName {
    fn find(unknown: &str, known: &[&'static str]) -> Option<Self> {
        if unknown.len() > NAME_BYTES_MAX || known.contains(&unknown) {
            return None;
        }
        let folded = fold(unknown);
        let known = known.iter().copied().find(|known| resembles(&folded, &fold(known)))?;
        Some(Self { unknown: unknown.to_owned(), known })
    }

    /// The unknown name.
    pub(super) fn unknown(&self) -> &str {
        &self.unknown
    }

    /// A value of the header (RFC 7234, section 5.5). A client chose the name: only plain ones are repeated.
    fn warning(&self, kind: &str) -> String {
        let Self { unknown, known } = self;
        let is_plain = unknown.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        let name = if is_plain { unknown.as_str() } else { "in the request" };
        format!("299 - \"Unknown {kind} {name} is ignored: did you mean {known}?\"")
    }
}

/// The letters of a name, whatever their case, without what stands between words.
fn fold(name: &str) -> Vec<char> {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Whether two names are the same but for their number or for a slip of the keys.
fn resembles(unknown: &[char], known: &[char]) -> bool {
    let shorter = unknown.len().min(known.len());
    is_plural(unknown, known)
        || is_plural(known, unknown)
        || shorter >= LETTERS_MIN && edit_distance(unknown, known) <= if shorter >= 2 * LETTERS_MIN { 2 } else { 1 }
}

fn is_plural(name: &[char], singular: &[char]) -> bool {
    [&['s'][..], &['e', 's']].iter().any(|ending| name.strip_suffix(*ending) == Some(singular))
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbours to turn one text into the other
/// (optimal string alignment).
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.iter().enumerate() {
        let mut row = Vec::with_capacity(other.len() + 1);
        row.push(i + 1);
        for (j, wanted) in other.iter().enumerate() {
            let replaced = last[j] + usize::from(letter != wanted);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == other[j - 1] && one[i - 1] == *wanted {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(one.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_names_are_found_and_others_are_not() {
        let known = &["promocodes", "random", "tickets", "status", "all_or_nothing", "deal", "event"];
        let similar = |name: &str| SimilarName::find(name, known).map(|found| found.known);
        for (name, expected) in [
            ("promocode", "promocodes"),
            ("randoms", "random"),
            ("statuses", "status"),
            ("ticket", "tickets"),
            ("stauts", "status"),
            ("Status", "status"),
            ("allOrNothing", "all_or_nothing"),
            ("all-or-nothing", "all_or_nothing"),
            ("promocdoes", "promocodes"),
            ("deals", "deal"),
            ("evnt", "event"),
        ] {
            assert_eq!(similar(name), Some(expected), "{name}");
        }
        for name in ["promotions", "status", "state", "id", "", "d", "created_at", "value", &"random".repeat(9)] {
            assert_eq!(similar(name), None, "{name}");
        }
    }

    #[test]
    fn a_warning_repeats_plain_names_only() {
        let warning = |unknown: &str| SimilarName { unknown: unknown.to_owned(), known: "deal" }.warning("field");
        assert_eq!(warning("deel"), "299 - \"Unknown field deel is ignored: did you mean deal?\"");
        for unknown in ["de\"al", "deal\r\nX: 1", "déal", "de al"] {
            assert_eq!(warning(unknown), "299 - \"Unknown field in the request is ignored: did you mean deal?\"");
        }
    }

    proptest::proptest! {
        #[test]
        fn distances_are_those_of_single_edits(text in "[a-c]{0,6}", at in 0_usize..6, letter in proptest::char::range('a', 'z')) {
            let letters: Vec<char> = text.chars().collect();
            let mut inserted = letters.clone();
            inserted.insert(at.min(letters.len()), letter);
            proptest::prop_assert_eq!(edit_distance(&letters, &letters), 0);
            proptest::prop_assert_eq!(edit_distance(&letters, &inserted), 1);
            proptest::prop_assert_eq!(edit_distance(&inserted, &letters), 1);
        }
    }
}
