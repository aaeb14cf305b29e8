//! Orders.

use kassa_domain::change::Revision;
use kassa_domain::deal::DealId;
use kassa_domain::event::EventId;
use kassa_domain::order::{
    Customer, NetworkMark, Order, OrderId, OrderLine, OrderNotes, OrderOrigin, OrderStatus, OrderStatusKind, Payment,
    PromotionGrant, RefundTotals,
};
use kassa_domain::partner::PartnerId;
use kassa_domain::price::{Terms, TicketPrice};
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refund::RefundPolicy;
use kassa_domain::user::{Email, UserId};
use kassa_domain::view::Condition;
use kassa_domain::{Actor, Id, ShardTag, Timestamp};
use serde::{Deserialize, Serialize, Serializer};

use crate::cell::{RowReader, json_cell};
use crate::error::StoreError;
use crate::lists::{
    Comparison, Conditions, Filter, NEWEST_FIRST, Predicate, SortKey, Visibility, root_keys, tag_of_all,
};
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, table};

/// What of an order nothing filters by.
#[derive(Serialize, Deserialize)]
struct OrderBody {
    status: OrderStatus,
    lines: Vec<OrderLine>,
    #[serde(default)]
    promocodes: Vec<PromocodeId>,
    #[serde(default)]
    promotion_grants: Vec<PromotionGrant>,
    #[serde(default)]
    deal: Option<DealId>,
    terms: Terms,
    #[serde(default)]
    refund_policy: RefundPolicy,
    #[serde(default)]
    refunded: RefundTotals,
    #[serde(default)]
    customer: Customer,
    #[serde(default)]
    payment: Payment,
    #[serde(default)]
    origin: OrderOrigin,
    #[serde(default)]
    notes: OrderNotes,
}

/// The same, without a copy. Lines and terms are lists of their fields: with the names of these, the body would be more than
/// half as long again, and each page that a sale fills costs time. Either form is read.
#[derive(Serialize)]
struct OrderBodyRef<'a> {
    status: &'a OrderStatus,
    #[serde(serialize_with = "serialize_lines")]
    lines: &'a [OrderLine],
    #[serde(skip_serializing_if = "<[PromocodeId]>::is_empty")]
    promocodes: &'a [PromocodeId],
    #[serde(skip_serializing_if = "<[PromotionGrant]>::is_empty")]
    promotion_grants: &'a [PromotionGrant],
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<DealId>,
    #[serde(serialize_with = "serialize_terms")]
    terms: &'a Terms,
    #[serde(skip_serializing_if = "is_default_refund_policy")]
    refund_policy: &'a RefundPolicy,
    #[serde(skip_serializing_if = "RefundTotals::is_zero")]
    refunded: &'a RefundTotals,
    #[serde(skip_serializing_if = "Customer::is_empty")]
    customer: &'a Customer,
    payment: &'a Payment,
    origin: OrderOrigin,
    #[serde(skip_serializing_if = "OrderNotes::is_empty")]
    notes: &'a OrderNotes,
}

/// Each as the list of its fields, in the order in which they are declared.
fn serialize_lines<S: Serializer>(lines: &[OrderLine], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|line| {
        let OrderLine { ticket, number, set, rule, promocode, promotion, price } = line;
        let TicketPrice { price, discount, surcharge, organizer, platform } = price;
        (ticket, number, set, rule, promocode, promotion, (price, discount, surcharge, organizer, platform))
    }))
}

/// As the list of their fields, in the order in which they are declared.
fn serialize_terms<S: Serializer>(terms: &Terms, serializer: S) -> Result<S::Ok, S::Error> {
    let Terms { organizer_share, markup, platform_share, platform_fee_on_top } = terms;
    (organizer_share, markup, platform_share, platform_fee_on_top).serialize(serializer)
}

fn is_default_refund_policy(policy: &RefundPolicy) -> bool {
    *policy == RefundPolicy::default()
}

impl<'a> From<&'a Order> for OrderBodyRef<'a> {
    fn from(order: &'a Order) -> Self {
        Self {
            status: &order.status,
            lines: &order.lines,
            promocodes: &order.promocodes,
            promotion_grants: &order.promotion_grants,
            deal: order.deal,
            terms: &order.terms,
            refund_policy: &order.refund_policy,
            refunded: &order.refunded,
            customer: &order.customer,
            payment: &order.payment,
            origin: order.origin,
            notes: &order.notes,
        }
    }
}

