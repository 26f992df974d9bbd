//! The report of a period: where the questions came from, who answered them, and what it cost. Here its content is put in
//! order, the same for the terminal and for Markdown.

mod auto_mode;
mod document;
mod figures;
mod redact;
mod sentence;
mod tables;

use plantune_domain::doors::Door;
use plantune_domain::permissions::Reach;
use plantune_query::permissions::auto_mode::Denied;
use plantune_query::permissions::prompts::Subject;
use plantune_query::report::{QuestionCounts, Timeline, TimelinePart, week_name};

pub(crate) use self::document::Piece;
pub use self::document::ReportDocument;
pub use self::document::{
    EvidenceCounts, Heading, NotProposed, PeriodKind, ReportedProposal, RuleSummary, Sentence,
    not_proposed, proposals,
};
use self::document::{SentenceKind, day};
use self::figures::comparison;
pub(crate) use self::figures::{FIGURES, Figure, FigureValue};
pub(crate) use self::tables::group_name;
use crate::humanize::{counted, duration, percent, share_of};
use crate::standing::{asked_as_new, note, since, state_in_words};
use crate::table::{Section, Table, UNKNOWN, code, escape, known, main, number, section, text};
use crate::terminal::{BOLD, DIM, Style, Terminal, YELLOW};
use crate::text::{TOGETHER, clean, shell_word};

/// The report in Markdown with tables (GitHub's), which list `top` questions.
pub fn markdown(document: &ReportDocument, top: usize) -> String {
    let mut text = format!(
        "# What agents asked: {}\n\n",
        escape(&document.heading.title())
    );
    if let Some(project) = &document.heading.project {
        text += &format!("Project {}\n\n", escape(project));
    }
    let style = Formatting {
        safe: escape,
        code,
        top,
        is_brief: false,
    };
    for part in parts(document, style) {
        text += &match &part {
            Block::Text(words) | Block::Warning(words) => format!("{words}\n\n"),
            Block::List(lines) => format!("- {}\n\n", lines.join("\n- ")),
            Block::Json(json) => format!("```json\n{json}\n```\n\n"),
            Block::Table(table) => section(table),
        };
    }
    text
}

/// Writes the report to `out`, with `top` questions.
pub fn show(document: &ReportDocument, top: usize, out: &mut Terminal) {
    out.paragraph(document.heading.title(), BOLD);
    if let Some(project) = &document.heading.project {
        out.paragraph(format!("Project {}", clean(project)), DIM);
    }
    out.line("");
    show_parts(document, top, false, out);
}

/// Writes the sums to `out`, and the first `rows` of the questions and of the prompts. Which weeks they are is said first
/// where they are not the last ones.
pub fn show_overview(document: &ReportDocument, rows: usize, out: &mut Terminal) {
    if document.heading.span == PeriodKind::LatestWeeks {
        out.paragraph(document.heading.title(), BOLD);
        out.line("");
    }
    show_parts(document, rows, true, out);
}

fn show_parts(document: &ReportDocument, top: usize, is_brief: bool, out: &mut Terminal) {
    let style = Formatting {
        safe: clean,
        code: |command| format!("`{command}`"),
        top,
        is_brief,
    };
    for (number, part) in parts(document, style).iter().enumerate() {
        if number > 0 {
            out.line("");
        }
        match part {
            Block::Text(words) => out.paragraph(words, Style::new()),
            Block::Warning(words) => out.paragraph(words, YELLOW),
            Block::List(lines) => lines.iter().for_each(|line| out.hanging("- ", "  ", line)),
            Block::Json(json) => out.line(json),
            Block::Table(section) => {
                // The paragraph of an empty title would be an empty line.
                if !section.title.is_empty() {
                    out.paragraph(&section.title, BOLD);
                }
                out.rows(&section.columns, &section.rows);
                let notes = section.notes.iter();
                notes.for_each(|note| out.paragraph(note, Style::new()));
            }
        }
    }
}

/// How the parts of a report are written.
#[derive(Clone, Copy, Debug)]
struct Formatting {
    /// Makes a text from outside safe.
    safe: fn(&str) -> String,
    /// Writes a command.
    code: fn(&str) -> String,
    /// How many questions to list; of an overview, how many rows each table has.
    top: usize,
    /// True for an overview: sums, and a table without notes for questions and for prompts.
    is_brief: bool,
}

