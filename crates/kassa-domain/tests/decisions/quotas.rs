//! What partners may store: refused beyond a quota, counted with the rows, and forgotten with them.

use kassa_domain::api_key::CreateApiKey;
use kassa_domain::deal::{CreateDeal, ProposedTerms};
use kassa_domain::hall_map::CreateHallMap;
use kassa_domain::idempotency::{
    IdempotencyRecord, IdempotencyRecordKey, LARGE_ANSWER_BYTES, PurgeIdempotencyRecords, RECORD_RETENTION_MS,
    SaveIdempotencyRecord, keep_answer,
};
use kassa_domain::partner::{Partner, PartnerId, SetPartnerQuotas};
use kassa_domain::price::Share;
use kassa_domain::quota::{QuotaKind, Quotas};
use kassa_domain::session::{PurgeSessions, SESSIONS_PER_USER_MAX, Session, StartSession};
use kassa_domain::set::{CreateSet, RemoveSet, UpdateSet};
use kassa_domain::user::{Account, User, UserId};
use kassa_domain::venue::{CreateVenue, VenuePatch};
use kassa_domain::{Actor, Money, Percent, Refusal, ShardTag, event};

use crate::fixture::{Fixture, NOON, new_promocode, new_promotion};

fn used(fixture: &Fixture, kind: QuotaKind) -> i64 {
    fixture.view.partners.get(fixture.org).unwrap().usage.get(kind)
}

fn allow(fixture: &mut Fixture, kind: QuotaKind, amount: Option<i64>) -> Partner {
    let command = SetPartnerQuotas { partner: fixture.org, quotas: vec![(kind, amount)] };
    fixture.give(&Actor::Operator, &command).unwrap()
}

fn new_event(fixture: &mut Fixture) -> Result<(), Refusal> {
    let (org, patch) = (fixture.org, event::EventPatch::default());
    fixture.give(&Actor::Partner(org), &event::CreateEvent { organizer: org, patch }).map(drop)
}

fn new_set(fixture: &mut Fixture, amount: u32) -> Result<kassa_domain::set::TicketSet, Refusal> {
    let command = CreateSet { amount, price: Some(Money::from_minor(100)), ..CreateSet::empty(fixture.event) };
    fixture.give(&Actor::Partner(fixture.org), &command)
}

/// Makes one more of something.
type Make<'a> = &'a dyn Fn(&mut Fixture) -> Result<(), Refusal>;

#[test]
fn nobody_makes_more_than_the_quota_allows() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let key = |name: &str| CreateApiKey {
        partner: org,
        name: name.to_owned(),
        secret_hash: [0; 32],
        encrypted_secret: Vec::new(),
        has_customers: false,
    };
    let venue = CreateVenue { owner: org, patch: VenuePatch::default() };
    let made = fixture.give(&Actor::Partner(org), &venue).unwrap();
    let map = CreateHallMap { venue: made.id, name: "Hall".to_owned(), desc: None, sectors: Vec::new() };
    let makes: [(QuotaKind, Make<'_>); 6] = [
        (QuotaKind::Events, &new_event),
        (QuotaKind::Venues, &|fixture| fixture.give(&Actor::Partner(org), &venue).map(drop)),
        (QuotaKind::HallMaps, &|fixture| fixture.give(&Actor::Partner(org), &map).map(drop)),
        (QuotaKind::ApiKeys, &|fixture| fixture.give(&Actor::Partner(org), &key("till")).map(drop)),
        (QuotaKind::Promocodes, &|fixture| {
            let code = format!("C{}", used(fixture, QuotaKind::Promocodes));
            let command = new_promocode(fixture.event, &code);
            fixture.give(&Actor::Partner(org), &command).map(drop)
        }),
        (QuotaKind::Tickets, &|fixture| new_set(fixture, 1).map(drop)),
    ];
    for (kind, make) in makes {
        let before = used(&fixture, kind);
        make(&mut fixture).unwrap();
        assert_eq!(used(&fixture, kind), before + 1, "{kind}");
        allow(&mut fixture, kind, Some(before + 1));
        let refusal = make(&mut fixture).unwrap_err();
        let expected = Refusal::QuotaExceeded { kind, used: before + 1, wanted: 1, allowed: before + 1 };
        assert_eq!((refusal.code(), refusal), ("quota_exceeded", expected));
        assert_eq!(used(&fixture, kind), before + 1, "{kind}");
        allow(&mut fixture, kind, None);
        make(&mut fixture).unwrap();
    }
}

