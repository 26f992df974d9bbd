//! Judges one call of a program by the facts about it: its options with their values, then its operands.

use super::operands::{
    OUTSIDE, WorkingFolder, changed, is_foreign, is_listed, is_name, is_secret, leads_beyond,
    names_a_system_path, reach, reach_of_target, says_beyond, shown,
};
use super::parse::Word;
use super::programs::ArgumentKind::{
    self, ChangingFlag, DotFolder, File, FileToMove, FileToShow, FileToWrite, Flag, Folder, Form,
    Name, NameAndText, Number, OneFile, OneOf, Pattern, Target, Test, Text,
};
use super::programs::{
    CallFacts, call_facts, can_do_anything, is_program, options_before_subcommand,
};
use crate::reach::Reach;

/// The judgement of the words of a command.
pub(super) struct Judged {
    pub(super) reach: Reach,
    pub(super) reason: String,
    /// The number of words that are wrappers, program and subcommand.
    pub(super) fixed: usize,
    /// True if it only shows files.
    pub(super) only_shows: bool,
    pub(super) subject: String,
}

impl Judged {
    pub(super) fn new(reach: Reach, reason: String, (subject, fixed): (String, usize)) -> Self {
        Self {
            reach,
            reason,
            fixed,
            only_shows: false,
            subject,
        }
    }

    pub(super) fn raise(&mut self, reach: Reach, reason: impl FnOnce() -> String) {
        if reach > self.reach {
            self.reach = reach;
            self.reason = reason();
        }
    }
}

/// The longest word of a subject, in bytes.
const LONGEST_WORD: usize = 60;

/// The subject of a known command, with the word that raised its reach.
pub(super) fn known_subject(name: &str, arguments: &[String], raised_by: Option<&str>) -> String {
    let mut subject = name.to_owned();
    let texts = arguments.iter().map(String::as_str);
    for text in texts.chain(raised_by.map(|word| word.split('=').next().unwrap_or(word))) {
        push_word(&mut subject, text);
    }
    subject
}

pub(super) fn push_word(subject: &mut String, word: &str) {
    let end = word.floor_char_boundary(LONGEST_WORD);
    subject.push(' ');
    subject.push_str(word.get(..end).unwrap_or_default());
    if end < word.len() {
        subject.push('…');
    }
}

/// Why git in another folder is not known.
pub(super) const OTHER_SETTINGS: &str = "git in another folder obeys the settings of that folder";

/// Judges the call by the table; `None` for a program or subcommand that it does not have.
pub(super) fn judge_call(
    name: &str,
    arguments: &[Word],
    folder: &WorkingFolder<'_>,
) -> Option<Judged> {
    let skipped = before_subcommand(name, arguments, folder);
    let (before, rest) = arguments.split_at(skipped);
    let (count, facts) = call_facts(name, rest);
    let judged = facts
        .iter()
        .map(|facts| judge_by(facts, name, rest, count, folder));
    let mut found = judged.min_by_key(|found| found.reach)?;
    found.fixed += skipped;
    let mut entered = before.iter().skip_while(|word| word.text != "-C").skip(1);
    if name == "git"
        && found.reach < Reach::Unknown
        && entered
            .next()
            .is_some_and(|to| !folder.is_project(&to.text))
    {
        found.reach = Reach::Unknown;
        found.reason = OTHER_SETTINGS.to_owned();
    }
    Some(found)
}

/// The number of words before the subcommand that belong to options that change only the output, or name a folder or a
/// package of the project.
fn before_subcommand(name: &str, arguments: &[Word], folder: &WorkingFolder<'_>) -> usize {
    let options = options_before_subcommand(name);
    let mut count = 0;
    while let Some(option) = arguments.get(count) {
        let is_accepted = |kind: ArgumentKind, value: &Word| {
            let text = value.text.as_str();
            let is_it = match kind {
                Folder => {
                    !text.starts_with('-') && !is_foreign(text) && reach(value, folder).is_none()
                }
                Name => is_name(text.strip_prefix('@').unwrap_or(text)),
                Form(check) => check(text),
                _ => false,
            };
            is_it && !value.is_open
        };
        count += match (options.kind(&option.text), arguments.get(count + 1)) {
            (Some(Flag), _) => 1,
            (Some(kind), Some(value)) if is_accepted(kind, value) => 2,
            _ => break,
        };
    }
    count
}

