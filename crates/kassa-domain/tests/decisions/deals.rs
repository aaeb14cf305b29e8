//! Deals: who makes and ends them, and what is sold under them.

use kassa_domain::deal::{CreateDeal, Deal, DealId, DealStatus, EffectiveDealStatus, ProposedTerms, UpdateDeal};
use kassa_domain::event::EventStatus;
use kassa_domain::order::{CreateOrder, Order, OrderEdit};
use kassa_domain::partner::{
    PartnerId, PartnerPatch, PartnerProfilePatch, StandardTerms, StandardTermsPatch, UpdatePartner,
};
use kassa_domain::price::Share;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::{PriceRule, TicketSet};
use kassa_domain::view::PROPOSALS_MAX;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal, Window};

use crate::fixture::{END, Fixture, random};

fn percent(percent: i64) -> Share {
    Share::Percent(Percent::from_percent(percent))
}

fn terms(org: i64, extra: i64) -> ProposedTerms {
    ProposedTerms { organizer_share: percent(org), markup: percent(extra), platform_fee_on_top: false }
}

fn make(fixture: &mut Fixture, by: PartnerId, subj: Option<PartnerId>, terms: ProposedTerms) -> Result<Deal, Refusal> {
    let command = CreateDeal {
        event: fixture.event,
        proposer: by,
        agent: subj,
        organizer: fixture.org,
        terms,
        message: String::new(),
    };
    fixture.give(&Actor::Partner(by), &command)
}

fn set_status(fixture: &mut Fixture, by: PartnerId, deal: DealId, status: DealStatus) -> Result<Deal, Refusal> {
    let command = UpdateDeal { deal, event: fixture.event, status: Some(EffectiveDealStatus::Stored(status)) };
    fixture.give(&Actor::Partner(by), &command)
}

/// An agent with an accepted deal.
fn agent(fixture: &mut Fixture, terms: ProposedTerms) -> (PartnerId, Deal) {
    let (org, agent) = (fixture.org, fixture.partner());
    (agent, make(fixture, org, Some(agent), terms).unwrap())
}

fn sell(fixture: &mut Fixture, vendor: PartnerId, deal: Option<DealId>, edit: OrderEdit) -> Result<Order, Refusal> {
    let command = CreateOrder { event: fixture.event, vendor, deal, edit };
    fixture.give(&Actor::Partner(vendor), &command).map(|outcome| outcome.order)
}

#[test]
fn the_organizers_deal_is_accepted_at_once_and_the_agents_is_a_proposal() {
    let mut fixture = Fixture::new();
    let (_, made) = agent(&mut fixture, terms(90, 10));
    assert_eq!((made.status, made.proposed_by_agent, made.organizer), (DealStatus::Accepted, false, fixture.org));
    let other = fixture.partner();
    let proposed = make(&mut fixture, other, None, terms(90, 10)).unwrap();
    assert_eq!((proposed.status, proposed.proposed_by_agent, proposed.agent), (DealStatus::New, true, other));
}

#[test]
fn who_makes_a_deal_with_whom() {
    let mut fixture = Fixture::new();
    let (org, one, other) = (fixture.org, fixture.partner(), fixture.partner());
    let nobody = PartnerId::root(77);
    let cases = [
        (org, None, Refusal::AgentRequired),
        (org, Some(org), Refusal::OwnEventNeedsNoDeal),
        (org, Some(nobody), Refusal::PartnerUnknown(nobody.to_string())),
        (one, Some(other), Refusal::Forbidden(ForbiddenReason::DealForAnother)),
    ];
    for (by, subj, refusal) in cases {
        assert_eq!(make(&mut fixture, by, subj, terms(90, 0)).unwrap_err(), refusal);
    }
    fixture.switch(EventStatus::StandBy);
    let hidden = Refusal::EventUnknown(fixture.event.to_string());
    assert_eq!(make(&mut fixture, one, None, terms(90, 0)).unwrap_err(), hidden);
}

