//! One range of bytes (RFC 9110, section 14). Several at once are answered with the whole.

use std::ops::Range;

use axum::http::{HeaderMap, header};

/// What of a file is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestedRange {
    /// All of it.
    Whole,
    /// These bytes; at least one.
    Bytes(Range<u64>),
    /// None that it has.
    Unsatisfiable,
}

/// The part that the headers ask for, of a file with this tag and length.
pub(super) fn requested_range(asked: &HeaderMap, etag: &str, length: u64) -> RequestedRange {
    let text = |name| asked.get(name).and_then(|value| value.to_str().ok());
    let is_current = asked.get(header::IF_RANGE).is_none_or(|tag| tag == etag);
    match text(header::RANGE) {
        Some(range) if is_current => parse(range, length),
        Some(_) | None => RequestedRange::Whole,
    }
}

fn parse(text: &str, length: u64) -> RequestedRange {
    let spec = text.split_once('=').filter(|(unit, _)| unit.trim().eq_ignore_ascii_case("bytes"));
    let Some((first, last)) = spec.and_then(|(_, spec)| spec.trim().split_once('-')) else {
        return RequestedRange::Whole;
    };
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| !text.starts_with('+'));
    match (first, number(first), last, number(last)) {
        ("", _, _, Some(count)) => satisfiable(length.saturating_sub(count)..length, length),
        (_, Some(first), "", _) => satisfiable(first..length, length),
        (_, Some(first), _, Some(last)) if first <= last => {
            satisfiable(first..last.saturating_add(1).min(length), length)
        }
        _ => RequestedRange::Whole,
    }
}

fn satisfiable(range: Range<u64>, length: u64) -> RequestedRange {
    if range.start < range.end && range.end <= length {
        RequestedRange::Bytes(range)
    } else {
        RequestedRange::Unsatisfiable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_file() {
        let cases = [
            ("bytes=0-0", RequestedRange::Bytes(0..1)),
            ("bytes=2-", RequestedRange::Bytes(2..10)),
            ("Bytes= 2-99", RequestedRange::Bytes(2..10)),
            ("bytes=-3", RequestedRange::Bytes(7..10)),
            ("bytes=-99", RequestedRange::Bytes(0..10)),
            ("bytes=10-", RequestedRange::Unsatisfiable),
            ("bytes=-0", RequestedRange::Unsatisfiable),
            ("bytes=10-12", RequestedRange::Unsatisfiable),
        ];
        for (text, part) in cases {
            assert_eq!(parse(text, 10), part, "{text}");
        }
    }

    #[test]
    fn what_is_no_single_range_asks_for_the_whole() {
        for text in
            ["", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=+1-2"]
        {
            assert_eq!(parse(text, 10), RequestedRange::Whole, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_range_goes_beyond_the_file(
            text in "\\PC{0,20}", near in "bytes ?= ?[0-9]{0,20}-[+0-9]{0,20}", length: u64,
        ) {
            for text in [text, near] {
                if let RequestedRange::Bytes(range) = parse(&text, length) {
                    proptest::prop_assert!(range.start < range.end && range.end <= length, "{range:?} of {length}");
                }
            }
        }
    }
}
