//! When the person is asked, and how long they take.

use maud::{Markup, html};

use super::charts::{bars, heat, histogram};
use super::number::{count, known_seconds, seconds};
use super::parts::{Picture, dated, table};
use crate::report::Document;

/// Eight weeks, stacked by how questions ended.
pub(super) fn weeks(document: &Document) -> Markup {
    let trend = &document.trend;
    if trend.iter().all(|week| week.questions == 0) {
        return html! {};
    }
    let bars: Vec<bars::Bar<'_>> = trend.iter().map(bars::Bar::from).collect();
    let words = bars::OUTCOMES.map(|(_, words)| words);
    let rows: Vec<Vec<Markup>> = (trend.iter().zip(&bars).enumerate())
        .map(|(number, (week, bar))| {
            let at = |field: &str| format!("/trend/{number}/{field}");
            let name = dated(&week.week);
            let counts = bar.counts.into_iter().zip(bars::OUTCOMES);
            let counts = counts.map(|(number, (field, _))| count(number, &at(field)));
            let time = seconds(week.human_seconds, &at("human_seconds"));
            std::iter::once(name).chain(counts).chain([time]).collect()
        })
        .collect();
    let titles = [
        "week",
        "by you",
        "without you",
        "dismissed",
        "failed",
        "open",
        "your time",
    ];
    Picture {
        title: "Eight weeks",
        about: html! { "Questions a week, by how they ended." },
        drawing: bars::weeks(&bars, words, "/trend"),
        legend: bars::legend(&bars, words),
        table: table(&titles, &rows),
    }
    .section()
}

/// The hours of the week in which the person is asked.
pub(super) fn hours(document: &Document) -> Markup {
    if document.hours.is_empty() {
        return html! {};
    }
    let rows: Vec<Vec<Markup>> = (document.hours.iter().enumerate())
        .map(|(number, hour)| {
            let words = format!("{} {}", heat::weekday(hour.weekday), heat::span(hour.hour));
            let asked = count(hour.asked, &format!("/hours/{number}/asked"));
            vec![dated(&words), asked]
        })
        .collect();
    Picture {
        title: "When you are asked",
        about: html! { "The period's questions to you by hour of the week: the stronger the colour, the more." },
        drawing: heat::hours(&document.hours),
        legend: html! {},
        table: table(&["hour", "asked"], &rows),
    }
    .section()
}

/// How long answers take.
pub(super) fn answering(document: &Document) -> Markup {
    let times = &document.answering_times;
    if times.answers == 0 {
        return html! {};
    }
    let rows: Vec<Vec<Markup>> = (times.bins.iter().enumerate())
        .filter(|(_, bin)| bin.answers > 0)
        .map(|(number, bin)| {
            let at = format!("/answering_times/bins/{number}/answers");
            vec![dated(&histogram::span(bin)), count(bin.answers, &at)]
        })
        .collect();
    let bound = document.away_after_seconds;
    Picture {
        title: "How long answers take",
        about: html! {
            "Of " (count(times.answers, "/answering_times/answers")) " answers "
            @if times.away_answers > 0 {
                (count(times.away_answers, "/answering_times/away_answers"))
                " took longer than " (seconds(bound, "/away_after_seconds"))
                ": you were away. Of the others "
            }
            "half took at most "
            (known_seconds(times.median_seconds, "/answering_times/median_seconds"))
            ", nine of ten at most "
            (known_seconds(times.p90_seconds, "/answering_times/p90_seconds")) "."
        },
        drawing: histogram::answering(times, bound),
        legend: html! {},
        table: table(&["time", "answers"], &rows),
    }
    .section()
}
