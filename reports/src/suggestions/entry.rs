//! The proposals of `suggest` in the order in which they are numbered, the screen that they are written on, and the
//! document for scripts: shares 0–1, seconds as numbers, dates ISO 8601, unknown is null; a null `answer` follows the
//! recommendation.

use chrono::NaiveDate;
use plantune_agents::claude_code;
use plantune_domain::agreement::agreement::Consent;
use plantune_domain::hash;
use plantune_domain::preferences::{Level, Policy, Scope};
use plantune_domain::recommended::{option_text, same_label};
use plantune_query::habits::EVERYWHERE;
use plantune_query::permissions::propose::{Proposals, RuleProposal, UncoveredPrompts};
use plantune_query::permissions::rules::Tighten;
use plantune_query::suggest::{
    ByLevel, Evidence, LastAsked, RejectReason, Rejected, Score, Suggestion, Suggestions,
    WrongAnswer,
};
use serde::{Serialize, Serializer};

use crate::humanize::a_week;
use crate::standing::{self, covers};
use crate::terminal::{CYAN, GREEN, Style, Terminal, YELLOW};
use crate::text::{clean, one_line, rounded};

/// Everything that there is to propose.
#[derive(Clone, Copy, Debug)]
pub struct ProposalList<'a> {
    /// For questions; `None` if rules alone are wanted.
    pub questions: Option<&'a Suggestions>,
    /// Permission rules.
    pub rules: &'a Proposals,
    /// Rules that could be narrower.
    pub tighten: &'a [Tighten],
    /// Notes on questions and preferences, in words; not in the JSON.
    pub notes_on_questions: &'a [String],
    /// Notes on rules that could not be read, in words.
    pub notes: &'a [String],
    /// How many questions were read; shown where nothing is proposed. Not in the JSON.
    pub read: u64,
    /// What brings more to propose, in sentences behind a space; empty if nothing has to be done. Not in the JSON.
    pub next: &'a str,
}

/// One proposal.
#[derive(Clone, Copy, Debug)]
pub enum ListedProposal<'a> {
    /// For one question.
    Question(&'a Suggestion),
    /// A permission rule.
    Rule(&'a RuleProposal),
}

/// All proposals in the order of the list: automatic, on trial, then rules; the best of each first.
pub fn entries<'a>(found: &ProposalList<'a>) -> Vec<ListedProposal<'a>> {
    let questions = found.questions.into_iter();
    let of_questions = questions.flat_map(|found| &found.suggestions);
    let rules = found.rules.proposals.iter().map(ListedProposal::Rule);
    let mut all: Vec<ListedProposal<'_>> = of_questions
        .map(ListedProposal::Question)
        .chain(rules)
        .collect();
    all.sort_by_key(ListedProposal::group);
    all
}

/// The headings of proposals, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProposalGroup {
    /// Answered, and checked now and then.
    Automatic,
    /// Answered, and checked often.
    Trial,
    /// Permission rules.
    Rules,
}

impl ProposalGroup {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Automatic, Self::Trial, Self::Rules];

    /// Its name, and what happens to what is set from it.
    pub(super) fn in_words(self) -> (&'static str, &'static str) {
        match self {
            Self::Automatic => (
                "Automatic",
                "plantune answers, and sometimes asks to check.",
            ),
            Self::Trial => (
                "Trial",
                "plantune answers, but asks one time in three at first. If you answer differently, it stops.",
            ),
            Self::Rules => (
                "Permission rules",
                "the agent no longer asks for these calls.",
            ),
        }
    }

    /// The colour of its name.
    pub(super) fn style(self) -> Style {
        match self {
            Self::Automatic => GREEN,
            Self::Trial => YELLOW,
            Self::Rules => CYAN,
        }
        .bold()
    }
}

/// The name of a question.
pub fn title(asked: &LastAsked) -> String {
    clean(&asked.name)
}

/// The questions that a proposal would answer, on one line.
fn proposed(one: &Suggestion) -> String {
    let asked = &one.asked;
    match standing::title(&one.agreement, &asked.options, Some(&asked.key_source)) {
        Some((text, 0)) => clean(&text),
        Some((text, more)) => format!("{} and {more} more", clean(&text)),
        None => title(&one.asked),
    }
}

