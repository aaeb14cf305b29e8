//! Who sees the rows of a list.

use std::collections::BTreeSet;

use kassa_domain::partner::PartnerId;

use super::predicate::{Predicate, root_key};
use crate::cell::Cell;

/// Rows with two sides are seen by the partners that are one of them, and by somebody else perhaps.
#[derive(Clone, Debug)]
pub struct Visibility {
    /// The columns that name the sides.
    sides: [&'static str; 2],
    /// The partners of the caller.
    partners: BTreeSet<i64>,
    /// What is so of rows that the caller sees otherwise.
    otherwise: Option<Vec<Predicate>>,
}

impl Visibility {
    /// A partner of the caller's is a side of the row, which these columns name.
    pub fn either_side(sides: [&'static str; 2], partners: &[PartnerId]) -> Self {
        Self { sides, partners: partners.iter().copied().map(root_key).collect(), otherwise: None }
    }

    /// Or all of these conditions hold.
    #[must_use]
    pub fn or(self, otherwise: Option<Vec<Predicate>>) -> Self {
        Self { otherwise, ..self }
    }

    fn keys(&self) -> Vec<Cell<'static>> {
        self.partners.iter().map(|key| (*key).into()).collect()
    }

    /// The sides are not the same partner. Rows of the other side are those that the one side does not have: saying so leads
    /// to an index that has no others. What a partner sells of its own is all of it on both sides.
    fn has_two_sides(&self) -> Predicate {
        let [one, other] = self.sides;
        Predicate::sql(format!("{other} <> {one}"), [])
    }

    /// In one condition.
    pub(crate) fn predicate(&self) -> Predicate {
        let [one, other] = self.sides;
        let mut reasons = Vec::new();
        if !self.partners.is_empty() {
            reasons.push(vec![Predicate::OneOf(one, self.keys())]);
            reasons.push(vec![Predicate::OneOf(other, self.keys()), self.has_two_sides()]);
        }
        Predicate::AnyOf(reasons.into_iter().chain(self.otherwise.clone()).collect())
    }

    /// As several conditions. No row passes two of them, and an index has the rows of each in the order of the list:
    /// rows of which a partner is the one side, then others of which one is the other side, then all others.
    pub(super) fn branches(&self) -> Vec<Vec<Predicate>> {
        let [one, other] = self.sides;
        let mut branches: Vec<Vec<Predicate>> =
            self.keys().into_iter().map(|key| vec![Predicate::equal(one, key)]).collect();
        for key in self.keys() {
            branches.push(vec![
                Predicate::equal(other, key),
                self.has_two_sides(),
                Predicate::NoneOf(one, self.keys()),
            ]);
        }
        if let Some(mut conditions) = self.otherwise.clone() {
            if !self.partners.is_empty() {
                conditions.extend(self.sides.map(|side| Predicate::NoneOf(side, self.keys())));
            }
            branches.push(conditions);
        }
        branches
    }
}
