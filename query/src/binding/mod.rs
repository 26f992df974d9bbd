//! Bindings: the questions that a proposed preference would cover, mined from the askings that the
//! person answered with its label.
//!
//! Texts are aligned by the words they have in common ([`patterns`]). Where they differ, the place is
//! open only when enough different plain topics, numbers or files were seen there; anything else holds as
//! it was seen. What a form describes was seen, but for those places.

mod patterns;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use plantune_domain::binding::{Form, Part, Pattern, Slot};
use plantune_domain::commitment::{Commitment, commitment};
use plantune_domain::familiar::{Familiar, Stems};
use plantune_domain::family::{asking_part, words};
use plantune_domain::preferences::Coverage;
use plantune_domain::recommended::{numbers_folded, option_text, same_label};

use self::patterns::patterns;
pub(crate) use self::patterns::{Fillers, Openness, TextCache};
use crate::evidence::HumanAnswer;
use crate::families::{is_specific, more};

/// How many forms a binding holds, the latest: the file that the hook searches stays small.
pub(crate) const MOST_FORMS: usize = 24;

/// How long all forms of a binding together may be, in bytes of their texts.
const MOST_BYTES: usize = 6 * 1024;

/// How often an option must have been offered beside the others before it may be again.
const LEAST_ADDED: usize = 2;

/// A longer text or description may have been cut when it was logged, and is asked again.
const LONGEST_TEXT: usize = 2048;

/// The questions that a preference is given for: those that were seen, and how much of them will be seen again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// The text of the latest asking.
    pub question: String,
    /// Its options.
    pub options: Vec<String>,
    /// Options of which one was offered beside these now and then.
    pub added: Vec<String>,
    /// The host that asked.
    pub tool: Option<String>,
    /// Whether several could be chosen.
    pub multi_select: bool,
    /// Which askings it covers.
    pub coverage: Option<Coverage>,
    /// The ways of asking, the latest first.
    pub forms: Vec<Form>,
    /// The words of all askings.
    pub familiar: Option<Familiar>,
    /// Of the askings it was mined from, how many are of a form that was seen more than once, or that is
    /// open: what comes next is likely to be covered as often.
    pub recurring: usize,
    /// True when it would have answered all askings that any coverage could have: all but the first. Worked out where no
    /// answer refers to its question, and the options say what is done.
    pub answers_its_history: bool,
    /// How many askings it was mined from.
    pub askings: usize,
    /// How many of these have a different text.
    pub texts: usize,
    /// Of a binding that is open, those of its texts that differ most; filled where somebody is shown them.
    pub most_different: Vec<String>,
}

impl Binding {
    /// True if at least half of the askings are likely to come again in a form that was seen.
    pub(crate) fn recurs(&self) -> bool {
        2 * self.recurring >= self.askings && self.askings > 0
    }

    /// The same options, and any question of a kind that was asked.
    pub(crate) fn of_options(self) -> Self {
        Self {
            coverage: Some(Coverage::Options),
            forms: Vec::new(),
            ..self
        }
    }

    /// Leaves out what was beside the options in one of `others`, which were answered otherwise.
    pub(crate) fn without_added_in<'a>(
        mut self,
        others: impl Iterator<Item = &'a HumanAnswer>,
    ) -> Self {
        for other in others {
            if let Some(label) = offered_beside(&self.options, other) {
                self.added.retain(|one| !same_label(one, label));
            }
        }
        self
    }

    /// True when nothing was seen that an answer could be given for.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty() && self.coverage != Some(Coverage::Options)
    }
}

/// How open the binding of a question is whose key was found by `key_source`.
pub(crate) fn openness(key_source: &str) -> Openness {
    match key_source {
        "marker" | "registry" => Openness::BY_NAME,
        _ => Openness::BY_TEXT,
    }
}

