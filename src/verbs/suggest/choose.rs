//! What a person means by a word: a proposal's number, its key or rule, or the beginning of its text.

use plantune_query::suggest::Rejected;
use plantune_reports::inert::one_line;
use plantune_reports::suggestions::{Entry, title};

use crate::failure::Failure;
use crate::failure::similar::similar;

/// How much of a word or a text is shown, in columns.
const SHOWN: usize = 60;

/// How many proposals are named where none is meant, or several.
const MOST: usize = 5;

/// The places among `all` of what `word` names: of a number one, of a key all that have it.
///
/// # Errors
/// Failed where nothing is named so, or several begin so.
pub(super) fn proposals(all: &[Entry<'_>], word: &str) -> Result<Vec<usize>, Failure> {
    let named = |is: &dyn Fn(&Entry<'_>) -> bool| -> Vec<usize> {
        let places = all.iter().enumerate().filter(|(_, one)| is(one));
        places.map(|(place, _)| place).collect()
    };
    if let Some(place) = word
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        && place < all.len()
    {
        return Ok(vec![place]);
    }
    let exactly = named(&|one| one.name() == word);
    if !exactly.is_empty() {
        return Ok(exactly);
    }
    let beginning = named(&|one| begins(&one.title(), word) || begins(&one.name(), word));
    let shown = one_line(word, SHOWN);
    let list = |places: &[usize]| {
        let some = places.iter().take(MOST).filter_map(|place| {
            let title = all.get(*place)?.title();
            Some(format!("{} ({})", place + 1, one_line(&title, SHOWN)))
        });
        some.collect::<Vec<_>>().join(", ")
    };
    let first = beginning
        .first()
        .and_then(|place| all.get(*place))
        .map(Entry::name);
    match first {
        Some(first)
            if beginning
                .iter()
                .all(|place| all.get(*place).is_some_and(|one| one.name() == first)) =>
        {
            Ok(beginning)
        }
        Some(_) => Err(
            Failure::failed(format!("several proposals begin with \"{shown}\""))
                .hint(format!("give the number of one: {}", list(&beginning))),
        ),
        None => {
            let failure = Failure::failed(format!("nothing is proposed under \"{shown}\""));
            let near = named(&|one| contains(&one.title(), word));
            let names: Vec<String> = all.iter().map(Entry::name).collect();
            let alike = similar(word, names.iter().map(String::as_str));
            Err(match (near.is_empty(), alike, all.is_empty()) {
                (false, ..) => failure.hint(format!("did you mean {}?", list(&near))),
                (true, Some(name), _) => {
                    failure.hint(format!("did you mean {}?", one_line(name, SHOWN)))
                }
                (true, None, false) => failure.hint(format!(
                    "`plantune suggest --all` lists the proposals, 1 to {}",
                    all.len()
                )),
                (true, None, true) => {
                    failure.hint("`plantune suggest` says why nothing is proposed")
                }
            })
        }
    }
}

/// What of `rejected` has the key `word`, or begins so.
pub(super) fn rejected<'a>(rejected: &'a [Rejected], word: &str) -> Vec<&'a Rejected> {
    let with_key = rejected.iter().filter(|one| one.asked.question_key == word);
    let exactly: Vec<&Rejected> = with_key.collect();
    match exactly.is_empty() {
        false => exactly,
        true => rejected
            .iter()
            .filter(|one| begins(&title(&one.asked), word))
            .take(MOST)
            .collect(),
    }
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
