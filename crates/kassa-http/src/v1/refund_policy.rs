//! The policy of refunds as v1 shows it, and as requests write it: in events, partners and orders.

use kassa_domain::price::Share;
use kassa_domain::refund::{DAYS_BEFORE_MAX, RefundPolicy, RefundPolicyPatch};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{BoundedNumber, Flag, FromJson, Input, Problems, fields, parse_object};
use crate::wire::{PercentInput, show_share, wire_form};

wire_form! {
    /// What is kept of the price when customers return tickets, and until when they can ask.
    #[derive(Debug)]
    #[schema(as = RefundPolicy)]
    pub(crate) struct RefundPolicyBody {
        /// How much of the price, without the agent's extra, is kept: a percentage such as `10%`.
        kept_percent: String,
        /// How many days before the start of the event customers must have asked, at the latest.
        days_before: u32,
        /// Whether they can ask until the event ends; `days_before` then does not apply.
        after_start: bool,
    }
}

impl From<RefundPolicy> for RefundPolicyBody {
    fn from(policy: RefundPolicy) -> Self {
        let RefundPolicy { retained: kept, days_before, after_start } = policy;
        Self { kept_percent: show_share(Share::Percent(kept), 0), days_before, after_start }
    }
}

fields! {
    struct RefundPolicyFields {
        /// How much of the price, without the agent's extra, is kept: a percentage from 0 (the default) to 100, as 10
        /// or `"10%"`.
        kept_percent: Input<PercentInput>,
        /// How many days before the start of the event customers must have asked, at the latest: 0 (the default) to
        /// 3650.
        days_before: Input<BoundedNumber<DAYS_BEFORE_MAX>>,
        /// Whether they can ask until the event ends; `false` by default. `days_before` then does not apply.
        after_start: Input<Flag>,
    }
}

/// `{kept_percent, days_before, after_start}` in a request; null in place of one is the default.
pub(crate) struct RefundPolicyInput(pub(crate) RefundPolicyPatch);

impl FromJson for RefundPolicyInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: RefundPolicyFields = parse_object(json)?;
        let mut problems = Problems::default();
        let patch = RefundPolicyPatch {
            retained: fields.kept_percent.patch("kept_percent", &mut problems).map(|percent| percent.0),
            days_before: fields.days_before.patch("days_before", &mut problems).map(|count| count.0),
            after_start: fields.after_start.patch("after_start", &mut problems).map(|flag| flag.0),
        };
        problems.into_result(Self(patch))
    }

    fn json_schema() -> RefOr<Schema> {
        RefundPolicyFields::schema()
    }
}
