//! `/console/{partner}/shop`: what a partner says of itself, and how it sells to people.

use askama::Template;
use bytes::Bytes;
use kassa_http::http::Response;
use serde_json::{Map, Value, json};

use super::change_form::ChangeForm;
use super::fault::Fault;
use super::fields::Fields;
use super::frame::{ConsoleFrame, Section};
use super::visit::{Visit, checked_id, page_answer};
use crate::answer::see_other;
use crate::error::PageError;
use crate::slug;

/// Ways to pay, in the order in which they are offered.
const PAYMENTS: [&str; 4] = ["TRANSFER", "STRIPE", "DOOR", "TEST"];
/// What the partner says of itself to those who buy, in fields that are called alike.
const SAID: [&str; 4] = ["about", "shop_email", "phone", "accent"];
const NAMES: [(&str, &str); 13] = [
    ("shop.about", "about"),
    ("shop.email", "shop_email"),
    ("shop.phone", "phone"),
    ("shop.accent", "accent"),
    ("shop.terms", "terms"),
    ("shop.origins", "origins"),
    ("contact.www", "www"),
    ("contact.email", "email"),
    ("shop.transfer.iban", "iban"),
    ("shop.transfer.holder", "holder"),
    ("shop.transfer.bic", "bic"),
    ("shop.transfer.days", "days"),
    ("shop.payments", "TRANSFER"),
];

#[derive(Template)]
#[template(path = "console/shop.html")]
struct ShopPage<'a> {
    frame: ConsoleFrame<'a>,
    fields: Fields,
    tag: String,
    /// Its page in the shop.
    path: String,
    is_merged: bool,
    /// What it would offer, and cannot take yet: the key of why.
    missing: Vec<(&'static str, &'static str)>,
    payments_path: String,
    /// Where it leads back to.
    back: Option<String>,
}

impl ShopPage<'_> {
    /// Why buyers are not offered a way to pay, where that is so.
    fn why_not(&self, provider: &str) -> Option<&'static str> {
        self.missing.iter().find(|(missing, _)| *missing == provider).map(|(_, key)| *key)
    }
}

/// Shows the settings, and changes them unless somebody else has meanwhile.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let id = visit.segment("partner");
    let path = format!("/v1/resources/partners/{id}");
    // Whoever comes from the first steps of an event goes on with them.
    let event = visit.request.value("event").map(checked_id).transpose()?;
    let back = event.map(|event| format!("{}/events/{event}", visit.home()));
    let own_path = format!("{}/shop", visit.home());
    let partner = visit.read(&path).await?;
    let now = fields_of(&partner.value);
    let mut form = ChangeForm::begin(now, &partner.tag, visit.sent_form());
    if visit.is_form {
        match visit.send_if("PATCH", &path, Some(&body_of(&form.fields)), form.conditions()).await? {
            Ok(_) => return Ok(see_other(&format!("{}?done=saved", back.as_ref().unwrap_or(&own_path)))),
            Err(refusal) => {
                form.settle(&refusal, visit.texts(), |fields| fields.refuse(visit.texts(), &refusal, &NAMES));
            }
        }
    }
    let missing = missing(visit, &partner.value).await?;
    let status = form.status();
    let name = partner.value["name"].as_str().unwrap_or_default();
    let page = ShopPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("console-shop"), Section::Shop).await?,
        tag: form.tag(),
        path: format!("/o/{}", slug::segment(name, id)),
        is_merged: form.is_merged,
        missing,
        back,
        payments_path: format!("{}/payments", visit.home()),
        fields: form.fields,
    };
    page_answer(status, &page)
}

/// The ways to pay that the partner names and buyers are not offered, and why: as others see the partner, it has those alone
/// that it can take.
async fn missing(visit: &Visit<'_>, partner: &Value) -> Result<Vec<(&'static str, &'static str)>, Fault> {
    let named = |provider: &str| {
        partner["shop"]["payments"].as_array().is_some_and(|all| all.iter().any(|one| one == provider))
    };
    let named: Vec<&'static str> = PAYMENTS.into_iter().filter(|provider| named(provider)).collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let (shop, origin) = (visit.shop, &visit.request.origin);
    let offered = match shop.api.partner(origin, visit.segment("partner")).await {
        Ok(public) => public.shop.payments,
        Err(PageError::NotFound) => Vec::new(),
        Err(error) => return Err(Fault::Page(error)),
    };
    let why = |provider: &'static str| match provider {
        _ if !shop.takes(provider) => Some((provider, "pay-not-here")),
        _ if offered.iter().any(|offered| offered == provider) => None,
        "STRIPE" => Some((provider, "pay-no-stripe")),
        _ => Some((provider, "pay-no-account")),
    };
    Ok(named.into_iter().filter_map(why).collect())
}

