//! A habit: a series of answers that a preference could stand for.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use plantune_domain::family;
use plantune_domain::host::is_program;
use plantune_domain::registry::Registry;

use super::held::Held;
use super::template::{common, mine};
use super::words::is_specific;
use crate::a_week::first_day;
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS, MOST_ANSWERS};

/// How many of the latest answers of an option set are looked at.
pub(crate) const MOST_OF_A_SET: usize = 120;

/// One habit: a series of answers that a preference could stand for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Habit {
    /// Its answers, in the order of time.
    pub(crate) evidence: KeyEvidence,
    /// True for one text variant of a family: it counts only where the family does not.
    pub(crate) within_family: bool,
    /// Which of its askings must be asked, where any must; filled where the habit is judged.
    pub(crate) held: Option<Held>,
}

/// The project, and the name of what belongs together: a marked or registered question's key, the
/// option set's key of all others.
pub(crate) type GroupKey = (String, String);

/// The group that a series belongs to.
pub(crate) fn group_key(
    project: &str,
    key: &str,
    key_source: &str,
    options: &[String],
) -> GroupKey {
    let unmarked = matches!(key_source, "fingerprint" | "family") && !options.is_empty();
    let name = if unmarked {
        family::set_key(options)
    } else {
        key.to_owned()
    };
    (project.to_owned(), name)
}

/// `series` with the answers to unmarked questions under the key that a rule of `registry` gives them
/// now: what was answered before the rule was written counts for it.
pub(crate) fn renamed(series: Vec<KeyEvidence>, registry: &Registry) -> Vec<KeyEvidence> {
    let mut found: BTreeMap<(String, String), KeyEvidence> = BTreeMap::new();
    for one in series {
        let name =
            |of: &HumanAnswer| registry.key_of(&of.question, of.header.as_deref(), &of.options);
        let mut parts: BTreeMap<Option<&str>, Vec<HumanAnswer>> = BTreeMap::new();
        match one.key_source.as_str() {
            // What was logged under a family's key (spot checks of its preference, and what was taken back) has a
            // text of its own each time.
            "family" => {
                for answer in one.answers {
                    parts.entry(name(&answer)).or_default().push(answer);
                }
            }
            "fingerprint" => {
                parts.insert(one.answers.last().and_then(name), one.answers);
            }
            _ => {
                parts.insert(None, one.answers);
            }
        }
        // Of a series in parts it is counted from the answers: of the others it is not known which rule would name
        // them.
        let is_whole = parts.len() == 1;
        for (name, answers) in parts {
            let key = name.unwrap_or(&one.question_key).to_owned();
            let into = found
                .entry((one.project.clone(), key.clone()))
                .or_insert_with(|| KeyEvidence {
                    project: one.project.clone(),
                    question_key: key,
                    known_since: one.known_since,
                    key_source: name.map_or(&*one.key_source, |_| "registry").to_owned(),
                    ..KeyEvidence::default()
                });
            into.recent_askings += if is_whole { one.recent_askings } else { 0 };
            into.answers.extend(answers);
        }
    }
    found.into_values().collect()
}

/// The series of each group.
pub(crate) fn groups(series: Vec<KeyEvidence>) -> BTreeMap<GroupKey, Vec<KeyEvidence>> {
    let mut groups: BTreeMap<GroupKey, Vec<KeyEvidence>> = BTreeMap::new();
    for one in series {
        let options = one.answers.first().map(|answer| answer.options.as_slice());
        let group = group_key(
            &one.project,
            &one.question_key,
            &one.key_source,
            options.unwrap_or_default(),
        );
        groups.entry(group).or_default().push(one);
    }
    groups
}

/// The habits in the series of one group, each with at least three answers: the families, then the
/// text variants by themselves. The order of what is given does not matter.
pub(crate) fn habits(group: &GroupKey, mut series: Vec<KeyEvidence>) -> Vec<Habit> {
    for one in &mut series {
        prepare(one);
        if one.recent_askings == 0 {
            // Put together from text variants that were too few to be counted one by one.
            one.recent_askings = recent(&one.answers);
        }
    }
    let known_since = series.first().and_then(|one| one.known_since);
    let answers = series.iter().flat_map(|one| one.answers.iter().cloned());
    let mut habits = family_habits(group, answers.collect(), known_since);
    let found = keys_of(&habits);
    series.sort_by(|one, other| one.question_key.cmp(&other.question_key));
    let alone = series.into_iter().filter_map(|one| {
        let is_within = found.contains(&one.question_key);
        alone(one, is_within)
    });
    habits.extend(alone);
    habits
}

/// Leaves those answers of a series that count: the latest of one host, in the order of time.
pub(crate) fn prepare(series: &mut KeyEvidence) {
    series.answers.sort_by(HumanAnswer::in_time);
    keep_one_host(&mut series.answers);
    latest(&mut series.answers, MOST_ANSWERS);
}

