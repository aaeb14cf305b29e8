//! Events, from nothing to on sale.

use kassa_domain::Actor;
use kassa_domain::partner::SetPartnerQuotas;
use kassa_domain::quota::QuotaKind;
use kassa_http::http::{StatusCode, header};
use serde_json::Value;

use super::{Browser, PASSWORD, after, concerts, draft, encoded, plain, sale, user};
use crate::harness::Shop;

#[tokio::test]
async fn from_registration_to_an_event_on_sale_in_at_most_twelve_forms() {
    let shop = Shop::open().await;
    let browser = Browser::new(&shop);
    assert_eq!(browser.get("/console").await.leads_to(), "/console/sign-in");
    browser.send("/console/register", &[("email", "ann@example.org"), ("password", PASSWORD)]).await.leads_to();
    let token = shop.engine.confirmation_token(&user(&shop, "ann@example.org").await);
    let confirm = format!("/console/confirm?token={token}");
    browser.get(&confirm).await.assert_has(&[&token]);
    let confirmed = browser.send("/console/confirm", &[("token", &token), ("password", PASSWORD)]).await;
    assert_eq!(confirmed.leads_to(), "/console?done=confirmed");
    assert_eq!(browser.get("/console").await.leads_to(), "/console/new");
    let made = browser.send("/console/new", &[("name", "Harbour Hall"), ("org", "true")]).await;
    let home = made.leads_to().split('?').next().unwrap().to_owned();
    browser.get(&home).await.assert_has(&["Harbour Hall", "Put your first event on sale"]);
    let event = [
        ("title", "Night Concert"),
        ("start", "2026-06-01T20:00"),
        ("venue_name", "Old Pier"),
        ("venue_city", "Hamburg"),
    ];
    let made = browser.send(&format!("{home}/events/new"), &event).await;
    let event = made.leads_to().split('?').next().unwrap().to_owned();
    browser.get(&event).await.assert_has(&[
        "Draft",
        "Until it is on sale",
        "1 June 2026, 20:00",
        "Europe/Berlin",
        " disabled",
    ]);
    let set = [("name", "Stalls"), ("amount", "100"), ("price", "25,50"), ("_next", "another")];
    assert_eq!(
        browser.send(&format!("{event}/new-set"), &set).await.leads_to(),
        format!("{event}/new-set?done=created")
    );
    let set = [("name", "Gallery"), ("amount", "50"), ("price", "12"), ("from1", "2026-03-01T00:00"), ("price1", "15")];
    browser.send(&format!("{event}/new-set"), &set).await.leads_to();
    let code = [("code", "Spring"), ("kind", "percent"), ("value", "30"), ("amount", "10")];
    browser.send(&format!("{event}/new-promocode"), &code).await.leads_to();
    browser
        .send(
            &format!("{home}/shop"),
            &[("name", "Harbour Hall"), ("_was.name", "Harbour Hall"), ("open", "true"), ("DOOR", "true")],
        )
        .await
        .leads_to();
    browser.get(&format!("{event}/preview")).await.assert_has(&[
        "This is a preview",
        "Night Concert",
        "Stalls",
        "€25.50",
    ]);
    let published = browser.send(&format!("{event}/publish"), &[]).await;
    assert_eq!(published.leads_to(), format!("{event}?done=published"));
    assert!(browser.forms.get() <= 12, "{} forms", browser.forms.get());
    let page = browser.get(&event).await;
    page.assert_has(&["On sale", "Stalls", "€25.50", "Gallery", "€15", "Spring", "30%", "0 / 10"]);
    // Whoever buys sees it, and can order.
    let id = event.rsplit('/').next().unwrap();
    let shown = shop.get(shop.get(&format!("/e/{id}")).await.moved_to()).await;
    shown.assert_has(&[
        "Night Concert",
        "Old Pier",
        "Hamburg",
        "€25.50",
        "Stalls",
        "Gallery",
        "<select name=\"random.",
    ]);
}

