//! The figures of a report's totals: what each is called, and the table that compares two periods.

use FigureValue::{Count, Seconds};
use plantune_query::report::Totals;

use crate::humanize::{change, duration, duration_change};
use crate::table::{Section, Table, number, text};

/// A figure of the totals.
pub(crate) struct Figure {
    /// What the person reads for it.
    pub(crate) label: &'static str,
    /// True for a part of the one before it.
    is_part: bool,
    /// Where it stands in the JSON of the totals.
    pub(crate) field: &'static str,
    pub(crate) value: FigureValue,
}

/// How a figure is read from the totals.
#[derive(Clone, Copy)]
pub(crate) enum FigureValue {
    Count(fn(&Totals) -> u64),
    Seconds(fn(&Totals) -> f64),
}

impl FigureValue {
    /// True when it is not zero.
    pub(crate) fn is_there(self, totals: &Totals) -> bool {
        match self {
            Count(of) => of(totals) > 0,
            Seconds(of) => of(totals) >= 0.5,
        }
    }

    fn in_words(self, totals: &Totals) -> String {
        match self {
            Count(of) => of(totals).to_string(),
            Seconds(of) => duration(of(totals)),
        }
    }
}

const fn whole(label: &'static str, field: &'static str, value: FigureValue) -> Figure {
    Figure {
        label,
        is_part: false,
        field,
        value,
    }
}

const fn part(label: &'static str, field: &'static str, value: FigureValue) -> Figure {
    Figure {
        is_part: true,
        ..whole(label, field, value)
    }
}

/// The parts of `questions` add up to it.
#[rustfmt::skip]
pub(crate) const FIGURES: [Figure; 16] = [
    whole("Questions", "questions", Count(|totals| totals.questions)),
    part("answered by you", "answered", Count(|totals| totals.answered)),
    part("left unanswered", "dismissed", Count(|totals| totals.dismissed)),
    part("of these, chosen by nobody", "timed_out", Count(|totals| totals.timed_out)),
    part("could not be asked", "failed", Count(|totals| totals.failed)),
    part("still open", "open", Count(|totals| totals.open)),
    part("answered by preferences", "auto_decided_by/preferences", Count(|totals| totals.auto_decided_by.preferences)),
    part("answered as earlier in the session", "auto_decided_by/session", Count(|totals| totals.auto_decided_by.session)),
    part("answered by your reviewer", "auto_decided_by/reviewer", Count(|totals| totals.auto_decided_by.reviewer)),
    part("turned down by your reviewer", "auto_decided_by/turned_down", Count(|totals| totals.auto_decided_by.turned_down)),
    part("answered while you were away", "auto_decided_by/away", Count(|totals| totals.auto_decided_by.away)),
    whole("Sessions", "sessions", Count(|totals| totals.sessions)),
    whole("Answering took", "human_seconds", Seconds(|totals| totals.human_seconds)),
    whole("Agents waited", "waiting_seconds", Seconds(|totals| totals.waiting_seconds)),
    part("while you were away", "waiting_away_seconds", Seconds(|totals| totals.waiting_away_seconds)),
    whole("Time saved", "seconds_saved", Seconds(|totals| totals.seconds_saved)),
];

/// The figures of a period beside those of the period before it, unless nothing was asked in one of them.
pub(super) fn comparison(title: String, now: &Totals, before: &Totals) -> Option<Section> {
    if now.questions == 0 || before.questions == 0 {
        return None;
    }
    let figures = FIGURES.iter();
    let figures = figures.filter(|one| one.value.is_there(now) || one.value.is_there(before));
    let indented = |one: &Figure| format!("{}{}", if one.is_part { "  " } else { "" }, one.label);
    let mut table = Table::of(figures);
    table.add(text("").least(25), indented);
    table.add(number("now"), |one| one.value.in_words(now));
    table.add(number("before").rank(1), |one| one.value.in_words(before));
    table.add(number("change").rank(2), |one| match one.value {
        Count(of) => change(of(now), of(before)),
        Seconds(of) => duration_change(of(now), of(before)),
    });
    Some(Section::new(title, table))
}