table! { Order, "orders", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "vendor": vendor = Id::root(source.int()?), row.vendor.key();
    Immutable Int "number": number = source.int()?, row.number;
    Indexed Text "status": state = source.text()?, row.state().name();
    Indexed Int "reserved_till": reserved_till = read_time(source)?, row.reserved_till.ms();
    Indexed Int "user_id": user = source.int_or_null()?.map(Id::root), row.customer.user.map(Id::key);
    Indexed Text "email": email = read_email(key, source)?, row.customer.email.as_ref().map(Email::as_str);
    Indexed Int "network": network = source.int_or_null()?.map(NetworkMark::new), row.network.map(NetworkMark::number);
    Mutable Int "value": _value = source.int()?, row.totals().full.minor();
    Mutable Int "retained": _retained = source.int()?, row.refunded.retained().minor();
    Mutable Int "ticket_count": _count = source.int()?, ticket_count(row);
    Mutable Json "body": body = source.json::<OrderBody>()?, json_cell(&OrderBodyRef::from(row));
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => checked_state(&state, Order {
    id: Id::with_tag(tag, key),
    event,
    organizer,
    vendor,
    number,
    status: body.status,
    reserved_till,
    lines: body.lines,
    promocodes: body.promocodes,
    promotion_grants: body.promotion_grants,
    deal: body.deal,
    terms: body.terms,
    refund_policy: body.refund_policy,
    refunded: body.refunded,
    customer: Customer { user, email, ..body.customer },
    payment: body.payment,
    origin: body.origin,
    network,
    notes: body.notes,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
})?,
    unique vec![row.number.to_string()]
}

/// How many tickets an order has. A command writes far fewer than a number can count.
pub(crate) fn ticket_count(order: &Order) -> i64 {
    let count = i64::try_from(order.lines.len());
    debug_assert!(count.is_ok(), "an order has more tickets than there are");
    count.unwrap_or(i64::MAX)
}

/// An order, whose state must be that of the column.
fn checked_state(state: &str, order: Order) -> Result<Order, StoreError> {
    let found = order.state();
    if found.name() == state {
        return Ok(order);
    }
    Err(StoreError::Corrupt(format!("order {} is {state} in one place and {found} in another", order.id)))
}

fn read_email(key: i64, source: &mut dyn RowReader) -> Result<Option<Email>, StoreError> {
    let corrupt = |_| StoreError::Corrupt(format!("the e-mail of order {key}"));
    source.text_or_null()?.map(|text| text.parse().map_err(corrupt)).transpose()
}

/// Orders whose hold has ended, the longest ago first.
#[derive(Clone, Debug)]
pub struct ExpiredHolds {
    /// The time.
    pub now: Timestamp,
    /// None for events of these organizers.
    pub except: Vec<PartnerId>,
}

impl Filter for ExpiredHolds {
    type Row = Order;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("reserved_till"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Condition::OneOf("status", &["executed", "in_progress"]));
        conditions.add(Predicate::compare("reserved_till", Comparison::AtMost, self.now.ms()));
        if !self.except.is_empty() {
            conditions.add(Predicate::NoneOf("organizer", root_keys(&self.except).collect()));
        }
    }
}

/// Paid orders for an event that have tickets, behind another, by id.
#[derive(Clone, Copy, Debug)]
pub struct PaidOrdersFilter {
    /// The event.
    pub event: EventId,
    /// The last one that was seen.
    pub after: Option<OrderId>,
}

impl Filter for PaidOrdersFilter {
    type Row = Order;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("event", self.event));
        conditions.extend(self.after.map(|last| Predicate::compare("id", Comparison::Above, last.key())));
        conditions.add(Predicate::equal("status", OrderStatusKind::Paid.name()));
    }
}

/// How a list of orders is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrdersSort {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first.
    Oldest,
    /// By their sums; of equal ones the newest first. No index has them so: only of those that `ids` names.
    Value {
        /// From the largest down.
        descending: bool,
    },
    /// By the e-mail of the customer, and likewise.
    Email {
        /// From the last down.
        descending: bool,
    },
}

