//! Proposed permission rules: what would be spared, on what evidence, and what else a rule
//! would let through.

use crate::prompts::reach_in_words;
use std::io::{self, Write};

use plantune_query::permissions::propose::{Left, Settings};
use plantune_query::suggest::Level;

use crate::amount::{duration, percent};
use crate::inert::one_line;
use crate::suggestions::rules::{RuleProposal, Rules, TooWide};
use crate::text::{hanging, wrap};

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
const SHOWN: usize = 220;

/// How many rules that no prompt is for are named.
const MOST_UNUSED: usize = 8;

/// How many narrower rules are named for one.
const MOST_INSTEAD: usize = 4;

/// Writes the proposed rules and those that could be narrower, in lines no wider than `width`; nothing where
/// there is nothing to say.
///
/// # Errors
/// Those of `out`.
pub(super) fn write(found: &Rules<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    match found.permissions.len() {
        0 => {}
        1 => writeln!(out, "1 permission rule that would spare you prompts:")?,
        count => writeln!(
            out,
            "{count} permission rules that would spare you prompts:"
        )?,
    }
    for (number, one) in (1..).zip(&found.permissions) {
        proposal(number, one, width, out)?;
    }
    left(found.left, found.permissions.is_empty(), width, out)?;
    tightened(&found.tighten, width, out)?;
    if !found.permissions.is_empty() {
        let text = "Nothing is changed yet. `plantune suggest --permissions --apply` shows the change to Claude \
                    Code's settings and asks; `--only RULE` takes one of them.";
        writeln!(out, "\n{}", wrap(text, width).join("\n"))?;
    }
    Ok(())
}

/// Writes one proposal, with its evidence, in lines no wider than `width`.
///
/// # Errors
/// Those of `out`.
pub(super) fn proposal(
    number: usize,
    one: &RuleProposal<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rule = one_line(&one.rule.to_string(), SHOWN);
    writeln!(out, "\n{number}. {rule}")?;
    let under = " ".repeat(13);
    let mut line = |name: &str, text: &str| {
        let first = format!("   {name:<10}");
        write!(out, "{}", hanging(&first, &under, text, width))
    };
    line("for:", &place(one))?;
    line(
        "level:",
        match one.level {
            Level::Standing => "standing: allowed often enough to be sure",
            Level::Trial | Level::Assist => "trial: allowed so far, but not often yet",
        },
    )?;
    line("reach:", &format!("it {}", reach_in_words(Some(one.reach))))?;
    line("evidence:", &evidence(one))?;
    line(
        "right:",
        &format!("at least {} of the time", percent(one.confidence)),
    )?;
    line("also:", &one_line(one.also_allows, usize::MAX))?;
    line(
        "saves:",
        &one.seconds_saved_per_week.map_or_else(
            || "not known: no wait was logged".to_owned(),
            |seconds| format!("{} of waiting a week", duration(seconds)),
        ),
    )?;
    if !one.worth.note.is_empty() {
        line("mode:", one.worth.note)?;
    }
    Ok(())
}

fn place(one: &RuleProposal<'_>) -> String {
    match one.settings {
        Settings::User => {
            let projects: Vec<String> = one
                .projects
                .iter()
                .map(|one| one_line(one, SHOWN))
                .collect();
            format!("every project; seen in {}", projects.join(", "))
        }
        Settings::Local => format!(
            "you, in {}",
            one_line(one.folder.unwrap_or_default(), SHOWN)
        ),
    }
}

fn evidence(one: &RuleProposal<'_>) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (sessions, days) = (one.evidence.sessions, one.evidence.days);
    let mut text = format!(
        "{} of {} prompts allowed, {sessions} session{} on {days} day{}, {} to {}",
        one.prompts - one.refused.min(one.prompts),
        one.prompts,
        plural(sessions),
        plural(days),
        one.evidence.first,
        one.evidence.last
    );
    if one.evidence.imported > 0 {
        text.push_str(&format!("; {} from transcripts", one.evidence.imported));
    }
    text
}

/// Says how many prompts stay, and why.
fn left(left: Left, alone: bool, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let reasons = [
        (
            left.beyond,
            "reach beyond the project or are not certain to stay in it: never proposed",
        ),
        (left.no_rule, "cannot be written as a rule for just that"),
        (left.unsure, "not allowed often enough yet, or refused"),
        (left.known, "have a rule already"),
        (
            left.mode,
            "are not asked about in the mode that you mostly work in",
        ),
    ];
    let reasons: Vec<String> = reasons
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, reason)| format!("{count} {reason}"))
        .collect();
    if reasons.is_empty() {
        return Ok(());
    }
    let text = format!("Permission prompts that stay: {}.", reasons.join("; "));
    let gap = if alone { "" } else { "\n" };
    writeln!(out, "{gap}{}", wrap(&text, width).join("\n"))
}