/// A part of a report.
#[derive(Clone, Debug)]
enum Block {
    /// Sentences, plain.
    Text(String),
    /// A sentence that needs attention.
    Warning(String),
    /// Lines that belong together.
    List(Vec<String>),
    /// A document to be copied, without backquotes at the start of a line. Its lines are never broken, so that a copy is
    /// whole.
    Json(String),
    /// A table. Cells are as they were logged.
    Table(Section),
}

/// How many subjects of prompts are listed.
const SUBJECTS: usize = 5;

/// The sentences that an overview keeps. The others say what to do, and an overview lists that as next steps.
const OF_OVERVIEW: [SentenceKind; 2] = [SentenceKind::Stopped, SentenceKind::AnsweredForYou];

/// The parts of `document` that are not empty.
fn parts(document: &ReportDocument, style: Formatting) -> Vec<Block> {
    let mut parts = Vec::new();
    if let Some(detail) = &document.report.permissions.detail {
        parts.extend(prompts(document, style));
        let tables = tables::parts(&document.report.permissions, detail, style.safe, style.top);
        let own = tables::own_rules(&document.own_rules, style.top);
        parts.extend(tables.into_iter().chain(own).map(Block::Table));
        parts.extend(for_the_classifier(&detail.denied_in_auto_mode, style));
    } else {
        let nothing = nothing(document, style.code);
        parts.extend(nothing.into_iter().flatten().map(Block::Text));
        parts.extend(lead(&document.summary, style));
        if !style.is_brief {
            parts.extend(stands_out(document, style));
            parts.extend(compared(document));
        }
        parts.extend(over_time(document).map(Block::Text));
        let questions = match (&document.groups, style.is_brief) {
            (Some(groups), _) => Some(Block::Table(tables::part(groups, style.top))),
            (None, true) => questions_in_brief(document, style.top),
            (None, false) => questions(document, style),
        };
        let prompts = prompts(document, style);
        match style.is_brief && prompts_cost_more(document) {
            true => parts.extend([prompts, questions].into_iter().flatten()),
            false => parts.extend([questions, prompts].into_iter().flatten()),
        }
        if !style.is_brief {
            parts.extend(session_kinds(document));
            parts.extend(failures(document));
        }
        parts.extend(preferences(document, style));
        parts.extend(away(document).map(Block::Warning));
    }
    parts.extend(quarantined(document).map(Block::Warning));
    parts
}

fn lead(sentences: &[Sentence], style: Formatting) -> Option<Block> {
    let sentences = sentences.iter();
    let said = sentences.filter(|one| !style.is_brief || OF_OVERVIEW.contains(&one.kind));
    let words: Vec<String> = said.map(|one| one.words(style.safe)).collect();
    (!words.is_empty()).then(|| Block::Text(words.join(" ")))
}

fn stands_out(document: &ReportDocument, style: Formatting) -> Option<Block> {
    let lines = document.stands_out.iter().map(|one| {
        let show = one.show.as_deref().map(style.code);
        format!("{} {}", one.words(style.safe), show.unwrap_or_default())
    });
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then_some(Block::List(lines))
}

fn compared(document: &ReportDocument) -> Option<Block> {
    if let Some(line) = incomparable(document) {
        return Some(Block::Text(line));
    }
    let (now, before) = (&document.report.totals, &document.report.previous);
    comparison(document.heading.compared_with(), now, before).map(Block::Table)
}

fn questions(document: &ReportDocument, style: Formatting) -> Option<Block> {
    let listing = listing(document, style.top);
    if document.report.totals.questions == 0 {
        return None;
    }
    if listing.questions.is_empty() {
        return listing.once.map(Block::Text);
    }
    let mut table = Table::of(listing.questions.iter().copied());
    table.add(main("question"), |one| &*one.name);
    counts(&mut table, &listing.questions);
    table.add(number("median").rank(4), |one| {
        known(one.median_seconds.map(duration))
    });
    table.add(number("as recommended").rank(5), |one| {
        known(one.agreement.map(|share| share_of(share, one.agreement_n)))
    });
    // A row counts what one project asked. Where two questions have one name, or one came up in several projects, the
    // project tells them apart.
    let came_elsewhere = document.report.in_several_projects;
    if came_elsewhere || several_projects(&listing.questions) {
        let is_needed = came_elsewhere || shares_names(&listing.questions);
        let rank = if is_needed { 0 } else { 3 };
        table.add(text("project").least(12).rank(rank), |one| &*one.project);
    }
    let section = Section::new(listing.title, table);
    let once = listing.once.into_iter().collect();
    Some(Block::Table(section.with_notes(once)))
}

