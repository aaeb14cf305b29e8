//! `fields-schema`: which fields of an answer are wanted, and how deep.
//!
//! ```text
//! schema = item {"," item}
//! item   = name [ "{" schema "}" ]        name = [A-Za-z_][A-Za-z0-9_]*
//! ```
//!
//! Blanks around names and braces mean nothing. A name that comes twice is one field with all that
//! was wanted of it. What the names mean is for the one who answers to say.

use std::fmt;
use std::str::FromStr;

/// How deep braces may nest.
pub const FIELD_DEPTH_MAX: usize = 5;

/// The most names of a schema, at all levels together.
pub const FIELD_NAMES_MAX: usize = 1_000;

/// The longest text of a schema, in bytes.
pub const FIELD_SELECTION_BYTES_MAX: usize = 16 * 1024;

/// The fields that are wanted of an object, in the order in which they were first named. There is
/// at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSelection {
    fields: Vec<SelectedField>,
}

/// A field that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedField {
    /// Its name.
    pub name: String,
    /// What is wanted of the object in it; without, it is wanted as it is.
    pub subfields: Option<FieldSelection>,
}

/// Why a text is not a schema. Places are counted in characters from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldSelectionError {
    /// A name should stand there.
    #[error("a name is missing at character {0}")]
    NameMissing(usize),
    /// Something stands there that belongs neither to a name nor between names.
    #[error("character {0} does not belong there")]
    Unexpected(usize),
    /// A brace is closed that was not opened.
    #[error("the brace at character {0} closes nothing")]
    Unopened(usize),
    /// The text ends before all braces are closed.
    #[error("the brace at character {0} is never closed")]
    Unclosed(usize),
    /// The braces nest too deep.
    #[error("the brace at character {0} is more than {FIELD_DEPTH_MAX} levels deep")]
    TooDeep(usize),
    /// There are too many names.
    #[error("it has more than {FIELD_NAMES_MAX} names")]
    TooManyNames,
    /// The text is too long.
    #[error("it is longer than {FIELD_SELECTION_BYTES_MAX} bytes")]
    TooLong,
}

impl FieldSelection {
    /// The fields, each name once.
    pub fn fields(&self) -> &[SelectedField] {
        &self.fields
    }

    /// Adds a field, or what is wanted of one that is there: the whole gives way to its parts.
    fn add(&mut self, name: &str, inner: Option<Self>) {
        match self.fields.iter_mut().find(|item| item.name == name) {
            None => self.fields.push(SelectedField { name: name.to_owned(), subfields: inner }),
            Some(known) => match (&mut known.subfields, inner) {
                (_, None) => {}
                (Some(known), Some(more)) => {
                    more.fields.into_iter().for_each(|item| known.add(&item.name, item.subfields));
                }
                (unsaid @ None, more @ Some(_)) => *unsaid = more,
            },
        }
    }
}

