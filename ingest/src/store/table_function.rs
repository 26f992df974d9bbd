//! Hands the log to DuckDB as a table function, so that one `INSERT … SELECT` takes its questions on all
//! of DuckDB's threads. (The appender takes them on one.)

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};

use super::columns::schema;
use super::feed::Feed;
use crate::projection::COLUMNS;

/// The name of the table function.
const NAME: &str = "questions_of_log";

/// The feed that the next query reads.
#[derive(Clone, Default)]
pub(crate) struct Slot(Arc<Mutex<Option<Arc<Feed>>>>);

impl Slot {
    /// Registers the table function, which has the columns of the table `questions`.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(connection: &Connection) -> duckdb::Result<Self> {
        let slot = Self::default();
        connection.register_table_function_with_extra_info::<QuestionsOfLog, Self>(NAME, &slot)?;
        Ok(slot)
    }

    /// Sets what the next query reads, or ends that.
    pub(crate) fn set(&self, feed: Option<Arc<Feed>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = feed;
    }

    fn get(&self) -> Result<Arc<Feed>, Box<dyn Error>> {
        let feed = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        feed.ok_or_else(|| "no log is being read".into())
    }
}

struct QuestionsOfLog;

impl VTab for QuestionsOfLog {
    type InitData = ();
    type BindData = Arc<Feed>;

    #[allow(
        unsafe_code,
        reason = "the crate returns extra information as a raw pointer only"
    )]
    fn bind(bind: &BindInfo) -> Result<Arc<Feed>, Box<dyn Error>> {
        // SAFETY: the pointer is to the `Slot` that `register` handed over for this very function;
        // DuckDB's catalog keeps it alive as long as the function exists, and nobody changes it.
        let slot = unsafe { bind.get_extra_info::<Slot>().as_ref() }.ok_or("no slot")?;
        for field in schema(COLUMNS).fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        slot.get()
    }

    fn init(init: &InitInfo) -> Result<(), Box<dyn Error>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        init.set_max_threads(threads as u64);
        Ok(())
    }

    /// Called by several threads at once; a thread that gets no row does not call again.
    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn Error>> {
        match function.get_bind_data().next()? {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
