//! `…/search`: events, orders and pages of the console by some letters.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::events::EventTitles;
use super::fault::Fault;
use super::frame::{ConsoleFrame, Section};
use super::orders::{customer, order_state};
use super::visit::{Visit, page_answer};
use crate::form::encoded;

/// Finds of each kind that are shown.
const SHOWN_MAX: usize = 10;

/// Something that was found: where it is, what it is called, and what else is known of it.
struct Find {
    path: String,
    title: String,
    more: String,
}

#[derive(Template)]
#[template(path = "console/search.html")]
struct SearchPage<'a> {
    frame: ConsoleFrame<'a>,
    wanted: String,
    /// Says that not all events were searched.
    hint: Option<String>,
    /// What was found of each kind, under its name; kinds of which nothing was found are left out.
    groups: Vec<(String, Vec<Find>)>,
}

pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let wanted = visit.request.value("q").unwrap_or_default().trim().to_owned();
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-search"), Section::Overview).await?;
    let folded = wanted.to_lowercase();
    let is_like = |text: &str| !folded.is_empty() && text.to_lowercase().contains(&folded);
    let ways = frame.ways().into_iter().filter(|way| is_like(&way.text));
    let screens = ways.map(|way| Find { path: way.path, title: way.text, more: String::new() }).collect();
    let ((events, hint), orders) = if wanted.is_empty() {
        Default::default()
    } else {
        futures_util::future::try_join(find_events(visit, &is_like), find_orders(visit, &wanted)).await?
    };
    let all = [("console-events", events), ("console-orders", orders), ("search-pages", screens)];
    let found = all.into_iter().filter(|(_, finds): &(&str, Vec<Find>)| !finds.is_empty());
    let groups = found.map(|(key, finds)| (visit.texts().text(key), finds)).collect();
    page_answer(StatusCode::OK, &SearchPage { frame, wanted, hint, groups })
}

/// Events, and what is said where not all were searched.
async fn find_events(visit: &Visit<'_>, is_like: &impl Fn(&str) -> bool) -> Result<(Vec<Find>, Option<String>), Fault> {
    let titles = EventTitles::load(visit, &[]).await?;
    let hint = titles.hint(visit, "events-newest-searched");
    let found = titles.newest.into_iter().filter(|(_, title)| is_like(title)).take(SHOWN_MAX);
    let find = |(id, title): (String, String)| Find {
        path: format!("{}/events/{id}", visit.home()),
        title,
        more: String::new(),
    };
    Ok((found.map(find).collect(), hint))
}

async fn find_orders(visit: &Visit<'_>, wanted: &str) -> Result<Vec<Find>, Fault> {
    let search = encoded(wanted);
    let path = format!("/v2/resources/orders?page_size={SHOWN_MAX}&search={search}");
    // What cannot be searched for is in no order.
    let Ok(answer) = visit.send("GET", &path, None).await? else { return Ok(Vec::new()) };
    let find = |order: &Value| Find {
        path: format!("{}/orders/{}", visit.home(), order["id"].as_str().unwrap_or_default()),
        title: order["number"].to_string(),
        more: [customer(order), order_state(order, visit.texts())].join(" · "),
    };
    Ok(answer.value["data"].as_array().into_iter().flatten().map(find).collect())
}
