//! What the row of a program says of one call.

use super::little;
use super::operand::{Place, is_name, is_secret, names_a_system_path, reach, shown};
use super::parse::Word;
use super::programs::{self, Operands, Row, can_do_anything, is_listed, rows};
use crate::permissions::Reach;

/// What a row says of a call.
pub(super) struct Found {
    pub(super) reach: Reach,
    /// Why it reaches further than the row says.
    pub(super) reason: Option<String>,
    /// How many arguments belong to the subcommand and what it names; options before it included.
    pub(super) fixed: usize,
    /// The subcommand, and the scripts or targets that are named.
    pub(super) named: Vec<String>,
    /// The option or operand that raised it.
    pub(super) raised_by: Option<String>,
    /// True where it shows files and does nothing else.
    pub(super) only_shows: bool,
}

/// The rows about `name` whose subcommand `arguments` begin with, and how many arguments that is.
fn candidates<'a>(
    name: &'a str,
    arguments: &'a [Word],
) -> impl Iterator<Item = (&'static Row, usize)> + 'a {
    rows().filter_map(move |row| {
        row.commands.split(", ").find_map(|command| {
            let mut words = command.split(' ');
            if words.next() != Some(name) {
                return None;
            }
            let mut count = 0;
            for word in words {
                let given = arguments.get(count)?;
                if given.text != word || given.is_open {
                    return None;
                }
                count += 1;
            }
            Some((row, count))
        })
    })
}

/// How many options stand before the subcommand that change nothing but what is shown, or name the project
/// itself.
fn globals(name: &str, arguments: &[Word], place: &Place<'_>) -> usize {
    let mut count = 0;
    loop {
        let text = |at: usize| {
            arguments
                .get(count + at)
                .map_or("", |word| word.text.as_str())
        };
        let is_open = arguments.get(count + 1).is_some_and(|word| word.is_open);
        count += match (name, text(0)) {
            ("git", "--no-pager" | "-P")
            | ("npm" | "pnpm" | "yarn", "-s" | "--silent")
            | (
                "cargo",
                "-q" | "--quiet" | "--offline" | "--locked" | "--frozen" | "+nightly" | "+stable"
                | "+beta",
            ) => 1,
            ("git", "-C") if place.is_project(text(1)) && !is_open => 2,
            _ => return count,
        };
    }
}

/// What the rows say; `None` for a program or subcommand that they do not have.
pub(super) fn find(name: &str, arguments: &[Word], place: &Place<'_>) -> Option<Found> {
    let skipped = globals(name, arguments, place);
    let rest = arguments.get(skipped..)?;
    let longest = candidates(name, rest).map(|(_, count)| count).max()?;
    let judged = candidates(name, rest)
        .filter(|(_, count)| *count == longest)
        .map(|(row, count)| judge(row, name, rest, count, place));
    let mut found = judged.min_by_key(|found| found.reach)?;
    found.fixed += skipped;
    Some(found)
}

fn judge(row: &Row, name: &str, arguments: &[Word], count: usize, place: &Place<'_>) -> Found {
    let (subcommand, rest) = arguments.split_at(count);
    let mut call = Call {
        row,
        name,
        place,
        reach: row.reach,
        names: Vec::new(),
    };
    let mut raised = call.read(rest).err();
    if let Some(raised) = raised
        .as_mut()
        .filter(|raised| raised.reach == Reach::Unknown)
    {
        // What is not known may go where its words lead.
        if let Some((word, reason)) = leads_beyond(rest, place) {
            (raised.reach, raised.reason) = (Reach::Beyond, reason);
            raised.word.clone_from(&word.text);
        }
    }
    let is_named = |word: &Word| call.names.contains(&word.text);
    let named_until = match row.operands {
        Operands::Targets => rest.iter().rposition(is_named),
        _ => rest.iter().position(is_named),
    };
    let names = subcommand.iter().map(|word| word.text.clone());
    Found {
        reach: raised
            .as_ref()
            .map_or(call.reach, |raised| raised.reach.max(call.reach)),
        reason: raised
            .as_ref()
            .map(|raised| format!("{}: {}", raised.word, raised.reason)),
        fixed: count + named_until.map_or(0, |last| last + 1),
        raised_by: match raised {
            Some(raised) if !call.names.contains(&raised.word) => Some(raised.word),
            _ => changing(row, rest),
        },
        named: names.chain(call.names).collect(),
        only_shows: programs::only_shows(row),
    }
}

/// The word of an unknown call that leaves the project or says that it reaches further, and why.
pub(super) fn leads_beyond<'w>(
    words: impl IntoIterator<Item = &'w Word>,
    place: &Place<'_>,
) -> Option<(&'w Word, &'static str)> {
    words.into_iter().find_map(|word| {
        let says =
            || programs::says_beyond(&word.text).then_some("it says that it reaches further");
        let reason = match word.is_open && !word.is_spread && !word.has_variable {
            // What a substitution prints is one word and no path of its own.
            true => None,
            false => reach(word, place),
        };
        Some((word, reason.or_else(says)?))
    })
}