#[test]
fn an_event_that_is_over_or_canceled_gets_no_deals() {
    type End = fn(&mut Fixture);
    let ends: [End; 2] = [|fixture| fixture.now = END, |fixture| fixture.switch(EventStatus::Canceled)];
    for end in ends {
        let mut fixture = Fixture::new();
        let (org, one, other) = (fixture.org, fixture.partner(), fixture.partner());
        let proposed = make(&mut fixture, one, None, terms(90, 10)).unwrap();
        end(&mut fixture);
        let late = make(&mut fixture, org, Some(other), terms(90, 10));
        assert_eq!(late.unwrap_err(), Refusal::NothingToSell);
        let accepted = set_status(&mut fixture, org, proposed.id, DealStatus::Accepted);
        assert_eq!(accepted.unwrap_err(), Refusal::NothingToSell);
        assert_eq!(
            set_status(&mut fixture, org, proposed.id, DealStatus::Declined).unwrap().status,
            DealStatus::Declined
        );
    }
}

#[test]
fn shares_of_more_than_the_price_are_refused() {
    let mut fixture = Fixture::new();
    let (org, agent) = (fixture.org, fixture.partner());
    // The commission is 3 percent; with pfc the customer pays it on top.
    let cases = [
        (97, 0, false, true),
        (98, 0, false, false),
        (98, 1, false, true),
        (100, 0, true, true),
        (101, 0, true, false),
    ];
    for (org_share, extra, pfc, fits) in cases {
        let wanted = ProposedTerms { platform_fee_on_top: pfc, ..terms(org_share, extra) };
        let made = make(&mut fixture, org, Some(agent), wanted);
        let expected = if fits { None } else { Some(Refusal::TermsExceedPrice) };
        assert_eq!(made.err(), expected, "{org_share} {extra} {pfc}");
    }
}

/// The organizer accepts proposals on these terms.
fn set_standard(fixture: &mut Fixture, standard: StandardTerms) {
    let StandardTerms { organizer_share, markup, platform_fee_on_top, markup_max } = standard;
    let standard = StandardTermsPatch { organizer_share, markup, platform_fee_on_top, markup_max: Some(markup_max) };
    let profile = PartnerProfilePatch { standard_terms: Patch::Set(standard), ..PartnerProfilePatch::default() };
    let patch = PartnerPatch { profile, ..PartnerPatch::default() };
    let (organizer, org) = (fixture.organizer(), fixture.org);
    fixture.give(&organizer, &UpdatePartner { partner: org, patch, users: None }).unwrap();
}

/// The same shares as the standard of an organizer that names no bound.
fn standard(terms: ProposedTerms) -> StandardTerms {
    let ProposedTerms { organizer_share, markup, platform_fee_on_top } = terms;
    StandardTerms { organizer_share, markup, platform_fee_on_top, markup_max: StandardTerms::default_markup_max() }
}

fn amount(minor: i64) -> Share {
    Share::Amount(Money::from_minor(minor))
}

/// Whether each proposal, by an agent of its own, is accepted at once.
fn assert_accepted(fixture: &mut Fixture, cases: &[(ProposedTerms, bool)]) {
    for (wanted, accepted) in cases {
        let by = fixture.partner();
        let deal = make(fixture, by, None, *wanted).unwrap();
        assert_eq!(deal.is_accepted(), *accepted, "{wanted:?}");
    }
}

#[test]
fn a_proposal_that_gives_the_organizer_no_less_at_any_price_of_the_event_is_accepted_at_once() {
    let mut fixture = Fixture::new();
    fixture.set(10, 10_000);
    fixture.set(10, 3_335);
    set_standard(&mut fixture, standard(terms(90, 10)));
    let (free, whole) = (amount(0), ProposedTerms { markup: amount(0), ..terms(100, 0) });
    let cases = [
        (terms(91, 5), true),
        (terms(90, 10), true),
        (terms(90, 0), true),
        (terms(89, 10), false),
        // 90.00 of 100.00 is as much, and of 33.35 all that is left: 32.35, and 30.02 are asked for.
        (ProposedTerms { organizer_share: amount(9_000), ..terms(0, 0) }, true),
        (ProposedTerms { organizer_share: amount(8_999), ..terms(0, 0) }, false),
        (ProposedTerms { organizer_share: amount(1_000_000), ..terms(0, 0) }, true),
        (ProposedTerms { organizer_share: free, ..terms(0, 0) }, false),
        (ProposedTerms { platform_fee_on_top: true, ..terms(90, 10) }, true),
        (terms(90, 101), false),
    ];
    assert_accepted(&mut fixture, &cases);
    // All of the price is promised, and 3 percent of it are the platform's.
    set_standard(&mut fixture, standard(terms(100, 5)));
    let on_top = ProposedTerms { platform_fee_on_top: true, ..whole };
    assert_accepted(&mut fixture, &[(whole, false), (on_top, true), (terms(100, 3), true)]);
}