#[tokio::test]
async fn of_two_who_save_an_event_the_second_sees_both_and_nothing_is_lost() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let edit = format!("{event}/edit");
    let first = ann.fill(&edit, &[("title", "Night of Lanterns"), ("age_rating", "12")]).await;
    let second = ann.fill(&edit, &[("title", "Late Concert"), ("desc", "New")]).await;
    assert_eq!(ann.send_filled(&edit, &first).await.leads_to(), format!("{event}?done=saved"));
    let refused = ann.send_filled(&edit, &second).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    for part in ["Somebody else has saved this meanwhile", "Late Concert", "Night of Lanterns", ">New</textarea>"] {
        assert!(refused.text().contains(part), "{part} is not in\n{}", refused.text());
    }
    assert_eq!(after(refused.text(), "name=\"age_rating\" value=\""), "12", "what only the first has changed stays");
    // Saved again as the page has it, both changes are there, and the second's title.
    let tag = after(refused.text(), "name=\"_tag\" value=\"");
    let tag = plain(tag);
    let mut again = second.clone();
    again.retain(|(name, _)| name != "_tag" && name != "age_rating" && !name.starts_with("_was."));
    again.extend(
        [("_tag", tag.as_str()), ("age_rating", "12"), ("_was.age_rating", "12")]
            .map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    for name in ["tickets_limit", "hold_minutes", "start", "end"] {
        let was = second.iter().find(|(other, _)| *other == format!("_was.{name}")).unwrap();
        again.push(was.clone());
    }
    assert_eq!(ann.send_filled(&edit, &again).await.leads_to(), format!("{event}?done=saved"));
    let fields = ann.fill(&edit, &[]).await;
    let value = |name: &str| fields.iter().find(|(other, _)| other == name).unwrap().1.clone();
    assert_eq!([value("title"), value("desc"), value("age_rating")], ["Late Concert", "New", "12"]);
}

#[tokio::test]
async fn an_id_in_a_form_that_is_none_leads_nowhere() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let home = event.split("/events").next().unwrap();
    let new = format!("{home}/events/new");
    for id in ["a b", "../venues", "0?x", "\u{7}"] {
        let title = ("title", "Again");
        let encoded = encoded(id);
        for page in [
            ann.get(&format!("{new}?copy={encoded}")).await,
            ann.get(&format!("{home}/deals/new?event={encoded}")).await,
            ann.send(&new, &[title, ("_copy", id)]).await,
            ann.send(&new, &[title, ("venue", id)]).await,
            ann.send(&format!("{event}/edit"), &[title, ("venue", id)]).await,
        ] {
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{id}: {}", page.text());
        }
    }
}

#[tokio::test]
async fn what_was_typed_is_kept_and_what_is_wrong_stands_beside_it() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let home = event.split("/events").next().unwrap();
    let form = [
        ("title", "Again"),
        ("start", "2026-06-01T20:00"),
        ("end", "2026-06-01T19:00"),
        ("venue_name", "Pier"),
        ("venue_city", "Hamburk"),
    ];
    let page = ann.send(&format!("{home}/events/new"), &form).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in [
        "value=\"Again\"",
        "value=\"Hamburk\"",
        "id=\"wrong-end\"",
        "It has to end after it begins",
        "id=\"wrong-venue_city\"",
    ] {
        assert!(page.text().contains(part), "{part} is not in\n{}", page.text());
    }
    let page = ann.send(&format!("{event}/new-set"), &[("name", ""), ("amount", "many"), ("price", "a lot")]).await;
    for part in ["id=\"wrong-name\"", "id=\"wrong-amount\"", "id=\"wrong-price\"", "value=\"a lot\""] {
        assert!(page.text().contains(part), "{part} is not in\n{}", page.text());
    }
    let page = ann.send(&format!("{event}/publish"), &[]).await;
    assert_eq!(page.leads_to(), format!("{event}?done=published"), "the interface decides what can be public");
}

