//! The languages that texts are in, and which one somebody reads.

/// A language that texts are in.
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
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::En, Self::De, Self::Ru];

    /// Its code (ISO 639-1), as `lang` attributes and folders of texts have it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Ru => "ru",
        }
    }

    /// What it calls itself.
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::De => "Deutsch",
            Self::Ru => "Русский",
        }
    }

    /// The language of a tag such as `de`, `de-AT` or `RU_ru`; `None` if there are no texts in it.
    pub fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// The one that an `Accept-Language` header (RFC 9110, section 12.5.4) likes best, of those that there are.
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best = None;
        for part in header.split(',') {
            let mut fields = part.split(';');
            let Some(language) = fields.next().and_then(Self::of_tag) else { continue };
            let weight = fields.find_map(|field| field.trim().strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok());
            let Some(weight) = weight.filter(|weight: &f32| *weight > 0.0) else { continue };
            if best.is_none_or(|(_, heaviest)| weight > heaviest) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_a_language_whatever_its_region() {
        assert_eq!(
            ["de", "DE-at", " ru_RU", "en-GB"].map(Language::of_tag),
            [Some(Language::De), Some(Language::De), Some(Language::Ru), Some(Language::En)]
        );
        assert_eq!(["", "d", "fr", "deu"].map(Language::of_tag), [None; 4]);
    }

    #[test]
    fn the_heaviest_language_that_there_is_wins_and_the_first_of_equals() {
        for (header, language) in [
            ("de", Some(Language::De)),
            ("fr, de;q=0.8, ru;q=0.9", Some(Language::Ru)),
            ("ru, de", Some(Language::Ru)),
            ("de;q=0, en;q=0.1", Some(Language::En)),
            ("de;q=much", None),
            ("fr, *;q=0.5", None),
            ("", None),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
