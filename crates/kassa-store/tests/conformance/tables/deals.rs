//! Deals.

use std::cmp::Ordering;

use crate::database::{Database, keys};
use crate::dice::{DEALS, Dice};
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, full_order, id_in_event, party};
use kassa_domain::change::Revision;
use kassa_domain::deal::{Deal, DealStatus, EffectiveDealStatus};
use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
use kassa_domain::view::PROPOSALS_MAX;
use kassa_domain::{Id, ReadSet, Timestamp, View};
use kassa_store::queries::{AcceptedDeals, DealsFilter};

/// A deal of agent 2 with partner 1.
pub(crate) fn deal(event: EventId, key: i64) -> Deal {
    Deal {
        id: id_in_event(event, key),
        event,
        agent: Id::root(2),
        organizer: Id::root(1),
        status: DealStatus::Accepted,
        proposed_by_agent: key % 2 == 0,
        ended_by_organizer: false,
        message: "'; --".to_owned(),
        terms: full_order(event, key).terms,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

kind!(
    Deal,
    deals,
    |row, read_set| read_set.deals.push(row.id),
    [samples::deal(party().id, 1), samples::deal(party().id, 2)],
    |row| Deal {
        status: DealStatus::Terminated,
        ended_by_organizer: true,
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=DEALS).for_each(|key| put_deal(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            deals(cases);
            let accepted = AcceptedDeals { agent: Id::root(2), after_key: 3 };
            cases.add(&accepted, AccessPath::OrderedIndex, &["deals_agent"]);
        }
    }
);

fn put_deal(dice: &mut Dice, key: i64, view: &mut View) {
    let deal = samples::deal(Dice::event_of(key), key);
    view.deals.put(Deal { agent: dice.partner(), organizer: dice.partner(), status: dice.deal_status(), ..deal });
}

impl ListModel for DealsFilter {
    fn includes(&self, deal: &Deal, all: &View) -> bool {
        let stored = EffectiveDealStatus::Stored(deal.status);
        let shown = all.events.get(deal.event).map_or(stored, |event| deal.effective_status(event, self.now));
        let is_side = |partner: &PartnerId| deal.agent == *partner || deal.organizer == *partner;
        self.caller_partners.iter().any(is_side)
            && self.partner.as_ref().is_none_or(is_side)
            && self.event.is_none_or(|event| event == deal.event)
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&deal.id))
            && self.status.as_ref().is_none_or(|list| list.contains(&shown))
    }

    fn compare(&self, one: &Deal, other: &Deal) -> Ordering {
        let oldest_first = one.id.cmp(&other.id);
        if self.oldest_first { oldest_first } else { oldest_first.reverse() }
    }
}

pub(crate) async fn deals_of_many_partners_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.many_partners(),
        partner: dice.rarely(Dice::partner),
        event: None,
        ids: None,
        status: None,
        now: dice.moment(),
        oldest_first: dice.flip(),
    };
    assert_lists_agree::<DealsFilter>(db, filter).await;
}

impl ListModel for AcceptedDeals {
    fn includes(&self, deal: &Deal, _: &View) -> bool {
        deal.is_accepted() && deal.agent == self.agent && deal.id.key() > self.after_key
    }

    fn compare(&self, one: &Deal, other: &Deal) -> Ordering {
        one.id.cmp(&other.id)
    }
}

pub(crate) async fn accepted_deals_are_listed_as_the_model_lists_them(db: Database) {
    let after = |dice: &mut Dice| dice.maybe(Dice::deal).map_or(0, |deal| deal.key() / 2);
    assert_lists_agree::<AcceptedDeals>(db, |dice| AcceptedDeals { agent: dice.partner(), after_key: after(dice) })
        .await;
}

pub(crate) async fn deals_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| DealsFilter {
        caller_partners: dice.some(Dice::partner),
        partner: dice.rarely(Dice::partner),
        event: dice.rarely(Dice::event),
        ids: dice.rarely(|dice| (0..20).map(|_| dice.deal()).collect()),
        status: dice.maybe(|dice| dice.some(Dice::shown_deal_status)),
        now: dice.moment(),
        oldest_first: dice.flip(),
    };
    assert_lists_agree::<DealsFilter>(db, filter).await;
}

pub(crate) async fn an_agent_sells_an_event_by_its_newest_deals_in_force(db: Database) {
    let (here, elsewhere) = (event_id(HERE), event_id(ELSEWHERE));
    let deal = |event, agent, status, key| Deal { agent: Id::root(agent), status, ..samples::deal(event, key) };
    let deals = [
        deal(here, 2, DealStatus::Accepted, 1),
        deal(here, 2, DealStatus::Accepted, 2),
        deal(here, 2, DealStatus::Accepted, 3),
        deal(here, 2, DealStatus::New, 4),
        deal(here, 2, DealStatus::Terminated, 5),
        deal(here, 3, DealStatus::Accepted, 6),
        deal(elsewhere, 2, DealStatus::Accepted, 7),
    ];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let cases: [(EventId, i64, &[i64]); 4] =
        [(here, 2, &[2, 3]), (here, 3, &[6]), (elsewhere, 2, &[7]), (here, 1, &[])];
    for (event, agent, expected) in cases {
        let view = db.view(ReadSet { deals_of: vec![(event, Id::root(agent))], ..ReadSet::default() }).await;
        let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "agent {agent}");
    }
}

