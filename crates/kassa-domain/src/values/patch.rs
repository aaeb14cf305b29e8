//! One field of a partial update.

/// What a partial update says about a field: nothing, that it be empty, or its new value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field was not mentioned.
    #[default]
    Keep,
    /// The field was given as `null`.
    Clear,
    /// The field was given.
    Set(T),
}

impl<T> Patch<T> {
    /// Applies it to an optional field.
    pub fn apply(self, field: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *field = None,
            Self::Set(value) => *field = Some(value),
        }
    }

    /// Applies it to a field that is never empty: `null` gives it `default`.
    pub fn apply_or(self, field: &mut T, default: T) {
        match self {
            Self::Keep => {}
            Self::Clear => *field = default,
            Self::Set(value) => *field = value,
        }
    }

    /// The value, if one was given.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Keep | Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Whether the field was mentioned.
    pub fn is_given(&self) -> bool {
        !matches!(self, Self::Keep)
    }

    /// The same for another type.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(f(value)),
        }
    }
}

impl<T> From<Option<T>> for Patch<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Keep, Self::Set)
    }
}
