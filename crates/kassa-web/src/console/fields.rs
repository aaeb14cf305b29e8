//! What stands in the fields of a form: what there is, what was typed, what is wrong with it, and what somebody else has
//! written meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use kassa_texts::Texts;

use super::fault::Refusal;
use crate::form::Form;

/// The fields of a form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    values: BTreeMap<String, String>,
    /// What the values were when the form was shown first, of a form that changes something.
    was: BTreeMap<String, String>,
    wrong: BTreeMap<String, String>,
    /// What somebody else has written since, where that is not what was typed.
    theirs: BTreeMap<String, String>,
    /// What is wrong with all of it.
    pub(crate) failure: Option<String>,
}

impl Fields {
    /// As they are, for somebody to change them.
    pub(crate) fn to_change<N: Into<String>>(values: impl IntoIterator<Item = (N, String)>) -> Self {
        let values: BTreeMap<String, String> =
            values.into_iter().map(|(name, value)| (name.into(), one_kind_of_line(&value))).collect();
        Self { was: values.clone(), values, ..Self::default() }
    }

    /// As they were typed.
    pub(crate) fn typed(form: &Form) -> Self {
        let mut fields = Self::default();
        for (name, value) in form.pairs() {
            let value = one_kind_of_line(value);
            match name.strip_prefix("_was.") {
                Some(name) => fields.was.insert(name.to_owned(), value),
                None => fields.values.insert(name.clone(), value),
            };
        }
        let taken: Vec<String> =
            fields.values.keys().filter_map(|name| name.strip_prefix("_take.").map(str::to_owned)).collect();
        for name in taken {
            // Whoever typed it prefers what the other has written, or that the other has taken it away.
            let was = fields.was.get(&name).cloned().unwrap_or_default();
            fields.values.insert(name, was);
        }
        fields.values.retain(|name, _| !name.starts_with("_take."));
        fields
    }

    /// The names of the fields that stand there.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// What stands in a field.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// What stands in a field that is not empty.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        Some(self.value(name).trim()).filter(|value| !value.is_empty())
    }

    /// Whether a field has this value: a box is checked, a choice is made.
    pub(crate) fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }

    /// Whether a field is not what it was.
    pub(crate) fn is_changed(&self, name: &str) -> bool {
        self.was.get(name).map_or("", String::as_str).trim() != self.value(name).trim()
    }

    /// Names and values that a form carries, to tell later what was changed.
    pub(crate) fn before(&self) -> Vec<(String, &str)> {
        self.was.iter().map(|(name, value)| (format!("_was.{name}"), value.as_str())).collect()
    }

    pub(crate) fn is_wrong(&self, name: &str) -> bool {
        self.wrong.contains_key(name)
    }

    /// What is wrong with a field.
    pub(crate) fn wrong(&self, name: &str) -> &str {
        self.wrong.get(name).map_or("", String::as_str)
    }

    pub(crate) fn set_wrong(&mut self, name: &str, text: String) {
        self.wrong.insert(name.to_owned(), text);
    }

    /// Whether anything is wrong.
    pub(crate) fn has_wrong(&self) -> bool {
        !self.wrong.is_empty() || self.failure.is_some()
    }

    /// What somebody else has written into a field.
    pub(crate) fn theirs(&self, name: &str) -> Option<&str> {
        self.theirs.get(name).map(String::as_str)
    }

    /// Whether what stands in a field is not what somebody else has written.
    pub(crate) fn is_contested(&self, name: &str) -> bool {
        self.theirs(name).is_some_and(|theirs| theirs.trim() != self.value(name).trim())
    }

    /// Says what the interface refuses: beside the fields that are on the page, and above it all.
    pub(crate) fn refuse(&mut self, texts: &Texts, refusal: &Refusal, names: &[(&str, &str)]) {
        for (path, text) in refusal.fields(texts) {
            let is_of = |from: &str| {
                path.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            };
            let own = names.iter().find(|(from, _)| is_of(from));
            self.wrong.insert(own.map_or(path, |(_, name)| (*name).to_owned()), text);
        }
        self.failure = Some(refusal.text(texts));
    }

    /// Puts together what was typed and what somebody else has written since: each field that only one of them has changed
    /// is as that one wants it. Where both have, what was typed stands, and what the other has written beside it. What is
    /// there no more is empty.
    pub(crate) fn merge(&mut self, now: &Self) {
        let names: BTreeSet<&String> = self.was.keys().chain(now.values.keys()).collect();
        for name in names {
            let was = self.was.get(name).map_or("", String::as_str).trim();
            let (typed, theirs) = (self.values.get(name).map_or("", String::as_str).trim(), now.value(name));
            let written = theirs.trim();
            if written == was || written == typed {
                continue;
            }
            if typed == was {
                self.values.insert(name.clone(), theirs.to_owned());
            }
            self.theirs.insert(name.clone(), theirs.to_owned());
        }
        self.was.clone_from(&now.values);
    }
}

