//! The table function `questions_of_log`, which DuckDB's threads ask for rows, so that one `INSERT … SELECT` takes
//! them side by side. (The appender takes them on one thread.)

use std::error::Error as StdError;
use std::sync::{Arc, Mutex};

use chrono_tz::Tz;
use duckdb::Connection;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};

use super::log_reader::{LogReader, lock};
use crate::arrow::EventsBuilder;
use crate::projection::project;

/// The reader that the next query of `questions_of_log` reads.
#[derive(Clone, Default)]
pub(crate) struct Slot(Arc<Mutex<Option<Arc<LogReader>>>>);

impl Slot {
    /// Registers the table function, which has the columns of the table `questions`.
    pub(crate) fn register(connection: &Connection) -> duckdb::Result<Self> {
        let slot = Self::default();
        let name = "questions_of_log";
        connection.register_table_function_with_extra_info::<QuestionsOfLog, Self>(name, &slot)?;
        Ok(slot)
    }

    /// Sets what the next query reads, or ends that.
    pub(crate) fn set(&self, reader: Option<Arc<LogReader>>) {
        *lock(&self.0) = reader;
    }
}

struct QuestionsOfLog;

impl VTab for QuestionsOfLog {
    type InitData = ();
    type BindData = Arc<LogReader>;

    #[allow(
        unsafe_code,
        reason = "the crate returns extra information as a raw pointer only"
    )]
    fn bind(bind: &BindInfo) -> Result<Arc<LogReader>, Box<dyn StdError>> {
        // SAFETY: the pointer is to the `Slot` that `register` handed over for this very function;
        // DuckDB's catalog keeps it alive as long as the function exists, and nobody changes it.
        let slot = unsafe { bind.get_extra_info::<Slot>().as_ref() }.ok_or("no slot")?;
        let no_questions = project(&EventsBuilder::default().finish()?, Tz::UTC)?;
        for field in no_questions.schema().fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        let reader = lock(&slot.0).clone();
        reader.ok_or_else(|| "no log is being read".into())
    }

    fn init(init: &InitInfo) -> Result<(), Box<dyn StdError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        init.set_max_threads(threads as u64);
        Ok(())
    }

    /// Called by several threads at once; a thread that gets no row does not call again.
    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn StdError>> {
        match function.get_bind_data().next()? {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
