//! Rows to write: of each kind a bare one and one with every field filled, and their new forms.

use kassa_domain::attachment::{Attachment, Bits};
use kassa_domain::bench::{Bench, UNRANKED};
use kassa_domain::deal::{Deal, DealStatus};
use kassa_domain::event::{self, Event, EventId, EventStatus};
use kassa_domain::geo::CityId;
use kassa_domain::hall::{HallMap, Length, SeatRow, Sector};
use kassa_domain::job::{Job, Work};
use kassa_domain::key::ApiKey;
use kassa_domain::mail::{Letter, Mail, MailState};
use kassa_domain::media::{Media, MediaItem};
use kassa_domain::node::{Counter, CounterName, Fact, FactName, Node};
use kassa_domain::once::{AnswerKey, KeptAnswer};
use kassa_domain::order::{
    Customer, Line, Notes, Order, OrderStatus, Origin, Payment, PaymentSystem, Promise, Refunded, Scalar, VendorData,
    Visitor,
};
use kassa_domain::partner::{self, Contact, Manager, Partner, Role, StandardTerm};
use kassa_domain::price::{Price, Share, Terms};
use kassa_domain::promocode::{Promocode, TicketsCount, Uses};
use kassa_domain::promotion::{Discount, Level, Measure, Promotion};
use kassa_domain::refund::{Back, Culprit, RefundLine, RefundPolicy, RefundRequest, RefundStatus};
use kassa_domain::seating::{Layout, Seat, Span};
use kassa_domain::session::Session;
use kassa_domain::set::{Counts, Rule, Seats, Set};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::{Account, User, UserId};
use kassa_domain::venue::{self, Point, Venue};
use kassa_domain::{Id, Money, Percent, Tag, Timestamp, Window};

pub(crate) fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(1_767_225_600_000 + ms)
}

/// The id of something on the shard of an event.
pub(crate) fn on<K>(event: EventId, key: i64) -> Id<K> {
    Id::under(event.tag(), key)
}

pub(crate) fn node(node: u16) -> Node {
    Node { node, id_mark: 7 << 40, number_next: 100_005, number_end: 110_001, epoch: 3, lease_till: at(9) }
}

pub(crate) fn counter() -> Counter {
    Counter { name: CounterName::OrderNumber, next: 110_001 }
}

pub(crate) fn fact() -> Fact {
    Fact { name: FactName::SecretFingerprint, value: "0123abcd".to_owned() }
}

/// An answer to a command of an event, or of whatever has this tag.
pub(crate) fn answer(tag: Tag, key: i64) -> KeptAnswer {
    let mut digest = [7; 32];
    digest[..8].copy_from_slice(&key.to_be_bytes());
    let key = AnswerKey { tag, digest };
    KeptAnswer { key, request: [1; 32], sealed: b"\0sealed\xff".to_vec(), is_final: false, kept_at: at(0) }
}

