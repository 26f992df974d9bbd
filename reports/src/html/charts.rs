//! Pictures as SVG. All have the width of a phone in CSS pixels, so that their letters can be read there; colours come
//! from classes of the style sheet.

use maud::{Markup, html};
use plantune_query::report::{AnswerCount, AnsweringTimes, Hour, TimeBin};

use super::elements::dated;
use crate::humanize::duration;
use crate::text::clean;

/// The width of the large pictures.
const WIDTH: f64 = 340.0;

/// A coordinate with one decimal.
fn at(number: f64) -> String {
    format!("{number:.1}")
}

/// A picture of `size` (width, height) with a title that is read aloud.
fn picture(size: (f64, f64), class: &str, title: &str, content: &Markup) -> Markup {
    html! {
        svg class=(class) viewBox=(format!("0 0 {} {}", size.0, size.1)) role="img" aria-label=(title) {
            title { (title) }
            (content)
        }
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Area {
    /// As an element for the value at the JSON pointer `json`, with `words` for who points at it.
    fn shows(self, class: &str, value: u64, json: &str, words: &str) -> Markup {
        html! {
            rect class=(class) x=(at(self.x)) y=(at(self.y)) width=(at(self.width)) height=(at(self.height))
                data-json=(json) data-value=(value) {
                title { (words) }
            }
        }
    }
}

/// A part of a bar: its colour, its value and place in the document, and words for who points at it.
pub(super) struct Share {
    pub(super) class: &'static str,
    pub(super) value: u64,
    pub(super) json: String,
    pub(super) words: String,
}

/// A way in which something can end: its colour, its field in the JSON, and what it is called.
pub(super) type OutcomeStyle = (&'static str, &'static str, &'static str);

/// The shares of `outcomes`, by the `counts` of these; it stands at `json`, and `name` is said before it.
pub(super) fn shares(
    outcomes: &[OutcomeStyle],
    counts: impl IntoIterator<Item = u64>,
    name: &str,
    json: &str,
) -> Vec<Share> {
    let outcomes = outcomes.iter().zip(counts);
    let shares = outcomes.map(|((class, field, words), value)| Share {
        class,
        value,
        json: format!("{json}/{field}"),
        words: format!("{name}{value} {words}"),
    });
    shares.collect()
}

/// The legend: those of `outcomes` that there are in `bars`.
pub(super) fn legend<'b>(
    outcomes: &[OutcomeStyle],
    bars: &(impl Iterator<Item = &'b [Share]> + Clone),
) -> Markup {
    let is_there = |number: usize| {
        let mut shares = bars.clone().filter_map(|bar| bar.get(number));
        shares.any(|share| share.value > 0)
    };
    html! {
        ul.legend {
            @for (number, (class, _, words)) in outcomes.iter().enumerate() {
                @if is_there(number) { li { span class=(format!("key {class}")) {} (words) } }
            }
        }
    }
}

/// The end of an axis that holds `most`, and the step of its marks: two to five of them, at round numbers.
fn axis(most: u64) -> (u64, u64) {
    // Nobody is asked more often, and nothing overflows.
    let most = most.min(1_000_000_000_000);
    let mut unit = 1;
    loop {
        for step in [1, 2, 5].map(|digit| digit * unit) {
            if most <= step * 4 {
                return (most.max(1).div_ceil(step) * step, step);
            }
        }
        unit *= 10;
    }
}

/// Lines across a chart from `left` to `width` at the steps of its [`axis`], each with its count.
fn grid((end, step): (u64, u64), (left, width): (f64, f64), y: &dyn Fn(u64) -> f64) -> Markup {
    html! {
        @for mark in (0..=end / step.max(1)).map(|mark| mark * step) {
            line class="grid" x1=(at(left)) x2=(at(width)) y1=(at(y(mark))) y2=(at(y(mark))) {}
            text class="axis" x=(at(left - 5.0)) y=(at(y(mark) + 3.5)) text-anchor="end" { (mark) }
        }
    }
}

// Stacked bars: the parts of a period, and small ones of one question.

/// A part of a period as a bar.
pub(super) struct StackedBar {
    /// The label below it, where there is room.
    pub(super) label: String,
    /// The shares, from the bottom.
    pub(super) shares: Vec<Share>,
}

/// The room left of a chart, for the counts of its axis.
const LEFT: f64 = 34.0;

/// About how wide a label is, in units for a letter.
const LETTER: f64 = 6.0;

/// A picture of `bars` that is so wide and high, all on one scale.
pub(super) fn bar_chart(bars: &[StackedBar], (width, height): (f64, f64), title: &str) -> Markup {
    const TOP: f64 = 8.0;
    const BOTTOM: f64 = 20.0;
    let sum = |bar: &StackedBar| bar.shares.iter().map(|share| share.value).sum::<u64>();
    let most = bars.iter().map(sum).max().unwrap_or(0);
    let (end, step) = axis(most);
    let y = |count: u64| TOP + (height - TOP - BOTTOM) * (1.0 - count as f64 / end as f64);
    let slot = (width - LEFT) / bars.len().max(1) as f64;
    // Only some of the bars have a label, evenly, so that labels do not overlap.
    let longest = bars
        .iter()
        .map(|bar| bar.label.chars().count())
        .max()
        .unwrap_or(1);
    let every = ((longest as f64 + 2.0) * LETTER / slot).ceil().max(1.0) as usize;
    let content = html! {
        (grid((end, step), (LEFT, width), &y))
        @for (number, bar) in bars.iter().enumerate() {
            @let x = LEFT + slot * number as f64;
            (stack(bar, (x, slot), &y))
            @if number % every == 0 {
                text class="axis" x=(at(x + slot / 2.0)) y=(at(height - 5.0)) text-anchor="middle" { (bar.label) }
            }
        }
    };
    let class = if width > WIDTH { "wide" } else { "chart" };
    picture((width, height), class, title, &content)
}

/// The width of a picture that has a section for itself.
pub(super) const WIDE: f64 = 2.0 * WIDTH;

/// A bar in the slot that begins at x, so wide.
fn stack(bar: &StackedBar, (x, slot): (f64, f64), y: &dyn Fn(u64) -> f64) -> Markup {
    let mut below = 0;
    let mut parts = Vec::new();
    for share in bar.shares.iter().filter(|share| share.value > 0) {
        let area = Area {
            x: x + slot * 0.14,
            y: y(below + share.value),
            width: slot * 0.72,
            height: y(below) - y(below + share.value),
        };
        parts.push(area.shows(share.class, share.value, &share.json, &share.words));
        below += share.value;
    }
    html! { @for part in parts { (part) } }
}

const SMALL_HEIGHT: f64 = 30.0;
const SMALL_WIDTH: f64 = 240.0;

/// How many answers have a part of their own; the others share one.
pub(super) const NAMED: usize = 3;

/// How often a question came up, part by part of the period; `json` is its place in the document.
pub(super) fn small_bars(counts: &[u64], names: &[String], json: &str) -> Markup {
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let slot = SMALL_WIDTH / counts.len().max(1) as f64;
    let gap = (slot * 0.15).min(1.5);
    let content = html! {
        @for (number, times) in counts.iter().enumerate() {
            @let height = if *times > 0 { ((SMALL_HEIGHT - 2.0) * *times as f64 / most as f64).max(2.0) } else { 1.0 };
            @let area = Area {
                x: slot * number as f64 + gap, y: SMALL_HEIGHT - height, width: slot - 2.0 * gap, height,
            };
            @let class = if *times > 0 { "of-answered" } else { "of-none" };
            @let name = names.get(number).map_or("", String::as_str);
            (area.shows(class, *times, &format!("{json}/over_time/{number}"), &format!("{name}: {times}")))
        }
    };
    picture(
        (SMALL_WIDTH, SMALL_HEIGHT),
        "spark",
        "How often it came up over time",
        &content,
    )
}

/// The answers of a question, the most frequent first, as parts of one bar.
pub(super) fn answer_shares(answers: &[AnswerCount], json: &str) -> Markup {
    let share = |(number, answer): (usize, &AnswerCount)| Share {
        class: answer_class(number),
        value: answer.times,
        json: format!("{json}/answers/{number}/times"),
        words: format!("{}: {}", clean(&answer.answer), answer.times),
    };
    let shares: Vec<Share> = answers.iter().enumerate().map(share).collect();
    let all = answers.iter().map(|answer| answer.times).sum();
    stacked(&shares, all, "The shares of your answers")
}

/// One bar of `shares`, of which `whole` would fill the width.
pub(super) fn stacked(shares: &[Share], whole: u64, title: &str) -> Markup {
    let unit = SMALL_WIDTH / whole.max(1) as f64;
    let mut x = 0.0;
    let mut parts = Vec::new();
    for share in shares.iter().filter(|share| share.value > 0) {
        let width = unit * share.value as f64;
        let area = Area {
            x,
            y: 0.0,
            width,
            height: 14.0,
        };
        parts.push(area.shows(share.class, share.value, &share.json, &share.words));
        x += width;
    }
    let content = html! { @for part in parts { (part) } };
    picture((SMALL_WIDTH, 14.0), "shares", title, &content)
}

/// The colour of an answer by its place.
pub(super) fn answer_class(number: usize) -> &'static str {
    const CLASSES: [&str; NAMED] = ["share-1", "share-2", "share-3"];
    CLASSES.get(number).copied().unwrap_or("share-other")
}

// The hours of the week as a map.

/// The days of the week, Monday first.
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// The name of a day of the week, 1 (Monday) to 7.
pub(super) fn weekday(number: u32) -> &'static str {
    let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
    DAYS.get(index).copied().unwrap_or("?")
}

/// `09–10`.
pub(super) fn hour_span(hour: u32) -> String {
    format!("{hour:02}–{:02}", hour + 1)
}

/// How often the person was asked in each hour of the week.
pub(super) fn hour_map(hours: &[Hour]) -> Markup {
    const LEFT: f64 = 30.0;
    const TOP: f64 = 16.0;
    const ROW: f64 = 19.0;
    let most = hours.iter().map(|hour| hour.asked).max().unwrap_or(0);
    let cell = (WIDTH - LEFT) / 24.0;
    let place = |weekday: u32, hour: u32| Area {
        x: LEFT + cell * f64::from(hour) + 0.75,
        y: TOP + ROW * f64::from(weekday.saturating_sub(1)) + 0.75,
        width: cell - 1.5,
        height: ROW - 1.5,
    };
    let content = html! {
        @for hour in [0, 3, 6, 9, 12, 15, 18, 21] {
            text class="axis" x=(at(LEFT + cell * (f64::from(hour) + 0.5))) y="11" text-anchor="middle" { (hour) }
        }
        @for (number, day) in (1..).zip(DAYS) {
            text class="axis" x=(at(LEFT - 5.0)) y=(at(TOP + ROW * (f64::from(number) - 0.5) + 3.5)) text-anchor="end" { (day) }
            @for hour in 0..24 {
                @let area = place(number, hour);
                rect class="heat-0" x=(at(area.x)) y=(at(area.y)) width=(at(area.width)) height=(at(area.height)) {}
            }
        }
        @for (index, hour) in hours.iter().enumerate() {
            @let words = format!("{} {}: {} asked", weekday(hour.weekday), hour_span(hour.hour), hour.asked);
            (place(hour.weekday, hour.hour).shows(
                &format!("heat-{}", step(hour.asked, most)), hour.asked, &format!("/hours/{index}/asked"), &words,
            ))
        }
    };
    let height = TOP + ROW * 7.0;
    picture(
        (WIDTH, height),
        "chart",
        "Questions that you were asked, by hour of the week",
        &content,
    )
}

/// The legend: the counts of each step that there is.
pub(super) fn hour_scale(hours: &[Hour]) -> Markup {
    let most = hours.iter().map(|hour| hour.asked).max().unwrap_or(0);
    let steps: Vec<(u64, String)> = (1..=4)
        .filter_map(|number| {
            let of_step = (1..=most).filter(|count| step(*count, most) == number);
            let (least, greatest) = (of_step.clone().min()?, of_step.max()?);
            let words = match least == greatest {
                true => least.to_string(),
                false => format!("{least}–{greatest}"),
            };
            Some((number, words))
        })
        .collect();
    html! {
        ul.legend {
            li { "questions in an hour:" }
            @for (number, words) in &steps { li { span class=(format!("key heat-{number}")) {} (dated(words)) } }
        }
    }
}

/// Which of four steps of darkness a count has beside the greatest.
fn step(asked: u64, most: u64) -> u64 {
    let step = (u128::from(asked) * 4).div_ceil(u128::from(most.max(1)));
    u64::try_from(step).unwrap_or(4)
}

// Answering times on a logarithmic scale.

/// `15 s – 30 s`.
pub(super) fn time_span(bin: &TimeBin) -> String {
    match bin.to {
        Some(to) => format!("{} – {}", duration(bin.from), duration(to)),
        None => format!("{} and more", duration(bin.from)),
    }
}

/// How many answers took how long; the bounds about double, so that the scale is logarithmic. From `away_after`
/// seconds on the person was away: that is marked.
pub(super) fn time_histogram(times: &AnsweringTimes, away_after: f64) -> Markup {
    const HEIGHT: f64 = 158.0;
    const TOP: f64 = 14.0;
    const BOTTOM: f64 = 22.0;
    let bins = &times.bins;
    let (end, step) = axis(bins.iter().map(|bin| bin.answers).max().unwrap_or(0));
    let y = |count: u64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - count as f64 / end as f64);
    let slot = (WIDTH - LEFT) / bins.len().max(1) as f64;
    let x = |number: usize| LEFT + slot * number as f64;
    let content = html! {
        (grid((end, step), (LEFT, WIDTH), &y))
        @for (number, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.answers > 0) {
            @let area = Area { x: x(number) + 1.0, y: y(bin.answers), width: slot - 2.0, height: y(0) - y(bin.answers) };
            (area.shows(
                "of-answered", bin.answers, &format!("/answering_times/bins/{number}/answers"),
                &format!("{}: {}", time_span(bin), bin.answers),
            ))
        }
        // Every third bound: they are longer than a bar is wide.
        @for (number, bin) in bins.iter().enumerate().filter(|(number, _)| number % 3 == 1) {
            line class="grid" x1=(at(x(number))) x2=(at(x(number))) y1=(at(y(0))) y2=(at(y(0) + 4.0)) {}
            text class="axis" x=(at(x(number))) y=(at(y(0) + 15.0)) text-anchor="middle" { (duration_mark(bin.from)) }
        }
        @if let Some(bound) = position(bins, away_after).filter(|_| times.away_answers > 0) {
            @let x = LEFT + slot * bound;
            line class="mark" x1=(at(x)) x2=(at(x)) y1=(at(TOP + 8.0)) y2=(at(y(0))) {}
            text class="axis" x=(at(x + 4.0)) y=(at(TOP + 10.0)) text-anchor="start" { "you were away" }
        }
        @if let Some(median) = times.median_seconds.and_then(|median| position(bins, median)) {
            @let x = LEFT + slot * median;
            line class="mark" x1=(at(x)) x2=(at(x)) y1=(at(TOP - 4.0)) y2=(at(y(0))) {}
            @let is_left = median < bins.len() as f64 / 2.0;
            text class="axis" x=(at(if is_left { x + 4.0 } else { x - 4.0 })) y="10" text-anchor=(if is_left { "start" } else { "end" }) { "median" }
        }
    };
    picture(
        (WIDTH, HEIGHT),
        "chart",
        "How long your answers took, on a logarithmic scale",
        &content,
    )
}

