//! Money adds up through any mix of sales, discounts, refunds and a cancellation: what organizer, agents
//! and platform have is what customers have paid and not got back, to the cent.

use kassa_domain::deal::ProposedTerms;
use kassa_domain::event::EventStatus;
use kassa_domain::order::{OrderId, OrderStatusKind};
use kassa_domain::partner::PartnerId;
use kassa_domain::price::Share;
use kassa_domain::refund::{Culprit, RefundId, RefundPolicyPatch, RefundStatusKind, RefundTransition};
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Money, Patch, Percent, Refusal};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::fixture::{Fixture, codes, random};

#[derive(Clone, Debug)]
enum Act {
    Sell { by: usize, set: usize, count: u32, with_code: bool },
    Ask { order: Index, culprit: Culprit, tickets: Vec<Index> },
    Decide { request: Index, step: RefundTransition },
    Keep { units: i64 },
}

fn act() -> impl Strategy<Value = Act> {
    let culprit = || prop_oneof![Just(Culprit::Customer), Just(Culprit::Organizer)];
    let step = prop_oneof![
        1 => Just(RefundTransition::InProgress),
        3 => Just(RefundTransition::Approved),
        1 => Just(RefundTransition::Rejected),
    ];
    let tickets = proptest::collection::vec(any::<Index>(), 1..4);
    prop_oneof![
        4 => (0..3_usize, 0..2_usize, 1..4_u32, any::<bool>())
            .prop_map(|(by, set, count, with_code)| Act::Sell { by, set, count, with_code }),
        4 => (any::<Index>(), culprit(), tickets)
            .prop_map(|(order, culprit, tickets)| Act::Ask { order, culprit, tickets }),
        4 => (any::<Index>(), step).prop_map(|(request, step)| Act::Decide { request, step }),
        1 => (0..=1_000_000_i64).prop_map(|units| Act::Keep { units }),
    ]
}

fn terms() -> impl Strategy<Value = ProposedTerms> {
    let share = |percent_max: i64| {
        prop_oneof![
            3 => (0..=percent_max * 10_000).prop_map(|units| Share::Percent(Percent::from_units(units))),
            1 => (0..700_i64).prop_map(|minor| Share::Amount(Money::from_minor(minor))),
        ]
    };
    (share(97), share(30), any::<bool>()).prop_map(|(org, extra, pfc)| ProposedTerms {
        organizer_share: org,
        markup: extra,
        platform_fee_on_top: pfc,
    })
}

/// An event with two sets, sold by its organizer and two agents, and what customers paid and got back.
struct Story {
    fixture: Fixture,
    sets: [SetId; 2],
    agents: [PartnerId; 2],
    paid: Money,
    back: Money,
}

