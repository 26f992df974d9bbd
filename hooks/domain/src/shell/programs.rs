//! The facts about programs in `programs.tsv`, whose first lines explain its columns. What it does not say is not known.

use std::cell::RefCell;
use std::ops::Range;

use super::languages;
use super::operands::is_listed;
use super::parse::Word;
use crate::reach::Reach;
use crate::tsv::{TsvFile, lines, starts};
use crate::words::KnownWords;

const FILE: &str = include_str!("programs.tsv");

static PROGRAMS: TsvFile = TsvFile::new(FILE, &starts::<{ lines(FILE) }>(FILE));

thread_local! {
    /// The places of the lines about a command: a long one names the same few again and again.
    static FOUND: RefCell<KnownWords<Range<usize>>> = RefCell::default();
}

/// The lines about `command` and its subcommands, each split after its first column.
fn lines_of(command: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let find = |command: &str| PROGRAMS.of_words(command);
    let places = FOUND.with_borrow_mut(|found| found.of(command, find));
    places.map(|at| PROGRAMS.line(at))
}

/// The columns after the first of the lines about exactly `command`, which come before those about its subcommands.
fn about(command: &str) -> impl Iterator<Item = &'static str> {
    let lines = lines_of(command);
    lines.map_while(move |(one, columns)| (one == command).then_some(columns))
}

/// The columns after `what` in the lines that say this of `command`.
fn said<'c>(command: &'c str, what: &'c str) -> impl Iterator<Item = &'static str> + 'c {
    about(command).filter_map(move |columns| columns.strip_prefix(what)?.strip_prefix('\t'))
}

/// True for a program that can do anything.
pub(super) fn can_do_anything(name: &str) -> bool {
    about(name).any(|columns| columns.starts_with("can do anything"))
}

/// True for the name of a known program, even in a sentence.
pub(crate) fn is_program(name: &str) -> bool {
    let mut lines = lines_of(name);
    let is_known = lines.any(|(_, columns)| {
        let what = columns.split('\t').next().unwrap_or_default();
        columns == "can do anything" || what.starts_with("like ") || reach(what).is_some()
    });
    is_known && !name.contains(' ')
}

/// What the table says of the calls of a program or subcommand.
pub(super) struct CallFacts {
    /// How far they reach with only these options and operands.
    pub(super) reach: Reach,
    /// True if they only show files.
    pub(super) only_shows: bool,
    /// True if the table says nothing of a call without arguments.
    needs_argument: bool,
    /// The first operand, if it is not like the others.
    pub(super) first: Option<ArgumentKind>,
    /// Each operand, or each after the first.
    pub(super) operand: ArgumentKind,
    pub(super) options: OptionColumns,
}

