//! Each selector of a batch's needs gives exactly what it says.

use kassa_domain::attachment::Hex128;
use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::{Event, EventId, EventStatus};
use kassa_domain::partner::PartnerId;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{RefundRequest, RefundStatus};
use kassa_domain::seating::SeatRange;
use kassa_domain::set::{SeatSelector, TicketSet};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Id, ReadSet, View, Window};

use crate::database::{Database, keys};
use crate::samples::{self, id_in_event, manager};

const HERE: i64 = 1;
const ELSEWHERE: i64 = 2;

fn event(key: i64) -> EventId {
    samples::event(key).id
}

fn set(event_key: i64, key: i64) -> TicketSet {
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
    db.insert(|view| {
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
    db.insert(|view| (1..=5).for_each(|key| view.users.put(samples::user(key)))).await;
    let users = vec![Id::root(4), Id::root(2), Id::root(99), Id::root(-1)];
    let view = db.view(ReadSet { users, ..ReadSet::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2), Id::root(4)]);
    assert_eq!(view.users.version(Id::root(99)), None, "what is not there has no version");
}

pub(crate) async fn a_user_is_found_by_its_email(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.users.put(samples::user(key)))).await;
    let emails = vec![samples::user(2).email, "nobody@example.org".parse().unwrap()];
    let view = db.view(ReadSet { users_by_email: emails, ..ReadSet::default() }).await;
    assert_eq!(keys(view.users.rows()), [Id::root(2)]);
    assert_eq!(view.user_by_email(&samples::user(2).email), Some(&samples::user(2)));
}

pub(crate) async fn a_key_is_found_by_its_hash(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.keys.put(samples::api_key(key, 1)))).await;
    let key_hashes = vec![samples::api_key(3, 1).secret_hash, [200; 32]];
    let view = db.view(ReadSet { keys_by_hash: key_hashes, ..ReadSet::default() }).await;
    assert_eq!(keys(view.keys.rows()), [Id::root(3)]);
}

pub(crate) async fn an_attachment_is_found_by_its_token(db: Database) {
    db.insert(|view| (1..=3).for_each(|key| view.attachments.put(samples::attachment(key, 1)))).await;
    let attachment_tokens = vec![samples::attachment(3, 1).token, Hex128([200; 16])];
    let view = db.view(ReadSet { attachments_by_token: attachment_tokens, ..ReadSet::default() }).await;
    assert_eq!(keys(view.attachments.rows()), [Id::root(3)]);
}

pub(crate) async fn ties_are_found_from_both_sides(db: Database) {
    let ties = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 3)].map(|(partner, user)| manager(partner, user));
    db.insert(|view| ties.iter().for_each(|tie| view.managers.put(tie.clone()))).await;
    let cases: [(ReadSet, &[usize]); 5] = [
        (ReadSet { managers_of: vec![Id::root(1)], ..ReadSet::default() }, &[0, 1]),
        (ReadSet { partners_of: vec![Id::root(3)], ..ReadSet::default() }, &[3, 4]),
        (
            ReadSet { managers: vec![(Id::root(2), Id::root(1)), (Id::root(3), Id::root(1))], ..ReadSet::default() },
            &[2],
        ),
        (ReadSet { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..ReadSet::default() }, &[0, 1, 2]),
        (ReadSet { managers_of: vec![Id::root(9)], partners_of: vec![Id::root(9)], ..ReadSet::default() }, &[]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let expected: Vec<_> = expected.iter().map(|at| (ties[*at].partner, ties[*at].user)).collect();
        assert_eq!(keys(view.managers.rows()), expected, "{read_set:?}");
    }
    let read_set = ReadSet { managers_of: vec![Id::root(1)], partners_of: vec![Id::root(1)], ..ReadSet::default() };
    let view = db.view(read_set).await;
    assert_eq!(view.managers_of(Id::root(1)), [Id::root(1), Id::root(2)]);
    assert_eq!(view.partners_of(Id::root(1)), [Id::root(1), Id::root(2)]);
}

