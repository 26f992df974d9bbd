//! `plantune prefs`: lists, shows and clears what the person decided about questions. `plantune prefs set` stands beside it.

use std::slice;

use plantune_agents::{claude_code, dialog_of, names, of_tool};
use plantune_domain::agreement::agreement::Agreement;
use plantune_domain::keys::is_id;
use plantune_domain::preferences::{Policy, Preference};
use plantune_query::habits::Habits;
use plantune_query::standing::Standing;
use plantune_reports::standing::{
    StandingPreference, Stored, agents_of, covers_of, preference_holds_for, record_in_words,
};
use plantune_reports::terminal::{BOLD, DIM, Style, Terminal, YELLOW};
use plantune_reports::text::one_line;
use plantune_settings::accepted_rules::added;
use plantune_settings::agents;
use plantune_settings::file::SettingsFile;
use serde::Serialize;

use crate::document::{Document, Findings};
use crate::environment::transcripts_root;
use crate::failure::Failure;
use crate::preferences::in_words::from_now_on;
use crate::preferences::scope::{PreferenceScope, meant, quoted};
use crate::preferences::standing::review;
use crate::preferences::writer::{Change, apply_one};
use crate::preferences::{FoundFile, in_words, stored};
use crate::projects::ShortNames;
use crate::request::{
    PreferenceName, PrefsAgentsRequest, PrefsCall, PrefsListRequest, PrefsShowRequest,
};
use crate::session::Session;
use crate::settings_change::host;
use crate::verbs::prefs_set;
use crate::{away, preferences, terminal};

/// How much of a key, a project, a path or a reason is shown, in characters.
pub(super) const SHOWN: usize = 400;

/// Does what the call asks.
///
/// # Errors
/// Whatever the verb reports.
pub(crate) fn run(call: &PrefsCall, session: &Session) -> Result<Document, Failure> {
    match call {
        PrefsCall::List(request) => list(request, session),
        PrefsCall::Show(request) => show(request, session),
        PrefsCall::Set(request) => prefs_set::run(request, session),
        PrefsCall::SetAgents(request) => set_agents(request, session),
        PrefsCall::Clear(name) => clear(name, session),
    }
}

// `plantune prefs list`.

#[derive(Serialize)]
struct PreferenceList<'a> {
    preferences: Vec<&'a Row<'a>>,
    problems: Vec<&'a str>,
    permission_rules: Vec<Rule>,
    away_until: Option<String>,
}

/// A permission rule that plantune added to settings.
#[derive(Serialize)]
struct Rule {
    rule: String,
    settings: String,
}

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    stored: Stored,
    #[serde(flatten)]
    standing: Option<&'a Standing>,
}

/// Lists the preferences, how each stands, and which of them the hook ignores.
///
/// # Errors
/// Conflict for a configuration or registry that is not understood.
fn list(request: &PrefsListRequest, session: &Session) -> Result<Document, Failure> {
    let found = match request.project.clone() {
        None => preferences::all(session),
        Some(project) => preferences::of(
            session,
            &[PreferenceScope::Project(project), PreferenceScope::Global],
        ),
    };
    let reviewed = request.standing.then(|| reviewed(session)).flatten();
    let standing = reviewed.as_deref().unwrap_or_default();
    let of_file = |file| rows(file, standing, session);
    let rows: Vec<Vec<Row<'_>>> = found.iter().map(of_file).collect::<Result<_, Failure>>()?;
    let document = if request.json {
        let document = PreferenceList {
            preferences: rows.iter().flatten().collect(),
            problems: found
                .iter()
                .filter_map(|file| file.problem.as_deref())
                .collect(),
            permission_rules: rules(session),
            away_until: away::until(session),
        };
        Document::json(&document)?
    } else {
        let of_project = request.project.is_some();
        Document::text(listed(
            &found,
            &rows,
            of_project,
            request.standing,
            session,
        )?)
    };
    drop(rows);
    Ok(document.with(Findings {
        standing: reviewed,
        ..Findings::default()
    }))
}

