//! Enums whose variants users name as text.

/// The error for an unknown name.
///
/// ```
/// let error = equipoise_graph::UnknownName { what: "format", name: "xlsx".into(), known: &["mtx", "eqp"] };
/// assert_eq!(error.to_string(), "unknown format `xlsx`; known are: `mtx`, `eqp`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`; known are: {}", quoted(known))]
pub struct UnknownName {
    /// The kind of thing that the name should denote, such as `format`.
    pub what: &'static str,
    /// The unknown name.
    pub name: String,
    /// The known names.
    pub known: &'static [&'static str],
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Declares an enum whose variants have names for users, on the command line, in files and in the
/// API: with `ALL`, `name`, `Display`, `FromStr` and, behind the features of the same names, clap's
/// `ValueEnum` and serde's traits.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        pub enum $type:ident ($what:literal) {
            $( #[doc = $doc:literal] $(#[$attribute:meta])* $variant:ident = $name:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $( #[doc = $doc] $(#[$attribute])* $variant, )+
        }

        impl $type {
            /// All variants, in the order of lists for users.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name for users.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownName {
                        what: $what,
                        name: name.to_owned(),
                        known: &[$($name),+],
                    }),
                }
            }
        }

        #[cfg(feature = "clap")]
        impl clap::ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                Self::ALL
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                let help = match self { $(Self::$variant => $doc),+ };
                let help = help.trim().trim_end_matches('.');
                Some(clap::builder::PossibleValue::new(self.name()).help(help))
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
