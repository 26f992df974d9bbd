//! The figures that are compared with those of the period before.

use plantune_query::report::Totals;

use crate::amount::duration;

/// A figure of the totals.
pub(crate) struct Figure {
    /// What it counts.
    pub(crate) label: &'static str,
    /// True for a part of the one before it.
    pub(super) is_part: bool,
    /// Where it stands in the JSON of the totals.
    pub(crate) field: &'static str,
    pub(crate) value: Value,
}

/// How it is read.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Count(fn(&Totals) -> u64),
    Seconds(fn(&Totals) -> f64),
}

use Value::{Count, Seconds};

impl Value {
    /// True when it says something.
    pub(crate) fn is_there(self, totals: &Totals) -> bool {
        match self {
            Count(of) => of(totals) > 0,
            Seconds(of) => of(totals) >= 0.5,
        }
    }

    pub(super) fn in_words(self, totals: &Totals) -> String {
        match self {
            Count(of) => of(totals).to_string(),
            Seconds(of) => duration(of(totals)),
        }
    }
}

const fn whole(label: &'static str, field: &'static str, value: Value) -> Figure {
    Figure {
        label,
        is_part: false,
        field,
        value,
    }
}

const fn part(label: &'static str, field: &'static str, value: Value) -> Figure {
    Figure {
        is_part: true,
        ..whole(label, field, value)
    }
}

#[rustfmt::skip]
pub(crate) const FIGURES: [Figure; 15] = [
    whole("Asked", "asked", Count(|totals| totals.asked)),
    part("answered", "answered", Count(|totals| totals.answered)),
    part("left without an answer", "dismissed", Count(|totals| totals.dismissed)),
    part("could not be asked", "failed", Count(|totals| totals.failed)),
    part("still open", "open", Count(|totals| totals.open)),
    whole("Answered by preferences", "auto_decided_by/preferences", Count(|totals| totals.auto_decided_by.preferences)),
    whole("Answered as before in the session", "auto_decided_by/session", Count(|totals| totals.auto_decided_by.session)),
    whole("Answered by your reviewer", "auto_decided_by/reviewer", Count(|totals| totals.auto_decided_by.reviewer)),
    whole("Turned down by your reviewer", "auto_decided_by/turned_down", Count(|totals| totals.auto_decided_by.turned_down)),
    whole("Answered while you were away", "auto_decided_by/away", Count(|totals| totals.auto_decided_by.away)),
    whole("Sessions", "sessions", Count(|totals| totals.sessions)),
    whole("Answering took", "human_seconds", Seconds(|totals| totals.human_seconds)),
    whole("Agents waited", "waiting_seconds", Seconds(|totals| totals.waiting_seconds)),
    part("while nobody was there", "waiting_away_seconds", Seconds(|totals| totals.waiting_away_seconds)),
    whole("Time saved", "seconds_saved", Seconds(|totals| totals.seconds_saved)),
];
