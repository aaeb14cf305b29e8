//! What is kept beside orders to find them and to add them up: made of the orders, behind their commits, by whoever
//! follows the log of changes. No sale waits for it.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::order::{Order, OrderStatus};
use super::row::{Row, RowKey};
use crate::values::feed_cursor::FeedCursor;
use crate::values::money::Money;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, SetId};
use crate::values::time::Timestamp;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A day in UTC, as a number that reads like its date: 20261124.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SalesDate(i64);

impl SalesDate {
    /// As it is stored.
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// As it is stored.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The day that has a time.
    pub fn of(at: Timestamp) -> Self {
        // Years begin in March, so that the leap day is the last of its year; eras have 400 years.
        let days = at.ms().div_euclid(DAY_MS) + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self(year * 10_000 + month * 100 + day)
    }
}

/// `2026-11-24`
impl fmt::Display for SalesDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }
}

/// A text that is no date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a date such as 2026-11-24")]
pub struct MalformedDate;

impl FromStr for SalesDate {
    type Err = MalformedDate;

    fn from_str(text: &str) -> Result<Self, MalformedDate> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(MalformedDate) };
        let number = |part: &str, digits: usize| {
            let is_plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<i64>().ok().filter(|_| is_plain).ok_or(MalformedDate)
        };
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
        if is_date { Ok(Self(year * 10_000 + month * 100 + day)) } else { Err(MalformedDate) }
    }
}

/// Sums over paid orders: of the tickets that they have now, and of the money for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SalesSums {
    /// Orders that have tickets.
    pub orders: i64,
    /// Tickets.
    pub tickets: i64,
    /// What the customers paid for them.
    pub full: Money,
    /// Of that, the organizer's share.
    pub organizer: Money,
    /// The vendor's, where it is not the organizer.
    pub agent: Money,
    /// The platform's.
    pub platform: Money,
    /// What was kept of tickets that were given back.
    pub retained: Money,
}

impl SalesSums {
    /// Adds other sums, or takes them off again.
    pub fn add(&mut self, other: &Self, sign: i64) {
        let money = |sum: &mut Money, more: Money| *sum = Money::from_minor(sum.minor() + sign * more.minor());
        self.orders += sign * other.orders;
        self.tickets += sign * other.tickets;
        money(&mut self.full, other.full);
        money(&mut self.organizer, other.organizer);
        money(&mut self.agent, other.agent);
        money(&mut self.platform, other.platform);
        money(&mut self.retained, other.retained);
    }
}

/// What an order adds to the sums, and on which day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderSales {
    /// The day on which it was paid.
    pub day: SalesDate,
    /// Of the whole order, at `None`, and of each of its sets.
    pub by_set: Vec<(Option<SetId>, SalesSums)>,
}

impl Order {
    /// What it adds to the sums: the tickets that it has, and what was kept of others, on the day on which it was paid.
    /// `None` unless it was paid.
    pub fn sales(&self) -> Option<OrderSales> {
        let (paid_at, orders) = match &self.status {
            OrderStatus::Paid { at, .. } => (*at, 1),
            OrderStatus::Refunded { paid_at, .. } => (*paid_at, 0),
            OrderStatus::Reserved | OrderStatus::AwaitingPayment | OrderStatus::Canceled | OrderStatus::Expired => {
                return None;
            }
        };
        let mut by_set = BTreeMap::<Option<SetId>, SalesSums>::new();
        let mut whole = SalesSums { orders, retained: self.refunded.retained(), ..SalesSums::default() };
        for line in self.lines.iter().filter(|_| orders == 1) {
            let sums = SalesSums {
                tickets: 1,
                full: line.price.full(),
                organizer: line.price.organizer,
                agent: line.price.agent(),
                platform: line.price.platform,
                ..SalesSums::default()
            };
            by_set.entry(Some(line.set)).or_default().add(&sums, 1);
            whole.add(&sums, 1);
        }
        by_set.insert(None, whole);
        by_set.retain(|_, sums| *sums != SalesSums::default());
        Some(OrderSales { day: SalesDate::of(paid_at), by_set: by_set.into_iter().collect() })
    }
}

/// Sums of an event: of a vendor and a day, as a whole or of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DailySales {
    /// Which.
    pub key: DailySalesKey,
    /// The event's organizer.
    pub organizer: PartnerId,
    /// The sums.
    pub sums: SalesSums,
}

/// Which sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DailySalesKey {
    /// The event.
    pub event: EventId,
    /// Who sold.
    pub vendor: PartnerId,
    /// The set; `None` is whole orders.
    pub set: Option<SetId>,
    /// The day.
    pub day: SalesDate,
}

impl RowKey for DailySalesKey {}

impl Row for DailySales {
    type Key = DailySalesKey;

    fn key(&self) -> DailySalesKey {
        self.key
    }
}

/// Who has ordered, in small letters: what orders are searched by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTerms {
    /// The e-mail.
    pub email: Option<String>,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// The digits of the telephone.
    pub mobile: Option<String>,
}

