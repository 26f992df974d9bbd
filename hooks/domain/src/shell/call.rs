//! A call of a program, judged by its row: its options with their values, then its operands.

use super::operand::{
    Place, changed, is_foreign, is_name, is_secret, names_a_system_path, reach, shown,
};
use super::parser::Word;
use super::programs::{self, Operands, Options, Row, can_do_anything};
use super::rows::{is_listed, says_beyond};
use crate::permissions::Reach;

/// Why a call reaches further than its row says.
pub(super) struct Raised {
    pub(super) reach: Reach,
    /// The word that raises it.
    pub(super) word: String,
    pub(super) reason: &'static str,
}

fn raised<T>(reach: Reach, word: &str, reason: &'static str) -> Result<T, Raised> {
    let word = word.to_owned();
    Err(Raised {
        reach,
        word,
        reason,
    })
}

/// A call that is judged by a row.
pub(super) struct ProgramCall<'a> {
    pub(super) row: &'a Row,
    pub(super) name: &'a str,
    pub(super) place: &'a Place<'a>,
    /// How far it reaches, by the arguments read so far.
    pub(super) reach: Reach,
    /// The scripts and targets that it names.
    pub(super) names: Vec<String>,
}

/// An option of the call, and the value attached to it.
struct Given<'t> {
    /// `None` for a number after a dash.
    kind: Option<&'static Options>,
    attached: Option<&'t str>,
    /// True if it replaces the text operand before the files.
    is_pattern: bool,
}

