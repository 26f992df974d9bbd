//! Signs that need no vocabulary of acts: commands, SQL, money, addresses, paths, versions.

mod code;
mod money;
mod places;
mod sign;

use super::finding::{Finding, Matched};

pub(super) use places::points_outside;

/// The first sign in `text`, the one numbered `number`. `folded` is the text as the words see it.
#[inline(never)]
pub(super) fn first(number: usize, text: &str, folded: &str) -> Option<Finding> {
    let (kind, what) = code::first(text)
        .or_else(|| money::first(folded))
        .or_else(|| places::first(folded))?;
    Some(Finding {
        reason: format!("sign: {kind}"),
        matched: vec![Matched {
            text: number,
            word: what,
        }],
    })
}