/// A bound without what it does not need: `1 h`, and not `1 h 00 min`.
fn duration_mark(seconds: f64) -> String {
    duration(seconds).replace("\u{a0}00\u{a0}min", "")
}

/// Where `seconds` lies among `bins`, in bins from the left: by its logarithm within its own.
fn position(bins: &[TimeBin], seconds: f64) -> Option<f64> {
    let number = bins.iter().rposition(|bin| seconds >= bin.from)?;
    let bin = bins.get(number)?;
    let within = match bin.to {
        Some(to) if bin.from > 0.0 => (seconds / bin.from).ln() / (to / bin.from).ln(),
        Some(to) => seconds / to,
        None => 0.5,
    };
    Some(number as f64 + within.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (most, end, step) in [
            (0, 1, 1),
            (1, 1, 1),
            (4, 4, 1),
            (5, 6, 2),
            (17, 20, 5),
            (54, 60, 20),
            (137, 150, 50),
            (1001, 1500, 500),
        ] {
            assert_eq!(axis(most), (end, step), "{most}");
        }
        assert_eq!(axis(u64::MAX).0, 1_000_000_000_000);
    }

    #[test]
    fn times_lie_by_their_logarithm() {
        let bin = |from, to| TimeBin {
            from,
            to,
            answers: 0,
        };
        let bins = [bin(0.0, Some(1.0)), bin(1.0, Some(4.0)), bin(4.0, None)];
        for (seconds, place) in [(0.5, 0.5), (1.0, 1.0), (2.0, 1.5), (4.0, 2.5), (1e9, 2.5)] {
            let found = position(&bins, seconds).unwrap();
            assert!((found - place).abs() < 1e-9, "{seconds}: {found}");
        }
        assert_eq!(position(&bins, -1.0), None);
    }
}
