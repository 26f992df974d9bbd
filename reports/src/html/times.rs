//! When the person is asked, and how long they take.

use maud::{Markup, html};
use plantune_query::page::{Hour, TimeBin};
use plantune_query::report::{Part, Unit};

use super::charts::spark::Share;
use super::charts::{bars, heat, histogram};
use super::number::{count, known_seconds, seconds};
use super::parts::{Picture, dated, rows, table};
use crate::report::Document;

/// The name of a part of the period.
pub(super) fn name(unit: Unit, part: &Part) -> String {
    let format = match unit {
        Unit::Day => "%a %-d %b %Y",
        Unit::Week => "week of %-d %b %Y",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

/// What stands below its bar.
fn label(unit: Unit, part: &Part) -> String {
    let format = match unit {
        Unit::Day | Unit::Week => "%-d %b",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

fn counts(part: &Part) -> [u64; 5] {
    [
        part.answered,
        part.auto_decided,
        part.dismissed,
        part.failed,
        part.open,
    ]
}

/// The whole period: questions by how they ended, and prompts for permission.
pub(super) fn over_time(document: &Document) -> Markup {
    let timeline = &document.timeline;
    let parts = || timeline.parts.iter().enumerate();
    let (questions, prompts) = timeline
        .parts
        .iter()
        .fold((0, 0), |(questions, prompts), part| {
            (questions + part.questions, prompts + part.prompts)
        });
    if questions + prompts == 0 {
        return html! {};
    }
    let words = bars::OUTCOMES.map(|(_, words)| words);
    let at = |number: usize| format!("/timeline/parts/{number}");
    let of_questions: Vec<bars::Bar> = parts()
        .map(|(number, part)| {
            let (name, label) = (name(timeline.unit, part), label(timeline.unit, part));
            bars::outcomes(&name, label, counts(part), words, &at(number))
        })
        .collect();
    let of_prompts: Vec<bars::Bar> = parts()
        .map(|(number, part)| bars::Bar {
            label: label(timeline.unit, part),
            shares: vec![Share {
                class: "of-prompts",
                value: part.prompts,
                json: format!("{}/prompts", at(number)),
                words: format!("{}: {} prompts", name(timeline.unit, part), part.prompts),
            }],
        })
        .collect();
    let rows: Vec<Vec<Markup>> = parts()
        .filter(|(_, part)| part.questions + part.prompts > 0)
        .map(|(number, part)| {
            let place = |field: &str| format!("{}/{field}", at(number));
            let ended = counts(part).into_iter().zip(bars::OUTCOMES);
            let ended = ended.map(|(number, (field, _))| count(number, &place(field)));
            std::iter::once(dated(&name(timeline.unit, part)))
                .chain(ended)
                .chain([
                    count(part.prompts, &place("prompts")),
                    seconds(part.human_seconds, &place("human_seconds")),
                ])
                .collect()
        })
        .collect();
    let unit = timeline.unit.as_str();
    let titles = [
        unit,
        "by you",
        "without you",
        "unanswered",
        "failed",
        "open",
        "prompts",
        "answering took",
    ];
    Picture {
        title: "Over time",
        about: html! { "Questions" @if prompts > 0 { ", and below them prompts for permission," } " by " (unit) "." },
        drawing: html! {
            @if questions > 0 {
                (bars::chart(&of_questions, (bars::WIDE, 170.0), "Questions, by how they ended"))
            }
            @if prompts > 0 { (bars::chart(&of_prompts, (bars::WIDE, 110.0), "Prompts for permission")) }
        },
        legend: html! {
            (bars::legend(&of_questions, words))
            @if prompts > 0 { ul.legend { li { span.key.of-prompts {} "prompts for permission" } } }
        },
        table: table(&titles, &rows),
    }
    .section()
}

/// The hours of the week in which the person is asked.
pub(super) fn hours(document: &Document) -> Markup {
    if document.hours.is_empty() {
        return html! {};
    }
    let table = rows(
        "/hours",
        document.hours.iter().enumerate(),
        &[
            ("hour", &|one: &Hour, _| {
                dated(&format!(
                    "{} {}",
                    heat::weekday(one.weekday),
                    heat::span(one.hour)
                ))
            }),
            ("asked", &|one, at| count(one.asked, &at("asked"))),
        ],
    );
    Picture {
        title: "When you are asked",
        about: html! { "Questions to you by day of the week and hour." },
        drawing: heat::hours(&document.hours),
        legend: heat::scale(&document.hours),
        table,
    }
    .section()
}

/// How long answers take.
pub(super) fn answering(document: &Document) -> Markup {
    let times = &document.answering_times;
    if times.answers == 0 {
        return html! {};
    }
    let bins = times.bins.iter().enumerate();
    let table = rows(
        "/answering_times/bins",
        bins.filter(|(_, bin)| bin.answers > 0),
        &[
            ("time", &|bin: &TimeBin, _| dated(&histogram::span(bin))),
            ("answers", &|bin, at| count(bin.answers, &at("answers"))),
        ],
    );
    let bound = document.away_after_seconds;
    Picture {
        title: "How long answers take",
        about: html! {
            "Of " (count(times.answers, "/answering_times/answers")) " answers "
            @if times.away_answers > 0 {
                (count(times.away_answers, "/answering_times/away_answers"))
                " took longer than " (seconds(bound, "/away_after_seconds"))
                ": nobody was there. Of the others "
            }
            "half took at most "
            (known_seconds(times.median_seconds, "/answering_times/median_seconds"))
            ", nine of ten at most "
            (known_seconds(times.p90_seconds, "/answering_times/p90_seconds")) "."
        },
        drawing: histogram::answering(times, bound),
        legend: html! {},
        table,
    }
    .section()
}
