//! The texts of an event in further languages, as fields of its form: a title and a description for each language.

use kassa_texts::Language;
use serde_json::{Value, json};

use crate::console::fields::Fields;

/// What the names of the fields begin with.
const PREFIX: &str = "translation.";

/// The fields of a language.
pub(super) struct TranslationRow {
    lang: String,
    /// What it calls itself.
    pub(super) language: String,
    /// The names of its fields.
    pub(super) title: String,
    pub(super) desc: String,
}

impl TranslationRow {
    fn of(lang: &str) -> Self {
        let known = Language::ALL.into_iter().find(|language| language.code() == lang);
        Self {
            lang: lang.to_owned(),
            language: known.map_or_else(|| lang.to_owned(), |language| language.own_name().to_owned()),
            title: format!("{PREFIX}{lang}.title"),
            desc: format!("{PREFIX}{lang}.desc"),
        }
    }

    /// Whether its fields say anything.
    pub(super) fn is_given(&self, fields: &Fields) -> bool {
        fields.given(&self.title).is_some() || fields.given(&self.desc).is_some()
    }
}

/// The languages of a form: those that pages are in, and those that the event has beside them.
pub(super) fn rows(fields: &Fields) -> Vec<TranslationRow> {
    let mut languages: Vec<&str> = Language::ALL.map(Language::code).to_vec();
    let named = fields.names().filter_map(|name| name.strip_prefix(PREFIX)?.strip_suffix(".title"));
    for lang in named {
        if !languages.contains(&lang) {
            languages.push(lang);
        }
    }
    languages.into_iter().map(TranslationRow::of).collect()
}

/// The fields of the translations that there are.
pub(super) fn fields_of(event: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let translations = event["translations"].as_array().into_iter().flatten();
    let fields = translations.flat_map(|translation| {
        let row = TranslationRow::of(translation["lang"].as_str().unwrap_or_default());
        [(row.title, text(&translation["title"])), (row.desc, text(&translation["desc"]))]
    });
    fields.collect()
}

/// All translations, if any of them was changed: the interface takes them together.
pub(super) fn changed(fields: &Fields) -> Option<Vec<Value>> {
    let rows = rows(fields);
    let is_changed = |row: &TranslationRow| fields.is_changed(&row.title) || fields.is_changed(&row.desc);
    if !rows.iter().any(is_changed) {
        return None;
    }
    let given = rows.iter().filter(|row| row.is_given(fields));
    let translation = |row: &TranslationRow| json!({"lang": row.lang, "title": fields.given(&row.title), "desc": fields.given(&row.desc)});
    Some(given.map(translation).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    #[test]
    fn translations_are_sent_together_and_only_if_one_was_changed() {
        let event = json!({"translations": [{"lang": "fr", "title": "Nuit", "desc": null}]});
        let fields = Fields::to_change(fields_of(&event));
        assert_eq!(rows(&fields).iter().map(|row| row.lang.as_str()).collect::<Vec<_>>(), ["en", "de", "ru", "fr"]);
        assert_eq!(changed(&fields), None);
        let form =
            b"translation.fr.title=Nuit&_was.translation.fr.title=Nuit&translation.de.title=Nacht&translation.de.desc=";
        let nuit = json!({"lang": "fr", "title": "Nuit", "desc": null});
        let nacht = json!({"lang": "de", "title": "Nacht", "desc": null});
        assert_eq!(changed(&Fields::typed(&Form::parse(form))), Some(vec![nacht, nuit]));
        let gone = Fields::typed(&Form::parse(b"translation.fr.title=&_was.translation.fr.title=Nuit"));
        assert_eq!(changed(&gone), Some(Vec::new()));
    }
}
