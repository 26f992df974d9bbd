//! Why Claude Code asks although a rule seems to cover the call: "I said don't ask again, and it asks again".
//!
//! The rules are those of today, and the prompt may be older. So a rule that is known to be younger than the prompt is left
//! out. Where a rule covers the whole line, and neither mode nor path explains the prompt, all that can be said is that the
//! rule may be younger.

use plantune_domain::permissions::{
    OUTSIDE, OwnReaches, Reach, Rule, SimpleCommand, covers_part, exact_rule, goes_elsewhere,
    is_never_asked, parts, value,
};
use serde::Serialize;

use super::DecidedPrompt;
use super::rules::{Behaviour, KnownRule};

/// Why a rule that seems to cover a call does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NearMiss {
    /// The rule that seems to cover it, or that asks all the same.
    pub rule: String,
    /// The settings file that holds it, as it may be shown.
    pub file: String,
    /// The cause.
    pub cause: NearMissCause,
    /// The same in a sentence.
    pub why: String,
    /// The rules beside it that would cover the call; none if no rule would, or none is proposed.
    pub rules: Vec<String>,
}

/// Why a rule does not cover a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NearMissCause {
    /// Another rule asks about the call, or denies it.
    StopRule,
    /// The rule is for another project.
    OtherFolder,
    /// The permission mode sets the rule aside.
    Mode,
    /// Claude Code cannot read the line before it runs.
    NotUnderstood,
    /// The output goes to a file.
    Redirection,
    /// It is git in another folder.
    GitBehindCd,
    /// Another command of the line has no rule.
    Compound,
    /// The command goes on in the middle of a word.
    WordBoundary,
    /// Something stands before the words of the rule.
    StandsBefore,
    /// The rule is for exactly its words.
    OtherWords,
    /// It is about a path outside the project.
    OutsidePath,
    /// No cause is known.
    Unknown,
}

/// Why `prompt` came, or would come today, although a rule of `known` seems to cover it; `None` if no rule seems to.
pub fn near_miss(
    prompt: &DecidedPrompt,
    known: &[KnownRule],
    own: &OwnReaches,
) -> Option<NearMiss> {
    let (tool, input) = (prompt.tool_name.as_str(), prompt.input.as_str());
    let fields = value(tool, input);
    let was_there = |one: &&KnownRule| one.since.is_none_or(|since| since <= prompt.at);
    let is_here = |one: &&KnownRule| one.holds_in(&prompt.root) && was_there(one);
    let is_stop = |one: &&KnownRule| one.behaviour == Behaviour::Stop;
    let mut stops = known.iter().filter(is_here).filter(is_stop);
    if let Some(stop) = stops.find(|one| one.rule.allows(tool, &fields, &prompt.root)) {
        let why = "this rule asks about it or denies it, even if another one allows it";
        return Some(NearMiss::of(stop, NearMissCause::StopRule, why));
    }
    let seems = |one: &&KnownRule| {
        one.behaviour == Behaviour::Allow
            && match tool {
                "Bash" => one.rule.tool == "Bash" && seems_to(&one.rule, input, prompt, own),
                _ => one
                    .rule
                    .matches(tool, &fields, one.root.as_deref().unwrap_or(&prompt.root)),
            }
    };
    let here: Vec<&KnownRule> = known.iter().filter(is_here).filter(seems).collect();
    let Some(first) = here.first() else {
        let there = known.iter().filter(was_there).find(seems)?;
        return Some(NearMiss {
            rules: vec![there.rule.to_string()],
            ..NearMiss::of(
                there,
                NearMissCause::OtherFolder,
                "this rule is for another project",
            )
        });
    };
    match tool {
        "Bash" => of_line(first, &here, prompt, own),
        _ => None,
    }
}

impl NearMiss {
    fn of(one: &KnownRule, cause: NearMissCause, why: impl Into<String>) -> Self {
        Self {
            rule: one.rule.to_string(),
            file: one.file.clone(),
            cause,
            why: why.into(),
            rules: Vec::new(),
        }
    }
}