#[test]
fn every_price_rule_of_a_set_that_is_there_counts() {
    let mut fixture = Fixture::new();
    let set = fixture.set(10, 10_000);
    set_standard(&mut fixture, standard(terms(90, 0)));
    let fixed = ProposedTerms { organizer_share: amount(9_000), ..terms(0, 0) };
    assert_accepted(&mut fixture, &[(fixed, true)]);
    let dear = fixture.set(10, 20_000);
    assert_accepted(&mut fixture, &[(fixed, false)]);
    let row = fixture.row(dear).clone();
    fixture.arrange(|view| view.sets.put(TicketSet { removed: true, ..row }));
    assert_accepted(&mut fixture, &[(fixed, true)]);
    let mut row = fixture.row(set).clone();
    let later = Window { start: row.rules[0].window.finish.unwrap(), ..row.rules[0].window };
    row.rules.push(PriceRule { price: Money::from_minor(10_001), window: later, ..row.rules[0].clone() });
    fixture.arrange(|view| view.sets.put(row));
    assert_accepted(&mut fixture, &[(fixed, false)]);
}

#[test]
fn what_an_agent_adds_is_bounded_by_the_organizer() {
    let mut fixture = Fixture::new();
    fixture.set(10, 10_000);
    set_standard(&mut fixture, StandardTerms { markup_max: percent(10), ..standard(terms(90, 0)) });
    let adds = |markup| ProposedTerms { markup, ..terms(90, 0) };
    let on_top = |markup| ProposedTerms { platform_fee_on_top: true, ..adds(percent(markup)) };
    let cases = [
        (adds(percent(10)), true),
        (adds(percent(11)), false),
        (adds(amount(1_000)), true),
        (adds(amount(1_001)), false),
        // The customer pays the commission, too: 13 percent.
        (on_top(7), true),
        (on_top(8), false),
    ];
    assert_accepted(&mut fixture, &cases);
}

#[test]
fn without_prices_only_shares_that_compare_are_accepted_at_once() {
    let mut fixture = Fixture::new();
    set_standard(&mut fixture, standard(terms(90, 10)));
    let cases = [
        (terms(90, 10), true),
        (terms(90, 0), true),
        (terms(89, 0), false),
        (terms(95, 101), false),
        (ProposedTerms { organizer_share: amount(1_000_000), ..terms(0, 0) }, false),
        (ProposedTerms { markup: amount(0), ..terms(100, 0) }, false),
        (ProposedTerms { platform_fee_on_top: true, ..terms(95, 0) }, false),
    ];
    assert_accepted(&mut fixture, &cases);
    fixture.set(10, 0);
    assert_accepted(&mut fixture, &[(ProposedTerms { organizer_share: amount(1), ..terms(0, 0) }, false)]);
    let fixed = ProposedTerms { organizer_share: amount(9_000), markup: amount(500), platform_fee_on_top: false };
    set_standard(&mut fixture, StandardTerms { markup_max: amount(900), ..standard(fixed) });
    let adds = |markup| ProposedTerms { markup: amount(markup), ..fixed };
    assert_accepted(&mut fixture, &[(fixed, true), (adds(900), true), (adds(901), false), (adds(499), false)]);
}

#[test]
fn once_the_organizer_has_ended_a_deal_with_an_agent_its_next_one_waits() {
    let mut fixture = Fixture::new();
    set_standard(&mut fixture, standard(terms(90, 10)));
    let org = fixture.org;
    for (by_organizer, end, waits) in [
        (false, DealStatus::Terminated, false),
        (true, DealStatus::Terminated, true),
        (true, DealStatus::Declined, true),
        (false, DealStatus::Revoked, false),
    ] {
        let agent = fixture.partner();
        let first = if end == DealStatus::Terminated { terms(90, 0) } else { terms(1, 0) };
        let deal = make(&mut fixture, agent, None, first).unwrap();
        let ended = set_status(&mut fixture, if by_organizer { org } else { agent }, deal.id, end).unwrap();
        assert_eq!(ended.ended_by_organizer, by_organizer);
        let next = make(&mut fixture, agent, None, terms(95, 0)).unwrap();
        assert_eq!(next.status == DealStatus::New, waits, "{end}, organizer: {by_organizer}");
        let other = fixture.partner();
        assert!(make(&mut fixture, other, None, terms(95, 0)).unwrap().is_accepted(), "others are not concerned");
    }
}

