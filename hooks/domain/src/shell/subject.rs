//! What makes two commands the same: program, subcommand, and the flags that change how far it reaches.

use super::parse::Word;
use crate::hash;

/// Programs whose first argument says what they do, and how many such arguments there are.
const SUBCOMMANDED: &[(&str, usize)] = &[
    ("git", 1),
    ("npm", 1),
    ("npx", 1),
    ("pnpm", 1),
    ("yarn", 1),
    ("bun", 1),
    ("deno", 1),
    ("cargo", 1),
    ("go", 1),
    ("pip", 1),
    ("pip3", 1),
    ("uv", 1),
    ("poetry", 1),
    ("make", 1),
    ("just", 1),
    ("docker", 1),
    ("docker compose", 2),
    ("docker-compose", 1),
    ("podman", 1),
    ("kubectl", 1),
    ("helm", 1),
    ("terraform", 1),
    ("gh", 2),
    ("glab", 2),
    ("aws", 2),
    ("gcloud", 2),
    ("az", 2),
    ("npm run", 2),
    ("pnpm run", 2),
    ("yarn run", 2),
    ("systemctl", 1),
    ("brew", 1),
    ("apt", 1),
    ("apt-get", 1),
    ("sudo", 2),
    ("python", 1),
    ("python3", 1),
    ("node", 1),
    ("bash", 1),
    ("sh", 1),
    ("mvn", 1),
    ("gradle", 1),
    ("rails", 1),
    ("mix", 1),
    ("dotnet", 1),
    ("flutter", 1),
    ("rustup", 1),
    ("gem", 1),
    ("bundle", 1),
    ("composer", 1),
    ("vercel", 1),
    ("heroku", 1),
    ("fly", 1),
];

/// Flags that say more about a command than its operands do.
const TELLING: &str = " --force -f --force-with-lease --hard --no-verify --delete -D --amend --mirror --prune -rf -fr -r -R -i \
    --in-place -delete -exec -g --global --privileged -c -e -m --no-gpg-sign ";

/// The longest word of a subject, in bytes.
const LONGEST_WORD: usize = 60;

/// The longest text of a line that is not understood, in bytes.
const LONGEST_LINE: usize = 80;

/// The subject of a command that the tables know: with what raised its reach.
pub(super) fn known(name: &str, arguments: &[String], raised_by: Option<&str>) -> String {
    let mut subject = name.to_owned();
    let texts = arguments.iter().map(String::as_str);
    for text in texts.chain(raised_by.map(|word| word.split('=').next().unwrap_or(word))) {
        push(&mut subject, text);
    }
    subject
}

/// The subject of a command that the tables do not know, and how many arguments belong to it.
pub(super) fn unknown(name: &str, arguments: &[Word]) -> (String, usize) {
    let mut subject = name.to_owned();
    let count = |subject: &str| {
        let found = SUBCOMMANDED.iter().find(|(program, _)| *program == subject);
        found.map_or(0, |(_, count)| *count)
    };
    let mut left = count(name);
    let mut taken = 0;
    for (at, word) in arguments.iter().enumerate() {
        let is_flag = word.text.starts_with('-');
        let is_telling = TELLING
            .split_ascii_whitespace()
            .any(|flag| flag == word.text);
        if is_telling || left > 0 && !is_flag {
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
