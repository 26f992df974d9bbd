//! Doors: an answer that can't be undone is `one-way`. The signs of that found here are commands with an effect, SQL that
//! writes, money, addresses and paths outside the project. Words are judged in `agreement/signs.rs`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::named::named_enum;
use crate::reach::{OwnReaches, Reach};
use crate::shell::{is_program, judge, sql_writes};
use crate::text::{fold, without_accents};
use crate::words::{WordList, has_word};

named_enum! {
    /// Whether an answer can be undone.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Door {
        /// Destructive, security, consent, payment, publication: always asked.
        OneWay = "one-way",
        /// Anything else.
        TwoWay = "two-way",
    }
}

/// The sign in `text`: a command with an effect, SQL that writes, money, an address or a path outside the project;
/// `None` without one.
pub fn find_signs(text: &str) -> Option<String> {
    // Each line is read by itself.
    let lines = text
        .lines()
        .map(|line| without_accents(&fold(line)).into_owned());
    let folded = lines.collect::<Vec<_>>().join("\n");
    let kind = first_command(text)
        .or_else(|| holds_amount(&folded).then(|| "money".to_owned()))
        .or_else(|| sign_in_words(&folded).map(str::to_owned))?;
    Some(format!("sign: {kind}"))
}

// Amounts of money.

fn is_sign(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₪')
}

static UNITS: WordList = WordList::doors("units");

static NUMBERS: WordList = WordList::doors("numbers");

/// True for an amount of money in `folded`.
fn holds_amount(folded: &str) -> bool {
    let mut words = folded.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        // Most words are plain letters, and no unit follows them.
        let is_plain = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let number = match is_plain {
            true => word,
            false => word.trim_matches(|c: char| !c.is_alphanumeric()),
        };
        if !is_plain && (with_sign(word, next) || joined(word)) || parted(word, number, next) {
            return true;
        }
    }
    false
}

/// `$12`, `12€`, `R$ 12`. A sign and a single digit does not count: `$1` is as often a shell parameter.
fn with_sign(word: &str, next: &str) -> bool {
    let Some(at) = word.find(is_sign) else {
        return false;
    };
    let (before, from) = word.split_at(at);
    let mut after = from.chars();
    let sign = after.next().unwrap_or_default();
    let after = after.as_str();
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let is_parameter = sign == '$'
        && digits(after) == 1
        && after.chars().nth(1).is_none_or(|c| !",.km".contains(c));
    let follows = digits(after) > 0 && (!is_parameter || after.ends_with('?'));
    let precedes = before.ends_with(|c: char| c.is_ascii_digit());
    follows || precedes || after.is_empty() && digits(next) > 0
}

/// `12eur`, `500円`.
fn joined(word: &str) -> bool {
    let Some((_, after)) = word.rsplit_once(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    let end = after.find(|c: char| !c.is_alphabetic());
    let (unit, _) = after.split_at(end.unwrap_or(after.len()));
    !unit.is_empty() && unit != "won" && UNITS.holds(unit)
        || ["円", "元", "块", "美元", "欧元", "원", "달러", "ドル", "万"]
            .iter()
            .any(|one| unit.starts_with(one))
}

/// `12 euros`, `two hundred dollars`, `12 €`. `number` is the word without signs around it.
fn parted(word: &str, number: &str, next: &str) -> bool {
    let is_sign =
        next.starts_with(is_sign) && next.chars().nth(1).is_none_or(|c| !c.is_alphanumeric());
    if is_sign && word.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.holds(number);
    let unit = || next.trim_matches(|c: char| !c.is_alphanumeric());
    is_number && UNITS.holds(unit())
}

// Commands and SQL, in code and as whole texts.

static RUNNING: WordList = WordList::doors("running");

static ENGLISH: WordList = WordList::doors("programs");

static TOOLS: WordList = WordList::doors("tools");
static ACTING: WordList = WordList::doors("acting");

/// The most pieces of code that are read in a text.
const MOST: usize = 32;

fn first_command(text: &str) -> Option<String> {
    let (prose, pieces) = split(text);
    for (code, before) in &pieces {
        if let Some(found) = piece(code, before) {
            return Some(found);
        }
    }
    if sql_writes(&prose, false) {
        return Some("SQL that writes".to_owned());
    }
    whole(text)
}

/// The text without its code, and the pieces of code with the word before each.
fn split(text: &str) -> (Cow<'_, str>, Vec<(&str, &str)>) {
    if !text.contains('`') {
        return (Cow::Borrowed(text), Vec::new());
    }
    let mut prose = String::new();
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`') {
        prose.push_str(before);
        prose.push(' ');
        let fence = if after.starts_with("``") { "```" } else { "`" };
        let inside = after.strip_prefix("``").unwrap_or(after);
        let Some((code, next)) = inside.split_once(fence) else {
            rest = after;
            break;
        };
        if pieces.len() < MOST {
            let mut words = before.split_whitespace().rev();
            let word = words.next().unwrap_or_default();
            // "until you run `x`" is not a proposal.
            let is_yours = words
                .next()
                .is_some_and(|word| matches!(word, "you" | "users" | "they"));
            pieces.push((code, if is_yours { "" } else { word }));
        }
        rest = next;
    }
    prose.push_str(rest);
    (Cow::Owned(prose), pieces)
}

fn piece(code: &str, before: &str) -> Option<String> {
    if sql_writes(code, true) {
        return Some("SQL that writes".to_owned());
    }
    let is_run = has_word(&before.to_lowercase(), &RUNNING);
    let (language, block) = match code.split_once('\n') {
        Some((first, block)) => (first.trim(), block),
        None => ("", code),
    };
    let is_shell = matches!(
        language,
        "sh" | "bash" | "shell" | "console" | "zsh" | "fish"
    );
    if !language.is_empty() && !is_shell && !is_run {
        return None;
    }
    let lines = block
        .lines()
        .map(|line| line.trim().trim_start_matches("$ ").trim());
    lines
        .filter(|line| !line.is_empty() && !names_a_skill(line))
        .find_map(|line| {
            let is_command = is_shell || (is_run && is_line(line)) || is_known(line);
            effect(line).filter(|_| is_command)
        })
}

/// True for the name of a skill, or a slash command with its arguments, that is not a known program: `ce-work`,
/// `/gsd:plan 3`.
fn names_a_skill(line: &str) -> bool {
    let name = match line.strip_prefix('/') {
        Some(command) if !line.contains(['|', '&', ';', '>', '`', '$']) => {
            command.split(' ').next().unwrap_or_default()
        }
        Some(command) => command,
        None => line,
    };
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b":_-".contains(&byte));
    let is_alone = matches!(name, "reboot" | "shutdown" | "halt" | "poweroff" | "mkfs");
    is_name && !is_alone && !is_program(name)
}