/// A text as it is searched: without case.
pub fn fold(text: &str) -> String {
    text.trim().chars().flat_map(char::to_lowercase).collect()
}

/// The digits of a telephone number.
pub fn phone_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

impl SearchTerms {
    fn of(order: &Order) -> Self {
        let (customer, some) = (&order.customer, |text: String| Some(text).filter(|text| !text.is_empty()));
        Self {
            email: customer.email.as_ref().and_then(|email| some(fold(email.as_str()))),
            first_name: customer.first_name.as_deref().and_then(|name| some(fold(name))),
            last_name: customer.last_name.as_deref().and_then(|name| some(fold(name))),
            mobile: customer.mobile.as_deref().and_then(|mobile| some(phone_digits(mobile))),
        }
    }
}

/// An order as it was looked at last: what it is found by, and what of it the sums have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedOrder {
    /// The order.
    pub order: OrderId,
    /// Its event.
    pub event: EventId,
    /// The event's organizer.
    pub organizer: PartnerId,
    /// Who sells.
    pub vendor: PartnerId,
    /// Which revision of the order this is of.
    pub revision: i64,
    /// What it is found by.
    pub terms: SearchTerms,
    /// What the sums have of it.
    pub sales: Option<OrderSales>,
}

impl IndexedOrder {
    /// Of an order as it is.
    pub fn of(order: &Order) -> Self {
        Self {
            order: order.id,
            event: order.event,
            organizer: order.organizer,
            vendor: order.vendor,
            revision: order.revision.number(),
            terms: SearchTerms::of(order),
            sales: order.sales(),
        }
    }

    /// Whether an order is found by nothing and adds nothing.
    pub fn is_bare(&self) -> bool {
        self.terms == SearchTerms::default() && self.sales.is_none()
    }

    /// The sums that have something of it.
    pub fn keys(&self) -> impl Iterator<Item = DailySalesKey> {
        let (event, vendor) = (self.event, self.vendor);
        let of_sales = move |sales: &OrderSales| {
            let day = sales.day;
            let sets: Vec<Option<SetId>> = sales.by_set.iter().map(|(set, _)| *set).collect();
            sets.into_iter().map(move |set| DailySalesKey { event, vendor, set, day })
        };
        self.sales.iter().flat_map(of_sales)
    }
}

impl Row for IndexedOrder {
    type Key = OrderId;

    fn key(&self) -> OrderId {
        self.order
    }
}

/// How far orders have been looked at, and by whom they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexProgress {
    /// All changes before this place of the feed are counted.
    pub cursor: FeedCursor,
    /// Whether orders from before the feed was followed are, too.
    pub is_complete: bool,
    /// Whoever follows: a number that it has drawn.
    pub follower: u64,
    /// Until when nobody else does.
    pub till: Timestamp,
}

/// `1200-4 complete 17 1795507200000`
impl fmt::Display for IndexProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.is_complete { "complete" } else { "partial" };
        write!(f, "{} {state} {} {}", self.cursor, self.follower, self.till.ms())
    }
}

/// A text that says no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no progress of the index of orders")]
pub struct MalformedProgress;

impl FromStr for IndexProgress {
    type Err = MalformedProgress;

    fn from_str(text: &str) -> Result<Self, MalformedProgress> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [cursor, state, follower, till] = parts[..] else { return Err(MalformedProgress) };
        Ok(Self {
            cursor: cursor.parse().map_err(|_| MalformedProgress)?,
            is_complete: match state {
                "complete" => true,
                "partial" => false,
                _ => return Err(MalformedProgress),
            },
            follower: follower.parse().map_err(|_| MalformedProgress)?,
            till: Timestamp::from_ms(till.parse().map_err(|_| MalformedProgress)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_on_its_day() {
        let days = [
            (0, "1970-01-01"),
            (DAY_MS - 1, "1970-01-01"),
            (-1, "1969-12-31"),
            (951_782_400_000, "2000-02-29"),
            (1_795_478_400_000, "2026-11-24"),
            (4_107_542_399_999, "2100-02-28"),
            (4_107_542_400_000, "2100-03-01"),
        ];
        for (ms, text) in days {
            let day = SalesDate::of(Timestamp::from_ms(ms));
            assert_eq!((day.to_string().as_str(), text.parse()), (text, Ok(day)));
        }
        for text in ["", "2026-11", "2026-13-01", "2026-1-01", "2026-11-32", "+026-11-01", "2026-11-24-1"] {
            assert_eq!(text.parse::<SalesDate>(), Err(MalformedDate), "{text}");
        }
    }

    #[test]
    fn progress_is_read_as_it_is_written() {
        let cursor = FeedCursor { place: 12, index: 3 };
        let progress = IndexProgress { cursor, is_complete: true, follower: 7, till: Timestamp::from_ms(9) };
        assert_eq!(progress.to_string().parse(), Ok(progress));
        assert_eq!("12-3 done 7 9".parse::<IndexProgress>(), Err(MalformedProgress));
    }
}