impl ListedProposal<'_> {
    /// Where it is listed.
    pub(super) fn group(&self) -> ProposalGroup {
        let level = match self {
            Self::Question(one) => one.level,
            Self::Rule(_) => return ProposalGroup::Rules,
        };
        match level {
            Level::Standing => ProposalGroup::Automatic,
            Level::Trial => ProposalGroup::Trial,
        }
    }

    /// The label that the person types to agree to it, or what a rule allows; `None` where `y` is enough.
    pub fn label_to_type(&self) -> Option<&str> {
        const RECOMMENDED: &str = "recommended";
        match self {
            Self::Question(one) if one.consent == Consent::Type => {
                Some(one.answer.as_deref().unwrap_or(RECOMMENDED))
            }
            Self::Rule(rule) if rule.consent == Consent::Type => Some(&rule.subject),
            Self::Question(_) | Self::Rule(_) => None,
        }
    }

    /// True if `typed` is its label, or the first words of it where no other option begins so.
    pub fn is_label(&self, typed: &str) -> bool {
        let Some(label) = self.label_to_type() else {
            return false;
        };
        let others = match self {
            Self::Question(one) => one.asked.options.as_slice(),
            Self::Rule(_) => &[],
        };
        let mut others = others.iter().filter(|other| !same_label(other, label));
        // A single letter may be the key of another choice.
        let is_word = typed.trim().chars().count() > 1;
        let tells = is_word && begins(label, typed) && !others.any(|other| begins(other, typed));
        same_label(typed, label) || tells
    }

    /// How often it is asked in a week.
    pub(super) fn weekly(&self) -> f64 {
        match self {
            Self::Question(one) => one.asked_per_week,
            Self::Rule(rule) => rule.prompts_per_week,
        }
    }

    /// How many seconds it saves in a week, if known.
    pub(super) fn saved(&self) -> Option<f64> {
        match self {
            Self::Question(one) => Some(one.seconds_saved_per_week),
            Self::Rule(rule) => rule.seconds_saved_per_week,
        }
    }

    /// How many answers, or decided prompts, agree with it: `16 of 16`.
    pub(super) fn share(&self) -> String {
        let (so, of) = match self {
            Self::Question(one) => (one.evidence.agreed, judged(&one.evidence)),
            Self::Rule(rule) => (allowed(rule), rule.prompts),
        };
        format!("{so} of {of}")
    }

    /// A short name that does not depend on the other proposals: a hash of where it would hold, for what, with which answer.
    pub fn handle(&self) -> String {
        match self {
            Self::Question(one) => handle(&[
                one.project().unwrap_or_default(),
                &one.asked.question_key,
                one.answer.as_deref().unwrap_or_default(),
            ]),
            Self::Rule(rule) => {
                let root = rule.root.as_deref().unwrap_or_default();
                handle(&[rule.agent, root, &rule.name])
            }
        }
    }

    /// The names that a person may call it by: its title, and what its question is called in every verb.
    pub fn called(&self) -> Vec<String> {
        match self {
            Self::Question(one) => vec![self.title(), title(&one.asked)],
            Self::Rule(_) => vec![self.title()],
        }
    }

    /// Its name for `--only`, to the letter.
    pub fn name(&self) -> String {
        match self {
            Self::Question(one) => one.asked.question_key.clone(),
            Self::Rule(rule) => rule.name.clone(),
        }
    }

    /// Its subject.
    pub fn title(&self) -> String {
        match self {
            Self::Question(one) => proposed(one),
            Self::Rule(rule) => match plantune_agents::named(rule.agent) {
                Some(agent) if rule.agent != claude_code::NAME => {
                    format!("{} ({})", clean(&rule.name), agent.title())
                }
                _ => clean(&rule.name),
            },
        }
    }
}

/// True if `label` begins with the whole words `typed`.
fn begins(label: &str, typed: &str) -> bool {
    let (label, typed) = (option_text(label).to_lowercase(), typed.to_lowercase());
    let mut words = label.split_whitespace();
    typed
        .split_whitespace()
        .all(|word| words.next() == Some(word))
}

/// The letters of a handle. Without vowels they make no word, and without digits no number.
const LETTERS: &[u8; 20] = b"bcdfghjkmnpqrstvwxyz";

/// How many letters a handle has: among fifty proposals two share one in less than one case of a hundred.
const HANDLE: usize = 4;

/// The handle of `parts`.
fn handle(parts: &[&str]) -> String {
    let bytes = hash::digest(parts).into_iter().take(HANDLE);
    let letters = bytes.filter_map(|byte| LETTERS.get(usize::from(byte) % LETTERS.len()));
    letters.map(|letter| char::from(*letter)).collect()
}

/// How much of a label is shown, in columns.
pub(super) const SHOWN_NAME: usize = 60;

/// The answer of a policy, in words.
pub fn answer_in_words(answer: Option<&str>) -> String {
    answer.map_or_else(
        || "the recommended answer".to_owned(),
        |label| format!("\"{}\"", one_line(label, SHOWN_NAME)),
    )
}

