//! Since when it is known what the person allowed.

use plantune_query::health::Contents;

use super::check::{Check, counted};

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
