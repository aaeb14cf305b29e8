//! What mails say.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use kassa_domain::hall_map::{DrawingLength, SeatRow, Sector};
use kassa_domain::order::OrderStatus;
use kassa_domain::seating::SeatRange;
use kassa_domain::user::UpdateUser;
use kassa_domain::{Actor, Patch};
use qrcodegen::{QrCode, QrCodeEcc};

use crate::harness::{ANN, MailHarness, delivered};
use crate::sale::SaleFixture;

#[tokio::test]
async fn a_confirmation_mail_carries_a_token() {
    let harness = MailHarness::memory().await;
    harness.register(ANN).await.unwrap();
    let letter = harness.only_sent_mail().await;
    let token = letter.token();
    assert_eq!(letter.from, ["tickets@example.org"]);
    assert_eq!(letter.subject, "Please confirm your e-mail address");
    assert_eq!(
        letter.text.replace(&token, "[token]"),
        "Hello,\n\n\
         somebody has given this address for an account at tickets.example.org:\n\n\
         ann@example.org\n\n\
         If it was you, please confirm that the address is yours. This token does\nit:\n\n\
         [token]\n\n\
         Programs send it as {\"token\": \"...\", \"password\": \"...\"} by POST to\n\n\
         https://tickets.example.org/v1/services/confirm\n\n\
         You are asked for the password of the registration, or can set one. You\n\
         can do so for seven days. If it was not you, do nothing, or set a\n\
         password of your own: without your confirmation nobody sees what was\n\
         ordered for your address.\n"
    );
    assert!(letter.html.contains(&format!("<code>{token}</code>")), "{}", letter.html);
    assert!(letter.raw.contains(&format!("\r\n{token}\r\n")), "it can be read without any decoding");
}

#[tokio::test]
async fn a_confirmation_mail_links_to_the_shops_page() {
    let mut harness = MailHarness::memory().await;
    harness.settings.confirm_page = Some("https://shop.example.org/confirm?lang=en".parse().unwrap());
    harness.register(ANN).await.unwrap();
    let letter = harness.only_sent_mail().await;
    let token = harness.engine.confirmation_token(&harness.user(ANN).await);
    let link = format!("\nhttps://shop.example.org/confirm?lang=en&token={token}\n");
    assert!(letter.text.contains(&link), "{}", letter.text);
    let link = format!("<a href=\"https://shop.example.org/confirm?lang=en&amp;token={token}\">");
    assert!(letter.html.contains(&link), "{}", letter.html);
    assert!(!letter.text.contains("/v1/"), "readers of pages are no programs: {}", letter.text);
}

#[tokio::test]
async fn a_reset_mail_carries_a_token_or_links_to_the_shops_page() {
    let mut harness = MailHarness::memory().await;
    harness.confirmed_user(ANN).await;
    harness.engine.request_password_reset(ANN.parse().unwrap()).await.unwrap();
    let letter = harness.only_sent_mail().await;
    assert_eq!((letter.to.as_slice(), letter.subject.as_str()), (&[ANN.to_owned()][..], "Set a new password"));
    assert_eq!(letter.token(), harness.engine.password_reset_token(&harness.user(ANN).await));
    assert!(
        letter.text.contains("\nhttps://tickets.example.org/v1/services/password_reset/confirm\n"),
        "{}",
        letter.text
    );
    harness.settings.reset_page = Some("https://shop.example.org/reset".parse().unwrap());
    harness.engine.request_password_reset(ANN.parse().unwrap()).await.unwrap();
    let letter = harness.only_sent_mail().await;
    let token = harness.engine.password_reset_token(&harness.user(ANN).await);
    assert!(letter.text.contains(&format!("\nhttps://shop.example.org/reset?token={token}\n")), "{}", letter.text);
    assert!(!letter.text.contains("/v1/"), "{}", letter.text);
}

#[tokio::test]
async fn a_reset_is_mailed_to_nobody_but_the_owner_of_an_account() {
    let harness = MailHarness::memory().await;
    let ann = harness.confirmed_user(ANN).await;
    let moved = UpdateUser {
        user: ann,
        first_name: Patch::Keep,
        last_name: Patch::Keep,
        email: Some("mistyped@example.org".parse().unwrap()),
        new_password_hash: None,
        verified_password_hash: Some(String::new()),
        session: None,
    };
    harness.engine.execute(&Actor::Operator, moved, |_, _| ()).await.unwrap();
    harness.only_sent_mail().await;
    for email in [ANN, "mistyped@example.org", "nobody@example.org"] {
        harness.engine.request_password_reset(email.parse().unwrap()).await.unwrap();
        assert_eq!(harness.send().await, delivered(1), "it is settled");
        assert_eq!((harness.sent_mails().len(), harness.queued_mails().await.len()), (0, 0), "and not sent to {email}");
    }
}

