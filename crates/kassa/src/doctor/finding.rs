//! What was found, and what to do about it.

use std::fmt;

/// What was found about one thing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    subject: &'static str,
    text: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Fine,
    /// It could not be found out, or is of no concern here.
    Unknown,
    /// With what to do.
    Problem(String),
}

impl Finding {
    pub(super) fn fine(subject: &'static str, text: impl Into<String>) -> Self {
        Self { subject, text: text.into(), kind: Kind::Fine }
    }

    pub(super) fn unknown(subject: &'static str, text: impl Into<String>) -> Self {
        Self { subject, text: text.into(), kind: Kind::Unknown }
    }

    pub(super) fn problem(subject: &'static str, text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { subject, text: text.into(), kind: Kind::Problem(advice.into()) }
    }

    pub(super) fn is_problem(&self) -> bool {
        matches!(self.kind, Kind::Problem(_))
    }
}

/// A line, and below it what to do.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            Kind::Fine => "ok",
            Kind::Unknown => "?",
            Kind::Problem(_) => "PROBLEM",
        };
        write!(f, "{word:<8}{}: {}", self.subject, self.text)?;
        match &self.kind {
            Kind::Problem(advice) => write!(f, "\n        to do: {advice}"),
            Kind::Fine | Kind::Unknown => Ok(()),
        }
    }
}
