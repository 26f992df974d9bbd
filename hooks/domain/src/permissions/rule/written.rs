//! A rule as it is written.

use std::fmt;

/// A permission rule of the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The tool that it is about.
    pub tool: String,
    /// Which of its calls; all of them without it.
    pub content: Option<String>,
}

impl Rule {
    /// The rule that `text` is; `None` for what is none.
    pub fn parse(text: &str) -> Option<Self> {
        let Some((tool, rest)) = text.split_once('(') else {
            return is_tool(text).then(|| Self {
                tool: text.to_owned(),
                content: None,
            });
        };
        let content = rest.strip_suffix(')')?;
        (is_tool(tool) && !content.is_empty()).then(|| Self {
            tool: tool.to_owned(),
            content: Some(content.to_owned()),
        })
    }
}

fn is_tool(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.*".contains(c);
    !name.is_empty() && name.chars().all(is_part)
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.content {
            Some(content) => write!(f, "{}({content})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}
