//! Names in the order in which people sort them: 2 before 10.

/// Lengths of numbers that one character of a key can say: all of them sort below any character of a
/// name.
const LENGTHS: usize = 28;

/// A text that sorts, byte by byte, as people sort `name`: digits count as the number that they are,
/// and numbers come before letters. No two names without control characters have the same key, so
/// that it can stand for the name where a database keeps names unique and in order.
pub fn natural_key(name: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let (mut key, mut rest, mut exact) = (String::with_capacity(name.len() + 2), name, true);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_digit(c) != is_digit(first)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        rest = after;
        if is_digit(first) {
            // Without leading zeros, the longer number is the larger one.
            let number = piece.trim_start_matches('0');
            exact &= number.len() == piece.len();
            key.extend(std::iter::repeat_n('\u{1f}', number.len() / LENGTHS));
            key.extend(u8::try_from(number.len() % LENGTHS + 2).map(char::from));
            key.push_str(number);
        } else {
            key.push_str(piece);
        }
    }
    if !exact {
        // Names that differ in zeros only have one place, but are two names.
        key.push('\u{1}');
        key.push_str(name);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_sorted_as_people_sort_them() {
        let long = ["9".repeat(27), format!("1{}", "0".repeat(27)), "9".repeat(60), "1".repeat(61)];
        let sorted = ["", "0", "2", "02", "10", "10a", "A", "B2", "B02", "B02x", "B10", "B10 row 9", "B10 row 11", "Ж"];
        let all = sorted[..6].iter().copied().chain(long.iter().map(String::as_str)).chain(sorted[6..].iter().copied());
        let keys: Vec<String> = all.map(natural_key).collect();
        for pair in keys.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn no_two_names_have_one_key(one in "[0-2A ]{0,6}", other in "[0-2A ]{0,6}") {
            prop_assert_eq!(natural_key(&one) == natural_key(&other), one == other);
        }

        #[test]
        fn numbers_are_sorted_by_size(one: u64, other: u64) {
            prop_assert_eq!(natural_key(&one.to_string()).cmp(&natural_key(&other.to_string())), one.cmp(&other));
        }
    }
}
