//! Proposals for questions: what could be answered by itself, on what evidence, and what nearly
//! could.

use std::io::{self, Write};

use plantune_domain::cost::QuestionKind;
use plantune_domain::preferences::AssistMode;
use plantune_query::suggest::{Evidence, Level, Reason};

use super::Terminal;
use crate::inert::one_line;
use crate::suggestions::document::{Levels, Proposal, QuestionProposal, Questions, Refusal};
use crate::suggestions::{SHOWN_NAME, answer_in_words};
use crate::text::{hanging, in_two_lines};

/// How many near misses are shown.
const MOST_NEARLY: usize = 5;

/// How many of those that stay are shown, and how much of the text of each, in columns.
const MOST_RECURRING: usize = 12;
const SHOWN_TITLE: usize = 60;

/// Of the answers of a near miss, at least this share (as one in so many) agrees.
const NEARLY_DISAGREES_AT_MOST_ONE_IN: usize = 4;

/// How many of the texts that a preference would answer are shown.
const MOST_TEXTS: usize = 5;

/// How much of a key or a project is shown, in columns: enough to be copied.
const SHOWN_PLACE: usize = 200;

/// Writes what is proposed for questions, and what nearly is.
///
/// # Errors
/// Those of `out`.
pub(super) fn write(
    found: &Questions<'_>,
    terminal: Terminal,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_one = |one: &&Proposal<'_>| matches!(one, Proposal::Question(_));
    match found.suggestions.iter().filter(is_one).count() {
        0 if !found.suggestions.is_empty() => writeln!(out, "Alike, by who asks:")?,
        0 => nothing(found, terminal.width, out)?,
        1 => writeln!(out, "1 question you answer alike:")?,
        count => writeln!(out, "{count} questions you answer alike:")?,
    }
    for (number, proposal) in (1..).zip(&found.suggestions) {
        terminal.proposal(number, proposal, out)?;
    }
    let near: Vec<&Refusal<'_>> = found.rejected.iter().filter(|one| is_near(one)).collect();
    if !near.is_empty() {
        writeln!(out, "\nNearly:")?;
    }
    for rejected in near.iter().take(MOST_NEARLY) {
        nearly(rejected, terminal.width, out)?;
    }
    if near.len() > MOST_NEARLY {
        writeln!(out, "  … and {} more", near.len() - MOST_NEARLY)?;
    }
    if !found.suggestions.is_empty() {
        writeln!(
            out,
            "\nNothing is changed yet. `plantune suggest --apply` shows the change and asks;\n\
             `--only KEY` takes one of them."
        )?;
    }
    Ok(())
}

fn nothing(found: &Questions<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    if found.rejected.is_empty() {
        return writeln!(
            out,
            "Nothing to suggest: no question was answered three times yet.\n\
             `plantune install` logs the questions from now on; `plantune import` reads the\n\
             transcripts that are there already."
        );
    }
    let decided = |one: &&Refusal<'_>| *one.reason == Reason::PreferenceInForce;
    let decided = found.rejected.iter().filter(decided).count();
    writeln!(
        out,
        "Nothing to suggest: of {} questions with three answers or more, {decided} are decided\n\
         already.",
        found.rejected.len()
    )?;
    recurring(found, width, out)
}

/// What recurs and is not proposed, with the real reason, a line each; what is near has its own list.
fn recurring(found: &Questions<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let is_open = |one: &&Refusal<'_>| *one.reason != Reason::PreferenceInForce && !is_near(one);
    let open: Vec<&Refusal<'_>> = found.rejected.iter().filter(is_open).collect();
    if open.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAsked again and again, and why it stays so:")?;
    for one in open.iter().take(MOST_RECURRING) {
        let title = one.template_text.as_deref().unwrap_or(one.question);
        let title = one_line(title, SHOWN_TITLE);
        let line = format!("{title}: {}", one.explanation);
        write!(out, "{}", hanging("  ", "    ", &line, width))?;
    }
    if open.len() > MOST_RECURRING {
        writeln!(out, "  … and {} more", open.len() - MOST_RECURRING)?;
    }
    Ok(())
}

/// Writes what the preference would answer, and that it would answer nothing else.
fn answered(one: &QuestionProposal<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<String> = one.covers.iter().take(MOST_TEXTS).cloned().collect();
    if one.covers.len() > MOST_TEXTS {
        lines.push(format!("and {} more texts", one.covers.len() - MOST_TEXTS));
    }
    lines.push(one.only.clone());
    let under = " ".repeat(13);
    for (number, line) in lines.iter().enumerate() {
        let first = if number == 0 { "   answers:  " } else { &under };
        write!(out, "{}", hanging(first, &under, line, width))?;
    }
    Ok(())
}

