//! What is around every page: its head, the bar at its top, and the foot.

use kassa_texts::{Language, Texts};

use crate::accent;
use crate::error::PageError;
use crate::model::PartnerData;
use crate::request::PageRequest;
use crate::shop::Shop;

/// What is around a page.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) texts: &'static Texts,
    /// The title of the window.
    pub(crate) title: String,
    /// What search engines and messengers say of the page.
    pub(crate) about: String,
    pub(crate) shop_name: &'a str,
    base_url: &'a str,
    /// The path that the page has for good, with what its query needs.
    pub(crate) path: String,
    /// A picture of what the page is about, by its path.
    pub(crate) picture: Option<String>,
    /// What kind of thing it is about, as Open Graph names it.
    pub(crate) kind: &'static str,
    /// Whether search engines shall find it.
    pub(crate) is_indexed: bool,
    pub(crate) style: &'a str,
    /// The style sheet of the seller's colour.
    pub(crate) accent: Option<String>,
    pub(crate) icon: &'a str,
    /// The path of the page, where it has a form, `choice`, whose fields go with whoever changes the language.
    pub(crate) choice_path: Option<String>,
}

/// A way to the same page in another language.
#[derive(Debug)]
pub(crate) struct LanguageLink {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}

impl<'a> Frame<'a> {
    /// Around a page with this title, at this path.
    pub(crate) fn new(shop: &'a Shop, request: &'a PageRequest, title: &str, path: String) -> Self {
        let shop_name = shop.settings.name.as_str();
        let texts = request.texts();
        Self {
            texts,
            title: if title.is_empty() { shop_name.to_owned() } else { format!("{title} · {shop_name}") },
            about: texts.about("shop-about", shop_name),
            shop_name,
            base_url: request.origin.base_url(),
            path,
            picture: None,
            kind: "website",
            is_indexed: true,
            accent: None,
            choice_path: None,
            style: shop.assets.path("shop.css"),
            icon: shop.assets.path("icon.svg"),
        }
    }

    /// In the colour of a seller, if it has one.
    pub(crate) fn set_accent(&mut self, seller: Option<&PartnerData>) {
        self.accent = seller.and_then(|seller| accent::path_of(seller.shop.accent.as_deref()?));
    }

    /// A text of the catalogue.
    pub(crate) fn text(&self, key: &str) -> String {
        self.texts.text(key)
    }

    pub(crate) fn lang(&self) -> &'static str {
        self.texts.language().code()
    }

    /// The whole address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url)
    }

    /// The same page in each language.
    pub(crate) fn languages(&self) -> [LanguageLink; 3] {
        Language::ALL.map(|language| {
            let separator = if self.path.contains('?') { '&' } else { '?' };
            LanguageLink {
                code: language.code(),
                name: language.own_name(),
                path: format!("{}{separator}lang={}", self.path, language.code()),
                is_current: language == self.texts.language(),
            }
        })
    }
}

/// The text of a template. That it cannot be written is a mistake of the program.
pub(crate) fn render(template: &impl askama::Template) -> Result<String, PageError> {
    template.render().map_err(|error| {
        tracing::error!(%error, "a page could not be written");
        PageError::Internal
    })
}