#[tokio::test]
async fn a_copy_takes_sets_and_promocodes_along() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    ann.send(&format!("{event}/new-set"), &[("name", "Stalls"), ("amount", "10"), ("price", "25")]).await.leads_to();
    ann.send(&format!("{event}/new-promocode"), &[("code", "Spring"), ("kind", "fixed"), ("value", "5")])
        .await
        .leads_to();
    let (home, id) = event.split_once("/events/").unwrap();
    let page = ann.get(&format!("{home}/events/new?copy={id}")).await;
    page.assert_has(&["value=\"Night Concert\"", &format!("name=\"_copy\" value=\"{id}\"")]);
    let form = [("title", "Night Concert II"), ("start", "2026-07-01T20:00"), ("_copy", id), ("_key", "k1")];
    let copy = ann.send(&format!("{home}/events/new"), &form).await.leads_to().split('?').next().unwrap().to_owned();
    ann.get(&copy).await.assert_has(&["Night Concert II", "Stalls", "€25", "Spring", "€5"]);
    assert_ne!(copy, event);
    ann.get(&format!("{home}/events")).await.assert_has(&["2 events", "Night Concert II", "Draft"]);
}

#[tokio::test]
async fn a_copy_says_what_it_left_out_and_has_all_the_rest() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    for name in ["Stalls", "Gallery"] {
        ann.send(&format!("{event}/new-set"), &[("name", name), ("amount", "10"), ("price", "25")]).await.leads_to();
    }
    let sets = ann.api(home, "GET", &format!("/v1/resources/events/{id}/sets"), &Value::Null).await;
    let gallery = sets[1]["id"].as_str().unwrap();
    let of_gallery = format!("set.{gallery}");
    for (code, set) in [("Upstairs", of_gallery.as_str()), ("Spring", "set.none")] {
        let form = [("code", code), ("kind", "fixed"), ("value", "5"), (set, "true")];
        ann.send(&format!("{event}/new-promocode"), &form).await.leads_to();
    }
    ann.send(&format!("{event}/sets/{gallery}"), &[("_do", "remove")]).await.leads_to();
    let copy = async |key: &str| {
        let form = [("title", "Night Concert II"), ("start", "2026-07-01T20:00"), ("_copy", id), ("_key", key)];
        ann.send(&format!("{home}/events/new"), &form).await.leads_to().to_owned()
    };
    let made = copy("k1").await;
    assert!(made.ends_with("?done=copied&left_out=1"), "{made}");
    let page = ann.get(&made).await;
    page.assert_has(&["Stalls", "Spring", "Copied", "One of its sets or promo codes could not be copied."]);
    assert!(!page.text().contains("Upstairs"), "it would be for all tickets");
    // No more promo codes are allowed: the rest is copied all the same.
    let partner = home.rsplit('/').next().unwrap().parse().unwrap();
    let quotas = SetPartnerQuotas { partner, quotas: vec![(QuotaKind::Promocodes, Some(3))] };
    shop.engine.execute(&Actor::Operator, quotas, |_, _| ()).await.unwrap();
    let made = copy("k2").await;
    assert!(made.ends_with("?done=copied&left_out=2"), "{made}");
    ann.get(&made).await.assert_has(&[
        "Night Concert II",
        "Stalls",
        "2 of its sets and promo codes could not be copied.",
    ]);
}

#[tokio::test]
async fn a_copy_takes_the_newest_thousand_promocodes_and_says_how_many_there_are_besides() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    for (count, key) in [("500", "a"), ("500", "b"), ("2", "c")] {
        let many = [("kind", "percent"), ("value", "10"), ("count", count), ("_key", key)];
        ann.send(&format!("{event}/new-promocodes"), &many).await.leads_to();
    }
    let (home, id) = event.split_once("/events/").unwrap();
    let form = [("title", "Night Concert II"), ("start", "2026-07-01T20:00"), ("_copy", id), ("_key", "k")];
    let made = ann.send(&format!("{home}/events/new"), &form).await.leads_to().to_owned();
    let (copy, _) = made.split_once('?').unwrap();
    ann.get(&made).await.assert_has(&["2 of its sets and promo codes could not be copied."]);
    ann.get(&format!("{copy}/promocodes")).await.assert_has(&["1000 promo codes"]);
}