/// How much of a rule, a path or a project is shown, in columns: enough to be copied.
pub(super) const SHOWN: usize = 220;

/// Where proposals are shown.
pub struct Screen<'a> {
    /// The text so far.
    pub out: Terminal,
    /// True to show what is not proposed as well.
    pub all: bool,
    /// The name of a project.
    pub name: &'a dyn Fn(&str) -> String,
    /// The name of a day.
    pub day: &'a dyn Fn(NaiveDate) -> String,
}

impl Screen<'_> {
    /// `in o/r`, or `everywhere`.
    pub(super) fn place(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => format!("in {}", self.project(project)),
        }
    }

    /// The name of `project`.
    pub(super) fn project(&self, project: &str) -> String {
        match project == EVERYWHERE {
            true => "everywhere".to_owned(),
            false => one_line(&(self.name)(project), SHOWN),
        }
    }
}

/// How many answers were judged: all but those to which the person added something.
pub(super) fn judged(evidence: &Evidence) -> usize {
    evidence.answers.saturating_sub(evidence.added)
}

pub(super) fn allowed(rule: &RuleProposal) -> usize {
    rule.prompts - rule.refused.min(rule.prompts)
}

/// How often something comes, in words: `4.2 times a week`, `twice a month`. A weekly number has a decimal, so that the
/// rows add up to their sum.
pub(super) fn how_often(weekly: f64) -> String {
    const WEEKS_IN_A_MONTH: f64 = 365.25 / 12.0 / 7.0;
    let (times, period) = match weekly {
        often if often >= 0.75 => (a_week(often), "a week"),
        seldom => ((seldom * WEEKS_IN_A_MONTH).round().to_string(), "a month"),
    };
    match &*times {
        "0" => "less than once a month".to_owned(),
        "1" => format!("once {period}"),
        "2" => format!("twice {period}"),
        times => format!("{times} times {period}"),
    }
}

/// How long a beginning that two titles share must be to be cut, in characters, and how much of it stays before the
/// difference.
const SHARED: usize = 36;
const CONTEXT: usize = 12;

/// The titles of `all`, each unlike every other also where only its beginning is seen. Two with one title get their project
/// behind it, which `projects` has in the same order; in one project, their key.
pub(super) fn distinguished(all: &[ListedProposal<'_>], projects: &[String]) -> Vec<String> {
    let titles: Vec<String> = all.iter().map(ListedProposal::title).collect();
    let title = |at: usize, title: &String, entry: &ListedProposal<'_>| {
        let others = || (0..all.len()).filter(|other| *other != at);
        let alike = || others().filter(|other| titles.get(*other) == Some(title));
        if alike().next().is_some() {
            let is_here = |other: usize| projects.get(other) == projects.get(at);
            return match projects.get(at).filter(|_| !alike().any(is_here)) {
                Some(project) => format!("{title} ({project})"),
                None => format!("{title} ({})", clean(&entry.name())),
            };
        }
        let shared = others().filter_map(|other| {
            let other = titles.get(other).filter(|other| *other != title)?;
            let same = title.chars().zip(other.chars());
            Some(same.take_while(|(one, other)| one == other).count())
        });
        match shared.max() {
            Some(shared @ SHARED..) => {
                let from = title.chars().skip(shared - CONTEXT).collect::<String>();
                let rest = from.split_once(' ').map_or(&*from, |(_, rest)| rest);
                format!("… {rest}")
            }
            _ => title.clone(),
        }
    };
    let numbered = titles.iter().zip(all).enumerate();
    numbered
        .map(|(at, (one, entry))| title(at, one, entry))
        .collect()
}

/// Everything that is proposed, and what is not.
#[derive(Clone, Debug, Serialize)]
pub struct ProposalsDocument<'a> {
    suggestions: Vec<QuestionProposal<'a>>,
    rejected: Vec<RejectedEntry<'a>>,
    permissions: Vec<RuleEntry<'a>>,
    /// How many decided prompts no proposal spares, by why.
    permissions_left: UncoveredPrompts,
    tighten: &'a [Tighten],
    notes: &'a [String],
}

impl<'a> From<ProposalList<'a>> for ProposalsDocument<'a> {
    fn from(found: ProposalList<'a>) -> Self {
        let questions = || found.questions.into_iter();
        let of_questions = questions().flat_map(|all| &all.suggestions);
        let rules = found.rules.proposals.iter().map(ListedProposal::Rule);
        let all = of_questions.map(ListedProposal::Question).chain(rules);
        Self {
            permissions_left: found.rules.left,
            tighten: found.tighten,
            notes: found.notes,
            ..Self::of(all, questions().flat_map(|all| &all.rejected))
        }
    }
}

