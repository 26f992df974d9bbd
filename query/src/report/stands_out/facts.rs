//! The sums that statements are chosen from, as the store gives them.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, TimeZone, Timelike as _};
use duckdb::Row;

use super::chance::{Logs, number};
use crate::asker::{bare, framework};
use crate::families::template_text;
use crate::labels::labels_if_any;
use crate::period::{Days, Request};
use crate::report::renamed::Renamed;
use crate::store::{Error, Store};

/// What was asked, and how long the answers took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// Questions.
    pub(super) asked: u64,
    /// Calls that they came in: what comes together is chance once.
    pub(super) calls: u64,
    /// The person's time for the answers.
    pub(super) seconds: f64,
}

/// Project and key.
pub(super) type Name = (String, String);

/// The sums by the key that a question was logged under, with its options.
type Logged = (Name, Vec<String>, OfQuestion);

/// The sums of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OfQuestion {
    /// The text, as last asked.
    pub(super) text: String,
    pub(super) now: Sums,
    pub(super) before: Sums,
    pub(super) answered: u64,
    /// Those that may never be given by a preference.
    pub(super) one_way: u64,
    pub(super) typed: u64,
    /// Answers where something was recommended, and those that followed.
    pub(super) recommended: u64,
    pub(super) followed: u64,
    /// How many options it had when it was last asked.
    pub(super) options: u64,
    /// Answers whose time is known.
    pub(super) timed: u64,
    pub(super) logs: Logs,
}

/// The session that was stopped most, and of how many it is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Session {
    pub(super) session_id: String,
    pub(super) project: String,
    pub(super) day: NaiveDate,
    pub(super) sums: Sums,
    pub(super) sessions: u64,
}

/// All that is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facts {
    /// The period, and the one before.
    pub(super) period: Days,
    pub(super) previous: Days,
    /// True where the history begins in the middle of the period before.
    pub(super) begins_before: bool,
    pub(super) today: NaiveDate,
    pub(super) questions: BTreeMap<Name, OfQuestion>,
    /// By who asks, without the slash of commands, and as it is called; `None` where that is not known.
    pub(super) askers: BTreeMap<Option<String>, (Option<String>, Sums)>,
    /// By the frameworks of those that ask.
    pub(super) frameworks: BTreeMap<Option<String>, Sums>,
    /// By hour of the day, and day.
    pub(super) hours: BTreeMap<u32, BTreeMap<NaiveDate, Sums>>,
    pub(super) days: BTreeMap<NaiveDate, Sums>,
    pub(super) session: Option<Session>,
}

/// [`Facts`] whose questions are not yet called as they are today.
pub(in crate::report) struct LoggedFacts {
    facts: Facts,
    questions: Vec<Logged>,
}

impl Sums {
    pub(super) fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.calls += other.calls;
        self.seconds += other.seconds;
    }
}

impl OfQuestion {
    pub(super) fn add(&mut self, other: Self) {
        self.text = other.text;
        self.now.add(other.now);
        self.before.add(other.before);
        self.answered += other.answered;
        self.one_way += other.one_way;
        self.typed += other.typed;
        self.recommended += other.recommended;
        self.followed += other.followed;
        self.options = self.options.max(other.options);
        self.timed += other.timed;
        self.logs.n += other.logs.n;
        self.logs.sum += other.logs.sum;
        self.logs.squares += other.logs.squares;
    }
}

impl Facts {
    pub(super) fn new(request: &Request<'_>) -> Self {
        Self {
            period: request.period,
            previous: request.previous,
            begins_before: false,
            today: request.today,
            questions: BTreeMap::new(),
            askers: BTreeMap::new(),
            frameworks: BTreeMap::new(),
            hours: BTreeMap::new(),
            days: BTreeMap::new(),
            session: None,
        }
    }

