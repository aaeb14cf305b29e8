//! The same random rows for every database.

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::{self, Event};
use kassa_domain::hall_map::HallMap;
use kassa_domain::idempotency::IdempotencyRecord;
use kassa_domain::mail::Mail;
use kassa_domain::order::{Customer, Order};
use kassa_domain::partner::Partner;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::user::User;
use kassa_domain::venue::Venue;
use kassa_domain::{View, Window};

use crate::database::Database;
use crate::dice::{
    API_KEYS, DEALS, Dice, EVENTS, HALL_MAPS, IDEMPOTENCY_RECORDS, MAILS, ORDERS, PROMOCODES, PROMOTIONS, REFUNDS,
    USERS, VENUES,
};
use crate::samples;

/// Fills an empty database.
pub(crate) async fn write_sample_rows(db: &Database) {
    db.insert(|view| {
        let mut dice = Dice::new(1);
        for key in 1..=6 {
            view.partners.put(Partner { removed: dice.flip(), ..samples::partner(key) });
        }
        (1..=VENUES).for_each(|key| put_venue(&mut Dice::new(key.unsigned_abs()), key, view));
        (1..=HALL_MAPS).for_each(|key| put_map(&mut dice, key, view));
        (1..=USERS).for_each(|key| put_user(&mut Dice::new(key.unsigned_abs()), key, view));
        (1..=API_KEYS).for_each(|key| put_key(&mut dice, key, view));
        (1..=EVENTS).for_each(|key| put_event(&mut dice, key, view));
        (1..=ORDERS).for_each(|key| put_order(&mut dice, key, view));
        (1..=API_KEYS).for_each(|key| put_attachment(&mut dice, key, view));
        (1..=DEALS).for_each(|key| put_deal(&mut dice, key, view));
        (1..=PROMOCODES).for_each(|key| view.promocodes.put(samples::promocode(Dice::event_of(key), key)));
        (1..=PROMOTIONS).for_each(|key| put_promotion(&mut dice, key, view));
        (1..=REFUNDS).for_each(|key| put_refund(&mut Dice::new(key.unsigned_abs()), key, view));
        (1..=IDEMPOTENCY_RECORDS).for_each(|key| put_answer(&mut Dice::new(key.unsigned_abs()), key, view));
        (1..=MAILS).for_each(|key| put_mail(&mut Dice::new(key.unsigned_abs()), key, view));
    })
    .await;
}

fn put_promotion(dice: &mut Dice, key: i64, view: &mut View) {
    view.promotions.put(Promotion { removed: dice.flip(), ..samples::promotion(Dice::event_of(key), key) });
}

fn put_key(dice: &mut Dice, key: i64, view: &mut View) {
    view.keys.put(ApiKey { partner: dice.partner(), removed: dice.flip(), ..samples::api_key(key, 1) });
}

fn put_attachment(dice: &mut Dice, key: i64, view: &mut View) {
    let attachment = samples::attachment(key, dice.partner().key());
    view.attachments.put(Attachment { removed: dice.flip(), ..attachment });
}

fn put_user(dice: &mut Dice, key: i64, view: &mut View) {
    let (first_name, last_name) = (dice.maybe(Dice::venue_name), dice.maybe(Dice::venue_name));
    view.users.put(User { first_name, last_name, ..samples::user(key) });
}

fn put_venue(dice: &mut Dice, key: i64, view: &mut View) {
    view.venues.put(Venue {
        owner: dice.partner(),
        name: dice.venue_name(),
        city: dice.maybe(Dice::city),
        country: dice.maybe(Dice::country),
        removed: dice.flip(),
        ..samples::venue(key)
    });
}

fn put_map(dice: &mut Dice, key: i64, view: &mut View) {
    view.hall_maps.put(HallMap { venue: dice.hall(), ..samples::hall_map(key, 1) });
}

