//! Since when it is known what the person allowed, and what they are asked although a rule seems to cover it.

use chrono::TimeDelta;
use plantune_query::health::Contents;
use plantune_query::permissions::although::{Reason, reasons};
use plantune_reports::prompts::although_in_words;

use super::check::{Check, counted};
use crate::permission_rules::known;
use crate::workspace::{Workspace, store};

const NAME: &str = "permissions";

/// Since when approvals are known, by the store.
pub(super) fn check(contents: &Contents) -> Check {
    let prompts = counted(contents.prompts, "prompt", "prompts");
    match contents.approvals_since {
        Some(since) => {
            let day = since.date_naive();
            Check::ok(
                NAME,
                format!("approvals are known since {day}; {prompts} for permission"),
            )
        }
        None if contents.prompts > 0 => Check::note(
            NAME,
            format!("{prompts} for permission, of which only refusals are known"),
        )
        .remedy(SINCE),
        None => Check::note(NAME, "no prompt for permission is known yet").remedy(SINCE),
    }
}

/// How many days of prompts are held against the rules.
const DAYS: i64 = 28;

/// How many reasons are named.
const NAMED: usize = 3;

/// The prompts of the last weeks that a rule of the person's seems to cover, and why they came.
pub(super) fn although(workspace: &Workspace) -> Option<Check> {
    // Not the workspace's: whoever reads that leaves summaries of it, and doctor leaves nothing.
    let store = store::open(&workspace.paths).ok().flatten()?;
    let mut prompts = store.prompt_history(None).ok()?;
    let since = workspace.now.naive_utc() - TimeDelta::days(DAYS);
    prompts.retain(|one| one.at >= since);
    let known = known::rules(workspace, None, &prompts);
    let own = workspace.registry().ok()?.own_reaches();
    let reasons = reasons(&prompts, &known.rules, own);
    let count: usize = reasons.iter().map(|one| one.prompts).sum();
    if count == 0 {
        return None;
    }
    let message = format!(
        "{} of the last four weeks came although a rule of yours seems to cover them",
        counted(count as u64, "prompt", "prompts")
    );
    let check = Check::note(NAME, message);
    let check = reasons.iter().take(NAMED).fold(check, |check, one| {
        let Reason { although, prompts } = one;
        check.remedy(format!(
            "{prompts} × {}: {}",
            although.rule,
            although_in_words(although)
        ))
    });
    Some(check.remedy("`plantune report SUBJECT` says it of each"))
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
            let found = check(&Contents {
                prompts,
                approvals_since,
                ..Contents::default()
            });
            assert_eq!(found.status, status);
            assert!(found.message.contains(words), "{}", found.message);
        }
    }
}
