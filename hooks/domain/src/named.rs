//! Words in events, files and reports: the names of an enum's variants, and counts with their noun.

pub(crate) use crate::named_enum;

/// Defines an enum without fields, and the name of each variant.
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        pub enum $enum:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $enum {
            /// Every variant, in the order of the definition.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in events, files and reports.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant of that name; `None` for any other text.
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// `count` things, in words: `1 line`, `2 lines`. This is the only place that chooses between singular and plural.
pub fn counted(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::QuestionKind;
    use crate::config::Reask;
    use crate::doors::Door;
    use crate::event::{AskReason, ChangeReason, DenialReason, Grant, Kind, Mechanism};
    use crate::event::{QuestionOutcome, RefusalReason};
    use crate::preferences::{Policy, Scope, Setter};
    use crate::question::KeySource;
    use crate::results::{DismissReason, FailureKind};
    use crate::session_kind::SessionKind;

    macro_rules! check {
        ($($enum:ident)+) => {
            $(
                for one in $enum::ALL {
                    assert_eq!($enum::parse(one.as_str()), Some(*one));
                }
                assert_eq!($enum::parse("something else"), None);
            )+
        };
    }

    #[test]
    fn names_are_parsed_back() {
        check!(AskReason ChangeReason DismissReason Door FailureKind KeySource Kind Mechanism);
        check!(DenialReason Grant RefusalReason);
        check!(Policy QuestionKind QuestionOutcome Reask Scope SessionKind Setter);
    }
}

#[cfg(test)]
mod counted_tests {
    use super::counted;

    #[test]
    fn one_thing_is_called_otherwise_than_several() {
        let lines = [0_u64, 1, 2].map(|count| counted(count, "line", "lines"));
        assert_eq!(lines, ["0 lines", "1 line", "2 lines"]);
        assert_eq!(counted(-1, "line", "lines"), format!("{} lines", u64::MAX));
    }
}
