//! References of payments in what people and banks write.

use std::collections::BTreeSet;

use kassa_domain::payment::PaymentReference;

/// Digits behind `RF` at least and at most.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=23;
/// Places where a reference may begin, of one entry, that are looked at.
const PLACES_MAX: usize = 50;

/// All that may be references in some texts: their check digits are right. Where a text goes on with further digits, it may
/// be more than one; which of them there is, those know who gave it out. Blanks, punctuation and case mean nothing, and a
/// reference may be broken by the end of a piece.
pub fn references_in(texts: &[String]) -> BTreeSet<PaymentReference> {
    let plain = |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    let pieces = texts.iter().map(|text| plain(text));
    let whole = plain(&texts.concat());
    let mut found = BTreeSet::new();
    for text in pieces.chain([whole]) {
        let text = text.to_ascii_uppercase();
        for (at, _) in text.match_indices("RF").take(PLACES_MAX) {
            let digits = text[at + 2..].bytes().take_while(u8::is_ascii_digit).take(*DIGITS.end()).count();
            let ends = (*DIGITS.start()..=digits).map(|length| at + 2 + length);
            found.extend(ends.filter_map(|end| text[at..end].parse::<PaymentReference>().ok()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(texts: &[&str], number: i64) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        references_in(&texts).contains(&PaymentReference::new(number, 0))
    }

    #[test]
    fn references_are_found_however_they_are_written() {
        let reference = PaymentReference::new(1_000_123, 0).to_string();
        let spaced: Vec<String> =
            reference.as_bytes().chunks(4).map(|part| String::from_utf8_lossy(part).into()).collect();
        for text in [
            reference.clone(),
            reference.to_lowercase(),
            spaced.join(" "),
            spaced.join("-"),
            format!("Tickets {reference}."),
            format!("SVWZ+{reference} Ann Fox"),
            format!("Order{reference}/2026"),
            format!("{reference}99"),
            format!("RF wrong, I mean {reference}"),
        ] {
            assert!(finds(&[&text], 1_000_123), "{text}");
        }
        let (start, rest) = reference.split_at(6);
        assert!(finds(&["EREF+NOTPROVIDED SVWZ+tickets", start, rest], 1_000_123), "broken between lines");
        assert!(finds(&["two orders", &reference, &PaymentReference::new(77, 0).to_string()], 77));
    }

    #[test]
    fn what_is_mistyped_is_no_reference() {
        let right = PaymentReference::new(1_000_123, 0).to_string();
        let last = if right.ends_with('0') { "1" } else { "0" };
        let wrong = format!("{}{last}", &right[..right.len() - 1]);
        assert!(!finds(&[&wrong], 1_000_123));
        for text in ["", "RF", "RF1", "no reference", "RFÄ", "R F"] {
            assert_eq!(references_in(&[text.to_owned()]), BTreeSet::new(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_does_harm(texts in proptest::collection::vec("\\PC{0,40}|(RF[0-9 ]{0,60}){0,9}", 0..6)) {
            for reference in references_in(&texts) {
                proptest::prop_assert_eq!(reference.as_str().parse(), Ok(reference.clone()));
            }
        }
    }
}
