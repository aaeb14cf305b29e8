//! A deal as v1 shows it, and its terms as requests write them.

use kassa_domain::Timestamp;
use kassa_domain::deal::{Deal, EffectiveDealStatus, ProposedTerms};
use kassa_domain::event::Event;
use kassa_domain::price::{Share, Terms};
use kassa_domain::{Money, Percent};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::list::DEAL_STATUSES;
use crate::error::ErrorDetail;
use crate::input::{Fields, Flag, FromJson, Input, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::v1::events::model::EventTitleBody;
use crate::wire::{DealRef, EventRef, IdRef, PartnerRef, ShareInput, Time, show_share};

/// A deal.
// seed, Deal
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Deal)]
pub(crate) struct DealBody {
    id: DealRef,
    event: EventRef,
    /// The agent.
    subj: PartnerRef,
    /// The organizer.
    obj: PartnerRef,
    /// Whether the agent proposed it.
    reversed_deal: bool,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    message: String,
    term: TermBody,
    title: EventTitleBody,
    created_at: Time,
    updated_at: Time,
}

/// Who gets how much.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Term)]
pub(crate) struct TermBody {
    /// What the organizer gets: `90.00%`, or an amount per ticket.
    org: String,
    /// What the agent adds.
    extra: String,
    /// The platform's commission.
    core: String,
    /// Whether the customer pays the commission on top.
    pfc: bool,
}

impl TermBody {
    pub(crate) fn new(terms: &Terms) -> Self {
        Self {
            org: show_share(terms.organizer_share.unwrap_or(Share::Amount(Money::ZERO)), 2),
            extra: show_share(terms.markup, 1),
            core: show_share(terms.platform_share, 2),
            pfc: terms.platform_fee_on_top,
        }
    }
}

fn status_schema() -> RefOr<Schema> {
    schema::words(DEAL_STATUSES.map(|(name, _)| name)).into()
}

impl DealBody {
    /// The deal as it is at `now`, under the title of its event.
    pub(crate) fn new(deal: &Deal, event: Option<&Event>, now: Timestamp) -> Self {
        let status = event.map_or(EffectiveDealStatus::Stored(deal.status), |event| deal.effective_status(event, now));
        Self {
            id: IdRef(deal.id),
            event: IdRef(deal.event),
            subj: IdRef(deal.agent),
            obj: IdRef(deal.organizer),
            reversed_deal: deal.proposed_by_agent,
            status: status.name(),
            message: deal.message.clone(),
            term: TermBody::new(&deal.terms),
            title: event.map(EventTitleBody::new).unwrap_or_default(),
            created_at: Time(deal.created_at),
            updated_at: Time(deal.updated_at),
        }
    }
}

fields! {
    struct TermFields {
        /// What the organizer gets of the price: percents, or an amount as `"150.00"`.
        org: Input<ShareInput>,
        /// What the agent adds to the price; nothing if it is not said.
        extra: Input<ShareInput>,
        /// Whether the customer pays the platform's commission on top.
        pfc: Input<Flag>,
    }
}

/// `{org, extra, pfc}` in a request; `core` is the platform's and is not sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermInput(pub(crate) ProposedTerms);

impl FromJson for TermInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TermFields = parse_object(json)?;
        let mut problems = Problems::default();
        let org = fields.org.required("org", &mut problems).map(|share| share.0);
        let extra = fields.extra.optional("extra", &mut problems).map(|share| share.0);
        let pfc = fields.pfc.optional("pfc", &mut problems).is_some_and(|flag| flag.0);
        let details = problems.into_details();
        match org {
            Some(org) if details.is_empty() => Ok(Self(ProposedTerms {
                organizer_share: org,
                markup: extra.unwrap_or(Share::Percent(Percent::from_units(0))),
                platform_fee_on_top: pfc,
            })),
            Some(_) | None => Err(details),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        TermFields::object(&["org"]).into()
    }
}
