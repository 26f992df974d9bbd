//! Which proposals a person means: by their numbers or handles, a key or rule, or the beginning of a text.

use std::collections::BTreeSet;

use plantune_query::habits::is_called;
use plantune_query::suggest::{LastAsked, Rejected};
use plantune_reports::suggestions::{Entry, title};
use plantune_reports::text::one_line;

use crate::failure::{Failure, similar};

/// How much of a word or a text is shown, in columns.
const SHOWN: usize = 60;

/// How many proposals are named where none is meant, or several.
const MOST: usize = 5;

/// The places among `all` of what `word` names: numbers or handles, a key or rule, or the beginning of a text.
///
/// # Errors
/// Failed where nothing is named so, or several begin so.
pub(super) fn proposals(all: &[Entry<'_>], word: &str) -> Result<Vec<usize>, Failure> {
    let named = |is: &dyn Fn(&Entry<'_>) -> bool| -> Vec<usize> {
        let places = all.iter().enumerate().filter(|(_, one)| is(one));
        places.map(|(place, _)| place).collect()
    };
    if let Some(listed) = listed(all, word) {
        return Ok(listed);
    }
    let exactly = named(&|one| one.name() == word);
    let exactly = match exactly.is_empty() {
        true => named(&|one| calls(one, &|called| is_called(called, word))),
        false => exactly,
    };
    if !exactly.is_empty() {
        return Ok(exactly);
    }
    let beginning =
        named(&|one| calls(one, &|called| begins(called, word)) || begins(&one.name(), word));
    let shown = one_line(word, SHOWN);
    let list = |places: &[usize]| {
        let some = places.iter().take(MOST).filter_map(|place| {
            let title = all.get(*place)?.title();
            Some(format!("{} ({})", place + 1, one_line(&title, SHOWN)))
        });
        some.collect::<Vec<_>>().join(", ")
    };
    let names: BTreeSet<String> = beginning
        .iter()
        .filter_map(|place| all.get(*place).map(Entry::name))
        .collect();
    match names.len() {
        1 => return Ok(beginning),
        0 => {}
        _ => {
            return Err(
                Failure::failed(format!("several proposals begin with \"{shown}\""))
                    .hint(format!("give the number of one: {}", list(&beginning))),
            );
        }
    }
    let near = named(&|one| calls(one, &|called| contains(called, word)));
    let names: Vec<String> = all.iter().map(Entry::name).collect();
    let alike = similar(word, names.iter().map(String::as_str));
    let failure = Failure::failed(format!("nothing is proposed under \"{shown}\""));
    let failure = failure.did_you_mean_option("suggest", word);
    let hint = match (near.is_empty(), alike, all.len()) {
        (false, ..) => format!("did you mean {}?", list(&near)),
        (true, Some(name), _) => format!("did you mean {}?", one_line(name, SHOWN)),
        (true, None, 0) => "`plantune suggest` says why nothing is proposed".to_owned(),
        (true, None, last) => format!("`plantune suggest` lists the proposals, 1 to {last}"),
    };
    Err(failure.hint(hint))
}

/// The places among `all` of the numbers and handles that `word` lists, such as `2`, `1,3-5`, `1 2` or `kdfw`; `None` for any
/// other word.
fn listed(all: &[Entry<'_>], word: &str) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for part in word.split([',', ' ']).filter(|part| !part.is_empty()) {
        match numbers(part) {
            Some((first, last)) if 1 <= first && first <= last && last <= all.len() => {
                places.extend(first - 1..last);
            }
            Some(_) => return None,
            None => {
                let mut meant = all
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| one.handle() == part);
                let (place, _) = meant.next()?;
                meant.next().is_none().then(|| places.push(place))?;
            }
        }
    }
    Some(places).filter(|places| !places.is_empty())
}

/// The first and the last of the numbers that `part` means, such as `2` or `3-5`.
fn numbers(part: &str) -> Option<(usize, usize)> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// The habits of `rejected` that have the key `word`, or begin so.
pub(super) fn rejected<'a>(rejected: &'a [Rejected], word: &str) -> Vec<&'a Rejected> {
    let is_it = |one: &&Rejected| is_meant(&one.asked, word);
    let exactly: Vec<&Rejected> = rejected.iter().filter(is_it).collect();
    match exactly.is_empty() {
        false => exactly,
        true => rejected
            .iter()
            .filter(|one| begins(&title(&one.asked), word))
            .take(MOST)
            .collect(),
    }
}

/// True where `word` is the key of `asked`, or what it is called.
pub(super) fn is_meant(asked: &LastAsked, word: &str) -> bool {
    asked.question_key == word || is_called(&asked.name, word)
}

/// Whether `is` holds for anything that `entry` is called.
fn calls(entry: &Entry<'_>, is: &dyn Fn(&str) -> bool) -> bool {
    entry.called().iter().any(|called| is(called))
}

fn begins(text: &str, word: &str) -> bool {
    !word.trim().is_empty() && text.to_lowercase().starts_with(&word.trim().to_lowercase())
}

/// Whether any word of `word` stands in `text`.
fn contains(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = word.split(|c: char| !c.is_alphanumeric());
    words.any(|part| part.chars().count() > 2 && text.contains(&part.to_lowercase()))
}