/// Orders that a caller may see.
#[derive(Clone, Debug, Default)]
pub struct OrdersFilter {
    /// The partners that the caller acts for: it sees orders that they sold or organize.
    pub partners: Vec<PartnerId>,
    /// The user whose own orders it sees, and the addresses that it has proved to be its own.
    pub customer: Option<(UserId, Vec<Email>)>,
    /// Only these.
    pub ids: Option<Vec<OrderId>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only in one of these states.
    pub status: Option<Vec<OrderStatusKind>>,
    /// Only of this vendor.
    pub vendor: Option<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only of this customer.
    pub user: Option<UserId>,
    /// Only those made from then to then, both included.
    pub created: Option<(Timestamp, Timestamp)>,
    /// Only that with this number.
    pub number: Option<i64>,
    /// Only those whose customer has said its e-mail.
    pub with_customer: bool,
    /// In which order.
    pub sort: OrdersSort,
}

impl OrdersFilter {
    /// All that an actor may see.
    pub fn visible_to(actor: &Actor) -> Self {
        Self {
            partners: actor.acting_partners(),
            customer: actor.user().map(|user| (user.user, user.confirmed_emails.clone())),
            ..Self::default()
        }
    }
}

/// As `permission::sees_order` says.
impl Filter for OrdersFilter {
    type Row = Order;

    fn order(&self) -> &'static [SortKey] {
        const NEWEST: SortKey = SortKey::Descending("id");
        match self.sort {
            OrdersSort::Newest => NEWEST_FIRST,
            OrdersSort::Oldest => &[SortKey::Ascending("id")],
            OrdersSort::Value { descending: false } => &[SortKey::Ascending("value"), NEWEST],
            OrdersSort::Value { descending: true } => &[SortKey::Descending("value"), NEWEST],
            OrdersSort::Email { descending: false } => &[SortKey::NullsThenAscending("email"), NEWEST],
            OrdersSort::Email { descending: true } => &[SortKey::DescendingThenNulls("email"), NEWEST],
        }
    }

    fn visibility(&self) -> Option<Visibility> {
        Some(Visibility::either_side(["organizer", "vendor"], &self.partners).or(self.is_customers_own()))
    }

    /// Who sells, and whose event it is, never change. States and customers do; and lists that are narrowed by what a client
    /// chooses freely are too many to be remembered.
    fn only_grows(&self) -> bool {
        // All are named: a new one has to say on which side it is.
        let Self {
            partners: _,
            customer: _,
            vendor: _,
            org: _,
            sort: _,
            ids,
            events,
            status,
            user,
            created,
            number,
            with_customer,
        } = self;
        let is_narrowed = ids.is_some() || events.is_some() || created.is_some() || number.is_some();
        let may_shrink = self.is_customers_own().is_some() || status.is_some() || user.is_some() || *with_customer;
        !is_narrowed && !may_shrink
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        tag_of_all(self.events.as_deref()).or_else(|| tag_of_all(self.ids.as_deref()))
    }

    fn conditions(&self, conditions: &mut Conditions) {
        self.add_criteria(conditions);
    }
}

impl OrdersFilter {
    /// The orders of the customer, where it has proved an address to be its own.
    fn is_customers_own(&self) -> Option<Vec<Predicate>> {
        let (user, proved) = self.customer.as_ref().filter(|(_, proved)| !proved.is_empty())?;
        let emails = proved.iter().map(|email| email.to_string().into());
        Some(vec![Predicate::names("user_id", *user), Predicate::one_of("email", emails)])
    }

    /// Adds what it wants of orders, whoever sees them.
    fn add_criteria(&self, conditions: &mut Conditions) {
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::one_of_tagged("id", ids)));
        conditions.extend(self.events.as_deref().map(|events| Predicate::names_one_of("event", events)));
        conditions.extend(
            self.status
                .as_ref()
                .map(|list| Predicate::one_of("status", list.iter().map(|status| status.name().into()))),
        );
        conditions.extend(self.vendor.map(|vendor| Predicate::names("vendor", vendor)));
        conditions.extend(self.org.map(|org| Predicate::names("organizer", org)));
        conditions.extend(self.user.map(|user| Predicate::names("user_id", user)));
        conditions.extend(self.number.map(|number| Predicate::equal("number", number)));
        conditions.extend(self.created.map(|(first, last)| Predicate::time_between("created_at", first, last)));
        conditions.extend(self.with_customer.then(|| Condition::NotNull("email").into()));
    }
}

/// Whose orders a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportScope {
    /// Everybody's.
    All,
    /// Those for the events of this organizer.
    OfOrganizer(PartnerId),
    /// Those that this partner sold for other organizers.
    OfAgent(PartnerId),
}

