//! `plantune suggest --apply`: one proposal after the other, each in a sentence.

use std::collections::BTreeMap;

use plantune_query::permissions::propose::Proposal;
use plantune_reports::suggestions::Entry;
use plantune_reports::text::paragraph;

use crate::claude_settings::scope::SettingsScope;
use crate::failure::Failure;
use crate::permission_rules::writer::{self as rules, Accepted, RuleTarget};
use crate::preferences::writer::{self as preferences, apply};
use crate::terminal;
use crate::terminal::consent::Confirmation;
use crate::verbs::suggest::permissions::{accepted, place};
use crate::verbs::suggest::proposal::{changes, evidence, never, sentence};
use crate::workspace::Workspace;

/// How proposals are applied.
pub(super) struct Applying<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) settings: Option<SettingsScope>,
    /// The call, as the person would type it.
    pub(super) command: &'a str,
}

/// What may be typed.
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

/// What the person replied, all in all.
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
        let proposed = preferences::plan(workspace, &set)?;
        let shown = format!("{sentence}\n{}", evidence(entry));
        let reply = self.ask(&shown, &proposed.diff(), true)?;
        match reply {
            Reply::Yes => proposed.make()?,
            Reply::Never => preferences::plan(workspace, &never(entry, workspace)?)?.make()?,
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
