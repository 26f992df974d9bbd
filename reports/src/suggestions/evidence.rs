//! The evidence of a proposal, in sentences.

use plantune_agents::claude_code;
use plantune_domain::config::QuestionKind;
use plantune_domain::keys::is_made_up;
use plantune_domain::preferences::Level;
use plantune_query::permissions::propose::RuleProposal;
use plantune_query::permissions::rules::RuleScope;
use plantune_query::suggest::{ByLevel, Evidence, LastAsked, Rejected, Suggestion};

use super::entry::{
    ListedProposal, SHOWN_NAME, Screen, allowed, answer_in_words, how_often, judged, title,
};
use crate::humanize::{counted, duration};
use crate::prompts::reach_in_words;
use crate::standing::holds_for;
use crate::terminal::BOLD;
use crate::text::one_line;

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

impl Screen<'_> {
    /// Writes one proposal with its evidence; `number` is its number in the list.
    pub fn evidence(&mut self, number: usize, entry: &ListedProposal<'_>) {
        let head = format!("{number}. {}", entry.title());
        self.out.paragraph(&head, BOLD);
        let sentences = match entry {
            ListedProposal::Question(one) => question(one, self),
            ListedProposal::Rule(one) => rule(one, self),
        };
        let command = format!("To set it: `plantune suggest {} --apply`", entry.handle());
        for sentence in sentences.iter().chain([&command]) {
            self.out.line("");
            self.out.paragraph(sentence, anstyle::Style::new());
        }
    }

    /// Writes why a question is not proposed.
    pub fn refusal(&mut self, one: &Rejected) {
        self.out.paragraph(title(&one.asked), BOLD);
        for sentence in refusal(one, self) {
            self.out.line("");
            self.out.paragraph(&sentence, anstyle::Style::new());
        }
    }
}

/// The proposal for a question: what you answered, what would happen, for what, how sure it is, what is missing.
fn question(one: &Suggestion, terminal: &Screen<'_>) -> Vec<String> {
    let asked = &one.asked;
    let by = asked.asker.as_deref().map_or_else(String::new, |asker| {
        format!(" by {}", one_line(asker, SHOWN_NAME))
    });
    let place = format!(
        "Asked {}{by} {}. It would save you {} a week.{}",
        terminal.place(&asked.project),
        how_often(one.asked_per_week),
        duration(one.seconds_saved_per_week),
        key(asked)
    );
    let mut sentences = vec![
        place,
        answers(&one.evidence, one.answer.as_deref(), terminal) + &sources(one),
        becomes(one),
        reach(one),
    ];
    let cost = format!(
        "A wrong answer would cost you about {}: the question is about {}.",
        duration(one.wrong.seconds),
        kind_in_words(one.wrong.kind)
    );
    sentences.push(in_hindsight(one.hindsight.as_ref()) + &cost);
    if let Some(lacks) = &one.lacks {
        sentences.push(format!("Not automatic yet: {lacks}."));
    }
    sentences
}

/// Its key, where that says something to a person.
fn key(asked: &LastAsked) -> String {
    match is_made_up(&asked.question_key) {
        true => String::new(),
        false => format!(" Its key is {}.", one_line(&asked.question_key, SHOWN_TEXT)),
    }
}

/// Why a question is not proposed.
fn refusal(one: &Rejected, terminal: &Screen<'_>) -> Vec<String> {
    vec![
        format!(
            "Asked {}.{}",
            terminal.place(&one.asked.project),
            key(&one.asked)
        ),
        answers(&one.evidence, one.answer.as_deref(), terminal),
        format!("Not proposed: {}.", one.reason),
    ]
}

/// The proposal of a rule.
fn rule(one: &RuleProposal, terminal: &Screen<'_>) -> Vec<String> {
    let place = match one.scope {
        RuleScope::User => {
            let projects = one.projects.iter().map(|one| terminal.project(one));
            format!(
                "The rule goes into your own settings, for every project. It came up in {}.",
                projects.collect::<Vec<_>>().join(", ")
            )
        }
        RuleScope::Local => {
            let root = one_line(one.root.as_deref().unwrap_or_default(), SHOWN_TEXT);
            match one.agent == claude_code::NAME {
                true => {
                    let folder = claude_code::FOLDER;
                    format!(
                        "The rule goes into {folder}/settings.local.json in {root}. It is for you alone."
                    )
                }
                false => format!(
                    "The rule goes into opencode.json in {root}. It is for everyone who works there."
                ),
            }
        }
    };
    let imported = match one.evidence.imported {
        0 => String::new(),
        count if count == one.prompts => "; all of them come from imported transcripts".to_owned(),
        count => format!("; {count} of them come from imported transcripts"),
    };
    let waiting = one.seconds_saved_per_week.map_or_else(
        || "How long you took was not logged.".to_owned(),
        |seconds| format!("They cost you {} a week.", duration(seconds)),
    );
    let mut sentences = vec![
        place,
        format!(
            "You allowed {} of {} of these prompts{}{imported}.",
            allowed(one),
            one.prompts,
            spread(
                one.evidence.sessions,
                one.evidence.days,
                Some((one.evidence.first, one.evidence.last)),
                terminal
            ),
        ),
        format!("They come {}. {waiting}", how_often(one.prompts_per_week)),
        format!(
            "What you allowed {}. The rule covers {}",
            reach_in_words(Some(one.reach)),
            one_line(&one.covers(), usize::MAX)
        ),
    ];
    if let Some(skill) = &one.evidence.only_skill {
        let skill = one_line(skill, SHOWN_TEXT);
        sentences.push(format!(
            "You allowed this only while /{skill} was at work. The rule allows it always."
        ));
    }
    if !one.worth.note.is_empty() {
        sentences.push(one.worth.note.to_owned());
    }
    sentences
}

