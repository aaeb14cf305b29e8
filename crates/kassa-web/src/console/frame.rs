//! What is around every page of the console: its head, the ways to other pages, and what was done a moment ago.

use kassa_domain::partner::{Capability, Role};
use serde_json::Value;

use super::fault::Fault;
use super::visit::Visit;
use crate::frame::Frame;

/// What a page says of what was done a moment ago, by the last word of its key in the address: `?done=saved`.
const DONE: [&str; 22] = [
    "done-canceled",
    "done-confirmed",
    "done-copied",
    "done-created",
    "done-declined",
    "done-ended",
    "done-exported",
    "done-password",
    "done-picture",
    "done-published",
    "done-received",
    "done-refund-asked",
    "done-refunded",
    "done-rejected",
    "done-removed",
    "done-resent",
    "done-restored",
    "done-returned",
    "done-saved",
    "done-signed-out",
    "done-sold",
    "done-stopped",
];

/// What a page says besides of what was done in part alone, by the name of the number in the address: `&left_out=2`.
const IN_PART: [(&str, &str); 2] = [("left_out", "done-left-out"), ("held_back", "done-held-back")];

/// What stands in the place of a partner's id in the paths of operators.
const PLATFORM: &str = "platform";

/// The parts of a partner's console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// Before a partner is chosen.
    Outside,
    /// What operators run: its state, and all partners.
    Platform,
    PlatformPartners,
    Overview,
    Events,
    Venues,
    Orders,
    Payments,
    Sale,
    Deals,
    Agents,
    Shop,
    Widgets,
    Keys,
    Webhooks,
    Team,
}

impl Section {
    /// What somebody must be able to do for a part to be of use: the interface refuses the rest.
    fn needs(self) -> Option<Capability> {
        match self {
            Self::Sale => Some(Capability::Sell),
            Self::Payments => Some(Capability::HandleMoney),
            Self::Venues | Self::Shop | Self::Widgets => Some(Capability::Organize),
            Self::Keys | Self::Webhooks => Some(Capability::Administer),
            Self::Outside
            | Self::Platform
            | Self::PlatformPartners
            | Self::Overview
            | Self::Events
            | Self::Orders
            | Self::Deals
            | Self::Agents
            | Self::Team => None,
        }
    }
}

/// A way to a part of the console.
pub(crate) struct Way {
    pub(crate) text: String,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}

/// What is around a page of the console.
pub(crate) struct ConsoleFrame<'a> {
    pub(crate) page: Frame<'a>,
    pub(crate) style: &'a str,
    /// The id and the name of the partner that the page is of.
    pub(crate) partner: Option<(String, String)>,
    /// The e-mail of whoever is signed in.
    pub(crate) user: Option<String>,
    section: Section,
    /// What whoever is signed in is to the partner.
    pub(crate) role: Option<Role>,
    /// Who acts for the partner: ids of users, and their e-mails.
    team: Vec<(String, String)>,
    pub(crate) done: Option<String>,
}

impl<'a> ConsoleFrame<'a> {
    /// Around a page for which nobody needs to be signed in.
    pub(crate) fn open(visit: &Visit<'a>, title: &str) -> Self {
        let mut page = Frame::new(visit.shop, visit.request, title, visit.request.path.clone());
        page.is_indexed = false;
        Self {
            page,
            style: visit.shop.assets.path("console.css"),
            partner: None,
            user: None,
            section: Section::Outside,
            role: None,
            team: Vec::new(),
            done: done(visit),
        }
    }

    /// Around a page for whoever is signed in.
    pub(crate) fn signed_in(visit: &Visit<'a>, title: &str, user: &Value) -> Self {
        Self { user: user["email"].as_str().map(str::to_owned), ..Self::open(visit, title) }
    }

    /// Around a page for operators of the platform.
    pub(crate) async fn of_platform(visit: &Visit<'a>, title: &str, section: Section) -> Result<Self, Fault> {
        let user = visit.read("/v1/services/whoami").await?.value;
        let partner = Some((PLATFORM.to_owned(), visit.texts().text("platform")));
        Ok(Self { partner, section, ..Self::signed_in(visit, title, &user) })
    }