/// The fields, as they are.
fn fields_of(partner: &Value) -> Fields {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let flag = |is_set: bool| if is_set { "true".to_owned() } else { String::new() };
    let (contact, shop) = (&partner["contact"], &partner["shop"]);
    let offers = |provider: &str| shop["payments"].as_array().is_some_and(|all| all.iter().any(|one| one == provider));
    let transfer = &shop["transfer"];
    let offered = PAYMENTS.map(|provider| (provider, flag(offers(provider))));
    let own = [
        ("name", text(&partner["name"])),
        ("desc", text(&partner["desc"])),
        ("www", text(&contact["www"])),
        ("email", text(&contact["email"])),
        ("open", flag(shop["open"] == true)),
        ("iban", text(&transfer["iban"])),
        ("holder", text(&transfer["holder"])),
        ("about", text(&shop["about"])),
        ("shop_email", text(&shop["email"])),
        ("phone", text(&shop["phone"])),
        ("accent", text(&shop["accent"])),
        ("terms", text(&shop["terms"]["text"])),
        ("origins", lines(&shop["origins"])),
        ("bic", text(&transfer["bic"])),
        ("days", transfer["days"].as_u64().map(|days| days.to_string()).unwrap_or_default()),
    ];
    Fields::to_change(own.into_iter().chain(offered))
}

/// A list, each on a line of its own.
fn lines(list: &Value) -> String {
    let all = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    all.collect::<Vec<&str>>().join("\n")
}

/// What the fields change.
fn body_of(fields: &Fields) -> Value {
    let mut body = Map::new();
    if fields.is_changed("name") {
        body.insert("name".to_owned(), json!(fields.value("name").trim()));
    }
    if fields.is_changed("desc") {
        body.insert("desc".to_owned(), json!(fields.given("desc")));
    }
    let contact = ["www", "email"].into_iter().filter(|name| fields.is_changed(name));
    let contact: Map<String, Value> = contact.map(|name| (name.to_owned(), json!(fields.given(name)))).collect();
    if !contact.is_empty() {
        body.insert("contact".to_owned(), Value::Object(contact));
    }
    let mut shop = Map::new();
    if fields.is_changed("open") {
        shop.insert("open".to_owned(), json!(fields.is("open", "true")));
    }
    if PAYMENTS.into_iter().any(|provider| fields.is_changed(provider)) {
        let offered: Vec<&str> = PAYMENTS.into_iter().filter(|provider| fields.is(provider, "true")).collect();
        shop.insert("payments".to_owned(), json!(offered));
    }
    if ["iban", "holder", "bic", "days"].into_iter().any(|name| fields.is_changed(name)) {
        let mut transfer = json!({"iban": fields.given("iban"), "holder": fields.given("holder")});
        if let Some(bic) = fields.given("bic") {
            transfer["bic"] = json!(bic);
        }
        if let Some(days) = fields.given("days") {
            transfer["days"] = days.parse::<u64>().map_or_else(|_| json!(days), |days| json!(days));
        }
        let is_none = fields.given("iban").is_none() && fields.given("holder").is_none();
        shop.insert("transfer".to_owned(), if is_none { Value::Null } else { transfer });
    }
    for name in SAID.into_iter().filter(|name| fields.is_changed(name)) {
        shop.insert(name.trim_start_matches("shop_").to_owned(), json!(fields.given(name)));
    }
    if fields.is_changed("terms") {
        let terms = fields.given("terms");
        shop.insert("terms".to_owned(), json!({"text": terms}));
    }
    if fields.is_changed("origins") {
        let origins: Vec<&str> = fields.value("origins").split_whitespace().collect();
        shop.insert("origins".to_owned(), json!(origins));
    }
    if !shop.is_empty() {
        body.insert("shop".to_owned(), Value::Object(shop));
    }
    Value::Object(body)
}
