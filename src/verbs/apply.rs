//! `plantune suggest --apply`: one proposal after the other, each in a sentence, and at the end what was set.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::slice;

use plantune_agents::{claude_code, of_tool};
use plantune_domain::clock;
use plantune_domain::event::ChangeReason;
use plantune_domain::preferences::{Policy, Preference, Scope, Setter};
use plantune_domain::sanitize::shell_word;
use plantune_query::permissions::propose::RuleProposal;
use plantune_query::permissions::rules::RuleScope;
use plantune_query::suggest::Suggestion;
use plantune_reports::standing::{policy_in_words, preference_holds_for};
use plantune_reports::suggestions::ListedProposal;
use plantune_reports::text::{one_line, paragraph};
use plantune_settings::accepted_rules::RuleTarget;
use plantune_settings::agents;
use plantune_settings::file::SettingsScope;
use serde_json::{Value, json};

use crate::changes::{Change, apply, from_now_on, make, place};
use crate::environment::transcripts_root;
use crate::failure::Failure;
use crate::preferences::PreferenceScope;
use crate::rule_proposals as rules;
use crate::rule_proposals::Accepted;
use crate::session::Session;
use crate::terminal;
use crate::terminal::consent::Confirmation;

/// How proposals are applied.
pub(super) struct Applying<'a> {
    pub(super) session: &'a Session,
    pub(super) settings: Option<SettingsScope>,
    /// The call, as the person would type it.
    pub(super) command: &'a str,
}

/// The person's reply to one proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// Set it.
    Yes,
    /// Not now; it is proposed again.
    No,
    /// Always ask; it is not proposed again.
    AlwaysAsk,
    /// Stop; this one and the rest are proposed again.
    Quit,
}

/// The keys that may be typed, and what each does.
const KEYS: [(char, &str); 6] = [
    ('y', "yes, set it"),
    ('n', "not now (or Enter); it is proposed again"),
    (ALWAYS_ASK, "always ask me, and stop proposing it"),
    ('d', "show the change to the file"),
    ('q', "stop here; the rest is proposed again"),
    ('?', "show these keys"),
];

/// The key that is for questions alone.
const ALWAYS_ASK: char = 'a';

/// The keys for questions, or for rules.
fn keys(of_questions: bool) -> impl Iterator<Item = (char, &'static str)> {
    let all = KEYS.into_iter();
    all.filter(move |(key, _)| of_questions || *key != ALWAYS_ASK)
}

/// What was set, all in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replies {
    /// Something that the hook is to answer.
    pub(super) is_for_hook: bool,
    /// A preference.
    pub(super) has_changed_preferences: bool,
}

