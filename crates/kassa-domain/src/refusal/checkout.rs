//! What is missing or wrong in what somebody says who buys.

/// A field, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// Its path in a request for the order: `$.answers.diet`.
    pub field: String,
    /// What is wrong, as the end of a sentence.
    pub problem: &'static str,
}

impl FieldProblem {
    /// A field, and what is wrong with it.
    pub(crate) fn new(field: impl Into<String>, problem: &'static str) -> Self {
        Self { field: field.into(), problem }
    }
}

/// What is missing or wrong in what somebody says who buys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutRefusal {
    /// The organizer or the seller wants more before the order can be paid.
    #[error("Before the order can be paid, something is to be filled in: details names the fields")]
    Incomplete(Vec<FieldProblem>),
    /// An answer is none to its question, or a field is not asked for.
    #[error("What was filled in does not fit what the event asks for: details names the fields")]
    Unfit(Vec<FieldProblem>),
    /// The names on tickets are fixed by now.
    #[error("The names on the tickets of this order can no longer be changed")]
    NameChangeOver,
}

impl CheckoutRefusal {
    /// The fields that it is about.
    pub fn fields(&self) -> &[FieldProblem] {
        match self {
            Self::Incomplete(fields) | Self::Unfit(fields) => fields,
            Self::NameChangeOver => &[],
        }
    }

    /// The stable code.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Incomplete(_) => "checkout_incomplete",
            Self::Unfit(_) => "checkout_unfit",
            Self::NameChangeOver => "name_change_over",
        }
    }
}
