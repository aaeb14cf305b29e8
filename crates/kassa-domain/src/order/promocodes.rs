//! The promocodes of an order: which it may name, on which tickets they act, and the uses that it holds
//! (decisions §8).
//!
//! - A live order holds one use of each code that it names, whether or not that is the best one for any of
//!   its tickets. When it ends, it gives them back, and keeps showing what it named.
//! - On each ticket acts the one code that takes most off; of equals, the one that was named first.
//! - While a promotion of the event runs, no order names another code than those that it has.
//! - What a code asks of an order is looked at when the order names it, over the tickets that it then has:
//!   none is too few. Later the code's lifetime may end: the price was promised. If tickets change so that
//!   they are too few, too many or others, the code acts on none, but its use stays held: they may change
//!   again.
//! - A paid order has used up the codes that act on its tickets, and gives the others back.
//! - Late money takes the uses of what acts on its tickets again, whatever the lifetimes say.
//! - On an invitation no code acts: nothing is left to take off.

use super::{Line, Order, OrderStatus};
use crate::event::EventId;
use crate::promocode::{Code, Promocode, PromocodeId, Uses};
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{Needs, View};

/// The most codes that one order names.
pub const PROMOCODES_MAX: u32 = 10;

/// What becomes of a request that names a code which cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unusable {
    /// It is refused as a whole.
    #[default]
    Refuse,
    /// The code is left out, and told.
    LeaveOut,
}

impl Order {
    /// Makes the order name these codes and no others; tells which were left out, and why.
    pub(super) fn name_promocodes(
        &mut self,
        codes: &[Code],
        unusable: Unusable,
        now: Timestamp,
        view: &mut View,
    ) -> Result<Vec<Refusal>, Refusal> {
        if self.status != OrderStatus::Executed {
            return Err(Refusal::OrderFinal(self.state()));
        }
        if is_too_long(codes) {
            return Err(Refusal::TooMany(PROMOCODES_MAX));
        }
        if view.promotions_of(self.event).any(|promotion| promotion.runs(now)) && !self.names_all(codes, view) {
            return Err(Refusal::PromotionRuns);
        }
        let (mut named, mut left_out) = (Vec::new(), Vec::new());
        for (at, code) in codes.iter().enumerate() {
            if codes[..at].iter().any(|other| other.is(code)) {
                continue;
            }
            match (self.usable(code, now, view), unusable) {
                (Ok(promocode), _) => named.push(promocode.id),
                (Err(refusal), Unusable::LeaveOut) => left_out.push(refusal),
                (Err(refusal), Unusable::Refuse) => return Err(refusal),
            }
        }
        for dropped in self.promocodes.iter().filter(|id| !named.contains(id)) {
            count(*dropped, view, Uses::give_back)?;
        }
        for new in named.iter().filter(|id| !self.promocodes.contains(id)) {
            count(*new, view, Uses::reserve)?;
        }
        self.promocodes = named;
        Ok(left_out)
    }

    /// Whether the order names all of these codes already.
    fn names_all(&self, codes: &[Code], view: &View) -> bool {
        let named = |code| view.promocode(self.event, code).is_some_and(|found| self.promocodes.contains(&found.id));
        codes.iter().all(named)
    }

    /// The promocode, if the order may name it: there and valid, for its tickets, for so many of them,
    /// and with a use left, in this order. What it names already it may go on naming at any time.
    fn usable<'a>(&self, code: &Code, now: Timestamp, view: &'a View) -> Result<&'a Promocode, Refusal> {
        let had = |promocode: &Promocode| self.promocodes.contains(&promocode.id);
        let promocode = view.promocode(self.event, code).filter(|found| had(found) || found.is_valid(now));
        let promocode = promocode.ok_or_else(|| Refusal::PromocodeUnknown(code.clone()))?;
        let (count, limits) = (self.count_for(promocode), promocode.tickets_count);
        if count == 0 {
            return Err(Refusal::PromocodeForOthers(code.clone()));
        }
        if let Some(min) = limits.min.filter(|min| count < *min) {
            return Err(Refusal::PromocodeNeedsMore { code: code.clone(), min });
        }
        if let Some(max) = limits.max.filter(|max| count > *max) {
            return Err(Refusal::PromocodeForFewer { code: code.clone(), max });
        }
        if !had(promocode) && !promocode.uses.is_left() {
            return Err(Refusal::PromocodeUsedUp(code.clone()));
        }
        Ok(promocode)
    }

    /// How many of its tickets a promocode is for.
    pub(super) fn count_for(&self, promocode: &Promocode) -> u32 {
        let lines = self.lines.iter().filter(|line| promocode.covers(line.set));
        u32::try_from(lines.count()).unwrap_or(u32::MAX)
    }

    /// Gives all uses back; the codes stay, to show what the order named.
    pub(super) fn give_uses_back(&self, view: &mut View) -> Result<(), Refusal> {
        self.promocodes.iter().try_for_each(|id| count(*id, view, Uses::give_back))
    }

    /// Late money: holds again a use of each code that acts on its tickets, and forgets the others.
    pub(super) fn take_uses_again(&mut self, view: &mut View) -> Result<(), Refusal> {
        self.promocodes.retain(|id| acts(*id, &self.lines));
        for id in &self.promocodes {
            if !view.promocodes.get(*id).ok_or(Refusal::Stale)?.uses.is_left() {
                return Err(Refusal::PromocodeGone);
            }
            count(*id, view, Uses::reserve)?;
        }
        Ok(())
    }

    /// The order is paid: what acts on its tickets is used up, the others are given back and forgotten.
    pub(super) fn use_promocodes_up(&mut self, view: &mut View) -> Result<(), Refusal> {
        for id in &self.promocodes {
            let change = if acts(*id, &self.lines) { Uses::use_up } else { Uses::give_back };
            count(*id, view, change)?;
        }
        self.promocodes.retain(|id| acts(*id, &self.lines));
        Ok(())
    }
}

/// Whether a promocode acts on one of these lines.
fn acts(promocode: PromocodeId, lines: &[Line]) -> bool {
    lines.iter().any(|line| line.promocode == Some(promocode))
}

/// Changes the books of a promocode.
fn count(id: PromocodeId, view: &mut View, change: fn(&mut Uses)) -> Result<(), Refusal> {
    // One that was named since the request looked is not in the view.
    let mut promocode = view.promocodes.get(id).ok_or(Refusal::Stale)?.clone();
    change(&mut promocode.uses);
    view.promocodes.put(promocode);
    Ok(())
}

fn is_too_long(codes: &[Code]) -> bool {
    codes.len() > PROMOCODES_MAX as usize
}

/// The promocodes that a request names.
pub(super) fn need_promocodes(event: EventId, codes: Option<&[Code]>, needs: &mut Needs) {
    // More than an order can name are refused without a look at them.
    let codes = codes.filter(|codes| !is_too_long(codes)).unwrap_or_default();
    needs.codes.extend(codes.iter().map(|code| (event, code.clone())));
}