/// The option by which the call changes the project although the row's others do not.
fn changing(row: &Row, arguments: &[Word]) -> Option<String> {
    let mut texts = arguments.iter().map(|word| &word.text);
    texts.find(|text| is_listed(row.changing, text)).cloned()
}

/// Why a call reaches further than its row says.
struct Raised {
    reach: Reach,
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

/// A call that is being judged by a row.
struct Call<'a> {
    row: &'a Row,
    name: &'a str,
    place: &'a Place<'a>,
    reach: Reach,
    /// The scripts and targets that it names.
    names: Vec<String>,
}

impl Call<'_> {
    /// How far what no row names reaches: programs that can do anything do what it says.
    fn unknown(&self) -> Reach {
        match can_do_anything(self.name) {
            true => Reach::Beyond,
            false => Reach::Unknown,
        }
    }

    fn read(&mut self, arguments: &[Word]) -> Result<(), Raised> {
        let mut operands: Vec<&Word> = Vec::new();
        let mut has_pattern = false;
        let mut are_operands = false;
        let mut left = arguments.iter().peekable();
        while let Some(word) = left.next() {
            let text = word.text.as_str();
            if text == "--" && !are_operands {
                // What follows are options for what a script starts, for the same reason judged as options.
                are_operands =
                    matches!(self.row.operands, Operands::TextThenFiles | Operands::Shown);
                continue;
            }
            if !may_be_option(word) || are_operands {
                operands.push(word);
                continue;
            }
            // A pattern behind `--include=` becomes no other option.
            if word.is_spread && text.contains('$') || word.has_variable {
                return raised(Reach::Beyond, text, "what it becomes is not known");
            }
            let (is_pattern, value) = self.option(text)?;
            has_pattern |= is_pattern;
            match value {
                Value::None => {}
                Value::Attached(kind, attached) => {
                    let attached = Word {
                        text: attached.to_owned(),
                        ..word.clone()
                    };
                    self.value(kind, text, &attached)?;
                }
                Value::Next(Kind::Number) => {
                    left.next_if(|next| is_number(&next.text) && !next.is_open);
                }
                Value::Next(kind) => {
                    // Before the name of a script it is not certain whose value the next word is.
                    let is_early =
                        matches!(self.row.operands, Operands::Script) && operands.is_empty();
                    let next = left.next_if(|next| !may_be_option(next));
                    match next.filter(|_| !(is_early && matches!(kind, Kind::Text))) {
                        Some(next) => self.value(kind, text, next)?,
                        None => return raised(self.unknown(), text, "an option without its value"),
                    }
                }
            }
        }
        self.operands(&operands, has_pattern)
    }

    /// Whether the option `text` gives the pattern, and its value.
    fn option<'t>(&mut self, text: &'t str) -> Result<(bool, Value<'t>), Raised> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(kind) = self.kind(name) {
            let value = match (kind, attached) {
                (Kind::None, None) => Value::None,
                (kind, Some(attached)) => Value::Attached(kind, attached),
                (kind, None) => Value::Next(kind),
            };
            return Ok((is_listed(self.row.pattern, name), value));
        }
        let letters = text.strip_prefix('-').unwrap_or_default();
        if is_listed(self.row.numbers, "-#") && is_number(letters) {
            return Ok((false, Value::None));
        }
        // Short options together: all but the last without a value.
        for (at, letter) in letters.char_indices() {
            let short = format!("-{letter}");
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let is_pattern = is_listed(self.row.pattern, &short);
            match self.kind(&short) {
                Some(Kind::None) if rest.is_empty() => return Ok((is_pattern, Value::None)),
                Some(Kind::None) => {}
                Some(Kind::Number) if !rest.is_empty() && !is_number(rest) => break,
                Some(kind) if rest.is_empty() => return Ok((is_pattern, Value::Next(kind))),
                Some(kind) => return Ok((is_pattern, Value::Attached(kind, rest))),
                None => break,
            }
        }
        raised(
            self.unknown(),
            text,
            "an option that is not known to be harmless",
        )
    }

    /// What belongs to `option`; `None` for one that the row does not have.
    fn kind(&mut self, option: &str) -> Option<Kind> {
        let row = self.row;
        if is_listed(row.changing, option) {
            self.reach = self.reach.max(Reach::Project);
        }
        [
            (row.flags, Kind::None),
            (row.changing, Kind::None),
            (row.numbers, Kind::Number),
            (row.texts, Kind::Text),
            (row.files, Kind::File),
            (row.runs, Kind::Run),
            (row.filters, Kind::Filter),
        ]
        .into_iter()
        .find_map(|(options, kind)| is_listed(options, option).then_some(kind))
        .or_else(|| {
            let choices = row.choices.iter();
            let mut of = choices.filter(|(options, _)| is_listed(options, option));
            of.next().map(|(_, words)| Kind::OneOf(words))
        })
    }

    fn value(&mut self, kind: Kind, option: &str, value: &Word) -> Result<(), Raised> {
        let text = value.text.as_str();
        let reason = match kind {
            Kind::Text => return self.text(value),
            Kind::Number => (!is_number(text)).then_some("not a number"),
            Kind::OneOf(words) => (!is_listed(words, text)).then_some("a value that is not known"),
            Kind::Run => return self.script(value),
            Kind::Filter => {
                let is_plain =
                    !value.is_open && !names_a_system_path(text) && little::is_plain_jq(text);
                (!is_plain).then_some("more than a plain filter")
            }
            Kind::None | Kind::File => reach(value, self.place).or_else(|| {
                let is_option = text.starts_with('-') && text != "-";
                is_option.then_some("a value that may be an option")
            }),
        };
        match reason {
            Some(reason) => raised(self.unknown().max(outside(kind)), option, reason),
            None => Ok(()),
        }
    }

    /// A text is compared or shown: it may be anything but the name of a file elsewhere.
    fn text(&self, word: &Word) -> Result<(), Raised> {
        if word.has_variable {
            // Its name may say that it is a secret.
            let reach = match is_secret(&word.text.replace('_', ".")) {
                true => Reach::Beyond,
                false => Reach::Unknown,
            };
            return raised(reach, &word.text, "what a variable holds is not known");
        }
        // curl reads the file that a value with an at sign names.
        if names_a_system_path(&word.text) || word.text.starts_with('@') {
            return raised(Reach::Beyond, &word.text, "a path outside the project");
        }
        Ok(())
    }

    /// The name of a script or target, which says what it does.
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
        let rest = operands.get(1..).unwrap_or_default();
        match self.row.operands {
            Operands::Nothing => match operands.first() {
                Some(word) => raised(self.unknown(), &word.text, "not known to be harmless here"),
                None => Ok(()),
            },
            Operands::Files => self.files(operands),
            Operands::OneFile if !rest.is_empty() => {
                let second = rest.first().map_or("", |word| word.text.as_str());
                raised(Reach::Beyond, second, "one operand too many")
            }
            Operands::OneFile | Operands::Shown => self.shown(operands),
            Operands::Folders => match operands.iter().find(|word| !word.text.starts_with('.')) {
                Some(word) => raised(self.unknown(), &word.text, "not a folder of the project"),
                None => self.files(operands),
            },
            Operands::Text => operands.iter().try_for_each(|word| self.text(word)),
            Operands::TextThenFiles if has_pattern => self.shown(operands),
            Operands::TextThenFiles => {
                operands
                    .iter()
                    .take(1)
                    .try_for_each(|word| self.text(word))?;
                self.shown(rest)
            }
            Operands::ProgramThenFiles(is_plain) => match operands.first() {
                Some(word)
                    if word.is_open || names_a_system_path(&word.text) || !is_plain(&word.text) =>
                {
                    raised(self.unknown(), &word.text, "more than a plain print")
                }
                _ => self.shown(rest),
            },
            Operands::Each(is_plain) => {
                match operands
                    .iter()
                    .find(|word| word.is_open || !is_plain(&word.text))
                {
                    Some(word) => {
                        raised(self.unknown(), &word.text, "not known to be harmless here")
                    }
                    None => Ok(()),
                }
            }
            Operands::Names => {
                let is_plain =
                    |word: &Word| !word.is_open && is_name(&word.text) && !is_secret(&word.text);
                match operands.iter().find(|word| !is_plain(word)) {
                    Some(word) => raised(self.unknown(), &word.text, "not a plain name"),
                    None => Ok(()),
                }
            }
            Operands::Script => match operands.first() {
                Some(word) => {
                    self.script(word)?;
                    self.files(rest)
                }
                None => raised(
                    self.unknown(),
                    self.name,
                    "what it does without a name is not known",
                ),
            },
            Operands::Targets => match operands {
                [] => raised(
                    Reach::Unknown,
                    self.name,
                    "what it does without a name is not known",
                ),
                words => words.iter().try_for_each(|word| self.script(word)),
            },
        }
    }

    fn files(&self, words: &[&Word]) -> Result<(), Raised> {
        self.each(words, reach)
    }

    fn shown(&self, words: &[&Word]) -> Result<(), Raised> {
        self.each(words, shown)
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
    let is_text = ["---", "- "]
        .iter()
        .any(|start| word.text.starts_with(start));
    word.text.starts_with('-') && word.text != "-" && !is_text
}

