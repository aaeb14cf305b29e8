//! What was sold, added up.

#[cfg(feature = "test-drivers")]
use std::collections::BTreeMap;

use kassa_domain::event::EventId;
use kassa_domain::partner::PartnerId;
#[cfg(feature = "test-drivers")]
use kassa_domain::sales::DailySales;
use kassa_domain::sales::{SalesDate, SalesSums};
use kassa_domain::set::SetId;
use kassa_domain::view::Condition;
use kassa_domain::{Id, Money, ShardTag};

use crate::cell::RowReader;
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Predicate, SqlText, Statement};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;

/// On which side of the sales somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SalesSide {
    /// It organizes the events, whoever sold.
    Organizer,
    /// It sold for others.
    Agent,
}

/// By what sums are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SalesGroup {
    /// The event.
    Event,
    /// The set, which says its event.
    Set,
    /// Who sold.
    Vendor,
    /// The day.
    Day,
    /// The month.
    Month,
}

/// Sums of sales.
#[derive(Clone, Debug)]
pub struct SalesQuery {
    /// Whose.
    pub partners: Vec<PartnerId>,
    /// On which side these are.
    pub side: SalesSide,
    /// Only for this event.
    pub event: Option<EventId>,
    /// Only on these days, both included.
    pub days: Option<(SalesDate, SalesDate)>,
    /// By what they are told apart, each once; all together without any. Only sums of one event by set.
    pub groups: Vec<SalesGroup>,
    /// At most so many, in the order of the groups.
    pub limit: u32,
}

/// What was sold of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupedSales {
    /// The event, if sums are told apart by it, or by set.
    pub event: Option<EventId>,
    /// The set, if they are told apart by it.
    pub set: Option<SetId>,
    /// Who sold, if they are told apart by it.
    pub vendor: Option<PartnerId>,
    /// The day, or the month as the number of its day 0.
    pub day: Option<SalesDate>,
    /// The sums.
    pub sums: SalesSums,
}

const SUMS: [&str; 7] = ["orders", "tickets", "full_sum", "organizer_sum", "agent_sum", "platform_sum", "retained_sum"];

impl SalesGroup {
    /// What is one for all rows of a group.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Event => &["event"],
            Self::Set => &["event", "tag", "set_id"],
            Self::Vendor => &["vendor"],
            Self::Day => &["day"],
            Self::Month => &["day / 100"],
        }
    }
}

impl SalesQuery {
    fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        let side = match self.side {
            SalesSide::Organizer => "organizer",
            SalesSide::Agent => "agent",
        };
        let is_of_sets = self.groups.contains(&SalesGroup::Set);
        match self.event {
            None => conditions.add(Predicate::names_one_of(side, &self.partners)),
            // The event leads to its sums, which are few: the side is wrapped, so that no index is taken for it.
            Some(event) => {
                conditions.add(Predicate::names("event", event));
                let marks = vec!["?"; self.partners.len()].join(", ");
                let text = if marks.is_empty() { "1 = 0".to_owned() } else { format!("{side} + 0 IN ({marks})") };
                conditions.add(Predicate::sql(text, self.partners.iter().map(|partner| partner.key().into())));
            }
        }
        // Spelled as in the indexes of whole orders.
        conditions.add(if is_of_sets {
            Predicate::compare("set_id", Comparison::NotEqual, 0)
        } else {
            Condition::Number("set_id", 0).into()
        });
        if let Some((first, last)) = self.days {
            conditions.add(Predicate::compare("day", Comparison::AtLeast, first.number()));
            conditions.add(Predicate::compare("day", Comparison::AtMost, last.number()));
        }
        conditions
    }

    /// A row for each group: its columns, then the sums.
    pub fn statement(&self) -> Statement {
        let SqlText { text, mut args } = self.conditions().sql();
        let keys: Vec<&str> = self.groups.iter().flat_map(|group| group.columns()).copied().collect();
        let sums = SUMS.map(|sum| format!("CAST(coalesce(sum({sum}), 0) AS BIGINT)")).join(", ");
        args.push(i64::from(self.limit).into());
        let limit = args.len();
        let text = if keys.is_empty() {
            format!("SELECT {sums} FROM daily_sales{text} LIMIT ${limit}")
        } else {
            let keys = keys.join(", ");
            format!("SELECT {keys}, {sums} FROM daily_sales{text} GROUP BY {keys} ORDER BY {keys} LIMIT ${limit}")
        };
        Statement { text, args }
    }

    /// A row of the statement.
    pub(crate) fn read(&self, source: &mut dyn RowReader) -> Result<GroupedSales, StoreError> {
        let mut found = GroupedSales::default();
        for group in &self.groups {
            match group {
                SalesGroup::Event => found.event = Some(Id::root(source.int()?)),
                SalesGroup::Set => {
                    found.event = Some(Id::root(source.int()?));
                    let (tag, set) = (source.int()?, source.int()?);
                    let tag = ShardTag::from_i64(tag).ok_or_else(|| StoreError::Corrupt(format!("tag {tag}")))?;
                    found.set = (set != 0).then(|| Id::with_tag(tag, set));
                }
                SalesGroup::Vendor => found.vendor = Some(Id::root(source.int()?)),
                SalesGroup::Day => found.day = Some(SalesDate::from_number(source.int()?)),
                SalesGroup::Month => found.day = Some(SalesDate::from_number(source.int()? * 100)),
            }
        }
        let mut money = || source.int();
        let sums = [money()?, money()?, money()?, money()?, money()?, money()?, money()?];
        let [orders, tickets, ..] = sums;
        let [full, organizer, agent, platform, retained] = [2, 3, 4, 5, 6].map(|at: usize| Money::from_minor(sums[at]));
        found.sums = SalesSums { orders, tickets, full, organizer, agent, platform, retained };
        Ok(found)
    }

    /// The same of rows in memory.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn in_memory(&self, tables: &MemoryTables) -> Vec<GroupedSales> {
        let conditions = self.conditions();
        let mut found = BTreeMap::<Vec<i64>, GroupedSales>::new();
        if self.groups.is_empty() {
            found.insert(Vec::new(), GroupedSales::default());
        }
        let is_side = |row: &DailySales| match self.side {
            SalesSide::Organizer => self.partners.contains(&row.organizer),
            SalesSide::Agent => row.organizer != row.key.vendor && self.partners.contains(&row.key.vendor),
        };
        for row in tables.daily_sales.rows().filter(|row| conditions.hold(*row) && is_side(row)) {
            let (mut sort_key, mut group) = (Vec::new(), GroupedSales::default());
            for by in &self.groups {
                match by {
                    SalesGroup::Event => group.event = Some(row.key.event),
                    SalesGroup::Set => (group.event, group.set) = (Some(row.key.event), row.key.set),
                    SalesGroup::Vendor => group.vendor = Some(row.key.vendor),
                    SalesGroup::Day => group.day = Some(row.key.day),
                    SalesGroup::Month => {
                        group.day = Some(SalesDate::from_number(row.key.day.number() / 100 * 100));
                    }
                }
                sort_key.extend(match by {
                    SalesGroup::Event => vec![row.key.event.key()],
                    SalesGroup::Set => vec![row.key.event.key(), row.key.set.map_or(0, SetId::key)],
                    SalesGroup::Vendor => vec![row.key.vendor.key()],
                    SalesGroup::Day | SalesGroup::Month => group.day.map(SalesDate::number).into_iter().collect(),
                });
            }
            found.entry(sort_key).or_insert(group).sums.add(&row.sums, 1);
        }
        found.into_values().take(self.limit as usize).collect()
    }
}
