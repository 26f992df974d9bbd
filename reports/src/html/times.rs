//! When the person is asked, and how long they take.

use maud::{Markup, html};
use plantune_query::report::{TimelinePart, Unit};

use super::charts::{Outcome, Share, bars, heat, histogram, legend, shares};
use super::elements::{Picture, TableRows, count, dated, known_seconds, seconds};
use crate::report::Document;

/// The name of a part of the period.
pub(super) fn name(unit: Unit, part: &TimelinePart) -> String {
    let format = match unit {
        Unit::Day => "%a %-d %b %Y",
        Unit::Week => "week of %-d %b %Y",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

/// The label below its bar.
fn label(unit: Unit, part: &TimelinePart) -> String {
    let format = match unit {
        Unit::Day | Unit::Week => "%-d %b",
        Unit::Month => "%b %Y",
        Unit::Year => "%Y",
    };
    part.start.format(format).to_string()
}

/// How a question can end.
const OUTCOMES: [Outcome; 5] = [
    ("of-answered", "answered", "answered by you"),
    ("of-auto_decided", "auto_decided", "answered for you"),
    ("of-dismissed", "dismissed", "left unanswered"),
    ("of-failed", "failed", "could not be asked"),
    ("of-open", "open", "still open"),
];

fn counts(part: &TimelinePart) -> [u64; 5] {
    [
        part.answered,
        part.auto_decided,
        part.dismissed,
        part.failed,
        part.open,
    ]
}

/// The whole period: questions by how they ended, and permission prompts.
pub(super) fn over_time(document: &Document) -> Markup {
    let timeline = &document.report.timeline;
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
    let at = |number: usize| format!("/timeline/parts/{number}");
    let of_questions: Vec<bars::Bar> = parts()
        .map(|(number, part)| {
            let name = format!("{}: ", name(timeline.unit, part));
            bars::Bar {
                label: label(timeline.unit, part),
                shares: shares(&OUTCOMES, counts(part), &name, &at(number)),
            }
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
    let listed = parts().filter(|(_, part)| part.questions + part.prompts > 0);
    let mut rows = TableRows::of("/timeline/parts", listed);
    let unit = timeline.unit.as_str();
    rows.add(unit, |part, _, _| dated(&name(timeline.unit, part)));
    rows.count("by you", "answered", |part| part.answered);
    rows.count("for you", "auto_decided", |part| part.auto_decided);
    rows.count("unanswered", "dismissed", |part| part.dismissed);
    rows.count("failed", "failed", |part| part.failed);
    rows.count("open", "open", |part| part.open);
    rows.count("prompts", "prompts", |part| part.prompts);
    rows.seconds("answering took", "human_seconds", |part| part.human_seconds);
    Picture {
        title: "Over time",
        about: html! { "Questions" @if prompts > 0 { ", and below them permission prompts," } " by " (unit) "." },
        drawing: html! {
            @if questions > 0 {
                (bars::chart(&of_questions, (bars::WIDE, 170.0), "Questions, by how they ended"))
            }
            @if prompts > 0 { (bars::chart(&of_prompts, (bars::WIDE, 110.0), "Permission prompts")) }
        },
        legend: html! {
            (legend(&OUTCOMES, &of_questions.iter().map(|bar| &*bar.shares)))
            @if prompts > 0 { ul.legend { li { span.key.of-prompts {} "permission prompts" } } }
        },
        table: rows.table("parts of the period"),
    }
    .section()
}

/// The hours of the week in which the person is asked.
pub(super) fn hours(document: &Document) -> Markup {
    if document.details.hours.is_empty() {
        return html! {};
    }
    let mut rows = TableRows::of("/hours", document.details.hours.iter().enumerate());
    rows.add("hour", |one, _, _| {
        dated(&format!(
            "{} {}",
            heat::weekday(one.weekday),
            heat::span(one.hour)
        ))
    });
    rows.count("asked", "asked", |one| one.asked);
    Picture {
        title: "When you are asked",
        about: html! { "Questions to you by day of the week and hour." },
        drawing: heat::hours(&document.details.hours),
        legend: heat::scale(&document.details.hours),
        table: rows.table("hours"),
    }
    .section()
}

/// How long answers take.
pub(super) fn answering(document: &Document) -> Markup {
    let times = &document.details.answering_times;
    if times.answers == 0 {
        return html! {};
    }
    let bins = times.bins.iter().enumerate();
    let bins = bins.filter(|(_, bin)| bin.answers > 0);
    let mut rows = TableRows::of("/answering_times/bins", bins);
    rows.add("time", |bin, _, _| dated(&histogram::span(bin)));
    rows.count("answers", "answers", |bin| bin.answers);
    let bound = document.report.away_after_seconds;
    Picture {
        title: "How long answers take",
        about: html! {
            "Of " (count(times.answers, "/answering_times/answers")) " answers "
            @if times.away_answers > 0 {
                (count(times.away_answers, "/answering_times/away_answers"))
                " took longer than " (seconds(bound, "/away_after_seconds"))
                ", so you were away. Of the others "
            }
            "half took up to "
            (known_seconds(times.median_seconds, "/answering_times/median_seconds"))
            ", nine of ten up to "
            (known_seconds(times.p90_seconds, "/answering_times/p90_seconds")) "."
        },
        drawing: histogram::answering(times, bound),
        legend: html! {},
        table: rows.table("times"),
    }
    .section()
}
