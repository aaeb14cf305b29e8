//! The kinds of rows, with examples of each and how they change.

use kassa_domain::attachment::Attachment;
use kassa_domain::bench::Bench;
use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::Event;
use kassa_domain::hall::HallMap;
use kassa_domain::job::{Job, Work};
use kassa_domain::key::ApiKey;
use kassa_domain::mail::{Mail, MailState};
use kassa_domain::node::{Counter, Fact, Node};
use kassa_domain::once::KeptAnswer;
use kassa_domain::order::{Customer, Order, OrderId, OrderStatus};
use kassa_domain::partner::{Manager, Partner};
use kassa_domain::promocode::{Promocode, Uses};
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::{Culprit, RefundRequest, RefundStatus};
use kassa_domain::seating::Layout;
use kassa_domain::session::Session;
use kassa_domain::set::{Counts, Seats, Set};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::{Account, Cut, User};
use kassa_domain::venue::Venue;
use kassa_domain::view::Table;
use kassa_domain::{Id, Needs, Tag, View};
use kassa_store::memory::Held;

use crate::samples::{self, at, on};

/// A kind of row, with examples.
pub(crate) trait Kind: Held + PartialEq {
    fn table(view: &mut View) -> &mut Table<Self>;
    fn named(&self) -> Needs;
    /// By key.
    fn examples() -> Vec<Self>;
    /// Another form of the same row: all that may change has changed.
    fn changed(&self) -> Self;
}

macro_rules! kind {
    ($row:ty, $field:ident, $named:expr, $examples:expr, $changed:expr) => {
        impl Kind for $row {
            fn table(view: &mut View) -> &mut Table<Self> {
                &mut view.$field
            }
            fn named(&self) -> Needs {
                let mut needs = Needs::default();
                let name: fn(&Self, &mut Needs) = $named;
                name(self, &mut needs);
                needs
            }
            fn examples() -> Vec<Self> {
                $examples.into()
            }
            fn changed(&self) -> Self {
                let change: fn(Self) -> Self = $changed;
                change(self.clone())
            }
        }
    };
}

fn party() -> Event {
    samples::event(1 << 40)
}