impl Applying<'_> {
    /// Sets all of `chosen` without asking, and says what each means from now on. What needs its label typed is set if that
    /// is `typed`; the others are listed.
    ///
    /// # Errors
    /// The errors of the writers of preferences and settings.
    pub(super) fn all(
        &self,
        chosen: &[ListedProposal<'_>],
        typed: Option<&str>,
    ) -> Result<Replies, Failure> {
        let session = self.session;
        let is_agreed = |entry: &&ListedProposal<'_>| {
            entry.label_to_type().is_none() || typed.is_some_and(|typed| entry.is_label(typed))
        };
        let (chosen, left): (Vec<&ListedProposal<'_>>, Vec<&ListedProposal<'_>>) =
            chosen.iter().partition(is_agreed);
        let is_typed = |entry: &&ListedProposal<'_>| entry.label_to_type().is_some();
        if let Some(typed) = typed
            && !left.is_empty()
            && !chosen.iter().any(is_typed)
        {
            let label = left.first().and_then(|entry| entry.label_to_type());
            return Err(Failure::usage(format!(
                "{:?} is the label of none of these",
                one_line(typed, SHOWN_TEXT)
            ))
            .hint(format!(
                "type {}",
                one_line(label.unwrap_or_default(), SHOWN_TEXT)
            )));
        }
        let mut set = Vec::new();
        let mut sentences = String::new();
        let mut places: BTreeMap<RuleTarget, Vec<Accepted>> = BTreeMap::new();
        for entry in chosen {
            match entry {
                ListedProposal::Rule(rule) => {
                    let place = target(rule, self.settings)?;
                    places.entry(place).or_default().push(accepted(rule)?);
                }
                ListedProposal::Question(one) => {
                    let change = change(one, session)?;
                    sentences.push_str(&sentence(one, &change, session));
                    sentences.push('\n');
                    set.push(change);
                }
            }
        }
        if !set.is_empty() {
            let confirmation = Confirmation {
                sentence: &sentences,
                question: "",
                yes: true,
                command: self.command,
            };
            apply(session, &set, &confirmation)?;
        }
        session.close_store();
        for (place, accepted) in &places {
            let addition = rules::plan(session, place, accepted)?;
            addition.make(session, self.command, true)?;
            self.say(&addition.sentence())?;
        }
        self.list_left(&left)?;
        Ok(Replies {
            is_for_hook: !set.is_empty(),
            has_changed_preferences: !set.is_empty(),
        })
    }

    /// Lists what was not set because its label has to be typed.
    fn list_left(&self, left: &[&ListedProposal<'_>]) -> Result<(), Failure> {
        let mut out = self.session.terminal();
        if !left.is_empty() {
            out.line(
                "Not set: these do something, or are not known, so you type their label, or what a rule allows. In a script, add --answer LABEL.",
            );
        }
        for entry in left {
            let label = entry.label_to_type().unwrap_or_default();
            let command = format!("plantune suggest {} --apply", entry.handle());
            let title = one_line(&entry.title(), SHOWN_TEXT);
            out.hanging(
                "  ",
                "    ",
                format!("{title} → {}: `{command}`", one_line(label, SHOWN_TEXT)),
            );
        }
        terminal::print(&out.into_text())
    }

    /// Asks about one proposal after the other, and says at the end what was set; that stays set, whatever comes after.
    ///
    /// # Errors
    /// The errors of the writers of preferences and settings; when the terminal cannot be read.
    pub(super) fn one_by_one(&self, chosen: &[ListedProposal<'_>]) -> Result<Replies, Failure> {
        let mut replies = Replies::default();
        let (mut set, mut has_ended) = (Vec::new(), false);
        // The person may think about it for long.
        self.session.close_store();
        let is_rule = |entry: &ListedProposal<'_>| matches!(entry, ListedProposal::Rule(_));
        let labels = chosen.iter().any(|entry| entry.label_to_type().is_some());
        self.help(!chosen.iter().all(is_rule), labels)?;
        for (number, entry) in (1..).zip(chosen) {
            let heading = match chosen.len() {
                1 => "\n".to_owned(),
                many => format!("\n{number} of {many}\n"),
            };
            terminal::print(&heading)?;
            let (reply, line) = match entry {
                ListedProposal::Rule(rule) => self.rule(rule)?,
                ListedProposal::Question(one) => self.question(one)?,
            };
            match reply {
                Reply::Quit => {
                    has_ended = true;
                    break;
                }
                Reply::No => {
                    terminal::print("Not set.\n")?;
                    continue;
                }
                Reply::Yes => terminal::print("Set.\n")?,
                Reply::AlwaysAsk => terminal::print("You will always be asked.\n")?,
            }
            set.push(line);
            replies.has_changed_preferences |= !is_rule(entry);
            replies.is_for_hook |= reply == Reply::Yes && !is_rule(entry);
        }
        self.summary(&set, chosen.len(), has_ended)?;
        Ok(replies)
    }

    /// Says what was `set`, of how many, and that the rest was left where the person `has_ended` it.
    fn summary(&self, set: &[String], of: usize, has_ended: bool) -> Result<(), Failure> {
        let mut out = self.session.terminal();
        if !set.is_empty() && of > 1 {
            out.line(format!("\nYou set {} of {of}:", set.len()));
            set.iter().for_each(|line| out.hanging("  ", "    ", line));
            out.line("`plantune prefs list` shows all you have set.");
        }
        if has_ended {
            out.line("The rest will be proposed again.");
        }
        terminal::print(&out.into_text())
    }

    fn question(&self, suggestion: &Suggestion) -> Result<(Reply, String), Failure> {
        let (session, entry) = (self.session, ListedProposal::Question(suggestion));
        let mut change = change(suggestion, session)?;
        let sentence = sentence(suggestion, &change, session);
        let place = place(&change.scope, session);
        let shown = format!("{sentence}\n{}", evidence(&entry));
        let mut reply = Reply::No;
        make(session, slice::from_ref(&change), false, |diff| {
            reply = self.ask(&shown, diff, &entry)?;
            Ok(reply == Reply::Yes)
        })?;
        if reply == Reply::AlwaysAsk {
            change = always_ask(change);
            make(session, slice::from_ref(&change), false, |_| Ok(true))?;
        }
        let title = one_line(&entry.title(), SHOWN_TEXT);
        Ok((reply, format!("{title} → {}, {place}", does(&change))))
    }

    fn rule(&self, rule: &RuleProposal) -> Result<(Reply, String), Failure> {
        let place = target(rule, self.settings)?;
        let accepted = [accepted(rule)?];
        let addition = rules::plan(self.session, &place, &accepted)?;
        let entry = ListedProposal::Rule(rule);
        let shown = format!("{}{}", addition.sentence(), evidence(&entry));
        let reply = self.ask(&shown, &addition.diff(self.session.colour), &entry)?;
        if reply == Reply::Yes {
            addition.make(self.session, self.command, false)?;
        }
        let title = one_line(&entry.title(), SHOWN_TEXT);
        Ok((reply, format!("{title} → allowed, {}", addition.place())))
    }

    /// Says what a proposal means and asks until the answer is one that is understood; the end of the input is one to
    /// stop.
    fn ask(
        &self,
        sentence: &str,
        diff: &str,
        entry: &ListedProposal<'_>,
    ) -> Result<Reply, Failure> {
        self.say(sentence)?;
        let of_questions = matches!(entry, ListedProposal::Question(_));
        let label = entry.label_to_type();
        let keys = keys(of_questions).filter(|(key, _)| label.is_none() || *key != 'y');
        let typed: Vec<String> = keys.map(|(key, _)| key.to_string()).collect();
        let prompt = match label {
            Some(label) => format!(
                "To set it, type: {} [or {}]",
                one_line(label, SHOWN_TEXT),
                typed.join("/")
            ),
            None => format!("Set it? [{}]", typed.join("/")),
        };
        loop {
            let word = terminal::ask(&prompt)?;
            match word.as_deref() {
                None | Some("q" | "quit") => return Ok(Reply::Quit),
                Some(word) if entry.is_label(word) => return Ok(Reply::Yes),
                Some("y" | "yes") if label.is_none() => return Ok(Reply::Yes),
                Some("n" | "no" | "") => return Ok(Reply::No),
                Some("a") if of_questions => return Ok(Reply::AlwaysAsk),
                Some("d") => terminal::print_exactly(diff)?,
                Some(_) => self.help(of_questions, label.is_some())?,
            }
        }
    }

    /// Says what each key does, and that `labels` are typed.
    fn help(&self, of_questions: bool, labels: bool) -> Result<(), Failure> {
        let mut out = self.session.terminal();
        out.line("Type a key, then Enter:");
        for (key, what) in keys(of_questions) {
            out.hanging(&format!("  {key}  "), "     ", what);
        }
        if labels {
            let what = match of_questions {
                true => {
                    "What does something, or is not known, is set by its label or its first words, not by y."
                }
                false => {
                    "A rule for what is not known is set by what it allows, or its first words, not by y."
                }
            };
            out.line(what);
        }
        terminal::print(&out.into_text())
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        terminal::print(&paragraph(text, self.session.width))
    }
}

/// How much of a text is shown, in columns.
const SHOWN_TEXT: usize = 200;

/// The same `change` with the question set to be asked, so that it is not proposed again.
fn always_ask(change: Change) -> Change {
    let preference = change.preference.map(|preference| Preference {
        preference: Policy::AlwaysAsk,
        answer: None,
        level: None,
        ..preference
    });
    Change {
        reason: ChangeReason::SuggestNever,
        preference,
        ..change
    }
}

/// The effect of `change` in a word or two: `automatic, "Grid"`.
fn does(change: &Change) -> String {
    let Some(preference) = &change.preference else {
        return String::new();
    };
    let does = policy_in_words(preference);
    match &preference.answer {
        _ if !preference.preference.answers() => does.to_owned(),
        Some(label) => format!("{does}, \"{}\"", one_line(label, SHOWN_TEXT)),
        None => format!("{does}, as recommended"),
    }
}

/// The meaning of setting it, in a sentence.
fn sentence(suggestion: &Suggestion, change: &Change, session: &Session) -> String {
    from_now_on(change, None, suggestion.asked.asker.as_deref(), session)
}

/// Its scope, the askings so far that differ most, and how often the person answered so.
fn evidence(entry: &ListedProposal<'_>) -> String {
    match entry {
        ListedProposal::Question(one) => {
            let mut text = preference_holds_for(&one.preference()).unwrap_or_default();
            text += &format!(
                "\nYou answered this way {} of {} times.\n",
                one.evidence.agreed, one.evidence.answers
            );
            let elsewhere = elsewhere(&one.asked.question_key, &one.preference());
            text + &elsewhere.map_or_else(String::new, |line| line + "\n")
        }
        ListedProposal::Rule(rule) => format!(
            "It covers {}\nYou allowed {} of {} of these prompts.\n",
            one_line(&rule.covers(), usize::MAX),
            rule.prompts - rule.refused.min(rule.prompts),
            rule.prompts
        ),
    }
}

/// The command that has `preference` of `key` hold in the other agents that are here, too; nothing if there is
/// none, or it holds in any.
fn elsewhere(key: &str, preference: &Preference) -> Option<String> {
    let agreement = preference.agreement()?;
    let own = of_tool(agreement.host.as_deref()?)?;
    let claude_code = transcripts_root().filter(|root| root.is_dir());
    let claude_code = claude_code.map(|_| claude_code::NAME);
    let here = claude_code
        .into_iter()
        .chain(agents::found(&|name| std::env::var_os(name)).map(|one| one.agent.name()));
    let others: Vec<&str> = here.filter(|name| *name != own.name()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "To use it in your other agents too: `plantune prefs set --agents {},{} {}`",
            own.name(),
            others.join(","),
            shell_word(key)
        )
    })
}

