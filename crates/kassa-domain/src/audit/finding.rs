//! What was found.

use std::fmt::{self, Debug, Display};

/// The most findings that are listed one by one: where there are more, one looks for one cause.
pub const FINDINGS_MAX: usize = 1_000;

/// Two things that must agree, and do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about, as `set` or `order`.
    pub resource: &'static str,
    /// Which one: its id as the interface shows it.
    pub id: String,
    /// What of it, as `counters`.
    pub aspect: &'static str,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub actual: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resource: what, id, aspect: part, expected, actual: found } = self;
        write!(f, "{what} {id}: {part}: expected {expected}, found {found}")
    }
}

/// Some findings: the first of them one by one, the others counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    items: Vec<Finding>,
    omitted: u64,
}

impl Findings {
    /// The first of them, at most [`FINDINGS_MAX`].
    pub fn items(&self) -> &[Finding] {
        &self.items
    }

    /// How many there are in all.
    pub fn count(&self) -> u64 {
        self.items.len() as u64 + self.omitted
    }

    /// Whether all agrees.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        if self.items.len() < FINDINGS_MAX {
            self.items.push(finding);
        } else {
            self.omitted += 1;
        }
    }

    /// Adds others.
    pub fn extend(&mut self, others: Self) {
        self.omitted += others.omitted;
        others.items.into_iter().for_each(|finding| self.push(finding));
    }

    /// What is compared of one thing.
    pub(super) fn checker_for<'a>(&'a mut self, what: &'static str, id: &'a dyn Display) -> FindingChecker<'a> {
        FindingChecker { findings: self, resource: what, id }
    }
}

/// Compares what one thing is with what it should be.
pub(super) struct FindingChecker<'a> {
    findings: &'a mut Findings,
    resource: &'static str,
    id: &'a dyn Display,
}

impl FindingChecker<'_> {
    /// The two must be the same.
    pub(super) fn expect_equal<T: PartialEq + Debug>(&mut self, part: &'static str, expected: &T, found: &T) {
        if expected != found {
            self.report(part, format!("{expected:?}"), format!("{found:?}"));
        }
    }

    /// This must hold, or the thing is something that it should not be.
    pub(super) fn expect(&mut self, part: &'static str, holds: bool, expected: &str, found: &dyn Debug) {
        if !holds {
            self.report(part, expected.to_owned(), format!("{found:?}"));
        }
    }

    fn report(&mut self, part: &'static str, expected: String, found: String) {
        self.findings.push(Finding {
            resource: self.resource,
            id: self.id.to_string(),
            aspect: part,
            expected,
            actual: found,
        });
    }
}
