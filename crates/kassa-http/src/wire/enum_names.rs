//! The names of an enum's values in the interface: one table for what answers show, what requests may say, and what
//! the OpenAPI documents list.

use utoipa::openapi::ObjectBuilder;

use crate::openapi::schema;

/// The names of the values of `T`; [`enum_names!`] makes it.
pub(crate) struct EnumNames<T: 'static> {
    /// All that requests may say: the names, each followed by its other spellings.
    pub(crate) words: &'static [(&'static str, T)],
    pub(crate) name_of: fn(T) -> &'static str,
}

impl<T: Copy> EnumNames<T> {
    /// The name that answers show.
    pub(crate) fn name(&self, value: T) -> &'static str {
        (self.name_of)(value)
    }

    /// The names that answers show.
    pub(crate) fn schema(&self) -> ObjectBuilder {
        let is_shown = |(word, value): &&(&'static str, T)| self.name(*value) == *word;
        schema::words(self.words.iter().filter(is_shown).map(|(word, _)| *word))
    }

    /// What requests may say where only some values can be meant, or others are meant by them.
    pub(crate) fn words_for<U>(&self, meaning: impl Fn(T) -> Option<U>) -> Vec<(&'static str, U)> {
        self.words.iter().filter_map(|(word, value)| Some((*word, meaning(*value)?))).collect()
    }
}

/// Declares [`EnumNames`] as `Variant => "name" | "other spelling"`. A variant without a name does not compile.
macro_rules! enum_names {
    ($(
        $(#[$about:meta])*
        $seen:vis static $NAMES:ident: $Enum:ident {
            $($variant:ident => $name:literal $(| $spelling:literal)*,)+
        }
    )+) => {$(
        $(#[$about])*
        $seen static $NAMES: $crate::wire::EnumNames<$Enum> = $crate::wire::EnumNames {
            words: &[$(($name, $Enum::$variant), $(($spelling, $Enum::$variant),)*)+],
            name_of: |value| match value {
                $($Enum::$variant => $name,)+
            },
        };
    )+};
}
pub(crate) use enum_names;

/// Declares a field of a request that says one of some [`EnumNames`].
macro_rules! enum_input {
    ($(#[$about:meta])* $seen:vis struct $Input:ident($Enum:ident) of $NAMES:ident;) => {
        $(#[$about])*
        $seen struct $Input($seen $Enum);

        impl $crate::input::FromJson for $Input {
            fn from_json(json: &str) -> Result<Self, Vec<$crate::error::ErrorDetail>> {
                $crate::input::parse_word($NAMES.words, json).map(Self)
            }

            fn json_schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::openapi::schema::words($NAMES.words.iter().map(|(word, _)| *word)).into()
            }
        }
    };
}
pub(crate) use enum_input;
