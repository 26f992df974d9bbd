//! An option that is offered now and then beside the usual ones: not another question, where the answers stay.

use std::collections::BTreeMap;

use plantune_domain::commitment::stands_alone;
use plantune_domain::family::{self, smaller_set_keys};
use plantune_domain::keys::fingerprint;
use plantune_domain::recommended::{option_text, same_label};

use super::habit::GroupKey;
use super::words::is_specific;
use crate::evidence::{GivenAnswer, HumanAnswer, KeyEvidence};

type Groups = BTreeMap<GroupKey, Vec<KeyEvidence>>;

/// `groups` in which answers that were given beside one option more count for the commoner question without it.
pub(crate) fn joined(mut groups: Groups) -> Groups {
    let is_set = |(_, name): &&GroupKey| name.starts_with(family::PREFIX);
    let wide: Vec<GroupKey> = groups.keys().filter(is_set).cloned().collect();
    for wide in wide {
        let Some((narrow, options)) = commoner(&wide, &groups) else {
            continue;
        };
        let series = groups.remove(&wide).unwrap_or_default();
        let into = groups.entry(narrow).or_default();
        let (mut found, mut others) = (Vec::new(), Vec::new());
        for one in series {
            match without_added(&one, &options, into) {
                Some(joined) => found.push(joined),
                None => others.push(one),
            }
        }
        found.into_iter().for_each(|one| put(one, into));
        if !others.is_empty() {
            groups.insert(wide, others);
        }
    }
    groups
}

/// The group that has one option less than `wide` and more answers, and its options.
fn commoner((project, name): &GroupKey, groups: &Groups) -> Option<(GroupKey, Vec<String>)> {
    let count = |series: &[KeyEvidence]| series.iter().map(|one| one.answers.len()).sum::<usize>();
    let of_wide = groups.get(&(project.clone(), name.clone()))?;
    let offered = &of_wide.first()?.answers.first()?.options;
    let narrower = smaller_set_keys(offered).into_iter().filter_map(|key| {
        let (group, series) = groups.get_key_value(&(project.clone(), key))?;
        Some((group, series, count(series)))
    });
    let (group, series, times) = narrower.max_by_key(|(_, _, times)| *times)?;
    let options = series.first()?.answers.last()?.options.clone();
    (times > count(of_wide)).then(|| (group.clone(), options))
}

/// `series` as if no more than `options` had been offered. `None` where the option that was added was chosen or
/// recommended, where the person said more, and where it is another question than those in `known`: another text,
/// and labels that do not say by themselves what they are about.
fn without_added(
    series: &KeyEvidence,
    options: &[String],
    known: &[KeyEvidence],
) -> Option<KeyEvidence> {
    let answers: Option<Vec<HumanAnswer>> = series
        .answers
        .iter()
        .map(|answer| without(answer, options))
        .collect();
    let answers = answers?;
    let last = answers.last()?;
    let question_key = match series.key_source.as_str() {
        "fingerprint" => fingerprint(last.header.as_deref(), &last.question, options),
        _ => series.question_key.clone(),
    };
    let stands = |one: &HumanAnswer| {
        let mut labels = one.labels.iter();
        labels.all(|label| stands_alone(&one.question, label))
    };
    let is_known = known.iter().any(|one| one.question_key == question_key);
    (is_known || is_specific(options) && answers.iter().all(stands)).then(|| KeyEvidence {
        question_key,
        answers,
        ..series.clone()
    })
}

/// `answer` without the option that was offered beside `options`.
fn without(answer: &HumanAnswer, options: &[String]) -> Option<HumanAnswer> {
    let (at, label) = more(options, &answer.options)?;
    let is_it = |other: &str| same_label(other, label);
    let mut labels = answer.labels.iter().chain(&answer.recommended);
    let stays = !answer.said_more
        && !answer.multi_select
        && answer.undone.is_none()
        && answer.added.is_none()
        && !answer.labels.is_empty()
        && !labels.any(|label| is_it(label));
    let rest = |texts: &Vec<String>| {
        let of_rest = texts.iter().enumerate().filter(|(place, _)| *place != at);
        of_rest.map(|(_, text)| text.clone()).collect()
    };
    stays.then(|| {
        HumanAnswer::from(GivenAnswer {
            options: rest(&answer.options),
            descriptions: answer.descriptions.as_ref().map(rest),
            previews: answer.previews.as_ref().map(rest),
            added: Some(option_text(label).to_owned()),
            ..GivenAnswer::clone(answer)
        })
    })
}

