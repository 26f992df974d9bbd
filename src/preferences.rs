//! The preferences as they are found: where one holds, every file read as far as it can be, what a person means by a word,
//! and which of them the hook does not obey.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::slice;

use plantune_domain::gate::check_preference;
use plantune_domain::keys::{is_id, is_made_up, typed};
use plantune_domain::paths::Paths;
use plantune_domain::preferences::{Level, Preference, PreferenceFile, Scope};
use plantune_domain::private_file;
use plantune_domain::registry::Registry;
use plantune_domain::sanitize::shell_word;
use plantune_query::habits::is_called;
use plantune_reports::standing::{StandingPreference, policy_in_words};
use plantune_reports::text::one_line;

use crate::failure::{Failure, conflict};
use crate::projects::{ShortNames, project_files};
use crate::session::Session;
use crate::terminal::{consent, sanitized};
use crate::{projects, session, terminal};

/// How much of a key or a project is shown, in characters.
const SHOWN: usize = 400;

// Where a preference holds.

/// Where a preference holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreferenceScope {
    /// The project of that key.
    Project(String),
    /// Everywhere.
    Global,
}

impl PreferenceScope {
    /// The project of the current directory.
    ///
    /// # Errors
    /// The errors of [`projects::resolve`].
    pub fn here(session: &Session) -> Result<Self, Failure> {
        projects::resolve(".", session).map(Self::Project)
    }

    /// Its name in events and listings.
    pub(crate) fn kind(&self) -> Scope {
        match self {
            Self::Project(_) => Scope::Project,
            Self::Global => Scope::Global,
        }
    }

    /// The project's key, if it is one project.
    pub(crate) fn project(&self) -> Option<&str> {
        match self {
            Self::Project(project) => Some(project),
            Self::Global => None,
        }
    }

    /// The file of preferences of this scope.
    pub(crate) fn file(&self, paths: &Paths) -> PathBuf {
        match self {
            Self::Project(project) => paths.project_preferences(project),
            Self::Global => paths.global_preferences(),
        }
    }

    /// The command `prefs VERB` for the preference `key` in this scope, for a terminal.
    pub(crate) fn prefs(&self, verb: &str, key: &str) -> String {
        let (key, place) = (shell_word(key), self.arguments());
        sanitized(&format!("plantune prefs {verb} {key} {place}"))
    }

    /// The arguments that mean this scope.
    pub fn arguments(&self) -> String {
        match self {
            Self::Project(project) => format!("--project {}", shell_word(project)),
            Self::Global => "--global".to_owned(),
        }
    }
}

// Every file of preferences, read as far as it can be.

/// One file of preferences that is there.
pub(crate) struct FoundFile {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Where it holds.
    pub(crate) scope: Scope,
    /// The project that it names; unknown in a file that does not say.
    pub(crate) project: Option<String>,
    /// Its preferences, also when the hook ignores them.
    pub(crate) preferences: BTreeMap<String, Preference>,
    /// Why the hook ignores all of it.
    pub(crate) problem: Option<String>,
}

/// All files: those of the projects, in the order of their projects, and the global one.
pub(crate) fn all(session: &Session) -> Vec<FoundFile> {
    let files = project_files(&session.paths);
    let mut found: Vec<FoundFile> = files
        .filter_map(|path| read(session, path, Scope::Project, None))
        .collect();
    for file in &mut found {
        // The hook goes by the path: a file that names another project holds for nobody.
        let misplaced = file
            .project
            .as_deref()
            .is_none_or(|project| session.paths.project_preferences(project) != file.path);
        if misplaced && file.problem.is_none() {
            file.problem = Some(format!(
                "{}: this is not the place for preferences of the project it names",
                file.path.display()
            ));
        }
    }
    found.sort_by(|one, other| (&one.project, &one.path).cmp(&(&other.project, &other.path)));
    found.extend(of(session, &[PreferenceScope::Global]));
    found
}

/// The files of `scopes` that are there.
pub(crate) fn of(session: &Session, scopes: &[PreferenceScope]) -> Vec<FoundFile> {
    let found = |scope: &PreferenceScope| {
        let project = scope.project().map(str::to_owned);
        read(session, scope.file(&session.paths), scope.kind(), project)
    };
    scopes.iter().filter_map(found).collect()
}