impl Story {
    fn new(prices: (i64, i64), terms: [ProposedTerms; 2]) -> Self {
        let mut fixture = Fixture::new();
        fixture.start_in_days(10);
        let sets = [fixture.set(12, prices.0), fixture.hall(r#"{"1": [[1, 9]]}"#)];
        fixture.reprice(sets[1], prices.1);
        fixture.promocode("PART", |new| new.discount = Share::Percent(Percent::from_units(333_333)));
        let agents = terms.map(|terms| fixture.agent_under(terms));
        Self { fixture, sets, agents, paid: Money::ZERO, back: Money::ZERO }
    }

    fn orders(&self) -> Vec<OrderId> {
        let mut orders: Vec<OrderId> = self.fixture.view.orders.rows().map(|order| order.id).collect();
        orders.sort_unstable();
        orders
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Sell { by, set, count, with_code } => self.sell(*by, self.sets[*set], *count, *with_code),
            Act::Ask { order, culprit, tickets } => {
                let orders = self.orders();
                let Some(order) = (!orders.is_empty()).then(|| orders[order.index(orders.len())]) else { return };
                let lines = self.fixture.lines(order);
                let picked = tickets.iter().filter(|_| !lines.is_empty());
                let picked: Vec<TicketId> = picked.map(|ticket| lines[ticket.index(lines.len())]).collect();
                expected(self.fixture.ask(order, *culprit, &picked).err().as_ref());
            }
            Act::Decide { request, step } => {
                let requests: Vec<RefundId> = self.fixture.requests().iter().map(|request| request.id).collect();
                if !requests.is_empty() {
                    self.decide(requests[request.index(requests.len())], *step);
                }
            }
            Act::Keep { units } => {
                let kept = Patch::Set(Percent::from_units(*units));
                self.fixture.set_policy(RefundPolicyPatch { retained: kept, ..RefundPolicyPatch::default() });
            }
        }
    }

    fn sell(&mut self, by: usize, set: SetId, count: u32, with_code: bool) {
        let free = u32::try_from(self.fixture.row(set).available()).unwrap();
        let mut edit = random(&[(set, count.min(free))]);
        if free == 0 {
            return;
        }
        if with_code {
            edit.promocodes = codes(&["PART"]).promocodes;
        }
        let vendor = self.agents.get(by).copied().unwrap_or(self.fixture.org);
        let order = self.fixture.sell_as(vendor, edit);
        self.paid += self.fixture.found(order).totals().full;
    }

    fn decide(&mut self, request: RefundId, step: RefundTransition) {
        let was = self.fixture.request(request).state();
        match self.fixture.decide_on(request, step) {
            Ok(request) if request.state() == RefundStatusKind::Approved && was != RefundStatusKind::Approved => {
                self.back += request.amounts().total();
            }
            result => expected(result.err().as_ref()),
        }
    }

    /// What organizer, agents and platform have: the shares of what is sold, and what they kept of what was
    /// given back.
    fn shares(&self) -> Money {
        let orders = self.fixture.view.orders.rows().flat_map(|order| &order.lines);
        let sold: Money = orders.map(|line| line.price.organizer + line.price.agent() + line.price.platform).sum();
        let requests =
            self.fixture.requests().into_iter().filter(|request| request.state() == RefundStatusKind::Approved);
        let kept = requests.flat_map(|request| request.lines).map(|line| {
            let (price, back) = (line.line.price, line.amounts);
            (price.organizer - back.organizer) + (price.agent() - back.agent()) + (price.platform - back.platform)
        });
        sold + kept.sum()
    }

    fn books(&self) -> Money {
        let orders = self.fixture.view.orders.rows();
        orders.map(|order| order.totals().full + order.refunded.retained()).sum()
    }
}

/// Random wishes may be refused, but only for what they are.
fn expected(refusal: Option<&Refusal>) {
    assert!(refusal.is_none_or(|refusal| matches!(refusal, Refusal::Refund(_))), "{refusal:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn money_adds_up_through_sales_discounts_refunds_and_a_cancellation(
        prices in (0..2_000_i64, 0..2_000_i64),
        terms in (terms(), terms()),
        acts in proptest::collection::vec(act(), 1..30),
        orders_max in 1..5_usize,
    ) {
        let fits = |terms: ProposedTerms| terms.with_commission(Percent::from_units(30_000)).is_ok();
        prop_assume!(fits(terms.0) && fits(terms.1));
        let mut story = Story::new(prices, [terms.0, terms.1]);
        for act in &acts {
            story.act(act);
            prop_assert_eq!(story.shares(), story.paid - story.back);
            prop_assert_eq!(story.books(), story.paid - story.back);
        }
        story.fixture.switch(EventStatus::Canceled);
        story.fixture.work_on_cancellation(orders_max);
        let requests = story.fixture.requests();
        for request in requests.iter().filter(|request| request.is_open()) {
            story.decide(request.id, RefundTransition::Approved);
        }
        prop_assert_eq!(story.shares(), story.paid - story.back);
        let sold: i64 = story.sets.iter().map(|set| story.fixture.row(*set).counts.sold).sum();
        prop_assert_eq!(sold, 0, "all tickets of a canceled event are given back");
        prop_assert!(story.fixture.view.orders.rows().all(|order| order.state() == OrderStatusKind::Refunded));
    }
}
