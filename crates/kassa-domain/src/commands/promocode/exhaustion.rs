//! What is stated of a promocode that nobody else can use.

use crate::context::Context;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::promocode::Promocode;
use crate::view::View;

impl Promocode {
    /// States that its last use was taken, where it had some before. A use that an order gives back can be taken again,
    /// and it is stated again then. The caller stores it.
    pub(crate) fn state_if_exhausted(&mut self, had_uses: bool, cx: &Context<'_>, view: &mut View) {
        if !had_uses || self.uses.has_remaining() {
            return;
        }
        let facts = Facts::none()
            .with(FactName::UsesLimit, self.uses.limit)
            .with(FactName::UsesReserved, self.uses.reserved)
            .with(FactName::UsesRedeemed, self.uses.used);
        cx.state(self, ChangeType::PromocodeExhausted, facts, view);
    }
}
