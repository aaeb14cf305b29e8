//! Names in addresses: `night-of-the-lanterns-6b0159d2e3a64ec908400000`. The id is what counts; the words before it are for
//! people.

use std::iter;

use unicode_normalization::UnicodeNormalization as _;

/// Letters of words, at most.
const WORDS_LENGTH_MAX: usize = 60;
/// Digits of an id.
const ID_LENGTH: usize = 24;

/// The segment of a path for something with a name and an id.
pub(crate) fn segment(name: &str, id: &str) -> String {
    let words = words(name);
    if words.is_empty() { id.to_owned() } else { format!("{words}-{id}") }
}

/// The id at the end of a segment, in lower case; `None` if there is none.
pub(crate) fn id_of(segment: &str) -> Option<String> {
    let start = segment.len().checked_sub(ID_LENGTH)?;
    let id = segment.get(start..)?;
    let is_alone = start == 0 || segment[..start].ends_with('-');
    (is_alone && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| id.to_ascii_lowercase())
}

/// A name in letters and digits of ASCII, with hyphens between its words.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.nfc().flat_map(char::to_lowercase) {
        match transliterated(letter) {
            Some(letters) => words.push_str(letters),
            None => iter::once(letter).nfkd().for_each(|part| push_part(&mut words, part)),
        }
    }
    if words.len() > WORDS_LENGTH_MAX {
        let end = words[..WORDS_LENGTH_MAX].rfind('-').unwrap_or(WORDS_LENGTH_MAX);
        words.truncate(end);
    }
    words.trim_end_matches('-').to_owned()
}

/// Adds a part of a letter.
fn push_part(words: &mut String, part: char) {
    match part {
        'a'..='z' | '0'..='9' => words.push(part),
        // Marks of letters, and apostrophes, are within a word.
        _ if is_mark(part) => {}
        _ => match transliterated(part) {
            Some(letters) => words.push_str(letters),
            None if !words.is_empty() && !words.ends_with('-') => words.push('-'),
            None => {}
        },
    }
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\'' | '’')
}

/// The Russian letters from а to я.
const CYRILLIC: [&str; 32] = [
    "a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "kh",
    "ts", "ch", "sh", "shch", "", "y", "", "e", "yu", "ya",
];

/// A letter of another script, or one that is two, in letters of ASCII.
fn transliterated(letter: char) -> Option<&'static str> {
    let at = |table: &'static [&'static str], first: char| {
        (letter as u32).checked_sub(first as u32).and_then(|at| table.get(usize::try_from(at).ok()?)).copied()
    };
    match letter {
        'ß' => Some("ss"),
        'æ' => Some("ae"),
        'œ' => Some("oe"),
        'ø' => Some("o"),
        'ł' => Some("l"),
        'đ' => Some("d"),
        'ı' | 'і' | 'ї' => Some("i"),
        'є' => Some("ye"),
        'ґ' => Some("g"),
        _ => at(&CYRILLIC, 'а'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "6b0159d2e3a64ec908400000";

    #[test]
    fn words_are_ascii_whatever_the_name_is_written_in() {
        for (name, expected) in [
            ("Night of the Lanterns", "night-of-the-lanterns"),
            ("  Zürich’s “Große” Nacht!  ", "zurichs-grosse-nacht"),
            ("Ночь фонарей, ещё раз", "noch-fonarey-eshche-raz"),
            ("Łódź 2027", "lodz-2027"),
            ("夜祭", ""),
            ("<script>", "script"),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
        assert_eq!(segment("夜祭", ID), ID);
        let long = segment(&"word ".repeat(40), ID);
        assert!(long.len() <= WORDS_LENGTH_MAX + 1 + ID_LENGTH && !long.contains("--"), "{long}");
    }

    #[test]
    fn the_id_is_at_the_end_of_a_segment() {
        assert_eq!(id_of(ID).as_deref(), Some(ID));
        assert_eq!(id_of(&segment("A name", ID)).as_deref(), Some(ID));
        assert_eq!(id_of(&ID.to_uppercase()).as_deref(), Some(ID));
        for wrong in ["", "name", &ID[1..], &format!("x{ID}"), &format!("{ID}x"), "ééééééééééééé"] {
            assert_eq!(id_of(wrong), None, "{wrong}");
        }
    }
}