/// The same reason, and the number of its prompts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountedNearMiss {
    /// The reason.
    #[serde(flatten)]
    pub although: NearMiss,
    /// How many prompts it is of.
    pub prompts: usize,
}

/// Why those of `prompts` came that a rule seems to cover, the most frequent reason first. Rules of other projects are
/// left out.
pub fn near_misses<'p>(
    prompts: impl IntoIterator<Item = &'p DecidedPrompt>,
    known: &[KnownRule],
    own: &OwnReaches,
) -> Vec<CountedNearMiss> {
    let mut reasons: Vec<CountedNearMiss> = Vec::new();
    for found in prompts
        .into_iter()
        .filter_map(|prompt| near_miss(prompt, known, own))
        .filter(|found| found.cause != NearMissCause::OtherFolder)
    {
        match reasons.iter_mut().find(|one| one.although == found) {
            Some(one) => one.prompts += 1,
            None => reasons.push(CountedNearMiss {
                although: found,
                prompts: 1,
            }),
        }
    }
    reasons.sort_by_key(|one| std::cmp::Reverse(one.prompts));
    reasons
}

/// Why the rules `here`, of which `first` is one, and each of which seems to cover the line or a part of it, do not.
fn of_line(
    first: &KnownRule,
    here: &[&KnownRule],
    prompt: &DecidedPrompt,
    own: &OwnReaches,
) -> Option<NearMiss> {
    let found = |cause, why: &str| Some(NearMiss::of(first, cause, why));
    let Some(parts) = parts(&prompt.input, &prompt.cwd, own) else {
        let why = "Claude Code always asks about what it cannot read before it runs: a variable, a substitution, a loop, a \
                   here-document";
        return found(NearMissCause::NotUnderstood, why);
    };
    if parts.iter().any(|part| part.writes_file) {
        let why = "its output goes to a file, which Claude Code checks by its rules for Edit, not by those for Bash";
        return found(NearMissCause::Redirection, why);
    }
    let is_git = |part: &SimpleCommand| part.words.first().is_some_and(|word| word == "git");
    if goes_elsewhere(&parts, &prompt.cwd) && parts.iter().any(is_git) {
        let why = "Claude Code always asks about git in another folder";
        return found(NearMissCause::GitBehindCd, why);
    }
    let covers = |part: &SimpleCommand| {
        here.iter().any(|one| {
            let content = one.rule.content.as_deref();
            content.is_none_or(|content| covers_part(content, part))
        })
    };
    let needs = |part: &&SimpleCommand| !part.is_aside && !is_never_asked(part);
    let left: Vec<_> = parts
        .iter()
        .filter(needs)
        .filter(|part| !covers(part))
        .collect();
    let Some(part) = left.first() else {
        let is_set_aside = here.iter().all(|one| is_broad(&one.rule));
        let outside = parts.iter().find(|part| part.reason.ends_with(OUTSIDE));
        return match (prompt.permission_mode.as_deref(), outside) {
            (Some("auto"), _) if is_set_aside => {
                let why =
                    "auto mode sets aside rules that allow any program, and its classifier decides";
                found(NearMissCause::Mode, why)
            }
            (_, Some(part)) => {
                let path = part.reason.split(": ").next().unwrap_or_default();
                let why = format!(
                    "`{path}` lies outside the project, and Claude Code asks about that whatever its rules say"
                );
                found(NearMissCause::OutsidePath, &why)
            }
            _ => found(
                NearMissCause::Unknown,
                "it covers the whole line as far as is known: it may be younger than the prompt, or Claude Code reads the \
                 line in another way",
            ),
        };
    };
    let mut found = match parts.iter().any(covers) {
        true => {
            let text = part.text();
            let why = format!("every command of a line needs a rule, and `{text}` has none");
            NearMiss::of(first, NearMissCause::Compound, why)
        }
        false => of_part(first, here, part),
    };
    let rules = left.iter().filter_map(|part| exact_rule(part));
    found.rules = rules.map(|rule| rule.to_string()).collect();
    if let Some(far) = left.iter().find(|part| part.reach == Reach::Beyond) {
        found.why += &format!(
            "; none is proposed for `{}`, which reaches beyond the project",
            far.text()
        );
    }
    Some(found)
}

