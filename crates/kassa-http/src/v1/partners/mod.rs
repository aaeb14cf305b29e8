//! `/v1/resources/partners`

mod create;
mod get;
mod list;
pub(super) mod model;
mod shop;
mod standard_term;
mod update;

use kassa_domain::partner::Partner;
use kassa_domain::permission::{self, PartnerVisibility, add_partner_visibility_reads, partner_visibility};
use kassa_domain::{Actor, ReadSet};
use kassa_engine::{Engine, Failure};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::route::{ApiRoutes, endpoints};
use model::{CounterpartyPartnerBody, PartnerBody, PublicPartnerBody};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update])
}

/// A partner as the caller may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = ShownPartner)]
#[serde(untagged)]
pub(crate) enum VisiblePartnerBody {
    Full(Box<PartnerBody>),
    Counterparty(Box<CounterpartyPartnerBody>),
    Public(Box<PublicPartnerBody>),
}

/// The partners as the caller sees them; without those of which it sees nothing.
pub(super) async fn visible_partner_bodies<'a>(
    engine: &Engine,
    actor: &Actor,
    partners: impl IntoIterator<Item = &'a Partner> + Clone,
    base: &BaseUrl,
) -> Result<Vec<(&'a Partner, VisiblePartnerBody)>, Failure> {
    let mut read_set = ReadSet::default();
    for partner in partners.clone() {
        add_partner_visibility_reads(actor, partner.id, &mut read_set);
        if actor.own_partners().contains(&partner.id) {
            read_set.users.extend(partner.user.filter(|user| permission::is_self(actor, *user)));
            read_set.managers_of.push(partner.id);
            read_set.invitations_of_partner.push(partner.id);
        }
    }
    let (view, now) = (engine.view(&read_set).await?, engine.now());
    let body = |partner: &'a Partner| {
        let seen = match partner_visibility(actor, partner, &view)? {
            PartnerVisibility::Full => {
                let own = partner.user.and_then(|user| view.users.get(user));
                VisiblePartnerBody::Full(Box::new(PartnerBody::new(partner, own, &view, now, base)))
            }
            PartnerVisibility::Counterparty => {
                VisiblePartnerBody::Counterparty(Box::new(CounterpartyPartnerBody::new(partner, base)))
            }
            PartnerVisibility::Public => VisiblePartnerBody::Public(Box::new(PublicPartnerBody::new(partner, base))),
        };
        Some((partner, seen))
    };
    Ok(partners.into_iter().filter_map(body).collect())
}