/// Writes one proposal, with its evidence, in lines no wider than `width`.
///
/// # Errors
/// Those of `out`.
pub(super) fn proposal(
    number: usize,
    one: &QuestionProposal<'_>,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let number = format!("\n{number}. ");
    let title = one.template_text.as_deref().unwrap_or(one.question);
    write!(out, "{}", in_two_lines(&number, "   ", title, width))?;
    let place = place(one.question_key, one.project);
    write!(out, "{}", hanging("   ", "   ", &place, width))?;
    let answer = answer_in_words(one.answer);
    let under = " ".repeat(13);
    let level = level_in_words(one);
    write!(out, "{}", hanging("   level:    ", &under, level, width))?;
    answered(one, width, out)?;
    write!(out, "{}", hanging("   with:     ", &under, &answer, width))?;
    writeln!(out, "   evidence: {}", agreement(one.evidence))?;
    writeln!(out, "             {}", spread(one.evidence))?;
    writeln!(out, "             {}", otherwise(one.evidence))?;
    write!(out, "{}", hanging(&under, &under, &sources(one), width))?;
    writeln!(
        out,
        "   right:    at least {}% of the time, {}% expected (n = {})",
        percent(one.confidence),
        percent(one.expected),
        one.evidence.answers
    )?;
    if let Some(levels) = &one.backtest {
        let hindsight = in_hindsight(levels);
        write!(out, "{}", hanging(&under, &under, &hindsight, width))?;
    }
    writeln!(
        out,
        "   wrong:    costs about {} ({})",
        duration(one.wrong_answer_seconds),
        kind_in_words(one.kind)
    )?;
    let seconds = duration(one.seconds_saved_per_week);
    match one.level {
        Level::Assist => writeln!(out, "   takes:    {seconds} of your time a week, as now")?,
        Level::Trial | Level::Standing => writeln!(out, "   saves:    {seconds} a week")?,
    }
    if let Some(lacks) = &one.lacks {
        write!(out, "{}", hanging("   no more:  ", &under, lacks, width))?;
    }
    Ok(())
}

fn level_in_words(one: &QuestionProposal<'_>) -> &'static str {
    match (one.level, one.assist) {
        (Level::Assist, Some(AssistMode::First)) => {
            "assist: you answer, your usual answer stands first and says so"
        }
        (Level::Assist, _) => "assist: you answer, your usual answer says so",
        (Level::Trial, _) => "trial: answered for you, often checked, ended by one disagreement",
        (Level::Standing, _) => "standing: answered for you, checked now and then",
    }
}

fn kind_in_words(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::GoOn => "go on or not",
        QuestionKind::Scope => "scope and names",
        QuestionKind::Content => "content",
        QuestionKind::Architecture => "architecture",
    }
}

/// What each level would have got right in these answers, in words.
fn in_hindsight(levels: &Levels) -> String {
    let answered = levels
        .named()
        .into_iter()
        .filter(|(_, right)| right.answers > 0);
    let levels: Vec<String> = answered
        .map(|(level, right)| format!("{} of {} as {level}", right.correct, right.answers))
        .collect();
    match levels.is_empty() {
        true => "in hindsight: nothing to judge by yet".to_owned(),
        false => format!("in hindsight: {}", levels.join(", ")),
    }
}

fn nearly(rejected: &Refusal<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let title = rejected
        .template_text
        .as_deref()
        .unwrap_or(rejected.question);
    write!(out, "{}", in_two_lines("  ", "  ", title, width))?;
    let place = place(rejected.question_key, rejected.project());
    let agreed = format!(
        "{}: {}",
        agreement(rejected.evidence),
        answer_in_words(rejected.answer)
    );
    for line in [&place, &agreed, &rejected.explanation] {
        write!(out, "{}", hanging("    ", "    ", line, width))?;
    }
    Ok(())
}

/// True for what more agreeing answers would make a proposal, and where most agree so far.
fn is_near(rejected: &Refusal<'_>) -> bool {
    let evidence = rejected.evidence;
    let disagreed = evidence
        .answers
        .saturating_sub(evidence.agreed)
        .saturating_sub(evidence.left);
    rejected.reason.lacks().is_some()
        && disagreed * NEARLY_DISAGREES_AT_MOST_ONE_IN <= evidence.answers
}

/// A key and where it is asked; without a project, everywhere.
fn place(key: &str, project: Option<&str>) -> String {
    let key = one_line(key, SHOWN_PLACE);
    match project {
        None => format!("{key} everywhere"),
        Some(project) => format!("{key} in {}", one_line(project, SHOWN_PLACE)),
    }
}

fn agreement(evidence: &Evidence) -> String {
    let judged = evidence
        .answers
        .saturating_sub(evidence.left + evidence.added);
    let left = match (evidence.added, evidence.left) {
        (0, 0) => String::new(),
        (added, 0) => format!(" ({added} more with something added)"),
        (_, left) => format!(" ({left} more it would leave to you)"),
    };
    format!("{} of {judged} answers agree{left}", evidence.agreed)
}

fn spread(evidence: &Evidence) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "{} session{} on {} day{}",
        evidence.sessions,
        plural(evidence.sessions),
        evidence.days,
        plural(evidence.days)
    );
    if let (Some(first), Some(last)) = (evidence.first, evidence.last) {
        text.push_str(&format!(", {first} to {last}"));
    }
    text
}

