//! Questions as skills and commands have them written down, and how what varies in them is filled in.
//!
//! A line of a file of templates:
//! ```json
//! {"collection": "who publishes it", "question": "Plan for {topic} is in {path}. Next?", "header": "Next",
//!  "options": [{"label": "Work on it"}, {"label": "Push it", "description": "Pushes", "one_way": true}],
//!  "recurring": true, "lettered": false}
//! ```
//! `{topic}` and the other kinds of `filler` are filled in again each time. `one_way` is `true`, `false` (so it is
//! where it is missing) or `"arguable"`, which is chosen in no measurement. `recurring` is false for what is asked
//! once; `lettered` is for askers that write "A) …" and another paragraph before each question.

use serde::Deserialize;

use crate::chance::Chance;

/// The templates in the file at `path`.
pub(crate) fn read(path: &str) -> Vec<Template> {
    let text = std::fs::read_to_string(path);
    let text = text.unwrap_or_else(|error| panic!("the file of templates, {path:?}: {error}"));
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

/// A question that a skill asks, with `{kind}` where a model fills something in.
#[derive(Debug, Deserialize)]
pub(crate) struct Template {
    /// Who publishes it; the templates of one make up a person's questions.
    pub(crate) collection: String,
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) header: String,
    pub(crate) options: Vec<Choice>,
    /// False for a question that is asked once, when something is set up.
    #[serde(default = "yes")]
    pub(crate) recurring: bool,
    /// True if the asker letters its options and puts another paragraph before each question.
    #[serde(default)]
    pub(crate) lettered: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    pub(crate) label: String,
    #[serde(default)]
    pub(crate) description: String,
    /// Whether what it does is outward or final.
    #[serde(default)]
    pub(crate) one_way: Door,
}

/// The judgement of somebody who read the option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "serde_json::Value")]
pub(crate) enum Door {
    #[default]
    TwoWay,
    OneWay,
    /// Reasonable people differ: it is chosen in no measurement.
    Arguable,
}

impl TryFrom<serde_json::Value> for Door {
    type Error = String;

    fn try_from(value: serde_json::Value) -> Result<Self, String> {
        match &value {
            serde_json::Value::Bool(true) => Ok(Self::OneWay),
            serde_json::Value::Bool(false) => Ok(Self::TwoWay),
            serde_json::Value::String(text) if text == "arguable" => Ok(Self::Arguable),
            _ => Err(format!("one_way: {value}")),
        }
    }
}

fn yes() -> bool {
    true
}

impl Template {
    /// The places of the options that were said to be `door`.
    pub(crate) fn options_of(&self, door: Door) -> Vec<usize> {
        let of = |at: &usize| self.options.get(*at).is_some_and(|one| one.one_way == door);
        (0..self.options.len()).filter(of).collect()
    }
}

/// `label` without the mark of a recommended option at its end.
pub(crate) fn without_mark(label: &str) -> &str {
    let mark = label.to_lowercase().rfind("(recommended");
    let before = mark.and_then(|at| label.get(..at));
    before.unwrap_or(label).trim_end()
}

/// `text` with each `{kind}` filled.
pub(crate) fn fill(text: &str, chance: &mut Chance) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once('}')
            .and_then(|(kind, after)| Some((filler(kind, chance)?, after)))
        {
            Some((filler, after)) => filled.extend([filler.as_str(), after]),
            None => filled.extend(["{", part]),
        }
    }
    filled
}

/// A description as a model words it: its first clause, or with what it is about behind it.
pub(crate) fn reworded(description: &str, chance: &mut Chance) -> String {
    let mut clauses = description.split([',', ';', '—']);
    let first = clauses.next().unwrap_or_default().trim();
    match chance.happens(0.5) || first.is_empty() {
        true => first.to_owned(),
        false => format!("{first} ({})", fill("{topic}", chance)),
    }
}

/// A sentence that a model puts before a question.
pub(crate) fn sentence(chance: &mut Chance) -> &'static str {
    const ALL: [&str; 6] = [
        "The work on {topic} is in place.",
        "I looked at {path}.",
        "{number} of {number} tests pass.",
        "The notes on {topic} mention this.",
        "I went through {topic} as asked.",
        "This concerns {topic}.",
    ];
    ALL[chance.below(ALL.len())]
}