fn answers(evidence: &Evidence, answer: Option<&str>, terminal: &Screen<'_>) -> String {
    let judged = judged(evidence);
    let days = evidence.first.zip(evidence.last);
    let what = match answer {
        Some(_) => format!("You answered {}", answer_in_words(answer)),
        None => "You followed the recommendation".to_owned(),
    };
    let mut text = format!(
        "{what} {} of {judged} times{}.",
        evidence.agreed,
        spread(evidence.sessions, evidence.days, days, terminal)
    );
    match evidence.added {
        0 => {}
        1 => text.push_str(" One other time you added something to it."),
        added => text.push_str(&format!(" {added} other times you added something to it.")),
    }
    text.push_str(&evidence.last_disagreement.map_or_else(
        || " You never answered differently.".to_owned(),
        |day| {
            let other = evidence.other_answer.as_deref();
            let other = other.map_or_else(String::new, |label| {
                format!(": {}", answer_in_words(Some(label)))
            });
            format!(
                " You last answered differently {}{other}.",
                on(&(terminal.day)(day))
            )
        },
    ));
    text
}

/// `, in 18 sessions on 17 days from 5 Mar to yesterday`.
fn spread(
    sessions: usize,
    days: usize,
    range: Option<(chrono::NaiveDate, chrono::NaiveDate)>,
    terminal: &Screen<'_>,
) -> String {
    let sessions = counted(sessions, "session", "sessions");
    let mut text = format!(", in {sessions} on {}", counted(days, "day", "days"));
    if let Some((first, last)) = range {
        let (first, last) = ((terminal.day)(first), (terminal.day)(last));
        match first == last {
            true => text.push_str(&format!(" ({first})")),
            false => text.push_str(&format!(" ({first} to {last})")),
        }
    }
    text
}

/// A day as it follows a verb: `on 5 Mar`, `yesterday`.
fn on(day: &str) -> String {
    match day.starts_with(|first: char| first.is_ascii_digit()) && !day.ends_with("ago") {
        true => format!("on {day}"),
        false => day.to_owned(),
    }
}

/// Where the answers come from: the log or transcripts, and which program asked.
fn sources(one: &Suggestion) -> String {
    let imported = one.evidence.imported;
    let logged = one.evidence.answers.saturating_sub(imported);
    let tool = match one.agreement.host.as_deref() {
        None | Some(claude_code::TOOL) => String::new(),
        Some(tool) => {
            let agent = plantune_agents::of_tool(tool);
            let name =
                agent.map_or_else(|| one_line(tool, SHOWN_NAME), |one| one.title().to_owned());
            format!(" They answer questions from {name}.")
        }
    };
    match (logged, imported) {
        (_, 0) => format!(" plantune logged all of them.{tool}"),
        (0, _) => format!(" All come from imported transcripts.{tool}"),
        _ => format!(
            " plantune logged {logged} of them; {imported} come from imported transcripts.{tool}"
        ),
    }
}

/// The effect from now on.
fn becomes(one: &Suggestion) -> String {
    let answer = answer_in_words(one.answer.as_deref());
    match one.level {
        Level::Trial => format!(
            "On trial: plantune answers with {answer}. It asks you one time in three at first. If you answer \
             differently, the trial ends."
        ),
        Level::Standing => {
            format!(
                "Automatic: plantune answers with {answer}. Now and then it asks you, as a check."
            )
        }
    }
}

/// The questions that it would answer.
pub(super) fn reach(one: &Suggestion) -> String {
    holds_for(
        &one.agreement,
        &one.asked.options,
        Some(&one.asked.key_source),
        &one_line(&title(&one.asked), SHOWN_TEXT),
    )
}

/// The score of each level over these answers, in words.
fn in_hindsight(levels: Option<&ByLevel>) -> String {
    let scores = levels.into_iter().flat_map(ByLevel::levels);
    let answered = scores.filter(|(_, score)| score.auto_decided() > 0);
    let words: Vec<String> = answered
        .map(|(level, score)| {
            let how = match level {
                Level::Trial => "on trial",
                Level::Standing => "when automatic",
            };
            format!("{} of {} {how}", score.correct, score.auto_decided())
        })
        .collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(
            "Replayed over your history, it would have been right {}. ",
            words.join(", ")
        ),
    }
}

fn kind_in_words(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::GoOn => "whether to go on",
        QuestionKind::Scope => "scope or names",
        QuestionKind::Content => "content",
        QuestionKind::Architecture => "architecture",
    }
}
