//! Keeps the projections and rollups in step with the log, in the transaction that appends to it.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;
use chrono_tz::Tz;
use duckdb::{Connection, Row};

use crate::fact::{Fact, day};
use crate::feeds::{Feeds, Touched};
use crate::latest::Changed;
use crate::moments::{Moment, Name};
use crate::part::Part;
use crate::told::{Questions, Session, Told};
use crate::trace;

/// The rollups, in order; each file says what it computes.
const ROLLUPS: [(&str, &str); 6] = [
    ("cells", include_str!("../sql/rollup/01_cells.sql")),
    (
        "scope cells",
        include_str!("../sql/rollup/02_scope_cells.sql"),
    ),
    ("daily", include_str!("../sql/rollup/03_daily.sql")),
    (
        "daily answers",
        include_str!("../sql/rollup/04_daily_answers.sql"),
    ),
    (
        "daily sessions",
        include_str!("../sql/rollup/05_daily_sessions.sql"),
    ),
    (
        "daily errors",
        include_str!("../sql/rollup/06_daily_errors.sql"),
    ),
];

/// Applies what events say to the projections of a store.
pub(crate) struct Projector<'p> {
    pub(crate) store: &'p Connection,
    pub(crate) feeds: &'p Feeds,
    /// Whose days the rollups count.
    pub(crate) zone: Tz,
    /// Hashes the names of answers; one a run.
    pub(crate) names: &'p RandomState,
}

