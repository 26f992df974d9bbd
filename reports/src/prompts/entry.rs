//! One prompt among the decisions of the log.

use anstyle::Style;
use plantune_query::permissions::prompts::Prompt;

use super::words::{SHOWN, what_happened};
use crate::inert::one_line;
use crate::style::{BOLD, DIM};
use crate::terminal::Terminal;

/// A few lines about `prompt`.
pub fn show(prompt: &Prompt, out: &mut Terminal) {
    let asked = prompt.input.as_deref().unwrap_or(&prompt.subject);
    let first = format!("{}? {asked}", prompt.tool);
    let first = one_line(&first, out.width.saturating_sub(18));
    out.styled(&format!("{}  {first}", out.moment(prompt.at)), BOLD);
    let id = prompt.tool_use_id.as_ref().unwrap_or(&prompt.id);
    let named = [&prompt.subject, &prompt.project, id].map(|text| one_line(text, SHOWN));
    let [subject, project, id] = named;
    out.paragraph(
        format!("    permission: {}", what_happened(prompt)),
        Style::new(),
    );
    out.paragraph(format!("    {subject} in {project} ({id})"), DIM);
}