/// A value that is no file of the project may be one elsewhere.
fn outside(kind: Kind) -> Reach {
    match kind {
        Kind::File | Kind::None => Reach::Beyond,
        _ => Reach::Unknown,
    }
}

#[derive(Clone, Copy)]
enum Kind {
    None,
    Number,
    Text,
    File,
    Run,
    Filter,
    OneOf(&'static str),
}

enum Value<'t> {
    None,
    Attached(Kind, &'t str),
    Next(Kind),
}

/// Digits, with a unit behind them.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = digits
        .strip_suffix(['s', 'm', 'h', 'k', 'K', 'M', 'G', '%'])
        .unwrap_or(digits);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// How far a script or target reaches by the parts of its name.
pub(super) fn script(word: &Word) -> Reach {
    if word.is_open {
        return Reach::Beyond;
    }
    let lower = word.text.to_ascii_lowercase();
    let parts = || lower.split(['-', '_', ':', '.', '/']);
    let is_in = |list: &str| parts().any(|part| is_listed(list, part));
    if programs::says_beyond(&lower) || !is_name(&word.text.replace(':', "-")) {
        return Reach::Beyond;
    }
    let known = |part: &str| {
        [programs::CHECKING, programs::CHANGING, programs::BESIDE]
            .iter()
            .any(|list| is_listed(list, part))
            || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
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
