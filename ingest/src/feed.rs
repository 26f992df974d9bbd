//! Hands Arrow record batches to DuckDB as a table function, so that an `INSERT … SELECT` takes
//! them on all of DuckDB's threads. (The appender takes them on one.)

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{
    BindInfo, InitInfo, TableFunctionInfo, VTab, record_batch_to_duckdb_data_chunk,
    to_duckdb_logical_type_for_field,
};

/// The batches that the table function of one name gives out, each once.
#[derive(Clone)]
pub(crate) struct Feed {
    schema: SchemaRef,
    waiting: Arc<Mutex<Vec<RecordBatch>>>,
}

impl Feed {
    /// Registers a table function `name` that gives out what is put into the feed.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(
        connection: &Connection,
        name: &str,
        schema: SchemaRef,
    ) -> duckdb::Result<Self> {
        let feed = Self {
            schema,
            waiting: Arc::default(),
        };
        connection.register_table_function_with_extra_info::<FeedFunction, Self>(name, &feed)?;
        Ok(feed)
    }

    /// Puts batches of at most [`crate::batch::ROWS`] rows in, for the next query to take out.
    pub(crate) fn fill(&self, batches: Vec<RecordBatch>) {
        *self.lock() = batches;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<RecordBatch>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct FeedFunction;

impl VTab for FeedFunction {
    type InitData = ();
    type BindData = Feed;

    #[allow(
        unsafe_code,
        reason = "the crate gives extra information out as a raw pointer only"
    )]
    fn bind(bind: &BindInfo) -> Result<Feed, Box<dyn Error>> {
        // SAFETY: the pointer is to the `Feed` that `register` handed over for this very function;
        // DuckDB's catalog keeps it alive as long as the function exists, and nobody changes it.
        let feed =
            unsafe { bind.get_extra_info::<Feed>().as_ref() }.ok_or("a feed without batches")?;
        for field in feed.schema.fields() {
            bind.add_result_column(field.name(), to_duckdb_logical_type_for_field(field)?);
        }
        let rows = feed.lock().iter().map(RecordBatch::num_rows).sum::<usize>();
        bind.set_cardinality(rows as u64, true);
        Ok(feed.clone())
    }

    fn init(init: &InitInfo) -> Result<(), Box<dyn Error>> {
        init.set_max_threads(std::thread::available_parallelism().map_or(1, usize::from) as u64);
        Ok(())
    }

    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn Error>> {
        let next = function.get_bind_data().lock().pop();
        match next {
            Some(batch) => record_batch_to_duckdb_data_chunk(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
