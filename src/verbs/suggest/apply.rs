//! `plantune suggest --apply`: one proposal after the other, each in a sentence; questions, permission rules, and habits
//! that only words keep closed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use plantune_agents::claude_code;
use plantune_query::families::is_called;
use plantune_query::permissions::propose::{Proposal, Settings};
use plantune_query::suggest::{Asked, Rejected};
use plantune_reports::suggestions::{Entry, title};
use plantune_reports::text::{one_line, paragraph};
use serde_json::{Value, json};

use super::{changes, evidence, never, sentence};
use crate::claude_settings::SettingsScope;
use crate::failure::{Failure, similar};
use crate::permission_rules::writer as rules;
use crate::permission_rules::writer::{Accepted, RuleTarget};
use crate::preferences::writer;
use crate::preferences::writer::apply;
use crate::terminal;
use crate::terminal::consent::Confirmation;
use crate::workspace::Workspace;

/// How proposals are applied.
pub(super) struct Applying<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) settings: Option<SettingsScope>,
    /// The call, as the person would type it.
    pub(super) command: &'a str,
}

/// The replies that may be typed.
const HELP: &str = "y sets it, n leaves it for the next time, d shows the change to the file, never always asks you \
                    the question and proposes it no more, q stops here.\n";

/// The person's reply to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// Set it.
    Yes,
    /// Not now; it is proposed again.
    No,
    /// Never propose it again: the question is always asked.
    Never,
    /// Stop; this one and the rest are proposed again.
    Quit,
}

/// The person's replies, all in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replies {
    /// They do not want to be asked more.
    pub(super) has_ended: bool,
    /// Something was set that the hook is to answer.
    pub(super) is_for_hook: bool,
}

