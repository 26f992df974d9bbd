//! What stands in the places of templates: as in real projects, with words of risk among the topics.

use crate::chance::Chance;

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

/// Something of `kind`; `None` for a kind that is not known.
pub(crate) fn filler(kind: &str, chance: &mut Chance) -> Option<String> {
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
