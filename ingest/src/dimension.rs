//! Dimensions: rows that many events share, written once and referred to by their number.
//!
//! Which contents have a number is remembered within bounds only. What was forgotten is written
//! again under another number, which costs room and changes nothing that is read.

use std::collections::HashMap;
use std::mem::{replace, swap};
use std::ops::Range;

use ahash::RandomState;
use duckdb::arrow::array::RecordBatch;
use duckdb::arrow::datatypes::SchemaRef;
use duckdb::arrow::error::ArrowError;

use crate::columns::{Cell, Columns, Holds};

/// How many bytes of contents one half of a memory may hold.
const REMEMBERED_BYTES: usize = 1024 * 1024;

/// The values of known contents, by the contents' hashes. Of two with one hash the later one is known.
struct Half<V> {
    known: HashMap<u64, (Range<usize>, V), RandomState>,
    /// The contents, one behind the other: a piece of memory for each would cost more than its lookup.
    contents: Vec<u8>,
}

impl<V: Copy> Half<V> {
    fn get(&self, hash: u64, content: &[u8]) -> Option<V> {
        let (place, value) = self.known.get(&hash)?;
        (self.contents.get(place.clone()) == Some(content)).then_some(*value)
    }

    fn put(&mut self, hash: u64, content: &[u8], value: V) {
        let start = self.contents.len();
        self.contents.extend(content);
        self.known.insert(hash, (start..self.contents.len(), value));
    }

    /// The bytes it takes, about.
    fn size(&self) -> usize {
        self.contents.len() + self.known.len() * size_of::<(u64, Range<usize>, V)>()
    }

    fn clear(&mut self) {
        self.known.clear();
        self.contents.clear();
    }
}

/// Two halves: when the newer one is full, the older one is forgotten.
struct Memory<V> {
    hasher: RandomState,
    newer: Half<V>,
    older: Half<V>,
}

impl<V: Copy> Memory<V> {
    fn new() -> Self {
        let half = || Half {
            known: HashMap::default(),
            contents: Vec::new(),
        };
        Self {
            hasher: RandomState::new(),
            newer: half(),
            older: half(),
        }
    }

    fn get(&mut self, content: &[u8]) -> Option<V> {
        let hash = self.hasher.hash_one(content);
        if let Some(value) = self.newer.get(hash, content) {
            return Some(value);
        }
        let value = self.older.get(hash, content)?;
        self.put(content, value);
        Some(value)
    }

    fn put(&mut self, content: &[u8], value: V) {
        if self.newer.size() > REMEMBERED_BYTES {
            swap(&mut self.newer, &mut self.older);
            self.newer.clear();
        }
        self.newer
            .put(self.hasher.hash_one(content), content, value);
    }
}

/// One dimension: what is known of it, and its new rows.
pub(crate) struct Dimension<V> {
    memory: Memory<V>,
    schema: SchemaRef,
    columns: &'static [(&'static str, Holds)],
    rows: Columns,
    next: u32,
    content: Vec<u8>,
    /// What the new rows hold, in bytes.
    bytes: usize,
}

impl<V: Copy> Dimension<V> {
    /// A dimension of these columns, the first of which is the number; the next one is `next`.
    pub(crate) fn new(
        schema: &SchemaRef,
        columns: &'static [(&'static str, Holds)],
        next: u32,
    ) -> Self {
        Self {
            memory: Memory::new(),
            schema: schema.clone(),
            columns,
            rows: Columns::new(schema.clone(), columns).kept(),
            next,
            content: Vec::new(),
            bytes: 0,
        }
    }

    /// What the rows hold that were new since they were last taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// What is remembered of the row with these cells (its number apart); for a row that is not
    /// known, what `value` makes of its number.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn find(
        &mut self,
        cells: &[Cell<'_>],
        value: impl FnOnce(u32) -> V,
    ) -> Result<V, ArrowError> {
        self.content.clear();
        cells
            .iter()
            .for_each(|cell| write(*cell, &mut self.content));
        if let Some(known) = self.memory.get(&self.content) {
            return Ok(known);
        }
        let number = self.next;
        self.next += 1;
        self.bytes += self.content.len();
        let cells = cells.iter().copied();
        self.rows
            .push(std::iter::once(Cell::Number(Some(number))).chain(cells))?;
        let value = value(number);
        self.memory.put(&self.content, value);
        Ok(value)
    }

    /// The rows that were new since this was last called.
    ///
    /// # Errors
    /// Arrow's; none is known for these columns.
    pub(crate) fn take_rows(&mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        self.bytes = 0;
        let none = Columns::new(self.schema.clone(), self.columns).kept();
        replace(&mut self.rows, none).finish()
    }
}

