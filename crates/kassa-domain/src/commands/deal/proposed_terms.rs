//! The terms of a deal, as somebody asks for them.

use crate::refusal::Refusal;
use crate::values::money::Percent;
use crate::values::price::{Share, Terms};

/// Terms as somebody asks for them; the commission comes from the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProposedTerms {
    /// The organizer's part.
    pub organizer_share: Share,
    /// What the agent adds.
    pub markup: Share,
    /// Whether the customer pays the commission on top.
    pub platform_fee_on_top: bool,
}

impl ProposedTerms {
    /// The terms with the platform's commission, if they can be met by the price.
    pub fn with_commission(self, commission: Percent) -> Result<Terms, Refusal> {
        let Self { organizer_share: org, markup: extra, platform_fee_on_top: pfc } = self;
        if let (Share::Percent(org), Share::Percent(extra)) = (org, extra) {
            let core = if pfc { 0 } else { commission.units() };
            if org.units() + core > Percent::HUNDRED.units() + extra.units() {
                return Err(Refusal::TermsExceedPrice);
            }
        }
        Ok(Terms {
            organizer_share: Some(org),
            markup: extra,
            platform_share: Share::Percent(commission),
            platform_fee_on_top: pfc,
        })
    }
}
