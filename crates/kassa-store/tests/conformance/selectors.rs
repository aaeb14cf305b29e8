//! Each selector of a batch's needs gives exactly what it says.

use kassa_domain::attachment::Bits;
use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::{Event, EventId, EventStatus};
use kassa_domain::partner::PartnerId;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{RefundRequest, RefundStatus};
use kassa_domain::seating::Span;
use kassa_domain::set::{Chairs, Set};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Id, Needs, View, Window};

use crate::database::{Database, keys};
use crate::samples::{self, manager, on};

const HERE: i64 = 1;
const ELSEWHERE: i64 = 2;

fn event(key: i64) -> EventId {
    samples::event(key).id
}

fn set(event_key: i64, key: i64) -> Set {
    samples::set(event(event_key), key)
}

/// Two events of two sets each, with tickets in every state: orders 5 and 6 have some of the first
/// event, 7 of the other.
async fn given_a_catalogue(db: &Database) {
    let sets = [set(HERE, 11), set(HERE, 12), set(ELSEWHERE, 13), set(ELSEWHERE, 14)];
    let tickets: Vec<Ticket> = [(0, 100, 5), (0, 110, 6), (1, 120, 5), (2, 130, 7), (3, 140, 7)]
        .into_iter()
        .flat_map(|(at, key, order)| samples::one_of_each_state(&sets[at], key, order))
        .collect();
    db.given(|view| {
        for event in [HERE, ELSEWHERE] {
            view.events.put(samples::event(event));
        }
        for set in &sets {
            view.sets.put(set.clone());
        }
        for ticket in &tickets {
            view.tickets.put(ticket.clone());
        }
    })
    .await;
}

fn ticket_keys(view: &View) -> Vec<i64> {
    keys(view.tickets.rows()).into_iter().map(Id::key).collect()
}

pub(crate) async fn rows_by_key_are_those_that_are_named(db: Database) {
    db.given(|view| (1..=5).for_each(|key| view.users.put(samples::user(key)))).await;
    let users = vec![Id::root(4), Id::root(2), Id::root(99), Id::root(-1)];
    let view = db.view(Needs { users, ..Needs::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2), Id::root(4)]);
    assert_eq!(view.users.version(Id::root(99)), None, "what is not there has no version");
}

pub(crate) async fn a_user_is_found_by_its_email(db: Database) {
    db.given(|view| (1..=3).for_each(|key| view.users.put(samples::user(key)))).await;
    let emails = vec![samples::user(2).email, "nobody@example.org".parse().unwrap()];
    let view = db.view(Needs { emails, ..Needs::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2)]);
    assert_eq!(view.user_by_email(&samples::user(2).email), Some(&samples::user(2)));
}

pub(crate) async fn a_key_is_found_by_its_hash(db: Database) {
    db.given(|view| (1..=3).for_each(|key| view.keys.put(samples::key(key, 1)))).await;
    let key_hashes = vec![samples::key(3, 1).hash, [200; 32]];
    let view = db.view(Needs { key_hashes, ..Needs::default() }).await;
    assert_eq!(keys(view.keys.rows()), [Id::root(3)]);
}

pub(crate) async fn an_attachment_is_found_by_its_token(db: Database) {
    db.given(|view| (1..=3).for_each(|key| view.attachments.put(samples::attachment(key, 1)))).await;
    let attachment_tokens = vec![samples::attachment(3, 1).token, Bits([200; 16])];
    let view = db.view(Needs { attachment_tokens, ..Needs::default() }).await;
    assert_eq!(keys(view.attachments.rows()), [Id::root(3)]);
}

pub(crate) async fn ties_are_found_from_both_sides(db: Database) {
    let ties = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 3)].map(|(partner, user)| manager(partner, user));
    db.given(|view| ties.iter().for_each(|tie| view.managers.put(tie.clone()))).await;
    let cases: [(Needs, &[usize]); 5] = [
        (Needs { managers_of: vec![Id::root(1)], ..Needs::default() }, &[0, 1]),
        (Needs { partners_of: vec![Id::root(3)], ..Needs::default() }, &[3, 4]),
        (Needs { managers: vec![(Id::root(2), Id::root(1)), (Id::root(3), Id::root(1))], ..Needs::default() }, &[2]),
        (Needs { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..Needs::default() }, &[0, 1, 2]),
        (Needs { managers_of: vec![Id::root(9)], partners_of: vec![Id::root(9)], ..Needs::default() }, &[]),
    ];
    for (needs, expected) in cases {
        let view = db.view(needs.clone()).await;
        let expected: Vec<_> = expected.iter().map(|at| (ties[*at].partner, ties[*at].user)).collect();
        assert_eq!(keys(view.managers.rows()), expected, "{needs:?}");
    }
    let needs = Needs { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..Needs::default() };
    let view = db.view(needs).await;
    assert_eq!(view.managers_of(Id::root(1)), [Id::root(1), Id::root(2)]);
    assert_eq!(view.partners_of(Id::root(1)), [Id::root(1), Id::root(2)]);
}