#[tokio::test]
async fn a_picture_is_uploaded_and_anything_else_is_refused() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let cookie = ann.session.borrow().clone();
    let headers = [
        ("cookie", cookie.as_str()),
        ("sec-fetch-site", "same-origin"),
        ("content-type", "multipart/form-data; boundary=x"),
    ];
    let part = |kind: &str, body: &str| {
        format!(
            "--x\r\ncontent-disposition: form-data; name=\"picture\"; filename=\"a.gif\"\r\ncontent-type: {kind}\r\n\r\n{body}\r\n--x--\r\n"
        )
    };
    let path = format!("{event}/picture");
    let page = shop.send("POST", &path, &headers, &part("text/plain", "no picture")).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.text().contains("That is no picture of these kinds."), "{}", page.text());
    let page = shop.send("POST", &path, &headers, &part("image/x-portable-pixmap", "P3 1 1 9 1 2 3")).await;
    assert!(page.text().contains("That is no picture of these kinds."), "{}", page.text());
    let page = shop.send("POST", &path, &headers, "--x--\r\n").await;
    assert!(page.text().contains("Choose a file first."), "{}", page.text());
    let mut gif = std::io::Cursor::new(Vec::new());
    let image = image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(1600, 1000, image::Rgb([90, 20, 120])));
    image.write_to(&mut gif, image::ImageFormat::Gif).unwrap();
    let form = [part("image/gif", "§").split_once('§').unwrap().0.as_bytes(), gif.get_ref(), b"\r\n--x--\r\n"].concat();
    let page = shop.send_bytes("POST", &path, &headers, form).await;
    assert_eq!(page.leads_to(), format!("{event}?done=picture"));
    let shown = ann.get(&event).await;
    let cover = after(shown.html(), "class=\"picture__now\" src=\"").to_owned();
    let (home, id) = event.split_once("/events/").unwrap();
    let media = ann.api(home, "GET", &format!("/v1/resources/events/{id}"), &Value::Null).await["media"].clone();
    for (name, size) in [("cover", (1280, 720)), ("cover_small", (640, 360)), ("cover_original", (1600, 1000))] {
        let url = media[name]["url"].as_str().unwrap();
        let file = shop.get(&url[url.find("/files/").unwrap()..]).await;
        assert_eq!(file.header(header::CONTENT_TYPE), "image/jpeg", "{name}");
        let image = image::load_from_memory(&file.bytes).unwrap();
        assert_eq!((image.width(), image.height()), size, "{name}");
    }
    assert!(media["cover"]["url"].as_str().unwrap().ends_with(&cover));
}

#[tokio::test]
async fn an_event_asks_what_its_form_says() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let path = format!("{event}/edit");
    let tag = |page: &str| super::plain(super::after(page, "name=\"_tag\" value=\""));
    let first = ann.get(&path).await.text().to_owned();
    let choice = [
        ("question.0.text", "What do you eat?"),
        ("question.0.kind", "choice"),
        ("question.0.per", "ticket"),
        ("question.0.options", "Everything"),
    ];
    let common = [("title", "Night Concert"), ("_was.title", "Night Concert"), ("buyer_phone", "required")];
    let with = |tag: String, more: &[(&str, &str)]| -> Vec<(String, String)> {
        let all = common.iter().chain(more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        all.chain([("_tag".to_owned(), tag)]).collect()
    };
    let one_option = ann.send_filled(&path, &with(tag(&first), &choice)).await;
    assert_eq!(one_option.status, StatusCode::UNPROCESSABLE_ENTITY, "a choice has two options at least");
    assert!(one_option.text().contains("What do you eat?") && one_option.text().contains("id=\"wrong-questions\""));
    let mut two = choice.to_vec();
    two[3].1 = "Everything\r\nVegan";
    two.extend([("question.1.text", "Coat?"), ("question.1.kind", "yes_no"), ("question.1.required", "true")]);
    let saved = ann.send_filled(&path, &with(tag(&first), &two)).await;
    assert_eq!(saved.leads_to(), format!("{event}?done=saved"));
    let page = ann.get(&path).await;
    page.assert_has(&["What do you eat?", "Everything\nVegan", "Coat?", "name=\"question.3.text\""]);
    page.assert_has(&["<option value=\"required\" selected>", "<option value=\"yes_no\" selected>"]);
}