#[test]
fn a_proposal_does_not_replace_what_the_organizer_has_made_for_the_agent() {
    let mut fixture = Fixture::new();
    set_standard(&mut fixture, standard(terms(90, 10)));
    let (agent, own) = agent(&mut fixture, terms(97, 0));
    assert_eq!(make(&mut fixture, agent, None, terms(90, 0)).unwrap().status, DealStatus::New);
    set_status(&mut fixture, agent, own.id, DealStatus::Terminated).unwrap();
    assert!(make(&mut fixture, agent, None, terms(90, 0)).unwrap().is_accepted());
}

#[test]
fn so_many_proposals_of_an_agent_for_an_event_wait_for_an_answer() {
    let mut fixture = Fixture::new();
    let (agent, other) = (fixture.partner(), fixture.partner());
    let proposed: Vec<Deal> =
        (0..PROPOSALS_MAX).map(|_| make(&mut fixture, agent, None, terms(90, 10)).unwrap()).collect();
    let what = "proposals for one event that wait for an answer";
    let too_many = Refusal::TooMany { what, max: PROPOSALS_MAX };
    assert_eq!(make(&mut fixture, agent, None, terms(90, 10)).unwrap_err(), too_many);
    make(&mut fixture, other, None, terms(90, 10)).expect("another agent has its own");
    let org = fixture.org;
    make(&mut fixture, org, Some(agent), terms(90, 10)).expect("what is accepted at once does not wait");
    set_status(&mut fixture, org, proposed[0].id, DealStatus::Declined).unwrap();
    make(&mut fixture, agent, None, terms(90, 10)).expect("one of them was answered");
    set_status(&mut fixture, agent, proposed[1].id, DealStatus::Revoked).unwrap();
    make(&mut fixture, agent, None, terms(90, 10)).expect("one of them was taken back");
    assert_eq!(make(&mut fixture, agent, None, terms(90, 10)).unwrap_err(), too_many);
}

#[test]
fn a_bound_that_is_not_named_stays() {
    let mut fixture = Fixture::new();
    let bound = |fixture: &Fixture| {
        fixture.view.partners.get(fixture.org).and_then(|org| org.profile.standard_terms).map(|terms| terms.markup_max)
    };
    let set = |fixture: &mut Fixture, markup_max| {
        let StandardTerms { organizer_share, markup, platform_fee_on_top, .. } = standard(terms(90, 10));
        let terms = StandardTermsPatch { organizer_share, markup, platform_fee_on_top, markup_max };
        let profile = PartnerProfilePatch { standard_terms: Patch::Set(terms), ..PartnerProfilePatch::default() };
        let patch = PartnerPatch { profile, ..PartnerPatch::default() };
        let (organizer, org) = (fixture.organizer(), fixture.org);
        fixture.give(&organizer, &UpdatePartner { partner: org, patch, users: None }).unwrap();
    };
    for (named, expected) in [(None, 100), (Some(percent(20)), 20), (None, 20), (Some(percent(30)), 30)] {
        set(&mut fixture, named);
        assert_eq!(bound(&fixture), Some(percent(expected)), "{named:?}");
    }
}

#[test]
fn the_life_of_a_deal() {
    use DealStatus::{Accepted, Declined, New, Revoked, Terminated};
    // From where to where, and who may: the organizer, the agent.
    let steps = [
        (New, Accepted, true, false),
        (New, Declined, true, false),
        (New, Revoked, false, true),
        (Accepted, Terminated, true, true),
    ];
    for from in DealStatus::ALL {
        for to in DealStatus::ALL {
            for by_organizer in [true, false] {
                let mut fixture = Fixture::new();
                let (agent, deal) = agent(&mut fixture, terms(90, 0));
                fixture.arrange(|view| view.deals.put(Deal { status: from, ..deal.clone() }));
                let by = if by_organizer { fixture.org } else { agent };
                let step = steps.iter().find(|step| (step.0, step.1) == (from, to));
                let expected = match step {
                    None if from == to => Ok(to),
                    None => Err(Refusal::DealTransition { from, to }),
                    Some((.., organizer, agent)) if *(if by_organizer { organizer } else { agent }) => Ok(to),
                    Some(_) if to == DealStatus::Revoked => Err(ForbiddenReason::DealAgentOnly.into()),
                    Some(_) => Err(ForbiddenReason::DealOrganizerOnly.into()),
                };
                let result = set_status(&mut fixture, by, deal.id, to).map(|deal| deal.status);
                assert_eq!(result, expected, "{from} to {to}, organizer: {by_organizer}");
            }
        }
    }
}