fn judge_by(
    facts: &CallFacts,
    name: &str,
    arguments: &[Word],
    count: usize,
    folder: &WorkingFolder<'_>,
) -> Judged {
    let (subcommand, rest) = arguments.split_at(count);
    let mut call = ProgramCall {
        facts,
        name,
        folder,
        reach: facts.reach,
        names: Vec::new(),
        has_first: false,
    };
    let mut raised = call.read(rest).err();
    if let Some(raised) = raised
        .as_mut()
        .filter(|raised| raised.reach == Reach::Unknown)
    {
        // An unknown call may reach the targets in its words.
        if let Some((word, reason)) = leads_beyond(rest, folder) {
            (raised.reach, raised.reason) = (Reach::Beyond, reason);
            raised.word.clone_from(&word.text);
        }
    }
    let is_named = |word: &Word| call.names.contains(&word.text);
    let named_until = match (facts.first, facts.operand) {
        (None, Target) => rest.iter().rposition(is_named),
        _ => rest.iter().position(is_named),
    };
    let (reach, reason) = match &raised {
        Some(raised) => (
            raised.reach.max(call.reach),
            format!("{}: {}", raised.word, raised.reason),
        ),
        None if facts.reach == Reach::Beyond => (call.reach, "runs what others wrote".to_owned()),
        None => (call.reach, String::new()),
    };
    let changing = facts.options.names("changing flag");
    let raised_by = match raised {
        Some(raised) if !call.names.contains(&raised.word) => Some(raised.word),
        _ => {
            let mut texts = rest.iter().map(|word| &word.text);
            texts.find(|text| is_listed(changing, text)).cloned()
        }
    };
    let names = subcommand.iter().map(|word| word.text.clone());
    let names: Vec<String> = names.chain(call.names).collect();
    let subject = known_subject(name, &names, raised_by.as_deref());
    let fixed = 1 + count + named_until.map_or(0, |last| last + 1);
    Judged {
        only_shows: facts.only_shows,
        ..Judged::new(reach, reason, (subject, fixed))
    }
}

/// Why a call reaches further than its facts say.
struct Raised {
    reach: Reach,
    /// The word that raises it.
    word: String,
    reason: &'static str,
}

fn raised<T>(reach: Reach, word: &str, reason: &'static str) -> Result<T, Raised> {
    let word = word.to_owned();
    Err(Raised {
        reach,
        word,
        reason,
    })
}

/// A call that is judged by the facts about it.
struct ProgramCall<'a> {
    facts: &'a CallFacts,
    name: &'a str,
    folder: &'a WorkingFolder<'a>,
    /// How far it reaches, by the arguments read so far.
    reach: Reach,
    /// The scripts and targets that it names.
    names: Vec<String>,
    /// True if an option stands instead of the first operand.
    has_first: bool,
}

