//! What the operator says of itself: the imprint, the terms, and how accessible the shop is.

use std::collections::BTreeMap;
use std::fmt;

use kassa_texts::Language;

/// What a text is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegalText {
    /// Who runs the shop.
    Imprint,
    /// The terms of use.
    Terms,
    /// How accessible it is.
    Accessibility,
}

impl LegalText {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Imprint, Self::Terms, Self::Accessibility];

    /// Its name in paths and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Imprint => "imprint",
            Self::Terms => "terms",
            Self::Accessibility => "accessibility",
        }
    }
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading below the page's own.
    Heading(String),
    /// Words; their lines stay lines.
    Paragraph(Vec<String>),
}

/// The name of a file says nothing that pages could show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownText(String);

impl fmt::Display for UnknownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.0;
        write!(
            f,
            "{name}: must be imprint, terms or accessibility, with .en, .de or .ru if it is in a language, and .txt"
        )
    }
}

impl std::error::Error for UnknownText {}

/// The texts of an operator, each in as many languages as it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorTexts(BTreeMap<LegalText, Vec<Version>>);

/// A text in one language, or in the one for all.
type Version = (Option<Language>, Vec<Block>);

impl OperatorTexts {
    /// Adds the text of a file, such as `imprint.txt` for all languages or `terms.de.txt` for one. Paragraphs are separated by
    /// empty lines; one that begins with `#` is a heading.
    pub fn add(&mut self, file_name: &str, contents: &str) -> Result<(), UnknownText> {
        let unknown = || UnknownText(file_name.to_owned());
        let stem = file_name.strip_suffix(".txt").ok_or_else(unknown)?;
        let (name, language) = match stem.split_once('.') {
            Some((name, tag)) => {
                let found = Language::ALL.into_iter().find(|language| language.code() == tag);
                (name, Some(found.ok_or_else(unknown)?))
            }
            None => (stem, None),
        };
        let subject = LegalText::ALL.into_iter().find(|text| text.name() == name).ok_or_else(unknown)?;
        let texts = self.0.entry(subject).or_default();
        texts.push((language, blocks_of(contents)));
        Ok(())
    }

    /// A text in a language, else in the one that it has; `None` if the operator says nothing.
    pub(crate) fn find(&self, subject: LegalText, language: Language) -> Option<&[Block]> {
        let texts = self.0.get(&subject)?;
        let exact = texts.iter().find(|(of, _)| *of == Some(language));
        let found = exact.or_else(|| texts.iter().find(|(of, _)| of.is_none())).or_else(|| texts.first());
        found.map(|(_, blocks)| blocks.as_slice())
    }
}

fn blocks_of(contents: &str) -> Vec<Block> {
    let lines: Vec<&str> = contents.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    let block = |lines: &[&str]| match lines {
        [line] if line.starts_with('#') => Block::Heading(line.trim_start_matches('#').trim().to_owned()),
        lines => Block::Paragraph(lines.iter().map(|line| (*line).to_owned()).collect()),
    };
    paragraphs.map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_the_language_or_in_the_one_that_it_has() {
        let mut texts = OperatorTexts::default();
        texts.add("imprint.txt", "Harbour Tickets Ltd\n1 Quay\n\n# Contact\n\nmail@example.org\n").unwrap();
        texts.add("imprint.de.txt", "Hafen-Tickets").unwrap();
        let paragraph = |lines: &[&str]| Block::Paragraph(lines.iter().map(|line| (*line).to_owned()).collect());
        assert_eq!(texts.find(LegalText::Imprint, Language::De).unwrap(), [paragraph(&["Hafen-Tickets"])]);
        let blocks = [
            paragraph(&["Harbour Tickets Ltd", "1 Quay"]),
            Block::Heading("Contact".to_owned()),
            paragraph(&["mail@example.org"]),
        ];
        assert_eq!(texts.find(LegalText::Imprint, Language::Ru).unwrap(), blocks);
        assert_eq!(texts.find(LegalText::Terms, Language::En), None);
    }

    #[test]
    fn a_file_that_no_page_shows_is_a_mistake() {
        for name in ["imprint", "imprint.md", "imprint.fr.txt", "readme.txt", ".txt"] {
            assert_eq!(OperatorTexts::default().add(name, ""), Err(UnknownText(name.to_owned())), "{name}");
        }
    }
}