/// The preferences for a person: of one project, where `of_project`; with their `records`.
fn listed(
    found: &[FoundFile],
    rows: &[Vec<Row<'_>>],
    of_project: bool,
    records: bool,
    session: &Session,
) -> Result<String, Failure> {
    let mut out = session.terminal();
    let names = ShortNames::without_store(session);
    let is_empty = |file: &FoundFile| file.preferences.is_empty() && file.problem.is_none();
    for (file, rows) in found.iter().zip(rows) {
        if is_empty(file) {
            continue;
        }
        let whose = match &file.project {
            Some(project) => format!("project {}:", one(names.of(project))),
            None => format!("{}:", file.scope.as_str()),
        };
        out.paragraph(whose, BOLD);
        show_file(file, rows, records, &mut out);
    }
    if found.iter().all(is_empty) {
        let which = if of_project { " for this project" } else { "" };
        out.line(format!(
            "You have no preferences{which}, so plantune answers nothing.\n\
             To see what it could answer: `plantune suggest`"
        ));
    }
    show_rules(&rules(session), &mut out);
    if let Some(line) = away::line(session)? {
        out.hanging("", "  ", line);
    }
    Ok(out.into_text())
}

/// The permission rules that plantune added, in the settings of whatever project.
fn rules(session: &Session) -> Vec<Rule> {
    let of_file = |(file, rules): (SettingsFile, Vec<String>)| {
        let settings = file.name();
        rules.into_iter().map(move |rule| Rule {
            rule,
            settings: settings.clone(),
        })
    };
    added(&host(session))
        .into_iter()
        .flat_map(of_file)
        .collect()
}

fn show_rules(rules: &[Rule], out: &mut Terminal) {
    let Some(first) = rules.first() else {
        return;
    };
    out.styled("Permission rules you set here:", BOLD);
    for Rule { rule, settings } in rules {
        out.hanging("  ", "    ", format!("{} in {settings}", one(rule)));
    }
    let rule = quoted(&one(&first.rule));
    out.hanging("  ", "  ", format!("To remove one: `plantune undo {rule}`"));
}

/// How the preferences stand; nothing, and why on standard error, when the store cannot be read.
fn reviewed(session: &Session) -> Option<Vec<StandingPreference>> {
    match review(session) {
        Ok(standing) => Some(standing),
        Err(failure) => {
            let message = failure.message();
            terminal::say(&format!(
                "plantune: cannot say how they are doing: {message}
"
            ));
            None
        }
    }
}

/// The preferences of `file`, each with how it stands.
fn rows<'a>(
    file: &FoundFile,
    standing: &'a [StandingPreference],
    session: &Session,
) -> Result<Vec<Row<'a>>, Failure> {
    let row = |(key, preference): (&String, &Preference)| {
        let standing = file.standing(key, standing);
        Ok(Row {
            stored: stored(file, key, preference, standing, session)?,
            standing: standing.map(|one| &one.standing),
        })
    };
    file.preferences.iter().map(row).collect()
}

fn show_file(file: &FoundFile, rows: &[Row<'_>], records: bool, out: &mut Terminal) {
    if let Some(problem) = &file.problem {
        out.paragraph(format!("  ignored: {}", one(problem)), YELLOW);
    }
    for Row { stored, standing } in rows {
        let (word, name) = (&stored.word, &stored.name);
        let (does, set) = (&stored.does, &stored.set);
        out.hanging("  ", "    ", format!("{}: {does}{set}", one(word)));
        if name != word {
            let name = one_line(name, out.width.saturating_sub(4));
            out.styled(&format!("    {name}"), DIM);
        }
        let record = standing.filter(|_| records).map(record_in_words);
        let remarks = record.iter().chain(&stored.remarks);
        remarks.for_each(|line| out.hanging("    ", "    ", line));
    }
}

fn one(text: &str) -> String {
    one_line(text, SHOWN)
}

// `plantune prefs show`.

/// How many questions of the log are shown of each kind.
const MOST_EXAMPLES: usize = 10;

#[derive(Serialize)]
struct ShownPreference<'a> {
    #[serde(flatten)]
    stored: Stored,
    /// How it stands, if it answers.
    #[serde(flatten)]
    standing: Option<&'a Standing>,
    options: &'a [String],
    /// The questions it was given for.
    covers: Vec<String>,
    /// Questions of the log that it would answer.
    would_have_answered: Vec<&'a str>,
    /// The nearest questions of the log that it would not.
    would_have_asked: Vec<&'a str>,
}

