//! A habit: a series of answers that a preference could stand for. An option that is offered now and then beside the
//! usual ones makes no other habit.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use plantune_domain::family;
use plantune_domain::registry::Registry;
use plantune_domain::session_kind::is_program;

use super::template::{common, is_specific, mine};
use crate::evidence::{HumanAnswer, KeyEvidence, LEAST_ANSWERS, MOST_ANSWERS, first_day};

/// How many of the latest answers of an option set are looked at.
pub(crate) const MOST_OF_A_SET: usize = 120;

/// One habit: a series of answers that a preference could stand for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Habit {
    /// Its answers, in the order of time.
    pub(crate) evidence: KeyEvidence,
    /// True for one text variant of a family: it counts only if the family does not.
    pub(crate) within_family: bool,
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
    for mut one in series {
        for answer in &mut one.answers {
            let header = answer.header.as_deref();
            if registry.opens(&one.question_key, &answer.question, header, &answer.options) {
                answer.is_opened = true;
            }
        }
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
/// text variants by themselves. The order of the input does not matter.
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

/// Keeps the answers of a series that count: the latest of one host, in the order of time.
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

/// The words that a door's `reason` was found in, for a person: `"clear … cache"` for `pair: clear × cache`.
pub fn door_words(reason: &str) -> String {
    let Some((kind, found)) = reason.split_once(": ") else {
        return reason.to_owned();
    };
    let words = match kind {
        "sign" => return found.to_owned(),
        "registry" => return format!("your rule {found}"),
        // A question in another language, which no list reads.
        "words" => return format!("it is {found}"),
        _ => found.replace(" × ", " … ").replace("...", "…"),
    };
    format!("\"{words}\"")
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::{door_words, *};
    use crate::evidence::tests::{answer, at};
    use crate::families::groups;

    #[test]
    fn reasons_as_a_person_reads_them() {
        for (reason, shown) in [
            ("pair: clear × cache", "\"clear … cache\""),
            ("phrase: cancel ... order", "\"cancel … order\""),
            ("words: not in English", "it is not in English"),
            ("sign: money", "money"),
            ("registry: billing", "your rule billing"),
            ("declines a safeguard", "declines a safeguard"),
        ] {
            assert_eq!(door_words(reason), shown);
        }
    }

    /// A series of an unmarked question: its texts, one a day, answered with `label`.
    fn series(key: &str, texts: &[&str], options: &[&str], label: &str) -> KeyEvidence {
        let answers = texts.iter().enumerate().map(|(index, text)| {
            let mut answer = answer(options, &[label]);
            answer.question_key = key.to_owned();
            answer.question = (*text).to_owned();
            answer.at = at("2026-11-01 10:00") + TimeDelta::days(index as i64);
            answer.day = answer.at.date();
            answer
        });
        KeyEvidence {
            project: "p".to_owned(),
            question_key: key.to_owned(),
            key_source: "fingerprint".to_owned(),
            answers: answers.collect(),
            ..KeyEvidence::default()
        }
    }

    fn found(series: Vec<KeyEvidence>) -> Vec<Habit> {
        groups(series)
            .into_iter()
            .flat_map(|(group, series)| habits(&group, series))
            .collect()
    }

    const AREAS: [&str; 2] = ["More questions", "Next area"];

    #[test]
    fn a_specific_set_is_one_family_whatever_the_texts() {
        let texts = [
            "Anything else on login?",
            "Shall we move on?",
            "Billing: enough?",
        ];
        let given: Vec<KeyEvidence> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| series(&format!("fp-{index}"), &[text], &AREAS, "Next area"))
            .collect();
        let mut other_way = given.clone();
        other_way.reverse();
        let family = found(given);
        assert_eq!(family.len(), 1);
        let evidence = &family[0].evidence;
        assert_eq!(evidence.answers.len(), 3);
        assert_eq!(evidence.template.as_deref(), Some(&[][..]));
        assert_eq!(evidence.key_source, "family");
        let options = AREAS.map(str::to_owned);
        assert_eq!(evidence.question_key, family::set_key(&options));
        assert_eq!(found(other_way), family);
    }

    #[test]
    fn the_words_that_a_specific_set_shares_are_its_template_and_not_its_name() {
        let one = series(
            "fp-1",
            &["login: shall I go to the area?"; 2],
            &AREAS,
            "Next area",
        );
        let mut other = series(
            "fp-2",
            &["search: shall I go to the area?"; 2],
            &AREAS,
            "Next area",
        );
        let family = found(vec![one.clone(), other.clone()]);
        // "Area" alone says something of its own: too little.
        assert_eq!(family[0].evidence.template.as_deref(), Some(&[][..]));
        for answer in &mut other.answers {
            answer.question = "search: shall I map the area?".to_owned();
        }
        let mut one = one;
        for answer in &mut one.answers {
            answer.question = "login: shall I map the area?".to_owned();
        }
        let family = found(vec![one, other]);
        let words = ["shall", "i", "map", "the", "area"].map(str::to_owned);
        assert_eq!(family[0].evidence.template.as_deref(), Some(&words[..]));
        let options = AREAS.map(str::to_owned);
        assert_eq!(family[0].evidence.question_key, family::set_key(&options));
    }

    #[test]
    fn general_sets_need_a_template() {
        let yes = |key: &str, text: &str| series(key, &[text], &["Yes", "No"], "Yes");
        let found = found(vec![
            yes("fp-1", "login: run the linter now?"),
            yes("fp-2", "search: run the linter now?"),
            yes("fp-3", "charts: run the linter now?"),
            yes("fp-4", "Overwrite the schema?"),
            yes("fp-5", "Proceed?"),
            yes("fp-6", "Use tabs?"),
        ]);
        assert_eq!(found.len(), 1);
        let evidence = &found[0].evidence;
        assert_eq!(evidence.answers.len(), 3);
        let template = ["run", "the", "linter", "now"].map(str::to_owned);
        assert_eq!(evidence.template.as_deref(), Some(&template[..]));
        let options = ["Yes", "No"].map(str::to_owned);
        let set = family::set_key(&options);
        assert_eq!(evidence.question_key, family::template_key(&set, &template));
    }

    #[test]
    fn one_text_variant_is_no_family_and_marked_questions_are_never_one() {
        let alone = found(vec![series(
            "fp-1",
            &["Same text?"; 4],
            &AREAS,
            "Next area",
        )]);
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].evidence.question_key, "fp-1");
        assert_eq!(alone[0].evidence.template, None);
        let marked = |key: &str| {
            let mut marked = series(key, &["One text?", "Another?"], &AREAS, "Next area");
            marked.key_source = "marker".to_owned();
            marked
        };
        assert!(found(vec![marked("a"), marked("b")]).is_empty());
    }

    #[test]
    fn frequent_text_variants_stand_beside_their_family() {
        let found = found(vec![
            series("fp-1", &["Enough of login?"; 3], &AREAS, "Next area"),
            series("fp-2", &["And now?"], &AREAS, "More questions"),
        ]);
        let keys: Vec<(&str, bool)> = found
            .iter()
            .map(|habit| (habit.evidence.key_source.as_str(), habit.within_family))
            .collect();
        assert_eq!(keys, [("family", false), ("fingerprint", true)]);
    }

    #[test]
    fn projects_stay_apart() {
        let one = series("fp-1", &["Enough of login?"], &AREAS, "Next area");
        let mut others = [one.clone(), one.clone(), one];
        for (index, other) in others.iter_mut().enumerate() {
            other.project = index.to_string();
        }
        assert!(found(others.to_vec()).is_empty());
    }

    #[test]
    fn what_a_program_was_answered_says_nothing_of_the_person() {
        let at_host = |host: &str, texts: &[&str], label: &str| {
            let mut one = series("k", texts, &AREAS, label);
            one.key_source = "marker".to_owned();
            for answer in &mut one.answers {
                answer.tool = Some(host.to_owned());
            }
            one
        };
        let kept = |hosts: &[(&str, usize)]| {
            let mut merged = at_host("", &[], "");
            for (host, count) in hosts {
                let mut answers = at_host(host, &vec!["On?"; *count], "Next area").answers;
                let later = TimeDelta::days(merged.answers.len() as i64);
                answers.iter_mut().for_each(|answer| answer.at += later);
                merged.answers.extend(answers);
            }
            let habit = found(vec![merged]).pop().unwrap();
            let first = habit.evidence.answers[0].tool.clone().unwrap();
            (first, habit.evidence.answers.len())
        };
        let dialog = "AskUserQuestion";
        let of = |host: &str, count| (host.to_owned(), count);
        assert_eq!(kept(&[(dialog, 3), ("sdk-ts", 30)]), of(dialog, 3));
        assert_eq!(kept(&[("sdk-ts", 9), (dialog, 4)]), of(dialog, 4));
        assert_eq!(kept(&[(dialog, 2), ("sdk-ts", 5)]), of("sdk-ts", 5));
        assert_eq!(kept(&[("sdk-ts", 5), (dialog, 2)]), of("sdk-ts", 5));
    }
}
