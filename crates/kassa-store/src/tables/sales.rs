//! What is kept behind orders: what they are found by, and sums of what was sold.

#[cfg(feature = "test-drivers")]
use std::collections::BTreeSet;

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

/// Among which orders words are looked for, so that a search reads few rows, however many orders there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchedOrders {
    /// Those that the first word finds, in each way in which it finds any the first so many by the index of that.
    OfFirstWord(u32),
    /// The newest so many of each partner, and of each side.
    Newest(u32),
}

/// Orders of some partners whose customer all words are of: each begins its e-mail, its first or last name, or its
/// telephone. The newest first.
#[derive(Clone, Debug)]
pub struct FoundOrders {
    /// They sold or organize them.
    pub partners: Vec<PartnerId>,
    /// What is looked for.
    pub words: Vec<String>,
    /// Among which.
    pub among: SearchedOrders,
}

impl Filter for FoundOrders {
    type Row = IndexedOrder;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Descending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        let Some((first, others)) = self.words.split_first().filter(|_| !self.partners.is_empty()) else {
            conditions.add(Predicate::AnyOf(Vec::new()));
            return;
        };
        match self.among {
            SearchedOrders::OfFirstWord(most) => conditions.add(self.found_by(first, most)),
            SearchedOrders::Newest(most) => {
                let keys = || self.partners.iter().map(|partner| Cell::from(partner.key())).collect();
                let sides = ["organizer", "vendor"].map(|side| vec![Predicate::OneOf(side, keys())]);
                conditions.add(Predicate::AnyOf(sides.into()));
                conditions.add(self.is_among_newest(most));
                conditions.add(has_word_sql(first));
            }
        }
        for word in others {
            conditions.add(has_word_sql(word));
        }
    }

    #[cfg(feature = "test-drivers")]
    fn matches(&self, order: &IndexedOrder, tables: &crate::memory_tables::MemoryTables) -> bool {
        let is_side = self.partners.contains(&order.organizer) || self.partners.contains(&order.vendor);
        let Some(first) = self.words.first().filter(|_| is_side) else { return false };
        let is_searched = match self.among {
            SearchedOrders::OfFirstWord(most) => {
                let all: Vec<&IndexedOrder> = tables.indexed_orders.rows().collect();
                found_first(&self.partners, first, most, &all).contains(&order.order.key())
            }
            SearchedOrders::Newest(most) => {
                let sides: Vec<_> = tables.orders.rows().map(|row| (row.organizer, row.vendor, row.id.key())).collect();
                newest_of(&self.partners, most, &sides).contains(&order.order.key())
            }
        };
        is_searched && self.words.iter().all(|word| has_word(order, word))
    }
}

/// The columns in which a word is looked for, and what they begin with then.
fn ways_of(word: &str) -> Vec<(&'static str, String)> {
    let text = fold(word);
    let mut ways = vec![("email", text.clone()), ("first_name", text.clone()), ("last_name", text)];
    ways.extend(is_phone(word).then(|| ("mobile", phone_digits(word))));
    ways
}

/// A text that comes behind all that begin with this one.
fn behind(begin: &str) -> String {
    format!("{begin}\u{10ffff}")
}

/// A word is one of a customer's, as its row says.
fn has_word_sql(word: &str) -> Predicate {
    let ways = ways_of(word);
    let conditions: Vec<String> = ways.iter().map(|(column, _)| format!("({column} >= ? AND {column} < ?)")).collect();
    let args = ways.into_iter().flat_map(|(_, begin)| {
        let end = behind(&begin);
        [begin, end].map(Cell::from)
    });
    Predicate::sql(conditions.join(" OR "), args)
}