#[test]
fn a_deal_counts_for_the_partner_that_proposes_it() {
    let mut fixture = Fixture::new();
    let (agent, org) = (fixture.partner(), fixture.org);
    let terms = ProposedTerms {
        organizer_share: Share::Percent(Percent::HUNDRED),
        markup: Share::Amount(Money::ZERO),
        platform_fee_on_top: true,
    };
    let deal = |proposer: PartnerId| CreateDeal {
        event: fixture.event,
        proposer,
        agent: Some(agent),
        organizer: org,
        terms,
        message: String::new(),
    };
    let (proposal, offer) = (deal(agent), deal(org));
    fixture.give(&Actor::Partner(agent), &proposal).unwrap();
    fixture.give(&Actor::Partner(org), &offer).unwrap();
    fixture.give(&Actor::Partner(org), &offer).unwrap();
    let of_agent = fixture.view.partners.get(agent).unwrap().usage.get(QuotaKind::Deals);
    assert_eq!((of_agent, used(&fixture, QuotaKind::Deals)), (1, 2));
}

#[test]
fn removed_things_count_as_long_as_their_rows_stay() {
    let mut fixture = Fixture::new();
    let (org, event) = (fixture.org, fixture.event);
    let promotion = fixture.give(&Actor::Partner(org), &new_promotion(event, &[(1, 10)])).unwrap();
    let remove = kassa_domain::promotion::RemovePromotion { event, promotion: promotion.id };
    fixture.give(&Actor::Partner(org), &remove).unwrap();
    fixture.give(&Actor::Partner(org), &event::UpdateEvent::remove(event)).unwrap();
    assert_eq!((used(&fixture, QuotaKind::Events), used(&fixture, QuotaKind::Promotions)), (1, 1));
}

#[test]
fn tickets_count_as_many_as_a_set_shall_have() {
    let mut fixture = Fixture::new();
    let (org, event) = (fixture.org, fixture.event);
    // More than one command makes.
    let set = new_set(&mut fixture, 10_500).unwrap();
    assert_eq!(used(&fixture, QuotaKind::Tickets), 10_500);
    allow(&mut fixture, QuotaKind::Tickets, Some(10_600));
    let resize = |amount| UpdateSet { amount: Some(amount), ..UpdateSet::unchanged(event, set.id) };
    let refusal = fixture.give(&Actor::Partner(org), &resize(10_601)).unwrap_err();
    let expected = Refusal::QuotaExceeded { kind: QuotaKind::Tickets, used: 10_500, wanted: 101, allowed: 10_600 };
    assert_eq!(refusal, expected);
    for amount in [10_600, 20, 10_600, 0] {
        fixture.give(&Actor::Partner(org), &resize(amount)).unwrap();
        assert_eq!(used(&fixture, QuotaKind::Tickets), i64::from(amount));
    }
    // Less than it had, although the quota is less still.
    fixture.give(&Actor::Partner(org), &resize(30)).unwrap();
    allow(&mut fixture, QuotaKind::Tickets, Some(5));
    fixture.give(&Actor::Partner(org), &resize(20)).unwrap();
    let remove = RemoveSet { event, set: set.id, observed_seats: Vec::new() };
    fixture.give(&Actor::Partner(org), &remove).unwrap();
    assert_eq!(used(&fixture, QuotaKind::Tickets), 20, "the tickets of a removed set without seats stay");
}

#[test]
fn only_the_operator_sets_quotas() {
    let mut fixture = Fixture::new();
    let org = fixture.org;
    let command = SetPartnerQuotas { partner: org, quotas: vec![(QuotaKind::Events, Some(1))] };
    for actor in [Actor::Anonymous, Actor::Partner(org)] {
        assert_eq!(fixture.give(&actor, &command).unwrap_err().code(), "forbidden");
    }
    let unknown = SetPartnerQuotas { partner: PartnerId::root(9), quotas: Vec::new() };
    assert_eq!(fixture.give(&Actor::Operator, &unknown), Err(Refusal::NotFound("partner")));
    let partner = fixture.give(&Actor::Operator, &command).unwrap();
    assert_eq!((partner.quotas.get(&QuotaKind::Events), partner.revision.number()), (Some(&1), 2));
}

fn answer_key(number: u8) -> IdempotencyRecordKey {
    IdempotencyRecordKey { tag: ShardTag::of_key(1), digest: [number; 32] }
}

fn save(number: u8, bytes: usize, owner: PartnerId, finalizes: bool) -> SaveIdempotencyRecord {
    let encrypted_response = vec![0; bytes];
    SaveIdempotencyRecord {
        key: answer_key(number),
        request_digest: [1; 32],
        encrypted_response,
        owner: Some(owner),
        finalizes,
    }
}