fn read(
    session: &Session,
    path: PathBuf,
    scope: Scope,
    project: Option<String>,
) -> Option<FoundFile> {
    let (file, problem) = match &*session.preference_file(&path) {
        Ok(file) => (Some(file.clone()?), None),
        // What others may write is still worth seeing.
        Err(problem) => (
            private_file::read(&path, u64::MAX)
                .and_then(|bytes| serde_json::from_slice::<PreferenceFile>(&bytes).ok()),
            Some(problem.clone()),
        ),
    };
    let named = file.as_ref().and_then(|file| file.project.clone());
    Some(FoundFile {
        path,
        scope,
        // What a global file says of a project says nothing: the hook goes by the path.
        project: match scope {
            Scope::Project => project.or(named),
            Scope::Global => None,
        },
        preferences: file.map(|file| file.preferences).unwrap_or_default(),
        problem,
    })
}

/// Each preference of `files`, with its file and its key.
pub(crate) fn each(files: &[FoundFile]) -> impl Iterator<Item = (&FoundFile, &str, &Preference)> {
    files.iter().flat_map(|file| {
        let entries = file.preferences.iter();
        entries.map(move |(key, preference)| (file, key.as_str(), preference))
    })
}

/// The preference for `key` in `scope`, whether the hook obeys it or not.
///
/// # Errors
/// Conflict (exit code 3) for a file that is not understood.
pub fn preference(
    session: &Session,
    scope: &PreferenceScope,
    key: &str,
) -> Result<Option<Preference>, Failure> {
    match &*session.preference_file(&scope.file(&session.paths)) {
        Ok(Some(file)) => Ok(file.preferences.get(key).cloned()),
        Ok(None) => Ok(None),
        Err(error) => Err(conflict(error)),
    }
}

impl FoundFile {
    /// The scope it holds in, as far as the file says.
    pub(crate) fn preference_scope(&self) -> PreferenceScope {
        self.project
            .clone()
            .map_or(PreferenceScope::Global, PreferenceScope::Project)
    }

    /// How its preference for `key` stands, among `all`.
    pub(crate) fn standing<'s>(
        &self,
        key: &str,
        all: &'s [StandingPreference],
    ) -> Option<&'s StandingPreference> {
        let project = self.project.as_deref();
        all.iter()
            .find(|one| one.scope == self.scope && one.is_of(key, project))
    }
}

// What the question of a preference is called.

/// The name of the question of `preference`; its `key` where nothing is known of it.
pub(crate) fn name(key: &str, preference: &Preference) -> String {
    let Some(text) = &preference.question else {
        return key.to_owned();
    };
    preference.name().unwrap_or(text).to_owned()
}

/// The word to type for the question of `preference` in `scope`, as [`word_among`] all that [`meant_key`] looks at there.
pub(crate) fn word(
    key: &str,
    preference: &Preference,
    scope: &PreferenceScope,
    session: &Session,
) -> String {
    let files = match scope {
        PreferenceScope::Project(_) => of(session, slice::from_ref(scope)),
        // `undo` cannot say that it means those.
        PreferenceScope::Global => all(session),
    };
    word_among(
        key,
        preference,
        files.iter().flat_map(|file| &file.preferences),
    )
}

/// The word to type for the question of `preference` among `all`: its name; its `key` where that says something, or
/// where another is called so too.
pub(crate) fn word_among<'a>(
    key: &str,
    preference: &Preference,
    all: impl IntoIterator<Item = (&'a String, &'a Preference)>,
) -> String {
    let word = name(key, preference);
    let mut others = all.into_iter().filter(|(other, _)| *other != key);
    let is_its_own =
        is_called(&word, &word) && !others.any(|(other, one)| is_called(&name(other, one), &word));
    match is_its_own {
        true => typed(key, &word).to_owned(),
        false => key.to_owned(),
    }
}

// What a person means by a word.

/// How many characters of a name are shown.
const SHOWN_WORD: usize = 80;