/// A paragraph that an asker with lettered options puts before a question.
pub(crate) fn paragraph(chance: &mut Chance) -> &'static str {
    const ALL: [&str; 6] = [
        "D{number} — {topic}\n\nProject/branch/task: shop, {branch}, {topic}. In plain words: {sentence}.",
        "We are on {branch} and working on {topic}. {number} of the checks are through, {sentence}.",
        "The review of {topic} is at section {number}. What it found: {sentence}.",
        "Context: {topic} was started on {date}. The plan in {path} has {number} steps, and {sentence}.",
        "D{number} — {topic}\n\nStakes if we pick wrong: an hour of work. Note that {sentence}.",
        "I have read {path} and {path}. About {topic}: {sentence}.",
    ];
    ALL[chance.below(ALL.len())]
}

// Fillers for the places of templates: as in real projects, with words of risk among the topics.

const TOPICS: [&str; 32] = [
    "login",
    "search",
    "the settings page",
    "dark mode",
    "payments",
    "invoice export",
    "token refresh",
    "user roles",
    "delete account flow",
    "release notes",
    "webhooks",
    "the publish pipeline",
    "caching",
    "pagination",
    "retries",
    "error messages",
    "the onboarding tour",
    "database schema",
    "file upload",
    "email templates",
    "rate limiting",
    "the import wizard",
    "session handling",
    "charts",
    "localization",
    "the plugin API",
    "audit log",
    "backups",
    "push notifications",
    "test fixtures",
    "logging",
    "access control",
];
const SENTENCES: [&str; 12] = [
    "the retry loop has no upper bound",
    "two helpers do the same",
    "the old table is still read in one place",
    "nothing tests what happens on a timeout",
    "a token is logged in plain text",
    "the name says something else than the code does",
    "users could delete what others still need",
    "the query runs once for each row",
    "the spec leaves open who may publish",
    "the page is slow with many items",
    "an error is swallowed",
    "the migration has no way back",
];
const TOOLS: [&str; 10] = [
    "vitest",
    "Postgres",
    "Tailwind",
    "Redis",
    "pytest",
    "SQLite",
    "Playwright",
    "esbuild",
    "Codex",
    "FastAPI",
];
const WORDS: [&str; 12] = [
    "auth", "search", "billing", "cache", "export", "profile", "orders", "inbox", "report",
    "theme", "queue", "roles",
];

/// A filler of `kind`; `None` for a kind that is not known.
fn filler(kind: &str, chance: &mut Chance) -> Option<String> {
    let word = WORDS[chance.below(WORDS.len())];
    let number = 1 + chance.below(40);
    Some(match kind {
        "number" => number.to_string(),
        "phase" => (1 + chance.below(9)).to_string(),
        "topic" => TOPICS[chance.below(TOPICS.len())].to_owned(),
        "sentence" => SENTENCES[chance.below(SENTENCES.len())].to_owned(),
        "tool" => TOOLS[chance.below(TOOLS.len())].to_owned(),
        "path" => {
            let folder = ["docs/plans", "src", "specs", "docs"][chance.below(4)];
            let ending = ["md", "ts", "md", "md"][chance.below(4)];
            format!("{folder}/{word}.{ending}")
        }
        "file" => format!("{word}.{}", ["md", "ts", "py", "json"][chance.below(4)]),
        "list" => format!("{word}, {}", WORDS[chance.below(WORDS.len())]),
        "id" => match chance.below(2) {
            0 => format!("US-{number:04}"),
            _ => format!("#{number}"),
        },
        "branch" => format!("{}/{word}", ["feat", "fix", "feature"][chance.below(3)]),
        "version" => format!("{}.{}.0", 1 + chance.below(3), chance.below(12)),
        "date" => format!(
            "2026-{:02}-{:02}",
            1 + chance.below(12),
            1 + chance.below(28)
        ),
        _ => return None,
    })
}
