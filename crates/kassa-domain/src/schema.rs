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
pub const DEPTH_MAX: usize = 5;
/// The most names of a schema, at all levels together.
pub const NAMES_MAX: usize = 1_000;
/// The longest text of a schema, in bytes.
pub const BYTES_MAX: usize = 16 * 1024;

/// The fields that are wanted of an object, in the order in which they were first named. There is
/// at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    items: Vec<Item>,
}

/// A field that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What is wanted of the object in it; without, it is wanted as it is.
    pub inner: Option<Schema>,
}

/// Why a text is no schema. Places are counted in characters from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
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
    #[error("the brace at character {0} is more than {DEPTH_MAX} levels deep")]
    TooDeep(usize),
    /// There are too many names.
    #[error("it has more than {NAMES_MAX} names")]
    TooManyNames,
    /// The text is too long.
    #[error("it is longer than {BYTES_MAX} bytes")]
    TooLong,
}

impl Schema {
    /// The fields, each name once.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Adds a field, or what is wanted of one that is there: the whole gives way to its parts.
    fn add(&mut self, name: &str, inner: Option<Self>) {
        match self.items.iter_mut().find(|item| item.name == name) {
            None => self.items.push(Item { name: name.to_owned(), inner }),
            Some(known) => match (&mut known.inner, inner) {
                (_, None) => {}
                (Some(known), Some(more)) => more.items.into_iter().for_each(|item| known.add(&item.name, item.inner)),
                (unsaid @ None, more @ Some(_)) => *unsaid = more,
            },
        }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.items.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "," })?;
            f.write_str(&item.name)?;
            if let Some(inner) = &item.inner {
                write!(f, "{{{inner}}}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Schema {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Self, SchemaError> {
        if text.len() > BYTES_MAX {
            return Err(SchemaError::TooLong);
        }
        let mut reader = Reader { chars: text.chars().collect(), at: 0, names: 0 };
        let schema = reader.schema(0)?;
        match reader.peek() {
            None => Ok(schema),
            Some('}') => Err(SchemaError::Unopened(reader.place())),
            Some(_) => Err(SchemaError::Unexpected(reader.place())),
        }
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    names: usize,
}

impl Reader {
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(char::is_ascii_whitespace) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Where the reader stands, for people.
    fn place(&self) -> usize {
        self.at + 1
    }

    /// Items up to what is no item; `depth` braces are open.
    fn schema(&mut self, depth: usize) -> Result<Schema, SchemaError> {
        let mut schema = Schema::default();
        loop {
            let name = self.name()?;
            let brace = self.peek().map(|_| self.place());
            let inner = match brace {
                Some(place) if self.takes('{') => Some(self.inner(place, depth + 1)?),
                _ => None,
            };
            schema.add(&name, inner);
            if !self.takes(',') {
                return Ok(schema);
            }
        }
    }

    /// What stands behind the brace at `place`, and the brace that closes it.
    fn inner(&mut self, place: usize, depth: usize) -> Result<Schema, SchemaError> {
        if depth > DEPTH_MAX {
            return Err(SchemaError::TooDeep(place));
        }
        let schema = self.schema(depth)?;
        match self.peek() {
            _ if self.takes('}') => Ok(schema),
            None => Err(SchemaError::Unclosed(place)),
            Some(_) => Err(SchemaError::Unexpected(self.place())),
        }
    }

    fn name(&mut self) -> Result<String, SchemaError> {
        match self.peek() {
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {}
            None | Some(',' | '{' | '}') => return Err(SchemaError::NameMissing(self.place())),
            Some(_) => return Err(SchemaError::Unexpected(self.place())),
        }
        self.names += 1;
        if self.names > NAMES_MAX {
            return Err(SchemaError::TooManyNames);
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
        assert_eq!(text.parse::<Schema>().map(|schema| schema.to_string()).as_deref(), Ok(printed), "{text:?}");
    }

    #[track_caller]
    fn refuses(text: &str, error: SchemaError) {
        assert_eq!(text.parse::<Schema>(), Err(error), "{text:?}");
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
    fn blanks_mean_nothing() {
        reads(" id , tickets { id ,\tseat{ row } } ", "id,tickets{id,seat{row}}");
        refuses("i d", SchemaError::Unexpected(3));
    }

    #[test]
    fn what_is_named_twice_is_merged() {
        reads("b,a,b", "b,a");
        reads("a,a{b}", "a{b}");
        reads("a{b},a", "a{b}");
        reads("a{b,c{d}},e,a{c{f},b}", "a{b,c{d,f}},e");
    }

    #[test]
    fn errors_name_their_place() {
        refuses("", SchemaError::NameMissing(1));
        refuses("  ", SchemaError::NameMissing(3));
        refuses("a,", SchemaError::NameMissing(3));
        refuses("a,,b", SchemaError::NameMissing(3));
        refuses(",a", SchemaError::NameMissing(1));
        refuses("{a}", SchemaError::NameMissing(1));
        refuses("a{}", SchemaError::NameMissing(3));
        refuses("a{b,}", SchemaError::NameMissing(5));
        refuses("a{", SchemaError::NameMissing(3));
        refuses("a{b", SchemaError::Unclosed(2));
        refuses("a {b{c}", SchemaError::Unclosed(3));
        refuses("a}", SchemaError::Unopened(2));
        refuses("a{b}}", SchemaError::Unopened(5));
        refuses("a{b}c", SchemaError::Unexpected(5));
        refuses("a{b{c}d}", SchemaError::Unexpected(7));
        refuses("9a", SchemaError::Unexpected(1));
        refuses("a-b", SchemaError::Unexpected(2));
        refuses("é", SchemaError::Unexpected(1));
        refuses("a{b;c}", SchemaError::Unexpected(4));
    }

    #[test]
    fn everything_has_a_limit() {
        refuses("a{b{c{d{e{f{g}}}}}}", SchemaError::TooDeep(12));
        refuses(&"a{".repeat(BYTES_MAX / 2), SchemaError::TooDeep(12));
        let names = |count: usize| vec!["a"; count].join(",");
        reads(&names(NAMES_MAX), "a");
        refuses(&names(NAMES_MAX + 1), SchemaError::TooManyNames);
        reads(&format!("{}a", " ".repeat(BYTES_MAX - 1)), "a");
        refuses(&" ".repeat(BYTES_MAX + 1), SchemaError::TooLong);
    }

    /// Schemas with `levels` levels of braces at most.
    fn schemas(levels: u32) -> impl Strategy<Value = Schema> {
        let leaf = "[a-zA-Z_][a-zA-Z0-9_]{0,3}".prop_map(|name| Item { name, inner: None });
        let item = leaf.prop_recursive(levels, 40, 4, |inner| {
            let fields = prop::collection::vec(inner, 1..4);
            ("[a-c]", fields).prop_map(|(name, fields)| Item { name, inner: Some(merged(fields)) })
        });
        prop::collection::vec(item, 1..6).prop_map(merged)
    }

    fn merged(items: Vec<Item>) -> Schema {
        let mut schema = Schema::default();
        for item in items {
            schema.add(&item.name, item.inner);
        }
        schema
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_the_same(schema in schemas(5)) {
            prop_assert_eq!(schema.to_string().parse(), Ok(schema));
        }

        #[test]
        fn no_text_does_harm(text in prop_oneof!["\\PC{0,40}", "[ab_9{},\\s]{0,40}"]) {
            if let Ok(schema) = text.parse::<Schema>() {
                prop_assert_eq!(schema.to_string().parse(), Ok(schema));
            }
        }

        #[test]
        fn each_name_comes_once(text in "[ab](\\{[ab],[ab]\\}|,[ab]){0,9}") {
            if let Ok(schema) = text.parse::<Schema>() {
                let mut names: Vec<&str> = schema.items().iter().map(|item| item.name.as_str()).collect();
                names.sort_unstable();
                prop_assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
    }
}