pub(crate) async fn the_sets_of_an_event_are_all_of_them(db: Database) {
    given_a_catalogue(&db).await;
    let needs = Needs { sets_of: vec![event(HERE)], events: vec![event(ELSEWHERE)], ..Needs::default() };
    let view = db.view(needs).await;
    assert_eq!(keys(view.sets.rows()), [set(HERE, 11).id, set(HERE, 12).id]);
    assert_eq!(view.events.rows().cloned().collect::<Vec<Event>>(), [samples::event(ELSEWHERE)]);
    assert_eq!(ticket_keys(&view), [0; 0], "tickets only where they are named");
}

pub(crate) async fn the_deals_of_an_agent_for_an_event_are_all_of_them(db: Database) {
    let (here, elsewhere) = (event(HERE), event(ELSEWHERE));
    let other = Deal { subj: Id::root(3), ..samples::deal(here, 3) };
    let deals = [samples::deal(here, 1), samples::deal(here, 2), other, samples::deal(elsewhere, 4)];
    db.given(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let cases: [(EventId, i64, &[i64]); 4] =
        [(here, 2, &[1, 2]), (here, 3, &[3]), (elsewhere, 2, &[4]), (here, 1, &[])];
    for (event, subj, expected) in cases {
        let view = db.view(Needs { deals_of: vec![(event, Id::root(subj))], ..Needs::default() }).await;
        let mut found: Vec<i64> = view.deals.rows().map(|deal| deal.id.key()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "agent {subj}");
    }
}

pub(crate) async fn a_promocode_is_found_by_its_code_whatever_its_case(db: Database) {
    let (here, elsewhere) = (event(HERE), event(ELSEWHERE));
    let promocode =
        |event, key, code: &str| Promocode { code: code.parse().unwrap(), ..samples::promocode(event, key) };
    let rows = [
        promocode(here, 1, "Spring 30"),
        promocode(here, 2, "ВЕСНА"),
        promocode(here, 3, "spring"),
        promocode(elsewhere, 4, "SPRING 30"),
    ];
    db.given(|view| rows.iter().for_each(|row| view.promocodes.put(row.clone()))).await;
    let cases: [(EventId, &[&str], &[i64]); 5] = [
        (here, &["sPRING 30", "SPRING 30"], &[1]),
        (here, &["весна", "Spring"], &[2, 3]),
        (elsewhere, &["spring 30", "spring"], &[4]),
        (here, &["spring%", "Spring  30"], &[]),
        (event(3), &["spring"], &[]),
    ];
    for (event, named, expected) in cases {
        let codes = named.iter().map(|code| (event, code.parse().unwrap())).collect();
        let view = db.view(Needs { codes, ..Needs::default() }).await;
        let found: Vec<i64> = keys(view.promocodes.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{named:?}");
    }
}

pub(crate) async fn the_promotions_of_an_event_are_those_that_are_not_removed(db: Database) {
    let (here, elsewhere) = (event(HERE), event(ELSEWHERE));
    let removed = Promotion { removed: true, ..samples::promotion(here, 2) };
    let rows =
        [samples::promotion(here, 1), removed.clone(), samples::promotion(elsewhere, 3), samples::promotion(here, 4)];
    db.given(|view| rows.iter().for_each(|row| view.promotions.put(row.clone()))).await;
    let by_event = |events: &[EventId]| Needs { promotions_of: events.to_vec(), ..Needs::default() };
    let cases = [
        (by_event(&[here]), vec![1, 4]),
        (by_event(&[elsewhere, here]), vec![1, 3, 4]),
        (by_event(&[event(3)]), vec![]),
        (Needs { promotions: vec![removed.id], ..by_event(&[elsewhere]) }, vec![2, 3]),
    ];
    for (needs, expected) in cases {
        let view = db.view(needs.clone()).await;
        let found: Vec<i64> = keys(view.promotions.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{needs:?}");
    }
}

pub(crate) async fn two_partners_that_deal_are_found_by_their_newest_accepted_deal(db: Database) {
    let (one, two, three) = (Id::root(1), Id::root(2), Id::root(3));
    let between = |subj, obj, status, key| Deal { subj, obj, status, ..samples::deal(event(key % 2 + 1), key) };
    let deals = [
        between(two, one, DealStatus::Accepted, 1),
        between(two, one, DealStatus::Accepted, 2),
        between(two, one, DealStatus::Terminated, 3),
        between(three, one, DealStatus::New, 4),
        between(three, two, DealStatus::Accepted, 5),
    ];
    db.given(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let foreign = Id::under(event(HERE).tag(), 2);
    let selects = |pairs: &[(PartnerId, PartnerId)]| Needs { dealt: pairs.to_vec(), ..Needs::default() };
    let cases: [(Needs, &[i64]); 5] = [
        (selects(&[(two, one)]), &[2]),
        (selects(&[(one, two), (three, one), (two, three)]), &[]),
        (selects(&[(three, two), (two, one), (two, one)]), &[2, 5]),
        (selects(&[(foreign, one)]), &[]),
        (selects(&[(Id::root(9), one)]), &[]),
    ];
    for (needs, expected) in cases {
        let view = db.view(needs.clone()).await;
        let found: Vec<i64> = keys(view.deals.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{needs:?}");
    }
    let view = db.view(selects(&[(two, one)])).await;
    assert!(view.deals_with(one, &[three, two]) && view.deals_with(two, &[one]));
    assert!(!view.deals_with(one, &[three]) && !view.deals_with(one, &[one]));
}

pub(crate) async fn sets_are_found_by_id(db: Database) {
    given_a_catalogue(&db).await;
    let foreign = Id::under(event(ELSEWHERE).tag(), 12);
    let sets = vec![set(HERE, 11).id, set(ELSEWHERE, 14).id, set(HERE, 99).id, foreign];
    let view = db.view(Needs { sets, ..Needs::default() }).await;
    assert_eq!(keys(view.sets.rows()), [set(HERE, 11).id, set(ELSEWHERE, 14).id]);
}

pub(crate) async fn an_order_finds_what_it_holds_and_what_it_bought(db: Database) {
    given_a_catalogue(&db).await;
    let cases: [(Vec<i64>, &[i64]); 4] = [
        (vec![5], &[101, 102, 121, 122]),
        (vec![6], &[111, 112]),
        (vec![5, 6], &[101, 102, 111, 112, 121, 122]),
        (vec![8], &[]),
    ];
    for (orders, expected) in cases {
        let held_by = orders.iter().map(|order| on(event(HERE), *order)).collect();
        let view = db.view(Needs { held_by, ..Needs::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "orders {orders:?}");
    }
}

pub(crate) async fn blocked_tickets_are_found_by_their_set(db: Database) {
    given_a_catalogue(&db).await;
    let blocked_in = vec![set(HERE, 11).id, set(ELSEWHERE, 14).id, set(HERE, 99).id];
    let view = db.view(Needs { blocked_in, ..Needs::default() }).await;
    assert_eq!(ticket_keys(&view), [103, 113, 143]);
}

pub(crate) async fn tickets_are_found_by_their_chairs(db: Database) {
    let hall = |event_key, key| Set { sector: "L".to_owned(), ..set(event_key, key) };
    let (one, other, elsewhere) = (hall(HERE, 11), hall(HERE, 12), hall(ELSEWHERE, 13));
    let tickets = [
        samples::chair(&one, 1, "1", 1),
        samples::chair(&one, 2, "1", 2),
        samples::chair(&one, 3, "1", 4),
        samples::chair(&one, 4, "10", 1),
        samples::chair(&one, 5, "01", 1),
        samples::chair(&other, 6, "1", 3),
        samples::chair(&elsewhere, 7, "1", 1),
        samples::ticket(&one, 8),
    ];
    db.given(|view| tickets.iter().for_each(|ticket| view.tickets.put(ticket.clone()))).await;
    let chairs = |set: &Set, row: &str, from, to| Chairs {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: row.parse().unwrap(),
        span: Span { from, to },
    };
    let cases: [(Vec<Chairs>, &[i64]); 6] = [
        (vec![chairs(&one, "1", 1, 9_999)], &[1, 2, 3]),
        (vec![chairs(&one, "1", 2, 3), chairs(&one, "10", 1, 1)], &[2, 4]),
        (vec![chairs(&one, "1", 1, 1), chairs(&one, "1", 1, 1)], &[1]),
        (vec![chairs(&elsewhere, "1", 1, 9_999)], &[7]),
        (vec![chairs(&one, "2", 1, 9_999)], &[]),
        (vec![Chairs { sector: String::new(), ..chairs(&one, "1", 1, 9_999) }], &[]),
    ];
    for (chairs, expected) in cases {
        let view = db.view(Needs { chairs: chairs.clone(), ..Needs::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "{chairs:?}");
    }
}

pub(crate) async fn the_organizer_of_an_event_is_found(db: Database) {
    db.given(|view| {
        (1..=3).for_each(|key| view.partners.put(samples::partner(key)));
        view.events.put(Event { org: Id::root(2), ..samples::event(HERE) });
        view.events.put(Event { org: Id::root(9), ..samples::event(ELSEWHERE) });
    })
    .await;
    let partners = async |organizers_of| {
        let view = db.view(Needs { organizers_of, ..Needs::default() }).await;
        keys(view.partners.rows())
    };
    assert_eq!(partners(vec![event(HERE), event(ELSEWHERE), event(HERE)]).await, [Id::root(2)]);
    assert_eq!(partners(vec![Id::under(event(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn refund_requests_of_an_order_are_found_all_or_while_they_are_open(db: Database) {
    let (at, here) = (samples::at(1), event(HERE));
    let request = |key, order, status| RefundRequest { order: on(here, order), status, ..samples::refund(here, key) };
    let requests = [
        request(1, 5, RefundStatus::New),
        request(2, 5, RefundStatus::InProgress),
        request(3, 5, RefundStatus::Approved { at }),
        request(4, 5, RefundStatus::Rejected { at }),
        request(5, 6, RefundStatus::New),
        request(6, 7, RefundStatus::New),
    ];
    db.given(|view| requests.iter().for_each(|request| view.refunds.put(request.clone()))).await;
    let found = async |open_refunds_of| {
        let view = db.view(Needs { open_refunds_of, ..Needs::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(found(vec![on(here, 5)]).await, [1, 2]);
    assert_eq!(found(vec![on(here, 6), on(here, 5), on(here, 8)]).await, [1, 2, 5]);
    assert_eq!(found(vec![on(event(ELSEWHERE), 5)]).await, [0; 0]);
    let all = async |refunds_of| {
        let view = db.view(Needs { refunds_of, ..Needs::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(all(vec![on(here, 5), on(here, 7)]).await, [1, 2, 3, 4, 6]);
    assert_eq!(all(vec![on(event(ELSEWHERE), 5)]).await, [0; 0]);
}

pub(crate) async fn the_map_of_an_event_is_found(db: Database) {
    db.given(|view| {
        view.events.put(Event { map: Some(samples::map(7, 1).id), ..samples::event(HERE) });
        view.events.put(samples::event(ELSEWHERE));
        view.maps.put(samples::map(7, 1));
        view.maps.put(samples::map(8, 1));
    })
    .await;
    let maps = async |map_of| keys(db.view(Needs { map_of, ..Needs::default() }).await.maps.rows());
    assert_eq!(maps(vec![event(HERE), event(ELSEWHERE)]).await, [samples::map(7, 1).id]);
    assert_eq!(maps(vec![event(ELSEWHERE), Id::under(event(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn what_may_keep_a_venue_in_use_is_found(db: Database) {
    let (here, elsewhere) = (samples::venue(7).id, samples::venue(8).id);
    let at = |key, venue, finish: Option<i64>| Event {
        venue,
        lifetime: finish.map(|ms| Window { start: samples::at(0), finish: Some(samples::at(ms)) }),
        ..samples::event(key)
    };
    db.given(|view| {
        view.events.put(at(1, Some(here), None));
        view.events.put(at(2, Some(here), Some(5)));
        view.events.put(Event { status: EventStatus::StandBy, ..at(3, Some(here), Some(9)) });
        view.events.put(Event { status: EventStatus::Canceled, ..at(4, Some(here), Some(9)) });
        view.events.put(Event { removed: true, ..at(5, Some(here), None) });
        view.events.put(at(6, Some(elsewhere), Some(9)));
        view.events.put(at(9, None, Some(9)));
    })
    .await;
    let view = db.view(Needs { events_at: vec![here], ..Needs::default() }).await;
    assert_eq!(keys(view.events.rows()), [Id::root(1), Id::root(2), Id::root(3)]);
    assert_eq!(view.events_at(here).count(), 3);
}

pub(crate) async fn a_row_that_is_named_twice_is_there_once(db: Database) {
    given_a_catalogue(&db).await;
    let needs = Needs {
        tickets: vec![on(event(HERE), 101), on(event(HERE), 101)],
        held_by: vec![on(event(HERE), 6), on(event(HERE), 5), on(event(HERE), 5)],
        sets_of: vec![event(HERE), event(HERE)],
        ..Needs::default()
    };
    let view = db.view(needs).await;
    assert_eq!(ticket_keys(&view), [101, 102, 111, 112, 121, 122]);
    assert_eq!(view.sets.rows().count(), 2);
}

pub(crate) async fn a_batch_sees_what_a_view_sees(db: Database) {
    given_a_catalogue(&db).await;
    let needs = Needs {
        tickets: vec![on(event(HERE), 100)],
        held_by: vec![on(event(HERE), 5)],
        blocked_in: vec![set(HERE, 12).id],
        vacant: vec![(set(HERE, 11).id, 9)],
        ..Needs::default()
    };
    let seen = ticket_keys(&db.view(needs.clone()).await);
    assert_eq!(seen, [100, 101, 102, 110, 121, 122, 123]);
    db.write(needs, |view| assert_eq!(ticket_keys(view), seen)).await.unwrap();
}