/// Browsers send line breaks as CRLF, whatever they were.
fn one_kind_of_line(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(form: &str) -> Fields {
        Fields::typed(&Form::parse(form.as_bytes()))
    }

    #[test]
    fn what_two_have_changed_is_put_together() {
        let mut mine = typed("title=Mine&_was.title=Old&desc=Old&_was.desc=Old&age=12&_was.age=6&limit=5&_was.limit=4");
        let now = Fields::to_change([
            ("title", "Theirs".to_owned()),
            ("desc", "New".to_owned()),
            ("age", "6".to_owned()),
            ("limit", "5".to_owned()),
        ]);
        mine.merge(&now);
        assert_eq!((mine.value("title"), mine.theirs("title")), ("Mine", Some("Theirs")), "both are shown");
        assert_eq!((mine.value("desc"), mine.theirs("desc")), ("New", Some("New")), "theirs alone");
        assert_eq!((mine.value("age"), mine.theirs("age")), ("12", None), "mine alone");
        assert_eq!(mine.theirs("limit"), None, "both want the same");
        assert!(mine.is_changed("title") && mine.is_changed("age"));
        assert!(!mine.is_changed("desc") && !mine.is_changed("limit"));
    }

    #[test]
    fn what_somebody_else_has_removed_does_not_come_back() {
        let mut mine = typed(
            "level.0.from=2&_was.level.0.from=2&level.1.from=4&_was.level.1.from=4&level.2.from=7&_was.level.2.from=6\
             &set.x=true&_was.set.x=true&desc=New&_was.desc=Old",
        );
        let now = Fields::to_change([("level.0.from", "2".to_owned()), ("desc", "Old".to_owned())]);
        mine.merge(&now);
        for name in ["level.1.from", "set.x"] {
            assert_eq!((mine.value(name), mine.theirs(name)), ("", Some("")), "{name}");
            assert!(!mine.is_changed(name), "{name}");
        }
        assert_eq!((mine.value("level.2.from"), mine.theirs("level.2.from")), ("7", Some("")), "both are shown");
        assert!(mine.is_contested("level.2.from"));
        assert_eq!((mine.value("level.0.from"), mine.value("desc")), ("2", "New"));
    }

    #[test]
    fn whoever_prefers_what_the_other_wrote_says_so() {
        let form = typed("title=Mine&_was.title=Theirs&_take.title=true");
        assert_eq!(form.value("title"), "Theirs");
        assert!(!form.is_changed("title"));
        let gone = typed("level.1.from=4&_take.level.1.from=true");
        assert_eq!(gone.value("level.1.from"), "");
    }

    #[test]
    fn line_breaks_are_no_change() {
        let form = typed("desc=a%0D%0Ab&_was.desc=a%0Ab");
        assert!(!form.is_changed("desc"));
    }
}