/// Writes a cell so that no two rows of cells give the same bytes.
fn write(cell: Cell<'_>, to: &mut Vec<u8>) {
    let text = |text: &str, to: &mut Vec<u8>| {
        to.extend_from_slice(&(text.len() as u32).to_le_bytes());
        to.extend_from_slice(text.as_bytes());
    };
    let optional = |bytes: Option<&[u8]>, to: &mut Vec<u8>| match bytes {
        Some(bytes) => {
            to.push(1);
            to.extend_from_slice(bytes);
        }
        None => to.push(0),
    };
    match cell {
        Cell::Text(Some(content)) => {
            to.push(1);
            text(content, to);
        }
        Cell::List(Some(items)) => {
            to.push(1);
            to.extend_from_slice(&(items.len() as u32).to_le_bytes());
            items.iter().for_each(|item| text(item, to));
        }
        Cell::Text(None) | Cell::List(None) => to.push(0),
        Cell::Bytes(bytes) => {
            to.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            to.extend_from_slice(bytes);
        }
        Cell::Id(id) => to.extend_from_slice(&id),
        Cell::Time(time) => optional(
            time.map(i64::to_le_bytes).as_ref().map(<[u8; 8]>::as_slice),
            to,
        ),
        Cell::Number(number) => {
            optional(
                number
                    .map(u32::to_le_bytes)
                    .as_ref()
                    .map(<[u8; 4]>::as_slice),
                to,
            );
        }
        Cell::Real(number) => {
            optional(
                number
                    .map(f64::to_le_bytes)
                    .as_ref()
                    .map(<[u8; 8]>::as_slice),
                to,
            );
        }
        Cell::Flag(flag) => to.push(flag.map_or(0, |flag| 1 + u8::from(flag))),
        Cell::Day(day) => to.extend_from_slice(&day.to_le_bytes()),
        Cell::Small(number) => to.push(number),
        Cell::Big(number) => to.extend_from_slice(&number.to_le_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::schema;

    const COLUMNS: [(&str, Holds); 3] = [
        ("number", Holds::Number),
        ("one", Holds::Text),
        ("two", Holds::Text),
    ];

    fn find(dimension: &mut Dimension<u32>, one: Option<&str>, two: Option<&str>) -> u32 {
        let cells = [Cell::Text(one), Cell::Text(two)];
        dimension.find(&cells, |number| number).unwrap()
    }

    #[test]
    fn equal_rows_have_one_number() {
        let mut dimension = Dimension::new(&schema(&COLUMNS), &COLUMNS, 7);
        assert_eq!(find(&mut dimension, Some("ab"), Some("c")), 7);
        assert_eq!(find(&mut dimension, Some("a"), Some("bc")), 8);
        assert_eq!(find(&mut dimension, None, Some("")), 9);
        assert_eq!(find(&mut dimension, Some(""), None), 10);
        assert_eq!(find(&mut dimension, Some("ab"), Some("c")), 7);
        assert_eq!(dimension.take_rows().unwrap()[0].num_rows(), 4);
        // Rows that were taken keep their numbers.
        assert_eq!(find(&mut dimension, Some("a"), Some("bc")), 8);
        assert!(dimension.take_rows().unwrap().is_empty());
    }

    #[test]
    fn what_is_forgotten_is_written_again() {
        let mut dimension = Dimension::new(&schema(&COLUMNS), &COLUMNS, 0);
        let long = "x".repeat(REMEMBERED_BYTES / 2);
        let first = find(&mut dimension, Some("first"), None);
        for n in 0..8 {
            find(&mut dimension, Some(&long), Some(&n.to_string()));
        }
        let memory = &dimension.memory;
        assert!(memory.newer.known.len() + memory.older.known.len() < 8);
        assert_ne!(find(&mut dimension, Some("first"), None), first);
    }
}
