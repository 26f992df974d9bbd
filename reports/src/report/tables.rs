//! Tables of the report: permission prompts in detail, and questions in groups.

use plantune_domain::event::Grant;
use plantune_query::permissions::auto_mode::Denied;
use plantune_query::permissions::prompts::{
    Detail, LoggedPrompt, Mode, Permissions, Repeated, SkillCommands, Subject,
};
use plantune_query::permissions::rules::Tighten;
use plantune_query::report::{GroupKey, QuestionGroup, QuestionGroups};

use super::auto_mode;
use crate::humanize::{counted, duration};
use crate::prompts::{NOBODY, outcome, reach_in_short};
use crate::table::{Section, Table, known, main, number, text};

/// The tables that have rows, each with `top` of them at most; `safe` makes a text from outside safe.
pub(super) fn parts(
    prompts: &Permissions,
    detail: &Detail,
    safe: fn(&str) -> String,
    top: usize,
) -> Vec<Section> {
    let parts = [
        by_subject(&prompts.by_subject, top),
        plan_approvals(prompts.plan_approvals.as_ref()),
        refusals(&detail.refusals, top),
        repeated(&detail.repeated, top),
        blocked(&detail.blocked, top),
        modes(&detail.modes, top),
        denied(&detail.denied_in_auto_mode, safe, top),
        skill_commands(&detail.skill_commands, top),
    ];
    let has_rows = |part: &Section| !part.rows.is_empty();
    parts.into_iter().filter(has_rows).collect()
}

/// The person's rules that could be narrower, and those that no prompt needed.
pub(super) fn own_rules(rules: &[Tighten], top: usize) -> Vec<Section> {
    let (wide, unused): (Vec<&Tighten>, Vec<&Tighten>) =
        rules.iter().partition(|one| one.danger.is_some());
    let instead = |one: &Tighten| -> String {
        let rules: Vec<String> = one.instead.iter().map(ToString::to_string).collect();
        rules.join(", ")
    };
    let mut table = Table::of(wide.iter().take(top).copied());
    table.add(main("rule").least(16), |one| one.rule.to_string());
    table.add(number("used"), |one| one.used);
    table.add(main("also allows").least(16), |one| {
        one.danger.as_deref().unwrap_or_default()
    });
    table.add(main("enough for you").least(12).rank(1), instead);
    table.add(text("file").least(12).rank(2), |one| &*one.file);
    let title = "Your rules that allow more than you need";
    let wide = (
        Section::part(title, table, wide.len()),
        wide.first().copied(),
    );
    let mut table = Table::of(unused.iter().take(top).copied());
    table.add(main("rule"), |one| one.rule.to_string());
    table.add(text("file").least(12).rank(1), |one| &*one.file);
    let title = "Your rules that no prompt needed";
    let unused = (
        Section::part(title, table, unused.len()),
        unused.first().copied(),
    );
    let with_note = |(section, first): (Section, Option<&Tighten>)| {
        Some(section.with_notes(vec![first?.unknown.to_owned()]))
    };
    [wide, unused].into_iter().filter_map(with_note).collect()
}

