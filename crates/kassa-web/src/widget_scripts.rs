//! The scripts that pages of other sites load, at addresses that never change. Their texts are those of the catalogue.

use flate2::Compression;
use kassa_texts::{Language, Texts};
use serde_json::{Map, Value, json};

use crate::assets::{Asset, gzip, short_digest};

/// What stands in the script where its texts go.
const TEXTS_PLACE: &str = "const TEXTS = {};";
/// What the script says by itself: as it names them, and their keys.
const TEXTS: [(&str, &str); 6] = [
    ("open", "to-tickets"),
    ("title", "tickets"),
    ("close", "widget-close"),
    ("refused", "widget-refused"),
    ("window", "widget-window"),
    ("loading", "widget-loading"),
];

const ELEMENTS: &str = include_str!("../assets/widget.js");
const DROP_IN: &str = include_str!("../assets/tcwidget.js");

/// The scripts.
#[derive(Debug)]
pub(crate) struct WidgetScripts {
    /// Elements of pages.
    pub(crate) elements: Asset,
    /// The same, and what pages have that were written for another server of the interface.
    pub(crate) drop_in: Asset,
}

impl WidgetScripts {
    /// Fills the texts in, and packs them.
    pub(crate) fn load() -> Self {
        let texts: Map<String, Value> =
            Language::ALL.into_iter().map(|it| (it.code().to_owned(), texts_of(it))).collect();
        let elements = ELEMENTS.replacen(TEXTS_PLACE, &format!("const TEXTS = {};", Value::Object(texts)), 1);
        debug_assert!(elements.len() > ELEMENTS.len(), "the script has no place for its texts");
        let drop_in = format!("{elements}\n{DROP_IN}");
        Self { elements: script(elements), drop_in: script(drop_in) }
    }
}

fn texts_of(language: Language) -> Value {
    let texts = Texts::of(language);
    TEXTS.into_iter().map(|(name, key)| (name.to_owned(), json!(texts.text(key)))).collect::<Map<_, _>>().into()
}

fn script(text: String) -> Asset {
    let plain = text.into_bytes();
    Asset {
        content_type: "text/javascript; charset=utf-8",
        hash: short_digest(&plain),
        gzipped: gzip(&plain, Compression::best()),
        plain: plain.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page of somebody else loads, packed, in bytes.
    const SCRIPT_BYTES_MAX: usize = 6 * 1024;

    #[test]
    fn the_scripts_are_small_and_speak_every_language() {
        let scripts = WidgetScripts::load();
        for asset in [&scripts.elements, &scripts.drop_in] {
            assert!(asset.gzipped.len() <= SCRIPT_BYTES_MAX, "{}", asset.gzipped.len());
            let text = std::str::from_utf8(&asset.plain).unwrap();
            for language in Language::ALL {
                assert!(text.contains(&Texts::of(language).text("widget-close")), "{}", language.code());
            }
        }
    }
}