impl Applying<'_> {
    /// Sets all of `chosen` without asking, and says what each means from now on. True when the hook is to answer some of
    /// it.
    ///
    /// # Errors
    /// Those of the writers of preferences and settings.
    pub(super) fn all(&self, chosen: &[Entry<'_>]) -> Result<bool, Failure> {
        let workspace = self.workspace;
        let mut set = Vec::new();
        let mut sentences = String::new();
        let mut places: BTreeMap<RuleTarget, Vec<Accepted>> = BTreeMap::new();
        for entry in chosen {
            if let Entry::Rule(rule) = entry {
                let place = place(rule, self.settings)?;
                places.entry(place).or_default().push(accepted(rule)?);
                continue;
            }
            let of_entry = changes(entry, workspace)?;
            sentences.push_str(&sentence(entry, &of_entry, workspace));
            sentences.push('\n');
            set.extend(of_entry);
        }
        if !set.is_empty() {
            let confirmation = Confirmation {
                sentence: &sentences,
                question: "",
                yes: true,
                command: self.command,
            };
            apply(workspace, &set, &confirmation)?;
        }
        workspace.close_store();
        for (place, accepted) in &places {
            let addition = rules::plan(workspace, place, accepted)?;
            addition.make(workspace, self.command, true)?;
            self.say(&addition.sentence())?;
        }
        Ok(!set.is_empty())
    }

    /// Asks about one proposal after the other; what was set stays set, whatever comes after.
    ///
    /// # Errors
    /// Those of the writers of preferences and settings; when the terminal cannot be read.
    pub(super) fn one_by_one(&self, chosen: &[Entry<'_>]) -> Result<Replies, Failure> {
        let mut replies = Replies::default();
        // The person may think about it for long.
        self.workspace.close_store();
        self.say(HELP)?;
        for (number, entry) in (1..).zip(chosen) {
            let heading = match chosen.len() {
                1 => String::new(),
                many => format!("\n{number} of {many}\n"),
            };
            terminal::print(&heading)?;
            let reply = match entry {
                Entry::Rule(rule) => self.rule(rule)?,
                Entry::Question(_) | Entry::Asker(_) => self.questions(entry)?,
            };
            match reply {
                Reply::Quit => {
                    terminal::print("The rest will be proposed again.\n")?;
                    replies.has_ended = true;
                    return Ok(replies);
                }
                Reply::No => terminal::print("Not set; it will be proposed again.\n")?,
                Reply::Yes | Reply::Never => terminal::print("Done.\n")?,
            }
            replies.is_for_hook |= reply == Reply::Yes && !matches!(entry, Entry::Rule(_));
        }
        Ok(replies)
    }

    fn questions(&self, entry: &Entry<'_>) -> Result<Reply, Failure> {
        let workspace = self.workspace;
        let set = changes(entry, workspace)?;
        let sentence = sentence(entry, &set, workspace);
        let proposed = writer::plan(workspace, &set)?;
        let shown = format!("{sentence}\n{}", evidence(entry));
        let reply = self.ask(&shown, &proposed.diff(), true)?;
        match reply {
            Reply::Yes => proposed.make()?,
            Reply::Never => writer::plan(workspace, &never(entry, workspace)?)?.make()?,
            Reply::No | Reply::Quit => {}
        }
        Ok(reply)
    }

    fn rule(&self, rule: &Proposal) -> Result<Reply, Failure> {
        let place = place(rule, self.settings)?;
        let accepted = [accepted(rule)?];
        let addition = rules::plan(self.workspace, &place, &accepted)?;
        let shown = format!("{}{}", addition.sentence(), evidence(&Entry::Rule(rule)));
        let reply = self.ask(&shown, &addition.diff(self.workspace.colour), false)?;
        if reply == Reply::Yes {
            addition.make(self.workspace, self.command, false)?;
        }
        Ok(reply)
    }

    /// Says what a proposal means and asks until the answer is one that is understood; the end of the input is one to
    /// stop.
    fn ask(&self, sentence: &str, diff: &str, may_never: bool) -> Result<Reply, Failure> {
        self.say(sentence)?;
        let never = if may_never { "/never" } else { "" };
        loop {
            let word = terminal::ask(&format!("Set it? [y/N/d{never}/q]"))?;
            match word.as_deref() {
                None | Some("q" | "quit") => return Ok(Reply::Quit),
                Some("y" | "yes") => return Ok(Reply::Yes),
                Some("n" | "no" | "") => return Ok(Reply::No),
                Some("never") if may_never => return Ok(Reply::Never),
                Some("d") => terminal::print_exactly(diff)?,
                Some(_) => self.say(HELP)?,
            }
        }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        terminal::print(&paragraph(text, self.workspace.width))
    }
}

// What a person means by a word: a proposal's number, its key or rule, or the beginning of its text.

/// How much of a word or a text is shown, in columns.
const SHOWN: usize = 60;

/// The longest range of numbers; there are never as many proposals.
const MOST_NUMBERS: usize = 10_000;

/// How many proposals are named where none is meant, or several.
const MOST: usize = 5;

/// The places among `all` of what `word` names: numbers, a key or rule, or the beginning of a text.
///
/// # Errors
/// Failed where nothing is named so, or several begin so.
pub(super) fn proposals(all: &[Entry<'_>], word: &str) -> Result<Vec<usize>, Failure> {
    let named = |is: &dyn Fn(&Entry<'_>) -> bool| -> Vec<usize> {
        let places = all.iter().enumerate().filter(|(_, one)| is(one));
        places.map(|(place, _)| place).collect()
    };
    if let Some(numbers) = numbers(word)
        && numbers
            .iter()
            .all(|number| (1..=all.len()).contains(number))
    {
        return Ok(numbers.iter().map(|number| number - 1).collect());
    }
    let exactly = named(&|one| one.name() == word);
    let exactly = match exactly.is_empty() {
        true => named(&|one| calls(one, &|called| is_called(called, word))),
        false => exactly,
    };
    if !exactly.is_empty() {
        return Ok(exactly);
    }
    let beginning =
        named(&|one| calls(one, &|called| begins(called, word)) || begins(&one.name(), word));
    let shown = one_line(word, SHOWN);
    let list = |places: &[usize]| {
        let some = places.iter().take(MOST).filter_map(|place| {
            let title = all.get(*place)?.title();
            Some(format!("{} ({})", place + 1, one_line(&title, SHOWN)))
        });
        some.collect::<Vec<_>>().join(", ")
    };
    let names: BTreeSet<String> = beginning
        .iter()
        .filter_map(|place| all.get(*place).map(Entry::name))
        .collect();
    match names.len() {
        1 => return Ok(beginning),
        0 => {}
        _ => {
            return Err(
                Failure::failed(format!("several proposals begin with \"{shown}\""))
                    .hint(format!("give the number of one: {}", list(&beginning))),
            );
        }
    }
    let near = named(&|one| calls(one, &|called| contains(called, word)));
    let names: Vec<String> = all.iter().map(Entry::name).collect();
    let alike = similar(word, names.iter().map(String::as_str));
    let hint = match (near.is_empty(), alike, all.len()) {
        (false, ..) => format!("did you mean {}?", list(&near)),
        (true, Some(name), _) => format!("did you mean {}?", one_line(name, SHOWN)),
        (true, None, 0) => "`plantune suggest` says why nothing is proposed".to_owned(),
        (true, None, last) => format!("`plantune suggest --all` lists the proposals, 1 to {last}"),
    };
    Err(Failure::failed(format!("nothing is proposed under \"{shown}\"")).hint(hint))
}

/// The numbers that `word` lists, such as `2` or `1,3-5`; `None` for any other word.
fn numbers(word: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in word.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last - first > MOST_NUMBERS {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

/// The habits of `rejected` that have the key `word`, or begin so.
pub(super) fn rejected<'a>(rejected: &'a [Rejected], word: &str) -> Vec<&'a Rejected> {
    let is_it = |one: &&Rejected| is_meant(&one.asked, word);
    let exactly: Vec<&Rejected> = rejected.iter().filter(is_it).collect();
    match exactly.is_empty() {
        false => exactly,
        true => rejected
            .iter()
            .filter(|one| begins(&title(&one.asked), word))
            .take(MOST)
            .collect(),
    }
}

/// True where `word` is the key of `asked`, or what it is called.
pub(super) fn is_meant(asked: &Asked, word: &str) -> bool {
    asked.question_key == word || is_called(&asked.name, word)
}

/// Whether `is` holds for anything that `entry` is called.
fn calls(entry: &Entry<'_>, is: &dyn Fn(&str) -> bool) -> bool {
    entry.called().iter().any(|called| is(called))
}

fn begins(text: &str, word: &str) -> bool {
    !word.trim().is_empty() && text.to_lowercase().starts_with(&word.trim().to_lowercase())
}

/// Whether any word of `word` stands in `text`.
fn contains(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = word.split(|c: char| !c.is_alphanumeric());
    words.any(|part| part.chars().count() > 2 && text.contains(&part.to_lowercase()))
}

// The permission rules of `plantune suggest --apply`.

/// Where `proposal` is written.
///
/// # Errors
/// Usage for a choice of settings that does not fit.
fn place(proposal: &Proposal, choice: Option<SettingsScope>) -> Result<RuleTarget, Failure> {
    let scope = choice.unwrap_or(match proposal.settings {
        Settings::User => SettingsScope::User,
        Settings::Local => SettingsScope::Local,
    });
    let root = Some(&proposal.root).filter(|root| !root.is_empty() && scope != SettingsScope::User);
    let rule = terminal::sanitized(&proposal.name());
    if proposal.agent == claude_code::NAME {
        if scope == SettingsScope::User && proposal.rule.tool == "Edit" {
            return Err(
                Failure::usage(format!("{rule} names a path of one project"))
                    .hint("leave --settings out, or give --settings local"),
            );
        }
        if scope != SettingsScope::User && root.is_none() {
            return Err(
                Failure::usage(format!("{rule} is proposed for every project"))
                    .hint("leave --settings out, or choose one project with --project"),
            );
        }
    }
    Ok(RuleTarget::of(
        proposal.agent,
        scope,
        root.map(PathBuf::from),
    ))
}

/// `proposal` with what it rests on, as the record of it has it.
///
/// # Errors
/// Those of the serialiser; none is known.
fn accepted(proposal: &Proposal) -> Result<Accepted, Failure> {
    let mut evidence = serde_json::to_value(&proposal.evidence)?;
    if let Value::Object(evidence) = &mut evidence {
        evidence.insert("prompts".to_owned(), json!(proposal.prompts));
        evidence.insert("refused".to_owned(), json!(proposal.refused));
        evidence.insert("subject".to_owned(), json!(proposal.subject));
        evidence.insert("reach".to_owned(), json!(proposal.reach));
        evidence.insert("level".to_owned(), json!(proposal.level.as_str()));
    }
    Ok(Accepted {
        rule: proposal.name(),
        evidence,
    })
}
