//! Pages of usual and of odd tickets.

use std::sync::LazyLock;

use kassa_texts::{Language, ReturnDeadline, ReturnTerms};
use proptest::prelude::*;

use super::*;
use crate::fonts::Fonts;
use crate::tickets::EventTime;

/// They take a moment to read.
static FONTS: LazyLock<Fonts> = LazyLock::new(Fonts::embedded);

/// Two tickets of an evening.
pub(in crate::tickets) fn document() -> TicketsDocument {
    let ticket = |number: &str, barcode: &str| TicketPage {
        category: "Stalls".to_owned(),
        sector: Some("Parterre, left".to_owned()),
        row_and_seat: Some(("12".to_owned(), "7".to_owned())),
        number: format!("ABC {number}"),
        price: TicketPrice::Amount(4_550),
        holder: Some("Ann Example".to_owned()),
        barcode: barcode.to_owned(),
    };
    TicketsDocument {
        language: Language::En,
        event: "Night of the Lanterns".to_owned(),
        time: Some(EventTime {
            start_ms: 2_064_333_600_000,
            finish_ms: Some(2_064_344_400_000),
            zone: Some("Europe/Berlin".to_owned()),
        }),
        place: Some("Harbour Hall".to_owned()),
        address: Some("1 Main St, 20095 Hamburg".to_owned()),
        organizer: "Harbour Concerts".to_owned(),
        vendor: None,
        website: Some("https://harbour.example.org".to_owned()),
        returns: ReturnTerms { kept_percent_e4: 100_000, deadline: ReturnDeadline::DaysBefore(2) },
        order_number: "1024".to_owned(),
        order_code: "K7PX2M9Q".to_owned(),
        tickets: vec![ticket("17", "6291041500213042"), ticket("18", "6291041500213059")],
    }
}

/// Left, top, right and bottom of what is on a page.
fn frames(page: &PageLayout) -> Vec<[f32; 4]> {
    let frame = |item: &Item| match item {
        Item::Text(Block { paragraph, left, top, width, .. }) if !paragraph.lines.is_empty() => {
            Some([*left, *top, left + width, top + paragraph.height()])
        }
        Item::Code { left, top, .. } => Some([*left, *top, left + CODE_SIDE, top + CODE_SIDE]),
        Item::Text(_) | Item::Rule { .. } | Item::Ticket { .. } => None,
    };
    page.items.iter().filter_map(frame).collect()
}

/// Fails unless everything is on the page, and nothing on something else.
fn check(document: &TicketsDocument, page: &PageLayout) -> Result<(), TestCaseError> {
    let frames = frames(page);
    for (at, [left, top, right, bottom]) in frames.iter().enumerate() {
        prop_assert!(*left >= MARGIN - 0.1 && *right <= RIGHT + 0.1, "{left} to {right}: {document:?}");
        prop_assert!(*top >= MARGIN - 0.1 && *bottom <= PAGE_HEIGHT - 24.0, "{top} to {bottom}: {document:?}");
        for other in &frames[..at] {
            let is_apart =
                other[2] <= left + 0.1 || other[0] >= right - 0.1 || other[3] <= top + 0.1 || other[1] >= bottom - 0.1;
            prop_assert!(is_apart, "{other:?} is on {left} {top} {right} {bottom}: {document:?}");
        }
    }
    for item in &page.items {
        if let Item::Text(Block { paragraph, width, .. }) = item {
            let widest = paragraph.lines.iter().map(|line| line.width).fold(0.0, f32::max);
            prop_assert!(widest <= width + 0.1, "{widest} > {width}: {}", paragraph.text);
        }
    }
    Ok(())
}

/// Texts that clients may send, and some that they may not: long ones, long words, and odd characters.
fn odd_text(max: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "\\PC{0,40}",
        2 => "[A-ZÄЖ]{1,1000}",
        2 => "([а-яё]{1,14} ){0,200}",
        1 => "[W ]{0,1000}",
        1 => "(e\\u{301}\\u{302}\\u{303}\\u{304}){0,300}",
        1 => "[\u{590}-\u{6ff} 0-9]{0,400}",
        1 => any::<String>(),
    ]
    .prop_map(move |text| text.chars().take(max).collect())
}

fn odd_document() -> impl Strategy<Value = TicketsDocument> {
    let texts = [255, 255, 1_000, 255, 255, 255, 255, 16, 770].map(odd_text);
    (texts, prop_oneof![Just(Language::En), Just(Language::De), Just(Language::Ru)], 0_i64..20_000).prop_map(
        |([event, place, address, organizer, vendor, category, sector, row, holder], language, hours)| {
            let mut document = document();
            let page = TicketPage {
                category,
                sector: Some(sector),
                row_and_seat: Some((row, "65535".to_owned())),
                number: "WWW 9223372036854775807".to_owned(),
                price: TicketPrice::Amount(100_000_000_000),
                holder: Some(holder),
                barcode: "6291041500213042".to_owned(),
            };
            if let Some(time) = &mut document.time {
                time.finish_ms = Some(time.start_ms + hours * 3_600_000);
                time.zone = Some("America/Argentina/ComodRivadavia".to_owned());
            }
            TicketsDocument {
                language,
                event,
                place: Some(place),
                address: Some(address),
                website: Some(format!("https://{organizer}")),
                vendor: Some(vendor),
                organizer,
                order_number: i64::MAX.to_string(),
                tickets: vec![page],
                ..document
            }
        },
    )
}

#[test]
fn a_usual_ticket_is_large_and_whole() {
    let (fonts, document) = (Fonts::embedded(), document());
    let shaping = Shaping::new(&fonts);
    let page = lay_out(&document, 1, &shaping);
    assert!(!page.is_cut() && page.bottom < FOOTER_TOP);
    let sizes = page.items.iter().filter_map(|item| match item {
        Item::Text(block) => Some(block.paragraph.style.size),
        Item::Rule { .. } | Item::Ticket { .. } | Item::Code { .. } => None,
    });
    assert!(sizes.fold(0.0, f32::max) > 31.0);
    check(&document, &page).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn nothing_leaves_the_page_or_covers_something_else(document in odd_document()) {
        check(&document, &lay_out(&document, 0, &Shaping::new(&FONTS)))?;
    }

    #[test]
    fn every_text_makes_a_document(document in odd_document()) {
        let pdf = document.to_pdf(&FONTS);
        prop_assert!(pdf.is_ok(), "{:?}", pdf.err());
    }
}
