//! Enums that are stored by number and shown by name.

/// Declares an enum whose variants have a number, by which binary formats store them, and a name. Numbers are never
/// given again: new variants take the next one, and those that are not used any more stay.
macro_rules! numbered {
    (
        $(#[$about:meta])*
        pub enum $enum:ident { $($variant:ident = $number:literal $name:literal,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $enum {
            $(
                #[doc = concat!("`", $name, "`.")]
                $variant = $number,
            )*
        }

        impl $enum {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The one with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its number, by which it is stored.
            pub const fn number(self) -> u8 {
                self as u8
            }

            /// The one with this number.
            pub const fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(self.name())
                } else {
                    serializer.serialize_u8(self.number())
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $enum {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let found = if deserializer.is_human_readable() {
                    Self::from_name(&<std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?)
                } else {
                    Self::from_number(<u8 as serde::Deserialize>::deserialize(deserializer)?)
                };
                found.ok_or_else(|| serde::de::Error::custom(concat!("unknown ", stringify!($enum))))
            }
        }
    };
}

pub(super) use numbered;