impl Projector<'_> {
    /// Applies what `told` says. Of its questions the store has none but those in `doubtful`, and
    /// perhaps not those.
    ///
    /// # Errors
    /// DuckDB's; the caller's transaction is to be rolled back then.
    pub(crate) fn project(
        &self,
        told: Told,
        doubtful: &HashSet<u128, RandomState>,
    ) -> duckdb::Result<()> {
        let Told {
            questions,
            sessions,
            scopes,
            series,
            hook_errors,
            ..
        } = told;
        let touched: Vec<u64> = sessions.keys().copied().collect();
        let last_seen = trace::step("sessions", || self.sessions(sessions))?;
        self.feeds.scopes(scopes.into_iter().collect());
        self.run(include_str!("../sql/project/append_scopes.sql"))?;
        self.feeds.series(series.into_iter().collect());
        self.run(include_str!("../sql/project/append_series.sql"))?;
        let (numbers, previous) =
            trace::step("previous", || self.previous(doubtful, &questions, touched))?;
        let (cells, changed) = trace::step("questions", || {
            self.questions(questions, &numbers, previous, last_seen)
        })?;
        if !cells.is_empty() {
            self.feeds.cells(cells.into_iter().collect());
            for (name, sql) in ROLLUPS {
                trace::step(name, || self.store.execute_batch(sql))?;
            }
            trace::step("recent answers", || self.recent_answers(&changed))?;
        }
        self.hook_errors(hook_errors)
    }

    /// Brings the sessions up to date; returns when each was last seen.
    fn sessions(
        &self,
        mut sessions: HashMap<u64, Session, RandomState>,
    ) -> duckdb::Result<HashMap<u64, i64>> {
        self.feeds.keys(sessions.keys().copied().collect());
        let known = self.rows(include_str!("../sql/project/known_sessions.sql"), session)?;
        if !known.is_empty() {
            self.feeds.keys(known.iter().map(|(key, _)| *key).collect());
            self.run(include_str!("../sql/project/forget_sessions.sql"))?;
        }
        for (key, known) in known {
            let both = match sessions.remove(&key) {
                Some(came) => known.and(came),
                None => known,
            };
            sessions.insert(key, both);
        }
        let last_seen = sessions
            .iter()
            .map(|(key, session)| (*key, session.last_at))
            .collect();
        self.feeds.sessions(sessions.into_iter().collect());
        self.run(include_str!("../sql/project/append_sessions.sql"))?;
        Ok(last_seen)
    }

    /// The numbers of the questions that the store has, and those as they were, with the ones that
    /// were open in touched sessions.
    fn previous(
        &self,
        doubtful: &HashSet<u128, RandomState>,
        questions: &Questions,
        touched: Vec<u64>,
    ) -> duckdb::Result<(HashMap<u128, u32>, HashMap<u32, Fact>)> {
        let mut numbers = HashMap::new();
        let mut previous: HashMap<u32, Fact> = HashMap::new();
        if !doubtful.is_empty() {
            self.feeds.ids(doubtful.iter().map(|id| (*id, 0)).collect());
            let known = self.rows(include_str!("../sql/project/known_questions.sql"), |row| {
                let (hi, lo): (u64, u64) = (row.get(0)?, row.get(1)?);
                Ok((u128::from(hi) << 64 | u128::from(lo), row.get(2)?))
            })?;
            numbers.extend(known);
        }
        if !numbers.is_empty() {
            self.feeds.numbers(numbers.values().copied().collect());
            let known = self.rows(include_str!("../sql/project/previous.sql"), Fact::read)?;
            previous.extend(known.into_iter().map(|fact| (fact.number, fact)));
        }
        if !touched.is_empty() {
            self.feeds.keys(touched);
            let open = self.rows(include_str!("../sql/project/open.sql"), Fact::read)?;
            previous.extend(open.into_iter().map(|fact| (fact.number, fact)));
        }
        self.name_answers(&mut previous, &numbers, questions)?;
        Ok((numbers, previous))
    }

    /// Gives known questions the names of their answers where those will be compared: where there are
    /// both a preference's answer and one that came back, or may be now.
    fn name_answers(
        &self,
        previous: &mut HashMap<u32, Fact>,
        numbers: &HashMap<u128, u32>,
        questions: &Questions,
    ) -> duckdb::Result<()> {
        let details: HashSet<u32> = numbers
            .iter()
            .filter_map(|(id, number)| {
                let [_, decided, answered, ..] = previous.get(number)?.part.moments.all();
                let came = questions.get(*id).map(|part| part.moments.all());
                let adds = matches!(came, Some([_, decided, answered, ..]) if decided.or(answered).is_some());
                (adds || decided.and(answered).is_some()).then_some([decided, answered])
            })
            .flatten()
            .flatten()
            .map(|moment| moment.detail)
            .collect();
        if details.is_empty() {
            return Ok(());
        }
        self.feeds.numbers(details.into_iter().collect());
        let names: HashMap<u32, String> = self
            .rows(include_str!("../sql/project/answer_names.sql"), |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?
            .into_iter()
            .collect();
        for fact in previous.values_mut() {
            let [_, decided, answered, ..] = fact.part.moments.all();
            let name = |moment: Option<Moment>| {
                let name = names.get(&moment?.detail)?;
                Some(Name::new(name, self.names))
            };
            fact.part.decided_name = name(decided);
            fact.part.answer_name = name(answered);
        }
        Ok(())
    }

    /// Writes the questions as they are now, in place of what they were; returns the days and series
    /// of either, and what changed in the answers.
    fn questions(
        &self,
        questions: Questions,
        numbers: &HashMap<u128, u32>,
        mut previous: HashMap<u32, Fact>,
        mut last_seen: HashMap<u64, i64>,
    ) -> duckdb::Result<(HashSet<Touched, RandomState>, Changed)> {
        let mut next: u32 = self.store.query_row(
            include_str!("../sql/project/next_question.sql"),
            [],
            |row| row.get(0),
        )?;
        let mut cells: HashSet<Touched, RandomState> = HashSet::default();
        let replaced: Vec<u32> = previous.keys().copied().collect();
        let mut changed = Changed::default();
        previous.values().for_each(|fact| changed.forget(fact));
        cells.extend(previous.values().map(cell));
        let were = previous.values().map(|fact| &fact.part);
        self.look_up_last_seen(questions.parts().chain(were), &mut last_seen)?;
        let mut facts = questions.into_facts();
        let mut new_ids = Vec::with_capacity(facts.len());
        for (hi, fact) in &mut facts {
            let id = u128::from(*hi) << 64 | u128::from(fact.tie);
            let known = numbers.get(&id);
            if let Some(known) = known.and_then(|number| previous.remove(number)) {
                fact.number = known.number;
                fact.part = known.part.and(fact.part);
            } else {
                fact.number = next;
                new_ids.push((id, next));
                next += 1;
            }
        }
        facts.extend(previous.into_values().map(|known| (0, known)));
        for (_, fact) in &mut facts {
            // Of those that ended otherwise it says nothing.
            let session = Some(fact.part.description.session).filter(|_| fact.part.is_open());
            let went_on_at = session.and_then(|session| last_seen.get(&session).copied());
            fact.stand(went_on_at, self.zone);
        }
        cells.extend(facts.iter().map(|(_, fact)| cell(fact)));
        facts.iter().for_each(|(_, fact)| changed.add(fact));
        if !replaced.is_empty() {
            self.feeds.numbers(replaced);
            self.run(include_str!("../sql/project/forget_questions.sql"))?;
        }
        if !facts.is_empty() {
            self.feeds.questions(facts);
            self.run(include_str!("../sql/project/append_questions.sql"))?;
        }
        if !new_ids.is_empty() {
            new_ids.sort_unstable();
            self.feeds.ids(new_ids);
            self.run(include_str!("../sql/project/append_question_ids.sql"))?;
        }
        Ok((cells, changed))
    }

    /// Adds when the sessions of open questions were last seen, where only the store knows that.
    fn look_up_last_seen<'q>(
        &self,
        questions: impl Iterator<Item = &'q Part>,
        last_seen: &mut HashMap<u64, i64>,
    ) -> duckdb::Result<()> {
        let missing: HashSet<u64> = questions
            .filter(|part| part.is_open())
            .map(|part| part.description.session)
            .filter(|session| *session != 0 && !last_seen.contains_key(session))
            .collect();
        if !missing.is_empty() {
            self.feeds.keys(missing.into_iter().collect());
            let known = self.rows(include_str!("../sql/project/known_sessions.sql"), session)?;
            last_seen.extend(
                known
                    .into_iter()
                    .map(|(key, session)| (key, session.last_at)),
            );
        }
        Ok(())
    }

    fn hook_errors(&self, errors: Vec<(i64, String)>) -> duckdb::Result<()> {
        if errors.is_empty() {
            return Ok(());
        }
        let mut counted: HashMap<(i32, String), u32> = HashMap::new();
        for (at, project) in errors {
            *counted.entry((day(at, self.zone), project)).or_default() += 1;
        }
        self.feeds.hook_errors(counted.into_iter().collect());
        self.store
            .execute_batch(include_str!("../sql/rollup/08_hook_errors.sql"))
    }

    pub(crate) fn run(&self, sql: &str) -> duckdb::Result<()> {
        self.store.execute(sql, []).map(drop)
    }

    pub(crate) fn rows<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> duckdb::Result<T>,
    ) -> duckdb::Result<Vec<T>> {
        let mut statement = self.store.prepare(sql)?;
        statement.query_map([], read)?.collect()
    }
}

fn cell(fact: &Fact) -> Touched {
    let description = &fact.part.description;
    (fact.day, description.series, description.scope)
}

/// A row of `known_sessions.sql`.
fn session(row: &Row<'_>) -> duckdb::Result<(u64, Session)> {
    let session = Session {
        id: row.get(1)?,
        first: (row.get(3)?, row.get(2)?),
        last_at: row.get(4)?,
        ended_at: row.get(5)?,
    };
    Ok((row.get(0)?, session))
}