kind!(Node, nodes, |row, needs| needs.nodes.push(row.node), [samples::node(0), samples::node(1023)], |row| Node {
    id_mark: i64::MAX,
    number_next: 1,
    number_end: 0,
    epoch: i64::MAX,
    lease_till: at(-1),
    ..row
});
kind!(Counter, counters, |row, needs| needs.counters.push(row.name), [samples::counter()], |row| Counter {
    next: 5,
    ..row
});
kind!(Fact, facts, |row, needs| needs.facts.push(row.name), [samples::fact()], |row| Fact {
    value: String::new(),
    ..row
});
kind!(
    KeptAnswer,
    answers,
    |row, needs| needs.answers.push(row.key),
    [samples::answer(party().id.tag(), 1), samples::answer(Tag::of(9), 2)],
    |row| KeptAnswer { request: [255; 32], sealed: Vec::new(), is_final: true, kept_at: at(99), ..row }
);
kind!(User, users, |row, needs| needs.users.push(row.id), [samples::user(1), pending(), open()], |row| User {
    email: format!("new{}@example.org", row.id.key()).parse().unwrap(),
    account: Account::Open {
        password: "$argon2id$x".to_owned(),
        proved: vec!["ann@example.org".parse().unwrap()],
        cut: None
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
    |row, needs| needs.sessions.push(row.hash),
    [samples::session(0, Id::root(1)), samples::session(255, Id::root(1))],
    |row| Session { expires_at: at(-1), ..row }
);
kind!(
    Partner,
    partners,
    |row, needs| needs.partners.push(row.id),
    [samples::partner(1), samples::full_partner(2)],
    |row| Partner {
        name: String::new(),
        about: samples::full_partner(1).about,
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    Manager,
    managers,
    |row, needs| needs.managers.push((row.partner, row.user)),
    [samples::manager(1, 1), samples::manager(1, 2), samples::manager(2, 1)],
    |row| row
);
kind!(ApiKey, keys, |row, needs| needs.keys.push(row.id), [samples::key(1, 1), samples::key(2, 1)], |row| ApiKey {
    name: "renamed".to_owned(),
    removed: true,
    revision: 2,
    ..row
});
kind!(
    Attachment,
    attachments,
    |row, needs| needs.attachments.push(row.id),
    [samples::attachment(1, 1), samples::attachment(2, 1)],
    |row| Attachment { removed: true, updated_at: at(99), revision: 2, ..row }
);
kind!(
    Deal,
    deals,
    |row, needs| needs.deals.push(row.id),
    [samples::deal(party().id, 1), samples::deal(party().id, 2)],
    |row| Deal { status: DealStatus::Terminated, updated_at: at(99), revision: 2, ..row }
);
kind!(
    Order,
    orders,
    |row, needs| needs.orders.push(row.id),
    [samples::order(party().id, 1), samples::full_order(party().id, 2)],
    |row| Order {
        status: OrderStatus::Canceled,
        reserved_till: at(1),
        lines: vec![samples::line(row.event, 3, 0)],
        promocodes: vec![on(row.event, 8)],
        promises: samples::full_order(row.event, 1).promises.split_off(1),
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
    |row, needs| needs.refunds.push(row.id),
    [samples::refund(party().id, 1), samples::full_refund(party().id, 2)],
    |row| RefundRequest {
        culprit: Culprit::Org,
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
    |row, needs| needs.promocodes.push(row.id),
    [samples::promocode(party().id, 1), samples::full_promocode(party().id, 2)],
    |row| Promocode {
        name: Some("renamed".to_owned()),
        desc: None,
        lifetime: samples::full_promocode(row.event, 1).lifetime,
        uses: Uses { amount: None, reserved: 1, used: i64::MAX - 1 },
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(
    Promotion,
    promotions,
    |row, needs| needs.promotions.push(row.id),
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
    Set,
    sets,
    |row, needs| needs.sets_of.push(row.event),
    [samples::set(party().id, 1), samples::full_set(party().id, 2), samples::seated_set(party().id, 3)],
    |row| Set {
        name: String::new(),
        rules: samples::full_set(row.event, 1).rules,
        counts: Counts { amount: 3, vacant: 3, ..Counts::default() },
        doomed: 3,
        seats: Some(Seats { layout: Layout::stored(r#"{"1":[[2,3]]}"#), made: None }),
        cursor: 12,
        job: Some(on(row.event, 5)),
        removed: !row.removed,
        updated_at: at(99),
        revision: 2,
        ..row
    }
);
kind!(Ticket, tickets, |row, needs| needs.tickets.push(row.id), tickets(), |row| Ticket {
    state: match row.state {
        TicketState::Vacant => TicketState::Blocked,
        TicketState::Blocked => TicketState::Held { order: on(row.event, 6), till: at(1) },
        TicketState::Held { order, .. } => {
            TicketState::Sold { order, barcode: "new".to_owned(), refund: Some(on(row.event, 7)) }
        }
        TicketState::Sold { .. } => TicketState::Vacant,
    },
    ..row
});
kind!(
    Bench,
    benches,
    |row, needs| needs.benches.push(row.id),
    [
        samples::bench(&samples::set(party().id, 1), 11, "Ж \"2\"", &[1, 9_999]),
        Bench { rank: 0, ..samples::bench(&samples::set(party().id, 1), 12, "2", &[63, 64, 127, 128]) },
    ],
    |row| Bench { rank: 3, chairs: row.chairs + 1, vacant: [2].into_iter().collect(), ..row }
);
kind!(Venue, venues, |row, needs| needs.venues.push(row.id), [samples::venue(1), samples::full_venue(2)], |row| {
    Venue { id: row.id, org: row.org, created_at: row.created_at, ..samples::full_venue(9) }
});
kind!(HallMap, maps, |row, needs| needs.maps.push(row.id), [samples::map(1, 7), samples::full_map(2, 7)], |row| {
    HallMap { id: row.id, venue: row.venue, created_at: row.created_at, ..samples::full_map(9, 7) }
});
kind!(
    Event,
    events,
    |row, needs| needs.events.push(row.id),
    [samples::event(1), samples::full_event(2), without_end()],
    |row| Event { org: row.org, id: row.id, created_at: row.created_at, ..samples::full_event(9) }
);
kind!(
    Job,
    jobs,
    |row, needs| needs.jobs.push(row.id),
    [samples::job(party().id, 1), Job { work: refund(None), ..samples::job(party().id, 2) }],
    |row| Job { work: refund(Some(on(party().id, 5))), lease_node: Some(1023), lease_till: at(1), ..row }
);
kind!(
    Mail,
    mails,
    |row, needs| needs.mails.push(row.id),
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
fn refund(after: Option<OrderId>) -> Work {
    Work::Refund { event: party().id, after }
}

/// One in each state, and a chair.
fn tickets() -> Vec<Ticket> {
    let set = samples::set(party().id, 1);
    let chair = samples::chair(&samples::seated_set(party().id, 2), 15, "Ж \"2\"", 9_999);
    samples::one_of_each_state(&set, 11, 5).into_iter().chain([chair]).collect()
}

fn pending() -> User {
    User { account: Account::Pending { password: "$argon2id$\"'".to_owned() }, ..samples::user(2) }
}

fn open() -> User {
    let cut = Some(Cut { at: at(7), kept: Some([255; 32]) });
    let account = Account::Open { password: String::new(), proved: Vec::new(), cut };
    User { account, last_name: Some("O'Hara".to_owned()), ..samples::user(3) }
}

fn without_end() -> Event {
    let lifetime = Some(kassa_domain::Window { start: at(5), finish: None });
    Event { lifetime, ..samples::event(3) }
}