impl<'a> ProposalsDocument<'a> {
    /// The document of `chosen` and `rejected` alone.
    pub fn of(
        chosen: impl IntoIterator<Item = ListedProposal<'a>>,
        rejected: impl IntoIterator<Item = &'a Rejected>,
    ) -> Self {
        let (mut suggestions, mut permissions) = (Vec::new(), Vec::new());
        for one in chosen {
            match one {
                ListedProposal::Question(one) => suggestions.push(one.into()),
                ListedProposal::Rule(proposal) => permissions.push(RuleEntry {
                    handle: one.handle(),
                    proposal,
                }),
            }
        }
        Self {
            suggestions,
            rejected: rejected.into_iter().map(RejectedEntry::from).collect(),
            permissions,
            permissions_left: UncoveredPrompts::default(),
            tighten: &[],
            notes: &[],
        }
    }
}

/// A question that is not proposed.
#[derive(Clone, Debug, Serialize)]
struct RejectedEntry<'a> {
    question_key: &'a str,
    name: &'a str,
    question: &'a str,
    options: &'a [String],
    project: &'a str,
    #[serde(serialize_with = "name")]
    reason: &'a RejectReason,
    explanation: String,
    evidence: &'a Evidence,
}

impl<'a> From<&'a Rejected> for RejectedEntry<'a> {
    fn from(rejected: &'a Rejected) -> Self {
        let asked = &rejected.asked;
        Self {
            question_key: &asked.question_key,
            name: &asked.name,
            question: &asked.question,
            options: &asked.options,
            project: &asked.project,
            reason: &rejected.reason,
            explanation: rejected.reason.to_string(),
            evidence: &rejected.evidence,
        }
    }
}

fn name<S: Serializer>(reason: &&RejectReason, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(reason.name())
}

/// One question.
#[derive(Clone, Debug, Serialize)]
struct QuestionProposal<'a> {
    handle: String,
    #[serde(flatten)]
    asked: &'a LastAsked,
    level: Level,
    scope: Scope,
    /// Null for everywhere.
    project: Option<&'a str>,
    /// Where the answers come from.
    projects: &'a [String],
    preference: Policy,
    answer: Option<&'a str>,
    /// The questions it would be given for.
    covers: Vec<String>,
    /// How it is confirmed: `yes` or `type`.
    consent: Consent,
    /// How likely (0–1) the next answer agrees.
    #[serde(serialize_with = "rounded")]
    confidence: f64,
    evidence: &'a Evidence,
    #[serde(serialize_with = "rounded")]
    seconds_saved_per_week: f64,
    #[serde(flatten)]
    wrong: WrongAnswer,
    /// Of a trial: the reason why it is not proposed to be automatic.
    lacks: Option<String>,
    /// The score of each level over these answers, null if it was not computed.
    #[serde(serialize_with = "rights")]
    backtest: Option<&'a ByLevel>,
}

impl<'a> From<&'a Suggestion> for QuestionProposal<'a> {
    fn from(found: &'a Suggestion) -> Self {
        let asked = &found.asked;
        Self {
            handle: ListedProposal::Question(found).handle(),
            asked,
            level: found.level,
            scope: found.scope(),
            project: found.project(),
            projects: &found.projects,
            preference: Policy::NeverAsk,
            answer: found.answer.as_deref(),
            consent: found.consent,
            covers: covers(&found.agreement, &asked.options, Some(&asked.key_source)),
            confidence: found.confidence,
            evidence: &found.evidence,
            seconds_saved_per_week: found.seconds_saved_per_week,
            wrong: found.wrong,
            lacks: found.lacks.as_ref().map(ToString::to_string),
            backtest: found.hindsight.as_ref(),
        }
    }
}

/// The score of each level: how many answers, and how many of them right.
fn rights<S: Serializer>(levels: &Option<&ByLevel>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Right {
        answers: u64,
        correct: u64,
    }
    let Some(levels) = levels else {
        return to.serialize_none();
    };
    let right = |score: &Score| Right {
        answers: score.auto_decided(),
        correct: score.correct,
    };
    let levels = levels.levels().into_iter();
    to.collect_map(levels.map(|(level, score)| (level, right(score))))
}

/// A permission rule.
#[derive(Clone, Debug, Serialize)]
struct RuleEntry<'a> {
    handle: String,
    #[serde(flatten)]
    proposal: &'a RuleProposal,
}
