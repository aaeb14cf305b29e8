//! The facts of a change: what a reader need not ask for, and nothing about persons.

use serde::{Deserialize, Serialize};

use super::fact_name::FactName;
use super::id_list::IdList;
use crate::model::deal::DealStatus;
use crate::model::event::EventStatus;
use crate::model::order::{OrderStatusKind, PaymentSystem};
use crate::model::payment::PaymentStatus;
use crate::model::refund::{Culprit, RefundStatusKind};
use crate::values::id::Id;
use crate::values::money::Money;
use crate::values::resource_ids::ResourceId;
use crate::values::time::{Timestamp, Window};

/// The facts of a change, in the order in which they were added.
///
/// Names, e-mails, telephone numbers, notes and other texts that people write are never among them: of these a change
/// says only that they changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts(Vec<(FactName, Fact)>);

/// What a change says of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fact {
    /// What it is now.
    Value(FactValue),
    /// What it was and what it is now. Apart, for most facts are none: thousands are kept for readers of the feed.
    Step(Box<FactStep>),
    /// It changed; what it was and is would be too long, or says something about a person.
    Hidden,
}

/// What something was and is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactStep {
    /// Before the change.
    pub from: FactValue,
    /// After it.
    pub to: FactValue,
}

/// A value. Changes are stored with the place of its kind in this list: new kinds go to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FactValue {
    /// There is none.
    None,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// An amount.
    Money(Money),
    /// A point in time.
    Time(Timestamp),
    /// A short text that no person wrote.
    Text(Box<str>),
    /// An id.
    Id(ResourceId),
    /// Ids of one shard.
    Ids(IdList),
    /// Where an order is in its life.
    OrderStatus(OrderStatusKind),
    /// What an organizer has decided about an event.
    EventStatus(EventStatus),
    /// Where a deal is in its life.
    DealStatus(DealStatus),
    /// Where a refund request is in its life.
    RefundStatus(RefundStatusKind),
    /// Whose doing a refund is.
    Culprit(Culprit),
    /// Who takes the money of an order.
    PaymentSystem(PaymentSystem),
    /// Where a payment is in its life.
    PaymentStatus(PaymentStatus),
}

impl Fact {
    /// What it was and what it is now.
    pub fn step(from: impl Into<FactValue>, to: impl Into<FactValue>) -> Self {
        Self::Step(Box::new(FactStep { from: from.into(), to: to.into() }))
    }
}

impl Facts {
    /// No facts.
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// No facts yet, and room for so many.
    pub(crate) fn with_room(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// Adds what something is now.
    #[must_use]
    pub(crate) fn with(mut self, name: FactName, value: impl Into<FactValue>) -> Self {
        self.0.push((name, Fact::Value(value.into())));
        self
    }

    /// Adds what something was and is, where these differ.
    #[must_use]
    pub(crate) fn step<T: Into<FactValue> + PartialEq>(mut self, name: FactName, from: T, to: T) -> Self {
        if from != to {
            self.0.push((name, Fact::step(from, to)));
        }
        self
    }

    /// Adds when something begins and ends, as far as that is another time than it was.
    #[must_use]
    pub(crate) fn window_step(self, from: Option<Window>, to: Option<Window>) -> Self {
        let start = |window: Option<Window>| window.map(|window| window.start);
        let finish = |window: Option<Window>| window.and_then(|window| window.finish);
        self.step(FactName::Start, start(from), start(to)).step(FactName::Finish, finish(from), finish(to))
    }

    /// Adds that something changed whose value is not said.
    #[must_use]
    pub(crate) fn hidden(self, name: FactName) -> Self {
        self.hidden_if(name, true)
    }

    /// The same, if it did.
    #[must_use]
    pub(crate) fn hidden_if(mut self, name: FactName, is_changed: bool) -> Self {
        if is_changed {
            self.0.push((name, Fact::Hidden));
        }
        self
    }

    /// The same, where the values differ.
    #[must_use]
    pub(crate) fn hidden_step<T: PartialEq>(self, name: FactName, from: &T, to: &T) -> Self {
        self.hidden_if(name, from != to)
    }

    /// What is said of one thing.
    pub fn get(&self, name: FactName) -> Option<&Fact> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, fact)| fact)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (FactName, &Fact)> {
        self.0.iter().map(|(name, fact)| (*name, fact))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

macro_rules! fact_values {
    ($($from:ty => $variant:ident,)*) => {
        $(
            impl From<$from> for FactValue {
                fn from(value: $from) -> Self {
                    Self::$variant(value)
                }
            }
        )*
    };
}

fact_values! {
    bool => Flag,
    i64 => Number,
    Money => Money,
    Timestamp => Time,
    IdList => Ids,
    OrderStatusKind => OrderStatus,
    EventStatus => EventStatus,
    DealStatus => DealStatus,
    RefundStatusKind => RefundStatus,
    Culprit => Culprit,
    PaymentSystem => PaymentSystem,
    PaymentStatus => PaymentStatus,
}

impl From<u32> for FactValue {
    fn from(number: u32) -> Self {
        Self::Number(i64::from(number))
    }
}

impl From<&str> for FactValue {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl<K> From<Id<K>> for FactValue {
    fn from(id: Id<K>) -> Self {
        Self::Id(ResourceId::with_tag(id.tag(), id.key()))
    }
}

impl<T: Into<Self>> From<Option<T>> for FactValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}