impl ProgramCall<'_> {
    /// How far a call reaches that the table does not describe: beyond the project if the program can do anything.
    fn unknown(&self) -> Reach {
        match can_do_anything(self.name) {
            true => Reach::Beyond,
            false => Reach::Unknown,
        }
    }

    fn refuse<T>(&self, word: &str, reason: &'static str) -> Result<T, Raised> {
        raised(self.unknown(), word, reason)
    }

    /// True if the first operand is the name of a script.
    fn runs_script(&self) -> bool {
        matches!(self.facts.first, Some(Target))
    }

    /// True if the first operand is a program in a small language.
    fn runs_language(&self) -> bool {
        matches!(self.facts.first, Some(Form(_)))
    }

    /// Judges the arguments after the subcommand.
    fn read(&mut self, arguments: &[Word]) -> Result<(), Raised> {
        let mut operands: Vec<&Word> = Vec::new();
        let mut are_operands = false;
        let mut left = arguments.iter().peekable();
        while let Some(word) = left.next() {
            let text = word.text.as_str();
            if text == "--" && !are_operands {
                // After the name of a script, these are options for the program that it starts, and are judged as
                // options.
                are_operands = matches!(self.facts.operand, FileToShow) && !self.runs_language();
                continue;
            }
            if !may_be_option(word) || are_operands {
                operands.push(word);
                continue;
            }
            // A pattern after `--include=` cannot become another option.
            if word.is_spread && text.contains('$') || word.has_variable {
                return raised(Reach::Beyond, text, "what it becomes is not known");
            }
            let (kind, attached) = self.option(text)?;
            if matches!(kind, NameAndText) {
                let name = left.next().filter(|name| !name.is_open);
                if !name.is_some_and(|name| is_name(&name.text)) {
                    return self.refuse(text, "an option without its name");
                }
            }
            let value = match (kind, attached) {
                (_, Some(attached)) => Word {
                    text: attached.to_owned(),
                    ..word.clone()
                },
                (Flag | ChangingFlag, None) => continue,
                (Number, None) => {
                    left.next_if(|next| is_number(&next.text) && !next.is_open);
                    continue;
                }
                (_, None) => {
                    // Before the name of a script, it is not certain whether the next word is this option's value.
                    let is_early =
                        self.runs_script() && operands.is_empty() && matches!(kind, Text);
                    match left.next_if(|next| !may_be_option(next) && !is_early) {
                        Some(next) => next.clone(),
                        None => return self.refuse(text, "an option without its value"),
                    }
                }
            };
            self.value(kind, text, &value)?;
        }
        self.operands(&operands)
    }

    /// The kind of the option `text`, or of the last of several short ones together, and the value attached to it.
    fn option<'t>(&mut self, text: &'t str) -> Result<(ArgumentKind, Option<&'t str>), Raised> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(kind) = self.kind(name) {
            return Ok((kind, attached));
        }
        let letters = text.strip_prefix('-').unwrap_or_default();
        if is_number(letters) && self.facts.options.has("a number after a dash") {
            return Ok((Flag, None));
        }
        for (at, letter) in letters.char_indices() {
            let short = format!("-{letter}");
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            match self.kind(&short) {
                None => break,
                Some(kind) if rest.is_empty() => return Ok((kind, None)),
                Some(Flag | ChangingFlag) => {}
                Some(Number) if !is_number(rest) => break,
                Some(kind) => return Ok((kind, Some(rest))),
            }
        }
        self.refuse(text, "an option that is not known to be harmless")
    }

    /// The kind of `option`; `None` if the table does not have it.
    fn kind(&mut self, option: &str) -> Option<ArgumentKind> {
        let options = self.facts.options;
        let kind = options.kind(option)?;
        if matches!(kind, ChangingFlag) {
            self.reach = self.reach.max(Reach::Project);
        }
        self.has_first |= self.facts.first.is_some()
            && is_listed(options.names("instead of the first operand"), option);
        Some(kind)
    }

    fn value(&mut self, kind: ArgumentKind, option: &str, value: &Word) -> Result<(), Raised> {
        let text = value.text.as_str();
        let bad = match kind {
            // It is not known how a program in a language reads a text.
            Text if value.is_open && self.runs_language() => {
                Some((Reach::Unknown, "what is put in is not known"))
            }
            Text | NameAndText if !self.runs_script() => return self.text(value),
            Pattern => {
                self.text(value)?;
                let is_shown = is_secret(&text.replace(['*', '?'], "")) && !text.starts_with('!');
                is_shown.then_some((Reach::Beyond, "what may be secret"))
            }
            Target => return self.target(value),
            Number => (!is_number(text)).then_some((Reach::Unknown, "not a number")),
            OneOf(words) => {
                (!is_listed(words, text)).then_some((Reach::Unknown, "a value that is not known"))
            }
            Form(check) => {
                (!fits(check, value)).then_some((Reach::Unknown, "more than a plain program"))
            }
            File if is_foreign(text) && self.runs_script() => {
                Some((Reach::Beyond, "runs what others wrote"))
            }
            _ => {
                let is_option = text.starts_with('-') && text != "-";
                reach(value, self.folder)
                    .or_else(|| is_option.then_some("a value that may be an option"))
                    .map(|reason| (Reach::Beyond, reason))
            }
        };
        match bad {
            Some((reach, reason)) => raised(self.unknown().max(reach), option, reason),
            None => Ok(()),
        }
    }

    /// Judges a text that is compared or shown: it may be anything but the name of a file elsewhere.
    fn text(&self, word: &Word) -> Result<(), Raised> {
        if word.has_variable {
            // Its name may show that it is a secret.
            let reach = match is_secret(&word.text.replace('_', ".")) {
                true => Reach::Beyond,
                false => Reach::Unknown,
            };
            return raised(reach, &word.text, "what a variable holds is not known");
        }
        // curl reads the file named by a value with an at sign.
        if names_a_system_path(&word.text) || word.text.starts_with('@') && word.text != "@me" {
            return raised(Reach::Beyond, &word.text, OUTSIDE);
        }
        Ok(())
    }

    /// Judges a file or module that is run as a test. It must be named like a test, and must not be in a folder of
    /// other people's code.
    fn test(&self, word: &Word) -> Result<(), Raised> {
        if says_beyond(&word.text) || is_foreign(&word.text) {
            return raised(Reach::Beyond, &word.text, SAYS_BEYOND);
        }
        let lower = word.text.to_ascii_lowercase();
        let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
        match parts.any(|part| is_listed("test tests spec specs e2e unit integration", part)) {
            true => Ok(()),
            false => raised(
                Reach::Unknown,
                &word.text,
                "it does not say that it is a test",
            ),
        }
    }

    /// Judges a script or target by its name.
    fn target(&mut self, word: &Word) -> Result<(), Raised> {
        self.names.push(word.text.clone());
        match reach_of_target(word) {
            reach @ (Reach::Reads | Reach::Project) => {
                self.reach = self.reach.max(reach);
                Ok(())
            }
            Reach::Unknown => raised(Reach::Unknown, &word.text, "an unknown script or target"),
            Reach::Beyond => raised(Reach::Beyond, &word.text, SAYS_BEYOND),
        }
    }

    fn operands(&mut self, operands: &[&Word]) -> Result<(), Raised> {
        if operands.is_empty() && (self.runs_script() || matches!(self.facts.operand, Target)) {
            return self.refuse(self.name, "what it does without a name is not known");
        }
        let rest = self.first(operands)?;
        match self.facts.operand {
            OneFile if rest.len() > 1 => {
                let second = rest.get(1).map_or("", |word| word.text.as_str());
                raised(Reach::Beyond, second, "one operand too many")
            }
            // A moved file leaves the project, even if the target is a temporary file.
            FileToMove => {
                self.each(rest, reach)?;
                self.each(rest, changed)
            }
            FileToWrite => self.each(rest, changed),
            FileToShow if self.reach == Reach::Reads => self.each(rest, shown),
            FileToShow => self.each(rest, changed),
            DotFolder => {
                let begins = |word: &Word| word.text.starts_with('.');
                self.refuse_others(rest, begins, "not a folder of the project")?;
                self.each(rest, reach)
            }
            Text => rest.iter().try_for_each(|word| self.text(word)),
            Name => self.refuse_others(rest, is_plain_name, "not a plain name"),
            Test => {
                self.each(rest, reach)?;
                rest.iter().try_for_each(|word| self.test(word))
            }
            Target => rest.iter().try_for_each(|word| self.target(word)),
            File | OneFile => self.each(rest, reach),
            Form(check) => self.refuse_others(rest, |word| fits(check, word), NOT_HARMLESS),
            // The others are no operands.
            _ => self.refuse_others(rest, |_| false, NOT_HARMLESS),
        }
    }

    /// Judges the first of `operands` if it is not like the others, and returns the others.
    fn first<'o, 'w>(&mut self, operands: &'o [&'w Word]) -> Result<&'o [&'w Word], Raised> {
        let (Some(kind), [first, rest @ ..]) = (self.facts.first, operands) else {
            return Ok(operands);
        };
        match kind {
            _ if self.has_first => return Ok(operands),
            Target => self.target(first)?,
            Text => self.text(first)?,
            Form(check) => {
                // `sed -i ''` of macOS. If the empty text is the program, it does nothing.
                let (program, rest) = match rest {
                    [program, rest @ ..] if first.text.is_empty() => (program, rest),
                    _ => (first, rest),
                };
                let is_plain = |word: &Word| fits(check, word);
                self.refuse_others(&[*program], is_plain, "more than a plain print")?;
                return Ok(rest);
            }
            _ => return self.refuse(&first.text, NOT_HARMLESS),
        }
        Ok(rest)
    }

    /// Refuses the first of `words` that is not accepted.
    fn refuse_others(
        &self,
        words: &[&Word],
        is_accepted: impl Fn(&Word) -> bool,
        reason: &'static str,
    ) -> Result<(), Raised> {
        match words.iter().find(|word| !is_accepted(word)) {
            Some(word) => self.refuse(&word.text, reason),
            None => Ok(()),
        }
    }

    fn each(
        &self,
        words: &[&Word],
        reach: fn(&Word, &WorkingFolder<'_>) -> Option<&'static str>,
    ) -> Result<(), Raised> {
        for word in words {
            if let Some(reason) = reach(word, self.folder) {
                return raised(Reach::Beyond, &word.text, reason);
            }
        }
        Ok(())
    }
}