#[test]
fn a_stranger_sees_no_deal() {
    let mut fixture = Fixture::new();
    let (_, deal) = agent(&mut fixture, terms(90, 0));
    let stranger = fixture.partner();
    let refusal = set_status(&mut fixture, stranger, deal.id, DealStatus::Terminated).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("deal"));
}

#[test]
fn an_agent_sells_under_its_newest_accepted_deal_or_the_one_it_names() {
    let mut fixture = Fixture::new();
    let set = fixture.set(10, 10_000);
    let (agent, old) = agent(&mut fixture, terms(90, 10));
    let org = fixture.org;
    let new = make(&mut fixture, org, Some(agent), terms(90, 20)).unwrap();
    let order = sell(&mut fixture, agent, None, random(&[(set, 1)])).unwrap();
    assert_eq!((order.deal, order.totals().full.minor()), (Some(new.id), 12_000));
    let price = order.lines[0].price;
    assert_eq!([price.organizer, price.platform, price.agent()].map(Money::minor), [9_000, 300, 2_700]);
    let order = sell(&mut fixture, agent, Some(old.id), random(&[(set, 1)])).unwrap();
    assert_eq!((order.deal, order.totals().full.minor()), (Some(old.id), 11_000));
    set_status(&mut fixture, agent, new.id, DealStatus::Terminated).unwrap();
    assert_eq!(sell(&mut fixture, agent, Some(new.id), OrderEdit::default()).unwrap_err(), Refusal::DealUnknown);
    assert_eq!(sell(&mut fixture, agent, None, OrderEdit::default()).unwrap().deal, Some(old.id));
}

#[test]
fn a_deal_is_good_for_its_own_agent_and_event_only() {
    let mut fixture = Fixture::new();
    let (_, deal) = agent(&mut fixture, terms(90, 10));
    let other = fixture.partner();
    assert_eq!(sell(&mut fixture, other, Some(deal.id), OrderEdit::default()).unwrap_err(), Refusal::DealUnknown);
    let org = fixture.org;
    assert_eq!(sell(&mut fixture, org, Some(deal.id), OrderEdit::default()).unwrap_err(), Refusal::DealUnknown);
    assert_eq!(sell(&mut fixture, org, None, OrderEdit::default()).unwrap().deal, None);
}

#[test]
fn tickets_are_added_only_while_the_deal_is_in_force() {
    let mut fixture = Fixture::new();
    let set = fixture.set(10, 10_000);
    let (agent, deal) = agent(&mut fixture, terms(90, 10));
    let order = sell(&mut fixture, agent, None, random(&[(set, 2)])).unwrap();
    set_status(&mut fixture, agent, deal.id, DealStatus::Terminated).unwrap();
    let seller = Actor::Partner(agent);
    assert_eq!(fixture.edit_as(&seller, order.id, random(&[(set, 3)])).unwrap_err(), Refusal::DealUnknown);
    let fewer = fixture.edit_as(&seller, order.id, random(&[(set, 1)])).unwrap().order;
    assert_eq!((fewer.lines.len(), fewer.totals().full.minor()), (1, 11_000), "the order keeps its deal");
}

#[test]
fn an_agent_with_a_deal_prepares_an_event_that_others_do_not_see() {
    let mut fixture = Fixture::new();
    let (agent, _) = agent(&mut fixture, terms(90, 10));
    let stranger = fixture.partner();
    fixture.switch(EventStatus::StandBy);
    let hidden = Refusal::EventUnknown(fixture.event.to_string());
    assert_eq!(sell(&mut fixture, stranger, None, OrderEdit::default()).unwrap_err(), hidden);
    let refusal = sell(&mut fixture, agent, None, OrderEdit::default()).unwrap_err();
    assert_eq!(refusal, Refusal::EventNotOnSale);
}
