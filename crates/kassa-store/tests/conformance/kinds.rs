//! The kinds of rows, with examples of each and how they change.

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::idempotency::IdempotencyRecord;
use kassa_domain::job::{Job, JobKind};
use kassa_domain::mail::{Mail, MailState};
use kassa_domain::node::{InstallationSetting, Node, SharedCounter};
use kassa_domain::order::{Customer, Order, OrderId, OrderStatus};
use kassa_domain::partner::{Partner, PartnerManager};
use kassa_domain::promocode::{Promocode, PromocodeUses};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{Culprit, RefundRequest, RefundStatus};
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::seating::SeatingJson;
use kassa_domain::session::Session;
use kassa_domain::set::{SetSeats, TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::{Account, SessionCutoff, User};
use kassa_domain::venue::Venue;
use kassa_domain::view::Table;
use kassa_domain::{Id, ReadSet, ShardTag, View};
use kassa_store::rows::MappedRow;

use crate::samples::{self, at, id_in_event};

/// A kind of row, with examples.
pub(crate) trait SampleRow: MappedRow + PartialEq {
    fn table(view: &mut View) -> &mut Table<Self>;
    fn read_set(&self) -> ReadSet;
    /// By key.
    fn examples() -> Vec<Self>;
    /// Another form of the same row: all that may change has changed.
    fn modified(&self) -> Self;
}

macro_rules! kind {
    ($row:ty, $field:ident, $named:expr, $examples:expr, $changed:expr) => {
        impl SampleRow for $row {
            fn table(view: &mut View) -> &mut Table<Self> {
                &mut view.$field
            }
            fn read_set(&self) -> ReadSet {
                let mut read_set = ReadSet::default();
                let name: fn(&Self, &mut ReadSet) = $named;
                name(self, &mut read_set);
                read_set
            }
            fn examples() -> Vec<Self> {
                $examples.into()
            }
            fn modified(&self) -> Self {
                let change: fn(Self) -> Self = $changed;
                change(self.clone())
            }
        }
    };
}

fn party() -> Event {
    samples::event(1 << 40)
}

kind!(Node, nodes, |row, read_set| read_set.nodes.push(row.number), [samples::node(0), samples::node(1023)], |row| {
    Node { last_id: i64::MAX, next_order_number: 1, order_numbers_end: 0, epoch: i64::MAX, lease_till: at(-1), ..row }
});
kind!(SharedCounter, counters, |row, read_set| read_set.counters.push(row.name), [samples::counter()], |row| {
    SharedCounter { next: 5, ..row }
});
kind!(
    InstallationSetting,
    installation_settings,
    |row, read_set| read_set.installation_settings.push(row.name),
    [samples::installation_setting()],
    |row| InstallationSetting { value: String::new(), ..row }
);
kind!(
    IdempotencyRecord,
    idempotency_records,
    |row, read_set| read_set.idempotency_records.push(row.key),
    [samples::idempotency_record(party().id.tag(), 1), samples::idempotency_record(ShardTag::of_key(9), 2)],
    |row| IdempotencyRecord {
        request_digest: [255; 32],
        encrypted_response: Vec::new(),
        is_final: true,
        stored_at: at(99),
        ..row
    }
);
kind!(User, users, |row, read_set| read_set.users.push(row.id), [samples::user(1), pending(), open()], |row| User {
    email: format!("new{}@example.org", row.id.key()).parse().unwrap(),
    account: Account::Open {
        password_hash: "$argon2id$x".to_owned(),
        confirmed_emails: vec!["ann@example.org".parse().unwrap()],
        session_cutoff: None
    },
    first_name: Some("Ann".to_owned()),
    last_name: None,
    updated_at: at(99),
    revision: 2,
    ..row
});
kind!(
    Session,
    sessions,
    |row, read_set| read_set.sessions.push(row.hash),
    [samples::session(0, Id::root(1)), samples::session(255, Id::root(1))],
    |row| Session { expires_at: at(-1), ..row }
);
kind!(
    Partner,
    partners,
    |row, read_set| read_set.partners.push(row.id),
    [samples::partner(1), samples::full_partner(2)],
    |row| Partner {
        name: String::new(),
        profile: samples::full_partner(1).profile,
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    PartnerManager,
    managers,
    |row, read_set| read_set.managers.push((row.partner, row.user)),
    [samples::manager(1, 1), samples::manager(1, 2), samples::manager(2, 1)],
    |row| row
);
kind!(
    ApiKey,
    keys,
    |row, read_set| read_set.keys.push(row.id),
    [samples::api_key(1, 1), samples::api_key(2, 1)],
    |row| { ApiKey { name: "renamed".to_owned(), removed: true, revision: 2, ..row } }
);
kind!(
    Attachment,
    attachments,
    |row, read_set| read_set.attachments.push(row.id),
    [samples::attachment(1, 1), samples::attachment(2, 1)],
    |row| Attachment { removed: true, updated_at: at(99), revision: 2, ..row }
);
kind!(
    Deal,
    deals,
    |row, read_set| read_set.deals.push(row.id),
    [samples::deal(party().id, 1), samples::deal(party().id, 2)],
    |row| Deal { status: DealStatus::Terminated, updated_at: at(99), revision: 2, ..row }
);
kind!(
    Order,
    orders,
    |row, read_set| read_set.orders.push(row.id),
    [samples::order(party().id, 1), samples::full_order(party().id, 2)],
    |row| Order {
        status: OrderStatus::Canceled,
        reserved_till: at(1),
        lines: vec![samples::line(row.event, 3, 0)],
        promocodes: vec![id_in_event(row.event, 8)],
        promotion_grants: samples::full_order(row.event, 1).promotion_grants.split_off(1),
        terms: samples::full_order(row.event, 1).terms,
        refund_policy: samples::policy(),
        refunded: samples::full_order(row.event, 1).refunded,
        customer: Customer { user: Some(Id::root(3)), ..Customer::default() },
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    RefundRequest,
    refunds,
    |row, read_set| read_set.refunds.push(row.id),
    [samples::refund(party().id, 1), samples::full_refund(party().id, 2)],
    |row| RefundRequest {
        culprit: Culprit::Organizer,
        status: match row.status {
            RefundStatus::New => RefundStatus::InProgress,
            RefundStatus::InProgress | RefundStatus::Approved { .. } => RefundStatus::Rejected { at: at(7) },
            RefundStatus::Rejected { .. } => RefundStatus::New,
        },
        lines: vec![samples::refund_line(row.event, 3, 1)],
        reason: Some("changed".to_owned()),
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    Promocode,
    promocodes,
    |row, read_set| read_set.promocodes.push(row.id),
    [samples::promocode(party().id, 1), samples::full_promocode(party().id, 2)],
    |row| Promocode {
        name: Some("renamed".to_owned()),
        desc: None,
        lifetime: samples::full_promocode(row.event, 1).lifetime,
        uses: PromocodeUses { limit: None, reserved: 1, used: i64::MAX - 1 },
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    Promotion,
    promotions,
    |row, read_set| read_set.promotions.push(row.id),
    [samples::promotion(party().id, 1), samples::full_promotion(party().id, 2)],
    |row| Promotion {
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        created_at: row.created_at,
        ..samples::full_promotion(row.event, row.id.key())
    }
);
kind!(
    TicketSet,
    sets,
    |row, read_set| read_set.sets_of.push(row.event),
    [samples::set(party().id, 1), samples::full_set(party().id, 2), samples::seated_set(party().id, 3)],
    |row| TicketSet {
        name: String::new(),
        rules: samples::full_set(row.event, 1).rules,
        counts: TicketCounts { amount: 3, vacant: 3, ..TicketCounts::default() },
        pending_removal: 3,
        seats: Some(SetSeats { layout: SeatingJson::from_json(r#"{"1":[[2,3]]}"#), created: None }),
        pick_cursor: 12,
        job: Some(id_in_event(row.event, 5)),
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(Ticket, tickets, |row, needs| needs.tickets.push(row.id), tickets(), |row| Ticket {
    state: match row.state {
        TicketState::Vacant => TicketState::Blocked,
        TicketState::Blocked => TicketState::Held { order: id_in_event(row.event, 6), till: at(1) },
        TicketState::Held { order, .. } => {
            TicketState::Sold { order, barcode: "new".to_owned(), refund: Some(id_in_event(row.event, 7)) }
        }
        TicketState::Sold { .. } => TicketState::Vacant,
    },
    ..row
});
kind!(
    SeatRowInventory,
    seat_row_inventories,
    |row, needs| needs.seat_row_inventories.push(row.id),
    [
        samples::seat_row_inventory(&samples::set(party().id, 1), 11, "Ж \"2\"", &[1, 9_999]),
        SeatRowInventory {
            rank: 0,
            ..samples::seat_row_inventory(&samples::set(party().id, 1), 12, "2", &[63, 64, 127, 128])
        },
    ],
    |row| SeatRowInventory { rank: 3, seats: row.seats + 1, vacant: [2].into_iter().collect(), ..row }
);
kind!(
    Venue,
    venues,
    |row, read_set| read_set.venues.push(row.id),
    [samples::venue(1), samples::full_venue(2)],
    |row| { Venue { id: row.id, owner: row.owner, created_at: row.created_at, ..samples::full_venue(9) } }
);
kind!(
    HallMap,
    hall_maps,
    |row, read_set| read_set.hall_maps.push(row.id),
    [samples::hall_map(1, 7), samples::full_hall_map(2, 7)],
    |row| { HallMap { id: row.id, venue: row.venue, created_at: row.created_at, ..samples::full_hall_map(9, 7) } }
);
kind!(
    Event,
    events,
    |row, read_set| read_set.events.push(row.id),
    [samples::event(1), samples::full_event(2), without_end()],
    |row| Event { organizer: row.organizer, id: row.id, created_at: row.created_at, ..samples::full_event(9) }
);
kind!(
    Job,
    jobs,
    |row, read_set| read_set.jobs.push(row.id),
    [samples::job(party().id, 1), Job { kind: refund(None), ..samples::job(party().id, 2) }],
    |row| Job { kind: refund(Some(id_in_event(party().id, 5))), lease_node: Some(1023), lease_till: at(1), ..row }
);
kind!(
    Mail,
    mails,
    |row, read_set| read_set.mails.push(row.id),
    [samples::mail(1), samples::full_mail(party().id, 2)],
    |row| Mail {
        state: MailState::Failed,
        attempts: u32::MAX,
        due_at: at(99),
        error: Some("454 4.7.0 \"later\"".to_owned()),
        ..row
    }
);

/// The work of a canceled event.
fn refund(after: Option<OrderId>) -> JobKind {
    JobKind::Refund { event: party().id, after }
}

/// One in each state, and a seat.
fn tickets() -> Vec<Ticket> {
    let set = samples::set(party().id, 1);
    let chair = samples::seated_ticket(&samples::seated_set(party().id, 2), 15, "Ж \"2\"", 9_999);
    samples::one_of_each_state(&set, 11, 5).into_iter().chain([chair]).collect()
}

fn pending() -> User {
    User { account: Account::Pending { password_hash: "$argon2id$\"'".to_owned() }, ..samples::user(2) }
}

fn open() -> User {
    let cut = Some(SessionCutoff { at: at(7), kept_session: Some([255; 32]) });
    let account = Account::Open { password_hash: String::new(), confirmed_emails: Vec::new(), session_cutoff: cut };
    User { account, last_name: Some("O'Hara".to_owned()), ..samples::user(3) }
}

fn without_end() -> Event {
    let lifetime = Some(kassa_domain::Window { start: at(5), finish: None });
    Event { lifetime, ..samples::event(3) }
}