fn otherwise(evidence: &Evidence) -> String {
    evidence.last_disagreement.map_or_else(
        || "never answered otherwise".to_owned(),
        |day| format!("last answered otherwise on {day}"),
    )
}

/// Whose answers they are: all are the person's own, given in sessions of theirs to the tool that asks.
fn sources(one: &QuestionProposal<'_>) -> String {
    let imported = one.evidence.imported;
    let logged = one.evidence.answers.saturating_sub(imported);
    let tool = match one.tool {
        None | Some("AskUserQuestion") => String::new(),
        Some(tool) => match plantune_agents::of_tool(tool) {
            Some(agent) => format!(", in {}", agent.title()),
            None => format!(", to {}", one_line(tool, SHOWN_NAME)),
        },
    };
    match (logged, imported) {
        (_, 0) => format!("all logged as you answered{tool}"),
        (0, _) => format!("all from imported transcripts{tool}"),
        _ => format!("{logged} logged as you answered, {imported} from imported transcripts{tool}"),
    }
}

/// A share (0–1) as whole per cent, cut rather than rounded: 99.9% is not all.
fn percent(share: f64) -> String {
    format!("{:.0}", (share * 100.0).floor())
}

/// Seconds as a person says them.
fn duration(seconds: f64) -> String {
    match seconds {
        short if short < 60.0 => format!("{short:.0} s"),
        medium if medium < 600.0 => format!("{:.1} min", medium / 60.0),
        long => format!("{:.0} min", long / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use plantune_query::suggest::Suggestions;

    use super::*;
    use crate::suggestions::sample::sample;

    fn text(found: &Suggestions) -> String {
        let mut out = Vec::new();
        write(&found.into(), Terminal { width: 80 }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn proposals_stand_with_their_evidence() {
        insta::assert_snapshot!(text(&sample()), @r#"
        3 questions you answer alike:

        1. No TODOS.md found. Create one?
           todos-create in github.com/o/r
           level:    standing: answered for you, checked now and then
           answers:  No TODOS.md found. Create one?
                     (this text only)
           with:     "Skip"
           evidence: 24 of 25 answers agree
                     18 sessions on 17 days, 2026-09-01 to 2026-11-19
                     last answered otherwise on 2026-10-02
                     all logged as you answered
           right:    at least 87% of the time, 95% expected (n = 25)
                     in hindsight: 2 of 2 as assist, 4 of 4 as trial, 12 of 13 as
                     standing
           wrong:    costs about 2.0 min (content)
           saves:    2.5 min a week

        2. Style guide?
           style in github.com/o/r
           level:    trial: answered for you, often checked, ended by one disagreement
           answers:  Style guide?
                     Style guide, then?
                     (these 2 texts only)
           with:     follow the recommendation
           evidence: 20 of 20 answers agree (2 more it would leave to you)
                     18 sessions on 17 days, 2026-09-01 to 2026-11-19
                     never answered otherwise
                     all logged as you answered
           right:    at least 99% of the time, 99% expected (n = 22)
           wrong:    costs about 2.0 min (content)
           saves:    31 s a week
           no more:  needs 3 more agreeing answers, on 2 more days

        3. What would you like to do with this todo?
           todo everywhere
           level:    assist: you answer, your usual answer stands first and says so
           answers:  What would you like to do with this todo?
                     (this text only)
           with:     "Work on it now"
           evidence: 4 of 4 answers agree (1 more with something added)
                     18 sessions on 17 days, 2026-09-01 to 2026-11-19
                     last answered otherwise on 2026-10-02
                     all logged as you answered
           right:    at least 47% of the time, 80% expected (n = 5)
           wrong:    costs about 30 s (go on or not)
           takes:    40 s of your time a week, as now
           no more:  you often add something to this answer

        Nearly:
          Which layout?
            layout in github.com/o/r
            8 of 8 answers agree: "Grid"
            needs 3 more agreeing answers, on 2 more days

        Nothing is changed yet. `plantune suggest --apply` shows the change and asks;
        `--only KEY` takes one of them.
        "#);
    }

    #[test]
    fn without_proposals_it_says_what_to_do_next() {
        insta::assert_snapshot!(text(&Suggestions::default()), @r#"
        Nothing to suggest: no question was answered three times yet.
        `plantune install` logs the questions from now on; `plantune import` reads the
        transcripts that are there already.
        "#);
        let mut found = sample();
        found.suggestions.clear();
        found.rejected.truncate(2);
        insta::assert_snapshot!(text(&found), @r#"
        Nothing to suggest: of 2 questions with three answers or more, 0 are decided
        already.

        Asked again and again, and why it stays so:
          Which layout?: a recent answer differed: needs 3 more agreeing answers, on 2
            more days

        Nearly:
          Which layout?
            layout in github.com/o/r
            8 of 8 answers agree: "Grid"
            needs 3 more agreeing answers, on 2 more days
        "#);
    }
}
