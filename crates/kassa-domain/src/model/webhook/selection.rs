//! Which changes an endpoint wants.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::change::ChangeType;
use crate::values::resource_ids::EventId;

/// Patterns and events that an endpoint names at most.
pub const SELECTION_MAX: u32 = 100;

/// The types that one of these stands for: `order.paid`, `order.*` or `*`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TypePattern(Box<str>);

impl TypePattern {
    /// The one that stands for all types.
    pub fn any() -> Self {
        Self("*".into())
    }

    /// All that there are: `*`, those of each kind of rows, and each type.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::any()];
        let mut kinds: Vec<&str> = ChangeType::ALL.iter().filter_map(|of| Some(of.name().split_once('.')?.0)).collect();
        kinds.dedup();
        all.extend(kinds.into_iter().map(|kind| Self(format!("{kind}.*").into())));
        all.extend(ChangeType::ALL.iter().map(|of| Self(of.name().into())));
        all
    }

    /// Whether a type is one of them.
    pub fn matches(&self, kind: ChangeType) -> bool {
        match self.0.strip_suffix('*') {
            Some(beginning) => kind.name().starts_with(beginning),
            None => kind.name() == &*self.0,
        }
    }
}

impl fmt::Display for TypePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<TypePattern> for String {
    fn from(pattern: TypePattern) -> Self {
        pattern.0.into()
    }
}

/// The pattern stands for no type that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be the type of a change, such as order.paid, or order.* for all of orders, or * for all")]
pub struct UnknownType;

impl FromStr for TypePattern {
    type Err = UnknownType;

    fn from_str(text: &str) -> Result<Self, UnknownType> {
        let has_form = !text.contains('*') || text == "*" || text.ends_with(".*");
        let pattern = Self(text.into());
        if has_form && ChangeType::ALL.iter().any(|kind| pattern.matches(*kind)) {
            Ok(pattern)
        } else {
            Err(UnknownType)
        }
    }
}

impl TryFrom<String> for TypePattern {
    type Error = UnknownType;

    fn try_from(text: String) -> Result<Self, UnknownType> {
        text.parse()
    }
}

/// What an endpoint wants to be told, of what its partner may see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSelection {
    /// Changes of these types.
    pub types: Vec<TypePattern>,
    /// If there are any, only what hangs on one of these events.
    #[serde(default)]
    pub events: Vec<EventId>,
}

impl WebhookSelection {
    /// Whether it wants a change of this type that hangs on this event.
    pub fn wants(&self, kind: ChangeType, event: Option<EventId>) -> bool {
        let is_of_events = self.events.is_empty() || event.is_some_and(|event| self.events.contains(&event));
        is_of_events && self.types.iter().any(|pattern| pattern.matches(kind))
    }
}

/// What a message has besides its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebhookPayload {
    /// The resource as it is when it is sent.
    #[serde(rename = "full")]
    Full,
    /// Only which resource it is.
    #[serde(rename = "thin")]
    Thin,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::id::Id;

    #[test]
    fn a_pattern_stands_for_types_that_there_are() {
        let pattern = |text: &str| text.parse::<TypePattern>();
        for text in ["*", "order.*", "order.paid", "refund_request.*", "inventory.sold_out"] {
            assert_eq!(pattern(text).map(|read| read.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "order",
            "order*",
            "ord*",
            "order.",
            "order.*.*",
            "*.paid",
            "**",
            "Order.paid",
            "order.lost",
            "orders.*",
        ] {
            assert_eq!(pattern(text), Err(UnknownType), "{text}");
        }
        let orders = pattern("order.*").unwrap();
        assert!(orders.matches(ChangeType::OrderPaid) && !orders.matches(ChangeType::TicketIssued));
        let paid = pattern("order.paid").unwrap();
        assert!(paid.matches(ChangeType::OrderPaid) && !paid.matches(ChangeType::OrderCanceled));
    }

    #[test]
    fn an_endpoint_may_want_some_events_only() {
        let selection = |types: &[&str], events: &[i64]| WebhookSelection {
            types: types.iter().map(|text| text.parse().unwrap()).collect(),
            events: events.iter().map(|key| Id::root(*key)).collect(),
        };
        let event = |key| Some(EventId::root(key));
        let (all, one) = (selection(&["*"], &[]), selection(&["order.*", "event.*"], &[1]));
        assert!(all.wants(ChangeType::VenueCreated, None) && all.wants(ChangeType::OrderPaid, event(2)));
        assert!(one.wants(ChangeType::OrderPaid, event(1)) && one.wants(ChangeType::EventChanged, event(1)));
        assert!(!one.wants(ChangeType::OrderPaid, event(2)) && !one.wants(ChangeType::OrderPaid, None));
        assert!(!one.wants(ChangeType::SetChanged, event(1)));
    }
}