impl fmt::Display for FieldSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.fields.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            f.write_str(&item.name)?;
            if let Some(inner) = &item.subfields {
                write!(f, "{{{inner}}}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for FieldSelection {
    type Err = FieldSelectionError;

    fn from_str(text: &str) -> Result<Self, FieldSelectionError> {
        if text.len() > FIELD_SELECTION_BYTES_MAX {
            return Err(FieldSelectionError::TooLong);
        }
        let mut reader = Parser { chars: text.chars().collect(), at: 0, names: 0 };
        let schema = reader.selection(0)?;
        match reader.peek() {
            None => Ok(schema),
            Some('}') => Err(FieldSelectionError::Unopened(reader.position())),
            Some(_) => Err(FieldSelectionError::Unexpected(reader.position())),
        }
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    names: usize,
}

impl Parser {
    /// The next character that is not a blank.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(char::is_ascii_whitespace) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn consume(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Where the reader stands, for people.
    fn position(&self) -> usize {
        self.at + 1
    }

    /// Items up to the first text that is not an item; `depth` braces are open.
    fn selection(&mut self, depth: usize) -> Result<FieldSelection, FieldSelectionError> {
        let mut schema = FieldSelection::default();
        loop {
            let name = self.name()?;
            let brace = self.peek().map(|_| self.position());
            let inner = match brace {
                Some(place) if self.consume('{') => Some(self.subfields(place, depth + 1)?),
                _ => None,
            };
            schema.add(&name, inner);
            if !self.consume(',') {
                return Ok(schema);
            }
        }
    }

    /// What stands after the brace at `place`, and the brace that closes it.
    fn subfields(&mut self, place: usize, depth: usize) -> Result<FieldSelection, FieldSelectionError> {
        if depth > FIELD_DEPTH_MAX {
            return Err(FieldSelectionError::TooDeep(place));
        }
        let schema = self.selection(depth)?;
        match self.peek() {
            _ if self.consume('}') => Ok(schema),
            None => Err(FieldSelectionError::Unclosed(place)),
            Some(_) => Err(FieldSelectionError::Unexpected(self.position())),
        }
    }

    fn name(&mut self) -> Result<String, FieldSelectionError> {
        match self.peek() {
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {}
            None | Some(',' | '{' | '}') => return Err(FieldSelectionError::NameMissing(self.position())),
            Some(_) => return Err(FieldSelectionError::Unexpected(self.position())),
        }
        self.names += 1;
        if self.names > FIELD_NAMES_MAX {
            return Err(FieldSelectionError::TooManyNames);
        }
        let rest = &self.chars[self.at..];
        let name: String = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').collect();
        // Names are ASCII: as many bytes as characters.
        self.at += name.len();
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn reads(text: &str, printed: &str) {
        assert_eq!(text.parse::<FieldSelection>().map(|schema| schema.to_string()).as_deref(), Ok(printed), "{text:?}");
    }

    #[track_caller]
    fn refuses(text: &str, error: FieldSelectionError) {
        assert_eq!(text.parse::<FieldSelection>(), Err(error), "{text:?}");
    }

    #[test]
    fn fields_are_read_as_they_are_written() {
        reads("id", "id");
        reads("_a9,B", "_a9,B");
        reads(
            "id,tickets{id,seat{row,number}},event{title{text}}",
            "id,tickets{id,seat{row,number}},event{title{text}}",
        );
        reads("a{b{c{d{e{f}}}}}", "a{b{c{d{e{f}}}}}");
    }

    #[test]
    fn blanks_are_ignored() {
        reads(" id , tickets { id ,\tseat{ row } } ", "id,tickets{id,seat{row}}");
        refuses("i d", FieldSelectionError::Unexpected(3));
    }

    #[test]
    fn repeated_fields_are_merged() {
        reads("b,a,b", "b,a");
        reads("a,a{b}", "a{b}");
        reads("a{b},a", "a{b}");
        reads("a{b,c{d}},e,a{c{f},b}", "a{b,c{d,f}},e");
    }

    #[test]
    fn errors_name_their_place() {
        refuses("", FieldSelectionError::NameMissing(1));
        refuses("  ", FieldSelectionError::NameMissing(3));
        refuses("a,", FieldSelectionError::NameMissing(3));
        refuses("a,,b", FieldSelectionError::NameMissing(3));
        refuses(",a", FieldSelectionError::NameMissing(1));
        refuses("{a}", FieldSelectionError::NameMissing(1));
        refuses("a{}", FieldSelectionError::NameMissing(3));
        refuses("a{b,}", FieldSelectionError::NameMissing(5));
        refuses("a{", FieldSelectionError::NameMissing(3));
        refuses("a{b", FieldSelectionError::Unclosed(2));
        refuses("a {b{c}", FieldSelectionError::Unclosed(3));
        refuses("a}", FieldSelectionError::Unopened(2));
        refuses("a{b}}", FieldSelectionError::Unopened(5));
        refuses("a{b}c", FieldSelectionError::Unexpected(5));
        refuses("a{b{c}d}", FieldSelectionError::Unexpected(7));
        refuses("9a", FieldSelectionError::Unexpected(1));
        refuses("a-b", FieldSelectionError::Unexpected(2));
        refuses("é", FieldSelectionError::Unexpected(1));
        refuses("a{b;c}", FieldSelectionError::Unexpected(4));
    }

    #[test]
    fn depth_names_and_length_are_limited() {
        refuses("a{b{c{d{e{f{g}}}}}}", FieldSelectionError::TooDeep(12));
        refuses(&"a{".repeat(FIELD_SELECTION_BYTES_MAX / 2), FieldSelectionError::TooDeep(12));
        let names = |count: usize| vec!["a"; count].join(",");
        reads(&names(FIELD_NAMES_MAX), "a");
        refuses(&names(FIELD_NAMES_MAX + 1), FieldSelectionError::TooManyNames);
        reads(&format!("{}a", " ".repeat(FIELD_SELECTION_BYTES_MAX - 1)), "a");
        refuses(&" ".repeat(FIELD_SELECTION_BYTES_MAX + 1), FieldSelectionError::TooLong);
    }

    /// Schemas with `levels` levels of braces at most.
    fn schemas(levels: u32) -> impl Strategy<Value = FieldSelection> {
        let leaf = "[a-zA-Z_][a-zA-Z0-9_]{0,3}".prop_map(|name| SelectedField { name, subfields: None });
        let item = leaf.prop_recursive(levels, 40, 4, |inner| {
            let fields = prop::collection::vec(inner, 1..4);
            ("[a-c]", fields).prop_map(|(name, fields)| SelectedField { name, subfields: Some(merged(fields)) })
        });
        prop::collection::vec(item, 1..6).prop_map(merged)
    }

    fn merged(items: Vec<SelectedField>) -> FieldSelection {
        let mut schema = FieldSelection::default();
        for item in items {
            schema.add(&item.name, item.subfields);
        }
        schema
    }

    proptest! {
        #[test]
        fn printed_selections_parse_back_unchanged(schema in schemas(5)) {
            prop_assert_eq!(schema.to_string().parse(), Ok(schema));
        }

        #[test]
        fn parsing_arbitrary_text_never_panics(text in prop_oneof!["\\PC{0,40}", "[ab_9{},\\s]{0,40}"]) {
            if let Ok(schema) = text.parse::<FieldSelection>() {
                prop_assert_eq!(schema.to_string().parse(), Ok(schema));
            }
        }

        #[test]
        fn each_name_comes_once(text in "[ab](\\{[ab],[ab]\\}|,[ab]){0,9}") {
            if let Ok(schema) = text.parse::<FieldSelection>() {
                let mut names: Vec<&str> = schema.fields().iter().map(|item| item.name.as_str()).collect();
                names.sort_unstable();
                prop_assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
    }
}
