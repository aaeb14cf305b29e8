//! Texts of one thing in further languages.

use serde::{Deserialize, Serialize};

/// Further languages that texts of one thing may be in, at most.
pub const TRANSLATIONS_MAX: usize = 20;

/// A title and a description in another language. What it does not say is as the thing itself says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Translation {
    /// The language: `de`, `pt-BR` (RFC 5646, a language with a region or without).
    pub lang: String,
    /// The title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desc: Option<String>,
}

impl Translation {
    /// The one for readers of a language, such as `de`: in that language as such, else in that of a region.
    pub fn find<'a>(translations: &'a [Self], lang: &str) -> Option<&'a Self> {
        let is_regional = |translation: &&Self| translation.lang.split('-').next() == Some(lang);
        let exact = translations.iter().find(|translation| translation.lang == lang);
        exact.or_else(|| translations.iter().find(is_regional))
    }

    /// How long its texts are, in bytes.
    pub(crate) fn text_bytes(&self) -> usize {
        self.lang.len() + [&self.title, &self.desc].into_iter().flatten().map(String::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_get_their_language_as_such_or_that_of_a_region() {
        let translation = |lang: &str| Translation { lang: lang.to_owned(), title: None, desc: None };
        let all = ["pt-BR", "de-AT", "de"].map(translation);
        let found = |lang: &str| Translation::find(&all, lang).map(|translation| translation.lang.as_str());
        assert_eq!(["pt", "de", "en", "d"].map(found), [Some("pt-BR"), Some("de"), None, None]);
    }
}