#[tokio::test]
async fn ticket_mail_names_the_venue_and_carries_barcodes() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    let letter = harness.only_sent_mail().await;
    assert_eq!(
        (letter.to.as_slice(), letter.subject.as_str()),
        (&[ANN.to_owned()][..], "Your tickets: Night of the Lanterns")
    );
    let read_set =
        kassa_domain::ReadSet { tickets_held_by: vec![order.id], sets_of: vec![order.event], ..Default::default() };
    let view = harness.engine.view(&read_set).await.unwrap();
    let mut tickets: Vec<_> = view.tickets.rows().collect();
    tickets.sort_unstable_by_key(|ticket| ticket.number);
    let serial = &view.sets.rows().next().unwrap().serial;
    let barcodes: Vec<&str> = tickets.iter().map(|ticket| ticket.barcode().unwrap()).collect();
    let OrderStatus::Paid { code, .. } = &order.status else { panic!("{order:?}") };
    assert_eq!(
        letter.text,
        format!(
            "Night of the Lanterns\n\n\
             When: Friday, 1 June 2035, 20:00 – 23:00 (Europe/Berlin)\n\
             Where: Harbour Hall, 1 Main St, Hamburg\n\
             Order: {}, code {code}\n\n\
             Stalls, {serial} {}\n{}\n\n\
             Stalls, {serial} {}\n{}\n\n\
             Please have the barcode of each ticket ready at the entrance, on paper\nor on a screen.\n",
            order.number, tickets[0].number, barcodes[0], tickets[1].number, barcodes[1]
        )
    );
    assert_eq!(letter.pictures.len(), 2);
    for ((name, png), barcode) in letter.pictures.iter().zip(&barcodes) {
        assert!(letter.html.contains(&format!("<img src=\"cid:{name}\"")), "{}", letter.html);
        assert!(letter.html.contains(&format!("<code>{barcode}</code>")), "{}", letter.html);
        assert_eq!(qr_modules_of_png(png), qr_modules_of_barcode(barcode), "{barcode}");
    }
}

#[tokio::test]
async fn ticket_mail_carries_its_documents() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture { title: "Ночь <фонарей>", ..SaleFixture::default_for(&harness) }.sell().await;
    let letter = harness.only_sent_mail().await;
    let [(pdf_name, pdf), (ics_name, ics)] = letter.files.as_slice() else { panic!("{:?}", letter.files) };
    assert_eq!(
        [pdf_name, ics_name],
        [&format!("tickets-{}.pdf", order.number), &format!("event-{}.ics", order.number)]
    );
    let pdf = String::from_utf8_lossy(pdf);
    assert!(pdf.starts_with("%PDF-1.7") && pdf.contains("<xmpTPg:NPages>2</xmpTPg:NPages>"));
    assert!(pdf.contains("/Lang(en)"), "the language of the customer is not known");
    let ics = str::from_utf8(ics).unwrap();
    assert!(ics.contains("\r\nDTSTART:20350601T180000Z\r\n"), "{ics}");
    assert!(ics.contains("\r\nLOCATION:Harbour Hall\\, 1 Main St\\, Hamburg\r\n"), "{ics}");
    assert!(ics.contains(&format!("\r\nURL:https://tickets.example.org/e/{}\r\n", order.event)), "{ics}");
    let (_, data) = letter.html.split_once("<script type=\"application/ld+json\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let [first, _] = data.as_array().unwrap().as_slice() else { panic!("{data}") };
    assert_eq!(first["@type"], "EventReservation");
    assert_eq!(first["reservationNumber"], order.number.to_string());
    assert_eq!(first["reservationFor"]["name"], "Ночь <фонарей>");
    assert_eq!(first["reservationFor"]["startDate"], "2035-06-01T18:00:00Z");
    assert_eq!(first["reservationFor"]["location"]["name"], "Harbour Hall");
    let barcode = first["reservedTicket"]["ticketToken"].as_str().unwrap().strip_prefix("qrCode:").unwrap();
    assert!(letter.text.contains(&format!("\n{barcode}\n")), "{barcode}");
}

