//! A deal as v1 shows it, and its terms as requests write them.

use kassa_domain::Timestamp;
use kassa_domain::deal::{Deal, DealId, WantedTerms};
use kassa_domain::event::{Event, EventId};
use kassa_domain::partner::PartnerId;
use kassa_domain::price::{Share, Terms};
use kassa_domain::{Money, Percent};
use serde::{Deserialize, Serialize};

use crate::error::Detail;
use crate::input::{Flag, FromJson, Input, Problems, object};
use crate::v1::events::model::Title;
use crate::wire::{ReadShare, Time, show_share};

/// A deal (seed, Deal).
#[derive(Debug, Serialize)]
pub(crate) struct DealBody {
    id: DealId,
    event: EventId,
    subj: PartnerId,
    obj: PartnerId,
    reversed_deal: bool,
    status: &'static str,
    message: String,
    term: TermBody,
    title: Title,
    created_at: Time,
    updated_at: Time,
}

/// Who gets how much.
#[derive(Debug, Serialize)]
pub(crate) struct TermBody {
    org: String,
    extra: String,
    core: String,
    pfc: bool,
}

impl TermBody {
    pub(crate) fn new(terms: &Terms) -> Self {
        Self {
            org: show_share(terms.org.unwrap_or(Share::Amount(Money::ZERO)), 2),
            extra: show_share(terms.extra, 1),
            core: show_share(terms.core, 2),
            pfc: terms.pfc,
        }
    }
}

impl DealBody {
    /// The deal as it is at `now`, under the title of its event.
    pub(crate) fn new(deal: &Deal, event: Option<&Event>, now: Timestamp) -> Self {
        let finished = event.is_some_and(|event| deal.is_finished(event, now));
        Self {
            id: deal.id,
            event: deal.event,
            subj: deal.subj,
            obj: deal.obj,
            reversed_deal: deal.reversed,
            status: if finished { "finished" } else { deal.status.name() },
            message: deal.message.clone(),
            term: TermBody::new(&deal.terms),
            title: event.map(Title::new).unwrap_or_default(),
            created_at: Time(deal.created_at),
            updated_at: Time(deal.updated_at),
        }
    }
}

/// `{org, extra, pfc}` in a request; `core` is the platform's and is not sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermInput(pub(crate) WantedTerms);

impl FromJson for TermInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Fields {
            org: Input<ReadShare>,
            extra: Input<ReadShare>,
            pfc: Input<Flag>,
        }
        let fields: Fields = object(json)?;
        let mut problems = Problems::default();
        let org = fields.org.required("org", &mut problems).map(|share| share.0);
        let extra = fields.extra.optional("extra", &mut problems).map(|share| share.0);
        let pfc = fields.pfc.optional("pfc", &mut problems).is_some_and(|flag| flag.0);
        let details = problems.into_details();
        match org {
            Some(org) if details.is_empty() => {
                Ok(Self(WantedTerms { org, extra: extra.unwrap_or(Share::Percent(Percent::from_units(0))), pfc }))
            }
            Some(_) | None => Err(details),
        }
    }
}
