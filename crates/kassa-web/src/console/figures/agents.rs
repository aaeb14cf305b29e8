//! `…/agents`: what agents sold of a partner's events; and what the partner itself sold of others', owes and earns.

use askama::Template;
use bytes::Bytes;
use jiff::civil::Date;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::{Sums, money, name_of, read, rows};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};

/// What somebody sold.
struct SoldRow {
    name: String,
    more: String,
    tickets: i64,
    full: String,
    owed: String,
    earned: String,
}

#[derive(Template)]
#[template(path = "console/agents.html")]
struct AgentsPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    catalogue: String,
    /// Those who sold for this partner, by event.
    agents: Vec<SoldRow>,
    agents_total: Option<SoldRow>,
    /// What this partner sold for others, by event and month.
    own: Vec<SoldRow>,
    own_total: Option<SoldRow>,
    is_complete: bool,
}

/// The page.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let texts = visit.texts();
    let partner = visit.segment("partner");
    let by_agents = read(visit, "by=vendor,event").await?;
    let own = read(visit, "side=agent&by=month,event").await?;
    let row = |name: String, more: String, sums: Sums| SoldRow {
        name,
        more,
        tickets: sums.tickets,
        full: money(visit, sums.full),
        owed: money(visit, sums.owed()),
        earned: money(visit, sums.agent),
    };
    let total = |sums: Sums| (sums != Sums::default()).then(|| row(texts.text("total"), String::new(), sums));
    let of_agents =
        || rows(&by_agents).filter(|(row, sums)| row["vendor"].as_str() != Some(partner) && *sums != Sums::default());
    let mut all = Sums::default();
    of_agents().for_each(|(_, sums)| all.add(sums));
    let month = |row: &Value| {
        let first = row["date"].as_str().and_then(|month| format!("{month}-01").parse::<Date>().ok());
        first.map(|date| texts.language().month_of_year(date.month(), date.year())).unwrap_or_default()
    };
    let mut sold: Vec<(&Value, Sums)> = rows(&own).filter(|(_, sums)| *sums != Sums::default()).collect();
    sold.reverse();
    let page = AgentsPage {
        frame: ConsoleFrame::of_partner(visit, &texts.text("console-agents"), Section::Agents).await?,
        script: visit.shop.assets.path("console.js"),
        catalogue: format!("{}/catalogue", visit.home()),
        agents: of_agents()
            .map(|(found, sums)| {
                let name = name_of(&by_agents, "partners", &found["vendor"]);
                row(name, name_of(&by_agents, "events", &found["event"]), sums)
            })
            .collect(),
        agents_total: total(all),
        own: sold
            .into_iter()
            .map(|(found, sums)| row(name_of(&own, "events", &found["event"]), month(found), sums))
            .collect(),
        own_total: total(Sums::of(&own["total"])),
        is_complete: own["is_complete"] == true,
    };
    page_answer(StatusCode::OK, &page)
}
