//! The catalogue: each language's texts under their keys.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

use crate::amount::{Amount, Currency};
use crate::language::Language;

/// The files of the catalogue: a language, a name, and the texts in the syntax of Fluent.
pub const FILES: [(Language, &str, &str); 51] = [
    (Language::En, "shop", include_str!("../texts/en/shop.ftl")),
    (Language::En, "order", include_str!("../texts/en/order.ftl")),
    (Language::En, "documents", include_str!("../texts/en/documents.ftl")),
    (Language::En, "platform", include_str!("../texts/en/platform.ftl")),
    (Language::En, "widget", include_str!("../texts/en/widget.ftl")),
    (Language::En, "seats", include_str!("../texts/en/seats.ftl")),
    (Language::En, "console", include_str!("../texts/en/console.ftl")),
    (Language::En, "console-platform", include_str!("../texts/en/console-platform.ftl")),
    (Language::En, "console-team", include_str!("../texts/en/console-team.ftl")),
    (Language::En, "console-webhooks", include_str!("../texts/en/console-webhooks.ftl")),
    (Language::En, "console-account", include_str!("../texts/en/console-account.ftl")),
    (Language::En, "console-widgets", include_str!("../texts/en/console-widgets.ftl")),
    (Language::En, "console-money", include_str!("../texts/en/console-money.ftl")),
    (Language::En, "console-orders", include_str!("../texts/en/console-orders.ftl")),
    (Language::En, "console-deals", include_str!("../texts/en/console-deals.ftl")),
    (Language::En, "console-events", include_str!("../texts/en/console-events.ftl")),
    (Language::En, "console-sales", include_str!("../texts/en/console-sales.ftl")),
    (Language::De, "shop", include_str!("../texts/de/shop.ftl")),
    (Language::De, "order", include_str!("../texts/de/order.ftl")),
    (Language::De, "documents", include_str!("../texts/de/documents.ftl")),
    (Language::De, "platform", include_str!("../texts/de/platform.ftl")),
    (Language::De, "widget", include_str!("../texts/de/widget.ftl")),
    (Language::De, "seats", include_str!("../texts/de/seats.ftl")),
    (Language::De, "console", include_str!("../texts/de/console.ftl")),
    (Language::De, "console-platform", include_str!("../texts/de/console-platform.ftl")),
    (Language::De, "console-team", include_str!("../texts/de/console-team.ftl")),
    (Language::De, "console-webhooks", include_str!("../texts/de/console-webhooks.ftl")),
    (Language::De, "console-account", include_str!("../texts/de/console-account.ftl")),
    (Language::De, "console-widgets", include_str!("../texts/de/console-widgets.ftl")),
    (Language::De, "console-money", include_str!("../texts/de/console-money.ftl")),
    (Language::De, "console-orders", include_str!("../texts/de/console-orders.ftl")),
    (Language::De, "console-deals", include_str!("../texts/de/console-deals.ftl")),
    (Language::De, "console-events", include_str!("../texts/de/console-events.ftl")),
    (Language::De, "console-sales", include_str!("../texts/de/console-sales.ftl")),
    (Language::Ru, "shop", include_str!("../texts/ru/shop.ftl")),
    (Language::Ru, "order", include_str!("../texts/ru/order.ftl")),
    (Language::Ru, "documents", include_str!("../texts/ru/documents.ftl")),
    (Language::Ru, "platform", include_str!("../texts/ru/platform.ftl")),
    (Language::Ru, "widget", include_str!("../texts/ru/widget.ftl")),
    (Language::Ru, "seats", include_str!("../texts/ru/seats.ftl")),
    (Language::Ru, "console", include_str!("../texts/ru/console.ftl")),
    (Language::Ru, "console-platform", include_str!("../texts/ru/console-platform.ftl")),
    (Language::Ru, "console-team", include_str!("../texts/ru/console-team.ftl")),
    (Language::Ru, "console-webhooks", include_str!("../texts/ru/console-webhooks.ftl")),
    (Language::Ru, "console-account", include_str!("../texts/ru/console-account.ftl")),
    (Language::Ru, "console-widgets", include_str!("../texts/ru/console-widgets.ftl")),
    (Language::Ru, "console-money", include_str!("../texts/ru/console-money.ftl")),
    (Language::Ru, "console-orders", include_str!("../texts/ru/console-orders.ftl")),
    (Language::Ru, "console-deals", include_str!("../texts/ru/console-deals.ftl")),
    (Language::Ru, "console-events", include_str!("../texts/ru/console-events.ftl")),
    (Language::Ru, "console-sales", include_str!("../texts/ru/console-sales.ftl")),
];

static CATALOGUES: LazyLock<[Texts; 3]> = LazyLock::new(|| Language::ALL.map(Texts::load));