#[test]
fn large_answers_count_until_they_are_forgotten() {
    let mut fixture = Fixture::new();
    let (org, large) = (fixture.org, i64::try_from(LARGE_ANSWER_BYTES).unwrap());
    allow(&mut fixture, QuotaKind::AnswerBytes, Some(2 * large));
    fixture.give(&Actor::System, &save(1, LARGE_ANSWER_BYTES, org, false)).unwrap();
    fixture.give(&Actor::System, &save(2, LARGE_ANSWER_BYTES - 1, org, false)).unwrap();
    assert_eq!(used(&fixture, QuotaKind::AnswerBytes), large, "short ones do not count");
    let refusal = fixture.give(&Actor::System, &save(3, LARGE_ANSWER_BYTES + 1, org, false)).unwrap_err();
    assert_eq!(refusal.code(), "quota_exceeded");
    fixture.now = NOON.plus_ms(RECORD_RETENTION_MS);
    let keys = (1..=3).map(answer_key).collect();
    let purge = PurgeIdempotencyRecords { tag: ShardTag::of_key(1), keys, owners: vec![org] };
    assert_eq!(fixture.give(&Actor::System, &purge), Ok(2));
    assert_eq!(used(&fixture, QuotaKind::AnswerBytes), 0);
}

#[test]
fn the_answer_to_what_was_decided_is_kept_however_much_it_takes() {
    let mut fixture = Fixture::new();
    let (org, quotas) = (fixture.org, Quotas::default());
    let decided = IdempotencyRecord {
        key: answer_key(1),
        request_digest: [1; 32],
        encrypted_response: vec![0; LARGE_ANSWER_BYTES],
        is_final: false,
        stored_at: NOON,
        charged_to: None,
    };
    fixture.arrange(|view| keep_answer(decided.clone(), Some(org), &quotas, view).unwrap());
    allow(&mut fixture, QuotaKind::AnswerBytes, Some(1));
    assert_eq!(fixture.give(&Actor::System, &save(1, 2 * LARGE_ANSWER_BYTES, org, true)), Ok(None));
    let expected = 2 * i64::try_from(LARGE_ANSWER_BYTES).unwrap();
    assert_eq!(used(&fixture, QuotaKind::AnswerBytes), expected, "in place of the first one");
    fixture.arrange(|view| {
        let full = keep_answer(IdempotencyRecord { key: answer_key(2), ..decided }, Some(org), &quotas, view);
        assert_eq!(full.unwrap_err().code(), "quota_exceeded");
    });
}

fn session(number: u8, user: UserId, ends_ms: i64) -> Session {
    Session { hash: [number; 32], user, password_since: NOON, created_at: None, expires_at: NOON.plus_ms(ends_ms) }
}

#[test]
fn only_sessions_that_have_lapsed_are_forgotten() {
    let mut fixture = Fixture::new();
    let user = UserId::root(5);
    fixture.arrange(|view| {
        for (number, ends_ms) in [(1, -1), (2, 0), (3, 1)] {
            view.sessions.put(session(number, user, ends_ms));
        }
    });
    let purge = PurgeSessions { hashes: vec![[1; 32], [2; 32], [3; 32], [4; 32]] };
    assert_eq!(fixture.give(&Actor::System, &purge), Ok(2));
    assert_eq!(fixture.view.sessions.rows().map(|session| session.hash).collect::<Vec<_>>(), [[3; 32]]);
}

#[test]
fn one_session_too_many_ends_the_one_that_would_end_first() {
    let mut fixture = Fixture::new();
    let (user, other) = (UserId::root(5), UserId::root(6));
    let password_hash = "hash".to_owned();
    let account = Account::Open {
        password_hash: password_hash.clone(),
        waiting_password_hash: None,
        confirmed_emails: Vec::new(),
        session_cutoff: None,
    };
    let email = "ann@example.org".parse().unwrap();
    fixture.arrange(|view| {
        let (first_name, last_name) = (None, None);
        view.users.put(User {
            id: user,
            email,
            account,
            first_name,
            last_name,
            created_at: NOON,
            updated_at: NOON,
            revision: 1,
            second_factor: None,
            operator_since: None,
            suspension: None,
            confirm_by: None,
        });
        view.sessions.put(session(0, other, 1));
        for number in 1..=u8::try_from(SESSIONS_PER_USER_MAX).unwrap() {
            view.sessions.put(session(number, user, 1_000 - i64::from(number)));
        }
    });
    let start = StartSession { user, password_hash, hash: [255; 32], second_factor: None };
    fixture.give(&Actor::Anonymous, &start).unwrap();
    let sessions = &fixture.view.sessions;
    assert_eq!(sessions.rows().filter(|session| session.user == user).count(), SESSIONS_PER_USER_MAX);
    assert!(sessions.get([100; 32]).is_none() && sessions.get([255; 32]).is_some() && sessions.get([0; 32]).is_some());
}
