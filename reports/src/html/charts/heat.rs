//! The hours of the week as a map.

use maud::{Markup, html};
use plantune_query::page::Hour;

use super::{Area, WIDTH, at, picture};
use crate::html::elements::dated;

/// The days of the week, Monday first.
pub(crate) const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const LEFT: f64 = 30.0;
const TOP: f64 = 16.0;
const ROW: f64 = 19.0;

/// The name of a day of the week, 1 (Monday) to 7.
pub(crate) fn weekday(number: u32) -> &'static str {
    let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
    DAYS.get(index).copied().unwrap_or("?")
}

/// `09–10`.
pub(crate) fn span(hour: u32) -> String {
    format!("{hour:02}–{:02}", hour + 1)
}

/// How often the person was asked in each hour of the week.
pub(crate) fn hours(hours: &[Hour]) -> Markup {
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
            @let words = format!("{} {}: {} asked", weekday(hour.weekday), span(hour.hour), hour.asked);
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
pub(crate) fn scale(hours: &[Hour]) -> Markup {
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
