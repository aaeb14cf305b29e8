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
use crate::lists::{Conditions, Filter, Predicate, SortKey};
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

    #[cfg(feature = "test-drivers")]
    fn matches(&self, order: &IndexedOrder, _: &crate::memory_tables::MemoryTables) -> bool {
        let is_side = self.partners.contains(&order.organizer) || self.partners.contains(&order.vendor);
        is_side && self.words.iter().all(|word| has_word(order, word))
    }
}

impl FoundOrders {
    /// Each way in which a word is found has an index, which begins with the partner and has the order: what several words
    /// have in common is found before any row is read.
    fn begins_with(&self, word: &str) -> Predicate {
        let (text, digits) = (fold(word), phone_digits(word));
        let mut ways = vec![("email", &text), ("first_name", &text), ("last_name", &text)];
        ways.extend(is_phone(word).then_some(("mobile", &digits)));
        let (mut selects, mut args) = (Vec::new(), Vec::<Cell<'static>>::new());
        for partner in &self.partners {
            for side in ["organizer", "agent"] {
                let is_there = if side == "agent" { "agent IS NOT NULL AND " } else { "" };
                for (column, begin) in &ways {
                    selects.push(format!(
                        "SELECT id FROM indexed_orders WHERE {is_there}{column} IS NOT NULL AND {side} = ? \
                         AND {column} >= ? AND {column} < ?"
                    ));
                    args.extend([partner.key().into(), (*begin).clone().into(), format!("{begin}\u{10ffff}").into()]);
                }
            }
        }
        if selects.is_empty() {
            return Predicate::AnyOf(Vec::new());
        }
        Predicate::sql(format!("id IN ({})", selects.join(" UNION ALL ")), args)
    }
}

/// What [`FoundOrders::begins_with`] asks, of a row in memory.
#[cfg(feature = "test-drivers")]
fn has_word(order: &IndexedOrder, word: &str) -> bool {
    let begins = |text: &Option<String>, begin: &str| text.as_ref().is_some_and(|text| text.starts_with(begin));
    let (terms, text) = (&order.terms, fold(word));
    [&terms.email, &terms.first_name, &terms.last_name].into_iter().any(|name| begins(name, &text))
        || (is_phone(word) && begins(&terms.mobile, &phone_digits(word)))
}

/// Whether a word may be part of a telephone number.
fn is_phone(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) && word.chars().all(|letter| !letter.is_alphabetic())
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
        let of = |side: &str| format!("SELECT event FROM daily_sales WHERE set_id = 0 AND {side} IN ({marks})");
        let text = format!("event IN ({} UNION {})", of("organizer"), of("agent"));
        conditions.add(Predicate::sql(text, keys.iter().chain(&keys).cloned()));
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, ticket: &Ticket, tables: &crate::memory_tables::MemoryTables) -> bool {
        let is_side =
            |sales: &DailySales| self.partners.contains(&sales.organizer) || self.partners.contains(&sales.key.vendor);
        tables
            .daily_sales
            .rows()
            .any(|sales| sales.key.set.is_none() && sales.key.event == ticket.event && is_side(sales))
    }
}