/// The key that is meant by `word`: itself, or that of the preference that is called so in `scope`, or else in the
/// project of the folder; else of any preference, else of the question.
///
/// # Errors
/// Failed where several are called so, and when the store cannot be read.
pub(crate) fn meant_key(
    word: &str,
    scope: Option<&PreferenceScope>,
    session: &Session,
) -> Result<String, Failure> {
    if is_id(word) {
        return Ok(word.to_owned());
    }
    let here = PreferenceScope::here(session).ok();
    let near = scope.or(here.as_ref());
    let is_near = |file: &FoundFile| Some(&file.preference_scope()) == near;
    let (near, others): (Vec<_>, Vec<_>) = all(session).into_iter().partition(is_near);
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for files in [near, others] {
        if names.is_empty() {
            let named = each(&files).map(|(_, key, one)| (key.to_owned(), name(key, one)));
            names.extend(named.filter(|(_, name)| is_called(name, word)));
        }
    }
    if names.is_empty() {
        let project = scope.and_then(PreferenceScope::project);
        let listed = session::questions(project, session)?.into_iter();
        let called = listed.filter(|one| is_called(&one.name, word));
        names.extend(called.map(|one| (one.question_key, one.name)));
    }
    let mut keys = names.keys();
    match (keys.next(), keys.next()) {
        (None, _) => Ok(word.to_owned()),
        (Some(key), None) => Ok(key.clone()),
        _ => {
            let word = one_line(word, SHOWN_WORD);
            let failure = Failure::usage(format!("more than one question is called \"{word}\""));
            Err(failure.hint(format!("give one of: {}", distinguished(&names).join(", "))))
        }
    }
}

/// Words that tell questions apart, given their `names` by key: the name, or the key where two have one name.
fn distinguished(names: &BTreeMap<String, String>) -> Vec<String> {
    let is_shared = |name: &str| names.values().filter(|one| *one == name).count() > 1;
    let word = |(key, name): (&String, &String)| match is_shared(name) {
        true => key.clone(),
        false => format!("\"{}\"", one_line(name, SHOWN_WORD)),
    };
    names.iter().map(word).collect()
}

/// The scope that is meant for the preference `key`: the one that is `named`, else the one in which it stands, else the
/// project of the current directory. Where it stands in several, the person says which. `command` is what can be typed for
/// one, by the scope and by what the question is called.
///
/// # Errors
/// Usage where it stands in several and nobody can be asked; conflict where it only stands in a file that is not
/// understood; those of [`projects::resolve`].
pub(crate) fn meant_scope(
    named: Option<&PreferenceScope>,
    key: &str,
    command: &dyn Fn(&PreferenceScope, &str) -> String,
    session: &Session,
) -> Result<PreferenceScope, Failure> {
    if let Some(named) = named {
        return Ok(named.clone());
    }
    let files = all(session);
    let of_key = each(&files).filter(|(_, one, _)| *one == key);
    let (broken, sound): (Vec<_>, Vec<_>) = of_key.partition(|(file, ..)| file.problem.is_some());
    if let ([(file, ..), ..], []) = (broken.as_slice(), sound.as_slice()) {
        return Err(conflict(file.problem.as_deref().unwrap_or_default()));
    }
    let standing = sound.into_iter();
    let mut standing: Vec<(PreferenceScope, &Preference)> = standing
        .map(|(file, _, preference)| (file.preference_scope(), preference))
        .collect();
    if standing.len() < 2 {
        return match standing.pop() {
            Some((scope, _)) => Ok(scope),
            None => PreferenceScope::here(session),
        };
    }
    let word =
        |scope: &PreferenceScope, preference: &Preference| word(key, preference, scope, session);
    let shown = standing
        .first()
        .map(|(scope, preference)| word(scope, preference));
    let shown = one_line(shown.as_deref().unwrap_or(key), SHOWN);
    let fact = format!("{shown} is set in {} places", standing.len());
    if !consent::can_be_asked(session) {
        let usage = Failure::usage(fact);
        return Err(standing.iter().fold(usage, |usage, (scope, preference)| {
            usage.hint(format!("`{}`", command(scope, &word(scope, preference))))
        }));
    }
    let names = ShortNames::for_sentence(session);
    let mut out = session.terminal();
    out.line(format!("{fact}:"));
    for (number, (scope, preference)) in (1..).zip(&standing) {
        let place = match scope.project() {
            Some(project) => format!("in {}", one_line(names.of(project), SHOWN)),
            None => "everywhere".to_owned(),
        };
        let does = policy_in_words(preference);
        out.hanging(
            &format!("  {number}  "),
            "     ",
            format!("{place}: {does}"),
        );
    }
    terminal::print(&out.into_text())?;
    let reply = terminal::ask(&format!("Which one? [1-{}]", standing.len()))?;
    let number = reply.and_then(|reply| reply.parse::<usize>().ok());
    let chosen = number.and_then(|number| standing.into_iter().nth(number.checked_sub(1)?));
    match chosen {
        Some((scope, _)) => Ok(scope),
        None => Err(Failure::usage("you chose none of them").hint("nothing was changed")),
    }
}

