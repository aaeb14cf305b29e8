//! A deal as v1 shows it, and its terms as requests write them.

use kassa_domain::Timestamp;
use kassa_domain::deal::{Deal, DealStatus, EffectiveDealStatus, ProposedTerms};
use kassa_domain::event::Event;
use kassa_domain::price::{Share, Terms};
use kassa_domain::{Money, Percent};
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Fields, Flag, FromJson, Input, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::route::ResourceKind;
use crate::v1::events::model::EventTitleBody;
use crate::wire::{
    DealRef, EventRef, IdRef, PartnerRef, Referenced, ShareInput, Time, WireField, enum_names, show_share, wire_form,
};

enum_names! {
    pub(super) static DEAL_STATUSES: DealStatus {
        New => "new",
        Accepted => "accepted",
        Declined => "declined",
        Revoked => "revoked",
        Terminated => "terminated",
    }
}

const FINISHED: &str = "finished";

/// All that a deal can be shown as, by name.
pub(super) fn effective_statuses() -> Vec<(&'static str, EffectiveDealStatus)> {
    let mut words = DEAL_STATUSES.words_for(|status| Some(EffectiveDealStatus::Stored(status)));
    words.push((FINISHED, EffectiveDealStatus::Finished));
    words
}

fn status_name(status: EffectiveDealStatus) -> &'static str {
    match status {
        EffectiveDealStatus::Stored(status) => DEAL_STATUSES.name(status),
        EffectiveDealStatus::Finished => FINISHED,
    }
}

wire_form! {
    /// A deal.
    #[derive(Debug)]
    #[schema(as = Deal)]
    pub(crate) struct DealBody {
        /// The id of the deal.
        id: DealRef,
        /// The event whose tickets the agent sells.
        event: EventRef,
        /// The agent.
        subj: PartnerRef,
        /// The organizer.
        obj: PartnerRef,
        /// Whether the agent proposed it, rather than the organizer.
        reversed_deal: bool,
        #[schema(schema_with = status_schema)]
        status: &'static str,
        /// What the proposer wrote to the other side; may be empty.
        message: String,
        /// Who gets how much of each ticket.
        term: TermBody,
        /// The title of the event.
        title: EventTitleBody,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static DEAL: ResourceKind = ResourceKind::new("deal", DealBody::KIND);

impl Referenced for Deal {
    fn kind() -> &'static ResourceKind {
        &DEAL
    }
}

wire_form! {
    /// Who gets how much.
    #[derive(Debug)]
    #[schema(as = Term)]
    pub(crate) struct TermBody {
        /// The organizer's share of the price: a percentage such as `90.00%`, or an amount per ticket such as `150.00`.
        org: String,
        /// What the agent adds to the price: a percentage of it such as `10.0%`, or an amount per ticket.
        extra: String,
        /// The platform's commission: a percentage such as `3.00%`, or an amount per ticket. Requests cannot set it.
        core: String,
        /// Whether the customer pays the platform's commission on top of the price.
        pfc: bool,
    }
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
    let about = "`new` waits for the organizer's answer; only `accepted` deals sell; `finished` once the event is \
                 over.";
    schema::words(effective_statuses().into_iter().map(|(name, _)| name)).description(Some(about)).into()
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
            status: status_name(status),
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
        /// The organizer's share of the price: a percentage as 90 or `"90%"`, or an amount per ticket as `"150.00"`.
        org: Input<ShareInput>,
        /// What the agent adds to the price: a percentage as 10 or `"10%"`, or an amount per ticket as `"150.00"`; 0
        /// by default.
        extra: Input<ShareInput>,
        /// Whether the customer pays the platform's commission on top of the price; `false` by default.
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