/// Orders to be taken out as a whole, newest first and page by page: each begins behind a key.
#[derive(Clone, Debug)]
pub struct OrderExportFilter {
    /// Whose.
    pub scope: ExportScope,
    /// What is wanted of them; who may see them is not asked.
    pub criteria: OrdersFilter,
    /// Only those that are older than this one.
    pub older_than: Option<OrderId>,
}

impl Filter for OrderExportFilter {
    type Row = Order;

    fn conditions(&self, conditions: &mut Conditions) {
        match self.scope {
            ExportScope::All => {}
            ExportScope::OfOrganizer(org) => conditions.add(Predicate::names("organizer", org)),
            ExportScope::OfAgent(vendor) => {
                conditions.add(Predicate::names("vendor", vendor));
                conditions.add(Predicate::sql("vendor <> organizer", []));
                conditions.add(Predicate::NoneOf("organizer", root_keys(&[vendor]).collect()));
            }
        }
        conditions.extend(self.older_than.map(|order| Predicate::compare("id", Comparison::Below, order.key())));
        self.criteria.add_criteria(conditions);
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::price::Share;
    use kassa_domain::{Money, Percent, ShardTag};

    use super::*;

    /// Each field another value, so that none can stand in another's place.
    fn line(promocode: Option<i64>) -> OrderLine {
        let id = |key| Id::with_tag(ShardTag::of_key(1), key);
        let [price, discount, surcharge, organizer, platform] = [1_000, 20, 30, 4, 5].map(Money::from_minor);
        OrderLine {
            ticket: id(1),
            number: 2,
            set: Id::with_tag(ShardTag::of_key(1), 3),
            rule: Id::with_tag(ShardTag::of_key(1), 4),
            promocode: promocode.map(|key| Id::with_tag(ShardTag::of_key(1), key)),
            promotion: None,
            price: TicketPrice { price, discount, surcharge, organizer, platform },
        }
    }

    #[test]
    fn lines_and_terms_are_read_as_lists_and_with_the_names_of_their_fields() {
        let terms = Terms {
            organizer_share: Some(Share::Percent(Percent::from_units(95))),
            markup: Share::Amount(Money::from_minor(7)),
            platform_share: Share::Percent(Percent::from_units(3)),
            platform_fee_on_top: true,
        };
        let lines = vec![line(None), line(Some(5))];
        let body = OrderBodyRef {
            status: &OrderStatus::Reserved,
            lines: &lines,
            promocodes: &[],
            promotion_grants: &[],
            deal: None,
            terms: &terms,
            refund_policy: &RefundPolicy::default(),
            refunded: &RefundTotals::default(),
            customer: &Customer::default(),
            payment: &Payment::default(),
            origin: OrderOrigin::default(),
            notes: &OrderNotes::default(),
        };
        // Both are in databases: neither ever changes.
        let as_lists = r#"{"status":{"is":"executed"},"lines":[
["5e0be1005692161d00000001",2,"5e0be1005692161d00000003","5e0be1005692161d00000004",null,null,[1000,20,30,4,5]],
["5e0be1005692161d00000001",2,"5e0be1005692161d00000003","5e0be1005692161d00000004","5e0be1005692161d00000005",null,[1000,20,30,4,5]]
],"terms":[{"percent":95},{"amount":7},{"percent":3},true],"payment":{},"origin":"api"}"#;
        let with_names = r#"{"status":{"is":"executed"},"lines":[
{"ticket":"5e0be1005692161d00000001","number":2,"set":"5e0be1005692161d00000003","rule":"5e0be1005692161d00000004",
"price":{"price":1000,"discount":20,"surcharge":30,"organizer":4,"platform":5}},
{"ticket":"5e0be1005692161d00000001","number":2,"set":"5e0be1005692161d00000003","rule":"5e0be1005692161d00000004",
"promocode":"5e0be1005692161d00000005",
"price":{"price":1000,"discount":20,"surcharge":30,"organizer":4,"platform":5}}
],"terms":{"organizer_share":{"percent":95},"markup":{"amount":7},"platform_share":{"percent":3},
"platform_fee_on_top":true},"payment":{},"origin":"api"}"#;
        assert_eq!(serde_json::to_string(&body).unwrap(), as_lists.replace('\n', ""));
        for stored in [as_lists, with_names] {
            let read: OrderBody = serde_json::from_str(stored).unwrap();
            assert_eq!((&read.lines, read.terms), (&lines, terms), "{stored}");
        }
    }
}
