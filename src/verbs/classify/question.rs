//! `plantune classify --question`: which rule holds a question back, if any does.

use std::fmt::Write as _;

use clap::Args;
use plantune_domain::commitment::{Act, Commitment};
use plantune_domain::consent;
use plantune_domain::doors::Door;
use plantune_domain::keys::{is_split, take_marker};
use plantune_domain::registry::{Registry, Rule};
use plantune_reports::text::one_line;

/// How much of a category or word is shown, in characters.
const SHOWN: usize = 80;

/// The question, as the hook would see it.
#[derive(Args, Debug)]
pub(super) struct QuestionArguments {
    /// Say whether a question with this text may be answered, and what decides that
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["command", "stdin", "tool"])]
    question: Option<String>,
    /// Its header
    #[arg(long, value_name = "TEXT", requires = "question")]
    header: Option<String>,
    /// The option that would be chosen
    #[arg(long, value_name = "LABEL", requires = "question")]
    option: Option<String>,
    /// What that option is described with
    #[arg(long, value_name = "TEXT", requires = "option")]
    description: Option<String>,
    /// Its preview
    #[arg(long, value_name = "TEXT", requires = "option")]
    preview: Option<String>,
}

/// What the chosen option commits to, and which rule makes it one-way, if any does; and what the registry says of
/// the question. `None` where no question is asked about.
pub(super) fn explained(asked: &QuestionArguments, registry: &Registry) -> Option<String> {
    let (header, option) = (asked.header.as_deref(), asked.option.as_deref());
    let (marker, text) = take_marker(asked.question.as_deref()?);
    let labels: Vec<String> = option.map(str::to_owned).into_iter().collect();
    let named = registry.rule_of(&text, header, &labels);
    let key = marker.as_deref().or(named.map(|rule| rule.key.as_str()));
    let mut output = String::new();
    if let Some(rule) = registry.one_way_rule(key.unwrap_or_default(), &text, header, &labels) {
        output.push_str(&format!(
            "one-way: rule {} of registry.toml{}\n",
            rule.key,
            category(rule)
        ));
    } else if key.is_some_and(is_split) {
        output.push_str("always asked: options of a split question are\n");
    }
    let act = Act::of(
        key.unwrap_or_default(),
        &text,
        header.unwrap_or_default(),
        option,
        asked.description.as_deref().unwrap_or_default(),
        asked.preview.as_deref().unwrap_or_default(),
    );
    if let Some(reason) = consent::reason(&act) {
        // Writing to a string cannot fail.
        let _ = writeln!(output, "one-way: {}", one_line(&reason, SHOWN));
    }
    let commitment = option.map(|label| (label, in_words(act.commitment)));
    if output.is_empty() {
        output.push_str("two-way: no door rule matches\n");
        if let Some(rule) = named {
            let door = rule.door.unwrap_or(Door::TwoWay);
            let _ = writeln!(
                output,
                "  named by rule {} of registry.toml ({door}{})",
                rule.key,
                category(rule)
            );
        }
    }
    if let Some((label, commitment)) = commitment {
        let label = one_line(label, SHOWN);
        let _ = writeln!(output, "  \"{label}\" {commitment}");
    }
    Some(output)
}

/// What an option commits to, in words.
fn in_words(commitment: Commitment) -> &'static str {
    match commitment {
        Commitment::LeavesThings => "leaves things as they are, so what is asked does not count",
        Commitment::OwnAct => "names its own act, so what is asked does not count",
        Commitment::Value => "is a value for what is asked",
        Commitment::NamesProposal => "names what the question proposes, and all of that counts",
        Commitment::RefersToQuestion => {
            "stands for what the question proposes, so all of that counts"
        }
    }
}

fn category(rule: &Rule) -> String {
    rule.category
        .as_deref()
        .map_or_else(String::new, |category| {
            format!(", category {}", one_line(category, SHOWN))
        })
}