// Why the hook does not obey a preference.

/// How much of a value is shown, in characters.
const SHOWN_VALUE: usize = 60;

impl FoundFile {
    /// Why the hook does not obey `preference` of this file, if it does not.
    pub(crate) fn inert_reason(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        self.problem
            .clone()
            .or_else(|| ignored(key, preference, registry))
            .or_else(|| {
                let renamed = name_by_rule(key, preference, registry)?;
                renamed.wholly.then(|| renamed.reason())
            })
    }

    /// Why a preference is not obeyed, or not for some of its questions, and what to do; the file itself is.
    pub(crate) fn remark(
        &self,
        key: &str,
        preference: &Preference,
        registry: &Registry,
    ) -> Option<String> {
        ignored(key, preference, registry).or_else(|| {
            let renamed = name_by_rule(key, preference, registry)?;
            let word = word_among(key, preference, &self.preferences);
            let remedy = renamed.remedy(&word, preference, &self.preference_scope());
            Some(format!("{}; {remedy}", renamed.reason()))
        })
    }
}

/// Why a preference is not obeyed, for what it says itself.
fn ignored(key: &str, preference: &Preference, registry: &Registry) -> Option<String> {
    if let Err(refusal) = check_preference(key, preference, registry) {
        return Some(refusal.to_string());
    }
    // What always asks is asked either way.
    if !preference.preference.answers() {
        return None;
    }
    if let Some((field, value)) = preference.unknown_value() {
        let value = one_line(value, SHOWN_VALUE);
        return Some(format!(
            "its `{field}` is \"{value}\", which plantune does not know; set it again"
        ));
    }
    let is_bound = preference.agreement().is_some();
    (!is_bound).then(|| "it does not say what it was given for; set it again".to_owned())
}

/// The name that a rule of registry.toml gives by now to what a preference was set for: the hook looks for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameByRule<'r> {
    /// The rule's key.
    pub(crate) key: &'r str,
    /// True when it names all of it; otherwise the preference still holds for the rest.
    pub(crate) wholly: bool,
}

/// The name that `registry` gives to what `preference`, which stands under `key`, was set for; `None`
/// when it is still called `key`, and for what has no marker's or rule's name to lose.
pub(crate) fn name_by_rule<'r>(
    key: &str,
    preference: &Preference,
    registry: &'r Registry,
) -> Option<NameByRule<'r>> {
    if !is_made_up(key) {
        return None;
    }
    let options = preference.options.as_deref()?;
    let named = |text: &str, header| registry.key_of(text, header, options);
    let header = preference.header.as_deref();
    let name = named(preference.question.as_deref()?, header).filter(|name| *name != key)?;
    let wholly = match preference.agreement() {
        Some(agreement) => {
            let mut texts = agreement.texts.iter();
            texts.all(|known| named(&known.text, header) == Some(name))
        }
        // It is not known for which texts: the rule must name any.
        None => named("", None) == Some(name),
    };
    Some(NameByRule { key: name, wholly })
}

