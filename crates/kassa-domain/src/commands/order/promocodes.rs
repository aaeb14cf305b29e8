//! The promocodes of an order: which it may name, on which tickets they act, and the uses that it
//! holds.
//!
//! - A live order holds one use of each code that it names, whether or not that is the best one for any of
//!   its tickets. When it ends, it gives them back, and keeps showing what it named.
//! - On each ticket acts the one code that takes most off; of equals, the one that was named first.
//! - While a promotion of the event runs, no order names another code than those that it has.
//! - What a code asks of an order is looked at when the order names it, over the tickets that it then has:
//!   none is too few. Later the code's lifetime may end: the price was agreed. If tickets change so that
//!   they are too few, too many or others, the code acts on none, but its use stays held: they may change
//!   again.
//! - A paid order has used up the codes that act on its tickets, and gives the others back.
//! - Late money takes the uses of what acts on its tickets again, whatever the lifetimes say.
//! - On an invitation no code acts: nothing is left to take off.

use crate::context::Context;
use crate::model::order::{Order, OrderLine, OrderStatus};
use crate::model::promocode::{Promocode, PromocodeUses};
use crate::refusal::Refusal;
use crate::values::promocode_text::PromocodeText;
use crate::values::resource_ids::{EventId, PromocodeId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// The most codes that one order names.
pub const PROMOCODES_MAX: u32 = 10;

/// What becomes of a request that names a code which cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnusablePromocodePolicy {
    /// It is refused as a whole.
    #[default]
    Refuse,
    /// The code is left out, and reported.
    LeaveOut,
}