/// True for text that could be typed into a shell, but not for a name like `parse_line()`.
fn is_line(line: &str) -> bool {
    !line.ends_with("()") && !line.starts_with(['<', '{', '['])
}

/// True for a line with a known program and at least one argument.
fn is_known(line: &str) -> bool {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| word.contains('=') && !word.starts_with('-'));
    let Some(first) = words.next() else {
        return false;
    };
    let has_more = words.next().is_some();
    let is_piped = line.contains(" | ") || line.contains("&&");
    let is_alone = matches!(first, "reboot" | "shutdown" | "halt" | "poweroff" | "mkfs");
    is_alone
        || has_more
            && (is_program(first) || first.starts_with("./") || is_piped && !line.starts_with('|'))
}

/// A text that is a command without backticks: an option's label, or the words after "Run".
fn whole(text: &str) -> Option<String> {
    // "git diff --cached — what is about to be committed", "cargo test --workspace, about 3 minutes"
    let is_prose = |behind: &&str| !behind.contains(['|', '&', ';', '>', '$', '`', '(']);
    let described = |sign| text.split_once(sign).filter(|(_, behind)| is_prose(behind));
    let line = [" — ", ", "].into_iter().filter_map(described);
    let line = line.map(|(line, _)| line).min_by_key(|line| line.len());
    let text = line.unwrap_or(text).trim();
    let line = ["run ", "execute ", "run: ", "$ ", "> "]
        .iter()
        .find_map(|start| {
            let (before, after) = text.split_at_checked(start.len())?;
            before.eq_ignore_ascii_case(start).then_some(after)
        })
        .unwrap_or(text)
        .trim_end_matches(['?', '.', '!', ':'])
        .trim();
    let (first, arguments) = line.split_once(char::is_whitespace)?;
    if first.bytes().any(|byte| byte.is_ascii_uppercase()) || !is_program(first) {
        return None;
    }
    let is_english = ENGLISH.holds(first);
    let has_shell = arguments.split_whitespace().any(|word| {
        word.starts_with('-') && word.len() > 1 && word != "--"
            || matches!(word, "|" | "&&" | ">" | ">>")
            || word.starts_with(['~'])
    });
    let is_short = arguments.split_whitespace().count() <= 4;
    let acts = || arguments.split_whitespace().any(|word| ACTING.holds(word));
    let is_command_line = is_short && (!is_english || TOOLS.holds(first) && acts());
    let is_command = has_shell || is_command_line;
    (is_command && !line.contains(['?', '`']))
        .then(|| effect(line))
        .flatten()
}

