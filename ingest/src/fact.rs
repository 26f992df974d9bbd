//! One question as the projection has it.

use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use duckdb::Row;
use duckdb::arrow::datatypes::SchemaRef;

use crate::columns::{Cell, Holds, schema};
use crate::moments::Moment;
use crate::part::{Description, Outcome, Part};

/// The columns of `question_facts`, in its order.
pub(crate) const COLUMNS: [(&str, Holds); 27] = [
    ("number", Holds::Number),
    ("day", Holds::Day),
    ("put_at", Holds::Time),
    ("series", Holds::Big),
    ("scope", Holds::Big),
    ("session", Holds::Big),
    ("context", Holds::Number),
    ("wording", Holds::Number),
    ("described_by", Holds::Small),
    ("question_index", Holds::Number),
    ("question_count", Holds::Number),
    ("is_one_way", Holds::Flag),
    ("outcome", Holds::Small),
    ("asked_at", Holds::Time),
    ("auto_decided_at", Holds::Time),
    ("answered_at", Holds::Time),
    ("dismissed_at", Holds::Time),
    ("failed_at", Holds::Time),
    ("asked", Holds::Number),
    ("auto_decided", Holds::Number),
    ("answered", Holds::Number),
    ("dismissed", Holds::Number),
    ("failed", Holds::Number),
    ("was_auto_decided", Holds::Flag),
    ("followed_recommendation", Holds::Flag),
    ("human_seconds", Holds::Real),
    ("tie", Holds::Big),
];

/// The schema of [`Fact::cells`].
pub(crate) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&COLUMNS));

/// A question with its number in the store, and how it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) number: u32,
    /// Days since 1970, in the person's time zone.
    pub(crate) day: i32,
    pub(crate) part: Part,
    /// Half of the question's id: of questions put at one moment, the one with the higher was put last.
    pub(crate) tie: u64,
    outcome: Outcome,
}

impl Fact {
    /// The question that events tell of, before it has a number.
    pub(crate) fn told(tie: u64, part: Part) -> Self {
        Self {
            number: 0,
            day: 0,
            part,
            tie,
            outcome: Outcome::Open,
        }
    }

    /// How the question stands when its session was last seen at `went_on_at` (microseconds).
    pub(crate) fn stand(&mut self, went_on_at: Option<i64>, zone: Tz) {
        self.day = day(self.part.put_at(), zone);
        self.outcome = self.part.outcome(went_on_at);
    }

    /// True when a person answered it, and no preference did in their place.
    pub(crate) fn is_the_persons(&self) -> bool {
        self.outcome == Outcome::Answered && self.part.was_auto_decided != Some(true)
    }

    /// A row of `ingest/sql/project/previous.sql` and `open.sql`. The names of its answers are not in
    /// it.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn read(row: &Row<'_>) -> duckdb::Result<Self> {
        let moments = (0..5).map(|rank| {
            let at: Option<i64> = row.get(12 + rank)?;
            let detail: Option<u32> = row.get(17 + rank)?;
            Ok(at.zip(detail).map(|(at, detail)| Moment { at, detail }))
        });
        let part = Part {
            description: Description {
                series: row.get(2)?,
                scope: row.get(3)?,
                session: row.get(4)?,
                context: row.get(5)?,
                wording: row.get(6)?,
                rank: row.get(7)?,
                index: row.get(8)?,
                count: row.get(9)?,
                is_one_way: row.get(10)?,
            },
            moments: moments.collect::<duckdb::Result<_>>()?,
            was_auto_decided: row.get(22)?,
            followed: row.get(23)?,
            decided_name: None,
            answer_name: None,
        };
        let outcome = match row.get::<_, u8>(11)? {
            1 => Outcome::Answered,
            2 => Outcome::AutoDecided,
            3 => Outcome::Failed,
            4 => Outcome::Dismissed,
            _ => Outcome::Open,
        };
        Ok(Self {
            number: row.get(0)?,
            day: row.get(1)?,
            part,
            tie: row.get(24)?,
            outcome,
        })
    }

    /// The cells, in the order of [`COLUMNS`].
    pub(crate) fn cells(&self) -> [Cell<'_>; COLUMNS.len()] {
        let part = &self.part;
        let description = &part.description;
        let moments = part.moments.all();
        let times = moments.map(|moment| Cell::Time(moment.map(|moment| moment.at)));
        let details = moments.map(|moment| Cell::Number(moment.map(|moment| moment.detail)));
        let [
            asked_at,
            auto_decided_at,
            answered_at,
            dismissed_at,
            failed_at,
        ] = times;
        let [asked, auto_decided, answered, dismissed, failed] = details;
        [
            Cell::Number(Some(self.number)),
            Cell::Day(self.day),
            Cell::Time(Some(part.put_at())),
            Cell::Big(description.series),
            Cell::Big(description.scope),
            Cell::Big(description.session),
            Cell::Number(Some(description.context)),
            Cell::Number(Some(description.wording)),
            Cell::Small(description.rank),
            Cell::Number(Some(description.index)),
            Cell::Number(description.count),
            Cell::Flag(Some(description.is_one_way)),
            Cell::Small(self.outcome as u8),
            asked_at,
            auto_decided_at,
            answered_at,
            dismissed_at,
            failed_at,
            asked,
            auto_decided,
            answered,
            dismissed,
            failed,
            Cell::Flag(part.was_auto_decided),
            Cell::Flag(part.followed),
            Cell::Real(part.human_seconds(self.outcome)),
            Cell::Big(self.tie),
        ]
    }
}

/// The day of a moment (microseconds since 1970, UTC) in `zone`, in days since 1970.
pub(crate) fn day(micros: i64, zone: Tz) -> i32 {
    let moment = DateTime::from_timestamp_micros(micros).unwrap_or_default();
    let day = moment.with_timezone(&zone).date_naive();
    i32::try_from((day - NaiveDate::default()).num_days()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_the_zones() {
        let micros = |text: &str| {
            text.parse::<DateTime<chrono::Utc>>()
                .unwrap()
                .timestamp_micros()
        };
        let day = |text: &str, zone| day(micros(text), zone);
        assert_eq!(day("1970-01-01T00:00:00Z", Tz::UTC), 0);
        assert_eq!(day("1969-12-31T23:30:00Z", Tz::UTC), -1);
        assert_eq!(day("1969-12-31T23:30:00Z", Tz::Europe__Berlin), 0);
        // The clocks go forward at 01:00 UTC, and back at 01:00 UTC.
        assert_eq!(
            day("2026-03-28T23:30:00Z", Tz::Europe__Berlin) + 1,
            day("2026-03-29T22:00:00Z", Tz::Europe__Berlin)
        );
        assert_eq!(
            day("2026-10-25T22:30:00Z", Tz::Europe__Berlin) + 1,
            day("2026-10-25T23:00:00Z", Tz::Europe__Berlin)
        );
    }
}
