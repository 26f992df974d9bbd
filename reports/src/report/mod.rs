//! The weekly report: where the questions came from, who answered them, and what it cost; on a terminal and in Markdown,
//! and the sentences that it begins with in every format.

mod content;
mod document;
mod sentence;
mod tables;

use plantune_domain::keys::typed;

pub use document::Document;
pub(crate) use sentence::Piece;
pub use sentence::{Rules, Sentence};

use self::content::{Block, Formatting};
pub(crate) use self::content::{FIGURES, Figure, Value, incomparable, listing, nothing};
pub use self::document::{
    EvidenceCounts, Heading, NotProposed, Proposal, Span, not_proposed, proposals,
};
use self::sentence::Piece::{Count, Date, Weekly, Words};
use self::sentence::{say, seconds, sentence, text};
pub(crate) use self::tables::group_name;
use crate::table::{code, escape, section};
use crate::terminal::{BOLD, DIM, Style, Terminal, YELLOW};
use crate::text::{clean, four_decimals, shell_word};

/// The report in Markdown with tables (GitHub's), which list `top` questions.
pub fn markdown(document: &Document, top: usize) -> String {
    let mut text = format!("# Questions: {}\n\n", escape(&document.heading.title()));
    if let Some(project) = &document.heading.project {
        text += &format!("Project {}\n\n", escape(project));
    }
    let style = Formatting {
        safe: escape,
        code,
        top,
        is_brief: false,
    };
    for part in content::parts(document, style) {
        text += &match &part {
            Block::Text(words) | Block::Warning(words) => format!("{words}\n\n"),
            Block::List(lines) => format!("- {}\n\n", lines.join("\n- ")),
            Block::Table(table) => section(table),
        };
    }
    text
}

/// Writes the report to `out`, with `top` questions; of an overview, which `is_brief`, nothing is compared, and less is
/// listed.
pub fn show(document: &Document, top: usize, is_brief: bool, out: &mut Terminal) {
    out.paragraph(document.heading.title(), BOLD);
    if let Some(project) = &document.heading.project {
        out.paragraph(format!("Project {}", clean(project)), DIM);
    }
    let style = Formatting {
        safe: clean,
        code: |command| format!("`{command}`"),
        top,
        is_brief,
    };
    for part in content::parts(document, style) {
        out.line("");
        match &part {
            Block::Text(words) => out.paragraph(words, Style::new()),
            Block::Warning(words) => out.paragraph(words, YELLOW),
            Block::List(lines) => lines.iter().for_each(|line| out.hanging("- ", "  ", line)),
            Block::Table(section) => {
                out.paragraph(&section.title, BOLD);
                out.rows(&section.columns, &section.rows);
                let notes = section.notes.iter();
                notes.for_each(|note| out.paragraph(note, Style::new()));
            }
        }
    }
}

impl Document {
    /// The same document with what it says in sentences: they are made of everything else that is in it.
    pub fn with_sentences(mut self) -> Self {
        self.summary = summary(&self);
        self.stands_out = stands_out(&self);
        self
    }
}

/// The least time, in seconds, that agents waited for nobody before that is worth a sentence.
const LEAST_AWAY: f64 = 600.0;

/// The sentences that sum up `document`.
fn summary(document: &Document) -> Vec<Sentence> {
    let found = [
        stopped(document),
        unanswered(document),
        answered_for_you(document),
        turned_down(document),
        asks_most(document),
        could(document),
    ];
    found.into_iter().flatten().collect()
}

/// The sentences about what the person can change, at most three.
fn stands_out(document: &Document) -> Vec<Sentence> {
    let found = [
        nobody_there(document),
        asked_again(document),
        rejected(document),
    ];
    found.into_iter().flatten().collect()
}