/// How often each of `questions` came, and how it was answered.
fn counts<'q>(table: &mut Table<'q, '_, QuestionCounts>, questions: &[&QuestionCounts]) {
    table.add(number("times"), QuestionCounts::times);
    if questions.iter().any(|one| one.auto_decided > 0) {
        table.add(number("by you").rank(2), |one| one.answered);
        table.add(number("for you").rank(2), |one| one.auto_decided);
    }
    table.add(text("usual answer").least(12).rank(1), |one| {
        known(one.top_answer.as_deref())
    });
    // One answer is no habit.
    table.add(number("share").rank(1), |one| {
        known(
            one.top_answer_share
                .filter(|_| one.answered > 1)
                .map(percent),
        )
    });
}

/// The `top` questions that came up again, the most frequent first, and last those that plantune never answers.
fn questions_in_brief(document: &ReportDocument, top: usize) -> Option<Block> {
    let all = &document.report.questions;
    let recurring = all.iter().filter(|one| one.times() > 1);
    let (never, others): (Vec<_>, Vec<_>) =
        recurring.partition(|one| can_answer(document, one) == NEVER);
    let listed: Vec<&QuestionCounts> = others.into_iter().chain(never).take(top).collect();
    if listed.is_empty() {
        return match document.report.totals.questions {
            0 => None,
            1 => Some("Only one question came up, and once: that is no habit yet.".to_owned()),
            many => Some(format!(
                "None of the {many} questions came up twice, so there is no habit to answer them by."
            )),
        }
        .map(Block::Text);
    }
    let mut table = Table::of(listed.iter().copied());
    table.add(text("question").least(30), |one| &*one.name);
    counts(&mut table, &listed);
    table.add(text("can be answered"), |one| can_answer(document, one));
    Some(Block::Table(Section::new(String::new(), table)))
}

/// The words where plantune can answer a question or a prompt, and where it never will.
const YES: &str = "yes";
const NEVER: &str = "never";

/// Whether plantune can answer `question`, in a word.
fn can_answer(document: &ReportDocument, question: &QuestionCounts) -> &'static str {
    let key = &question.question_key;
    let mut proposals = document.proposals.iter().flatten();
    // A preference with a remedy is stopped, so it does not answer.
    let mut preferences = document.standing_preferences.iter();
    let answers = proposals.any(|one| one.question_key == *key)
        || preferences.any(|one| one.question_key == *key && one.remedy.is_none());
    match question.door {
        _ if answers => YES,
        Door::OneWay => NEVER,
        Door::TwoWay => UNKNOWN,
    }
}

/// The `top` subjects of prompts, the most frequent first, and last those that no rule is proposed for.
fn prompts_in_brief(document: &ReportDocument, top: usize) -> Section {
    let can_allow = |one: &Subject| match one.reach {
        _ if document.rules.subjects.contains(&one.subject) => YES,
        Some(Reach::Beyond) => NEVER,
        _ => UNKNOWN,
    };
    let all = document.report.permissions.by_subject.iter();
    let (never, others): (Vec<_>, Vec<_>) = all.partition(|one| can_allow(one) == NEVER);
    let mut table = Table::of(others.into_iter().chain(never).take(top));
    table.add(text("prompt").least(12), |one| &*one.subject);
    table.add(number("times"), |one| one.asked);
    table.add(number("allowed").rank(1), |one| one.granted);
    table.add(number("refused").rank(1), |one| one.refused);
    table.add(text("can be allowed"), can_allow);
    Section::new(String::new(), table)
}

/// True where permission prompts stopped the person for longer than questions: more often, where no wait is known.
fn prompts_cost_more(document: &ReportDocument) -> bool {
    let (totals, prompts) = (&document.report.totals, &document.report.permissions);
    let known = prompts.waits_known + prompts.waits_away;
    if known == 0 {
        return prompts.asked > totals.asked;
    }
    let waited = prompts.seconds_waited + prompts.seconds_away;
    waited / known as f64 * prompts.asked as f64 > totals.waiting_seconds
}