const SAYS_BEYOND: &str = "its name says that it reaches further";
const NOT_HARMLESS: &str = "not known to be harmless here";

/// True for a word that a program may take for an option: `-x` and `--x`, and neither `-`, `---` nor `- text`.
fn may_be_option(word: &Word) -> bool {
    let mut texts = ["---", "- "].iter();
    let is_text = texts.any(|start| word.text.starts_with(start));
    word.text.starts_with('-') && word.text != "-" && !is_text
}

/// True for a word of a form that this function accepts.
fn fits(check: fn(&str) -> bool, word: &Word) -> bool {
    !word.is_open && !names_a_system_path(&word.text) && check(&word.text)
}

/// True for a plain name of a branch, a package or a service. `@` precedes scopes and versions, `+` occurs in names.
fn is_plain_name(word: &Word) -> bool {
    let text = word.text.replace(['@', '+'], "a");
    !word.is_open && is_name(&text) && !is_secret(&word.text)
}

/// True for digits with an optional unit.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = digits
        .strip_suffix(['s', 'm', 'h', 'k', 'K', 'M', 'G', '%'])
        .unwrap_or(digits);
    let is_hex = digits.strip_prefix("0x").is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    is_hex || !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

// Calls that show the version or help, which nearly every program has.

/// Programs that show help without a pager, for themselves and for each subcommand.
const HELPFUL: &str =
    "cargo npm pip pip3 uv brew gh docker kubectl helm terraform tofu poetry rustup go composer";