/// How often agents stopped the person, and how long that took.
fn stopped(document: &Document) -> Option<Sentence> {
    let (totals, permissions) = (&document.report.totals, &document.report.permissions);
    let (questions, prompts) = (totals.asked, permissions.asked);
    let counts = [
        Count("questions", questions),
        Count("prompts", prompts),
        Count("stops", questions + prompts),
    ];
    let template = match (questions, prompts) {
        (0, 0) if totals.questions == 0 => return None,
        (0, 0) => " no agent stopped you",
        (_, 0) => " agents stopped you {questions:once:times}",
        (0, _) => " agents asked you {prompts:once for permission:times for permission}",
        _ => {
            " agents stopped you {stops} times, with {questions:question:questions} and \
             {prompts:prompt for permission,:prompts for permission,}"
        }
    };
    let mut pieces = {
        let begins = document.report.timeline.parts.first();
        let begins = begins.map(|first| first.start);
        vec![Date(document.heading.in_words(begins))]
    };
    say(&mut pieces, template, &counts);
    let waited = totals.waiting_seconds + permissions.seconds_waited + permissions.seconds_away;
    if waited >= 1.0 {
        let waited = [seconds("waiting_seconds", waited)];
        let template = " and waited {waiting_seconds} for you";
        say(&mut pieces, template, &waited);
    }
    let answering = totals.human_seconds + permissions.seconds_waited;
    if answering >= 1.0 {
        let answering = [seconds("answering_seconds", answering)];
        let template = "; answering took {answering_seconds}";
        say(&mut pieces, template, &answering);
    }
    pieces.push(Words("."));
    Some(Sentence::new("stopped", pieces))
}

/// How many questions got no answer.
fn unanswered(document: &Document) -> Option<Sentence> {
    let totals = &document.report.totals;
    let first = [
        "{dismissed:question was:questions were} left without an answer",
        "{failed:question:questions} could not be asked",
        "{open:question was:questions were} still open",
    ];
    let further = [
        ", {dismissed:is:are} left without an answer",
        ", {failed} could not be asked",
        ", {open:is:are} still open",
    ];
    let counts = [
        ("dismissed", totals.dismissed),
        ("failed", totals.failed),
        ("open", totals.open),
    ];
    let mut pieces = Vec::new();
    let parts = counts.into_iter().zip(first.into_iter().zip(further));
    for ((name, count), (first, further)) in parts.filter(|((_, count), _)| *count > 0) {
        let template = if pieces.is_empty() { first } else { further };
        say(&mut pieces, template, &[Count(name, count)]);
    }
    if pieces.is_empty() {
        return None;
    }
    pieces.push(Words("."));
    Some(Sentence::new("unanswered", pieces))
}

/// Answers given without them.
fn answered_for_you(document: &Document) -> Option<Sentence> {
    let totals = &document.report.totals;
    let answered = totals.auto_decided - totals.auto_decided_by.turned_down;
    let template = match totals.seconds_saved >= 1.0 {
        true => {
            "{answered_for_you:question was:questions were} answered for you, which saved you about \
             {seconds_saved}."
        }
        false => "{answered_for_you:question was:questions were} answered for you.",
    };
    let values = [
        Count("answered_for_you", answered),
        seconds("seconds_saved", totals.seconds_saved),
    ];
    (answered > 0).then(|| sentence("answered_for_you", template, &values))
}

/// Questions that their reviewer turned down.
fn turned_down(document: &Document) -> Option<Sentence> {
    let count = document.report.totals.auto_decided_by.turned_down;
    let template = "Your reviewer turned down {turned_down:question:questions}.";
    let values = [Count("turned_down", count)];
    (count > 0).then(|| sentence("turned_down", template, &values))
}

/// Who asks most.
fn asks_most(document: &Document) -> Option<Sentence> {
    let most = document.report.asks_most.as_ref()?;
    let project = most.project.as_deref();
    let template = match (most.asked == most.of, project) {
        (true, None) => "All {asked} questions came from {asker}.",
        (true, Some(_)) => "All {asked} questions in {project} came from {asker}.",
        (false, None) => "{asked} of the {of} questions came from {asker}.",
        (false, Some(_)) => "{asked} of the {of} questions in {project} came from {asker}.",
    };
    let values = [
        Count("asked", most.asked),
        Count("of", most.of),
        text("asker", &most.asker),
        text("project", project.unwrap_or_default()),
    ];
    let mut command = format!("{} --by asker", document.heading.command());
    if let Some(project) = project {
        command += &format!(" --project {}", shell_word(&clean(project)));
    }
    let sentence = sentence("asks_most", template, &values).show(command);
    Some(
        sentence
            .about("asker", Some(&most.asker))
            .about("project", project),
    )
}

