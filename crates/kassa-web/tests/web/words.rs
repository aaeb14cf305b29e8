//! Languages: which one a page is in, and that each has all texts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use kassa_http::http::header;
use kassa_texts::{FILES, Language, Texts};

use crate::harness::Shop;

#[tokio::test]
async fn the_address_chooses_the_language_then_the_cookie_then_the_browser() {
    let shop = Shop::open().await;
    let russian = ("accept-language", "ru-RU,ru;q=0.9,en;q=0.8");
    shop.get("/").await.assert_has(&["<html lang=\"en\">", "What’s on"]);
    shop.ask("GET", "/", &[russian]).await.assert_has(&["<html lang=\"ru\">", "Афиша"]);
    shop.ask("GET", "/", &[russian, ("cookie", "a=b; lang=de")]).await.assert_has(&["<html lang=\"de\">", "Programm"]);
    let chosen = shop.ask("GET", "/?lang=en", &[russian, ("cookie", "lang=de")]).await;
    chosen.assert_has(&["<html lang=\"en\">"]);
    assert_eq!(chosen.header(header::SET_COOKIE), "lang=en; Path=/; Max-Age=31536000; SameSite=Lax");
    assert_eq!(chosen.header(header::CACHE_CONTROL), "private, no-cache");
    let unknown = shop.ask("GET", "/?lang=fr", &[russian]).await;
    unknown.assert_has(&["<html lang=\"ru\">"]);
    assert_eq!(unknown.header(header::SET_COOKIE), "");
}

#[tokio::test]
async fn each_page_leads_to_itself_in_every_language() {
    let shop = Shop::open().await;
    for path in ["/", "/imprint", "/terms", "/accessibility"] {
        for language in Language::ALL {
            let code = language.code();
            let page = shop.get(&format!("{path}?lang={code}")).await;
            page.assert_has(&[
                &format!("<html lang=\"{code}\">"),
                &format!("href=\"{path}?lang=de\""),
                "hreflang=\"ru\"",
            ]);
            assert_eq!(page.header(header::CONTENT_LANGUAGE), code);
        }
    }
}

/// All sources and templates of pages, and the sources of documents, mails and what they share.
fn sources() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["src", "templates", "../kassa-documents/src", "../kassa-texts/src", "../kassa-engine/src/mail/templates"];
    let (mut open, mut text) = (folders.map(|name| folder.join(name)).to_vec(), String::new());
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { text.push_str(&fs::read_to_string(path).unwrap()) }
        }
    }
    text
}

#[test]
fn every_text_is_used() {
    let sources = sources();
    let keys: BTreeSet<&str> = FILES
        .iter()
        .flat_map(|(_, _, text)| text.lines())
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .map(|line| line.split_once(" =").unwrap().0)
        .collect();
    assert!(keys.len() > 50, "{keys:?}");
    let unused: Vec<&&str> = keys.iter().filter(|key| !sources.contains(&format!("\"{key}\""))).collect();
    assert_eq!(unused, Vec::<&&str>::new(), "texts that nobody reads");
}

#[test]
fn every_text_that_a_page_names_is_there() {
    let sources = sources();
    for opening in [".text(\"", ".about(\"", ".count(\"", ".with(\""] {
        for rest in sources.split(opening).skip(1) {
            let key = rest.split_once('"').unwrap().0;
            for language in Language::ALL {
                assert!(Texts::of(language).has(key), "{} has no {key}", language.code());
            }
        }
    }
}
