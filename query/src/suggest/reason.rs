//! Why a question is not proposed, or not yet to be automatic, and what it costs to answer it wrongly.

use std::fmt;

use plantune_domain::agreement::text::{Kind, Reading};
use plantune_domain::config::QuestionKind;
use plantune_domain::named::counted;
use plantune_domain::preferences::Level;
use plantune_domain::recommended::strip_mark;
use plantune_domain::registry::Registry;
use thiserror::Error;

/// The person's decision about a question so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PriorDecision {
    /// None.
    #[default]
    None,
    /// To have it answered, and it was stopped: more evidence may have it answered again.
    Stopped,
    /// To have it answered on trial.
    Trial,
    /// To have it answered.
    Standing,
    /// To be asked: nothing is proposed, nor for everywhere.
    AlwaysAsk,
}

impl PriorDecision {
    /// True when a proposal of `level` goes further.
    pub(super) fn leaves(self, level: Level) -> bool {
        match self {
            Self::None => true,
            Self::Stopped | Self::Trial => level > Level::Trial,
            Self::Standing | Self::AlwaysAsk => false,
        }
    }
}

/// Agreeing answers that came close together, so that they count for less than as many on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// How many.
    pub answers: u32,
    /// On how many days, or in how many sessions.
    pub places: u32,
    /// True if it is the days, false if it is the sessions, that hold several of them.
    pub are_days: bool,
}

impl fmt::Display for Crowded {
    /// `24 came on 2 days, which counts for less`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = match self.are_days {
            true => format!("on {}", counted(self.places, "day", "days")),
            false => format!("in {}", counted(self.places, "session", "sessions")),
        };
        write!(f, "{} came {places}, which counts for less", self.answers)
    }
}

/// The answers and days that are still needed, if every further answer agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Answers that agree.
    pub answers: u32,
    /// Sessions in which nothing was counted yet.
    pub sessions: u32,
    /// Days on which nothing was counted yet.
    pub days: u32,
    /// Why those that there are do not suffice, where they came close together.
    pub crowded: Option<Crowded>,
}

/// Why a key is not proposed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// The person has decided about it already.
    #[error("you have decided on it already")]
    PreferenceInForce,
    /// An option of a split question: always asked.
    #[error("options of a split question are always asked")]
    Split,
    /// It cannot be taken back; the reason.
    #[error("{0}")]
    OneWay(String),
    /// Several options may be chosen, and were.
    #[error("several options were chosen")]
    SeveralChosen,
    /// No policy would have answered often enough: the options or the recommendation vary.
    #[error("the recommendation or the options change too often")]
    Abstains,
    /// The answers differ too much.
    #[error("the answers differ too much")]
    Disagreement,
    /// One of the latest answers differed; what it takes from here.
    #[error("a recent answer differed: needs {0}")]
    RecentDisagreement(Lacks),
    /// All well so far, but too few answers, sessions or days.
    #[error("needs {0}")]
    TooLittle(Lacks),
    /// The person took such an answer back; what it takes from there.
    #[error("you took it back: needs {0}")]
    Undone(Lacks),
    /// The person often adds something to the answer, which would be lost.
    #[error("you often add something to this answer")]
    WantsToAdd,
    /// It is answered otherwise in some projects than in others.
    #[error("you answer differently in different projects")]
    ProjectsDiffer,
    /// Its texts have too little in common to say what an answer would be for.
    #[error("it asks for something different every time")]
    TextsVary,
    /// How long the person takes is not known, so neither is what would be saved.
    #[error("it is not known how long you take to answer")]
    UnknownTime,
    /// Wrong answers would cost more than is saved.
    #[error("a wrong answer would cost you more than it saves")]
    NoBenefit,
}

impl Reason {
    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::PreferenceInForce => "preference_in_force",
            Self::Split => "split",
            Self::OneWay(_) => "one_way",
            Self::SeveralChosen => "several_chosen",
            Self::Abstains => "abstains",
            Self::Disagreement => "disagreement",
            Self::RecentDisagreement(_) => "recent_disagreement",
            Self::TooLittle(_) => "too_little",
            Self::Undone(_) => "undone",
            Self::WantsToAdd => "wants_to_add",
            Self::ProjectsDiffer => "projects_differ",
            Self::TextsVary => "texts_vary",
            Self::UnknownTime => "unknown_time",
            Self::NoBenefit => "no_benefit",
        }
    }

    /// The answers and days that are still needed, where these would be enough.
    pub fn lacks(&self) -> Option<Lacks> {
        match self {
            Self::RecentDisagreement(lacks) | Self::TooLittle(lacks) | Self::Undone(lacks) => {
                Some(*lacks)
            }
            _ => None,
        }
    }
}

impl Lacks {
    /// How many answers it takes: new days and sessions only come with answers.
    pub fn times(&self) -> u32 {
        self.answers.max(self.sessions).max(self.days)
    }
}

impl fmt::Display for Lacks {
    /// `3 more matching answers, on 2 more days, in 1 more session`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers = counted(
            self.times(),
            "more matching answer",
            "more matching answers",
        );
        write!(f, "{answers}")?;
        if self.days > 0 {
            write!(f, ", on {}", counted(self.days, "more day", "more days"))?;
        }
        if self.sessions > 0 {
            let sessions = counted(self.sessions, "more session", "more sessions");
            write!(f, ", in {sessions}")?;
        }
        if let Some(crowded) = self.crowded {
            write!(f, ": {crowded}")?;
        }
        Ok(())
    }
}

/// The words that a one-way act's `reason` was found in, for a person.
pub fn door_words(reason: &str) -> String {
    match reason.split_once(": ") {
        Some(("registry", rule)) => format!("your rule {rule}"),
        Some((_, found)) => found.to_owned(),
        None => format!("\"{reason}\""),
    }
}

