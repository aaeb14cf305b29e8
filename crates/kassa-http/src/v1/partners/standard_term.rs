//! The terms on which a partner accepts proposals of agents at once.

use kassa_domain::Percent;
use kassa_domain::partner::{StandardTerms, StandardTermsPatch};
use kassa_domain::price::Share;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Fields, Flag, FromJson, Input, Problems, fields, parse_object};
use crate::wire::{ShareInput, show_share, wire_form};

wire_form! {
    /// The terms on which a partner accepts any agent's proposal at once.
    #[derive(Debug)]
    #[schema(as = StandardTerm)]
    pub(super) struct StandardTermBody {
        /// The organizer's share of the price: a percentage such as `90.00%`, or an amount per ticket such as `150.00`.
        org: String,
        /// What the agent adds to the price: a percentage of it such as `10.0%`, or an amount per ticket.
        extra: String,
        /// The most that an agent may add: a percentage of the price, or an amount per ticket.
        extra_max: String,
        /// Whether the customer pays the platform's commission on top of the price.
        pfc: bool,
    }
}

impl From<StandardTerms> for StandardTermBody {
    fn from(term: StandardTerms) -> Self {
        Self {
            org: show_share(term.organizer_share, 2),
            extra: show_share(term.markup, 1),
            extra_max: show_share(term.markup_max, 1),
            pfc: term.platform_fee_on_top,
        }
    }
}

fields! {
    struct StandardTermFields {
        /// The organizer's share of the price: a percentage as 90 or `"90%"`, or an amount per ticket as `"150.00"`.
        org: Input<ShareInput>,
        /// What the agent usually adds to the price: a percentage as 10 or `"10%"`, or an amount per ticket as
        /// `"150.00"`; 0 by default.
        extra: Input<ShareInput>,
        /// The most that an agent may add in a deal that is accepted at once; `"100%"` if it was never named.
        extra_max: Input<ShareInput>,
        /// Whether the customer pays the platform's commission on top of the price; `false` by default.
        pfc: Input<Flag>,
    }
}

/// `{org, extra, extra_max, pfc}` in a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct StandardTermInput(pub(super) StandardTermsPatch);

impl FromJson for StandardTermInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: StandardTermFields = parse_object(json)?;
        let mut problems = Problems::default();
        let org = fields.org.required("org", &mut problems).map(|share| share.0);
        let extra = fields.extra.optional("extra", &mut problems).map(|share| share.0);
        let extra_max = fields.extra_max.optional("extra_max", &mut problems).map(|share| share.0);
        let pfc = fields.pfc.optional("pfc", &mut problems).is_some_and(|flag| flag.0);
        let details = problems.into_details();
        match org {
            Some(organizer_share) if details.is_empty() => Ok(Self(StandardTermsPatch {
                organizer_share,
                markup: extra.unwrap_or(Share::Percent(Percent::from_units(0))),
                platform_fee_on_top: pfc,
                markup_max: extra_max,
            })),
            Some(_) | None => Err(details),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        StandardTermFields::object(&["org"]).into()
    }
}
