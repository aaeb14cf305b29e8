//! Languages that documents are written in.

/// A language of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// German.
    De,
    /// Russian.
    Ru,
}

impl Language {
    /// All of them, the usual one first.
    pub const ALL: [Self; 3] = [Self::En, Self::De, Self::Ru];

    /// Its tag (RFC 5646).
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Ru => "ru",
        }
    }

    /// The language of a tag, whatever region or script it names: `de-AT` is German. `None` for one that documents are
    /// not written in.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next()?;
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_may_name_a_region() {
        let cases = [("en", Some(Language::En)), ("de-AT", Some(Language::De)), (" RU_ru", Some(Language::Ru))];
        for (tag, language) in cases.into_iter().chain([("", None), ("fr", None), ("deu", None)]) {
            assert_eq!(Language::of_tag(tag), language, "{tag}");
        }
    }
}
