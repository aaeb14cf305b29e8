//! Rust sources seen without their comments and quoted texts.

/// What a stretch of a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanKind {
    Code,
    Comment,
    Text,
}

/// The source with comments and quoted texts blanked: what the compiler acts on, line by line.
pub(crate) fn code_of(source: &str) -> String {
    blank_unless(source, |kind| kind == SpanKind::Code)
}

/// The source with quoted texts blanked.
pub(crate) fn code_and_comments_of(source: &str) -> String {
    blank_unless(source, |kind| kind != SpanKind::Text)
}

/// The lines, counted from one, on which `name` stands by itself and not within a longer name.
pub(crate) fn lines_naming(text: &str, name: &str) -> Vec<usize> {
    text.lines().zip(1..).filter(|(line, _)| contains_name(line, name)).map(|(_, number)| number).collect()
}

fn contains_name(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let runs_on = |one: Option<char>, other: Option<char>| one.is_some_and(in_name) && other.is_some_and(in_name);
        !runs_on(before.chars().next_back(), name.chars().next())
            && !runs_on(name.chars().next_back(), after.chars().next())
    })
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn blank_unless(source: &str, wanted: impl Fn(SpanKind) -> bool) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while !rest.is_empty() {
        let (kind, length) = first_piece(rest);
        let (piece, after) = rest.split_at(length);
        if wanted(kind) {
            kept.push_str(piece);
        } else {
            kept.extend(piece.chars().map(|c| if c == '\n' { c } else { ' ' }));
        }
        rest = after;
    }
    kept
}

/// The piece that a source, which is not empty, begins with, and its length.
fn first_piece(rest: &str) -> (SpanKind, usize) {
    if rest.starts_with("//") {
        (SpanKind::Comment, rest.find('\n').unwrap_or(rest.len()))
    } else if rest.starts_with("/*") {
        (SpanKind::Comment, block_length(rest))
    } else if let Some(body) = rest.strip_prefix('"') {
        (SpanKind::Text, 1 + quoted_length(body, '"'))
    } else if let Some(length) = raw_length(rest).or_else(|| char_length(rest)) {
        (SpanKind::Text, length)
    } else {
        // A whole name at once, so that its last letter does not look like the start of a text.
        let name = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
        (SpanKind::Code, if name > 0 { name } else { rest.chars().next().map_or(0, char::len_utf8) })
    }
}

/// Length of a block comment; they nest.
fn block_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// Length of a quoted text behind its first quote, the last quote included.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices() {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// Length of a raw text, as `r"…"` or `br#"…"#`.
fn raw_length(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(rest.len() - body.len() + length)
}

/// Length of a character in quotes; `None` for a lifetime.
fn char_length(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('\'')?;
    if body.starts_with('\\') {
        return Some(1 + quoted_length(body, '\''));
    }
    let c = body.chars().next()?;
    body[c.len_utf8()..].starts_with('\'').then(|| c.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, code: &str) {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&code_of(source)), words(code), "{source}");
        assert_eq!(code_of(source).lines().count(), source.lines().count(), "{source}");
    }

    #[test]
    fn comments_and_texts_are_blank() {
        check("a // b\nc", "a c");
        check("a /* b /* c */ d\n */ e", "a e");
        check(r#"a("b // c \" d") e"#, "a( ) e");
        check(r##"a(r#"b " c"#) d"##, "a( ) d");
        check("let a = br\"b\\\"; c", "let a = ; c");
        check("a('\"', '\\'', 'é') /* b */ c", "a( , , ) c");
        check("fn a<'b>(c: &'b str) {}", "fn a<'b>(c: &'b str) {}");
        check("for_r\"a\" r#type b\"c\" d", "for_r r#type b d");
        check("a \"never closed // b", "a");
    }

    #[test]
    fn comments_stay_when_they_are_wanted() {
        assert_eq!(code_and_comments_of("a(\"b\") // c").trim(), "a(   ) // c");
    }

    #[test]
    fn a_name_is_found_by_itself_only() {
        assert_eq!(lines_naming("use rand::a;\noperand\nbrand::c\n(rand)", "rand"), [1, 4]);
        assert_eq!(lines_naming("#[allow(a)]\n#![allow(b)]", "[allow("), [1, 2]);
        assert_eq!(lines_naming("xdbg!(1)\ndbg!(1)", "dbg!"), [2]);
    }
}