/// The subjects of prompts, the most frequent first.
pub(super) fn by_subject(subjects: &[Subject], top: usize) -> Section {
    let mut table = Table::of(subjects.iter().take(top));
    table.add(main("prompt"), |one| &*one.subject);
    table.add(number("times"), |one| one.asked);
    table.add(number("allowed"), |one| one.granted);
    table.add(number("refused"), |one| one.refused);
    table.add(number("median wait").rank(1), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(text("reach").rank(2), |one| reach_in_short(one.reach));
    table.add(text("tool").least(6).rank(3), |one| &*one.tool);
    Section::part("Permission prompts", table, subjects.len())
}

fn plan_approvals(plans: Option<&Subject>) -> Section {
    let mut table = Table::of(plans);
    table.add(number("times"), |one| one.asked);
    table.add(number("allowed"), |one| one.granted);
    table.add(number("refused"), |one| one.refused);
    table.add(number("median wait"), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("waited").rank(1), |one| {
        known((one.waits_known > 0).then(|| duration(one.seconds_waited)))
    });
    Section::new("Plans to approve", table)
}

fn refusals(refused: &[LoggedPrompt], top: usize) -> Section {
    let why = |one: &LoggedPrompt| match &one.free_text {
        Some(words) => Some(words.clone()),
        None => one.had_nobody().then(|| "(nobody was there)".to_owned()),
    };
    let mut table = Table::of(refused.iter().take(top));
    table.add(text("day"), |one| one.day.format("%-d %b %Y").to_string());
    table.add(text("prompt").least(28), |one| &*one.subject);
    table.add(text("your words").least(20), |one| known(why(one)));
    table.add(text("project").least(10).rank(1), |one| &*one.project);
    Section::part("Refused", table, refused.len())
}

fn repeated(repeated: &[Repeated], top: usize) -> Section {
    let chosen = |one: &Repeated| match one.chosen {
        Grant::Session => "for the session",
        Grant::Once | Grant::Always => "for good",
    };
    let mut table = Table::of(repeated.iter().take(top));
    table.add(main("prompt"), |one| &*one.subject);
    table.add(number("times"), |one| one.prompts);
    table.add(text("chosen"), chosen);
    table.add(text("project").least(10).rank(1), |one| &*one.project);
    Section::part(
        "Asked again after \"don't ask again\"",
        table,
        repeated.len(),
    )
}

fn blocked(blocked: &[LoggedPrompt], top: usize) -> Section {
    let mut table = Table::of(blocked.iter().take(top));
    table.add(text("day"), |one| one.day.format("%-d %b %Y").to_string());
    table.add(text("session").least(8), |one| &one.session_kind);
    table.add(text("outcome"), |one| outcome(one).to_owned());
    table.add(text("prompt").least(28), |one| &*one.subject);
    table.add(text("project").least(10).rank(1), |one| &*one.project);
    Section::part(
        "Stopped an agent that nobody was watching",
        table,
        blocked.len(),
    )
}

fn modes(modes: &[Mode], top: usize) -> Section {
    let says_something = |one: &&Mode| one.mode.is_some() || one.ran + one.denied > 0;
    let modes: Vec<&Mode> = modes.iter().filter(says_something).collect();
    let mut table = Table::of(modes.iter().copied().take(top));
    table.add(main("mode"), |one| known(one.mode.as_deref()));
    table.add(number("prompts"), |one| one.asked);
    table.add(number("ran without a prompt"), |one| one.ran);
    table.add(number("denied"), |one| one.denied);
    Section::part("Permission modes", table, modes.len())
}

fn denied(denied: &[Denied], safe: fn(&str) -> String, top: usize) -> Section {
    let mut table = Table::of(denied.iter().take(top));
    table.add(main("prompt"), |one| &*one.subject);
    table.add(number("denied"), |one| one.denied);
    table.add(number("then allowed"), |one| one.allowed);
    table.add(number("then refused"), |one| one.refused);
    table.add(number("not asked"), |one| one.not_asked);
    table.add(text("project").least(10).rank(1), |one| &*one.project);
    table.add(text("reach").rank(2), |one| reach_in_short(one.reach));
    let shown = denied.get(..top).unwrap_or(denied);
    Section::part(
        "Denied by auto mode, and what happened then",
        table,
        denied.len(),
    )
    .with_notes(auto_mode::undecided(shown, safe))
}

fn skill_commands(skills: &[SkillCommands], top: usize) -> Section {
    let mut table = Table::of(skills.iter().take(top));
    table.add(main("skill"), |one| &*one.skill);
    table.add(number("commands"), |one| one.commands);
    Section::part(
        "Commands that skills ran by themselves",
        table,
        skills.len(),
    )
}

/// The words where prompts are asked for and nobody ever logged one; `code` writes a command.
pub(super) fn nothing(code: fn(&str) -> String) -> String {
    format!(
        "No permission prompts yet. {} logs new ones, and {} reads those in your transcripts.",
        code("plantune install"),
        code("plantune import claude-code")
    )
}

/// How the prompts ended: `98 were allowed, 6 refused.`
pub(super) fn sums(prompts: &Permissions) -> String {
    let parts = [
        (prompts.granted, "allowed"),
        (prompts.refused, "refused"),
        (prompts.open, "with no known decision"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, how)| format!("{count} {how}")).collect();
    let prompts = counted(prompts.asked, "prompt", "prompts");
    match parts.is_empty() {
        true => format!("{prompts}."),
        false => format!("{prompts}: {}.", parts.join(", ")),
    }
}

/// The remarks, a sentence each.
pub(super) fn remarks(prompts: &Permissions) -> Vec<String> {
    let mut remarks = Vec::new();
    if prompts.asked_again > 0 {
        remarks.push(format!(
            "{} came after \"don't ask again\".",
            prompts.asked_again
        ));
    }
    if let Some(plans) = &prompts.plan_approvals {
        remarks.push(format!("{} asked you to approve a plan.", plans.asked));
    }
    if prompts.unattended > 0 {
        remarks.push(format!(
            "{} stopped an agent that nobody was watching.",
            prompts.unattended
        ));
    }
    if prompts.lacks_approvals() {
        remarks.push(match prompts.approvals_known_since {
            None => "These transcripts record refusals only, so approvals are unknown.".to_owned(),
            Some(since) => format!(
                "Approvals are unknown before {}: earlier transcripts record refusals only.",
                since.format("%Y-%m-%d")
            ),
        });
    }
    // The remarks from here on explain numbers that only the detail shows.
    if prompts.detail.is_none() {
        return remarks;
    }
    if prompts.auto_calls + prompts.denied > 0 {
        remarks.push(format!(
            "Without a prompt, {} calls ran and {} were denied.",
            prompts.auto_calls, prompts.denied
        ));
    }
    if prompts.ambiguous > 0 {
        remarks.push(format!(
            "{} can't be told apart, because identical calls ran at once.",
            prompts.ambiguous
        ));
    }
    if prompts.waits_away > 0 {
        remarks.push(format!(
            "{} waited {} while you were away.",
            prompts.waits_away,
            duration(prompts.seconds_away)
        ));
    }
    let known = prompts.waits_known + prompts.waits_away;
    let unknown = prompts.asked.saturating_sub(known);
    if unknown > 0 && known > 0 {
        remarks.push(format!("The wait for {unknown} of them is unknown."));
    }
    remarks
}

/// The groups, the most frequent first; all days of the week.
pub(super) fn part(groups: &QuestionGroups, top: usize) -> Section {
    let QuestionGroups { by, groups } = groups;
    let top = match by {
        GroupKey::Weekday => usize::MAX,
        _ => top,
    };
    let unanswered = |group: &QuestionGroup| group.dismissed + group.failed + group.open;
    let mut table = Table::of(groups.iter().take(top));
    table.add(text(words(*by)).least(12), |one| group_name(one, *by));
    table.add(number("times"), |one| one.questions);
    table.add(number("by you"), |one| one.answered);
    table.add(number("for you"), |one| one.auto_decided);
    table.add(number("typed").rank(3), |one| one.typed);
    table.add(number("unanswered").rank(4), unanswered);
    table.add(number("answering"), |one| duration(one.human_seconds));
    table.add(number("median").rank(2), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("agent waited"), |one| duration(one.waiting_seconds));
    table.add(number("away").rank(1), |one| {
        duration(one.waiting_away_seconds)
    });
    Section::part(&format!("By {}", words(*by)), table, groups.len())
}

/// The name of `group`, or what is said where it has none.
pub(crate) fn group_name(group: &QuestionGroup, by: GroupKey) -> &str {
    group.name.as_deref().unwrap_or(match by {
        GroupKey::Project => "(no project)",
        GroupKey::Header => "(no header)",
        GroupKey::Asker | GroupKey::Framework => NOBODY,
        GroupKey::Weekday | GroupKey::SessionKind | GroupKey::Agent => "(unknown)",
    })
}

/// The grouping in words.
fn words(by: GroupKey) -> &'static str {
    match by {
        GroupKey::SessionKind => "session kind",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use plantune_query::permissions::prompts::Detail;

    use super::*;
    use crate::text::with_plain_spaces;

    #[test]
    fn remarks_are_made_where_they_say_something() {
        assert_eq!(remarks(&Permissions::default()), Vec::<String>::new());
        let mut prompts = Permissions {
            asked: 9,
            refused: 1,
            ambiguous: 2,
            waits_known: 3,
            waits_away: 1,
            seconds_away: 3600.0,
            asked_again: 3,
            unattended: 1,
            ..Permissions::default()
        };
        let plain = "3 came after \"don't ask again\".\n\
             1 stopped an agent that nobody was watching.\n\
             These transcripts record refusals only, so approvals are unknown.";
        assert_eq!(remarks(&prompts).join("\n"), plain);
        prompts.detail = Some(Detail::default());
        let whole = format!(
            "{plain}\n2 can't be told apart, because identical calls ran at once.\n\
             1 waited 1 h 00 min while you were away.\n\
             The wait for 5 of them is unknown."
        );
        assert_eq!(with_plain_spaces(&remarks(&prompts).join("\n")), whole);
    }
}
