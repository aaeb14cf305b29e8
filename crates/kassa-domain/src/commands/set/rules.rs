//! Prices in time.

use crate::context::Context;
use crate::model::event::Event;
use crate::model::set::{PriceRule, TicketSet};
use crate::refusal::Refusal;
use crate::values::money::Money;
use crate::values::resource_ids::PriceRuleId;
use crate::values::time::{Timestamp, Window};
use crate::view::View;

/// The most price rules of one set.
const PRICE_RULES_MAX: u32 = 100;
/// The most price rules of the sets of one event together: every sale in it carries them along.
const PRICE_RULES_OF_EVENT_MAX: u32 = 5_000;

/// A price rule as an organizer writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedPriceRule {
    /// An existing rule that is meant.
    pub id: Option<PriceRuleId>,
    /// From when; now if not said.
    pub start: Option<Timestamp>,
    /// Until when; the end of the event if not said.
    pub finish: Option<Timestamp>,
    /// What a ticket costs.
    pub price: Money,
}

/// Refuses rules that overlap; expects them by start.
pub fn check_price_rules(rules: &[PriceRule]) -> Result<(), Refusal> {
    if rules.len() > PRICE_RULES_MAX as usize {
        return Err(Refusal::TooMany { what: "price rules of one set", max: PRICE_RULES_MAX });
    }
    let overlap = rules.windows(2).any(|pair| pair[0].window.overlaps(&pair[1].window));
    if overlap { Err(Refusal::RulesOverlap) } else { Ok(()) }
}

/// Refuses a set that has got more rules than the other sets of its event leave room for.
pub(super) fn check_rules_of_event(set: &TicketSet, before: usize, view: &View) -> Result<(), Refusal> {
    if set.rules.len() <= before {
        return Ok(());
    }
    let others = view.sets_of(set.event).into_iter().filter(|other| other.id != set.id);
    let count = set.rules.len() + others.map(|other| other.rules.len()).sum::<usize>();
    if count > PRICE_RULES_OF_EVENT_MAX as usize {
        return Err(Refusal::TooMany { what: "price rules of one event", max: PRICE_RULES_OF_EVENT_MAX });
    }
    Ok(())
}

impl TicketSet {
    /// A plain price from a time on: ends the rule that holds then, also one that has sold, and adds one from there to where
    /// the old one would have ended, else to the next rule, else to the end of the event.
    pub(super) fn set_price(
        &mut self,
        price: Money,
        from: Timestamp,
        event: &Event,
        cx: &mut Context<'_>,
    ) -> Result<(), Refusal> {
        let start = from.whole_second();
        let id = cx.id_with_tag(self.id.tag());
        let next = self.rules.iter().map(|rule| rule.window.start).find(|at| *at > start);
        let (finish, until_end) = match self.rules.iter_mut().find(|rule| rule.window.contains(from)) {
            Some(current) => {
                let end = (current.window.finish, current.ends_with_event);
                current.window.finish = Some(start.max(current.window.start));
                current.ends_with_event = false;
                end
            }
            None if next.is_some() => (next, false),
            None => (event.ends_at(), true),
        };
        for over in self.rules.iter_mut().filter(|rule| rule.window.has_ended_at(start)) {
            // From here on it is history: only the newest plain price moves with the event's end.
            over.ends_with_event = false;
        }
        // A rule that never sold and never held for a second leaves no trace.
        self.rules.retain(|rule| rule.has_sold || rule.window.finish.is_none_or(|end| end > rule.window.start));
        if from > cx.now && finish.is_some_and(|finish| finish <= start) {
            return Err(Refusal::RuleEmpty);
        }
        let finish = finish.map(|finish| finish.max(start));
        self.rules.push(PriceRule {
            id,
            window: Window { start, finish },
            ends_with_event: until_end,
            price,
            has_sold: false,
        });
        self.rules.sort_by_key(|rule| (rule.window.start, rule.window.finish.map_or(i64::MAX, Timestamp::ms)));
        check_price_rules(&self.rules)
    }

    /// All rules anew. A rule that has sold must be among them, unchanged.
    pub(super) fn set_rules(
        &mut self,
        wanted: &[RequestedPriceRule],
        event: &Event,
        cx: &mut Context<'_>,
    ) -> Result<(), Refusal> {
        let mut rules: Vec<PriceRule> = Vec::with_capacity(wanted.len());
        for requested in wanted {
            let start = requested.start.unwrap_or(cx.now).whole_second();
            let until_end = requested.finish.is_none();
            let finish =
                requested.finish.map(Timestamp::whole_second).or(event.ends_at()).map(|finish| finish.max(start));
            let window = Window { start, finish };
            let same = |rule: &&PriceRule| match requested.id {
                Some(id) => rule.id == id,
                None => rule.window == window && rule.price == requested.price,
            };
            match self.rules.iter().find(same) {
                Some(old) if old.window == window && old.price == requested.price => rules.push(old.clone()),
                Some(old) if old.has_sold => return Err(Refusal::RuleSold),
                Some(old) => {
                    rules.push(PriceRule { window, ends_with_event: until_end, price: requested.price, ..old.clone() });
                }
                None if window.finish == Some(window.start) => return Err(Refusal::RuleEmpty),
                None => rules.push(PriceRule {
                    id: cx.id_with_tag(self.id.tag()),
                    window,
                    ends_with_event: until_end,
                    price: requested.price,
                    has_sold: false,
                }),
            }
        }
        let lost = |old: &PriceRule| old.has_sold && !rules.iter().any(|rule| rule.id == old.id);
        if self.rules.iter().any(lost) {
            return Err(Refusal::RuleSold);
        }
        rules.sort_by_key(|rule| (rule.window.start, rule.window.finish.map_or(i64::MAX, Timestamp::ms)));
        let twice = rules.windows(2).any(|pair| pair[0].id == pair[1].id);
        check_price_rules(&rules)?;
        if twice {
            return Err(Refusal::RulesOverlap);
        }
        self.rules = rules;
        Ok(())
    }
}