/// The binding to `askings`, which are in the order of time, as far as they have the options of the last: to cover what
/// is `wanted`, or else the narrowest that would have answered them.
///
/// Where no answer refers to its question, anything short may stand between the fixed words of a pattern; where one
/// does, only what is narrower.
pub(crate) fn bind(
    askings: &[&HumanAnswer],
    openness: Openness,
    known: &Fillers,
    wanted: Option<Coverage>,
) -> Binding {
    let Some(last) = last_of(askings) else {
        return Binding::default();
    };
    let refers = askings.iter().any(|one| one.refers_to_question());
    let openness = if refers { openness } else { openness.any() };
    let seen = seen_in(askings, last);
    let by_text = |openness| bind_by_text(askings, last, &seen, (openness, refers), known);
    let options_say_it = !refers && is_specific(&last.options);
    match wanted {
        Some(Coverage::Texts) => by_text(openness.closed()),
        Some(Coverage::Options) if options_say_it => bind_by_options(askings, last, seen),
        Some(Coverage::Pattern | Coverage::Options) => by_text(openness),
        None => {
            let narrow = by_text(openness);
            match options_say_it && !narrow.answers_its_history {
                true => bind_by_options(askings, last, seen),
                false => narrow,
            }
        }
    }
}

/// The part of a binding that all coverages of `askings` have in common; the options come from `last`.
fn seen_in(askings: &[&HumanAnswer], last: &HumanAnswer) -> Binding {
    Binding {
        question: last.question.clone(),
        options: options_seen(askings, last),
        added: added(askings, last),
        tool: last.tool.clone(),
        multi_select: last.multi_select,
        familiar: Some(Familiar::of_seen(askings.iter().flat_map(|one| one.seen()))),
        askings: askings.len(),
        texts: askings
            .iter()
            .map(|one| &one.question)
            .collect::<BTreeSet<_>>()
            .len(),
        ..Binding::default()
    }
}

/// The binding to these options, in any question of a kind that was asked.
fn bind_by_options(askings: &[&HumanAnswer], last: &HumanAnswer, seen: Binding) -> Binding {
    let same = |one: &&&HumanAnswer| places(&last.options, &seen.added, &one.options).is_some();
    let recurring = askings.iter().filter(same).count();
    Binding {
        coverage: Some(Coverage::Options),
        recurring,
        ..seen
    }
}

/// The binding to what the texts of `askings` have in common, as open as they may be; `refers` where an answer refers to
/// its question.
fn bind_by_text(
    askings: &[&HumanAnswer],
    last: &HumanAnswer,
    seen: &Binding,
    (openness, refers): (Openness, bool),
    known: &Fillers,
) -> Binding {
    let mut binding = seen.clone();
    let of_last = places(&last.options, &binding.added, &last.options);
    let places = |one: &HumanAnswer| match one.options == last.options {
        true => of_last.clone(),
        false => places(&last.options, &binding.added, &one.options),
    };
    let bound: Vec<Placed<'_>> = askings
        .iter()
        .filter(|one| one.multi_select == last.multi_select && is_whole(one))
        .filter_map(|one| Some((*one, places(one)?)))
        .collect();
    let forms = forms(&bound, last.options.len(), openness, known);
    let is_open = |form: &Form| form.text.is_open();
    // Where the answers refer to the question, the same words with other numbers and files are the same question.
    let words: Vec<Option<&Stems>> = bound
        .iter()
        .map(|(one, _)| (refers && !openness.is_closed()).then(|| one.signature()))
        .collect();
    let (of_words, of_form) = (numbered(&words), numbered(&forms));
    let asked_again =
        |at: usize| words.get(at).is_some_and(Option::is_some) && of_words.is_several(at);
    let repeats = |at: usize| of_form.is_several(at);
    let varies = (0..forms.len()).any(|at| asked_again(at) && !repeats(at));
    binding.coverage = Some(match varies || forms.iter().any(is_open) {
        true => Coverage::Pattern,
        false => Coverage::Texts,
    });
    binding.recurring = (0..forms.len())
        .filter(|at| repeats(*at) || asked_again(*at))
        .count();
    binding.answers_its_history = !refers
        && is_specific(&last.options)
        && answers_all_but_one(askings.len(), &bound, (&forms, &of_form), known, seen);
    if varies {
        let latest = bound.iter().rev().take(MOST_FORMS);
        let latest = latest.map(|(one, _)| one.signature().clone());
        let familiar = binding.familiar.take().unwrap_or_default();
        binding.familiar = Some(familiar.with_questions(latest));
    }
    let mut bytes = 0;
    for form in forms.iter().rev() {
        if binding.forms.contains(form) {
            continue;
        }
        bytes += length(form);
        if bytes > MOST_BYTES || binding.forms.len() == MOST_FORMS {
            break;
        }
        binding.forms.push(form.clone());
    }
    binding
}

