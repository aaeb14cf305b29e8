//! What was found.

use std::fmt::{self, Debug, Display};

/// The most findings that are told one by one: where there are more, one looks for one cause.
pub const FINDINGS_MAX: usize = 1_000;

/// Two things that must agree, and do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about, as `set` or `order`.
    pub what: &'static str,
    /// Which one: its id as the interface shows it.
    pub id: String,
    /// What of it, as `counters`.
    pub part: &'static str,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub found: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, id, part, expected, found } = self;
        write!(f, "{what} {id}: {part}: expected {expected}, found {found}")
    }
}

/// Some findings: the first of them one by one, the others counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    told: Vec<Finding>,
    more: u64,
}

impl Findings {
    /// The first of them, at most [`FINDINGS_MAX`].
    pub fn told(&self) -> &[Finding] {
        &self.told
    }

    /// How many there are in all.
    pub fn count(&self) -> u64 {
        self.told.len() as u64 + self.more
    }

    /// Whether all agrees.
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// Adds one.
    pub fn push(&mut self, finding: Finding) {
        if self.told.len() < FINDINGS_MAX {
            self.told.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Adds others.
    pub fn extend(&mut self, others: Self) {
        self.more += others.more;
        others.told.into_iter().for_each(|finding| self.push(finding));
    }

    /// What is compared of one thing.
    pub(super) fn about<'a>(&'a mut self, what: &'static str, id: &'a dyn Display) -> About<'a> {
        About { findings: self, what, id }
    }
}

/// Compares what one thing is with what it should be.
pub(super) struct About<'a> {
    findings: &'a mut Findings,
    what: &'static str,
    id: &'a dyn Display,
}

impl About<'_> {
    /// The two must be the same.
    pub(super) fn same<T: PartialEq + Debug>(&mut self, part: &'static str, expected: &T, found: &T) {
        if expected != found {
            self.tell(part, format!("{expected:?}"), format!("{found:?}"));
        }
    }

    /// This must hold, or the thing is something that it should not be.
    pub(super) fn holds(&mut self, part: &'static str, holds: bool, expected: &str, found: &dyn Debug) {
        if !holds {
            self.tell(part, expected.to_owned(), format!("{found:?}"));
        }
    }

    fn tell(&mut self, part: &'static str, expected: String, found: String) {
        self.findings.push(Finding { what: self.what, id: self.id.to_string(), part, expected, found });
    }
}