pub(crate) async fn the_sets_of_an_event_are_all_of_them(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet { sets_of: vec![event(HERE)], events: vec![event(ELSEWHERE)], ..ReadSet::default() };
    let view = db.view(read_set).await;
    assert_eq!(keys(view.sets.rows()), [set(HERE, 11).id, set(HERE, 12).id]);
    assert_eq!(view.events.rows().cloned().collect::<Vec<Event>>(), [samples::event(ELSEWHERE)]);
    assert_eq!(ticket_keys(&view), [0; 0], "tickets only where they are named");
}

pub(crate) async fn the_deals_of_an_agent_for_an_event_are_all_of_them(db: Database) {
    let (here, elsewhere) = (event(HERE), event(ELSEWHERE));
    let other = Deal { agent: Id::root(3), ..samples::deal(here, 3) };
    let deals = [samples::deal(here, 1), samples::deal(here, 2), other, samples::deal(elsewhere, 4)];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let cases: [(EventId, i64, &[i64]); 4] =
        [(here, 2, &[1, 2]), (here, 3, &[3]), (elsewhere, 2, &[4]), (here, 1, &[])];
    for (event, subj, expected) in cases {
        let view = db.view(ReadSet { deals_of: vec![(event, Id::root(subj))], ..ReadSet::default() }).await;
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
    db.insert(|view| rows.iter().for_each(|row| view.promocodes.put(row.clone()))).await;
    let cases: [(EventId, &[&str], &[i64]); 5] = [
        (here, &["sPRING 30", "SPRING 30"], &[1]),
        (here, &["весна", "Spring"], &[2, 3]),
        (elsewhere, &["spring 30", "spring"], &[4]),
        (here, &["spring%", "Spring  30"], &[]),
        (event(3), &["spring"], &[]),
    ];
    for (event, named, expected) in cases {
        let codes = named.iter().map(|code| (event, code.parse().unwrap())).collect();
        let view = db.view(ReadSet { promocodes_by_text: codes, ..ReadSet::default() }).await;
        let found: Vec<i64> = keys(view.promocodes.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{named:?}");
    }
}

pub(crate) async fn the_promotions_of_an_event_are_those_that_are_not_removed(db: Database) {
    let (here, elsewhere) = (event(HERE), event(ELSEWHERE));
    let removed = Promotion { removed: true, ..samples::promotion(here, 2) };
    let rows =
        [samples::promotion(here, 1), removed.clone(), samples::promotion(elsewhere, 3), samples::promotion(here, 4)];
    db.insert(|view| rows.iter().for_each(|row| view.promotions.put(row.clone()))).await;
    let by_event = |events: &[EventId]| ReadSet { promotions_of: events.to_vec(), ..ReadSet::default() };
    let cases = [
        (by_event(&[here]), vec![1, 4]),
        (by_event(&[elsewhere, here]), vec![1, 3, 4]),
        (by_event(&[event(3)]), vec![]),
        (ReadSet { promotions: vec![removed.id], ..by_event(&[elsewhere]) }, vec![2, 3]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let found: Vec<i64> = keys(view.promotions.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{read_set:?}");
    }
}

pub(crate) async fn two_partners_that_deal_are_found_by_their_newest_accepted_deal(db: Database) {
    let (one, two, three) = (Id::root(1), Id::root(2), Id::root(3));
    let between =
        |subj, obj, status, key| Deal { agent: subj, organizer: obj, status, ..samples::deal(event(key % 2 + 1), key) };
    let deals = [
        between(two, one, DealStatus::Accepted, 1),
        between(two, one, DealStatus::Accepted, 2),
        between(two, one, DealStatus::Terminated, 3),
        between(three, one, DealStatus::New, 4),
        between(three, two, DealStatus::Accepted, 5),
    ];
    db.insert(|view| deals.iter().for_each(|deal| view.deals.put(deal.clone()))).await;
    let foreign = Id::with_tag(event(HERE).tag(), 2);
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

pub(crate) async fn sets_are_found_by_id(db: Database) {
    given_a_catalogue(&db).await;
    let foreign = Id::with_tag(event(ELSEWHERE).tag(), 12);
    let sets = vec![set(HERE, 11).id, set(ELSEWHERE, 14).id, set(HERE, 99).id, foreign];
    let view = db.view(ReadSet { sets, ..ReadSet::default() }).await;
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
        let held_by = orders.iter().map(|order| id_in_event(event(HERE), *order)).collect();
        let view = db.view(ReadSet { tickets_held_by: held_by, ..ReadSet::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "orders {orders:?}");
    }
}

pub(crate) async fn blocked_tickets_are_found_by_their_set(db: Database) {
    given_a_catalogue(&db).await;
    let blocked_in = vec![set(HERE, 11).id, set(ELSEWHERE, 14).id, set(HERE, 99).id];
    let view = db.view(ReadSet { blocked_tickets_of: blocked_in, ..ReadSet::default() }).await;
    assert_eq!(ticket_keys(&view), [103, 113, 143]);
}

pub(crate) async fn tickets_are_found_by_their_chairs(db: Database) {
    let hall = |event_key, key| TicketSet { sector: "L".to_owned(), ..set(event_key, key) };
    let (one, other, elsewhere) = (hall(HERE, 11), hall(HERE, 12), hall(ELSEWHERE, 13));
    let tickets = [
        samples::seated_ticket(&one, 1, "1", 1),
        samples::seated_ticket(&one, 2, "1", 2),
        samples::seated_ticket(&one, 3, "1", 4),
        samples::seated_ticket(&one, 4, "10", 1),
        samples::seated_ticket(&one, 5, "01", 1),
        samples::seated_ticket(&other, 6, "1", 3),
        samples::seated_ticket(&elsewhere, 7, "1", 1),
        samples::ticket(&one, 8),
    ];
    db.insert(|view| tickets.iter().for_each(|ticket| view.tickets.put(ticket.clone()))).await;
    let chairs = |set: &TicketSet, row: &str, from, to| SeatSelector {
        set: set.id,
        event: set.event,
        sector: set.sector.clone(),
        row: row.parse().unwrap(),
        range: SeatRange { from, to },
    };
    let cases: [(Vec<SeatSelector>, &[i64]); 6] = [
        (vec![chairs(&one, "1", 1, 9_999)], &[1, 2, 3]),
        (vec![chairs(&one, "1", 2, 3), chairs(&one, "10", 1, 1)], &[2, 4]),
        (vec![chairs(&one, "1", 1, 1), chairs(&one, "1", 1, 1)], &[1]),
        (vec![chairs(&elsewhere, "1", 1, 9_999)], &[7]),
        (vec![chairs(&one, "2", 1, 9_999)], &[]),
        (vec![SeatSelector { sector: String::new(), ..chairs(&one, "1", 1, 9_999) }], &[]),
    ];
    for (chairs, expected) in cases {
        let view = db.view(ReadSet { seats: chairs.clone(), ..ReadSet::default() }).await;
        assert_eq!(ticket_keys(&view), expected, "{chairs:?}");
    }
}

pub(crate) async fn the_organizer_of_an_event_is_found(db: Database) {
    db.insert(|view| {
        (1..=3).for_each(|key| view.partners.put(samples::partner(key)));
        view.events.put(Event { organizer: Id::root(2), ..samples::event(HERE) });
        view.events.put(Event { organizer: Id::root(9), ..samples::event(ELSEWHERE) });
    })
    .await;
    let partners = async |organizers_of| {
        let view = db.view(ReadSet { organizers_of, ..ReadSet::default() }).await;
        keys(view.partners.rows())
    };
    assert_eq!(partners(vec![event(HERE), event(ELSEWHERE), event(HERE)]).await, [Id::root(2)]);
    assert_eq!(partners(vec![Id::with_tag(event(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn refund_requests_of_an_order_are_found_all_or_while_they_are_open(db: Database) {
    let (at, here) = (samples::at(1), event(HERE));
    let request =
        |key, order, status| RefundRequest { order: id_in_event(here, order), status, ..samples::refund(here, key) };
    let requests = [
        request(1, 5, RefundStatus::New),
        request(2, 5, RefundStatus::InProgress),
        request(3, 5, RefundStatus::Approved { at }),
        request(4, 5, RefundStatus::Rejected { at }),
        request(5, 6, RefundStatus::New),
        request(6, 7, RefundStatus::New),
    ];
    db.insert(|view| requests.iter().for_each(|request| view.refunds.put(request.clone()))).await;
    let found = async |open_refunds_of| {
        let view = db.view(ReadSet { open_refunds_of, ..ReadSet::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(found(vec![id_in_event(here, 5)]).await, [1, 2]);
    assert_eq!(found(vec![id_in_event(here, 6), id_in_event(here, 5), id_in_event(here, 8)]).await, [1, 2, 5]);
    assert_eq!(found(vec![id_in_event(event(ELSEWHERE), 5)]).await, [0; 0]);
    let all = async |refunds_of| {
        let view = db.view(ReadSet { refunds_of, ..ReadSet::default() }).await;
        keys(view.refunds.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(all(vec![id_in_event(here, 5), id_in_event(here, 7)]).await, [1, 2, 3, 4, 6]);
    assert_eq!(all(vec![id_in_event(event(ELSEWHERE), 5)]).await, [0; 0]);
}

pub(crate) async fn the_map_of_an_event_is_found(db: Database) {
    db.insert(|view| {
        view.events.put(Event { hall_map: Some(samples::hall_map(7, 1).id), ..samples::event(HERE) });
        view.events.put(samples::event(ELSEWHERE));
        view.hall_maps.put(samples::hall_map(7, 1));
        view.hall_maps.put(samples::hall_map(8, 1));
    })
    .await;
    let maps =
        async |map_of| keys(db.view(ReadSet { hall_map_of: map_of, ..ReadSet::default() }).await.hall_maps.rows());
    assert_eq!(maps(vec![event(HERE), event(ELSEWHERE)]).await, [samples::hall_map(7, 1).id]);
    assert_eq!(maps(vec![event(ELSEWHERE), Id::with_tag(event(ELSEWHERE).tag(), HERE)]).await, []);
}

pub(crate) async fn what_may_keep_a_venue_in_use_is_found(db: Database) {
    let (here, elsewhere) = (samples::venue(7).id, samples::venue(8).id);
    let at = |key, venue, finish: Option<i64>| Event {
        venue,
        lifetime: finish.map(|ms| Window { start: samples::at(0), finish: Some(samples::at(ms)) }),
        ..samples::event(key)
    };
    db.insert(|view| {
        view.events.put(at(1, Some(here), None));
        view.events.put(at(2, Some(here), Some(5)));
        view.events.put(Event { status: EventStatus::StandBy, ..at(3, Some(here), Some(9)) });
        view.events.put(Event { status: EventStatus::Canceled, ..at(4, Some(here), Some(9)) });
        view.events.put(Event { removed: true, ..at(5, Some(here), None) });
        view.events.put(at(6, Some(elsewhere), Some(9)));
        view.events.put(at(9, None, Some(9)));
    })
    .await;
    let view = db.view(ReadSet { events_at: vec![here], ..ReadSet::default() }).await;
    assert_eq!(keys(view.events.rows()), [Id::root(1), Id::root(2), Id::root(3)]);
    assert_eq!(view.events_at(here).count(), 3);
}

pub(crate) async fn a_row_that_is_named_twice_is_there_once(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet {
        tickets: vec![id_in_event(event(HERE), 101), id_in_event(event(HERE), 101)],
        tickets_held_by: vec![id_in_event(event(HERE), 6), id_in_event(event(HERE), 5), id_in_event(event(HERE), 5)],
        sets_of: vec![event(HERE), event(HERE)],
        ..ReadSet::default()
    };
    let view = db.view(read_set).await;
    assert_eq!(ticket_keys(&view), [101, 102, 111, 112, 121, 122]);
    assert_eq!(view.sets.rows().count(), 2);
}

pub(crate) async fn a_batch_sees_what_a_view_sees(db: Database) {
    given_a_catalogue(&db).await;
    let read_set = ReadSet {
        tickets: vec![id_in_event(event(HERE), 100)],
        tickets_held_by: vec![id_in_event(event(HERE), 5)],
        blocked_tickets_of: vec![set(HERE, 12).id],
        vacant: vec![(set(HERE, 11).id, 9)],
        ..ReadSet::default()
    };
    let seen = ticket_keys(&db.view(read_set.clone()).await);
    assert_eq!(seen, [100, 101, 102, 110, 121, 122, 123]);
    db.write(read_set, |view| assert_eq!(ticket_keys(view), seen)).await.unwrap();
}
