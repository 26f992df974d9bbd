//! The proposals of `suggest`, for questions and for permission prompts: a table for each group, and what is left out
//! of them. A proposal and the document for scripts are in `entry`, the evidence of one proposal in `evidence`.

mod entry;
mod evidence;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use anstyle::Style;
use plantune_query::habits::EVERYWHERE;
use plantune_query::permissions::propose::UncoveredPrompts;
use plantune_query::suggest::{
    Lacks, PriorDecision, RejectReason, Rejected, Suggestion, Suggestions, TRIAL_ANSWERS,
};

pub use self::entry::{
    ListedProposal, ProposalList, ProposalsDocument, Screen, answer_in_words, entries, title,
};
use self::entry::{ProposalGroup, SHOWN_NAME, distinguished, how_often, judged};
use crate::humanize::{a_week, counted, duration};
use crate::table::{Table, main, number, text};
use crate::terminal::{BOLD, DIM, YELLOW, styled};
use crate::text::{one_line, paragraph};

/// One proposal in its place in the list.
struct ProposalRow<'a> {
    number: usize,
    entry: ListedProposal<'a>,
    title: String,
}

impl Screen<'_> {
    /// The proposals, or why there are none.
    pub fn list(&mut self, found: &ProposalList<'_>) {
        let all = entries(found);
        let all_projects: Vec<String> = all.iter().map(|one| self.column(one)).collect();
        let titles = distinguished(&all, &all_projects);
        let rows = all.iter().zip(titles).zip(1..);
        let rows: Vec<ProposalRow<'_>> = rows
            .map(|((entry, title), number)| ProposalRow {
                number,
                entry: *entry,
                title,
            })
            .collect();
        let of = |group: ProposalGroup| -> Vec<&ProposalRow<'_>> {
            let rows = rows.iter();
            rows.filter(|row| row.entry.group() == group).collect()
        };
        match rows.is_empty() {
            true => self.nothing(found),
            false => self.head(&rows),
        }
        let questions = rows
            .iter()
            .filter(|row| row.entry.group() != ProposalGroup::Rules);
        let projects: BTreeSet<String> = questions.map(|row| self.column(&row.entry)).collect();
        for group in ProposalGroup::ALL {
            self.group(group, &of(group), projects.len() > 1);
        }
        if self.all && !rows.is_empty() {
            self.rejected(found.questions);
        }
        if self.all || found.questions.is_none() || rows.is_empty() {
            self.left(found.rules.left);
        }
        self.notes(found);
        self.next(found, rows.len());
    }

    /// `text`, below a blank line where anything stands above it.
    fn apart(&mut self, text: &str, style: Style) {
        if !self.out.is_empty() {
            self.out.line("");
        }
        self.out.paragraph(text, style);
    }

    /// How much could be answered, in a sentence.
    fn head(&mut self, rows: &[ProposalRow<'_>]) {
        let is_answered = |one: &&ListedProposal<'_>| one.group() != ProposalGroup::Rules;
        let answered = rows.iter().map(|row| &row.entry).filter(is_answered);
        let answered: Vec<&ListedProposal<'_>> = answered.collect();
        if answered.is_empty() {
            return;
        }
        let projects: BTreeSet<String> = answered.iter().map(|one| self.column(one)).collect();
        let place = match projects.first() {
            Some(project) if projects.len() == 1 && !project.is_empty() => format!(" in {project}"),
            _ => String::new(),
        };
        let many = counted(answered.len(), "question", "questions");
        let often = how_often(answered.iter().map(|one| one.weekly()).sum());
        let text = format!("plantune could answer {many}{place} for you, about {often}.");
        self.apart(&text, BOLD);
    }

    /// The proposals of one group, below what happens when they are set; with their projects where those `differ`.
    fn group(&mut self, group: ProposalGroup, rows: &[&ProposalRow<'_>], differ: bool) {
        if rows.is_empty() {
            return;
        }
        let seconds: f64 = rows.iter().filter_map(|row| row.entry.saved()).sum();
        // From two minutes on, seconds are left out.
        let time = duration(match seconds >= 120.0 {
            true => (seconds / 60.0).round() * 60.0,
            false => seconds,
        });
        let weekly: f64 = rows.iter().map(|row| row.entry.weekly()).sum();
        let prompts = match &*a_week(weekly) {
            "1" => "1 prompt".to_owned(),
            many => format!("{many} prompts"),
        };
        let saves = match (group, seconds > 0.0) {
            (ProposalGroup::Rules, true) => format!(" Saves {prompts} a week ({time})."),
            (ProposalGroup::Rules, false) => format!(" Saves {prompts} a week."),
            (_, true) => format!(" Saves {time} a week."),
            (_, false) => String::new(),
        };
        let (name, what) = group.in_words();
        let text = paragraph(&format!("{name}: {what}{saves}"), self.out.width);
        self.apart("", Style::new());
        for line in text.lines() {
            let rest = line.strip_prefix(name);
            let name = rest.map(|_| styled(name, group.style(), self.out.colour));
            self.out
                .line(name.unwrap_or_default() + rest.unwrap_or(line));
        }
        self.out.table(&match group {
            ProposalGroup::Rules => self.rules(rows),
            ProposalGroup::Automatic | ProposalGroup::Trial => self.questions(rows, differ),
        });
    }

    fn questions<'r>(
        &self,
        rows: &[&'r ProposalRow<'_>],
        differ: bool,
    ) -> Table<'r, 'static, ProposalRow<'r>> {
        let mut table = Table::of(rows.iter().copied());
        table.add(number("#"), |row| row.number);
        table.add(text("handle"), |row| row.entry.handle());
        table.add(main("question").least(24), |row| &*row.title);
        table.add(main("your answer").least(14), |row| match &row.entry {
            ListedProposal::Question(Suggestion {
                answer: Some(answer),
                ..
            }) => answer.clone(),
            _ => "as recommended".to_owned(),
        });
        table.add(number("given"), |row| row.entry.share());
        table.add(text("asked"), often);
        table.add(text("project").least(14).rank(1), |row| match differ {
            true => self.column(&row.entry),
            false => String::new(),
        });
        table.add(text("now"), |row| match &row.entry {
            ListedProposal::Question(Suggestion { before, .. }) => match before {
                PriorDecision::None | PriorDecision::AlwaysAsk => "",
                PriorDecision::Stopped => "stopped",
                PriorDecision::Trial => "trial",
                PriorDecision::Standing => "automatic",
            },
            ListedProposal::Rule(_) => "",
        });
        table
    }

    fn rules<'r>(&self, rows: &[&'r ProposalRow<'_>]) -> Table<'r, 'static, ProposalRow<'r>> {
        let mut table = Table::of(rows.iter().copied());
        table.add(number("#"), |row| row.number);
        table.add(text("handle"), |row| row.entry.handle());
        table.add(main("rule").least(24), |row| &*row.title);
        table.add(number("allowed"), |row| row.entry.share());
        table.add(text("asked"), often);
        if rows.iter().any(|row| row.entry.label_to_type().is_some()) {
            table.add(text("to set it"), |row| {
                row.entry.label_to_type().map_or("y", |_| "type its name")
            });
        }
        table.add(text("project").least(14).rank(1), |row| {
            self.column(&row.entry)
        });
        table
    }

    /// The commands that come next, where any are `listed`.
    fn next(&mut self, found: &ProposalList<'_>, listed: usize) {
        if listed == 0 {
            return;
        }
        let part = match found.questions {
            None => " --permissions",
            Some(_) => "",
        };
        let mut steps = vec![
            (format!("suggest 1{part}"), "the evidence for this one"),
            (format!("suggest --apply{part}"), "decide one by one"),
        ];
        if listed > 1 {
            let some = match listed {
                2..4 => format!("suggest 1,2 --apply{part}"),
                _ => format!("suggest 1,3-4 --apply{part}"),
            };
            steps.push((some, "decide on these only"));
        }
        let width = steps.iter().map(|(command, _)| command.len()).max();
        let width = width.unwrap_or_default();
        self.apart("Not set yet. Next:", Style::new());
        for (command, what) in steps {
            let first = format!("  plantune {command:width$}  ");
            self.out.hanging(&first, &" ".repeat(first.len()), what);
        }
    }

    /// Where it would hold.
    fn column(&self, entry: &ListedProposal<'_>) -> String {
        match entry {
            ListedProposal::Question(one) => self.project(&one.asked.project),
            ListedProposal::Rule(rule) => {
                self.project(rule.project.as_deref().unwrap_or(EVERYWHERE))
            }
        }
    }
}