/// What an operand is, or the value of an option; the first lines of the table say what each means.
#[derive(Clone, Copy)]
pub(super) enum ArgumentKind {
    Nothing,
    Flag,
    ChangingFlag,
    Number,
    Text,
    NameAndText,
    Pattern,
    File,
    OneFile,
    FileToShow,
    FileToWrite,
    FileToMove,
    Folder,
    DotFolder,
    Name,
    Test,
    Target,
    /// One of these words.
    OneOf(&'static str),
    /// A word that this function accepts.
    Form(fn(&str) -> bool),
}

impl ArgumentKind {
    /// The kind in a column of the table.
    pub(super) fn named(name: &'static str) -> Option<Self> {
        Some(match name {
            "none" => Self::Nothing,
            "flag" => Self::Flag,
            "changing flag" => Self::ChangingFlag,
            "number" => Self::Number,
            "text" => Self::Text,
            "name and text" => Self::NameAndText,
            "pattern" => Self::Pattern,
            "file" => Self::File,
            "one file" => Self::OneFile,
            "file to show" => Self::FileToShow,
            "file to write" => Self::FileToWrite,
            "file to move" => Self::FileToMove,
            "folder" => Self::Folder,
            "folder beginning with a dot" => Self::DotFolder,
            "name" => Self::Name,
            "test" => Self::Test,
            "target" => Self::Target,
            _ => match name.strip_prefix("one of ") {
                Some(words) => Self::OneOf(words),
                None => Self::Form(languages::check(name)?),
            },
        })
    }
}

/// How far calls reach by the second column; `None` if it says something else.
fn reach(what: &str) -> Option<Reach> {
    Some(match what {
        "shows" | "shows with an argument" | "reads" => Reach::Reads,
        "project" => Reach::Project,
        "beyond" => Reach::Beyond,
        _ => return None,
    })
}

impl CallFacts {
    /// The facts in the columns after the command.
    pub(super) fn read(columns: &'static str) -> Option<Self> {
        let mut columns = columns.splitn(3, '\t');
        let (what, operands) = (columns.next()?, columns.next()?);
        let (first, operand) = match operands.split_once(", then ") {
            Some((first, others)) => (Some(ArgumentKind::named(first)?), others),
            None => (None, operands),
        };
        Some(Self {
            reach: reach(what)?,
            only_shows: what.starts_with("shows"),
            needs_argument: what == "shows with an argument",
            first,
            operand: ArgumentKind::named(operand)?,
            options: OptionColumns(columns.next().unwrap_or_default()),
        })
    }
}

/// The columns with options: each is a kind, a colon and names, or a remark without a colon.
#[derive(Clone, Copy)]
pub(super) struct OptionColumns(&'static str);

impl OptionColumns {
    fn lists(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let columns = self.0.split('\t');
        columns.filter_map(|column| column.split_once(':'))
    }

    /// The kind of the option `name`; `None` if the line does not have it.
    pub(super) fn kind(self, name: &str) -> Option<ArgumentKind> {
        let (kind, _) = self.lists().find(|(_, names)| is_listed(names, name))?;
        ArgumentKind::named(kind)
    }

    /// The names of the options of a kind.
    pub(super) fn names(self, kind: &str) -> &'static str {
        let list = self.lists().find(|(one, _)| *one == kind);
        list.map_or("", |(_, names)| names)
    }

    /// True if the line has the column `remark`.
    pub(super) fn has(self, remark: &str) -> bool {
        self.0.split('\t').any(|column| column == remark)
    }
}

/// The beginnings of a call that the table knows, the shortest first: `npm`, `npm run`. Each with its number of arguments.
fn beginnings(program: &str, arguments: &[Word]) -> impl Iterator<Item = (usize, String)> {
    let longer = |(count, command): &(usize, String)| {
        let word = arguments.get(*count).filter(|word| !word.is_open)?;
        let is_one = !word.text.contains([' ', '\t']);
        let command = [command, " ", &word.text].concat();
        let is_known = is_one && lines_of(&command).next().is_some();
        is_known.then_some((count + 1, command))
    };
    std::iter::successors(Some((0, program.to_owned())), longer)
}

/// What the table says of the longest subcommand of `program` that begins `arguments`, and the number of arguments that
/// it takes. A call is allowed if one of the facts allows it.
pub(super) fn call_facts(program: &str, arguments: &[Word]) -> (usize, Vec<CallFacts>) {
    let mut found = (0, Vec::new());
    for (count, command) in beginnings(program, arguments) {
        let mut facts = Vec::new();
        about(&command).for_each(|columns| add_facts(columns, &mut facts));
        facts.retain(|one| count < arguments.len() || !one.needs_argument);
        if !facts.is_empty() {
            found = (count, facts);
        }
    }
    found
}

fn add_facts(columns: &'static str, facts: &mut Vec<CallFacts>) {
    match columns.strip_prefix("like ") {
        Some(other) => about(other).for_each(|columns| add_facts(columns, facts)),
        None => facts.extend(CallFacts::read(columns)),
    }
}

/// What `command` shows with any arguments, in words; `None` if it could do more.
pub(crate) fn with_any_arguments(command: &str) -> Option<&'static str> {
    said(command, "with any arguments").next()
}

/// The options that `program` has before its subcommand.
pub(super) fn options_before_subcommand(program: &str) -> OptionColumns {
    let columns = said(program, "has before its subcommand").next();
    OptionColumns(columns.unwrap_or_default())
}

// Programs that start others: `npx`, `python3 -m`, `timeout 5`, `nice`, `xargs`.

/// A program that another one starts.
pub(super) struct StartedProgram<'a> {
    pub(super) launcher: String,
    /// The number of the launcher's arguments before the program.
    pub(super) count: usize,
    pub(super) name: &'a str,
    pub(super) arguments: &'a [Word],
}

