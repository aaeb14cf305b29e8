//! Deals: under which terms agents sell the events of organizers, and who gets how much of each price.

mod catalogue;
mod listing;
mod proposing;
mod showing;
mod split;

use kassa_texts::Texts;
use serde_json::Value;

pub(crate) use self::catalogue::catalogue;
pub(crate) use self::listing::list;
pub(crate) use self::proposing::propose;
pub(crate) use self::showing::show;

/// What of a deal pages show.
const DEAL_FIELDS: &str = "id,event%7Bid,title%7Btext%7D%7D,subj%7Bid,name%7D,obj%7Bid,name%7D,reversed_deal,status,\
    message,term%7Borg,extra,core,pfc%7D,title%7Btext%7D,created_at";

/// What a state is called.
fn state_text(status: &str, texts: &Texts) -> String {
    match status {
        "new" => texts.text("deal-state-new"),
        "accepted" => texts.text("deal-state-accepted"),
        "declined" => texts.text("deal-state-declined"),
        "revoked" => texts.text("deal-state-revoked"),
        "terminated" => texts.text("deal-state-terminated"),
        "finished" => texts.text("deal-state-finished"),
        other => other.to_owned(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The id of a reference, whether it is shown as an object or not.
fn id_of(value: &Value) -> &str {
    value["id"].as_str().or_else(|| value.as_str()).unwrap_or_default()
}

/// Terms in one line.
fn terms_text(term: &Value, texts: &Texts) -> String {
    let short = |share: &Value| text(share).replace(".00%", "%").replace(".0%", "%");
    let (organizer, markup) = (short(&term["org"]), short(&term["extra"]));
    texts.with("deal-terms", &[("organizer", organizer.as_str()), ("markup", markup.as_str())])
}