    pub(super) fn add_asker(&mut self, asker: Option<String>, sums: Sums) {
        let framework = asker.as_deref().and_then(framework);
        self.frameworks.entry(framework).or_default().add(sums);
        let key = asker.as_deref().map(|asker| bare(asker).to_owned());
        let (name, all) = self.askers.entry(key).or_default();
        // A command that is typed goes by its slash.
        *name = match name.take() {
            Some(name) => asker.min(Some(name)),
            None => asker,
        };
        all.add(sums);
    }
}

impl LoggedFacts {
    fn read(&mut self, row: &Row<'_>, zone: &impl TimeZone) -> duckdb::Result<()> {
        let now = Sums {
            asked: row.get("asked")?,
            calls: row.get("calls")?,
            seconds: row.get("seconds")?,
        };
        match row.get::<_, String>("kind")?.as_str() {
            "question" => self.question(row, now)?,
            "session" => self.session(row, now)?,
            _ => {
                let quarter: NaiveDateTime = row.get("quarter")?;
                let hour = zone.from_utc_datetime(&quarter).hour();
                let day = row.get("day_asked")?;
                let of_hour = self.facts.hours.entry(hour).or_default();
                of_hour.entry(day).or_default().add(now);
                self.facts.days.entry(day).or_default().add(now);
            }
        }
        Ok(())
    }

    fn question(&mut self, row: &Row<'_>, now: Sums) -> duckdb::Result<()> {
        let key: String = row.get("question_key")?;
        let asker: Option<String> = row.get("skill")?;
        if now.asked > 0 {
            self.facts.add_asker(asker, now);
        }
        let project: String = row.get("project")?;
        let options = labels_if_any(row, "options")?.unwrap_or_default();
        let timed = row.get("timed")?;
        let sums = OfQuestion {
            text: row.get::<_, Option<_>>("question")?.unwrap_or_default(),
            now,
            before: Sums {
                asked: row.get("asked_before")?,
                calls: row.get("calls_before")?,
                seconds: row.get("seconds_before")?,
            },
            answered: row.get("answered")?,
            one_way: row.get("one_way")?,
            typed: row.get("typed")?,
            recommended: row.get("with_recommendation")?,
            followed: row.get("followed")?,
            options: u64::try_from(options.len()).unwrap_or(u64::MAX),
            timed,
            logs: Logs {
                n: number(timed),
                sum: row.get("logs")?,
                squares: row.get("squared_logs")?,
            },
        };
        self.questions.push(((project, key), options, sums));
        Ok(())
    }

    fn session(&mut self, row: &Row<'_>, sums: Sums) -> duckdb::Result<()> {
        let session_id: Option<String> = row.get("session")?;
        let Some(session_id) = session_id.filter(|id| !id.is_empty()) else {
            return Ok(());
        };
        self.facts.session = Some(Session {
            session_id,
            project: row.get("project")?,
            day: row.get("first_day")?,
            sums,
            sessions: row.get("of_kind")?,
        });
        Ok(())
    }

    /// The facts, with questions called as `renamed` says: texts that go by one name are one question.
    pub(super) fn called(self, renamed: &Renamed) -> Facts {
        let mut facts = self.facts;
        for ((project, key), options, mut sums) in self.questions {
            let key = renamed.key(key, &project);
            let name = renamed.name(&key, &project);
            if let Some(template) = name.and_then(|name| name.template.as_ref()) {
                sums.text = template_text(template, &sums.text, &options);
            }
            facts.questions.entry((project, key)).or_default().add(sums);
        }
        facts
    }
}

impl Store {
    /// What [`Store::stands_out`] is chosen from: the facts of the request's period and of the one before, whose
    /// days are in the variable `request`. Hours are those of `zone`, in whose days the store counts.
    pub(in crate::report) fn facts(
        &self,
        request: &Request<'_>,
        zone: &impl TimeZone,
    ) -> Result<LoggedFacts, Error> {
        let mut facts = LoggedFacts {
            facts: Facts {
                begins_before: self.history_begins(request)?.is_some(),
                ..Facts::new(request)
            },
            questions: Vec::new(),
        };
        self.rows(
            include_str!("../../../sql/report/stands_out.sql"),
            [],
            |row| facts.read(row, zone),
        )?;
        Ok(facts)
    }
}