impl Order {
    /// Makes the order name these codes and no others; returns why codes were left out.
    pub(super) fn set_promocodes(
        &mut self,
        codes: &[PromocodeText],
        unusable: UnusablePromocodePolicy,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<Vec<Refusal>, Refusal> {
        if self.status != OrderStatus::Reserved {
            return Err(Refusal::OrderFinal(self.state()));
        }
        if exceeds_promocodes_max(codes) {
            return Err(Refusal::TooMany { what: "promocodes in one order", max: PROMOCODES_MAX });
        }
        if view.promotions_of(self.event).any(|promotion| promotion.is_running(cx.now))
            && !self.has_all_promocodes(codes, view)
        {
            return Err(Refusal::PromotionRunning);
        }
        let (mut named, mut left_out) = (Vec::new(), Vec::new());
        for (at, code) in codes.iter().enumerate() {
            if codes[..at].iter().any(|other| other.matches(code)) {
                continue;
            }
            match (self.usable_promocode(code, cx.now, view), unusable) {
                // Its code and its id mean the same.
                (Ok(promocode), _) if named.contains(&promocode.id) => {}
                (Ok(promocode), _) => named.push(promocode.id),
                (Err(refusal), UnusablePromocodePolicy::LeaveOut) => left_out.push(refusal),
                (Err(refusal), UnusablePromocodePolicy::Refuse) => return Err(refusal),
            }
        }
        for dropped in self.promocodes.iter().filter(|id| !named.contains(id)) {
            update_uses(*dropped, cx, view, PromocodeUses::release)?;
        }
        for new in named.iter().filter(|id| !self.promocodes.contains(id)) {
            update_uses(*new, cx, view, PromocodeUses::reserve)?;
        }
        self.promocodes = named;
        Ok(left_out)
    }

    /// Whether the order names all of these codes already.
    fn has_all_promocodes(&self, codes: &[PromocodeText], view: &View) -> bool {
        let named = |code| self.promocode_named(code, view).is_some_and(|found| self.promocodes.contains(&found));
        codes.iter().all(named)
    }

    /// The promocode, if the order may name it: there and valid, for its tickets, for so many of them,
    /// and with a use left, in this order. What it names already it may go on naming at any time.
    fn usable_promocode<'a>(
        &self,
        code: &PromocodeText,
        now: Timestamp,
        view: &'a View,
    ) -> Result<&'a Promocode, Refusal> {
        let had = |promocode: &Promocode| self.promocodes.contains(&promocode.id);
        let promocode = self.promocode_named(code, view).and_then(|id| view.promocodes.get(id));
        let promocode = promocode.filter(|found| had(found) || found.is_valid(now));
        let promocode = promocode.ok_or_else(|| Refusal::PromocodeUnknown(code.clone()))?;
        let (count, limits) = (self.count_covered_tickets(promocode), promocode.ticket_count_limits);
        if count == 0 {
            return Err(Refusal::PromocodeNotApplicable(code.clone()));
        }
        if let Some(min) = limits.min.filter(|min| count < *min) {
            return Err(Refusal::PromocodeTooFewTickets { code: code.clone(), min });
        }
        if let Some(max) = limits.max.filter(|max| count > *max) {
            return Err(Refusal::PromocodeTooManyTickets { code: code.clone(), max });
        }
        if !had(promocode) && !promocode.uses.has_remaining() {
            return Err(Refusal::PromocodeUsedUp(code.clone()));
        }
        Ok(promocode)
    }

    /// How many of its tickets a promocode is for.
    pub(super) fn count_covered_tickets(&self, promocode: &Promocode) -> u32 {
        let lines = self.lines.iter().filter(|line| promocode.covers(line.set));
        u32::try_from(lines.count()).unwrap_or(u32::MAX)
    }

    /// Gives all uses back; the codes stay, to show what the order named.
    pub(super) fn release_promocode_uses(&self, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        self.promocodes.iter().try_for_each(|id| update_uses(*id, cx, view, PromocodeUses::release))
    }

    /// Late money: holds again a use of each code that acts on its tickets, and forgets the others.
    pub(super) fn reserve_promocode_uses_again(&mut self, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        self.promocodes.retain(|id| is_applied(*id, &self.lines));
        for id in &self.promocodes {
            if !view.promocodes.get(*id).ok_or(Refusal::Stale)?.uses.has_remaining() {
                return Err(Refusal::PromocodeGone);
            }
            update_uses(*id, cx, view, PromocodeUses::reserve)?;
        }
        Ok(())
    }

    /// The order is paid: what acts on its tickets is used up, the others are given back and forgotten.
    pub(super) fn redeem_promocodes(&mut self, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        for id in &self.promocodes {
            let change = if is_applied(*id, &self.lines) { PromocodeUses::redeem } else { PromocodeUses::release };
            update_uses(*id, cx, view, change)?;
        }
        self.promocodes.retain(|id| is_applied(*id, &self.lines));
        Ok(())
    }
}

/// Whether a promocode acts on one of these lines.
fn is_applied(promocode: PromocodeId, lines: &[OrderLine]) -> bool {
    lines.iter().any(|line| line.promocode == Some(promocode))
}

/// Changes the uses of a promocode. That is stated where it takes the last one.
fn update_uses(
    id: PromocodeId,
    cx: &Context<'_>,
    view: &mut View,
    change: fn(&mut PromocodeUses),
) -> Result<(), Refusal> {
    // One that was named since the request looked is not in the view.
    let mut promocode = view.promocodes.get(id).ok_or(Refusal::Stale)?.clone();
    let had_uses = promocode.uses.has_remaining();
    change(&mut promocode.uses);
    promocode.state_if_exhausted(had_uses, cx, view);
    view.promocodes.put(promocode);
    Ok(())
}

fn exceeds_promocodes_max(codes: &[PromocodeText]) -> bool {
    codes.len() > PROMOCODES_MAX as usize
}

/// The promocodes that a request names.
pub(super) fn add_promocode_reads(event: EventId, codes: Option<&[PromocodeText]>, read_set: &mut ReadSet) {
    // More than an order can name are refused without a look at them.
    let codes = codes.filter(|codes| !exceeds_promocodes_max(codes)).unwrap_or_default();
    read_set.promocodes_by_text.extend(codes.iter().map(|code| (event, code.clone())));
}