#[tokio::test]
async fn texts_in_further_languages_are_changed_beside_those_that_stay() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let path = format!("{event}/edit");
    let tag = |page: &str| super::plain(super::after(page, "name=\"_tag\" value=\""));
    let save = async |fields: &[(&str, &str)]| {
        let page = ann.get(&path).await.text().to_owned();
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        ann.send_filled(&path, &fields.chain([("_tag".to_owned(), tag(&page))]).collect::<Vec<_>>()).await
    };
    let german = [("translation.de.title", "Nachtkonzert"), ("translation.de.desc", "Am Wasser")];
    assert_eq!(save(&german).await.leads_to(), format!("{event}?done=saved"));
    let german_again = [german[0], ("_was.translation.de.title", "Nachtkonzert"), german[1]];
    let with_russian = [&german_again[..], &[("translation.ru.title", "Ночной концерт")]].concat();
    assert_eq!(save(&with_russian).await.leads_to(), format!("{event}?done=saved"));
    let page = ann.get(&path).await;
    page.assert_has(&[
        "value=\"Nachtkonzert\"",
        ">Am Wasser</textarea>",
        "value=\"Ночной концерт\"",
        "Deutsch",
        "Русский",
    ]);
    ann.get(&format!("{event}/preview?lang=de")).await.assert_has(&[">Nachtkonzert</h1>", "Am Wasser"]);
    let too_long = "N".repeat(256);
    let refused = save(&[("translation.de.title", &too_long)]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains(&too_long) && refused.text().contains("id=\"wrong-translations\""));
}

#[tokio::test]
async fn many_promocodes_are_made_at_once_and_the_refused_ones_stay() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let path = format!("{event}/new-promocodes");
    let empty = ann.send(&path, &[("kind", "percent"), ("value", "10"), ("codes", " \r\n")]).await;
    assert!(empty.text().contains("id=\"wrong-codes\""), "{}", empty.text());
    let many = [("kind", "percent"), ("value", "10"), ("count", "501")];
    assert!(ann.send(&path, &many).await.text().contains("id=\"wrong-count\""));
    let first = [("codes", "SPRING\r\n=1+1"), ("count", "3"), ("prefix", "VIP-"), ("value", "10"), ("_key", "a")];
    assert_eq!(ann.send(&path, &first).await.leads_to(), format!("{event}/promocodes?done=created"));
    ann.send(&path, &first).await.leads_to();
    let second = [("codes", "spring\r\nSUMMER"), ("kind", "fixed"), ("value", "2,50"), ("_key", "b")];
    let refused = ann.send(&path, &second).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("One code is made"), "{}", refused.text());
    assert!(refused.text().contains(">spring</textarea>"), "what was refused stays");
    let csv = ann.get(&format!("{event}/promocodes.csv")).await;
    assert_eq!(csv.header(header::CONTENT_TYPE), "text/csv; charset=utf-8");
    let lines: Vec<&str> = csv.text().lines().collect();
    assert_eq!(lines[0], "code,discount,amount,used,reserved,created_at");
    assert!(lines[1].starts_with("SUMMER,2.50,,0,0,"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("'=1+1,10%,")), "no cell is a formula: {lines:?}");
    let made_up = lines.iter().filter(|line| line.starts_with("VIP-") && line.split(',').next().unwrap().len() == 12);
    assert_eq!((made_up.count(), lines.len()), (3, 7), "the button was pressed twice: {lines:?}");
}

