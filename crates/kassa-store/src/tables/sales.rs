//! What is kept behind orders: what they are found by, and sums of what was sold.

use kassa_domain::partner::PartnerId;
use kassa_domain::sales::{
    DailySales, DailySalesKey, IndexedOrder, OrderSales, SalesDate, SalesSums, SearchTerms, fold, phone_digits,
};
use kassa_domain::set::SetId;
use kassa_domain::ticket::Ticket;
use kassa_domain::view::Condition;
use kassa_domain::{Id, Money, ShardTag};

use crate::cell::{Cell, json_cell};
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{RowKey, read_tag, table};

table! { IndexedOrder, "indexed_orders", |row, source| {
    Key Int "id": key = source.int()?, row.order.key();
    Tag Int "tag": tag = read_tag(source)?, row.order.tag().to_i64();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "vendor": vendor = Id::root(source.int()?), row.vendor.key();
    // Who sold for somebody else: so those are found that the organizer has not sold itself.
    Immutable Int "agent": _agent = source.derived()?, agent_key(row.organizer, row.vendor);
    Mutable Int "revision": revision = source.int()?, row.revision;
    Mutable Text "email": email = source.text_or_null()?, row.terms.email.as_deref();
    Mutable Text "first_name": first_name = source.text_or_null()?, row.terms.first_name.as_deref();
    Mutable Text "last_name": last_name = source.text_or_null()?, row.terms.last_name.as_deref();
    Mutable Text "mobile": mobile = source.text_or_null()?, row.terms.mobile.as_deref();
    Mutable Json "sales": sales = source.json::<Option<OrderSales>>()?, json_cell(&row.sales);
} => IndexedOrder {
    order: Id::with_tag(tag, key),
    event,
    organizer,
    vendor,
    revision,
    terms: SearchTerms { email, first_name, last_name, mobile },
    sales,
} }

/// The vendor, where it is not the organizer.
pub(crate) fn agent_key(organizer: PartnerId, vendor: PartnerId) -> Option<i64> {
    (organizer != vendor).then(|| vendor.key())
}

/// A set as it lies in a column that is never empty.
const NO_SET: i64 = 0;

impl RowKey for DailySalesKey {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let set = self.set.map_or(NO_SET, SetId::key);
        out.extend([self.event.key(), self.vendor.key(), set, self.day.number()].map(Cell::from));
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        Some(self.event.tag())
    }
}

table! { DailySales, "daily_sales", |row, source| {
    Key Int "event": event = Id::root(source.int()?), row.key.event.key();
    Key Int "vendor": vendor = Id::root(source.int()?), row.key.vendor.key();
    Key Int "set_id": set = source.int()?, row.key.set.map_or(NO_SET, SetId::key);
    Key Int "day": day = SalesDate::from_number(source.int()?), row.key.day.number();
    Tag Int "tag": tag = read_tag(source)?, row.key.event.tag().to_i64();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "agent": _agent = source.derived()?, agent_key(row.organizer, row.key.vendor);
    Mutable Int "orders": orders = source.int()?, row.sums.orders;
    Mutable Int "tickets": tickets = source.int()?, row.sums.tickets;
    Mutable Int "full_sum": full = Money::from_minor(source.int()?), row.sums.full.minor();
    Mutable Int "organizer_sum": organizer_sum = Money::from_minor(source.int()?), row.sums.organizer.minor();
    Mutable Int "agent_sum": agent = Money::from_minor(source.int()?), row.sums.agent.minor();
    Mutable Int "platform_sum": platform = Money::from_minor(source.int()?), row.sums.platform.minor();
    Mutable Int "retained_sum": retained = Money::from_minor(source.int()?), row.sums.retained.minor();
} => DailySales {
    key: DailySalesKey { event, vendor, set: (set != NO_SET).then(|| Id::with_tag(tag, set)), day },
    organizer,
    sums: SalesSums { orders, tickets, full, organizer: organizer_sum, agent, platform, retained },
} }

/// Columns in which a word is searched.
const TEXT_COLUMNS: [&str; 3] = ["email", "first_name", "last_name"];

/// Orders of some partners whose customer all words are of: each begins its e-mail, its first or last name, or its
/// telephone. The newest first.
#[derive(Clone, Debug)]
pub struct FoundOrders {
    /// They sold or organize them.
    pub partners: Vec<PartnerId>,
    /// What is looked for.
    pub words: Vec<String>,
}

impl Filter for FoundOrders {
    type Row = IndexedOrder;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Descending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        if self.words.is_empty() {
            conditions.add(Predicate::AnyOf(Vec::new()));
        }
        for word in &self.words {
            conditions.add(self.begins_with(word));
        }
    }
}

impl FoundOrders {
    /// Each way in which a word is found has an index, which begins with the partner.
    fn begins_with(&self, word: &str) -> Predicate {
        let (text, digits) = (fold(word), phone_digits(word));
        let is_phone = !digits.is_empty() && word.chars().all(|letter| !letter.is_alphabetic());
        let mut ways = Vec::new();
        for partner in &self.partners {
            for side in ["organizer", "agent"] {
                let of_side = |column: &'static str, text: &str| {
                    let end = format!("{text}\u{10ffff}");
                    vec![
                        Predicate::names(side, *partner),
                        Condition::NotNull(column).into(),
                        Predicate::compare(column, Comparison::AtLeast, text.to_owned()),
                        Predicate::compare(column, Comparison::Below, end),
                    ]
                };
                ways.extend(TEXT_COLUMNS.map(|column| of_side(column, &text)));
                ways.extend(is_phone.then(|| of_side("mobile", &digits)));
            }
        }
        Predicate::AnyOf(ways)
    }
}

/// Sold tickets with these barcodes, of events for which some partners have sold or organized anything.
#[derive(Clone, Debug)]
pub struct TicketsByBarcode {
    /// The partners.
    pub partners: Vec<PartnerId>,
    /// The barcodes.
    pub barcodes: Vec<String>,
}

impl Filter for TicketsByBarcode {
    type Row = Ticket;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Condition::NotNull("barcode"));
        conditions.add(Predicate::one_of("barcode", self.barcodes.iter().map(|barcode| barcode.clone().into())));
        let keys: Vec<Cell<'static>> = self.partners.iter().map(|partner| partner.key().into()).collect();
        if keys.is_empty() {
            conditions.add(Predicate::AnyOf(Vec::new()));
            return;
        }
        let marks = vec!["?"; keys.len()].join(", ");
        let of = |side: &str| format!("SELECT event FROM daily_sales WHERE {side} IN ({marks})");
        let text = format!("event IN ({} UNION {})", of("organizer"), of("agent"));
        conditions.add(Predicate::sql(text, keys.iter().chain(&keys).cloned()));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, ticket: &Ticket, tables: &crate::memory_tables::MemoryTables) -> bool {
        let is_side =
            |sales: &DailySales| self.partners.contains(&sales.organizer) || self.partners.contains(&sales.key.vendor);
        tables.daily_sales.rows().any(|sales| sales.key.event == ticket.event && is_side(sales))
    }
}