/// The texts of a language.
pub struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl Texts {
    /// Those of a language, which are read once.
    pub fn of(language: Language) -> &'static Self {
        let at = Language::ALL.iter().position(|other| *other == language).unwrap_or_default();
        &CATALOGUES[at]
    }

    fn load(language: Language) -> Self {
        // Two letters are an identifier.
        let id: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // All three are written from left to right: no marks around what is filled in.
        bundle.set_use_isolating(false);
        for (_, _, text) in FILES.iter().filter(|(of, _, _)| *of == language) {
            // A test parses every file.
            let (Ok(resource) | Err((resource, _))) = FluentResource::try_new((*text).to_owned());
            bundle.add_resource_overriding(resource);
        }
        Self { language, bundle }
    }

    /// Which language it is.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Whether there is a text under a key.
    pub fn has(&self, key: &str) -> bool {
        self.bundle.get_message(key).is_some_and(|message| message.value().is_some())
    }

    /// The text under a key; the key itself if there is none.
    pub fn text(&self, key: &str) -> String {
        self.format(key, None)
    }

    /// A text about a number, which chooses its form: `{ $count }`.
    pub fn count(&self, key: &str, count: i64) -> String {
        self.fill(key, "count", FluentValue::from(count))
    }

    /// A text about something with a name: `{ $name }`.
    pub fn about(&self, key: &str, name: &str) -> String {
        self.fill(key, "name", FluentValue::from(name))
    }

    /// An amount of money, as the language writes it.
    pub fn amount(&self, amount: Amount, currency: Option<Currency>) -> String {
        amount.show(self.language, currency)
    }

    /// A text with values filled in, by their names.
    pub fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut arguments = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            arguments.set(*name, FluentValue::from(*value));
        }
        self.format(key, Some(&arguments))
    }

    /// A text with one value filled in.
    fn fill(&self, key: &str, name: &str, value: FluentValue<'_>) -> String {
        let mut arguments = FluentArgs::with_capacity(1);
        arguments.set(name, value);
        self.format(key, Some(&arguments))
    }

    fn format(&self, key: &str, arguments: Option<&FluentArgs<'_>>) -> String {
        let pattern = self.bundle.get_message(key).and_then(|message| message.value());
        debug_assert!(pattern.is_some(), "there is no text {key}");
        let Some(pattern) = pattern else { return key.to_owned() };
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, arguments, &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{key}: {errors:?}");
        text
    }
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts").field("language", &self.language).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The keys of a language's files.
    fn keys(language: Language) -> BTreeSet<&'static str> {
        let files = FILES.iter().filter(|(of, _, _)| *of == language);
        let lines = files.flat_map(|(_, _, text)| text.lines());
        let keys = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
        keys.filter_map(|line| line.split_once('=').map(|(key, _)| key.trim())).collect()
    }

    #[test]
    fn every_file_is_well_formed() {
        for (language, name, text) in FILES {
            let parsed = FluentResource::try_new(text.to_owned());
            assert!(parsed.is_ok(), "{}/{name}: {:?}", language.code(), parsed.err().map(|(_, errors)| errors));
        }
    }

    #[test]
    fn german_has_one_word_for_tickets_and_another_for_payments_by_card() {
        for (_, name, text) in FILES.iter().filter(|(language, _, _)| *language == Language::De) {
            let values = text.lines().map(|line| line.split_once(" = ").map_or(line, |(_, value)| value));
            for value in values {
                assert!(!value.contains("Ticket"), "{name}: {value}: they are Karten elsewhere");
                assert!(
                    !value.contains("Mit Karte") && !value.contains("Karten über"),
                    "{name}: {value}: Kartenzahlung"
                );
            }
        }
    }

    #[test]
    fn every_language_has_the_same_keys_each_of_them_once() {
        let all: BTreeMap<&str, BTreeSet<&str>> = Language::ALL.map(|it| (it.code(), keys(it))).into();
        for (code, keys) in &all {
            let missing: Vec<_> = all["en"].symmetric_difference(keys).collect();
            assert_eq!(missing, Vec::<&&str>::new(), "{code} and en differ");
        }
        for language in Language::ALL {
            let files = FILES.iter().filter(|(of, _, _)| *of == language);
            let mut seen = BTreeSet::new();
            for line in files.flat_map(|(_, _, text)| text.lines()) {
                let key = line.split_once('=').map(|(key, _)| key.trim()).filter(|_| !line.starts_with(['#', ' ']));
                assert!(key.is_none_or(|key| seen.insert(key)), "{}: {line} is there twice", language.code());
            }
        }
    }

    #[test]
    fn every_text_has_the_same_arguments_in_every_language() {
        let arguments = |language: Language, key: &str| -> BTreeSet<String> {
            let files = FILES.iter().filter(|(of, _, _)| *of == language);
            let text: Vec<&str> = files.flat_map(|(_, _, text)| text.lines()).collect();
            let start =
                text.iter().position(|line| line.split_once('=').is_some_and(|(at, _)| at.trim() == key)).unwrap();
            let rest = text[start + 1..].iter().take_while(|line| line.starts_with([' ', '}']));
            let lines = std::iter::once(&text[start]).chain(rest);
            lines
                .flat_map(|line| line.split('$').skip(1))
                .map(|rest| rest.chars().take_while(char::is_ascii_lowercase).collect())
                .collect()
        };
        for key in keys(Language::En) {
            let each = Language::ALL.map(|language| arguments(language, key));
            assert!(each.iter().all(|names| *names == each[0]), "{key}: {each:?}");
        }
    }

    #[test]
    fn values_are_filled_in_as_they_are() {
        let ticket = Texts::of(Language::En).with("document-ticket-of", &[("number", "{ $count }"), ("count", "2")]);
        assert_eq!(ticket, "Ticket { $count } of 2");
    }

    #[test]
    fn numbers_choose_the_form_of_their_text() {
        let russian = Texts::of(Language::Ru);
        let forms = [1, 2, 5, 21].map(|count| russian.count("left-count", count));
        assert_eq!(forms, ["Остался 1 билет", "Осталось 2 билета", "Осталось 5 билетов", "Остался 21 билет"]);
    }
}
