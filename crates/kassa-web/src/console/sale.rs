//! `…/sale`: tickets sold to whoever stands at the door, with or without an e-mail.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::{Response, StatusCode};
use kassa_texts::Amount;
use serde_json::{Map, Value, json};

use super::events::{EventRow, events_of, row_of};
use super::fault::{Fault, Refusal};
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::visit::{Conditions, Visit, page_answer};
use crate::answer::see_other;
use crate::error::PageError;
use crate::model::EventData;

/// Tickets of one set in one sale.
const COUNT_MAX: i64 = 100;

#[derive(Template)]
#[template(path = "console/sales.html")]
struct SalesPage<'a> {
    frame: ConsoleFrame<'a>,
    rows: Vec<EventRow>,
    home: String,
}

struct Choice {
    name: String,
    title: String,
    price: String,
    vacant: i64,
    most: i64,
}

#[derive(Template)]
#[template(path = "console/sale.html")]
struct SalePage<'a> {
    frame: ConsoleFrame<'a>,
    title: String,
    fields: Fields,
    choices: Vec<Choice>,
    key: String,
    back: String,
    /// What is to be paid for what is chosen, once that was asked for.
    sum: Option<String>,
    script: &'a str,
}

/// The events that can be sold now.
pub(crate) async fn choose(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let (mut events, _) = events_of(visit, "&status=public&limit=200").await?;
    events.sort_by_key(EventData::order);
    let home = visit.home();
    if let [only] = events.as_slice() {
        return Ok(see_other(&format!("{home}/sale/{}", only.id)));
    }
    let row = |event: &EventData| EventRow { path: format!("{home}/sale/{}", event.id), ..row_of(visit, event) };
    let rows = events.iter().map(row).collect();
    let frame = ConsoleFrame::of_partner(visit, &visit.texts().text("console-sale"), Section::Sale).await?;
    page_answer(StatusCode::OK, &SalesPage { frame, rows, home })
}

/// Sells tickets of an event.
pub(crate) async fn sell(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let id = visit.segment("event");
    let (events, _) = events_of(visit, &format!("&ids={id}")).await?;
    let event = events.into_iter().next().ok_or(PageError::NotFound)?;
    let mut fields = Fields::typed(visit.form());
    let (texts, currency) = (visit.texts(), visit.shop.settings.currency);
    let mut sum = None;
    if visit.is_form {
        let outcome = match order_of(visit, &event, &fields) {
            None => Err(Refusal::of_page("refund_empty")),
            Some(order) if fields.is("_do", "show") => quote(visit, &order).await?.map(|value| sum = Some(value)),
            Some(order) => match take(visit, &order, &fields).await? {
                Ok(order) => return Ok(see_other(&format!("{}/orders/{order}?done=sold", visit.home()))),
                Err(refusal) => Err(refusal),
            },
        };
        if let Err(refusal) = outcome {
            let names = [("settings.customer.email", "email"), ("settings.customer.name", "name")];
            fields.refuse(texts, &refusal, &names);
        }
    }
    let choice = |set: &crate::model::SetData| Choice {
        name: format!("random.{}", set.id),
        title: set.name.clone(),
        price: texts.amount(set.price, currency),
        vacant: set.amount_vacant,
        most: set.amount_vacant.min(COUNT_MAX),
    };
    let page = SalePage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-sale"), Section::Sale).await?,
        choices: event.sets.iter().filter(|set| set.has_price_now()).map(choice).collect(),
        title: event.title.text,
        key: visit.shop.new_key(),
        back: format!("{}/events/{id}", visit.home()),
        sum: sum.map(|sum| texts.amount(sum, currency)),
        script: visit.shop.assets.path("sale.js"),
        fields,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// What was chosen, as the body of an order; none if nothing was.
fn order_of(visit: &Visit<'_>, event: &EventData, fields: &Fields) -> Option<Value> {
    let counts = event.sets.iter().filter_map(|set| {
        let count = fields.given(&format!("random.{}", set.id))?.parse::<u32>().ok().filter(|count| *count > 0)?;
        Some((set.id.clone(), json!(count)))
    });
    let random: Map<String, Value> = counts.collect();
    if random.is_empty() {
        return None;
    }
    let mut settings = json!({});
    for name in ["email", "name"] {
        if let Some(value) = fields.given(name) {
            settings["customer"][name] = json!(value);
        }
    }
    if fields.given("email").is_some() {
        settings["send_tickets"] = json!(true);
        settings["customer"]["lang"] = json!(visit.request.language.code());
    }
    Some(json!({"event": event.id, "random": random, "all_or_nothing": true, "settings": settings}))
}

/// What it comes to, with all that is taken off.
async fn quote(visit: &Visit<'_>, order: &Value) -> Result<Result<Amount, Refusal>, Fault> {
    let quoted = visit.send("POST", "/v2/services/orders/quote", Some(order)).await?;
    Ok(quoted.map(|quote| {
        let full = quote.value["data"]["values"]["full"].as_str();
        full.and_then(|full| full.parse().ok()).unwrap_or_default()
    }))
}

/// Reserves what was chosen, and notes that it was paid: the id of the order. Sent twice, it is sold once.
async fn take(visit: &Visit<'_>, body: &Value, fields: &Fields) -> Result<Result<String, Refusal>, Fault> {
    let key = fields.given("_key");
    let conditions = Conditions { key, tag: None };
    let made = match visit.send_if("POST", "/v2/resources/orders", Some(body), conditions).await? {
        Ok(made) => made.value,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let order = made["data"]["id"].as_str().unwrap_or_default().to_owned();
    let path = format!("/v2/resources/orders/{order}");
    let paid = key.map(|key| format!("{key}-paid"));
    let conditions = Conditions { key: paid.as_deref(), tag: None };
    match visit.send_if("PATCH", &path, Some(&json!({"status": "done"})), conditions).await? {
        Ok(_) => Ok(Ok(order)),
        Err(refusal) => {
            // What is not sold goes back on sale at once.
            visit.send("PATCH", &path, Some(&json!({"status": "cancelled"}))).await?.map_err(Fault::from)?;
            Ok(Err(refusal))
        }
    }
}