impl ProgramCall<'_> {
    /// How far what no row names reaches: programs that can do anything do what it says.
    fn unknown(&self) -> Reach {
        match can_do_anything(self.name) {
            true => Reach::Beyond,
            false => Reach::Unknown,
        }
    }

    /// Judges the arguments after the subcommand.
    pub(super) fn read(&mut self, arguments: &[Word]) -> Result<(), Raised> {
        let mut operands: Vec<&Word> = Vec::new();
        let mut has_pattern = false;
        let mut are_operands = false;
        let mut left = arguments.iter().peekable();
        while let Some(word) = left.next() {
            let text = word.text.as_str();
            if text == "--" && !are_operands {
                // After the name of a script, these are options for the program that it starts, and are judged as
                // options.
                let shows = matches!(
                    self.row.operands,
                    Operands::TextThenFiles(_) | Operands::Shown
                );
                are_operands = shows;
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
            let given = self.option(text)?;
            has_pattern |= given.is_pattern;
            if let Some(Options::Pairs(_)) = given.kind
                && !left
                    .next()
                    .is_some_and(|name| !name.is_open && is_name(&name.text))
            {
                return raised(self.unknown(), text, "an option without its name");
            }
            let value = match (given.kind, given.attached) {
                (_, Some(attached)) => Word {
                    text: attached.to_owned(),
                    ..word.clone()
                },
                (None | Some(Options::Flags(_) | Options::Changing(_)), None) => continue,
                (Some(Options::Numbers(_)), None) => {
                    left.next_if(|next| is_number(&next.text) && !next.is_open);
                    continue;
                }
                (Some(kind), None) => {
                    // Before the name of a script, it is not certain whether the next word is this option's value.
                    let is_early = matches!(self.row.operands, Operands::Script)
                        && operands.is_empty()
                        && matches!(kind, Options::Texts(_));
                    match left.next_if(|next| !may_be_option(next) && !is_early) {
                        Some(next) => next.clone(),
                        None => return raised(self.unknown(), text, "an option without its value"),
                    }
                }
            };
            self.value(given.kind, text, &value)?;
        }
        self.operands(&operands, has_pattern)
    }

    /// The row's entry for the option `text`: one of its options, or several short ones together.
    fn option<'t>(&mut self, text: &'t str) -> Result<Given<'t>, Raised> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(kind) = self.kind(name) {
            return Ok(self.given(name, Some(kind), attached));
        }
        let letters = text.strip_prefix('-').unwrap_or_default();
        if is_number(letters) && self.kind("-#").is_some() {
            return Ok(self.given("-#", None, None));
        }
        for (at, letter) in letters.char_indices() {
            let short = format!("-{letter}");
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            match self.kind(&short) {
                None => break,
                Some(kind) if rest.is_empty() => return Ok(self.given(&short, Some(kind), None)),
                Some(Options::Flags(_) | Options::Changing(_)) => {}
                Some(Options::Numbers(_)) if !is_number(rest) => break,
                Some(kind) => return Ok(self.given(&short, Some(kind), Some(rest))),
            }
        }
        raised(
            self.unknown(),
            text,
            "an option that is not known to be harmless",
        )
    }

    fn given<'t>(
        &self,
        option: &str,
        kind: Option<&'static Options>,
        attached: Option<&'t str>,
    ) -> Given<'t> {
        let is_pattern = match self.row.operands {
            Operands::TextThenFiles(patterns) => is_listed(patterns, option),
            Operands::ProgramThenFiles(_) => matches!(kind, Some(Options::Programs(..))),
            _ => false,
        };
        Given {
            kind,
            attached,
            is_pattern,
        }
    }

    /// The kind of `option` in the row; `None` if the row does not have it.
    fn kind(&mut self, option: &str) -> Option<&'static Options> {
        let mut options = self.row.options.iter();
        let found = options.find(|one| is_listed(one.names(), option))?;
        if let Options::Changing(_) = found {
            self.reach = self.reach.max(Reach::Project);
        }
        Some(found)
    }

    fn value(&mut self, kind: Option<&Options>, option: &str, value: &Word) -> Result<(), Raised> {
        let text = value.text.as_str();
        let is_script = matches!(self.row.operands, Operands::Script);
        let bad = match kind {
            // It is not known how a script reads a text.
            Some(Options::Texts(_))
                if value.is_open && matches!(self.row.operands, Operands::ProgramThenFiles(_)) =>
            {
                Some((Reach::Unknown, "what is put in is not known"))
            }
            Some(Options::Texts(_) | Options::Pairs(_)) if !is_script => return self.text(value),
            Some(Options::Globs(_)) => {
                self.text(value)?;
                let is_shown = is_secret(&text.replace(['*', '?'], "")) && !text.starts_with('!');
                is_shown.then_some((Reach::Beyond, "what may be secret"))
            }
            Some(Options::Runs(_)) => return self.script(value),
            Some(Options::Numbers(_)) => {
                (!is_number(text)).then_some((Reach::Unknown, "not a number"))
            }
            Some(Options::OneOf((_, words))) => {
                (!is_listed(words, text)).then_some((Reach::Unknown, "a value that is not known"))
            }
            Some(Options::Programs((_, is_plain))) => {
                let is_plain = !value.is_open && is_plain_program(*is_plain, text);
                (!is_plain).then_some((Reach::Unknown, "more than a plain program"))
            }
            Some(Options::Paths(_)) if is_foreign(text) && is_script => {
                Some((Reach::Beyond, "runs what others wrote"))
            }
            _ => {
                let is_option = text.starts_with('-') && text != "-";
                reach(value, self.place)
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
            return raised(Reach::Beyond, &word.text, "a path outside the project");
        }
        Ok(())
    }

    /// Judges a file or module that is run as a test. It must be named like a test, and must not be in a folder of
    /// other people's code.
    fn test(&self, word: &Word) -> Result<(), Raised> {
        let lower = word.text.to_ascii_lowercase();
        let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
        if says_beyond(&word.text) || is_foreign(&word.text) {
            return raised(
                Reach::Beyond,
                &word.text,
                "its name says that it reaches further",
            );
        }
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
    fn script(&mut self, word: &Word) -> Result<(), Raised> {
        self.names.push(word.text.clone());
        match script(word) {
            reach @ (Reach::Reads | Reach::Project) => {
                self.reach = self.reach.max(reach);
                Ok(())
            }
            Reach::Unknown => raised(Reach::Unknown, &word.text, "an unknown script or target"),
            Reach::Beyond => raised(
                Reach::Beyond,
                &word.text,
                "its name says that it reaches further",
            ),
        }
    }

    fn operands(&mut self, operands: &[&Word], has_pattern: bool) -> Result<(), Raised> {
        let first = operands.first().copied();
        let rest = operands.get(1..).unwrap_or_default();
        match self.row.operands {
            Operands::Nothing => self.refuse(first, "not known to be harmless here"),
            Operands::Files => self.each(operands, reach),
            // A moved file leaves the project, even if the target is a temporary file.
            Operands::Written if self.name == "git" => {
                self.each(operands, reach)?;
                self.each(operands, changed)
            }
            Operands::Written => self.each(operands, changed),
            Operands::OneFile if !rest.is_empty() => {
                let second = rest.first().map_or("", |word| word.text.as_str());
                raised(Reach::Beyond, second, "one operand too many")
            }
            Operands::OneFile => self.each(operands, reach),
            Operands::Shown => self.each(operands, shown),
            Operands::Folders => {
                let is_other = |word: &&&Word| !word.text.starts_with('.');
                let other = operands.iter().find(is_other).copied();
                self.refuse(other, "not a folder of the project")?;
                self.each(operands, reach)
            }
            Operands::Text => operands.iter().try_for_each(|word| self.text(word)),
            Operands::TextThenFiles(_) if has_pattern => self.each(operands, shown),
            Operands::TextThenFiles(_) => {
                first.map_or(Ok(()), |word| self.text(word))?;
                self.each(rest, shown)
            }
            Operands::ProgramThenFiles(_) if has_pattern => self.each(operands, self.touched()),
            Operands::ProgramThenFiles(is_plain) => {
                // `sed -i ''` of macOS. If the empty text is the program, it does nothing.
                let is_empty = first.is_some_and(|word| word.text.is_empty()) && !rest.is_empty();
                let (first, rest) = match (is_empty, rest.split_first()) {
                    (true, Some((first, rest))) => (Some(*first), rest),
                    _ => (first, rest),
                };
                let is_more =
                    |word: &&Word| word.is_open || !is_plain_program(is_plain, &word.text);
                self.refuse(first.filter(is_more), "more than a plain print")?;
                self.each(rest, self.touched())
            }
            Operands::Each(is_plain) => {
                let is_more = |word: &&&Word| word.is_open || !is_plain(&word.text);
                let more = operands.iter().find(is_more).copied();
                self.refuse(more, "not known to be harmless here")
            }
            Operands::Names => {
                // `@` precedes scopes and versions, `+` occurs in names.
                let is_more = |word: &&&Word| {
                    let text = word.text.replace(['@', '+'], "a");
                    word.is_open || !is_name(&text) || is_secret(&word.text)
                };
                self.refuse(operands.iter().find(is_more).copied(), "not a plain name")
            }
            Operands::Script | Operands::Targets if operands.is_empty() => raised(
                self.unknown(),
                self.name,
                "what it does without a name is not known",
            ),
            Operands::Script => {
                first.map_or(Ok(()), |word| self.script(word))?;
                self.each(rest, reach)
            }
            Operands::Tests => {
                self.each(operands, reach)?;
                operands.iter().try_for_each(|word| self.test(word))
            }
            Operands::Targets => operands.iter().try_for_each(|word| self.script(word)),
        }
    }

    /// The check for the files of a call, by its reach.
    fn touched(&self) -> fn(&Word, &Place<'_>) -> Option<&'static str> {
        match self.reach {
            Reach::Reads => shown,
            _ => changed,
        }
    }

    fn refuse(&self, word: Option<&Word>, reason: &'static str) -> Result<(), Raised> {
        match word {
            Some(word) => raised(self.unknown(), &word.text, reason),
            None => Ok(()),
        }
    }

    fn each(
        &self,
        words: &[&Word],
        reach: fn(&Word, &Place<'_>) -> Option<&'static str>,
    ) -> Result<(), Raised> {
        for word in words {
            if let Some(reason) = reach(word, self.place) {
                return raised(Reach::Beyond, &word.text, reason);
            }
        }
        Ok(())
    }
}

/// True for a word that a program may take for an option: `-x` and `--x`, and neither `-`, `---` nor `- text`.
fn may_be_option(word: &Word) -> bool {
    let mut texts = ["---", "- "].iter();
    let is_text = texts.any(|start| word.text.starts_with(start));
    word.text.starts_with('-') && word.text != "-" && !is_text
}

fn is_plain_program(is_plain: fn(&str) -> bool, program: &str) -> bool {
    !names_a_system_path(program) && is_plain(program)
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

/// The reach of a script or target, by the parts of its name.
fn script(word: &Word) -> Reach {
    let lower = word.text.to_ascii_lowercase();
    if word.is_open || says_beyond(&word.text) || !is_name(&lower.replace(':', "-")) {
        return Reach::Beyond;
    }
    let parts = || lower.split(['-', '_', ':', '.', '/']);
    let is_in = |list: &str| parts().any(|part| is_listed(list, part));
    let known = |part: &str| {
        let lists = [programs::CHECKING, programs::CHANGING, programs::BESIDE];
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number || lists.iter().any(|list| is_listed(list, part))
    };
    if !parts().all(known) {
        Reach::Unknown
    } else if is_in(programs::CHANGING) {
        Reach::Project
    } else if is_in(programs::CHECKING) {
        Reach::Reads
    } else {
        Reach::Unknown
    }
}