fn change(suggestion: &Suggestion, session: &Session) -> Result<Change, Failure> {
    let asked = &suggestion.asked;
    let evidence = serde_json::to_value(&suggestion.evidence)?;
    Ok(Change {
        scope: match suggestion.scope() {
            Scope::Project => PreferenceScope::Project(asked.project.clone()),
            Scope::Global => PreferenceScope::Global,
        },
        key: asked.question_key.clone(),
        preference: Some(Preference {
            set_at: Some(clock::timestamp(session.now)),
            set_by: Some(Setter::Suggest.to_string()),
            evidence: Some(evidence.clone()),
            ..suggestion.preference()
        }),
        reason: ChangeReason::Suggest,
        evidence: Some(evidence),
        undone: None,
    })
}

// The permission rules of `plantune suggest --apply`.

/// Where `proposal` is written.
///
/// # Errors
/// Usage for a choice of settings that does not fit.
fn target(proposal: &RuleProposal, choice: Option<SettingsScope>) -> Result<RuleTarget, Failure> {
    let scope = choice.unwrap_or(match proposal.scope {
        RuleScope::User => SettingsScope::User,
        RuleScope::Local => SettingsScope::Local,
    });
    let root = proposal.root.as_ref();
    let root = root.filter(|_| scope != SettingsScope::User);
    let rule = terminal::sanitized(&proposal.name);
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
/// The errors of the serialiser; none is known.
fn accepted(proposal: &RuleProposal) -> Result<Accepted, Failure> {
    let mut evidence = serde_json::to_value(&proposal.evidence)?;
    if let Value::Object(evidence) = &mut evidence {
        evidence.insert("prompts".to_owned(), json!(proposal.prompts));
        evidence.insert("refused".to_owned(), json!(proposal.refused));
        evidence.insert("subject".to_owned(), json!(proposal.subject));
        evidence.insert("reach".to_owned(), json!(proposal.reach));
        evidence.insert("level".to_owned(), json!(proposal.level.as_str()));
    }
    Ok(Accepted {
        rule: proposal.name.clone(),
        evidence,
    })
}
