//! One proposal in the list: its line, and its details in the words of the line form.

use plantune_domain::recommended::strip_mark;
use plantune_query::backtest::chosen::LastAnswer;
use plantune_query::permissions::propose::Proposal as RuleProposal;
use plantune_query::suggest::{Level, Suggestion};
use plantune_reports::inert::one_line;
use plantune_reports::suggestions::{Terminal, answer_in_words};
use plantune_reports::text::{cut, hanging, width};

use crate::terminal::frame::{Line, Style};
use crate::verbs::suggest::proposal::Proposal;
use crate::verbs::suggest::review::list::Kind;

/// How much of a text is kept for its line, in columns: more than any terminal has.
const SHOWN: usize = 400;

/// How far the details stand in.
const INDENT: &str = "             ";

/// One proposal of the list.
pub(super) struct Item<'a> {
    pub(super) kind: Kind,
    /// The question, the asker or the rule.
    pub(super) title: String,
    pub(super) answer: String,
    pub(super) level: &'static str,
    /// How many answers or prompts it rests on.
    pub(super) count: usize,
    /// What it takes or spares in a week, in seconds, where that is known.
    pub(super) weekly: Option<f64>,
    detail: Detail<'a>,
}

enum Detail<'a> {
    Question(&'a Proposal<'a>, Vec<LastAnswer>),
    Rule(&'a RuleProposal),
}

impl<'a> Item<'a> {
    /// A proposal for a question, with the latest askings of it; for an asker's questions, without.
    pub(super) fn of(proposal: &'a Proposal<'a>, last: Vec<LastAnswer>) -> Self {
        let questions = proposal.questions();
        let level = questions.iter().map(|one| one.level).max();
        let (title, answer, count) = match proposal {
            Proposal::Question(one) => (
                one_line(&one.asked.question, SHOWN),
                answer_in_words(one.answer.as_deref()),
                one.evidence.answers,
            ),
            Proposal::Asker(asker) => (
                format!("all questions of {}", one_line(&asker.asker, SHOWN)),
                answer_in_words(None),
                asker.answers,
            ),
        };
        let weekly = questions.iter().map(|one| one.seconds_saved_per_week);
        Self {
            kind: Kind::Question,
            title,
            answer,
            level: level.map_or("", Level::name),
            count,
            weekly: Some(weekly.sum()),
            detail: Detail::Question(proposal, last),
        }
    }

    /// A proposed permission rule.
    pub(super) fn of_rule(rule: &'a RuleProposal) -> Self {
        Self {
            kind: Kind::Rule,
            title: one_line(&rule.rule.to_string(), SHOWN),
            answer: "allow".to_owned(),
            level: rule.level.name(),
            count: rule.prompts,
            weekly: rule.seconds_saved_per_week,
            detail: Detail::Rule(rule),
        }
    }

    /// The questions that a preference would be set for; none of a rule.
    pub(super) fn questions(&self) -> Vec<&'a Suggestion> {
        match &self.detail {
            Detail::Question(proposal, _) => proposal.questions(),
            Detail::Rule(_) => Vec::new(),
        }
    }

    /// The rule, if it is one.
    pub(super) fn rule(&self) -> Option<&'a RuleProposal> {
        match self.detail {
            Detail::Question(..) => None,
            Detail::Rule(rule) => Some(rule),
        }
    }

    /// The proposal, if it is for questions.
    pub(super) fn proposal(&self) -> Option<&'a Proposal<'a>> {
        match self.detail {
            Detail::Question(proposal, _) => Some(proposal),
            Detail::Rule(_) => None,
        }
    }

    /// The details in `columns` columns; it is the `number`th of the list.
    pub(super) fn detail(&self, number: usize, columns: usize) -> Vec<Line> {
        let mut out = Vec::new();
        // Writing to memory cannot fail.
        let _ = match &self.detail {
            Detail::Question(proposal, _) => proposal.show(number, columns, &mut out),
            Detail::Rule(rule) => {
                Terminal { width: columns }.rule(number, &(*rule).into(), &mut out)
            }
        };
        let text = String::from_utf8_lossy(&out);
        let lines = text.lines().skip_while(|line| line.is_empty());
        let lines = lines.flat_map(|line| match width(line) > columns {
            true => broken(line, columns),
            false => vec![line.to_owned()],
        });
        let mut lines: Vec<Line> = lines
            .map(|line| Line::of(line, Style::Plain))
            .enumerate()
            .map(|(index, line)| match index {
                0 => line.all(Style::Strong),
                _ => line,
            })
            .collect();
        if let Detail::Question(_, last) = &self.detail {
            lines.extend(last_answers(last, columns));
        }
        lines
    }
}

/// `line` in several, each as far in as the first.
fn broken(line: &str, columns: usize) -> Vec<String> {
    let text = line.trim_start_matches(' ');
    let indent = " ".repeat(line.len() - text.len());
    let lines = hanging(&indent, &indent, text, columns);
    lines.lines().map(str::to_owned).collect()
}

/// The latest askings: the day, what the person said, and what would be said for them.
fn last_answers(last: &[LastAnswer], columns: usize) -> Vec<Line> {
    if last.is_empty() {
        return Vec::new();
    }
    let day = 12;
    let room = columns.saturating_sub(INDENT.len() + day);
    // As much for the one as for the other, and no more than they need.
    let longest = last.iter().flat_map(|one| {
        let texts = [said(one), would(one)];
        texts.map(|text| width(&text))
    });
    let each = longest.max().unwrap_or(0).clamp(8, (room / 2).max(8)) + 1;
    let line = |first: &str, day_text: &str, said: &str, would: &str, style: Style| {
        Line::of(format!("{first}{day_text:<day$}"), Style::Plain)
            .then(Line::of(cut(said, each - 1), Style::Plain).filled(each))
            .with(cut(would, each - 1), style)
    };
    let head = line("   last:     ", "day", "you", "it", Style::Faint);
    let rows = last.iter().map(|one| {
        let style = match (one.agrees, one.is_answered && one.answer.is_some()) {
            (true, _) => Style::Good,
            (false, true) => Style::Bad,
            (false, false) => Style::Faint,
        };
        line(INDENT, &one.day.to_string(), &said(one), &would(one), style)
    });
    std::iter::once(head).chain(rows).collect()
}

/// What the person said.
fn said(one: &LastAnswer) -> String {
    if !one.is_answered {
        return "(no answer)".to_owned();
    }
    if one.labels.is_empty() {
        return match &one.typed {
            Some(typed) => format!("typed: {}", one_line(typed, SHOWN)),
            None => "(typed)".to_owned(),
        };
    }
    let labels = one.labels.iter().map(|label| unmarked(label));
    let labels = labels.collect::<Vec<_>>().join(", ");
    match one.said_more {
        true => format!("{labels} (and more)"),
        false => labels,
    }
}

/// What would be said for them.
fn would(one: &LastAnswer) -> String {
    match &one.answer {
        Some(label) => unmarked(label),
        None => "(asks you)".to_owned(),
    }
}

/// A label without its mark of recommendation: it is about the answer.
fn unmarked(label: &str) -> String {
    one_line(strip_mark(label).0, SHOWN)
}