/// The permission prompts, and what needs a look. If the report is about prompts, only the sums, as tables follow.
fn prompts(document: &ReportDocument, style: Formatting) -> Option<Block> {
    let prompts = &document.report.permissions;
    let mut remarks = tables::remarks(prompts);
    let is_asked_for = prompts.detail.is_some();
    if !document.report.has_permissions {
        return is_asked_for.then(|| Block::Text(tables::nothing(style.code)));
    }
    if prompts.asked == 0 && !is_asked_for {
        return None;
    }
    let sums = tables::sums(prompts);
    // Plan approvals are no subject.
    if is_asked_for || prompts.by_subject.is_empty() {
        remarks.insert(0, sums);
        return Some(Block::Text(remarks.join(" ")));
    }
    if style.is_brief {
        return Some(Block::Table(prompts_in_brief(document, style.top)));
    }
    let mut section = tables::by_subject(&prompts.by_subject, SUBJECTS.min(style.top));
    remarks.push(format!(
        "{} shows more.",
        (style.code)(&format!("{} --prompts", document.heading.command()))
    ));
    section.notes = vec![format!("{sums} {}", remarks.join(" "))];
    Some(Block::Table(section))
}

/// The entries that would have allowed what the person allowed after a denial.
fn for_the_classifier(denied: &[Denied], style: Formatting) -> Vec<Block> {
    let denied = denied.get(..style.top).unwrap_or(denied);
    let mut blocks = Vec::new();
    if let Some(settings) = auto_mode::settings(denied) {
        blocks.push(Block::Text(auto_mode::EXPLANATION.to_owned()));
        let warnings = auto_mode::warnings(denied, style.safe);
        blocks.extend((!warnings.is_empty()).then_some(Block::List(warnings)));
        blocks.push(Block::Json(settings));
    }
    blocks
}

fn session_kinds(document: &ReportDocument) -> Option<Block> {
    let kinds = &document.report.session_kinds;
    let mut table = Table::of(kinds);
    table.add(text("kind of session").least(12), |one| &*one.session_kind);
    table.add(number("sessions"), |one| one.sessions);
    table.add(number("asked"), |one| one.asked);
    table.add(number("answered").rank(1), |one| one.answered);
    table.add(number("for you").rank(2), |one| one.auto_decided);
    (kinds.len() > 1).then(|| Block::Table(Section::new("Sessions", table)))
}

fn failures(document: &ReportDocument) -> Option<Block> {
    let mut table = Table::of(&document.report.errors);
    table.add(text("reason").least(8), |one| &*one.error_kind);
    table.add(number("times"), |one| one.times);
    let title = "Why questions could not be asked";
    (!document.report.errors.is_empty()).then(|| Block::Table(Section::new(title, table)))
}

fn preferences(document: &ReportDocument, style: Formatting) -> Option<Block> {
    let preferences = &document.standing_preferences;
    let mut table = Table::of(preferences);
    table.add(main("question").least(12), |one| &*one.name);
    table.add(text("answer").least(8).rank(2), |one| {
        one.answer.as_deref().unwrap_or("(recommended)")
    });
    table.add(number("answered"), |one| one.standing.decided);
    table.add(number("checked"), |one| one.standing.spot_checks);
    table.add(number("agreed"), |one| one.standing.agreed);
    table.add(text("state").least(9), |one| {
        state_in_words(one.standing.state)
    });
    table.add(text("since").rank(3), |one| {
        since(&one.standing).unwrap_or_default()
    });
    let notes = preferences.iter().filter_map(note);
    let notes = notes.chain(preferences.iter().filter_map(asked_as_new));
    let notes = notes.map(|note| (style.safe)(&note)).collect();
    let title = "Your preferences, since each was set";
    let section = Section::new(title, table).with_notes(notes);
    (!preferences.is_empty()).then_some(Block::Table(section))
}

/// That the person is away, and until when.
fn away(document: &ReportDocument) -> Option<String> {
    document
        .away
        .as_ref()
        .map(|line| format!("You are {line}."))
}

/// Why the two periods cannot be compared; `None` if they can.
pub(crate) fn incomparable(document: &ReportDocument) -> Option<String> {
    let first = document.report.history_begins?;
    Some(format!(
        "Your history begins on {}, so there is no earlier period to compare with yet.",
        day(first)
    ))
}

/// How many questions and prompts came over time, as bars; `None` without anything.
fn over_time(document: &ReportDocument) -> Option<String> {
    let Timeline { unit, parts } = &document.report.timeline;
    if parts.len() < 3 {
        return None;
    }
    let line = |name: &str, of: fn(&TimelinePart) -> u64| {
        let counts: Vec<u64> = parts.iter().map(of).collect();
        let most = counts.iter().max().copied().filter(|most| *most > 0)?;
        let bars: String = counts.iter().map(|count| bar(*count, most)).collect();
        Some(format!("{name}{TOGETHER}{bars} (up to {most})"))
    };
    let lines = [
        line("questions", |part| part.questions),
        line("prompts", |part| part.prompts),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    (!lines.is_empty()).then(|| format!("By {}: {}", unit.as_str(), lines.join(", ")))
}

/// A bar for `count` beside a greatest count of `most`; a dot for none.
fn bar(count: u64, most: u64) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    if count == 0 {
        return '·';
    }
    // 1 … most onto the eight bars, the greatest always the highest.
    let step = (u128::from(count) * 8).div_ceil(u128::from(most.max(1)));
    let index = usize::try_from(step.saturating_sub(1)).unwrap_or(7);
    BARS.get(index).copied().unwrap_or('█')
}

