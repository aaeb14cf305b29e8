//! Query strings. Parameters that are not known are ignored, and so are those with an empty value; a bad value of a known
//! one is 400.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use kassa_domain::Id;
use kassa_store::{PageWindow, RowCount};
use percent_encoding::percent_decode;

use super::field::Problems;
use super::similar_names::RequestNames;
use super::values::parse_whole_number;
use crate::error::{ApiError, ErrorDetail, shorten};

/// The most things of a list in one answer, and how many when the client does not say.
const LIMIT_MAX: u32 = 1_000;
/// The most ids, or other values, in one parameter.
const VALUES_MAX: usize = 1_000;
/// The longest part of a name, in characters.
const NAME_PART_CHARS_MAX: usize = 255;

/// The parameters of a query.
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
    /// Hears which parameters are looked for.
    names: Option<RequestNames>,
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let query = Self::read(parts.uri.query().unwrap_or_default())?;
        Ok(Self { names: parts.extensions.get::<RequestNames>().cloned(), ..query })
    }
}

/// A word that a parameter does not take. Version 2 does not say which it takes.
fn unknown_word<T>(name: &str, word: &str, wrong: &str, known: &[(&str, T)]) -> ErrorDetail {
    let known: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    let text = format!("{:?} {wrong}", shorten(word));
    ErrorDetail::new(name, format!("{text}; allowed: {}", known.join(", "))).with_text(text)
}

fn parse(query: &str) -> Option<Vec<(String, String)>> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((decode(name)?, decode(value)?))
    });
    let pairs: Option<Vec<(String, String)>> = pairs.collect();
    pairs.map(|pairs| pairs.into_iter().filter(|(_, value)| !value.trim().is_empty()).collect())
}