/// How often a row's is asked, in figures: `4.2 a week`.
fn often(row: &ProposalRow<'_>) -> String {
    let words = how_often(row.entry.weekly()).replace(" times", "");
    words.replace("once", "1").replace("twice", "2")
}

/// How many of what is not proposed are shown.
const MOST_REJECTED: usize = 12;

/// How many notes are shown.
const MOST_NOTES: usize = 3;

impl Screen<'_> {
    /// That nothing is proposed: what recurs, and why it stays so.
    fn nothing(&mut self, found: &ProposalList<'_>) {
        let Some(questions) = found.questions else {
            let text = match found.rules.left == UncoveredPrompts::default() {
                true => format!(
                    "No permission rule to propose: you have not decided on any permission prompt yet.{}",
                    found.next
                ),
                false => "No permission rule to propose.".to_owned(),
            };
            return self.apart(&text, Style::new());
        };
        let refused = questions.rejected.iter();
        let lacking = refused.filter_map(|one| Some((one, one.reason.lacks()?)));
        let nearest = lacking.min_by_key(|(_, lacks)| lacks.times());
        let decided = questions.rejected.iter().filter(|one| is_decided(one));
        let decided = decided.count();
        let head = match decided {
            0 => "Nothing can be answered for you yet.".to_owned(),
            many => format!(
                "Nothing more can be answered for you yet. You have decided on {} already.",
                counted(many, "question", "questions")
            ),
        };
        self.apart(&head, BOLD);
        let read = counted(found.read, "question", "questions");
        let recurring = questions.rejected.len() - decided;
        let recur = match recurring {
            0 if decided == 0 => format!(
                "None came up often enough: a proposal needs at least {TRIAL_ANSWERS} matching answers."
            ),
            0 => "No other comes up often enough.".to_owned(),
            1 => "1 of them keeps coming up.".to_owned(),
            _ => String::new(),
        };
        let mut text = match (found.read, recurring) {
            (0, _) => "plantune has not read any questions yet.".to_owned(),
            (_, 2..) => format!("plantune has read {read}; {recurring} of them keep coming up."),
            _ => format!("plantune has read {read}. {recur}"),
        };
        if let Some((near, lacks)) = nearest {
            text += &nearest_in_words(near, lacks);
        }
        text += found.next;
        self.apart(&text, Style::new());
        self.rejected(found.questions);
    }

    /// The questions that recur and are not proposed, with the reason, a line each.
    fn rejected(&mut self, found: Option<&Suggestions>) {
        let refused = found.into_iter().flat_map(|found| &found.rejected);
        let refused = refused.filter(|one| !is_decided(one));
        let all: Vec<(String, String)> = refused
            .map(|one| (title(&one.asked), one.reason.to_string()))
            .collect();
        if all.is_empty() {
            return;
        }
        self.apart("Asked often, but not proposed", BOLD);
        let mut table = Table::of(all.iter().take(MOST_REJECTED));
        table.add(main("question").least(30), |(title, _)| &**title);
        table.add(main("why"), |(_, why)| &**why);
        self.out.table(&table);
        if let more @ 1.. = all.len().saturating_sub(MOST_REJECTED) {
            self.out.paragraph(format!("… and {more} more"), DIM);
        }
    }

    /// How many prompts stay, and why.
    fn left(&mut self, left: UncoveredPrompts) {
        let reasons = [
            (
                left.beyond,
                "reach beyond the project, or may: no rule is ever proposed",
            ),
            (
                left.runs_unasked,
                "need no rule: Claude Code runs them without asking, in its default mode",
            ),
            (left.no_rule, "plantune writes no rule for just that call"),
            (
                left.varied,
                "had other arguments each time: no narrow rule covers them",
            ),
            (left.refused, "you refused, or refused one like them"),
            (left.unsure, "you have not allowed often enough yet"),
            (left.known, "have a rule already"),
            (left.mode, "do not come up in the mode you mostly work in"),
        ];
        let mut table = Table::of(reasons.iter().filter(|(count, _)| *count > 0));
        if table.rows.is_empty() {
            return;
        }
        self.apart("Permission prompts that no rule here covers", BOLD);
        table.add(number("prompts"), |(count, _)| count);
        table.add(main("why"), |(_, why)| why);
        self.out.table(&table);
    }

    fn notes(&mut self, found: &ProposalList<'_>) {
        for note in found.notes_on_questions.iter().take(MOST_NOTES) {
            self.apart(note, YELLOW);
        }
        if let more @ 1.. = found.notes_on_questions.len().saturating_sub(MOST_NOTES) {
            let more = counted(more, "more preference needs", "more preferences need");
            let text = format!("{more} your attention: `plantune prefs list`");
            self.apart(&text, YELLOW);
        }
        for note in found.notes {
            self.apart(note, YELLOW);
        }
    }
}

/// How close `one`, which lacks so much, is to a proposal, in sentences behind a space.
fn nearest_in_words(one: &Rejected, lacks: Lacks) -> String {
    let (agreed, of) = (one.evidence.agreed, judged(&one.evidence));
    let answered = match one.answer.as_deref() {
        Some(label) => format!("you answered {}", answer_in_words(Some(label))),
        None => "you took the recommended answer".to_owned(),
    };
    let question = one_line(&title(&one.asked), SHOWN_NAME);
    format!(
        " The closest is \"{question}\": {answered} {agreed} of {of} times, and it needs {lacks}."
    )
}

fn is_decided(one: &Rejected) -> bool {
    one.reason == RejectReason::PreferenceInForce
}