/// The words instead of numbers when the period has none; `None` when it has. `code` writes a
/// command to run the way the format does.
pub(crate) fn nothing(document: &ReportDocument, code: fn(&str) -> String) -> Option<[String; 2]> {
    if document.has_something() {
        return None;
    }
    let project = document.heading.project.as_deref();
    Some(match (document.report.last_day, project) {
        (Some(last), _) => {
            let mut command = format!("plantune report --week {}", week_name(last));
            if let Some(project) = project {
                command += &format!(" --project {}", shell_word(project));
            }
            [
                format!(
                    "Nothing in this period. The last day with a question was {}.",
                    day(last)
                ),
                format!("Run {} to see that week.", code(&command)),
            ]
        }
        (None, Some(_)) => [
            "No questions in this project yet.".to_owned(),
            format!("Run {} to see every project.", code("plantune report")),
        ],
        (None, None) => [
            "No questions yet.".to_owned(),
            format!(
                "Run {} to read your past questions, then {} to log new ones.",
                code("plantune import claude-code"),
                code("plantune install"),
            ),
        ],
    })
}

/// The warning about lines that could not be read.
fn quarantined(document: &ReportDocument) -> Option<String> {
    let lines = counted(
        document.report.quarantined,
        "line of the log",
        "lines of the log",
    );
    let line = format!("{lines} could not be read. `plantune doctor` says why.");
    (document.report.quarantined > 0).then_some(line)
}

/// The questions that are listed.
pub(crate) struct Listing<'a> {
    /// The heading.
    pub(crate) title: String,
    /// The questions, the most frequent first.
    pub(crate) questions: Vec<&'a QuestionCounts>,
    /// True when there are more of their kind.
    pub(crate) is_part: bool,
    /// The words about those that came up once, where they are left out.
    pub(crate) once: Option<String>,
}

/// At most `top` of the questions that came up again; all questions where that is wanted.
pub(crate) fn listing(document: &ReportDocument, top: usize) -> Listing<'_> {
    let all = document.lists_all;
    let is_listed = |one: &&QuestionCounts| all || one.times() != 1;
    let listed = document.report.questions.iter().filter(is_listed);
    let questions: Vec<&QuestionCounts> = listed.take(if all { usize::MAX } else { top }).collect();
    let once = if all { 0 } else { document.report.asked_once };
    let most = document.report.question_keys.saturating_sub(once);
    let is_part = most > questions.len() as u64;
    Listing {
        title: match is_part {
            true => format!("Questions ({} of {most})", questions.len()),
            false => "Questions".to_owned(),
        },
        questions,
        is_part,
        once: asked_once(once, document),
    }
}

/// The words about the questions that came up `once`, which are left out; nothing if there are none.
fn asked_once(once: u64, document: &ReportDocument) -> Option<String> {
    let command = format!("{} --all", document.heading.command());
    Some(match once {
        0 => return None,
        1 => format!("1 question came up only once. `{command}` lists it."),
        many => format!("{many} questions came up only once. `{command}` lists them."),
    })
}

/// True when the list holds more than one project.
fn several_projects(questions: &[&QuestionCounts]) -> bool {
    questions
        .first()
        .is_some_and(|first| questions.iter().any(|row| row.project != first.project))
}

/// True where two of the list have one name.
fn shares_names(questions: &[&QuestionCounts]) -> bool {
    let mut names: Vec<&str> = questions.iter().map(|one| &*one.name).collect();
    names.sort_unstable();
    names.windows(2).any(|two| two.first() == two.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_rise_with_the_counts() {
        let bars = |counts: &[u64], most| -> String {
            counts.iter().map(|count| bar(*count, most)).collect()
        };
        assert_eq!(bars(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 8), "·▁▂▃▄▅▆▇█");
        assert_eq!(bars(&[1, 500, 1000], 1000), "▁▄█");
        assert_eq!(bars(&[0, 1], 1), "·█");
        assert_eq!(bars(&[u64::MAX], u64::MAX), "█");
    }
}
