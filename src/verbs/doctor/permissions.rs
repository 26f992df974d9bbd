//! Since when it is known what the person allowed, and what they are asked although a rule seems to cover it.

use chrono::TimeDelta;
use plantune_query::health::Contents;
use plantune_query::permissions::near_miss::{Reason, reasons};
use plantune_reports::amount::counted;
use plantune_reports::prompts::although_in_words;

use super::check::Findings;
use crate::permission_rules::known;
use crate::workspace::{Workspace, store};

const NAME: &str = "permissions";

/// Since when approvals are known, by the store.
pub(super) fn check(contents: &Contents, found: &mut Findings) {
    let prompts = counted(contents.prompts, "prompt", "prompts");
    let message = match contents.approvals_since {
        Some(since) => {
            let day = since.date_naive();
            let message = format!("approvals are known since {day}; {prompts} for permission");
            return found.ok(NAME, message);
        }
        None if contents.prompts > 0 => {
            format!("{prompts} for permission, of which only refusals are known")
        }
        None => "no prompt for permission is known yet".to_owned(),
    };
    found.note(NAME, message).remedy(SINCE);
}

/// How many days of prompts are held against the rules.
const DAYS: i64 = 28;

/// How many reasons are named.
const NAMED: usize = 3;

/// The prompts of the last weeks that a rule of the person's seems to cover, and why they came; nothing where they
/// cannot be read.
pub(super) fn although(workspace: &Workspace, found: &mut Findings) {
    let reasons = reasons_of(workspace).unwrap_or_default();
    let count: usize = reasons.iter().map(|one| one.prompts).sum();
    if count == 0 {
        return;
    }
    let note = found.note(
        NAME,
        format!(
            "{} of the last four weeks came although a rule of yours seems to cover them",
            counted(count, "prompt", "prompts")
        ),
    );
    for Reason { although, prompts } in reasons.iter().take(NAMED) {
        let words = although_in_words(although);
        note.remedy(format!("{prompts} × {}: {words}", although.rule));
    }
    note.remedy("`plantune report SUBJECT` says it of each");
}

fn reasons_of(workspace: &Workspace) -> Option<Vec<Reason>> {
    // Not the workspace's: whoever reads that leaves summaries of it, and doctor leaves nothing.
    let store = store::open(&workspace.paths).ok().flatten()?;
    let mut prompts = store.prompt_history(None).ok()?;
    let since = workspace.now.naive_utc() - TimeDelta::days(DAYS);
    prompts.retain(|one| one.at >= since);
    let known = known::rules(workspace, None, &prompts);
    let own = workspace.registry().ok()?.own_reaches();
    Some(reasons(&prompts, &known.rules, own))
}

/// Transcripts say from this version on who allowed a call.
const SINCE: &str = "the hook logs those from now on; `plantune import claude-code` reads earlier ones, approvals \
                     from Claude Code 2.1.294 on";

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn what_is_known() {
        let day = "2026-11-19T10:00:00Z".parse().ok();
        for (prompts, approvals_since, status, words) in [
            (
                0,
                None,
                Status::Note,
                "no prompt for permission is known yet",
            ),
            (
                2,
                None,
                Status::Note,
                "2 prompts for permission, of which only refusals",
            ),
            (
                1,
                day,
                Status::Ok,
                "known since 2026-11-19; 1 prompt for permission",
            ),
        ] {
            let contents = Contents {
                prompts,
                approvals_since,
                ..Contents::default()
            };
            let mut found = Findings::default();
            check(&contents, &mut found);
            assert_eq!(found.checks[0].status, status);
            assert!(found.checks[0].message.contains(words), "{found:?}");
        }
    }
}
