//! The texts of an event in further languages.

use kassa_domain::translation::{TRANSLATIONS_MAX, Translation};
use utoipa::PartialSchema as _;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{FromJson, Input, LineText, List, LongText, NameText, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::wire::wire_form;

/// The longest language of a region: `fil-PH`.
const LANG_CHARS_MAX: usize = 6;

/// Translations in a request.
pub(super) type TranslationsInput = List<TranslationInput, TRANSLATIONS_MAX>;

wire_form! {
    /// A title and a description in another language.
    #[derive(Debug)]
    #[schema(as = Translation)]
    pub(super) struct TranslationBody {
        /// The language (RFC 5646): two or three small letters, and two capital ones of a region where one is meant.
        #[schema(example = "de")]
        lang: String,
        /// The title; `null` where the one of the event is used.
        #[schema(example = "Die lange Nacht")]
        title: Option<String>,
        /// The description; `null` where the one of the event is used.
        desc: Option<String>,
    }
}

impl From<&Translation> for TranslationBody {
    fn from(translation: &Translation) -> Self {
        let Translation { lang, title, desc } = translation.clone();
        Self { lang, title, desc }
    }
}

fields! {
    struct TranslationFields {
        /// The language (RFC 5646): two or three small letters, and two capital ones of a region where one is meant. No
        /// other translation of the event has it.
        lang: Input<LangTag>,
        /// The title, in one line; up to 255 characters. `null`, the default: the one of the event is used.
        title: Input<NameText>,
        /// The description; up to 10000 characters. `null`, the default: the one of the event is used.
        desc: Input<LongText>,
    }
}

/// A language in a request.
#[derive(Debug)]
struct LangTag(String);

impl FromJson for LangTag {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let LineText(tag) = LineText::<LANG_CHARS_MAX>::from_json(json)?;
        let (language, region) =
            tag.split_once('-').map_or((&*tag, None), |(language, region)| (language, Some(region)));
        let is_language = matches!(language.len(), 2 | 3) && language.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_region = |region: &str| region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_uppercase());
        if is_language && region.is_none_or(is_region) {
            return Ok(Self(tag));
        }
        Err(vec![ErrorDetail::new("", "must be a language such as de or pt-BR")])
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[a-z]{2,3}(-[A-Z]{2})?$")).into()
    }
}

/// A translation in a request: all of it at once.
#[derive(Debug)]
pub(super) struct TranslationInput(Translation);

impl FromJson for TranslationInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TranslationFields = parse_object(json)?;
        let mut problems = Problems::default();
        let lang = fields.lang.required("lang", &mut problems);
        let title = fields.title.optional("title", &mut problems).map(|text| text.0);
        let desc = fields.desc.optional("desc", &mut problems).map(|text| text.0);
        match lang {
            Some(LangTag(lang)) => problems.into_result(Self(Translation { lang, title, desc })),
            None => Err(problems.into_details()),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        TranslationFields::schema()
    }
}

/// The translations of an event; a language that stands there twice is a problem.
pub(super) fn translations(input: TranslationsInput, problems: &mut Problems) -> Vec<Translation> {
    let translations: Vec<Translation> = input.0.into_iter().map(|translation| translation.0).collect();
    for (at, translation) in translations.iter().enumerate() {
        if translations[..at].iter().any(|other| other.lang == translation.lang) {
            problems.add(&format!("translations[{at}].lang"), "must be different from those of other translations");
        }
    }
    translations
}