/// The program that the launcher `name` (`npx`, `python3 -m`) starts, if it may start that program.
pub(super) fn launched<'a>(name: &str, arguments: &'a [Word]) -> Option<StartedProgram<'a>> {
    beginnings(name, arguments).find_map(|(count, launcher)| {
        let programs = said(&launcher, "starts").next()?;
        let programs = match programs.strip_prefix("like ") {
            Some(other) => said(other, "starts").next()?,
            None => programs,
        };
        let (inner, arguments) = arguments.get(count..)?.split_first()?;
        let may_start = !inner.is_open && is_listed(programs, &inner.text);
        may_start.then_some(StartedProgram {
            launcher,
            count,
            name: &inner.text,
            arguments,
        })
    })
}

/// The command that `xargs` starts for each line.
pub(super) fn started_for_each_line(arguments: &[Word]) -> Option<&[Word]> {
    let columns = said("xargs", "starts the command after it for each line").next()?;
    let is_value = |value: &str| !value.starts_with('-');
    let count = leading_options(arguments, OptionColumns(columns), is_value)?;
    arguments.get(count..).filter(|words| !words.is_empty())
}

/// The number of words of the wrapper at the start of a command: `timeout 5`, `nice -n 5`, `time`, `env CI=1`.
pub(super) fn wrapper(words: &[Word]) -> Option<usize> {
    let (name, arguments) = words.split_first()?;
    let columns = said(&name.text, "starts the command after it").next()?;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_plain = |text: &str| !text.is_empty() && text.bytes().all(is_part);
    let mut at = 1 + leading_options(arguments, OptionColumns(columns), is_plain)?;
    if columns.starts_with("number") {
        let digits = text(at).trim_end_matches(['s', 'm', 'h', 'd']);
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
        at += 1;
    }
    if name.text == "env" {
        let settings = words.iter().skip(at);
        at += settings.take_while(|word| setting(word).is_some()).count();
        at += usize::from(text(at) == "--");
    }
    // A wrapper without a program does something by itself.
    let is_program = text(at).starts_with(|c: char| c.is_ascii_alphabetic() || c == '.');
    is_program.then_some(at)
}

/// The number of leading `words` that are flags, or options with a value that `is_plain` accepts, in the next word or
/// attached; `None` for any other option.
fn leading_options(
    words: &[Word],
    options: OptionColumns,
    is_plain: impl Fn(&str) -> bool,
) -> Option<usize> {
    let (flags, valued) = (options.names("flag"), options.names("text"));
    let mut at = 0;
    loop {
        let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
        let has_attached = || {
            let mut names = valued.split(' ').filter(|name| !name.is_empty());
            names.any(|name| {
                let rest = text(at).strip_prefix(name);
                let value = match name.starts_with("--") {
                    true => rest.and_then(|rest| rest.strip_prefix('=')),
                    false => rest,
                };
                value.is_some_and(|value| !value.is_empty() && is_plain(value))
            })
        };
        at += match text(at) {
            "--" => return Some(at + 1),
            flag if is_listed(flags, flag) => 1,
            option if is_listed(valued, option) && is_plain(text(at + 1)) => 2,
            option if !option.starts_with('-') => return Some(at),
            _ if has_attached() => 1,
            _ => return None,
        };
    }
}

// Variables that are set for a program.

/// The variable that `word` sets for `env`, and its value.
pub(super) fn setting(word: &Word) -> Option<(&str, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let value = Word {
        text: value.to_owned(),
        ..word.clone()
    };
    (!name.is_empty() && name.bytes().all(is_plain)).then_some((name, value))
}

/// Variables that change only the output, or choose built-in settings.
const VARIABLES: &str = "CI DEBUG FORCE_COLOR NO_COLOR LANG LC_ALL TZ RUST_LOG RUST_BACKTRACE COLUMNS VERBOSE LOG_LEVEL \
    CARGO_TERM_COLOR CARGO_INCREMENTAL PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PROPTEST_CASES CGO_ENABLED GOOS \
    GOARCH GO111MODULE UPDATE_SNAPSHOTS TERM COLORTERM LANGUAGE LC_CTYPE LC_TIME LINES CLICOLOR CLICOLOR_FORCE \
    DEBIAN_FRONTEND GIT_TERMINAL_PROMPT";

/// Variables that choose settings by a name.
const ENVIRONMENTS: &str = "NODE_ENV MIX_ENV RAILS_ENV RACK_ENV APP_ENV";

/// True for a variable that may be set to this value for any command.
pub(super) fn is_harmless_setting(name: &str, value: &Word) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.,:=-".contains(&byte);
    let text = value.text.as_str();
    let is_known = if is_listed(ENVIRONMENTS, name) {
        is_listed("test development dev ci", text)
    } else {
        is_listed(VARIABLES, name) && !text.to_ascii_lowercase().contains("prod")
    };
    is_known && !value.is_open && text.bytes().all(is_plain)
}