/// Judges `PROGRAM --version`, which every known program answers, and calls for help; `None` for other calls.
pub(super) fn judge_version(name: &str, arguments: &[Word]) -> Option<Judged> {
    let is_plain = |word: &Word| {
        let mut bytes = word.text.bytes();
        !word.is_open && bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let is_asked = match arguments {
        [only] => match only.text.as_str() {
            "--version" | "--help" => is_program(name) || can_do_anything(name),
            "-h" | "help" => is_listed(HELPFUL, name),
            "-v" | "-V" | "version" => is_listed(
                "node npm pnpm yarn bun deno python python3 cargo rustc go ruby php java pip uv docker",
                name,
            ),
            _ => false,
        },
        [first, second] => {
            // The others show a manual page in a pager.
            let shows_help = first.text == "help" && !is_listed("cargo npm", name);
            let is_help =
                second.text == "--help" && is_plain(first) || shows_help && is_plain(second);
            is_help && is_listed(HELPFUL, name) && !says_beyond(&first.text)
        }
        _ => false,
    };
    is_asked.then(|| {
        let words: Vec<String> = arguments.iter().map(|word| word.text.clone()).collect();
        let subject = known_subject(name, &words, None);
        Judged {
            only_shows: true,
            ..Judged::new(Reach::Reads, String::new(), (subject, 1 + arguments.len()))
        }
    })
}