/// The families among `answers`, which are those of all prepared series of a group; the store has the answers
/// `known_since` a day.
pub(crate) fn family_habits(
    (project, name): &GroupKey,
    mut answers: Vec<HumanAnswer>,
    known_since: Option<NaiveDate>,
) -> Vec<Habit> {
    if !name.starts_with(family::PREFIX) || !varies(answers.iter()) {
        return Vec::new();
    }
    answers.sort_by(HumanAnswer::in_time);
    keep_one_host(&mut answers);
    latest(&mut answers, MOST_OF_A_SET);
    let specific = answers
        .last()
        .is_some_and(|answer| is_specific(&answer.options));
    let habit = |(template, answers): (Vec<String>, Vec<HumanAnswer>)| {
        // A set that carries itself keeps its name when its template loses a word.
        let question_key = if specific {
            name.clone()
        } else {
            family::template_key(name, &template)
        };
        Habit {
            evidence: KeyEvidence {
                project: project.clone(),
                question_key,
                key_source: "family".to_owned(),
                template: Some(template),
                recent_askings: recent(&answers),
                // Of a family that is asked more often the latest answers alone are known.
                known_since: match answers.first() {
                    Some(first) if answers.len() == MOST_ANSWERS => Some(first.day),
                    _ => known_since,
                },
                answers,
            },
            within_family: false,
            held: None,
        }
    };
    families(answers, specific).into_iter().map(habit).collect()
}

/// The keys that the answers of `habits` were logged under.
pub(crate) fn keys_of(habits: &[Habit]) -> BTreeSet<String> {
    let answers = habits.iter().flat_map(|habit| &habit.evidence.answers);
    answers.map(|answer| answer.question_key.clone()).collect()
}

/// The habit of one text variant by itself, which a family may hold as well; `None` with too few answers. What is
/// logged under a family's own key is evidence for the family alone.
pub(crate) fn alone(evidence: KeyEvidence, within_family: bool) -> Option<Habit> {
    (evidence.key_source != "family" && ripe(&evidence.answers)).then_some(Habit {
        evidence,
        within_family,
        held: None,
    })
}

/// Keeps the answers of one host, as what one is answered says nothing about what another asks: of the person's
/// the one that asked last, and of programs where the person has not answered often enough. What was taken back
/// counts for all.
fn keep_one_host(answers: &mut Vec<HumanAnswer>) {
    let hosts = || answers.iter().rev().filter_map(|one| one.tool.as_deref());
    let persons = hosts().filter(|host| !is_program(host)).count();
    let of_program = persons < LEAST_ANSWERS && hosts().any(is_program);
    let host = hosts().find(|host| is_program(host) == of_program);
    let host = host.map(str::to_owned);
    answers.retain(|answer| answer.tool.is_none() || answer.tool == host);
}

fn ripe(answers: &[HumanAnswer]) -> bool {
    answers.len() >= LEAST_ANSWERS
}

fn latest(answers: &mut Vec<HumanAnswer>, most: usize) {
    answers.drain(..answers.len().saturating_sub(most));
}

/// The families among `answers` of one option set, which are in the order of time: their templates
/// and answers.
fn families(answers: Vec<HumanAnswer>, specific: bool) -> Vec<(Vec<String>, Vec<HumanAnswer>)> {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let texts: Vec<Vec<&str>> = answers
        .iter()
        .map(|answer| answer.words().iter().map(String::as_str).collect())
        .collect();
    let mut members: Vec<(Vec<String>, Vec<HumanAnswer>)> = Vec::new();
    if specific {
        let first = texts.len().saturating_sub(MOST_ANSWERS);
        let template = common(texts.get(first..).unwrap_or_default());
        members.push((owned(&template), answers));
    } else {
        let clusters = mine(&texts);
        let templates = clusters.templates.iter();
        members.extend(templates.map(|words| (owned(words), Vec::new())));
        for (answer, cluster) in answers.iter().zip(clusters.of_text) {
            if let Some((_, answers)) = cluster.and_then(|cluster| members.get_mut(cluster)) {
                answers.push(answer.clone());
            }
        }
    }
    for (_, answers) in &mut members {
        latest(answers, MOST_ANSWERS);
    }
    members.retain(|(_, answers)| ripe(answers) && varies(answers.iter()));
    members
}

/// True when `answers` are of several text variants.
fn varies<'a>(answers: impl Iterator<Item = &'a HumanAnswer>) -> bool {
    let mut texts = answers.map(|answer| (answer.question.as_str(), answer.header.as_deref()));
    texts
        .next()
        .is_some_and(|first| texts.any(|other| other != first))
}

/// How many of `answers` lie in the four weeks before the last of them, that day included.
fn recent(answers: &[HumanAnswer]) -> u64 {
    let Some(last) = answers.last() else {
        return 0;
    };
    let from = first_day(last.day);
    answers.iter().filter(|answer| answer.day >= from).count() as u64
}

#[cfg(test)]
mod tests;