/// Shows the preference where it stands, with questions of the log beside it.
///
/// # Errors
/// Failed without such a preference; usage where it stands in several places and nobody can be asked; conflict for a file that is not understood.
fn show(request: &PrefsShowRequest, session: &Session) -> Result<Document, Failure> {
    let named = &request.name.with_key(session)?;
    let (scope, preference) = find(named, "show", session)?;
    let key = &*named.word;
    let found = preferences::of(session, slice::from_ref(&scope));
    let [file] = &*found else {
        return Err(missing(named, session));
    };
    let registry = session.registry()?;
    let habits = session.ask(|store| Habits::read(store, registry, false))?;
    let seen = habits.answers_to(key, scope.project());
    let (would_have_answered, would_have_asked) = seen.compared(&preference, MOST_EXAMPLES);
    let reviewed = review(session)?;
    let standing = file.standing(key, &reviewed);
    let document = ShownPreference {
        stored: stored(file, key, &preference, standing, session)?,
        standing: standing.map(|one| &one.standing),
        options: preference.options.as_deref().unwrap_or_default(),
        covers: covers_of(&preference),
        would_have_answered,
        would_have_asked,
    };
    match request.json {
        true => Document::json(&document),
        false => Ok(Document::text(shown(&document, &preference, session))),
    }
}

fn shown(document: &ShownPreference<'_>, preference: &Preference, session: &Session) -> String {
    let mut out = session.terminal();
    let Stored {
        name,
        word,
        does,
        set,
        ..
    } = &document.stored;
    let key = one_line(word, SHOWN);
    let place = document.stored.project.as_deref().map_or_else(
        || "everywhere".to_owned(),
        |project| one_line(project, SHOWN),
    );
    out.hanging("", "  ", format!("{key}: {does}, {place}{set}"));
    if name != word {
        let name = one_line(name, out.width.saturating_sub(2));
        out.styled(&format!("  {name}"), DIM);
    }
    let remarks = document.stored.remarks.iter();
    remarks.for_each(|line| out.hanging("  ", "    ", line));
    if preference.preference == Policy::AlwaysAsk {
        return out.into_text();
    }
    let holds_for = preference_holds_for(preference)
        .unwrap_or_else(|| "It does nothing: it does not say which question it is for.".to_owned());
    for line in holds_for.lines() {
        out.paragraph(format!("  {line}"), Style::new());
    }
    let would = "Of what you were asked, it would have answered";
    examples(would, &document.would_have_answered, &mut out);
    examples("and not", &document.would_have_asked, &mut out);
    out.into_text()
}

fn examples(title: &str, texts: &[&str], out: &mut Terminal) {
    if texts.is_empty() {
        return;
    }
    out.line(format!("  {title}:"));
    for text in texts {
        let text = one_line(text, out.width.saturating_sub(4));
        out.line(format!("    {text}"));
    }
}

// The preference that `show`, `clear` or `set --agents` is about.

impl PreferenceName {
    /// The same with the key of what it names.
    ///
    /// # Errors
    /// The errors of [`in_words::key`].
    pub(super) fn with_key(&self, session: &Session) -> Result<Self, Failure> {
        Ok(Self {
            word: in_words::key(&self.word, self.scope.as_ref(), session)?,
            ..self.clone()
        })
    }
}

/// Where the preference stands, whose key is known, and what it is; `verb` is that of the command to type.
///
/// # Errors
/// Failed without such a preference; usage where it stands in several places and nobody can be asked; conflict for
/// a file that is not understood.
fn find(
    name: &PreferenceName,
    verb: &str,
    session: &Session,
) -> Result<(PreferenceScope, Preference), Failure> {
    let command = |scope: &PreferenceScope, word: &str| scope.prefs(verb, word);
    let scope = meant(name.scope.as_ref(), &name.word, &command, session)?;
    match preferences::preference(session, &scope, &name.word)? {
        Some(preference) => Ok((scope, preference)),
        None => Err(missing(name, session)),
    }
}