/// True for a variable that decides what programs run, load or follow.
pub(super) fn decides_what_runs(name: &str) -> bool {
    const STARTS: &str = "LD_ DYLD_ GIT_ PYTHON PYTEST MAKE RUBY PERL NODE_ JAVA MAVEN GRADLE npm_ NPM_ CARGO_ RUSTC \
        RUSTFLAGS BASH_";
    // The last ones name another machine.
    const ENDS: &str = "PATH OPTIONS OPTS FLAGS SHELL EDITOR PAGER PROXY proxy WRAPPER RUNNER HOME \
        CONFIG REGISTRY INDEX_URL INDEX HOST HOSTNAME SERVER URL URI ENDPOINT ADDR ADDRESS REMOTE CONTEXT PROFILE";
    const NAMES: &str = "ENV IFS CC CXX MAKE LESSOPEN BROWSER VISUAL TMPDIR PS4 PROMPT_COMMAND";
    STARTS.split(' ').any(|start| name.starts_with(start))
        || ENDS.split(' ').any(|end| name.ends_with(end))
        || is_listed(NAMES, name)
}

// Options with which a program loads code or settings, starts another program, or overwrites its expected results.
// Their targets are not known, so no rule is proposed for them.

/// Options that do so in any program whose line does not have them.
const ANYWHERE: &str = "--require --import --loader --experimental-loader --preload --plugin --plugins --plugin-dir --load-plugins \
    --load-plugin --load --load-extension --init-hook --setupFiles --setupFilesAfterEnv --setup-files --globalSetup --globalTeardown \
    --testEnvironment --environment --runner --testRunner --transform --resolver --reporter --reporters --formatter --rcfile --rc-file \
    --config --config-file --configFile --configuration --settings --settings-file --init-script --bootstrap --rulesdir --rules-dir \
    --resolve-plugins-relative-to --parser --processor --exec --toolexec --exec-path --pre --eval --command --shell --script-shell \
    --rootdir --override-ini --pdbcls --confcutdir --addopts --classpath --class-path --module-path --agentpath --env-file \
    --enable-extensions --custom-rules --custom-formatter --use --with --hook --hooks --transformer --compiler --launcher --wrapper \
    --python-executable --executable --executable-path --browser --interpreter --script-interpreter --ui --before --after \
    -exec -classpath -cp -Xplugin -fplugin -load";

/// Options that do so in any program. No line has short options that begin like these.
const ALWAYS: &str = "-javaagent -agentpath -agentlib -toolexec -vettool";

/// Values of such options that name something built in.
const BUILT_IN: &str = "stylish json compact unix html default dot list line verbose basic tap spec junit github min nyan progress \
    documentation json-lines jsdom node happy-dom Debug Release RelWithDebInfo MinSizeRel debug release";

/// The argument with which `program` loads something unknown. `is_known` is true if the table has its other options.
pub(super) fn loads<'w>(program: &str, arguments: &'w [Word], is_known: bool) -> Option<&'w Word> {
    let program = program.rsplit('/').next().unwrap_or_default();
    // `-pevil`: a one-letter option with an attached value.
    let is_attached = |text: &str, option: &str| {
        let rest = text.strip_prefix(option).unwrap_or_default();
        option.len() == 2 && !rest.is_empty() && option != "-r" && option != "-c"
    };
    let of_program = said(program, "loads what is not known with").next();
    let of_program = of_program.unwrap_or_default();
    let mut options = arguments.iter().enumerate();
    let found = options.find(|(at, word)| {
        let text = word.text.as_str();
        let (name, value) = text.split_once(['=', ':']).unwrap_or((text, ""));
        let next = arguments.get(at + 1).map_or("", |word| word.text.as_str());
        let value = if value.is_empty() { next } else { value };
        let is_built_in = || is_listed(BUILT_IN, value) || value.starts_with("no:");
        let mut one_by_one = of_program.split(' ');
        name.starts_with('-')
            && !is_built_in()
            && (is_listed(of_program, name)
                || one_by_one.any(|option| is_attached(text, option))
                || is_listed(ALWAYS, name)
                || (!is_known && is_listed(ANYWHERE, name)))
    });
    found.map(|(_, word)| word)
}
