//! Rules of the person that could go: those that others cover, that stand twice, that name a folder that is gone, that
//! hold a secret, or whose words hardly come again.

use std::borrow::Cow;

use plantune_domain::permissions::{Rule, covers_command};
use plantune_domain::secrets::masked;
use serde::Serialize;
use serde_json::{Value, json};

use super::rules::{Behaviour, KnownRule};

/// Why a rule could go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TidyReason {
    /// It stands twice in its file.
    Doubled,
    /// Another rule allows all that it does.
    Covered,
    /// It names a folder that is not there.
    Gone,
    /// It holds a secret.
    Secret,
    /// Its words hardly come again.
    Once,
}

impl TidyReason {
    /// All reasons, those whose rules change nothing by going first.
    pub const ALL: [Self; 5] = [
        Self::Doubled,
        Self::Covered,
        Self::Gone,
        Self::Secret,
        Self::Once,
    ];

    /// True if the agent asks about nothing more when such a rule goes.
    pub fn changes_nothing(self) -> bool {
        self <= Self::Gone
    }

    /// What taking out such a rule changes, in a sentence or two.
    pub fn change(self) -> &'static str {
        match self {
            Self::Doubled => "Nothing changes: it stands twice, and one stays.",
            Self::Covered => "Nothing changes: another rule covers it.",
            Self::Gone => "Nothing changes today: it is for a folder that is not there.",
            Self::Secret => {
                "Claude Code asks again. Anybody who reads the file gets the secret, and its backup keeps it, so replace \
                 the secret where it is used."
            }
            Self::Once => {
                "Claude Code asks if these very words come again, which hardly happens: parts of loops, messages of \
                 commits, long lines."
            }
        }
    }
}

/// A rule that could go. Serialised, it is an entry of `tidy` in `suggest --tidy --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UntidyRule {
    /// The rule as it may be shown, with secrets masked.
    #[serde(rename = "rule")]
    pub shown: String,
    /// The rule as it stands in the file.
    #[serde(skip)]
    pub rule: String,
    /// Why it could go.
    pub reason: TidyReason,
    /// The settings file that holds it, as it may be shown.
    pub file: String,
    /// The rule that covers it, or the folder that is gone.
    pub because_of: Option<String>,
    /// What taking it out changes ([`TidyReason::change`]).
    pub change: &'static str,
}

/// Those of the rules `known` that could go, by their reasons; `is_folder` says whether a path, which may begin with `~`,
/// is a folder today. Files that are not `ours` (shared with others) keep their rules, which still cover others.
pub fn untidy(
    known: &[KnownRule],
    ours: &dyn Fn(&KnownRule) -> bool,
    is_folder: &dyn Fn(&str) -> bool,
) -> Vec<UntidyRule> {
    let allowing = known.iter().filter(|one| one.behaviour == Behaviour::Allow);
    let mut kept: Vec<Option<&KnownRule>> = allowing.map(Some).collect();
    let mut found = Vec::new();
    for at in 0..kept.len() {
        let Some(one) = kept.get(at).copied().flatten().filter(|one| ours(one)) else {
            continue;
        };
        let others = kept.iter().enumerate().filter(|(place, _)| *place != at);
        let others = others.filter_map(|(_, other)| *other);
        let Some(untidy) = judged(one, others, is_folder) else {
            continue;
        };
        // One that goes covers no other.
        if let Some(place) = kept.get_mut(at) {
            *place = None;
        }
        found.push(untidy);
    }
    found.sort_by(|one, other| (one.reason, &one.file).cmp(&(other.reason, &other.file)));
    found
}

fn judged<'k>(
    one: &KnownRule,
    others: impl Iterator<Item = &'k KnownRule> + Clone,
    is_folder: &dyn Fn(&str) -> bool,
) -> Option<UntidyRule> {
    let rule = one.rule.to_string();
    let shown = masked(&rule);
    let mut twice = others.clone().filter(|other| {
        let is_here = other.file == one.file && other.root == one.root;
        is_here && other.rule == one.rule
    });
    let mut covering = others.filter(|other| {
        let holds_here = other.root.is_none() || other.root == one.root;
        holds_here && covers(&other.rule, &one.rule)
    });
    let (reason, because_of) = if let Cow::Owned(_) = shown {
        (TidyReason::Secret, None)
    } else if twice.next().is_some() {
        (TidyReason::Doubled, None)
    } else if let Some(other) = covering.next() {
        let by = masked(&other.rule.to_string()).into_owned();
        (TidyReason::Covered, Some(by))
    } else if let Some(folder) = gone(&one.rule, is_folder) {
        (TidyReason::Gone, Some(folder))
    } else if is_once(&one.rule) {
        (TidyReason::Once, None)
    } else {
        return None;
    };
    Some(UntidyRule {
        shown: shown.into_owned(),
        rule,
        reason,
        file: one.file.clone(),
        because_of,
        change: reason.change(),
    })
}