pub(crate) async fn proposals_that_wait_are_found_up_to_their_bound(db: Database) {
    let event = event_id(HERE);
    let proposal = |key| Deal { status: DealStatus::New, agent: Id::root(2), ..samples::deal(event, key) };
    let many = i64::from(PROPOSALS_MAX) + 5;
    let mut deals: Vec<Deal> = (3..3 + many).map(proposal).collect();
    deals.push(Deal { status: DealStatus::Accepted, ..proposal(1) });
    deals.push(Deal { agent: Id::root(3), ..proposal(2) });
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let view = db.view(ReadSet { proposals_of: vec![(event, Id::root(2))], ..ReadSet::default() }).await;
    let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
    assert_eq!(found, (3 + 5..3 + many).collect::<Vec<_>>());
    assert_eq!(view.pending_proposals(event, Id::root(2)), PROPOSALS_MAX as usize);
}

pub(crate) async fn two_partners_that_deal_are_found_by_their_newest_accepted_deal(db: Database) {
    let (one, two, three) = (Id::root(1), Id::root(2), Id::root(3));
    let between = |subj, obj, status, key| Deal {
        agent: subj,
        organizer: obj,
        status,
        ..samples::deal(event_id(key % 2 + 1), key)
    };
    let deals = [
        between(two, one, DealStatus::Accepted, 1),
        between(two, one, DealStatus::Accepted, 2),
        between(two, one, DealStatus::Terminated, 3),
        between(three, one, DealStatus::New, 4),
        between(three, two, DealStatus::Accepted, 5),
    ];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let foreign = Id::with_tag(event_id(HERE).tag(), 2);
    let selects = |pairs: &[(PartnerId, PartnerId)]| ReadSet { deals_between: pairs.to_vec(), ..ReadSet::default() };
    let cases: [(ReadSet, &[i64]); 5] = [
        (selects(&[(two, one)]), &[2]),
        (selects(&[(one, two), (three, one), (two, three)]), &[]),
        (selects(&[(three, two), (two, one), (two, one)]), &[2, 5]),
        (selects(&[(foreign, one)]), &[]),
        (selects(&[(Id::root(9), one)]), &[]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{read_set:?}");
    }
    let view = db.view(selects(&[(two, one)])).await;
    assert!(view.has_deal_with(one, &[three, two]) && view.has_deal_with(two, &[one]));
    assert!(!view.has_deal_with(one, &[three]) && !view.has_deal_with(one, &[one]));
}

pub(crate) async fn an_organizer_that_ended_deals_with_an_agent_is_found_by_the_newest(db: Database) {
    let (one, two, three) = (Id::root(1), Id::root(2), Id::root(3));
    let ended = |agent, organizer, ended_by_organizer, key| Deal {
        agent,
        organizer,
        status: DealStatus::Terminated,
        ended_by_organizer,
        ..samples::deal(event_id(key % 2 + 1), key)
    };
    let deals =
        [ended(two, one, true, 1), ended(two, one, true, 2), ended(two, one, false, 3), ended(three, one, false, 4)];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let cases = [
        (vec![(two, one)], vec![2]),
        (vec![(three, one), (one, two)], Vec::new()),
        (vec![(two, one), (three, one)], vec![2]),
    ];
    for (pairs, expected) in cases {
        let view = db.view(ReadSet { deals_ended_by_organizer: pairs.clone(), ..ReadSet::default() }).await;
        let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{pairs:?}");
        assert_eq!(view.has_ended_deal_with(one, two), !expected.is_empty(), "{pairs:?}");
    }
}

fn deals(cases: &mut PlanCases) {
    let now = Timestamp::from_ms(0);
    let states = [EffectiveDealStatus::Stored(DealStatus::Accepted), EffectiveDealStatus::Finished];
    for own in [vec![Id::root(1)], vec![Id::root(1), Id::root(5)]] {
        let all = DealsFilter {
            caller_partners: own,
            partner: None,
            event: None,
            ids: None,
            status: None,
            now,
            oldest_first: false,
        };
        cases.add(&all, AccessPath::OrderedIndex, &["deals_agent", "deals_organizer"]);
        for status in [None, Some(states.to_vec())] {
            let seen = DealsFilter { status, ..all.clone() };
            for filter in [
                seen.clone(),
                DealsFilter { oldest_first: true, ..seen.clone() },
                DealsFilter { partner: Some(Id::root(2)), ..seen.clone() },
                DealsFilter { event: Some(Id::root(3)), ..seen.clone() },
                DealsFilter { ids: Some(vec![Id::root(4); 2]), ..seen },
            ] {
                cases.add_sorted(&filter);
            }
        }
    }
}