/// The cost of a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongAnswer {
    /// The kind of the question.
    pub kind: QuestionKind,
    /// The time that noticing and undoing a wrong answer takes, in seconds of the person's time.
    pub seconds: f64,
}

// The kind of a question is a guess that is shown; the registry and `config.toml` have the last word.

/// Words of a header or an option behind which much is built.
const ARCHITECTURE: &str = "\
    architecture architectural framework database schema protocol backend storage stack \
    migration authentication auth api infrastructure hosting platform runtime dependency \
    library architektur datenbank arquitectura архитектура 架构 数据库";

/// Words that an option begins with which goes on, to the next thing or with this one, or stops.
const GO_ON: &str = "\
    next|continue|proceed|go on|go ahead|move on|move to|skip|done|finish|more|stay|stop|pause|\
    resume|later|not now|defer|start now|work on it|that's all|weiter|fortfahren|überspringen|\
    fertig|später|continuer|suivant|passer|terminer|continuar|siguiente|saltar|seguir|parar|\
    arrêter|anhalten|остановить|próximo|avanti|continua|дальше|продолжить|пропустить";

/// The same in scripts without spaces, where an option begins with them.
const GO_ON_UNSPACED: &[&str] = &[
    "继续", "下一", "跳过", "完成", "続け", "次へ", "次の", "스킵", "계속", "다음", "停止", "暂停",
    "중지",
];

/// Words of a header or an option that asks what belongs to a piece of work, or what it is called.
const SCOPE: &str = "\
    scope name naming title rename include exclude priority phase label umfang namen nombre \
    alcance nom название 范围 命名 名称";

/// The kind of the question `key`, as the registry says, or as header and options let guess.
///
/// Architecture comes first, as the dearest; then options of which two go on or stop; then scope and
/// names. Everything else is content. The text is not read: it names what is worked on, too.
pub(super) fn kind(
    registry: &Registry,
    key: &str,
    header: Option<&str>,
    options: &[String],
) -> QuestionKind {
    if let Some(kind) = registry.kind_of(key) {
        return kind;
    }
    let labels: Vec<String> = options
        .iter()
        .map(|label| strip_mark(label).0.to_lowercase())
        .collect();
    let texts = labels.iter().map(String::as_str).chain(header);
    let read: Vec<String> = texts.flat_map(words).collect();
    let holds = |list: &str| read.iter().any(|word| is_one(word, list));
    if holds(ARCHITECTURE) {
        return QuestionKind::Architecture;
    }
    if labels.iter().filter(|label| goes_on(label)).count() > 1 {
        return QuestionKind::GoOn;
    }
    if holds(SCOPE) {
        return QuestionKind::Scope;
    }
    QuestionKind::Content
}

fn goes_on(label: &str) -> bool {
    let begins = |start: &str| {
        let rest = label.strip_prefix(start);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    GO_ON.split('|').any(begins) || GO_ON_UNSPACED.iter().any(|start| label.starts_with(start))
}

/// True for a word of `list`, and for one that begins with an unspaced word of it.
fn is_one(word: &str, list: &str) -> bool {
    list.split(' ')
        .any(|one| one == word || (!one.is_ascii() && word.starts_with(one)))
}

/// The words of `text`, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let tokens = Reading::of(text).tokens.into_iter();
    tokens
        .filter(|token| token.kind == Kind::Word)
        .map(|token| token.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_from_header_options_and_registry() {
        let found = |header: &str, options: &[&str]| {
            let options: Vec<String> = options.iter().map(|&label| label.to_owned()).collect();
            kind(&Registry::default(), "a", Some(header), &options)
        };
        use QuestionKind::{Architecture, Content, GoOn, Scope};
        for (expected, header, options) in [
            (GoOn, "Next", ["More questions", "Next area (Recommended)"]),
            (GoOn, "Todo", ["Work on it now", "Defer"]),
            (GoOn, "下一步", ["继续", "停止"]),
            (Scope, "Scope", ["All pages", "Only this one"]),
            (Architecture, "Database", ["SQLite", "Postgres"]),
            (
                Architecture,
                "Storage",
                ["Next to the code", "Somewhere else"],
            ),
            (Content, "Style", ["Grid", "List"]),
            (Content, "Style", ["Nextcloud", "Skipper"]),
            (Content, "TODOs", ["Create it", "Skip"]),
        ] {
            assert_eq!(found(header, &options), expected, "{header}");
        }
        let registry =
            Registry::parse("[[question]]\nkey = \"a\"\nkind = \"architecture\"").unwrap();
        assert_eq!(kind(&registry, "a", None, &[]), Architecture);
        assert!(Registry::parse("[[question]]\nkey = \"a\"\nkind = \"dear\"").is_err());
    }

    #[test]
    fn what_is_missing_reads_as_a_sentence() {
        let lacks = |answers, sessions, days| Lacks {
            answers,
            sessions,
            days,
            crowded: None,
        };
        assert_eq!(
            lacks(3, 0, 2).to_string(),
            "3 more matching answers, on 2 more days"
        );
        assert_eq!(
            lacks(0, 1, 1).to_string(),
            "1 more matching answer, on 1 more day, in 1 more session"
        );
        let crowded = Some(Crowded {
            answers: 24,
            places: 2,
            are_days: true,
        });
        let close_together = Lacks {
            crowded,
            ..lacks(17, 0, 0)
        };
        assert_eq!(
            Reason::TooLittle(close_together).to_string(),
            "needs 17 more matching answers: 24 came on 2 days, which counts for less"
        );
        assert_eq!(
            Reason::RecentDisagreement(lacks(4, 0, 0)).to_string(),
            "a recent answer differed: needs 4 more matching answers"
        );
    }
}