fn decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let escapes = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'%');
    let whole = |(at, _): (usize, &u8)| {
        bytes.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !escapes.into_iter().all(whole) {
        return None;
    }
    let plain = text.replace('+', " ");
    percent_decode(plain.as_bytes()).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

impl Query {
    /// The parameters of a query, as it stands in the URL.
    pub(crate) fn read(query: &str) -> Result<Self, ApiError> {
        let malformed = || {
            let reason = "The query has a bad percent-escape, or is not UTF-8";
            ApiError::new(StatusCode::BAD_REQUEST, "malformed_query", reason)
        };
        parse(query).map(|pairs| Self { pairs, names: None }).ok_or_else(malformed)
    }

    /// Names in an answer what was misspelled in its request: see [`RequestNames`].
    pub(crate) fn warn_of_similar_names(names: &RequestNames, query: Option<&str>, headers: &mut HeaderMap) {
        let query = query.and_then(|query| Self::read(query).ok());
        names.warn(query.iter().flat_map(Self::names), headers);
    }

    /// The names of the parameters, as they were given.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_str())
    }

    fn values_of(&self, name: &'static str) -> impl DoubleEndedIterator<Item = &str> {
        if let Some(names) = &self.names {
            names.add_parameter(name);
        }
        self.pairs.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter; of one that is repeated, the last.
    pub(crate) fn get(&self, name: &'static str) -> Option<&str> {
        self.values_of(name).next_back()
    }

    /// The values of a parameter: separated by commas, or repeated.
    pub(crate) fn list(&self, name: &'static str) -> Option<Vec<&str>> {
        let values: Vec<&str> = self.values_of(name).collect();
        let items = values.iter().flat_map(|value| value.split(',')).map(str::trim).filter(|item| !item.is_empty());
        (!values.is_empty()).then(|| items.collect())
    }

    /// A parameter that is one of some words, or several of them.
    pub(crate) fn words<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&str, T)],
        problems: &mut Problems,
    ) -> Option<Vec<T>> {
        let items = self.list(name)?;
        if items.len() > VALUES_MAX {
            problems.add_parameter(name, format!("must have at most {VALUES_MAX} values"));
            return None;
        }
        let mut known = Vec::with_capacity(items.len());
        for item in items {
            match words.iter().find(|(word, _)| *word == item) {
                Some((_, value)) => known.push(*value),
                None => problems.add_detail(unknown_word(name, item, "is none of its values", words)),
            }
        }
        Some(known)
    }

    /// A parameter with ids.
    pub(crate) fn ids<K>(&self, name: &'static str, problems: &mut Problems) -> Option<Vec<Id<K>>> {
        self.values(name, problems)
    }

    /// A parameter with values of a kind, such as ids.
    pub(crate) fn values<T>(&self, name: &'static str, problems: &mut Problems) -> Option<Vec<T>>
    where
        T: FromStr<Err: Display>,
    {
        let items = self.list(name)?;
        if items.len() > VALUES_MAX {
            problems.add_parameter(name, format!("must have at most {VALUES_MAX} ids"));
            return None;
        }
        let mut ids = Vec::with_capacity(items.len());
        for item in items {
            match item.parse() {
                Ok(id) => ids.push(id),
                Err(error) => problems.add_parameter(name, format!("{:?} {error}", shorten(item))),
            }
        }
        Some(ids)
    }

    /// A parameter with one id.
    pub(crate) fn id<K>(&self, name: &'static str, problems: &mut Problems) -> Option<Id<K>> {
        self.value(name, problems)
    }

    /// A parameter with one value of a kind.
    pub(crate) fn value<T>(&self, name: &'static str, problems: &mut Problems) -> Option<T>
    where
        T: FromStr<Err: Display>,
    {
        let text = self.get(name)?;
        text.parse().map_err(|error| problems.add_parameter(name, format!("{:?} {error}", shorten(text)))).ok()
    }

    /// A parameter with two values of a kind, the first of which is not the larger.
    pub(crate) fn range<T>(&self, name: &'static str, problems: &mut Problems) -> Option<(T, T)>
    where
        T: FromStr<Err: Display> + PartialOrd,
    {
        let items = self.list(name).filter(|items| !items.is_empty())?;
        let [first, last] = items[..] else {
            problems.add_parameter(name, "must be two values, with a comma between them");
            return None;
        };
        let mut read = |text: &str| {
            let value: Result<T, _> = text.parse();
            value.map_err(|error| problems.add_parameter(name, format!("{:?} {error}", shorten(text)))).ok()
        };
        let (first, last) = (read(first), read(last));
        let (first, last) = (first?, last?);
        if first > last {
            problems.add_parameter(name, "must begin with the smaller value");
        }
        Some((first, last))
    }

    /// A parameter with a part of a name to search for.
    pub(crate) fn part_of_name(&self, name: &'static str, problems: &mut Problems) -> Option<String> {
        let text = self.get(name).map(str::trim)?;
        if text.chars().count() > NAME_PART_CHARS_MAX || text.chars().any(char::is_control) {
            problems.add_parameter(
                name,
                format!("must have at most {NAME_PART_CHARS_MAX} characters, and no control characters"),
            );
            return None;
        }
        Some(text.to_owned())
    }

    /// The parameter `sort`: names of fields, each with whether `-` stands before it. A name that is
    /// repeated counts once: each field is compared once at most.
    pub(crate) fn sort<F: Copy + PartialEq>(&self, fields: &[(&str, F)], problems: &mut Problems) -> Vec<(F, bool)> {
        let mut sort: Vec<(F, bool)> = Vec::new();
        for item in self.list("sort").unwrap_or_default() {
            if problems.is_full() {
                break;
            }
            let (name, descending) = item.strip_prefix('-').map_or((item, false), |name| (name, true));
            match fields.iter().find(|(known, _)| *known == name) {
                Some((_, field)) if sort.iter().all(|(other, _)| other != field) => sort.push((*field, descending)),
                Some(_) => {}
                None => problems.add_detail(unknown_word("sort", name, "is no field to sort by", fields)),
            }
        }
        sort
    }

    /// A parameter that is true or false.
    pub(crate) fn flag(&self, name: &'static str, problems: &mut Problems) -> bool {
        match self.get(name).map(str::to_ascii_lowercase).as_deref() {
            None | Some("false" | "0") => false,
            Some("true" | "1") => true,
            Some(_) => {
                problems.add_parameter(name, "must be true or false");
                false
            }
        }
    }

    /// A parameter that is a whole number from 0 on.
    pub(crate) fn number(&self, name: &'static str, problems: &mut Problems) -> Option<u64> {
        let text = self.get(name)?;
        if text.len() > 18 && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // More than any list has: it counts as the cap.
            return Some(u64::MAX);
        }
        let number = parse_whole_number(text);
        if number.is_none() {
            problems.add_parameter(name, "must be a whole number from 0 on");
        }
        number
    }

    /// A parameter that is a whole number in a range.
    pub(crate) fn number_within(
        &self,
        name: &'static str,
        range: RangeInclusive<u32>,
        problems: &mut Problems,
    ) -> Option<u32> {
        let number = self.number(name, problems)?;
        let fitting = u32::try_from(number).ok().filter(|number| range.contains(number));
        if fitting.is_none() {
            problems.add_parameter(name, format!("must be a whole number from {} to {}", range.start(), range.end()));
        }
        fitting
    }

    /// Which part of a list: `limit` and `offset`, or `page` with `page_size` (also `page-size`, or
    /// `limit`). A limit above the cap counts as the cap.
    pub(crate) fn slice(&self, problems: &mut Problems) -> PageWindow {
        let limit = self.number("limit", problems);
        let size = self.number("page_size", problems).or(self.number("page-size", problems)).or(limit);
        let limit = size.unwrap_or(u64::from(LIMIT_MAX)).min(u64::from(LIMIT_MAX));
        let offset = match self.number("page", problems) {
            Some(0) => {
                problems.add_parameter("page", "must be a whole number from 1 on");
                0
            }
            Some(page) => (page - 1).saturating_mul(limit),
            None => self.number("offset", problems).unwrap_or(0),
        };
        PageWindow { limit: u32::try_from(limit).unwrap_or(LIMIT_MAX), offset, count: RowCount::All }
    }

    /// The same of a list that is whole unless a part of it is asked for.
    pub(crate) fn slice_or_all(&self, problems: &mut Problems) -> PageWindow {
        let is_part = ["limit", "page_size", "page-size", "page"].iter().any(|name| self.get(name).is_some());
        let slice = self.slice(problems);
        if is_part { slice } else { PageWindow { limit: u32::MAX, ..slice } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DETAILS_MAX;

    #[test]
    fn forms_and_percents_are_read() {
        let parsed = parse("a=1%2C2&b=x+y&fields-schema=id%7Bx%7D&c&d=&e=+").unwrap();
        let pairs: Vec<(&str, &str)> = parsed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("a", "1,2"), ("b", "x y"), ("fields-schema", "id{x}")]);
    }

    #[test]
    fn bad_escapes_are_refused() {
        for query in ["a=%", "a=%2", "a=%zz", "%ff=1", "a=%c3%28"] {
            assert_eq!(parse(query), None, "{query}");
        }
    }

    #[test]
    fn a_parameter_has_only_so_many_values() {
        let problems = |query: &str| {
            let query = Query { pairs: parse(query).unwrap(), names: None };
            let mut problems = Problems::default();
            query.words("a", &[("x", 1)], &mut problems);
            query.values::<u8>("b", &mut problems);
            query.sort(&[("x", 1)], &mut problems);
            problems.into_details().len()
        };
        let many = |name: &str, value: &str, count: usize| format!("{name}={}", vec![value; count].join(","));
        assert_eq!(problems(&many("a", "x", VALUES_MAX)), 0);
        for name in ["a", "b"] {
            assert_eq!(problems(&many(name, "y", VALUES_MAX + 1)), 1, "{name}");
            assert_eq!(problems(&many(name, "y", VALUES_MAX)), DETAILS_MAX + 1, "{name}");
        }
        assert_eq!(problems(&many("sort", "y", 30_000)), DETAILS_MAX + 1);
        assert_eq!(problems(&many("sort", "x", 30_000)), 0);
    }

    #[test]
    fn ranges_have_two_ends() {
        let range = |query: &str| {
            let mut problems = Problems::default();
            let range = Query { pairs: parse(query).unwrap(), names: None }.range::<u8>("a", &mut problems);
            (range, problems.into_details().len())
        };
        assert_eq!([range(""), range("a=")], [(None, 0), (None, 0)]);
        assert_eq!(
            [range("a=1,2"), range("a=2%2C+2"), range("a=3&a=4")].map(|(range, _)| range),
            [Some((1, 2)), Some((2, 2)), Some((3, 4))]
        );
        assert_eq!(
            [range("a=1"), range("a=1,2,3"), range("a=2,1"), range("a=x,1"), range("a=x,y")]
                .map(|(_, problems)| problems),
            [1, 1, 1, 1, 2]
        );
    }

    #[test]
    fn pages_and_offsets_are_slices() {
        let slice = |query: &str| {
            let mut problems = Problems::default();
            let slice = Query { pairs: parse(query).unwrap(), names: None }.slice(&mut problems);
            problems.finish().map(|()| (slice.limit, slice.offset)).ok()
        };
        assert_eq!(slice(""), Some((1000, 0)));
        assert_eq!(slice("limit=5000&offset=7"), Some((1000, 7)));
        assert_eq!(slice("page=2&page_size=3"), Some((3, 3)));
        assert_eq!(slice("page=3&limit=10"), Some((10, 20)));
        assert_eq!(slice("page=0"), None);
        assert_eq!(slice("limit=-1"), None);
        let whole = |query: &str| {
            let slice = Query { pairs: parse(query).unwrap(), names: None }.slice_or_all(&mut Problems::default());
            (slice.limit, slice.offset)
        };
        assert_eq!((whole(""), whole("offset=7")), ((u32::MAX, 0), (u32::MAX, 7)));
        assert_eq!((whole("page=2"), whole("page_size=3")), ((1000, 1000), (3, 0)));
        assert_eq!((whole("page-size=3&page=4"), whole("limit=5&offset=1")), ((3, 9), (5, 1)));
    }

    proptest::proptest! {
        #[test]
        fn no_query_does_harm(query in "\\PC{0,40}", near in "([a-c]=[0-9a-f%+&,=]{0,9}&?){0,4}") {
            for query in [query, near] {
                let Some(pairs) = parse(&query) else { continue };
                let query = Query { pairs, names: None };
                let mut problems = Problems::default();
                query.range::<u8>("a", &mut problems);
                query.sort(&[("a", 1)], &mut problems);
                query.part_of_name("b", &mut problems);
                let slice = query.slice(&mut problems);
                proptest::prop_assert!(slice.limit <= LIMIT_MAX);
            }
        }
    }
}
