//! Rows that are ready for the log, and which of the threads that append takes them.
//!
//! DuckDB writes a row group to the file as soon as a thread has filled it. What a thread leaves of one
//! goes through the memory of the transaction, the write-ahead log and the next checkpoint, which takes
//! several times as long. So a thread begins a row group only when there are the rows to fill it.

use std::thread::ThreadId;

use duckdb::arrow::array::RecordBatch;

/// Rows in one of DuckDB's row groups.
pub(crate) const ROW_GROUP: usize = 122_880;

/// Rows that are ready.
#[derive(Default)]
pub(super) struct Ready {
    batches: Vec<RecordBatch>,
    rows: usize,
    /// The threads that have begun a row group, and what each lacks of it.
    begun: Vec<(ThreadId, usize)>,
}

impl Ready {
    /// Lets threads begin anew, for another statement.
    pub(super) fn begin(&mut self) {
        self.begun.clear();
    }

    pub(super) fn add(&mut self, batches: Vec<RecordBatch>) {
        self.rows += batches.iter().map(RecordBatch::num_rows).sum::<usize>();
        self.batches.extend(batches);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Rows for `thread`, if it is to take some now.
    pub(super) fn take(&mut self, thread: ThreadId) -> Option<RecordBatch> {
        let lacks = self.lacks(thread);
        if lacks > 0 || self.rows >= self.lacking() + ROW_GROUP {
            self.give(thread, lacks)
        } else {
            None
        }
    }

    /// Rows for `thread`, which will find no others to be made. When there are none, or another thread
    /// will take them, `thread` is not to ask again.
    pub(super) fn take_last(&mut self, thread: ThreadId) -> Option<RecordBatch> {
        let lacks = self.lacks(thread);
        let rows = if lacks > 0 || self.lacking() == 0 {
            self.give(thread, lacks)
        } else {
            None
        };
        if rows.is_none() {
            self.begun.retain(|(other, _)| *other != thread);
        }
        rows
    }

    /// What `thread` lacks of the row group it has begun; 0 between two.
    fn lacks(&self, thread: ThreadId) -> usize {
        let begun = self.begun.iter().find(|(other, _)| *other == thread);
        begun.map_or(0, |(_, lacks)| *lacks)
    }

    /// What all threads lack of the row groups they have begun.
    fn lacking(&self) -> usize {
        self.begun.iter().map(|(_, lacks)| lacks).sum()
    }

    /// Gives `thread`, which lacks so much of a row group, no more than that.
    fn give(&mut self, thread: ThreadId, lacks: usize) -> Option<RecordBatch> {
        let batch = self.batches.pop()?;
        let lacks = if lacks == 0 { ROW_GROUP } else { lacks };
        let taken = batch.num_rows().min(lacks);
        if taken < batch.num_rows() {
            self.batches
                .push(batch.slice(taken, batch.num_rows() - taken));
        }
        self.rows -= taken;
        self.begun.retain(|(other, _)| *other != thread);
        self.begun.push((thread, lacks - taken));
        Some(batch.slice(0, taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duckdb::arrow::array::UInt32Array;
    use std::sync::Arc;
    use std::thread;

    fn rows(count: usize) -> Vec<RecordBatch> {
        let column = |count| Arc::new(UInt32Array::from(vec![7; count])) as _;
        let batch = |count| RecordBatch::try_from_iter([("n", column(count))]).unwrap();
        let whole = (0..count / 1000).map(|_| batch(1000));
        whole.chain([batch(count % 1000)]).collect()
    }

    fn threads() -> [ThreadId; 2] {
        [(); 2].map(|()| thread::spawn(|| thread::current().id()).join().unwrap())
    }

    fn all_of(mut take: impl FnMut() -> Option<RecordBatch>) -> usize {
        let mut rows = 0;
        while let Some(batch) = take() {
            rows += batch.num_rows();
        }
        rows
    }

    #[test]
    fn threads_fill_row_groups() {
        let [one, other] = threads();
        let mut ready = Ready::default();
        ready.add(rows(2 * ROW_GROUP + 5));
        let first = ready.take(one).unwrap().num_rows();
        assert_eq!(all_of(|| ready.take(other)), ROW_GROUP);
        assert_eq!(first + all_of(|| ready.take(one)), ROW_GROUP);
        assert_eq!(ready.take(one), None);
        assert_eq!(all_of(|| ready.take_last(other)), 5);
        assert_eq!(all_of(|| ready.take_last(one)), 0);
    }

    #[test]
    fn what_fills_none_is_one_threads() {
        let [one, other] = threads();
        let mut ready = Ready::default();
        ready.add(rows(ROW_GROUP - 1));
        assert_eq!((ready.take(one), ready.take(other)), (None, None));
        let first = ready.take_last(one).unwrap().num_rows();
        assert_eq!(ready.take_last(other), None);
        // What comes late is still somebody's.
        ready.add(rows(7));
        assert_eq!(first + all_of(|| ready.take_last(one)), ROW_GROUP + 6);
        ready.add(rows(3));
        assert_eq!(all_of(|| ready.take_last(other)), 3);
    }

    #[test]
    fn what_a_thread_that_does_not_come_leaves_is_another_statements() {
        let [one, other] = threads();
        let mut ready = Ready::default();
        ready.add(rows(ROW_GROUP + 9));
        assert!(ready.take(one).is_some());
        assert_eq!(ready.take_last(other), None);
        assert!(!ready.is_empty());
        ready.begin();
        let mut left = all_of(|| ready.take(other));
        left += all_of(|| ready.take_last(other));
        assert!(left > 0 && ready.is_empty());
    }
}
