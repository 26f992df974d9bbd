//! A prompt as an entry of the log.

use std::io::{self, Write};

use plantune_query::permissions::prompts::Prompt;

use super::words::{SHOWN, what_happened};
use crate::decisions::Clock;
use crate::inert::one_line;
use crate::text::hanging;

/// Writes `prompt` for a terminal `width` columns wide.
///
/// # Errors
/// Those of `out`.
pub fn write(
    prompt: &Prompt,
    clock: Clock<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    // What was asked is the whole input; the subject stands in where there is none.
    let asked = prompt.input.as_deref().unwrap_or(&prompt.subject);
    let first = format!("{}? {asked}", prompt.tool);
    let first = one_line(&first, width.saturating_sub(18));
    writeln!(out, "{}  {first}", clock(prompt.at))?;
    let id = prompt.tool_use_id.as_ref().unwrap_or(&prompt.id);
    let named = format!(
        "{} in {} ({})",
        one_line(&prompt.subject, SHOWN),
        one_line(&prompt.project, SHOWN),
        one_line(id, SHOWN)
    );
    for line in [format!("permission: {}", what_happened(prompt)), named] {
        write!(out, "{}", hanging("    ", "    ", &line, width))?;
    }
    Ok(())
}
