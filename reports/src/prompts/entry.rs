//! A prompt as an entry of the log.

use std::io::{self, Write};

use anstyle::Style;
use plantune_query::permissions::prompts::Prompt;

use super::words::{SHOWN, what_happened};
use crate::decisions::Clock;
use crate::inert::one_line;
use crate::style::{BOLD, DIM, styled};
use crate::text::hanging;

/// Writes `prompt` for a terminal `width` columns wide, in `colour` where that is wanted.
///
/// # Errors
/// Those of `out`.
pub fn write(
    prompt: &Prompt,
    clock: Clock<'_>,
    (width, colour): (usize, bool),
    out: &mut dyn Write,
) -> io::Result<()> {
    // What was asked is the whole input; the subject stands in where there is none.
    let asked = prompt.input.as_deref().unwrap_or(&prompt.subject);
    let first = format!("{}? {asked}", prompt.tool);
    let first = one_line(&first, width.saturating_sub(18));
    let first = format!("{}  {first}", clock(prompt.at));
    writeln!(out, "{}", styled(&first, BOLD, colour))?;
    let id = prompt.tool_use_id.as_ref().unwrap_or(&prompt.id);
    let named = format!(
        "{} in {} ({})",
        one_line(&prompt.subject, SHOWN),
        one_line(&prompt.project, SHOWN),
        one_line(id, SHOWN)
    );
    let happened = format!("permission: {}", what_happened(prompt));
    for (text, style) in [(happened, Style::new()), (named, DIM)] {
        for line in hanging("    ", "    ", &text, width).lines() {
            writeln!(out, "{}", styled(line, style, colour))?;
        }
    }
    Ok(())
}