/// Why none of the rules `here`, of which `first` is one, covers the one command `part`.
fn of_part(first: &KnownRule, here: &[&KnownRule], part: &SimpleCommand) -> NearMiss {
    let (rule, text) = (&first.rule, part.text());
    let mut contents = here.iter().filter_map(|one| one.rule.content.as_deref());
    let begins = |content: &str| text.starts_with(fixed(content));
    let (cause, why) = match contents.find(|content| begins(content)) {
        Some(content) => match text.get(fixed(content).len()..) {
            Some(rest) if !rest.starts_with(' ') => (
                NearMissCause::WordBoundary,
                format!("{rule} covers whole words, and `{text}` goes on in the middle of one"),
            ),
            _ => (
                NearMissCause::OtherWords,
                format!("{rule} is for exactly these words, and `{text}` has more"),
            ),
        },
        None => (
            NearMissCause::StandsBefore,
            format!(
                "{rule} is for a command that begins with its words, and in `{text}` something stands before them"
            ),
        ),
    };
    NearMiss::of(first, cause, why)
}

/// True if a person would say that `rule` is about `line`: its words begin it, or one of its commands.
fn seems_to(rule: &Rule, line: &str, prompt: &DecidedPrompt, own: &OwnReaches) -> bool {
    let Some(words) = rule
        .content
        .as_deref()
        .map(fixed)
        .filter(|words| !words.is_empty())
    else {
        return true;
    };
    let begins = |part: &SimpleCommand| {
        (0..part.fixed.max(1)).any(|start| {
            let rest = part.words.get(start..).unwrap_or_default();
            rest.join(" ").starts_with(words)
        })
    };
    let parts = parts(line, &prompt.cwd, own).unwrap_or_default();
    line.trim_start().starts_with(words) || parts.iter().any(begins)
}

/// The words of a rule before its star.
fn fixed(content: &str) -> &str {
    let end = content.find('*').unwrap_or(content.len());
    content
        .get(..end)
        .unwrap_or_default()
        .trim_end_matches([' ', ':'])
}