impl FoundOrders {
    /// Each way in which a word is found has an index, which begins with the partner.
    fn found_by(&self, word: &str, most: u32) -> Predicate {
        let (mut selects, mut args) = (Vec::new(), Vec::<Cell<'static>>::new());
        for partner in &self.partners {
            for side in ["organizer", "agent"] {
                let is_there = if side == "agent" { "agent IS NOT NULL AND " } else { "" };
                for (column, begin) in ways_of(word) {
                    let number = selects.len();
                    selects.push(format!(
                        "SELECT id FROM (SELECT id FROM indexed_orders WHERE {is_there}{column} IS NOT NULL AND {side} = ? \
                         AND {column} >= ? AND {column} < ? ORDER BY {column}, id LIMIT {most}) AS way{number}"
                    ));
                    args.extend([partner.key().into(), begin.clone().into(), behind(&begin).into()]);
                }
            }
        }
        Predicate::sql(format!("id IN ({})", selects.join(" UNION ALL ")), args)
    }

    /// The lists of orders have them by their age.
    fn is_among_newest(&self, most: u32) -> Predicate {
        let (mut selects, mut args) = (Vec::new(), Vec::<Cell<'static>>::new());
        for partner in &self.partners {
            for side in ["organizer = ?", "vendor = ? AND vendor <> organizer"] {
                let number = selects.len();
                selects.push(format!(
                    "SELECT id FROM (SELECT id FROM orders WHERE {side} ORDER BY id DESC LIMIT {most}) AS newest{number}"
                ));
                args.push(partner.key().into());
            }
        }
        Predicate::sql(format!("id IN ({})", selects.join(" UNION ALL ")), args)
    }
}

/// Whether a partner is on a side of an order: of one of its own it is the organizer alone.
#[cfg(feature = "test-drivers")]
fn is_on_side((organizer, vendor): (PartnerId, PartnerId), partner: PartnerId, is_agent: bool) -> bool {
    if is_agent { vendor == partner && vendor != organizer } else { organizer == partner }
}

/// What [`FoundOrders::found_by`] finds among rows in memory.
#[cfg(feature = "test-drivers")]
fn found_first(partners: &[PartnerId], word: &str, most: u32, all: &[&IndexedOrder]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for partner in partners {
        for is_agent in [false, true] {
            let is_side = |order: &IndexedOrder| is_on_side((order.organizer, order.vendor), *partner, is_agent);
            for (column, begin) in ways_of(word) {
                let mut ways: Vec<(&str, i64)> = all
                    .iter()
                    .filter(|order| is_side(order))
                    .filter_map(|order| Some((text_in(order, column)?, order.order.key())))
                    .filter(|(text, _)| text.starts_with(&begin))
                    .collect();
                ways.sort_unstable();
                found.extend(ways.into_iter().take(most as usize).map(|(_, key)| key));
            }
        }
    }
    found
}

/// What [`FoundOrders::is_among_newest`] finds among organizers, vendors and keys of orders in memory.
#[cfg(feature = "test-drivers")]
fn newest_of(partners: &[PartnerId], most: u32, orders: &[(PartnerId, PartnerId, i64)]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for partner in partners {
        for is_agent in [false, true] {
            let own =
                orders.iter().filter(|(organizer, vendor, _)| is_on_side((*organizer, *vendor), *partner, is_agent));
            let mut keys: Vec<i64> = own.map(|(.., key)| *key).collect();
            keys.sort_unstable_by(|one, other| other.cmp(one));
            found.extend(keys.into_iter().take(most as usize));
        }
    }
    found
}

/// What a row in memory has in a column that is searched.
#[cfg(feature = "test-drivers")]
fn text_in<'o>(order: &'o IndexedOrder, column: &str) -> Option<&'o str> {
    let terms = &order.terms;
    let text = match column {
        "email" => &terms.email,
        "first_name" => &terms.first_name,
        "last_name" => &terms.last_name,
        _ => &terms.mobile,
    };
    text.as_deref()
}

/// What [`has_word_sql`] asks, of a row in memory.
#[cfg(feature = "test-drivers")]
fn has_word(order: &IndexedOrder, word: &str) -> bool {
    ways_of(word).iter().any(|(column, begin)| text_in(order, column).is_some_and(|text| text.starts_with(begin)))
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