/// Which of some things are equal.
struct Numbered {
    /// The number of each: equal ones have the same.
    of: Vec<usize>,
    /// How many have each number.
    times: Vec<usize>,
}

impl Numbered {
    /// Whether another one equals the one at `at`.
    fn is_several(&self, at: usize) -> bool {
        let times = self.of.get(at).and_then(|number| self.times.get(*number));
        times.is_some_and(|times| *times > 1)
    }
}

fn numbered<T: Eq + Hash>(all: &[T]) -> Numbered {
    let mut numbers: HashMap<&T, usize> = HashMap::with_capacity(all.len());
    let mut times: Vec<usize> = Vec::new();
    let mut number = |one| {
        let new = numbers.len();
        let number = *numbers.entry(one).or_insert(new);
        match times.get_mut(number) {
            Some(times) => *times += 1,
            None => times.push(1),
        }
        number
    };
    Numbered {
        of: all.iter().map(&mut number).collect(),
        times,
    }
}

/// True if the askings before it would have answered each of the `askings` but one.
///
/// As in the hook: the words in open places are known, and the text before the paragraph that asks is read
/// as well, unless the answer leaves things as they are.
fn answers_all_but_one(
    askings: usize,
    bound: &[Placed<'_>],
    (forms, of_form): (&[Form], &Numbered),
    known: &Fillers,
    seen: &Binding,
) -> bool {
    let familiar = seen.familiar.clone().unwrap_or_default();
    let (mut texts, mut numbers) = (HashSet::new(), HashSet::new());
    let mut left = askings.saturating_sub(forms.len());
    for (((one, _), form), number) in bound.iter().zip(forms).zip(&of_form.of) {
        let text = one.question.as_str();
        let is_known = !numbers.insert(number);
        let is_seen = !texts.insert(text);
        let asked = asking_part(text);
        let is_read = || is_seen || asked == text || leaves_things(one);
        let accepts = |slot: &Slot, filler: &str| known.accepts(slot, filler);
        if !(is_known && is_read() && form.describes_by(asked, &familiar, &accepts)) {
            left += 1;
        }
        if left > 1 {
            return false;
        }
    }
    true
}

/// The patterns of `texts`, the latest first, in the form of `registry.toml`: `*` stands for any text.
/// A star in a text is markup there, which does not count.
pub(crate) fn rule_patterns(texts: &[&str], known: &Fillers) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let by_text = patterns(texts, Openness::BY_TEXT.any(), known);
    for pattern in by_text.iter().rev() {
        let parts = pattern.parts().iter().map(|part| match part {
            Part::Fixed(text) => text.replace('*', ""),
            Part::Slot(_) => "*".to_owned(),
        });
        let written: String = parts.collect();
        if !found.contains(&written) {
            found.push(written);
        }
    }
    found
}

