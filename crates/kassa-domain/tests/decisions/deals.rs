//! Deals: who makes and ends them, and what is sold under them.

use kassa_domain::deal::{CreateDeal, Deal, DealId, DealStatus, ProposedTerms, UpdateDeal};
use kassa_domain::event::EventStatus;
use kassa_domain::order::{CreateOrder, Order, OrderEdit};
use kassa_domain::partner::{PartnerId, PartnerPatch, PartnerProfilePatch, StandardTerms, UpdatePartner};
use kassa_domain::price::Share;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal};

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
    let command = UpdateDeal { deal, event: fixture.event, status: Some(status) };
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

#[test]
fn a_proposal_no_worse_than_the_standard_terms_is_accepted_at_once() {
    let mut fixture = Fixture::new();
    let standard = StandardTerms { organizer_share: percent(90), markup: percent(10), platform_fee_on_top: false };
    let profile = PartnerProfilePatch { standard_terms: Patch::Set(standard), ..PartnerProfilePatch::default() };
    let patch = PartnerPatch { profile, ..PartnerPatch::default() };
    let (organizer, org) = (fixture.organizer(), fixture.org);
    fixture.give(&organizer, &UpdatePartner { partner: org, patch, users: None }).unwrap();
    let amount = ProposedTerms { organizer_share: Share::Amount(Money::from_minor(1_000_000)), ..terms(0, 0) };
    let cases = [(terms(91, 5), true), (terms(90, 10), true), (terms(89, 10), false), (amount, false)];
    for (wanted, accepted) in cases {
        let by = fixture.partner();
        let deal = make(&mut fixture, by, None, wanted).unwrap();
        assert_eq!(deal.is_accepted(), accepted, "{wanted:?}");
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
