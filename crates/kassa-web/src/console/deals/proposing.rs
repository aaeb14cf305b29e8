//! `…/deals/new?event=`: proposes a deal, or makes one, after the split of each price was shown.

use askama::Template;
use bytes::Bytes;
use kassa_domain::price::{Share, Terms};
use kassa_http::http::{Response, StatusCode};
use serde_json::{Value, json};

use super::split::{Split, share, splits};
use super::{DEAL_FIELDS, id_of, text};
use crate::answer::see_other;
use crate::console::fault::Fault;
use crate::console::fields::Fields;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Conditions, Visit, checked_id, page_answer};

const NAMES: [(&str, &str); 4] = [("term.org", "org"), ("term.extra", "extra"), ("term", "org"), ("subj", "subj")];

#[derive(Template)]
#[template(path = "console/new_deal.html")]
struct NewDealPage<'a> {
    frame: ConsoleFrame<'a>,
    back: String,
    event: String,
    event_id: String,
    organizer: String,
    /// Whether the partner organizes the event, and names the agent.
    is_organizer: bool,
    fields: Fields,
    splits: Vec<Split>,
    key: String,
}

/// Shows the split, and proposes.
pub(crate) async fn propose(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let mut fields = Fields::typed(visit.form());
    let id = fields.given("event").or_else(|| visit.request.value("event")).unwrap_or_default().to_owned();
    checked_id(&id)?;
    let path = format!("/v1/resources/events/{id}?fields-schema=id,title%7Btext%7D,org%7Bid,name%7D,sets");
    let event = visit.read(&path).await?.value;
    let is_organizer = event["org"]["id"].as_str() == Some(visit.segment("partner"));
    if !visit.is_form {
        fields = first_fields(visit).await?;
    }
    let [organizer, markup] = ["org", "extra"].map(|name| as_share(fields.value(name)));
    let is_fee_on_top = fields.is("pfc", "true");
    if visit.is_form && !fields.is("_do", "show") {
        let mut body = json!({
            "event": id, "term": {"org": organizer, "extra": markup, "pfc": is_fee_on_top},
            "message": fields.value("message"),
        });
        if is_organizer {
            body["subj"] = json!(fields.value("subj").trim());
        }
        let conditions = Conditions { key: visit.form().value("_key"), tag: None };
        match visit.send_if("POST", "/v1/resources/deals", Some(&body), conditions).await? {
            Ok(made) => {
                decline_countered(visit, &fields).await?;
                let deal = text(&made.value["id"]);
                return Ok(see_other(&format!("{}/deals/{deal}?done=created", visit.home())));
            }
            Err(refusal) => fields.refuse(visit.texts(), &refusal, &NAMES),
        }
    }
    let terms = share(&organizer).zip(share(&markup)).map(|(organizer, markup)| Terms {
        organizer_share: Some(organizer),
        markup,
        platform_share: Share::Percent(visit.shop.app.engine.commission()),
        platform_fee_on_top: is_fee_on_top,
    });
    let page = NewDealPage {
        frame: ConsoleFrame::of_partner(visit, &visit.texts().text("new-deal"), Section::Deals).await?,
        back: format!("{}/{}", visit.home(), if is_organizer { "deals" } else { "catalogue" }),
        event: text(&event["title"]["text"]),
        organizer: text(&event["org"]["name"]),
        splits: terms.map(|terms| splits(visit, sets_of(&event), &terms)).unwrap_or_default(),
        key: visit.shop.new_key(),
        event_id: id,
        is_organizer,
        fields,
    };
    let status = if page.fields.has_wrong() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page_answer(status, &page)
}

/// What the form begins with: usual terms, or those of the proposal that is answered with others.
async fn first_fields(visit: &Visit<'_>) -> Result<Fields, Fault> {
    let mut fields = Fields::default();
    let Some(proposal) = visit.request.value("counter") else {
        fields.set("org", "90%");
        fields.set("extra", "0%");
        return Ok(fields);
    };
    let path = format!("/v1/resources/deals/{}?fields-schema={DEAL_FIELDS}", checked_id(proposal)?);
    let deal = visit.read(&path).await?.value;
    fields.set("counter", proposal);
    fields.set("subj", id_of(&deal["subj"]));
    for name in ["org", "extra"] {
        fields.set(name, deal["term"][name].as_str().unwrap_or_default());
    }
    fields.set("pfc", if deal["term"]["pfc"] == true { "true" } else { "" });
    Ok(fields)
}

/// A proposal that was answered with other terms waits no more.
async fn decline_countered(visit: &Visit<'_>, fields: &Fields) -> Result<(), Fault> {
    if let Some(proposal) = fields.given("counter") {
        let path = format!("/v1/resources/deals/{}", checked_id(proposal)?);
        // Whoever has answered it meanwhile, or taken it back, was first: the new deal is there all the same.
        let _answered = visit.send("PATCH", &path, Some(&json!({"status": "declined"}))).await?;
    }
    Ok(())
}

fn sets_of(event: &Value) -> &Value {
    &event["sets"]
}

/// A share as the interface takes it: whoever types a number means percent, and `2.50` for each ticket is typed with its sign
/// of an amount left out and two digits behind the point.
fn as_share(typed: &str) -> String {
    let plain = typed.trim().replace(',', ".");
    let is_amount = plain.rsplit_once('.').is_some_and(|(_, cents)| cents.len() == 2);
    if plain.ends_with('%') || is_amount || plain.is_empty() { plain } else { format!("{plain}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_percentage_and_one_with_cents_an_amount() {
        assert_eq!(["90", "90 %", "7,5", "2,50", "2.50%"].map(as_share), ["90%", "90 %", "7.5%", "2.50", "2.50%"]);
    }
}
