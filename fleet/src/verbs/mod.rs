//! The verbs, one file each.

pub(crate) mod adopt;
pub(crate) mod compact;
pub(crate) mod forget;
pub(crate) mod init;
mod left;
pub(crate) mod preview;
pub(crate) mod push;
pub(crate) mod report;
pub(crate) mod status;

use std::io::{BufRead as _, Write as _};

use crate::failure::Failure;
use crate::say;

/// Asks a question on the terminal; true for a yes.
fn confirm(question: &str) -> Result<bool, Failure> {
    say(&format!("{question} [y/N] "));
    std::io::stderr().flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

/// `count` of what `one` is called, with an `s` where that is more.
fn some(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}
