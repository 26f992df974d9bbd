//! What an engine answers: rows of values by column name, whichever engine it is.

use std::collections::BTreeMap;

use duckdb::arrow::array::{Array, AsArray as _, RecordBatch};
use duckdb::arrow::compute::cast;
use duckdb::arrow::datatypes::{DataType, Float64Type, Int64Type};
use duckdb::arrow::error::ArrowError;
use serde::Serialize;

use crate::failure::Failure;

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    Integer(i64),
    Double(f64),
    Text(String),
}

/// A row by the names of its columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Row(BTreeMap<String, Value>);

impl Row {
    /// The rows of `batch`.
    ///
    /// # Errors
    /// For integers beyond 64 bits and types that no query answers with.
    pub(crate) fn all(batch: &RecordBatch) -> Result<Vec<Self>, Failure> {
        let mut rows = vec![Self::default(); batch.num_rows()];
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            let values = values(column)?;
            for (row, value) in rows.iter_mut().zip(values) {
                row.0.insert(field.name().clone(), value);
            }
        }
        Ok(rows)
    }

    fn get(&self, name: &str) -> Result<&Value, Failure> {
        let missing = || Failure::failed(format!("the engine's answer has no column {name}"));
        self.0.get(name).ok_or_else(missing)
    }

    fn wrong(name: &str, value: &Value) -> Failure {
        Failure::failed(format!("the engine answered {value:?} for {name}"))
    }

    /// A text, or `None` for null.
    ///
    /// # Errors
    /// When there is no such column, or it is of another type; so do the others.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        match self.get(name)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text.clone())),
            other => Err(Self::wrong(name, other)),
        }
    }

    /// An integer, or `None` for null.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, Failure> {
        match self.get(name)? {
            Value::Null => Ok(None),
            Value::Integer(number) => Ok(Some(*number)),
            other => Err(Self::wrong(name, other)),
        }
    }

    /// A count or a sum that is never null or negative.
    pub(crate) fn count(&self, name: &str) -> Result<u64, Failure> {
        let number = self
            .integer(name)?
            .and_then(|number| number.try_into().ok());
        number.ok_or_else(|| Failure::failed(format!("the engine's answer has no count {name}")))
    }

    /// A quotient, or `None` for null.
    pub(crate) fn double(&self, name: &str) -> Result<Option<f64>, Failure> {
        match self.get(name)? {
            Value::Null => Ok(None),
            Value::Double(number) => Ok(Some(*number)),
            other => Err(Self::wrong(name, other)),
        }
    }
}

fn values(column: &dyn Array) -> Result<Vec<Value>, ArrowError> {
    let kind = column.data_type();
    Ok(match kind {
        DataType::Null => vec![Value::Null; column.len()],
        DataType::Boolean => {
            let values = column.as_boolean().iter();
            values
                .map(|value| value.map_or(Value::Null, Value::Boolean))
                .collect()
        }
        _ if kind.is_integer() => {
            let column = cast(column, &DataType::Int64)?;
            let values = column.as_primitive::<Int64Type>().iter();
            values
                .map(|value| value.map_or(Value::Null, Value::Integer))
                .collect()
        }
        _ if kind.is_floating() => {
            let column = cast(column, &DataType::Float64)?;
            let values = column.as_primitive::<Float64Type>().iter();
            values
                .map(|value| value.map_or(Value::Null, Value::Double))
                .collect()
        }
        // Texts, in whichever of Arrow's forms.
        _ => {
            let column = cast(column, &DataType::Utf8)?;
            let values = column.as_string::<i32>().iter();
            values
                .map(|value| value.map_or(Value::Null, |text| Value::Text(text.to_owned())))
                .collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use duckdb::arrow::array::{ArrayRef, Float64Array, Int32Array, LargeStringArray, UInt64Array};

    use super::*;

    #[test]
    fn columns_of_any_width_are_understood() {
        let columns: [(&str, ArrayRef); 4] = [
            ("narrow", Arc::new(Int32Array::from(vec![Some(-7), None]))),
            ("unsigned", Arc::new(UInt64Array::from(vec![7, 8]))),
            ("double", Arc::new(Float64Array::from(vec![0.5, 1.0]))),
            (
                "text",
                Arc::new(LargeStringArray::from(vec![Some("ü"), None])),
            ),
        ];
        let rows = Row::all(&RecordBatch::try_from_iter(columns).unwrap()).unwrap();
        assert_eq!(rows[0].integer("narrow").unwrap(), Some(-7));
        assert!(rows[0].count("narrow").is_err() && rows[1].count("narrow").is_err());
        assert_eq!(rows[1].count("unsigned").unwrap(), 8);
        assert_eq!(rows[0].double("double").unwrap(), Some(0.5));
        assert_eq!(rows[0].text("text").unwrap().as_deref(), Some("ü"));
        assert_eq!(rows[1].text("text").unwrap(), None);
        assert!(rows[0].text("narrow").is_err() && rows[0].text("none").is_err());
    }
}