/// True for a rule that allows any command, an interpreter or any script: auto mode was seen to set those aside.
fn is_broad(rule: &Rule) -> bool {
    rule.content.as_deref().is_none_or(|content| {
        let words = fixed(content);
        content.contains('*')
            && ["", "python", "python3", "node", "bash", "sh", "npm run"].contains(&words)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::prompt;
    use super::*;

    fn known(rule: &str, behaviour: Behaviour, root: Option<&str>) -> KnownRule {
        KnownRule {
            rule: Rule::parse(rule).unwrap(),
            behaviour,
            root: root.map(str::to_owned),
            file: "~/.claude/settings.json".to_owned(),
            since: None,
        }
    }

    fn of(rule: &str, tool: &str, input: &str) -> Option<(NearMissCause, Vec<String>)> {
        let known = [known(rule, Behaviour::Allow, None)];
        let found = near_miss(&prompt(tool, input, 1), &known, &OwnReaches::default());
        found.map(|one| (one.cause, one.rules))
    }

    #[test]
    fn what_keeps_a_rule_from_covering() {
        for (rule, line, cause, rules) in [
            (
                "Bash(npm test *)",
                "npm test > out.txt",
                NearMissCause::Redirection,
                &[][..],
            ),
            (
                "Bash(npm test *)",
                "npm test $(cat x)",
                NearMissCause::NotUnderstood,
                &[],
            ),
            (
                "Bash(npm test *)",
                "cd src && npm test && git add a",
                NearMissCause::GitBehindCd,
                &[],
            ),
            (
                "Bash(npm test *)",
                "npm test && npm run lint",
                NearMissCause::Compound,
                &["Bash(npm run lint)"],
            ),
            (
                "Bash(npm test *)",
                "npm test && git push",
                NearMissCause::Compound,
                &[],
            ),
            (
                "Bash(git log *)",
                "git push && git log -1",
                NearMissCause::Compound,
                &[],
            ),
            (
                "Bash(npm test)",
                "npm test --watch",
                NearMissCause::OtherWords,
                &["Bash(npm test --watch)"],
            ),
            (
                "Bash(npm run test *)",
                "npm run test:unit",
                NearMissCause::WordBoundary,
                &["Bash(npm run test:unit)"],
            ),
            (
                "Bash(npm test *)",
                "DEBUG=1 npm test",
                NearMissCause::StandsBefore,
                &["Bash(DEBUG=1 npm test)"],
            ),
        ] {
            let (found, instead) = of(rule, "Bash", line).unwrap();
            assert_eq!(
                (found, instead),
                (cause, rules.iter().map(|rule| (*rule).to_owned()).collect()),
                "{line}"
            );
        }
    }

    #[test]
    fn a_rule_that_covers_the_line() {
        for (rule, line, cause) in [
            (
                "Bash(ls *)",
                "ls -la ~/.claude/",
                NearMissCause::OutsidePath,
            ),
            (
                "Bash(npm test *)",
                "npm test --watch | tail -5",
                NearMissCause::Unknown,
            ),
            ("Bash", "npm test", NearMissCause::Unknown),
        ] {
            assert_eq!(of(rule, "Bash", line), Some((cause, Vec::new())), "{line}");
        }
    }

    #[test]
    fn nothing_is_said_of_what_a_rule_covers_or_none_is_about() {
        for (rule, tool, input) in [
            ("Bash(npm test *)", "Bash", "cargo test"),
            ("Edit(/src/**)", "Edit", "/home/dev/shop/src/a.rs"),
            ("Edit(/src/**)", "Edit", "/home/dev/shop/lib/a.rs"),
        ] {
            assert_eq!(of(rule, tool, input), None, "{rule} {input}");
        }
    }

    #[test]
    fn other_folders_stopping_rules_and_modes() {
        let own = OwnReaches::default();
        let tests = prompt("Bash", "npm test", 1);
        let cause = |prompt: &DecidedPrompt, known: &[KnownRule]| {
            near_miss(prompt, known, &own).map(|one| (one.cause, one.rules))
        };
        let there = known("Bash(npm test)", Behaviour::Allow, Some("/home/dev/site"));
        let one = vec!["Bash(npm test)".to_owned()];
        let there = std::slice::from_ref(&there);
        assert_eq!(
            cause(&tests, there),
            Some((NearMissCause::OtherFolder, one))
        );
        assert_eq!(near_misses([&tests], there, &own), []);
        let ask = known("Bash(npm *)", Behaviour::Stop, None);
        let allow = known("Bash(npm test)", Behaviour::Allow, None);
        assert_eq!(
            cause(&tests, &[allow, ask]),
            Some((NearMissCause::StopRule, Vec::new()))
        );
        let auto = DecidedPrompt {
            permission_mode: Some("auto".to_owned()),
            ..prompt("Bash", "npm run lint", 1)
        };
        // A rule is not to blame for what came before it was there.
        let at = |days: i64| KnownRule {
            since: Some(tests.at + chrono::TimeDelta::days(days)),
            ..known("Bash(npm *)", Behaviour::Stop, None)
        };
        assert_eq!(cause(&tests, &[at(1)]), None);
        assert!(cause(&tests, &[at(-1)]).is_some());
        let set_aside = |rule| cause(&auto, &[known(rule, Behaviour::Allow, None)]);
        assert_eq!(
            set_aside("Bash(npm run *)"),
            Some((NearMissCause::Mode, Vec::new()))
        );
        assert_eq!(
            set_aside("Bash(npm run lint *)"),
            Some((NearMissCause::Unknown, Vec::new()))
        );
    }
}
