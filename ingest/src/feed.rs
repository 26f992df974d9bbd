//! Hands Arrow record batches to DuckDB as a table function, so that an `INSERT … SELECT` takes
//! them on all of DuckDB's threads, as they are made. (The appender takes them on one.)

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use duckdb::Connection;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::core::DataChunkHandle;
use duckdb::vtab::{BindInfo, InitInfo, TableFunctionInfo, VTab, to_duckdb_logical_type_for_field};

use crate::chunk;

/// Where a feed's batches come from. Several threads ask at once; one that is told `None` does not
/// ask again.
pub(crate) trait Source: Send + Sync {
    /// The next batch, of at most [`crate::columns::ROWS`] rows.
    ///
    /// # Errors
    /// Why there is none; the query ends with that.
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn Error>>;

    /// How many rows there will be, as far as it is known.
    fn rows(&self) -> Option<u64>;
}

/// Batches that are there already.
impl Source for Mutex<Vec<RecordBatch>> {
    fn next(&self) -> Result<Option<RecordBatch>, Box<dyn Error>> {
        Ok(self.lock().unwrap_or_else(PoisonError::into_inner).pop())
    }

    fn rows(&self) -> Option<u64> {
        let batches = self.lock().unwrap_or_else(PoisonError::into_inner);
        Some(batches.iter().map(RecordBatch::num_rows).sum::<usize>() as u64)
    }
}

/// The table function of one name.
#[derive(Clone)]
pub(crate) struct Feed {
    schema: SchemaRef,
    is_ordered: bool,
    source: Arc<Mutex<Arc<dyn Source>>>,
}

impl Feed {
    /// Registers a table function `name` that gives out what is put into the feed; if that is
    /// ordered, on one thread, so that it arrives in that order.
    ///
    /// # Errors
    /// DuckDB's.
    pub(crate) fn register(
        connection: &Connection,
        name: &str,
        schema: SchemaRef,
        is_ordered: bool,
    ) -> duckdb::Result<Self> {
        let feed = Self {
            schema,
            is_ordered,
            source: Arc::new(Mutex::new(Arc::new(Mutex::new(Vec::new())))),
        };
        connection.register_table_function_with_extra_info::<FeedFunction, Self>(name, &feed)?;
        Ok(feed)
    }

    /// Puts batches in, for the next query to take out, the last one first.
    pub(crate) fn fill(&self, batches: Vec<RecordBatch>) {
        self.connect(Arc::new(Mutex::new(batches)));
    }

    /// Lets the next query take its batches from `source`.
    pub(crate) fn connect(&self, source: Arc<dyn Source>) {
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = source;
    }

    fn source(&self) -> Arc<dyn Source> {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        source.clone()
    }
}

struct FeedFunction;

impl VTab for FeedFunction {
    type InitData = Arc<dyn Source>;
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
        if let Some(rows) = feed.source().rows() {
            bind.set_cardinality(rows, true);
        }
        Ok(feed.clone())
    }

    #[allow(
        unsafe_code,
        reason = "the crate gives bound data out as a raw pointer only"
    )]
    fn init(init: &InitInfo) -> Result<Self::InitData, Box<dyn Error>> {
        // SAFETY: the pointer is to the `Feed` that `bind` returned, alive as long as the query.
        let feed = unsafe { init.get_bind_data::<Feed>().as_ref() }.ok_or("an unbound feed")?;
        if !feed.is_ordered {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            init.set_max_threads(threads as u64);
        }
        Ok(feed.source())
    }

    fn func(
        function: &TableFunctionInfo<Self>,
        output: &mut DataChunkHandle,
    ) -> Result<(), Box<dyn Error>> {
        match function.get_init_data().next()? {
            Some(batch) => chunk::write(&batch, output),
            None => {
                output.set_len(0);
                Ok(())
            }
        }
    }
}
