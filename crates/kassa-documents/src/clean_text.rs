//! Texts that people typed, as they can stand in a line of a document.

/// Combining marks of one letter that are drawn: more of them would reach into other lines.
const MARKS_MAX: usize = 3;

/// A text as one line: white space, line breaks and control characters are single spaces. What directs text from inside is
/// left out, as are characters that mean nothing and marks that would be piled up.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        if is_space(c) || c.is_control() {
            if !cleaned.is_empty() && !cleaned.ends_with(' ') {
                cleaned.push(' ');
            }
            marks = 0;
        } else if is_stacking_mark(c) {
            marks += 1;
            if marks <= MARKS_MAX && !cleaned.is_empty() && !cleaned.ends_with(' ') {
                cleaned.push(c);
            }
        } else if !is_left_out(c) {
            marks = 0;
            cleaned.push(c);
        }
    }
    cleaned.truncate(cleaned.trim_end_matches(' ').len());
    cleaned
}

/// White space at which a line may break.
fn is_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}' | '\u{2007}')
}

/// Marks above and below letters.
pub(crate) fn is_stacking_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{2de0}'..='\u{2dff}' | '\u{a66f}'..='\u{a672}' | '\u{fe20}'..='\u{fe2f}')
}

/// Characters that join letters, and belong to the font of those.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Marks of direction and order, soft hyphens, tags, and what is no character. Private characters mean nothing outside of
/// the font they were made for.
fn is_left_out(c: char) -> bool {
    let is_no_character = u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    let is_format = matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}'
        | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{ffa0}');
    is_no_character || is_private || is_format
}

/// Pictures among characters. Where no font has one, a document does without.
pub(crate) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Characters between which a line may break, though no space is there.
pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fff}' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_of_what_can_be_drawn() {
        let cases = [
            (" a\r\n\tb\u{0}c ", "a b c"),
            ("a\u{a0}b", "a\u{a0}b"),
            ("x\u{202e}evil\u{2066}\u{feff}", "xevil"),
            ("e\u{301}\u{302}\u{303}\u{304}\u{305}x", "e\u{301}\u{302}\u{303}x"),
            ("\u{301}a \u{301}b", "a b"),
            ("\u{e000}\u{10fffd}\u{fffe}\u{1f3b8}\u{fe0f}", "\u{1f3b8}"),
            ("\n \u{200b}", ""),
        ];
        for (text, cleaned) in cases {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }
}