impl NameByRule<'_> {
    /// Why the preference is not obeyed.
    pub(crate) fn reason(&self) -> String {
        let key = one_line(self.key, SHOWN);
        match self.wholly {
            true => format!("a rule in registry.toml gives these questions the key {key}"),
            false => format!("a rule in registry.toml gives some of these questions the key {key}"),
        }
    }

    /// The commands that make `preference`, called `word` in `scope`, take effect again.
    fn remedy(&self, word: &str, preference: &Preference, scope: &PreferenceScope) -> String {
        let set = self.set_again(preference, scope);
        match self.wholly {
            true => {
                let clear = scope.prefs("clear", word);
                format!("{set}, and remove this one: `{clear}`")
            }
            false => set,
        }
    }

    /// The command that sets `preference` for the new name, in `scope`.
    pub(crate) fn set_again(&self, preference: &Preference, scope: &PreferenceScope) -> String {
        let policy = preference.preference;
        let mut does = policy.to_string();
        if policy.answers() && preference.level() == Level::Trial {
            does += " --trial";
        }
        if let Some(label) = preference.answer.as_ref().filter(|_| policy.answers()) {
            does += &format!(" --answer {}", shell_word(label));
        }
        sanitized(&format!(
            "set it for that key: `plantune prefs set {} {does} {}`",
            self.key,
            scope.arguments()
        ))
    }
}

#[cfg(test)]
mod tests {
    use plantune_domain::agreement::agreement::{Agreement, Asking, Given};
    use plantune_domain::preferences::Policy;

    use super::*;

    fn preference(texts: &[&str]) -> Preference {
        let options = ["More questions", "Next area"].map(str::to_owned);
        let given = texts.iter().map(|text| Given {
            asking: Asking {
                text,
                options: &options,
                ..Asking::default()
            },
            label: "Next area",
            session: text,
        });
        Preference {
            answer: Some("Next area".to_owned()),
            question: texts.last().map(|&text| text.to_owned()),
            agreement: Agreement::exactly(&given.collect::<Vec<_>>()),
            options: Some(options.to_vec()),
            ..Preference::of(Policy::NeverAsk)
        }
    }

    const KEY: &str = "opt-41c614138602d8f3";

    #[test]
    fn a_scope_is_typed_as_arguments() {
        let project = PreferenceScope::Project("/my work/r".to_owned());
        assert_eq!(project.arguments(), "--project '/my work/r'");
        assert_eq!(PreferenceScope::Global.arguments(), "--global");
    }

    #[test]
    fn what_a_rule_names_is_not_what_it_was_called_before() {
        let all = "[[question]]\nkey = \"next\"\noptions = [\"More questions\", \"Next area\"]";
        let registry = Registry::parse(all).unwrap();
        let set = preference(&["Enough of login?"]);
        let found = name_by_rule(KEY, &set, &registry).unwrap();
        assert_eq!((found.key, found.wholly), ("next", true));
        assert_eq!(name_by_rule("next", &set, &registry), None);
        assert_eq!(name_by_rule(KEY, &set, &Registry::default()), None);
        assert_eq!(
            found.remedy("next?", &set, &PreferenceScope::Global),
            "set it for that key: `plantune prefs set next never-ask --answer 'Next area' \
             --global`, and remove this one: `plantune prefs clear 'next?' --global`"
        );
    }

    #[test]
    fn what_was_given_for_nothing_loses_its_name_to_a_rule_for_any_text() {
        // Nothing is recommended.
        let set = Preference {
            answer: None,
            agreement: None,
            ..preference(&["Enough of login?"])
        };
        let rule = |condition: &str| {
            let rule = format!("[[question]]\nkey = \"next\"\n{condition}");
            let registry = Registry::parse(&rule).unwrap();
            name_by_rule(KEY, &set, &registry).map(|found| found.wholly)
        };
        assert_eq!(
            rule("options = [\"More questions\", \"Next area\"]"),
            Some(true)
        );
        assert_eq!(rule("text = \"*login*\""), Some(false));
        assert_eq!(rule("text = \"*search*\""), None);
    }

    #[test]
    fn a_rule_for_some_texts_leaves_the_rest() {
        let some = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*login*\"").unwrap();
        let whole = Registry::parse("[[question]]\nkey = \"next\"\ntext = \"*enough*\"").unwrap();
        let set = preference(&["Enough of search?", "Enough of login?"]);
        let wholly = |registry| name_by_rule(KEY, &set, registry).unwrap().wholly;
        assert!(!wholly(&some) && wholly(&whole));
    }
}