fn effect(line: &str) -> Option<String> {
    let Some(judged) = judge(line, "", &OwnReaches::default()) else {
        return Some("command (not understood)".to_owned());
    };
    let worst = judged
        .commands
        .into_iter()
        .max_by_key(|command| command.reach)?;
    (worst.reach >= Reach::Unknown).then(|| format!("command ({})", worst.reason))
}

// Signs in single words: addresses to send to, paths outside the project, devices, versions to release.

static SENDING: WordList = WordList::doors("sending");

static ADDRESSING: WordList = WordList::doors("addressing");

static WRITING: WordList = WordList::doors("writing");

/// Folders of the system, and the person's home folder.
const OUTSIDE: &str = "/etc /usr /bin /sbin /lib /var /opt /home /root /users/ /boot /sys /proc /mnt /media /srv /library \
    /system /applications /private ~/ $home";

static RELEASING: WordList = WordList::doors("releasing");

fn sign_in_words(folded: &str) -> Option<&'static str> {
    let words = folded.split_whitespace().filter(|word| has_mark(word));
    words.into_iter().find_map(|word| {
        let word = word.trim_matches(|c: char| "\"'()[]{},;:!?<>“”«»".contains(c));
        address(word, folded)
            .or_else(|| path(word, folded))
            .or_else(|| version(word, folded))
    })
}

/// True for a word with a character that every address, path or version contains.
fn has_mark(word: &str) -> bool {
    let is_mark = |byte: u8| matches!(byte, b'/' | b'\\' | b'~' | b'$' | b'@' | b'0'..=b'9');
    word.bytes().any(is_mark)
}

fn address(word: &str, folded: &str) -> Option<&'static str> {
    if !word.contains(['/', '@']) {
        return None;
    }
    const HERE: &str = "localhost 127.0.0.1 [::1] 0.0.0.0 example.com/api";
    const STORES: &str = "s3:// gs:// ssh:// ftp:// sftp:// scp:// smb://";
    let is_local = || HERE.split(' ').any(|here| word.contains(here));
    let is_store = STORES.split(' ').any(|start| word.starts_with(start));
    let is_url =
        word.starts_with("https://") || word.starts_with("http://") || word.starts_with("wss://");
    if is_store || (is_url && !is_local() && has_word(folded, &SENDING)) {
        return Some("an address to send to");
    }
    let is_handle = word.strip_prefix('@').is_some_and(|name| {
        name.len() > 1
            && !name.contains(['/', '(', '.'])
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    (is_mail(word) || is_handle)
        .then_some("somebody to write to")
        .filter(|_| has_word(folded, &ADDRESSING))
}

fn is_mail(word: &str) -> bool {
    word.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && !name.contains('/')
            && host.contains('.')
            && !host.starts_with('.')
            && !host.starts_with(|c: char| c.is_ascii_digit())
            && !host.contains('/')
    })
}

fn path(word: &str, folded: &str) -> Option<&'static str> {
    const DEVICES: &str =
        "/dev/sd /dev/nvme /dev/disk /dev/hd /dev/vd /dev/mapper /dev/mmcblk /dev/rdisk";
    if word.contains('/') && DEVICES.split(' ').any(|device| word.contains(device)) {
        return Some("a device");
    }
    let is_outside = is_outside(word) || word == "/" && names_the_root(folded);
    (is_outside && has_word(folded, &WRITING)).then_some("a path outside the project")
}

/// True for a path outside the project. The root alone does not count: `/` may separate two words.
fn is_outside(word: &str) -> bool {
    let under = |folder: &str| {
        word.strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || folder.ends_with('/') || rest.starts_with('/'))
    };
    word.starts_with(['/', '~', '$']) && OUTSIDE.split(' ').any(under)
        || word == "~"
        || word.starts_with("../../")
        || word.get(1..3).is_some_and(|drive| drive == ":\\")
}

/// True unless every separate slash stands between two words: "human: 1 day / agent: 20 min".
fn names_the_root(folded: &str) -> bool {
    const BEFORE: &str = "in to on from of under at into";
    let mut words = folded.split_whitespace().peekable();
    let mut before = "";
    while let Some(word) = words.next() {
        let is_named = before.starts_with('-')
            || words.peek().is_none()
            || BEFORE.split(' ').any(|word| word == before)
            || has_word(before, &WRITING);
        if word == "/" && is_named {
            return true;
        }
        before = word;
    }
    false
}

/// `v2.0`, `1.4.0`.
fn version(word: &str, folded: &str) -> Option<&'static str> {
    let number = word.strip_prefix('v').unwrap_or(word);
    let mut parts = number.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let starts = parts.next().is_some_and(is_number);
    let is_version = starts
        && (number.len() < word.len() || number.contains('.'))
        && parts.clone().count() <= 3
        && parts.all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    (is_version && has_word(folded, &RELEASING)).then_some("a version to release")
}