/// The options of `last`, those whose numbers varied in `askings` with `#` for them.
fn options_seen(askings: &[&HumanAnswer], last: &HumanAnswer) -> Vec<String> {
    let varied = |at: usize, label: &String| {
        let others = askings.iter().filter(|one| one.options != last.options);
        others.into_iter().any(|one| {
            let place = places(&last.options, &[], &one.options);
            let other = place.and_then(|places| one.options.get(*places.get(at)?));
            other.is_some_and(|other| !same_label(label, other))
        })
    };
    let options = last.options.iter().enumerate();
    options
        .map(|(at, label)| match varied(at, label) {
            true => numbers_folded(label),
            false => label.clone(),
        })
        .collect()
}

/// The last asking; where one option more was offered in it than in most others, the last of those.
fn last_of<'a>(askings: &[&'a HumanAnswer]) -> Option<&'a HumanAnswer> {
    let last = askings.last()?;
    let times = |options: &[String]| {
        let same = |one: &&&HumanAnswer| places(options, &[], &one.options).is_some();
        askings.iter().filter(same).count()
    };
    let is_wider = |one: &&HumanAnswer| more(&one.options, &last.options).is_some();
    let narrower = askings.iter().rev().copied().find(is_wider);
    let narrower = narrower.filter(|one| times(&one.options) > times(&last.options));
    Some(narrower.unwrap_or(last))
}

/// Options that were offered beside those of `last` at least twice, and is no reason to ask: where the answers that were
/// given stand alone.
fn added(askings: &[&HumanAnswer], last: &HumanAnswer) -> Vec<String> {
    let stands = |one: &&HumanAnswer| !one.multi_select && one.stands_alone();
    if !is_specific(&last.options) || !askings.iter().all(stands) {
        return Vec::new();
    }
    let mut times: Vec<(&str, usize)> = Vec::new();
    for label in askings
        .iter()
        .filter_map(|one| offered_beside(&last.options, one))
    {
        match times.iter_mut().find(|(other, _)| same_label(other, label)) {
            Some((_, times)) => *times += 1,
            None => times.push((option_text(label), 1)),
        }
    }
    let often = times.into_iter().filter(|(_, times)| *times >= LEAST_ADDED);
    often.map(|(label, _)| label.to_owned()).collect()
}

/// The one label that was offered in `asking` beside `options`.
fn offered_beside<'a>(options: &[String], asking: &'a HumanAnswer) -> Option<&'a str> {
    let wider = || more(options, &asking.options).map(|(_, label)| label);
    asking.added.as_deref().or_else(wider)
}

/// Whether the answer that was given leaves things as they are.
fn leaves_things(answer: &HumanAnswer) -> bool {
    let commits = |label: &String| commitment(&answer.question, label);
    answer
        .labels
        .iter()
        .all(|label| commits(label) == Commitment::LeavesThings)
}

/// An asking, and the place in it of each option of the binding.
type Placed<'a> = (&'a HumanAnswer, Vec<usize>);

/// One form an asking.
fn forms(bound: &[Placed<'_>], options: usize, openness: Openness, known: &Fillers) -> Vec<Form> {
    let asked = bound.iter().map(|(one, _)| match openness.takes_any() {
        true => asking_part(&one.question),
        false => one.question.as_str(),
    });
    let texts: Vec<&str> = asked.collect();
    let texts = patterns(&texts, openness, known);
    if openness.takes_any() {
        return texts.into_iter().map(Form::of_pattern).collect();
    }
    let headers = bound.iter().map(|(one, _)| one.header.as_deref());
    let headers: Vec<&str> = headers.map(Option::unwrap_or_default).collect();
    let headers = patterns(&headers, openness.beside(), known);
    let described = |option: usize| {
        let texts: Vec<&str> = bound.iter().map(|one| description(one, option)).collect();
        patterns(&texts, openness, known)
    };
    let described: Vec<Vec<Pattern>> = (0..options).map(described).collect();
    let form = |(at, (text, header)): (usize, (Pattern, Pattern))| {
        let of_option = described.iter().filter_map(|texts| texts.get(at));
        let (one, order) = bound.get(at)?;
        Some(Form {
            text,
            header: Some(header),
            descriptions: one
                .descriptions
                .as_ref()
                .map(|texts| match texts.is_empty() {
                    true => Vec::new(),
                    false => of_option.cloned().collect(),
                }),
            previews: one.previews.as_ref().map(|texts| match texts.is_empty() {
                true => Vec::new(),
                false => order
                    .iter()
                    .filter_map(|place| texts.get(*place))
                    .cloned()
                    .collect(),
            }),
        })
    };
    texts
        .into_iter()
        .zip(headers)
        .enumerate()
        .filter_map(form)
        .collect()
}

/// How the binding's option numbered `option` was described.
fn description<'a>((one, order): &Placed<'a>, option: usize) -> &'a str {
    let texts = one.descriptions.as_deref().unwrap_or_default();
    let place = order.get(option);
    place
        .and_then(|place| texts.get(*place))
        .map_or("", String::as_str)
}

