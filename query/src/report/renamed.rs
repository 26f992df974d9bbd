//! What the questions of a report are called: by what a person means, and not by each variant of the text.

use std::collections::BTreeMap;

use duckdb::params;

use super::Request;
use crate::families::{Grouping, Logged, Name};
use crate::labels::labels;
use crate::store::{Error, Store};

/// The names of the questions that are called otherwise than they were logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renamed {
    /// By project and the key it was logged under.
    logged: BTreeMap<(String, String), Name>,
    /// By project and name: how it was found, and a family's template.
    names: BTreeMap<(String, String), Name>,
    /// The pairs of `report/questions.sql`.
    pairs: String,
}

impl Renamed {
    /// The key of today for what was logged under `key`.
    pub(crate) fn key(&self, key: String, project: &str) -> String {
        let logged = (project.to_owned(), key);
        match self.logged.get(&logged) {
            Some(name) => name.question_key.clone(),
            None => logged.1,
        }
    }

    /// What is known of the name `key`, where something was renamed to it.
    pub(super) fn name(&self, key: &str, project: &str) -> Option<&Name> {
        self.names.get(&(project.to_owned(), key.to_owned()))
    }

    /// Each renamed question's hash and name with a space between, with commas between them.
    pub(super) fn pairs(&self) -> &str {
        &self.pairs
    }
}

impl Store {
    /// What the unmarked questions of the request's period and trend are called by `grouping`.
    pub(super) fn renamed(
        &self,
        request: &Request<'_>,
        grouping: &Grouping<'_>,
    ) -> Result<Renamed, Error> {
        let mut renamed = Renamed::default();
        if grouping.is_empty() {
            return Ok(renamed);
        }
        let days = request.days_of_all();
        self.rows(
            include_str!("../../sql/report/unmarked.sql"),
            params![days.start, days.end, request.project],
            |row| {
                let (project, key): (String, String) =
                    (row.get("project")?, row.get("question_key")?);
                let (source, question): (String, String) =
                    (row.get("key_source")?, row.get("question")?);
                let header: Option<String> = row.get("header")?;
                let name = grouping.name(&Logged {
                    project: &project,
                    question_key: &key,
                    key_source: &source,
                    question: &question,
                    header: header.as_deref(),
                    options: &labels(row, "options")?,
                });
                if let Some(name) = name {
                    let id: u64 = row.get("id")?;
                    let comma = if renamed.pairs.is_empty() { "" } else { "," };
                    renamed.pairs += &format!("{comma}{id} {}", name.question_key);
                    let today = (project.clone(), name.question_key.clone());
                    renamed.names.insert(today, name.clone());
                    renamed.logged.insert((project, key), name);
                }
                Ok(())
            },
        )?;
        Ok(renamed)
    }
}
