//! Enums whose variants have a name in events, files and reports.

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

pub(crate) use crate::named_enum;

#[cfg(test)]
mod tests {
    use crate::cost::QuestionKind;
    use crate::decision::{AskReason, Mechanism};
    use crate::doors::Door;
    use crate::event::{Kind, QuestionOutcome};
    use crate::preferences::{Policy, Scope};
    use crate::question::KeySource;
    use crate::reask::Reask;
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
        check!(AskReason DismissReason Door FailureKind KeySource Kind Mechanism);
        check!(Policy QuestionKind QuestionOutcome Reask Scope SessionKind);
    }
}