    /// Around a page of a partner that the caller may act for.
    pub(crate) async fn of_partner(visit: &Visit<'a>, title: &str, section: Section) -> Result<Self, Fault> {
        let id = visit.segment("partner");
        let path = format!("/v1/resources/partners/{id}?fields-schema=id,name");
        let team = format!("/v2/resources/partners/{id}/managers?page_size=200");
        let (user, partner, team) =
            futures_util::future::try_join3(visit.read("/v1/services/whoami"), visit.read(&path), visit.read(&team))
                .await?;
        let members = || team.value["data"].as_array().into_iter().flatten();
        let own = members().find(|member| member["user"] == user.value["id"]);
        let role = own.and_then(|member| member["role"].as_str()).and_then(Role::named);
        let known = |member: &Value| Some((member["user"].as_str()?.to_owned(), member["email"].as_str()?.to_owned()));
        let team = members().filter_map(known).collect();
        let name = partner.value["name"].as_str().unwrap_or_default().to_owned();
        let partner = Some((id.to_owned(), name));
        Ok(Self { partner, section, role, team, ..Self::signed_in(visit, title, &user.value) })
    }

    /// Whether the role of whoever looks lets it do something: the interface refuses the rest, and pages do not offer it.
    fn may(&self, needs: Capability) -> bool {
        self.role.is_none_or(|role| role.may(needs))
    }

    /// Whether it changes what is put on sale.
    pub(crate) fn organizes(&self) -> bool {
        self.may(Capability::Organize)
    }

    /// Whether it sells.
    pub(crate) fn sells(&self) -> bool {
        self.may(Capability::Sell)
    }

    /// Whether it asks for tickets of an order back.
    pub(crate) fn asks_back(&self) -> bool {
        self.may(Capability::RequestRefunds)
    }

    /// Whether it says what has come and gone, and what is paid back.
    pub(crate) fn handles_money(&self) -> bool {
        self.may(Capability::HandleMoney)
    }

    /// The e-mail of a user who acts for the partner.
    pub(crate) fn email_of(&self, user: &str) -> Option<&str> {
        self.team.iter().find(|(id, _)| id == user).map(|(_, email)| email.as_str())
    }

    /// A text of the catalogue.
    pub(crate) fn text(&self, key: &str) -> String {
        self.page.texts.text(key)
    }

    /// Where the search in the head leads to, and what it says; none before a partner is chosen.
    pub(crate) fn search(&self) -> Option<(String, String)> {
        let (partner, _) = self.partner.as_ref()?;
        Some(match partner.as_str() {
            PLATFORM => ("/console/platform/partners".to_owned(), self.text("platform-search")),
            partner => (format!("/console/{partner}/search"), self.text("console-search")),
        })
    }

    /// The ways to the parts of the console, but those that are closed to the role of whoever looks.
    pub(crate) fn ways(&self) -> Vec<Way> {
        let Some((partner, _)) = &self.partner else { return Vec::new() };
        let of_platform =
            [(Section::Platform, "platform-state", ""), (Section::PlatformPartners, "platform-partners", "/partners")];
        let of_partner = [
            (Section::Overview, "console-overview", ""),
            (Section::Events, "console-events", "/events"),
            (Section::Venues, "console-venues", "/venues"),
            (Section::Orders, "console-orders", "/orders"),
            (Section::Payments, "console-payments", "/payments"),
            (Section::Sale, "console-sale", "/sale"),
            (Section::Deals, "console-deals", "/deals"),
            (Section::Agents, "console-agents", "/agents"),
            (Section::Shop, "console-shop", "/shop"),
            (Section::Widgets, "console-widgets", "/widgets"),
            (Section::Keys, "console-keys", "/keys"),
            (Section::Webhooks, "console-webhooks", "/webhooks"),
            (Section::Team, "console-team", "/team"),
        ];
        let way = |(section, key, end): (Section, &str, &str)| Way {
            text: self.text(key),
            path: format!("/console/{partner}{end}"),
            is_current: section == self.section,
        };
        let is_open = |(section, ..): &(Section, &str, &str)| {
            let needs = section.needs();
            needs.is_none_or(|needs| self.may(needs))
        };
        let all = if partner == PLATFORM { of_platform.to_vec() } else { of_partner.to_vec() };
        all.into_iter().filter(is_open).map(way).collect()
    }
}

/// What the address says was done, in words.
fn done(visit: &Visit<'_>) -> Option<String> {
    let wanted = visit.request.value("done")?;
    let texts = visit.texts();
    let key = DONE.iter().find(|key| key.strip_prefix("done-") == Some(wanted))?;
    let in_part = IN_PART.iter().filter_map(|(name, key)| {
        let count = visit.request.value(name)?.parse::<u32>().ok()?;
        Some(texts.count(key, count.into()))
    });
    Some(std::iter::once(texts.text(key)).chain(in_part).collect::<Vec<_>>().join(" "))
}
