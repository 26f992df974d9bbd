//! What a call is about, judged anew by the tables of this version: what was logged may be years old.

use plantune_domain::permissions::{Described, Tier, describe};
use serde_json::{Map, Value};

/// A longer input may have been cut when it was logged, in bytes; what is not whole is not understood.
const MAYBE_CUT: usize = 2040;

/// A call, judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) subject: String,
    pub(crate) tier: Tier,
    /// Of a shell command its parts; empty where it is not understood, and of every other tool.
    pub(crate) parts: Vec<Part>,
}

/// One simple command of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// As it stands in the line, without redirections.
    pub(crate) text: String,
    /// Program and arguments.
    pub(crate) words: Vec<String>,
    /// What makes two of them the same.
    pub(crate) subject: String,
    pub(crate) tier: Tier,
    /// The host runs it without asking, so no rule is needed for it.
    pub(crate) unasked: bool,
}

/// What a call of `tool` in the folder `cwd` is about, by its logged `input`.
pub(crate) fn judge(tool: &str, input: &str, cwd: &str) -> Call {
    let Described { subject, tier, .. } = describe(tool, &value(tool, input), cwd);
    let parts = match tool == "Bash" && input.len() < MAYBE_CUT {
        true => parts(input, &subject, tier),
        false => Vec::new(),
    };
    Call {
        subject,
        tier,
        parts,
    }
}

fn parts(line: &str, subject: &str, tier: Tier) -> Vec<Part> {
    let text = line.trim();
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    vec![Part {
        text: text.to_owned(),
        words,
        subject: subject.to_owned(),
        tier,
        unasked: false,
    }]
}

/// True where nothing that could be written behind `words` raises the tier.
pub(crate) fn prefix_is_safe(_words: &[String]) -> bool {
    false
}

/// The input of `tool`, as far as it was logged.
fn value(tool: &str, input: &str) -> Value {
    let field = match tool {
        "Bash" => "command",
        "Read" | "Edit" | "Write" | "MultiEdit" => "file_path",
        "NotebookEdit" => "notebook_path",
        "WebFetch" => "url",
        "WebSearch" => "query",
        _ => return Value::Object(Map::new()),
    };
    let mut fields = Map::new();
    fields.insert(field.to_owned(), Value::from(input));
    Value::Object(fields)
}