/// The one label that `wider` has beside `options`, and its place.
pub(crate) fn more<'a>(options: &[String], wider: &'a [String]) -> Option<(usize, &'a str)> {
    if wider.len() != options.len() + 1 {
        return None;
    }
    let is_other = |label: &str| !options.iter().any(|one| same_label(one, label));
    let labels = wider.iter().map(String::as_str).enumerate();
    let mut others = labels.filter(|(_, label)| is_other(label));
    others.next().filter(|_| others.next().is_none())
}

/// Puts `one` into `series`, to the answers under the same key.
fn put(one: KeyEvidence, series: &mut Vec<KeyEvidence>) {
    let same = |other: &&mut KeyEvidence| other.question_key == one.question_key;
    match series.iter_mut().find(same) {
        Some(same) => {
            same.recent_askings += one.recent_askings;
            same.answers.extend(one.answers);
        }
        None => series.push(one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::tests::answer;
    use crate::families::groups;

    const USUAL: [&str; 2] = ["Run the full suite", "Skip the slow ones"];
    const WIDER: [&str; 3] = ["Run the full suite", "Talk it over", "Skip the slow ones"];

    fn series(text: &str, options: &[&str], label: &str, times: usize) -> KeyEvidence {
        let mut one = answer(options, &[label]);
        one.question = text.to_owned();
        one.question_key = fingerprint(None, text, &one.options);
        one.descriptions = Some(
            options
                .iter()
                .map(|label| format!("about {label}"))
                .collect(),
        );
        KeyEvidence {
            project: "p".to_owned(),
            question_key: one.question_key.clone(),
            key_source: "fingerprint".to_owned(),
            answers: vec![one; times],
            ..KeyEvidence::default()
        }
    }

    /// How many answers each key has.
    fn counts(series: Vec<KeyEvidence>) -> Vec<usize> {
        let all = joined(groups(series)).into_values().flatten();
        let mut counts: Vec<usize> = all.map(|one| one.answers.len()).collect();
        counts.sort_unstable();
        counts
    }

    #[test]
    fn answers_beside_one_option_more_count_for_the_question_without_it() {
        let usual = series("Which tests?", &USUAL, USUAL[0], 3);
        let key = usual.question_key.clone();
        let wider = series("Which tests?", &WIDER, USUAL[0], 1);
        let groups = joined(groups(vec![usual, wider]));
        let all: Vec<KeyEvidence> = groups.into_values().flatten().collect();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].question_key, key);
        let joined = all[0].answers.last().unwrap();
        assert_eq!(joined.added.as_deref(), Some("Talk it over"));
        assert_eq!(joined.options, USUAL);
        let described = joined.descriptions.as_deref().unwrap();
        assert_eq!(described, USUAL.map(|label| format!("about {label}")));
    }

    #[test]
    fn what_was_answered_otherwise_or_is_another_question_stays() {
        let usual = |times| series("Which tests?", &USUAL, USUAL[0], times);
        let of = |text, label| series(text, &WIDER, label, 1);
        // Other words, but labels that say what they are about.
        assert_eq!(counts(vec![usual(3), of("And now?", USUAL[0])]), [1, 3]);
        assert_eq!(
            joined(groups(vec![usual(3), of("And now?", USUAL[0])])).len(),
            1
        );
        // The option that was added was chosen.
        assert_eq!(
            joined(groups(vec![usual(3), of("Which tests?", WIDER[1])])).len(),
            2
        );
        // Nobody knows which is the usual one.
        assert_eq!(
            joined(groups(vec![usual(1), of("Which tests?", USUAL[0])])).len(),
            2
        );
        let recommended = |mut one: KeyEvidence| {
            one.answers[0].recommended = Some(WIDER[1].to_owned());
            one
        };
        let wider = recommended(of("Which tests?", USUAL[0]));
        assert_eq!(joined(groups(vec![usual(3), wider])).len(), 2);
        // Yes, to another question.
        let yes = |text, options: &[&str], times| series(text, options, "Yes", times);
        let usual = || yes("Write it?", &["Yes", "No"], 3);
        let wider = |text| yes(text, &["Yes", "No", "Later"], 1);
        assert_eq!(counts(vec![usual(), wider("Push it?")]), [1, 3]);
        assert_eq!(joined(groups(vec![usual(), wider("Push it?")])).len(), 2);
        assert_eq!(counts(vec![usual(), wider("Write it?")]), [4]);
    }
}