/// Questions that could be answered for them, and prompts that could be allowed.
fn could(document: &Document) -> Option<Sentence> {
    let habits = document.proposals.iter().flatten();
    let habits: Vec<&Proposal> = habits.filter(|one| one.answers()).collect();
    let (many, rules) = (habits.len() as u64, document.rules.rules);
    let weekly = four_decimals(habits.iter().map(|one| one.asked_per_week).sum());
    let prompts = four_decimals(document.rules.prompts_per_week);
    let values = [
        Count("habits", many),
        Weekly("questions_per_week", weekly),
        Count("permission_rules", rules),
        Weekly("prompts_per_week", prompts),
    ];
    let mut pieces = Vec::new();
    let mut add = |when: bool, template| {
        if when {
            say(&mut pieces, template, &values);
        }
    };
    add(many > 0, "{habits:habit:habits} could be answered for you");
    add(
        many > 0 && weekly > 0.0,
        " (about {questions_per_week:question a week:questions a week})",
    );
    add(many > 0 && rules > 0, ", ");
    add(
        rules > 0,
        "{permission_rules:permission rule:permission rules} would spare you ",
    );
    add(rules > 0 && prompts <= 0.0, "prompts");
    add(
        rules > 0 && prompts > 0.0,
        "about {prompts_per_week:prompt a week:prompts a week}",
    );
    add(many + rules > 0, ".");
    (many + rules > 0).then(|| Sentence::new("could_be_answered", pieces).show("plantune suggest"))
}

/// That agents waited while nobody was there.
fn nobody_there(document: &Document) -> Option<Sentence> {
    let seconds =
        document.report.totals.waiting_away_seconds + document.report.permissions.seconds_away;
    let (template, command) = match document.can_notify {
        true => (
            "Agents waited {seconds} while nobody was there. Claude Code can ring the terminal's bell when it \
             needs you:",
            "plantune install --notify",
        ),
        false => (
            "Agents waited {seconds} while nobody was there. When you leave, the answer that is recommended can \
             be given for you:",
            "plantune away",
        ),
    };
    let values = [self::seconds("seconds", seconds)];
    (seconds >= LEAST_AWAY).then(|| sentence("nobody_there", template, &values).show(command))
}

/// The habit that takes most time, of those that could be answered.
fn asked_again(document: &Document) -> Option<Sentence> {
    let habits = document.proposals.iter().flatten();
    let habits = habits.filter(|one| one.answers());
    let mut with_text = habits.filter_map(|one| Some((one, one.question.as_deref()?)));
    let first = with_text.next()?;
    let (habit, question) = with_text.fold(first, |best, one| {
        match one.0.seconds_saved_per_week > best.0.seconds_saved_per_week {
            true => one,
            false => best,
        }
    });
    let evidence = &habit.evidence;
    let template = match (&habit.answer, evidence.agreed == evidence.answers) {
        (Some(_), true) => "You answered \"{answer}\" all {answers} times to \"{question}\":",
        (Some(_), false) => {
            "You answered \"{answer}\" {agreed} of {answers} times to \"{question}\":"
        }
        (None, true) => "You followed the recommendation all {answers} times in \"{question}\":",
        (None, false) => {
            "You followed the recommendation {agreed} of {answers} times in \"{question}\":"
        }
    };
    let values = [
        text("answer", habit.answer.as_deref().unwrap_or_default()),
        Count("agreed", evidence.agreed),
        Count("answers", evidence.answers),
        text("question", question),
    ];
    let key = shell_word(&clean(typed(&habit.question_key, question)));
    let sentence = sentence("asked_again", template, &values)
        .about("question_key", Some(&habit.question_key))
        .about("question", Some(question))
        .about("project", habit.project.as_deref());
    Some(sentence.show(format!("plantune suggest {key}")))
}

/// Whose calls Claude Code rejected.
fn rejected(document: &Document) -> Option<Sentence> {
    let rejected = document.report.rejected_calls.as_ref()?;
    let template = "Claude Code rejected {calls:call:calls} of {asker} as malformed, so that it had to ask again; its \
                    author can correct that:";
    let values = [
        Count("calls", rejected.calls),
        text("asker", &rejected.asker),
    ];
    let sentence =
        sentence("rejected_calls", template, &values).about("asker", Some(&rejected.asker));
    Some(sentence.show(document.heading.asked("reason = 'validation'")))
}