/// A customer `n<key>@example.org`.
pub(crate) fn user(key: i64) -> User {
    User {
        id: Id::root(key),
        email: format!("n{key}@example.org").parse().unwrap(),
        account: Account::Customer,
        first_name: None,
        last_name: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn session(hash: u8, user: UserId) -> Session {
    Session { hash: [hash; 32], user, password_since: at(0), expires_at: at(9_000) }
}

pub(crate) fn partner(key: i64) -> Partner {
    Partner {
        id: Id::root(key),
        name: format!("Partner {key}"),
        about: partner::About::default(),
        removed: false,
        user: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_partner(key: i64) -> Partner {
    let text = |text: &str| Some(text.to_owned());
    let legal = serde_json::json!({"type": "ru/ip", "bank": {"bik": "044525225"}});
    let contact = Contact {
        address: text("1 Main St, \"B\""),
        email: text("Box@Example.org"),
        name: text("Анна"),
        phones: vec!["+1 555".to_owned(), String::new()],
        www: text("https://example.org/?a=$1"),
    };
    let about = partner::About {
        desc: text("line\nline"),
        director: text("O'Hara"),
        channels: text("?"),
        contact,
        legal: legal.as_object().cloned(),
        roles: vec![Role::Org, Role::Agent],
        tags: vec!["rock".to_owned(), "джаз".to_owned()],
        media: media(),
        standard_term: Some(StandardTerm {
            org: Share::Percent(Percent::from_units(900_000)),
            extra: Share::Amount(Money::from_minor(50)),
            pfc: true,
        }),
        refund_policy: Some(policy()),
    };
    Partner { about, removed: true, user: Some(Id::root(2)), ..partner(key) }
}

pub(crate) fn manager(partner: i64, user: i64) -> Manager {
    Manager { partner: Id::root(partner), user: Id::root(user) }
}

pub(crate) fn key(key: i64, partner: i64) -> ApiKey {
    ApiKey {
        id: Id::root(key),
        partner: Id::root(partner),
        name: format!("key {key}"),
        hash: [u8::try_from(key % 251).unwrap(); 32],
        sealed: vec![0, 255, 1],
        removed: false,
        created_at: at(key),
        revision: 1,
    }
}

/// An attachment of a partner, whose token is told by its key.
pub(crate) fn attachment(key: i64, author: i64) -> Attachment {
    Attachment {
        id: Id::root(key),
        author: Id::root(author),
        content_type: "text/plain; charset=\"utf-8\"".parse().unwrap(),
        length: 20 * 1024 * 1024 + key,
        md5: Bits([0; 16]),
        token: Bits(i128::from(key).to_be_bytes()),
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// A deal of agent 2 with partner 1.
pub(crate) fn deal(event: EventId, key: i64) -> Deal {
    Deal {
        id: on(event, key),
        event,
        subj: Id::root(2),
        obj: Id::root(1),
        status: DealStatus::Accepted,
        reversed: key % 2 == 0,
        message: "'; --".to_owned(),
        terms: full_order(event, key).terms,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

fn media() -> Media {
    let item = |key| Some(MediaItem::from(&attachment(key, 1)));
    Media { main: item(5), small: None, original: item(6) }
}

/// A policy that is not the usual one.
pub(crate) fn policy() -> RefundPolicy {
    RefundPolicy { kept: Percent::from_units(125_000), days_before: 3, after_start: true }
}

/// A public event of partner 1.
pub(crate) fn event(key: i64) -> Event {
    Event {
        id: Id::root(key),
        org: Id::root(1),
        status: EventStatus::Public,
        lifetime: None,
        venue: None,
        map: None,
        removed: false,
        about: event::About::default(),
        tickets_limit: 100,
        hold_minutes: 15,
        next_ticket: 1,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_event(key: i64) -> Event {
    let about = event::About {
        title: "Ночь \u{1f3b8} 'live'".to_owned(),
        desc: Some(String::new()),
        tags: vec!["a".to_owned()],
        age_rating: 18,
        media: media(),
        refund_policy: Some(policy()),
    };
    let lifetime = Some(Window { start: at(0), finish: Some(at(3_600_000)) });
    Event {
        status: EventStatus::StandBy,
        lifetime,
        venue: Some(Id::root(7)),
        map: Some(Id::root(8)),
        removed: true,
        about,
        tickets_limit: 1,
        hold_minutes: 10_080,
        next_ticket: 1 << 40,
        ..event(key)
    }
}

/// A venue of partner 1.
pub(crate) fn venue(key: i64) -> Venue {
    Venue {
        id: Id::root(key),
        org: Id::root(1),
        name: format!("Venue {key}"),
        about: venue::About::default(),
        city: None,
        country: None,
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_venue(key: i64) -> Venue {
    let about = venue::About {
        desc: Some("By the river\n".to_owned()),
        address: Some("Большая ул., 1".to_owned()),
        point: Point::new(-180.0, 89.999_999_9),
    };
    Venue {
        name: "ДК «Ромашка» 100%_!".to_owned(),
        about,
        city: Some(CityId(u32::MAX)),
        country: "RU".parse().ok(),
        removed: true,
        updated_at: at(99),
        revision: 2,
        ..venue(key)
    }
}

/// A map of a venue, without a sector.
pub(crate) fn map(key: i64, venue: i64) -> HallMap {
    HallMap {
        id: Id::root(key),
        venue: Id::root(venue),
        name: format!("Map {key}"),
        desc: None,
        sectors: Vec::new(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_map(key: i64, venue: i64) -> HallMap {
    let row = SeatRow {
        row: "А'1".parse().unwrap(),
        seats: Span { from: 1, to: 9_999 },
        x: Length(-100_000_000),
        y: Length(1),
        dx: Length(2_000),
        dy: Length(0),
        rank: Some(3),
    };
    let seated =
        Sector { id: "stalls".to_owned(), name: "Партер".to_owned(), desc: Some(String::new()), rows: vec![row] };
    let standing = Sector { id: "6955b900ffffffff00000001".to_owned(), desc: None, rows: Vec::new(), ..seated.clone() };
    HallMap {
        name: "Большой зал".to_owned(),
        desc: Some("Since 1825".to_owned()),
        sectors: vec![seated, standing],
        updated_at: at(99),
        revision: 2,
        ..map(key, venue)
    }
}

/// A promocode `CODE <key>`.
pub(crate) fn promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        id: on(event, key),
        event,
        code: format!("CODE {key}").parse().unwrap(),
        name: None,
        desc: None,
        sets: Vec::new(),
        discount: Share::Percent(Percent::from_units(333_333)),
        tickets_count: TicketsCount::default(),
        lifetime: None,
        uses: Uses::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        code: "Весна 100%_'\"".parse().unwrap(),
        name: Some("Spring".to_owned()),
        desc: Some("for\nstudents".to_owned()),
        sets: vec![on(event, 9), on(event, 8)],
        discount: Share::Amount(Money::PRICE_MAX),
        tickets_count: TicketsCount { min: Some(2), max: Some(u32::MAX) },
        lifetime: Some(Window { start: at(0), finish: Some(at(3_600_000)) }),
        uses: Uses { amount: Some(7), reserved: 3, used: 4 },
        ..promocode(event, key)
    }
}

/// A promotion by count for all sets, without an end.
pub(crate) fn promotion(event: EventId, key: i64) -> Promotion {
    let level = Level { from: 2, value: Share::Percent(Percent::from_units(333_333)) };
    Promotion {
        id: on(event, key),
        event,
        lifetime: Window { start: at(0), finish: None },
        discount: Discount { sets: Vec::new(), by: Measure::Count, levels: vec![level] },
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_promotion(event: EventId, key: i64) -> Promotion {
    let level = |from| Level { from, value: Share::Amount(Money::PRICE_MAX) };
    let sets = vec![on(event, 9), on(event, 8)];
    Promotion {
        lifetime: Window { start: at(-1), finish: Some(at(3_600_000)) },
        discount: Discount { sets, by: Measure::Sum, levels: vec![level(0), level(Money::PRICE_MAX.minor())] },
        removed: true,
        ..promotion(event, key)
    }
}

/// An empty set.
pub(crate) fn set(event: EventId, key: i64) -> Set {
    Set {
        id: on(event, key),
        event,
        name: format!("Set {key}"),
        desc: None,
        sector: String::new(),
        pos: 0,
        serial: "ABC".to_owned(),
        rules: Vec::new(),
        counts: Counts::default(),
        doomed: 0,
        seats: None,
        cursor: 0,
        job: None,
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_set(event: EventId, key: i64) -> Set {
    let rule = |key, start, finish| Rule {
        id: on(event, key),
        window: Window { start: at(start), finish },
        until_end: finish.is_none(),
        price: Money::from_minor(Money::PRICE_MAX.minor() - key),
        sold: key % 2 == 0,
    };
    Set {
        desc: Some("near the stage".to_owned()),
        sector: "Партер".to_owned(),
        pos: -3,
        rules: vec![rule(51, 0, Some(at(5_000))), rule(52, 5_000, None)],
        counts: Counts { amount: 15, vacant: 1, held: 2, sold: 3, blocked: 4, pending: 5 },
        doomed: 5,
        cursor: i64::MAX,
        job: Some(on(event, 77)),
        removed: true,
        ..set(event, key)
    }
}

/// A vacant ticket whose number is its key.
pub(crate) fn ticket(set: &Set, key: i64) -> Ticket {
    Ticket {
        id: on(set.event, key),
        event: set.event,
        set: set.id,
        number: key,
        seat: None,
        state: TicketState::Vacant,
    }
}

/// A set of chairs that a job is working on.
pub(crate) fn seated_set(event: EventId, key: i64) -> Set {
    let layout = Layout::stored(r#"{"1":[[1,9]],"Ж \"2\"":[[1,1],[3,9999]]}"#);
    let seats = Some(Seats { layout, made: Some(Layout::stored("{}")) });
    Set { sector: "L".to_owned(), seats, ..set(event, key) }
}

/// A vacant ticket for a chair.
pub(crate) fn chair(set: &Set, key: i64, row: &str, number: u16) -> Ticket {
    let bench = on(set.event, set.id.key() + 9_000);
    let place = Seat { sector: set.sector.clone(), row: row.parse().unwrap(), number, bench };
    Ticket { seat: Some(Box::new(place)), ..ticket(set, key) }
}

/// The bench of a set in a row, with these vacant chairs and no others.
pub(crate) fn bench(set: &Set, key: i64, row: &str, vacant: &[u16]) -> Bench {
    let (row, chairs, vacant) = (row.parse().unwrap(), u32::try_from(vacant.len()).unwrap(), vacant.iter().copied());
    Bench { id: on(set.event, key), set: set.id, row, rank: UNRANKED, chairs, vacant: vacant.collect() }
}

/// Four tickets from `key` on: vacant, held and sold by `order`, and blocked.
pub(crate) fn one_of_each_state(set: &Set, key: i64, order: i64) -> [Ticket; 4] {
    let order = on(set.event, order);
    let states = [
        TicketState::Vacant,
        TicketState::Held { order, till: at(60_000) },
        TicketState::Sold { order, barcode: format!("{key:016}"), refund: None },
        TicketState::Blocked,
    ];
    let mut next = key..;
    states.map(|state| Ticket { state, ..ticket(set, next.next().unwrap()) })
}

/// An order without tickets, of partner 1 for itself.
pub(crate) fn order(event: EventId, key: i64) -> Order {
    Order {
        id: on(event, key),
        event,
        org: Id::root(1),
        vendor: Id::root(1),
        number: 100_000 + key,
        status: OrderStatus::Executed,
        reserved_till: at(60_000),
        lines: Vec::new(),
        promocodes: Vec::new(),
        promises: Vec::new(),
        deal: None,
        terms: Terms::own_sale(Percent::from_units(30_000)),
        refund_policy: RefundPolicy::default(),
        refunded: Refunded::default(),
        customer: Customer::default(),
        payment: Payment::default(),
        origin: Origin::Api,
        notes: Notes::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// The line of a ticket that costs so many cents.
pub(crate) fn line(event: EventId, key: i64, minor: i64) -> Line {
    let terms = Terms {
        org: None,
        extra: Share::Amount(Money::from_minor(5)),
        core: Share::Percent(Percent::from_units(1)),
        pfc: true,
    };
    let price = Price::new(Money::from_minor(minor), Money::from_minor(minor / 10), &terms);
    let promocode = (key % 2 == 0).then(|| on(event, 8));
    let promotion = (key % 2 == 1).then(|| on(event, 10));
    Line { ticket: on(event, key), number: key, set: on(event, 9), rule: on(event, 51), promocode, promotion, price }
}

pub(crate) fn done() -> OrderStatus {
    OrderStatus::Done { at: at(123), code: "a1b2c3d4".to_owned() }
}

/// Something of everything that can be kept with an order.
fn notes(event: EventId) -> Notes {
    let raw = [
        ("flag", Scalar::Flag(true)),
        ("number", Scalar::Number(i64::MIN)),
        ("text", Scalar::Text("true \"3\"".to_owned())),
    ];
    let vendor_data = VendorData {
        order_id: Some("A-17".to_owned()),
        raw: raw.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    };
    let visitor = Visitor {
        ticket: on(event, 101),
        user_id: "u1".to_owned(),
        name: "Ann".to_owned(),
        surname: "O'Hara".to_owned(),
        middle_name: Some("Ж".to_owned()),
    };
    Notes { subscribe_agree: true, vendor_data, visitors: vec![visitor] }
}

pub(crate) fn full_order(event: EventId, key: i64) -> Order {
    let text = |text: &str| Some(text.to_owned());
    let customer = Customer {
        email: Some("ann@example.org".parse().unwrap()),
        first_name: text("Ann"),
        last_name: text("O'Hara"),
        mobile: text("+1"),
        lang: text("ru"),
        user: Some(Id::root(2)),
    };
    let payment = Payment {
        system: Some(PaymentSystem::ApiBase),
        success_url: text("https://example.org/ok?a=1&b=\"2\""),
        failure_url: text("https://example.org/no"),
        send_tickets: true,
    };
    let terms = Terms { org: Some(Share::Percent(Percent::HUNDRED)), ..Terms::own_sale(Percent::HUNDRED) };
    let lines = vec![line(event, 101, 1_000), line(event, 102, Money::PRICE_MAX.minor())];
    let (deal, promocodes) = (Some(on(event, 7)), vec![on(event, 8), on(event, 6)]);
    let promise = |promotion: Promotion| Promise { promotion: promotion.id, discount: promotion.discount };
    let promises = vec![promise(promotion(event, 10)), promise(full_promotion(event, 11))];
    let refunded = Refunded { paid: Money::from_minor(1_000), back: Money::from_minor(999) };
    Order {
        vendor: Id::root(2),
        status: done(),
        deal,
        lines,
        promocodes,
        promises,
        terms,
        refund_policy: policy(),
        refunded,
        customer,
        payment,
        origin: Origin::ControlPanel,
        notes: notes(event),
        ..order(event, key)
    }
}

/// A status of an order that was paid, and has given its tickets back.
pub(crate) fn refunded() -> OrderStatus {
    OrderStatus::Refunded { at: at(456), paid_at: at(123), code: "a1b2c3d4".to_owned() }
}

/// A request for nothing of order 5, of partner 1 for itself.
pub(crate) fn refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        id: on(event, key),
        order: on(event, 5),
        event,
        org: Id::root(1),
        vendor: Id::root(1),
        culprit: Culprit::User,
        status: RefundStatus::New,
        lines: Vec::new(),
        rest: Vec::new(),
        policy: RefundPolicy::default(),
        payment_system: None,
        requested_at: at(key),
        reason: None,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

/// A ticket of a request, for which so many cents are given back.
pub(crate) fn refund_line(event: EventId, key: i64, minor: i64) -> RefundLine {
    let [nominal, extra, org, core] = [minor - minor / 5, minor / 5, minor / 2, minor / 3].map(Money::from_minor);
    RefundLine { line: line(event, key, 1_000), back: Back { nominal, extra, org, core } }
}

pub(crate) fn full_refund(event: EventId, key: i64) -> RefundRequest {
    RefundRequest {
        vendor: Id::root(2),
        culprit: Culprit::Org,
        status: RefundStatus::Approved { at: at(500) },
        lines: vec![refund_line(event, 101, 999), refund_line(event, 102, Money::PRICE_MAX.minor())],
        rest: vec![on(event, 103), on(event, 104)],
        policy: policy(),
        payment_system: Some(PaymentSystem::ApiBase),
        requested_at: at(-1),
        reason: Some("дождь\n\"'".to_owned()),
        ..refund(event, key)
    }
}

pub(crate) fn job(event: EventId, key: i64) -> Job {
    Job::new(on(event, key), Work::Resize { event, set: on(event, 9) })
}

/// A mail to the customer `n<key>@example.org`, due at once.
pub(crate) fn mail(key: i64) -> Mail {
    let user = user(key);
    Mail {
        id: Id::root(key),
        to: user.email,
        letter: Letter::ConfirmEmail { user: user.id },
        lang: None,
        state: MailState::Waiting,
        attempts: 0,
        due_at: at(key),
        error: None,
        created_at: at(key),
    }
}

pub(crate) fn full_mail(event: EventId, key: i64) -> Mail {
    let letter = Letter::Tickets { event, order: on(event, 5) };
    let (lang, error) = (Some("ru".to_owned()), Some("нет связи".to_owned()));
    Mail { id: on(event, key), letter, lang, attempts: 3, error, ..mail(key) }
}