// `plantune prefs clear`.

/// Takes the preference away after asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file
/// that is not understood.
fn clear(name: &PreferenceName, session: &Session) -> Result<Document, Failure> {
    let name = &name.with_key(session)?;
    let (scope, before) = find(name, "clear", session)?;
    let word = in_words::word(&name.word, &before, &scope, session);
    let command = scope.prefs("clear", &word);
    let change = Change::new(session, scope, &name.word, None, "prefs clear");
    let sentence = from_now_on(&change, Some(&before), None, session);
    let words = (&*sentence, "Clear it?");
    let is_made = apply_one(session, &change, words, name.yes, &command)?;
    Ok(Document::after_change(is_made))
}

// `plantune prefs set --agents NAME,… KEY`.

/// Has the preference hold in the agents that are wanted and in no other, after showing the change and asking.
///
/// # Errors
/// Failed without such a preference; refused where the person cannot be asked; conflict for a file that is not
/// understood.
fn set_agents(request: &PrefsAgentsRequest, session: &Session) -> Result<Document, Failure> {
    let name = &request.name.with_key(session)?;
    let verb = format!("set --agents {}", request.agents.join(","));
    let (scope, before) = find(name, &verb, session)?;
    let key = one_line(&name.word, SHOWN);
    if before.preference == Policy::AlwaysAsk {
        let fact = format!("You are always asked {key}, in every agent.\n");
        return Ok(Document::text(fact));
    }
    let tools: Vec<&str> = names()
        .filter(|name| request.agents.iter().any(|one| one == name))
        .filter_map(dialog_of)
        .collect();
    let preference = Preference {
        agreement: before.agreement().map(|agreement| Agreement {
            host: Some(tools.join(" ")),
            ..agreement.into_owned()
        }),
        ..before.clone()
    };
    let holds_in = agents_of(&preference);
    if preference == before {
        let fact = format!("{key} already holds in {holds_in} only.\n");
        return Ok(Document::text(fact));
    }
    let word = in_words::word(&name.word, &before, &scope, session);
    let command = scope.prefs("set --agents", &word);
    let after = Some(preference);
    let change = Change::new(session, scope, &name.word, after, "prefs agents");
    let sentence = format!("From now on, {key} holds in {holds_in}, and in no other agent.");
    let words = (&*sentence, "Set it?");
    let is_made = apply_one(session, &change, words, name.yes, &command)?;
    Ok(Document::after_change(is_made))
}

/// The command that has `preference` of `key` hold in the other agents that are here, too; nothing if there is
/// none, or it holds in any.
pub(crate) fn elsewhere(key: &str, preference: &Preference) -> Option<String> {
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
            quoted(key)
        )
    })
}

// Question keys in the arguments of the verbs.

/// Refuses what cannot be a question key.
pub(super) fn check(key: &str) -> Result<(), Failure> {
    if is_id(key) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{key:?} is not a question key: a key has 1 to 64 of a-z, 0-9 and -"
    ))
    .hint("`plantune report --all` lists the keys of the questions you were asked"))
}

/// That there is no preference of that name where it says.
pub(super) fn missing(name: &PreferenceName, session: &Session) -> Failure {
    let word = &*name.word;
    let all = preferences::all(session);
    let keys = all.iter().flat_map(|file| file.preferences.keys());
    let key = one_line(word, SHOWN);
    let place = match &name.scope {
        Some(PreferenceScope::Project(project)) => {
            format!(" in project {}", one_line(project, SHOWN))
        }
        Some(PreferenceScope::Global) => " for every project".to_owned(),
        None => String::new(),
    };
    Failure::failed(format!("there is no preference for {key}{place}"))
        .did_you_mean(
            word,
            keys.map(String::as_str).filter(|known| *known != word),
        )
        .hint("`plantune prefs list` shows all of them")
}