#[tokio::test]
async fn an_event_older_than_a_thousand_others_is_still_called_by_its_title() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let [orders, widgets, search] = ["orders", "widgets", "search"].map(|end| format!("{home}/{end}"));
    ann.send(&widgets, &[("event", id), ("_key", "one")]).await.leads_to();
    for page in [&orders, &widgets, &format!("{search}?q=night")] {
        let page = ann.get(page).await;
        page.assert_has(&["Night Concert"]);
        assert!(!page.text().contains("Only the newest"), "all are here");
    }
    concerts(&ann, home, 1_000).await;
    ann.get(&format!("{search}?q=night"))
        .await
        .assert_has(&["Nothing is found", "Only the newest 1000 events are searched."]);
    ann.get(&format!("{search}?q=concert+000")).await.assert_has(&["Concert 000"]);
    ann.get(&format!("{orders}?event={id}")).await.assert_has(&[
        &format!("<option value=\"{id}\" selected>Night Concert</option>"),
        "Only the newest 1000 events are offered.",
    ]);
    ann.get(&widgets).await.assert_has(&["<h2 class=\"panel__title\">Night Concert</h2>", "Only the newest"]);
}

#[tokio::test]
async fn the_first_steps_lead_to_forms_that_lead_back_and_say_what_is_optional() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let page = ann.get(&event).await;
    let (_, steps) = page.html().split_once("id=\"steps\"").unwrap();
    let (needed, optional) = steps.split_once("If you like").unwrap();
    assert!(needed.contains("Tickets with a price") && !needed.contains("The shop is open"), "{needed}");
    assert!(needed.contains("/publish"), "nothing else is needed for that");
    let shop_form = format!("{home}/shop?event={id}");
    assert!(optional.contains(&format!("<a href=\"{shop_form}\">The shop is open")), "{optional}");
    assert!(optional.contains("Only then can people buy here themselves."), "{optional}");
    ann.get(&shop_form).await.assert_has(&[&format!("<a href=\"{event}\">← Back</a>")]);
    let form = ann.fill(&shop_form, &[("open", "true"), ("DOOR", "true")]).await;
    assert_eq!(ann.send_filled(&shop_form, &form).await.leads_to(), format!("{event}?done=saved"));
    assert_eq!(ann.get(&format!("{home}/shop?event=../x")).await.status, StatusCode::NOT_FOUND);
    let set = [("name", "Stalls"), ("amount", "9"), ("price", "25")];
    assert!(ann.send(&format!("{event}/new-set"), &set).await.leads_to().starts_with(&event));
    let code = [("code", "Spring"), ("kind", "percent"), ("value", "30")];
    assert!(ann.send(&format!("{event}/new-promocode"), &code).await.leads_to().starts_with(&event));
    let edit = ann.fill(&format!("{event}/edit"), &[("desc", "New")]).await;
    assert!(ann.send_filled(&format!("{event}/edit"), &edit).await.leads_to().starts_with(&event));
}

#[tokio::test]
async fn what_holds_for_returned_tickets_is_said_before_anything_is_sold() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, _) = event.split_once("/events/").unwrap();
    let usual = "Tickets can be given back until the event starts. Nothing of their price is kept.";
    ann.get(&format!("{home}/events/new")).await.assert_has(&["Returned tickets", usual]);
    let partner = format!("/v1/resources/partners/{}", home.strip_prefix("/console/").unwrap());
    let policy = serde_json::json!({"refund_policy": {"kept_percent": "10%", "days_before": 2}});
    ann.api(home, "PATCH", &partner, &policy).await;
    let own = "Tickets can be given back until 2 days before the event starts. 10% of their price is kept.";
    ann.get(&format!("{event}/edit")).await.assert_has(&[own]);
}
