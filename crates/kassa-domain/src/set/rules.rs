//! Prices in time.

use serde::{Deserialize, Serialize};

use super::Set;
use crate::context::Context;
use crate::event::Event;
use crate::id::Id;
use crate::money::Money;
use crate::refusal::Refusal;
use crate::time::{Timestamp, Window};

/// The id of a price rule.
pub type RuleId = Id<Rule>;

/// The most price rules of one set.
const RULES_MAX: u32 = 100;

/// A price, and when it holds. Whole seconds, as its iCalendar form shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// The id.
    pub id: RuleId,
    /// When it holds.
    pub window: Window,
    /// Whether it ends when the event does, and moves with it.
    pub until_end: bool,
    /// What a ticket costs before any deal.
    pub price: Money,
    /// Whether a ticket was ever held under it: from then on it does not change.
    pub sold: bool,
}

/// A price rule as an organizer writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedRule {
    /// An existing rule that is meant.
    pub id: Option<RuleId>,
    /// From when; now if not said.
    pub start: Option<Timestamp>,
    /// Until when; the end of the event if not said.
    pub finish: Option<Timestamp>,
    /// What a ticket costs.
    pub price: Money,
}

/// Refuses rules that overlap; expects them by start.
pub fn check_rules(rules: &[Rule]) -> Result<(), Refusal> {
    if rules.len() > RULES_MAX as usize {
        return Err(Refusal::TooMany(RULES_MAX));
    }
    let overlap = rules.windows(2).any(|pair| pair[0].window.overlaps(&pair[1].window));
    if overlap { Err(Refusal::RulesOverlap) } else { Ok(()) }
}

impl Set {
    /// A plain price: ends the rule in force and adds one from now, to where the old one would
    /// have ended, else to the next rule, else to the end of the event.
    pub(super) fn set_price(&mut self, price: Money, event: &Event, cx: &mut Context<'_>) -> Result<(), Refusal> {
        let start = cx.now.whole_second();
        let id = cx.id_under(self.id.tag());
        let next = self.rules.iter().map(|rule| rule.window.start).find(|at| *at > start);
        let (finish, until_end) = match self.rules.iter_mut().find(|rule| rule.window.contains(cx.now)) {
            Some(current) => {
                let end = (current.window.finish, current.until_end);
                current.window.finish = Some(start.max(current.window.start));
                current.until_end = false;
                end
            }
            None if next.is_some() => (next, false),
            None => (event.finish(), true),
        };
        for over in self.rules.iter_mut().filter(|rule| rule.window.ended(start)) {
            // From here on it is history: only the newest plain price moves with the event's end.
            over.until_end = false;
        }
        // A rule that never sold and never held for a second leaves no trace.
        self.rules.retain(|rule| rule.sold || rule.window.finish.is_none_or(|end| end > rule.window.start));
        let finish = finish.map(|finish| finish.max(start));
        self.rules.push(Rule { id, window: Window { start, finish }, until_end, price, sold: false });
        self.rules.sort_by_key(|rule| (rule.window.start, rule.window.finish.map_or(i64::MAX, Timestamp::ms)));
        check_rules(&self.rules)
    }

    /// All rules anew. A rule that has sold must be among them, unchanged.
    pub(super) fn set_rules(
        &mut self,
        wanted: &[WantedRule],
        event: &Event,
        cx: &mut Context<'_>,
    ) -> Result<(), Refusal> {
        let mut rules: Vec<Rule> = Vec::with_capacity(wanted.len());
        for wish in wanted {
            let start = wish.start.unwrap_or(cx.now).whole_second();
            let until_end = wish.finish.is_none();
            let finish = wish.finish.map(Timestamp::whole_second).or(event.finish()).map(|finish| finish.max(start));
            let window = Window { start, finish };
            let same = |rule: &&Rule| match wish.id {
                Some(id) => rule.id == id,
                None => rule.window == window && rule.price == wish.price,
            };
            match self.rules.iter().find(same) {
                Some(old) if old.window == window && old.price == wish.price => rules.push(old.clone()),
                Some(old) if old.sold => return Err(Refusal::RuleSold),
                Some(old) => rules.push(Rule { window, until_end, price: wish.price, ..old.clone() }),
                None if window.finish == Some(window.start) => return Err(Refusal::RuleEmpty),
                None => rules.push(Rule {
                    id: cx.id_under(self.id.tag()),
                    window,
                    until_end,
                    price: wish.price,
                    sold: false,
                }),
            }
        }
        let lost = |old: &Rule| old.sold && !rules.iter().any(|rule| rule.id == old.id);
        if self.rules.iter().any(lost) {
            return Err(Refusal::RuleSold);
        }
        rules.sort_by_key(|rule| (rule.window.start, rule.window.finish.map_or(i64::MAX, Timestamp::ms)));
        let twice = rules.windows(2).any(|pair| pair[0].id == pair[1].id);
        check_rules(&rules)?;
        if twice {
            return Err(Refusal::RulesOverlap);
        }
        self.rules = rules;
        Ok(())
    }
}