#[tokio::test]
async fn a_ticket_names_its_seat() {
    let seats = |sector| Some((sector, r#"{"B": [[7, 7]], "10": [[1, 1]]}"#));
    let named = async |sale: SaleFixture<'_>| {
        sale.sell().await;
        let letter = sale.harness.only_sent_mail().await;
        let named = letter
            .text
            .lines()
            .filter(|line| line.contains("seat"))
            .map(|line| line.rsplit_once(", ").unwrap().0.to_owned());
        named.collect::<Vec<_>>()
    };
    let harness = MailHarness::memory().await;
    let of_sector = SaleFixture { seats: seats("Left"), ..SaleFixture::default_for(&harness) };
    assert_eq!(named(of_sector).await, ["Stalls, Left, row 10, seat 1", "Stalls, Left, row B, seat 7"]);

    let row = |row: &str, seat| SeatRow {
        row: row.parse().unwrap(),
        seats: SeatRange { from: seat, to: seat },
        x: DrawingLength(0),
        y: DrawingLength(0),
        dx: DrawingLength(0),
        dy: DrawingLength(0),
        rank: None,
    };
    let sector = |name: &str| {
        let rows = vec![row("10", 1), row("B", 7)];
        Some(vec![Sector { id: "5b0d".to_owned(), name: name.to_owned(), desc: None, rows }])
    };
    for (name, shown) in [("Parterre", "Stalls, Parterre, row 10, seat 1"), ("Stalls", "Stalls, row 10, seat 1")] {
        let harness = MailHarness::memory().await;
        let on_map = SaleFixture { seats: seats("5b0d"), map: sector(name), ..SaleFixture::default_for(&harness) };
        assert_eq!(named(on_map).await[0], shown);
    }
}

#[tokio::test]
async fn unknown_details_are_left_out() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture { venue: None, ..SaleFixture::default_for(&harness) }.sell().await;
    let letter = harness.only_sent_mail().await;
    assert!(letter.text.starts_with("Night of the Lanterns\n\nWhen: "), "{}", letter.text);
    assert!(letter.text.contains(&format!("\nOrder: {}, code", order.number)), "{}", letter.text);
    assert!(!letter.text.contains("Where: "), "{}", letter.text);
}

#[tokio::test]
async fn a_city_is_named_once() {
    let harness = MailHarness::memory().await;
    SaleFixture { venue: Some(("Harbour Hall", "1 Main St, 20095 Hamburg")), ..SaleFixture::default_for(&harness) }
        .sell()
        .await;
    let letter = harness.only_sent_mail().await;
    assert!(letter.text.contains("\nWhere: Harbour Hall, 1 Main St, 20095 Hamburg\n"), "{}", letter.text);
}

#[tokio::test]
async fn every_language_is_readable() {
    let harness = MailHarness::memory().await;
    let title = "Ночь фонарей, «живой» звук и очень длинное название \u{1f3b8} für alle";
    SaleFixture { title, set: "Партер", ..SaleFixture::default_for(&harness) }.sell_to("анна@почта.рф").await;
    harness.send().await;
    // Such an address is for servers that know all letters; the domain is in ASCII in any case.
    let message = harness.mailer.take_sent().remove(0);
    let letter = crate::parsed_mail::ParsedMail::of(&message.bytes);
    assert_eq!(
        (letter.subject.as_str(), &letter.to),
        (format!("Your tickets: {title}").as_str(), &vec!["анна@xn--80a1acny.xn--p1ai".to_owned()])
    );
    assert!(
        letter.text.starts_with(title.split_once(" \u{1f3b8}").unwrap().0) && letter.text.contains("Партер"),
        "{}",
        letter.text
    );
    let longest = letter.raw.lines().map(str::len).max().unwrap();
    assert!(longest <= 100, "lines have a limit: {longest}");
}

/// The modules of a QR code, row by row: `#` for a dark one.
fn qr_modules_of_barcode(barcode: &str) -> Vec<String> {
    let code = QrCode::encode_text(barcode, QrCodeEcc::Quartile).unwrap();
    let module = |x, y| if code.get_module(x, y) { '#' } else { ' ' };
    (-4..code.size() + 4).map(|y| (-4..code.size() + 4).map(|x| module(x, y)).collect()).collect()
}

/// The same, read from a picture whose modules have 8 dots each way.
fn qr_modules_of_png(png: &[u8]) -> Vec<String> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let (body, sum) = (&rest[4..8 + length], &rest[8 + length..12 + length]);
        let mut crc = flate2::Crc::new();
        crc.update(body);
        assert_eq!(crc.sum().to_be_bytes(), sum, "the checksum");
        chunks.push((&body[..4], &body[4..]));
        rest = &rest[12 + length..];
    }
    let [(b"IHDR", header), (b"IDAT", packed), (b"IEND", [])] = chunks.as_slice() else { panic!("{chunks:?}") };
    assert_eq!(header[..4], header[4..8], "it is a square");
    assert_eq!(header[8..], [1, 0, 0, 0, 0], "one bit of grey for each dot");
    let side = u32::from_be_bytes(header[..4].try_into().unwrap()) as usize;
    let mut rows = Vec::new();
    ZlibDecoder::new(*packed).read_to_end(&mut rows).unwrap();
    let rows: Vec<&[u8]> = rows.chunks(1 + side.div_ceil(8)).collect();
    assert_eq!((rows.len(), side % 8), (side, 0));
    // A module is a byte wide: all of its dots are alike.
    let module = |byte: &u8| match byte {
        0x00 => '#',
        0xff => ' ',
        mixed => panic!("{mixed}"),
    };
    let shown: Vec<String> = rows.iter().map(|row| row[1..].iter().map(module).collect()).collect();
    assert!(shown.chunks(8).all(|same| same.iter().all(|row| *row == same[0])), "and so are its rows");
    shown.into_iter().step_by(8).collect()
}