/// False if the text may have been cut when it was logged.
pub(crate) fn is_whole(answer: &HumanAnswer) -> bool {
    let descriptions = answer.descriptions.iter().flatten();
    answer.question.len() <= LONGEST_TEXT
        && descriptions
            .map(String::len)
            .all(|long| long <= LONGEST_TEXT)
}

/// The position in `offered` of each of `options`, if they are the same, or one of `added` is beside them.
fn places(options: &[String], added: &[String], offered: &[String]) -> Option<Vec<usize>> {
    let folded = |labels: &[String]| labels.iter().map(|label| numbers_folded(label)).collect();
    let (known, others): (Vec<String>, Vec<String>) = (folded(options), folded(offered));
    let distinct: BTreeSet<&String> = known.iter().collect();
    let place = |label: &String| {
        let literal = offered.iter().position(|other| same_label(label, other));
        literal.or_else(|| {
            let wanted = numbers_folded(label);
            let same = |other: &String| same_label(&wanted, other);
            let place = others.iter().position(same);
            place.filter(|_| distinct.len() == known.len())
        })
    };
    let places: Option<Vec<usize>> = options.iter().map(place).collect();
    places.filter(|_| {
        let is_added = |label: &str| added.iter().any(|one| same_label(one, label));
        options.len() == offered.len()
            || more(options, offered).is_some_and(|(_, label)| is_added(label))
    })
}

fn length(form: &Form) -> usize {
    let descriptions = form.descriptions.iter().flatten();
    let patterns = descriptions.chain(&form.header).chain([&form.text]);
    patterns.map(|pattern| pattern.to_string().len()).sum()
}

/// Up to `count` of `texts`, the last of them first, then each time the one that has least in common with those
/// that were taken.
pub(crate) fn most_different(texts: &[&str], count: usize) -> Vec<String> {
    let mut known = BTreeSet::new();
    let distinct = texts.iter().rev().filter(|text| known.insert(**text));
    let mut left: Vec<(&str, BTreeSet<String>)> = distinct
        .map(|text| (*text, words(text).into_iter().collect()))
        .collect();
    let mut taken: Vec<(&str, BTreeSet<String>)> = Vec::new();
    while taken.len() < count {
        let nearest = |(_, one): &(&str, BTreeSet<String>)| {
            let near = taken.iter().map(|(_, other)| alike(one, other));
            near.fold(0.0, f64::max)
        };
        let near: Vec<f64> = left.iter().map(nearest).collect();
        let all = near.iter().enumerate();
        let Some((next, _)) = all.min_by(|one, other| one.1.total_cmp(other.1)) else {
            break;
        };
        taken.push(left.remove(next));
    }
    taken.into_iter().map(|(text, _)| text.to_owned()).collect()
}

/// The share (0–1) of the words of both that both have: Jaccard, "The distribution of the flora in the alpine zone",
/// New Phytologist 11 (1912).
#[allow(clippy::cast_precision_loss, reason = "texts have a few hundred words")]
fn alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let both = one.intersection(other).count() as f64;
    both / (one.len() as f64 + other.len() as f64 - both).max(1.0)
}