/// True if `wide` allows all that `narrow` does. A rule for any command at all is not counted: whoever makes it narrower
/// will want the others.
fn covers(wide: &Rule, narrow: &Rule) -> bool {
    let (Some(all), Some(some)) = (wide.content.as_deref(), narrow.content.as_deref()) else {
        let is_server = narrow.content.is_none() && wide.content.is_none() && wide != narrow;
        return is_server && wide.matches(&narrow.tool, &Value::Null, "/");
    };
    if wide.tool != narrow.tool {
        return false;
    }
    match narrow.tool.as_str() {
        "Bash" => {
            let all = all
                .strip_suffix(":*")
                .map_or(Cow::Borrowed(all), |all| format!("{all} *").into());
            let some = some
                .strip_suffix(":*")
                .map_or(Cow::Borrowed(some), |some| format!("{some} *").into());
            // What stands for anything in the narrower rule is matched by what stands for anything in the wider one.
            let bare = some.strip_suffix(" *").unwrap_or(&some);
            let is_any = all.trim_start_matches('*').trim().is_empty();
            let is_one = !some.contains(['&', '|', ';', '\n', '$', '`', '<', '>']);
            !is_any && is_one && covers_command(&all, &some) && covers_command(&all, bare)
        }
        "Edit" | "Read" if !some.contains(['*', '?', '[', '!']) => {
            let is_same_place = all.starts_with('/') == some.starts_with('/');
            let path = json!({ "file_path": some.trim_start_matches('/') });
            is_same_place
                && !some.starts_with(['~', '.'])
                && !some.starts_with("//")
                && !all.starts_with("//")
                && wide.matches(&narrow.tool, &path, "/project")
        }
        _ => all == some,
    }
}

/// The folder that `rule` names and that is not there.
fn gone(rule: &Rule, is_folder: &dyn Fn(&str) -> bool) -> Option<String> {
    let content = rule.content.as_deref()?;
    let first_word = |text: &'_ str| text.split([' ', ':']).next().map(str::to_owned);
    let folder = match rule.tool.as_str() {
        // `//` stands for the root, and `/` for the project.
        "Edit" | "Read" | "Write" => {
            let path = content
                .strip_prefix('/')
                .filter(|path| path.starts_with('/'));
            above(path.unwrap_or(content))
        }
        "Bash" => match content.strip_prefix("cd ") {
            Some(rest) => first_word(rest)?,
            None => above(&first_word(content)?),
        },
        _ => return None,
    };
    let is_whole = folder.starts_with("~/") || folder.len() > 1 && folder.starts_with('/');
    let is_of_project =
        rule.tool != "Bash" && content.starts_with('/') && !content.starts_with("//");
    (is_whole && !is_of_project && !is_folder(&folder)).then_some(folder)
}

/// The folder that the file at `path` lies in, up to the first part that stands for several names; the file itself may be
/// new.
fn above(path: &str) -> String {
    let fixed = path.split(['*', '?', '[']).next().unwrap_or_default();
    let folder = fixed.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.to_owned()
}

/// Words of the shell that mean nothing alone. The dialog makes rules of them from lines with loops and conditions.
const KEYWORDS: [&str; 10] = [
    "do", "done", "then", "else", "elif", "fi", "esac", "for", "while", "until",
];

/// The longest command that a person would call one that comes again, in bytes.
const LONGEST: usize = 200;

