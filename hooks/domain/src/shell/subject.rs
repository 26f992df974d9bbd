//! What makes two commands the same: program, subcommand, and the flags that change how far it reaches.

use super::listed::is_listed;
use super::parse::Word;
use crate::hash;

/// Programs whose first argument says what they do.
const SUBCOMMANDED: &str = "git npm npx pnpm yarn bun deno cargo go pip pip3 uv poetry make just docker docker-compose podman kubectl helm \
    terraform systemctl brew apt apt-get python python3 node bash sh mvn gradle rails mix dotnet flutter rustup gem \
    bundle composer vercel heroku fly";

/// Programs, and subcommands of those, of which the first two say it.
const TWICE: &str = "gh|glab|aws|gcloud|az|sudo|docker compose|npm run|pnpm run|yarn run";

/// Flags that say more about a command than its operands do.
const TELLING: &str = "--force -f --force-with-lease --hard --no-verify --delete -D --amend --mirror --prune -rf -fr -r -R -i \
    --in-place -delete -exec -g --global --privileged -c -e -m --no-gpg-sign";

/// The longest word of a subject, in bytes.
const LONGEST_WORD: usize = 60;

/// The longest text of a line that is not understood, in bytes.
const LONGEST_LINE: usize = 80;

/// The subject of a command that the tables know: with what raised its reach.
pub(super) fn known_subject(name: &str, arguments: &[String], raised_by: Option<&str>) -> String {
    let mut subject = name.to_owned();
    let texts = arguments.iter().map(String::as_str);
    for text in texts.chain(raised_by.map(|word| word.split('=').next().unwrap_or(word))) {
        push(&mut subject, text);
    }
    subject
}

/// The subject of a command that the tables do not know, and how many arguments belong to it.
pub(super) fn unknown_subject(name: &str, arguments: &[Word]) -> (String, usize) {
    let mut subject = name.to_owned();
    let count = |subject: &str| match TWICE.split('|').any(|one| one == subject) {
        true => 2,
        false => usize::from(is_listed(SUBCOMMANDED, subject)),
    };
    let mut left = count(name);
    let mut taken = 0;
    for (at, word) in arguments.iter().enumerate() {
        let is_flag = word.text.starts_with('-');
        if is_listed(TELLING, &word.text) || left > 0 && !is_flag {
            push(&mut subject, &word.text);
        }
        if left > 0 && !is_flag {
            left = (left - 1).max(count(&subject).saturating_sub(taken + 1));
            taken += 1;
        }
        if left == 0 && at >= 7 {
            break;
        }
    }
    let fixed = arguments
        .iter()
        .take_while(|word| word.text.starts_with('-'))
        .count()
        + taken;
    (subject, fixed.min(arguments.len()))
}

fn push(subject: &mut String, word: &str) {
    let end = word.floor_char_boundary(LONGEST_WORD);
    subject.push(' ');
    subject.push_str(word.get(..end).unwrap_or_default());
    if end < word.len() {
        subject.push('…');
    }
}

/// The subject of a line that is not understood: its beginning, and a digest of all of it.
pub(crate) fn of_line(line: &str) -> String {
    let end = line.floor_char_boundary(LONGEST_LINE);
    let start: Vec<&str> = line
        .get(..end)
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let digest = hash::hex(&[line]);
    format!(
        "{} #{}",
        start.join(" "),
        digest.get(..8).unwrap_or_default()
    )
}
