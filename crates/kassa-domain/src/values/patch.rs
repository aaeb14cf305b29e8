//! Partial updates: of one field, and of a struct.

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

impl Patch<String> {
    /// How long the text is that was given, in bytes.
    pub fn text_bytes(&self) -> usize {
        if let Self::Set(text) = self { text.len() } else { 0 }
    }
}

impl<T> From<Option<T>> for Patch<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Keep, Self::Set)
    }
}

/// What a partial update makes of a value.
pub(crate) trait ApplyTo<T> {
    /// Changes what is mentioned, and keeps the rest.
    fn apply_to(self, value: &mut T);
}

/// `null` makes a value that may be missing `None`.
impl<T> ApplyTo<Option<T>> for Patch<T> {
    fn apply_to(self, value: &mut Option<T>) {
        self.apply(value);
    }
}

/// `null` gives any other value its default.
impl<T: Default> ApplyTo<T> for Patch<T> {
    fn apply_to(self, value: &mut T) {
        self.apply_or(value, T::default());
    }
}

/// Declares a struct and its partial update at once: each field with the type of its patch, [`Patch`] of its type or
/// of what it may hold. `unpatched` fields are changed in other ways. A struct can be a field of another: its `null` is
/// its default, or `None` if it may be missing.
macro_rules! patchable {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $($(#[doc = $doc:literal])* $(#[serde($($serde:tt)*)])? $field:ident: $type:ty = $field_patch:ty,)*
        }
        $(unpatched { $($(#[$other_about:meta])* $other:ident: $other_type:ty,)* })?

        $(#[$patch_about:meta])*
        pub struct $patch:ident;
    ) => {
        $(#[$about])*
        pub struct $name {
            $($(#[doc = $doc])* $(#[serde($($serde)*)])? pub $field: $type,)*
            $($($(#[$other_about])* pub $other: $other_type,)*)?
        }

        $(#[$patch_about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $patch {
            $($(#[doc = $doc])* pub $field: $field_patch,)*
        }

        impl $crate::values::patch::ApplyTo<$name> for $patch {
            fn apply_to(self, value: &mut $name) {
                $($crate::values::patch::ApplyTo::apply_to(self.$field, &mut value.$field);)*
            }
        }

        impl $crate::values::patch::ApplyTo<$name> for $crate::values::patch::Patch<$patch> {
            fn apply_to(self, value: &mut $name) {
                match self {
                    Self::Keep => {}
                    Self::Clear => *value = $name::default(),
                    Self::Set(patch) => patch.apply_to(value),
                }
            }
        }

        impl $crate::values::patch::ApplyTo<Option<$name>> for $crate::values::patch::Patch<$patch> {
            fn apply_to(self, value: &mut Option<$name>) {
                match self {
                    Self::Keep => {}
                    Self::Clear => *value = None,
                    Self::Set(patch) => patch.apply_to(value.get_or_insert_default()),
                }
            }
        }
    };
}
pub(crate) use patchable;