/// Seats of a set in each state, where no other has them.
fn put_chairs(dice: &mut Dice, set: &TicketSet, view: &mut View) {
    for key in (set.id.key() * 100 + 10_000..).take(24) {
        let states = samples::one_of_each_state(set, key, 1).map(|ticket| ticket.state);
        let state = states[usize::try_from(dice.below(4)).unwrap()].clone();
        let chair = Ticket { state, ..samples::seated_ticket(set, key, dice.row(), dice.seat()) };
        let place = |ticket: &Ticket| ticket.seat.clone().map(|seat| (seat.sector, seat.row, seat.number));
        let is_free = view.tickets.rows().all(|other| other.event != set.event || place(other) != place(&chair));
        if is_free {
            view.tickets.put(chair);
        }
    }
}

/// An event with three sets of eight tickets, and of some seats in two sectors.
fn put_event(dice: &mut Dice, key: i64, view: &mut View) {
    let about = event::EventDetails { tags: dice.some(Dice::tag), ..event::EventDetails::default() };
    let event = Event {
        organizer: dice.partner(),
        status: dice.event_status(),
        lifetime: dice.maybe(|dice| Window { start: dice.moment(), finish: dice.maybe(Dice::moment) }),
        venue: dice.maybe(Dice::venue),
        removed: dice.below(4) == 0,
        details: about,
        created_at: dice.moment(),
        updated_at: dice.moment(),
        ..samples::event(key)
    };
    for place in 1..=3 {
        let set = samples::set(event.id, key * 10 + place);
        for first in [0, 4] {
            let first = set.id.key() * 10 + first;
            for ticket in samples::one_of_each_state(&set, first, 1) {
                view.tickets.put(ticket);
            }
        }
        let set = TicketSet { sector: dice.sector(), ..set };
        put_chairs(dice, &set, view);
        view.sets.put(set);
    }
    view.jobs.put(samples::job(event.id, key));
    view.events.put(event);
}

fn put_deal(dice: &mut Dice, key: i64, view: &mut View) {
    let deal = samples::deal(Dice::event_of(key), key);
    view.deals.put(Deal { agent: dice.partner(), organizer: dice.partner(), status: dice.deal_status(), ..deal });
}

fn put_answer(dice: &mut Dice, key: i64, view: &mut View) {
    view.idempotency_records.put(IdempotencyRecord {
        stored_at: dice.moment(),
        ..samples::idempotency_record(Dice::event_of(key).tag(), key)
    });
}

fn put_mail(dice: &mut Dice, key: i64, view: &mut View) {
    view.mails.put(Mail { due_at: dice.moment(), state: dice.mail_state(), ..samples::mail(key) });
}

fn put_refund(dice: &mut Dice, key: i64, view: &mut View) {
    let event = Dice::event_of(key);
    // Few values, so that some are equal.
    let lines = (0..dice.below(4)).map(|place| samples::refund_line(event, i64::try_from(place).unwrap(), 500));
    view.refunds.put(RefundRequest {
        order: samples::id_in_event(event, dice.order().key()),
        organizer: dice.partner(),
        vendor: dice.partner(),
        status: dice.refund_status(),
        lines: lines.collect(),
        created_at: dice.moment(),
        ..samples::refund(event, key)
    });
}

fn put_order(dice: &mut Dice, key: i64, view: &mut View) {
    let event = Dice::event_of(key);
    let lines =
        (0..dice.below(4)).map(|_| samples::line(event, 1, i64::try_from(dice.below(100_000)).unwrap_or(0))).collect();
    view.orders.put(Order {
        organizer: dice.partner(),
        vendor: dice.partner(),
        status: dice.order_status(),
        reserved_till: dice.moment(),
        customer: some_customer(dice),
        lines,
        refunded: dice.rarely(|_| samples::full_order(event, key).refunded).unwrap_or_default(),
        ..samples::order(event, key)
    });
}

/// Nobody, a user with its own address, or one with another.
fn some_customer(dice: &mut Dice) -> Customer {
    let user = dice.maybe(Dice::user);
    let own = user.map(|user| samples::user(user.key()).email);
    let email = if dice.flip() { own } else { dice.maybe(Dice::email) };
    Customer { user, email, ..Customer::default() }
}