/// True for a rule without a star whose words hardly come again: a part of a loop, several lines, a message of a commit, or
/// what is longer than anybody types.
fn is_once(rule: &Rule) -> bool {
    let content = rule.content.as_deref().unwrap_or_default();
    if rule.tool != "Bash" || content.contains('*') {
        return false;
    }
    let mut words = content.split_ascii_whitespace();
    let is_part = words.next().is_some_and(|word| KEYWORDS.contains(&word));
    let is_commit = content.starts_with("git commit ") && content.contains(" -m ");
    is_part
        || is_commit
        || content.len() > LONGEST
        || content.contains('\n')
        || content.contains("<<")
        || content.contains("$(")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str, file: &str, root: Option<&str>) -> KnownRule {
        KnownRule {
            rule: Rule::parse(text).unwrap(),
            behaviour: Behaviour::Allow,
            root: root.map(str::to_owned),
            file: file.to_owned(),
            since: None,
        }
    }

    fn found(known: &[KnownRule]) -> Vec<(TidyReason, String, Option<String>)> {
        let is_folder =
            |path: &str| matches!(path, "/home/dev" | "/home/dev/shop" | "~/shop" | "/usr/bin");
        let ours = |one: &KnownRule| one.file != "team";
        let found = untidy(known, &ours, &is_folder).into_iter();
        found
            .map(|one| (one.reason, one.shown, one.because_of))
            .collect()
    }

    fn of_user(texts: &[&str]) -> Vec<(TidyReason, String, Option<String>)> {
        let known: Vec<KnownRule> = texts.iter().map(|text| rule(text, "user", None)).collect();
        found(&known)
    }

    #[test]
    fn what_others_cover_goes_and_what_covers_stays() {
        for (narrow, wide) in [
            ("Bash(npm run test)", "Bash(npm run *)"),
            ("Bash(npm run test:unit)", "Bash(npm run:*)"),
            ("Bash(npm run test *)", "Bash(npm run *)"),
            ("Bash(npm run:*)", "Bash(npm *)"),
            ("Bash(gh pr view)", "Bash(gh pr view *)"),
            ("Edit(/src/a.ts)", "Edit(/src/**)"),
            ("Read(/src/a.ts)", "Read(/src/**)"),
            ("mcp__tracker__list_issues", "mcp__tracker"),
        ] {
            let expected = (
                TidyReason::Covered,
                narrow.to_owned(),
                Some(wide.to_owned()),
            );
            let expected = [expected];
            assert_eq!(of_user(&[narrow, wide]), expected);
            assert_eq!(of_user(&[wide, narrow]), expected);
        }
        for apart in [
            ["Bash(npm run test)", "Bash(npm run lint *)"],
            ["Bash(npm tests)", "Bash(npm test *)"],
            ["Bash(npm test && git push)", "Bash(npm test *)"],
            ["Bash(npm test)", "Bash(*)"],
            ["Edit(/lib/a.ts)", "Edit(/src/**)"],
            ["Edit(/src/**)", "Edit(/src/a/**)"],
            ["WebFetch(domain:a.example)", "WebFetch(domain:b.example)"],
            ["Read(/src/a.ts)", "Edit(/src/**)"],
        ] {
            assert_eq!(of_user(&apart), [], "{apart:?}");
        }
    }

    #[test]
    fn a_rule_covers_where_it_holds() {
        let local = rule("Bash(npm test)", "local", Some("/p"));
        let own = rule("Bash(npm test *)", "user", None);
        let team = rule("Bash(npm test *)", "team", Some("/p"));
        let other = rule("Bash(npm test *)", "other", Some("/q"));
        let covered = [(
            TidyReason::Covered,
            "Bash(npm test)".to_owned(),
            Some("Bash(npm test *)".to_owned()),
        )];
        assert_eq!(found(&[own.clone(), local.clone()]), covered);
        assert_eq!(found(&[team, local.clone()]), covered);
        assert_eq!(found(&[other, local]), []);
        // A rule of a shared file stays, and two that cover each other do not both go.
        assert_eq!(
            found(&[own.clone(), rule("Bash(npm test)", "team", Some("/p"))]),
            []
        );
        let same = rule("Bash(npm test:*)", "user", None);
        assert_eq!(found(&[own, same]).len(), 1);
    }

    #[test]
    fn what_stands_twice_is_gone_or_hardly_comes_again() {
        let texts = [
            "Bash(npm test)",
            "Bash(npm test)",
            "Bash(/home/dev/old/run.sh *)",
            "Bash(/usr/bin/env)",
            "Bash(cd /home/dev/shop && npm test)",
            "Edit(/gone/**)",
            "Read(~/notes.txt)",
            "Bash(cd /home/dev/old && npm test)",
            "Edit(//home/dev/old/**)",
            "Edit(//home/dev/shop/**)",
            "Read(~/old/**)",
            "Bash(done)",
            "Bash(for f in a b)",
            "Bash(git commit -m 'One thing')",
            "Bash(git commit *)",
        ];
        let old = Some("/home/dev/old");
        let expected = [
            (TidyReason::Doubled, "Bash(npm test)", None),
            (
                TidyReason::Covered,
                "Bash(git commit -m 'One thing')",
                Some("Bash(git commit *)"),
            ),
            (TidyReason::Gone, "Bash(/home/dev/old/run.sh *)", old),
            (TidyReason::Gone, "Bash(cd /home/dev/old && npm test)", old),
            (TidyReason::Gone, "Edit(//home/dev/old/**)", old),
            (TidyReason::Gone, "Read(~/old/**)", Some("~/old")),
            (TidyReason::Once, "Bash(done)", None),
            (TidyReason::Once, "Bash(for f in a b)", None),
        ];
        let found = of_user(&texts);
        let found = found
            .iter()
            .map(|(reason, rule, by)| (*reason, rule.as_str(), by.as_deref()));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn secrets_are_not_shown() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("Bash(curl -H 'Authorization: Bearer {token}' https://api.example)");
        let found = of_user(&[&text]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, TidyReason::Secret);
        assert!(!found[0].1.contains(&token), "{}", found[0].1);
    }
}