fn tightened(found: &[TooWide<'_>], width: usize, out: &mut dyn Write) -> io::Result<()> {
    let (dangerous, unused): (Vec<&TooWide<'_>>, Vec<&TooWide<'_>>) =
        found.iter().partition(|one| one.danger.is_some());
    if !dangerous.is_empty() {
        writeln!(out, "\nRules you have that allow more than they need:")?;
    }
    for one in dangerous {
        let rule = one_line(&one.rule.to_string(), SHOWN);
        writeln!(out, "  {rule} in {}", one_line(one.file, SHOWN))?;
        let mut line = |text: &str| write!(out, "{}", hanging("    ", "    ", text, width));
        if let Some(danger) = one.danger {
            line(&format!("also allows: {}", one_line(danger, SHOWN)))?;
        }
        let mut instead: Vec<String> = one
            .instead
            .iter()
            .take(MOST_INSTEAD)
            .map(|rule| one_line(rule, SHOWN))
            .collect();
        if one.instead.len() > MOST_INSTEAD {
            instead.push(format!("{} more", one.instead.len() - MOST_INSTEAD));
        }
        match instead.is_empty() {
            true => line("instead: nothing is known that needs it")?,
            false => line(&format!("instead: {}", instead.join(", ")))?,
        }
        line(&format!("used: {}. {}", prompts(one.used), one.unknown))?;
    }
    let Some(first) = unused.first() else {
        return Ok(());
    };
    let mut rules: Vec<String> = unused
        .iter()
        .take(MOST_UNUSED)
        .map(|one| one_line(&one.rule.to_string(), SHOWN))
        .collect();
    if unused.len() > MOST_UNUSED {
        rules.push(format!("and {} more", unused.len() - MOST_UNUSED));
    }
    let text = format!(
        "Rules you have that no prompt is for: {}. {}",
        rules.join(", "),
        first.unknown
    );
    writeln!(out, "\n{}", wrap(&text, width).join("\n"))
}

fn prompts(count: usize) -> String {
    match count {
        1 => "1 prompt".to_owned(),
        count => format!("{count} prompts"),
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use plantune_domain::permissions::{Reach, Rule};
    use plantune_query::permissions::propose::{Evidence, Proposal, Proposals};
    use plantune_query::permissions::tighten::Tighten;
    use plantune_query::permissions::worth::Worth;

    use super::*;

    fn proposal() -> Proposal {
        let day = |day| NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        Proposal {
            rule: Rule::parse("Bash(npm test)").unwrap(),
            subject: "npm test".to_owned(),
            reach: Reach::Reads,
            project: "github.com/acme/shop".to_owned(),
            projects: vec!["github.com/acme/shop".to_owned()],
            root: "/home/dev/shop".to_owned(),
            settings: Settings::Local,
            prompts: 13,
            refused: 1,
            prompts_per_week: 4.5,
            seconds_saved_per_week: Some(95.0),
            also_allows: "Nothing but these words.".to_owned(),
            level: Level::Trial,
            confidence: 0.714,
            evidence: Evidence {
                sessions: 12,
                days: 11,
                imported: 2,
                first: day(1),
                last: day(20),
            },
            worth: Worth {
                mode: Some("auto".to_owned()),
                helps: false,
                note: "You mostly work in auto mode.",
            },
        }
    }

    #[test]
    fn proposals_and_rules_that_are_too_wide() {
        let found = Proposals {
            proposals: vec![proposal()],
            left: Left {
                beyond: 7,
                unsure: 2,
                ..Left::default()
            },
        };
        let tighten = |rule: &str, danger: Option<&str>, used| Tighten {
            rule: Rule::parse(rule).unwrap(),
            file: "/home/dev/.claude/settings.json".to_owned(),
            root: None,
            instead: vec![],
            used,
            never_used: used == 0,
            danger: danger.map(str::to_owned),
        };
        let rules = [
            tighten("Bash(git push *)", Some("git push --force\u{1b}[2J"), 3),
            tighten("Bash(x\u{202e}y)", None, 0),
        ];
        let mut out = Vec::new();
        write(&Rules::new(&found, &rules), 80, &mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
        1 permission rule that would spare you prompts:

        1. Bash(npm test)
           for:      you, in /home/dev/shop
           level:    trial: allowed so far, but not often yet
           reach:    it reads, tests or builds
           evidence: 12 of 13 prompts allowed, 12 sessions on 11 days, 2026-11-01 to
                     2026-11-20; 2 from transcripts
           right:    at least 71% of the time
           also:     Nothing but these words.
           saves:    1 min 35 s of waiting a week
           mode:     You mostly work in auto mode.

        Permission prompts that stay: 7 reach beyond the project or are not certain to
        stay in it: never proposed; 2 not allowed often enough yet, or refused.

        Rules you have that allow more than they need:
          Bash(git push *) in /home/dev/.claude/settings.json
            also allows: git push --force
            instead: nothing is known that needs it
            used: 3 prompts. Counted are prompts from before it was there, or of other
            folders. What it allows is not logged call by call.

        Rules you have that no prompt is for: Bash(xy). No prompt in the log is one that
        it would have spared. What it allows is not logged call by call, so it may be in
        use all the same.

        Nothing is changed yet. `plantune suggest --permissions --apply` shows the
        change to Claude Code's settings and asks; `--only RULE` takes one of them.
        ");
    }
}
