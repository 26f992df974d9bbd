//! Rows as structs that have the columns of a query for fields.

use duckdb::Params;
use duckdb::arrow::array::RecordBatch;
use duckdb::types::Type;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::{Error, Store};

impl Store {
    /// What `sql` finds.
    pub(crate) fn rows<T: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        for batch in self.connection.prepare(sql)?.query_arrow(parameters)? {
            rows.extend(in_batch(&batch)?);
        }
        Ok(rows)
    }

    /// The same, each row as two structs that share its columns.
    pub(crate) fn pairs<A: DeserializeOwned, B: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<Vec<(A, B)>, Error> {
        let mut rows = Vec::new();
        for batch in self.connection.prepare(sql)?.query_arrow(parameters)? {
            rows.extend(in_batch(&batch)?.into_iter().zip(in_batch(&batch)?));
        }
        Ok(rows)
    }

    /// The texts that `sql` finds, one a row.
    pub(crate) fn texts(&self, sql: &str) -> Result<Vec<String>, Error> {
        let rows = self.rows(sql, [])?.into_iter();
        Ok(rows.map(|(text,)| text).collect())
    }

    /// The one row that `sql` finds.
    pub(crate) fn row<T: DeserializeOwned>(
        &self,
        sql: &str,
        parameters: impl Params,
    ) -> Result<T, Error> {
        let row = self.rows(sql, parameters)?.pop();
        Ok(row.ok_or(duckdb::Error::QueryReturnedNoRows)?)
    }
}

/// The rows of a batch.
fn in_batch<T: DeserializeOwned>(batch: &RecordBatch) -> duckdb::Result<Vec<T>> {
    let rows = serde_arrow::from_record_batch(batch);
    rows.map_err(|error| duckdb::Error::FromSqlConversionFailure(0, Type::Any, Box::new(error)))
}

/// What is kept as JSON text, such as lists of labels; the default for NULL, and for what is something else.
pub(crate) fn json<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    column: D,
) -> Result<T, D::Error> {
    let text: Option<String> = Deserialize::deserialize(column)?;
    let value = text.and_then(|text| serde_json::from_str(&text).ok());
    Ok(value.unwrap_or_default())
}

/// Times of the store, which are UTC; in JSON to the millisecond.
pub(crate) mod utc {
    use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        column: D,
    ) -> Result<DateTime<Utc>, D::Error> {
        Ok(NaiveDateTime::deserialize(column)?.and_utc())
    }

    pub(crate) fn serialize<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&at.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

/// The same where they may be unknown.
pub(crate) mod any_utc {
    use chrono::{DateTime, NaiveDateTime, Utc};
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        column: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        let at: Option<NaiveDateTime> = Option::deserialize(column)?;
        Ok(at.map(|at| at.and_utc()))
    }

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        at: &Option<DateTime<Utc>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::utc::serialize(at, to),
            None => to.serialize_none(),
        }
    }
}
