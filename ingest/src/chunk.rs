//! Writes Arrow batches into DuckDB's chunks. The `duckdb` crate can do that too, with several calls
//! into the library for each value and each null; here nulls are masks, short texts are written in
//! place, and the library is called for what it has to allocate.
#![allow(
    unsafe_code,
    reason = "DuckDB's vectors are memory it lends for the time of a call"
)]

use std::error::Error;

use duckdb::arrow::array::{
    Array, BinaryArray, BooleanArray, Date32Array, FixedSizeBinaryArray, Float64Array, ListArray,
    RecordBatch, StringArray, TimestampMicrosecondArray, UInt8Array, UInt32Array, UInt64Array,
};
use duckdb::core::DataChunkHandle;
use duckdb::ffi;

/// The longest text that DuckDB keeps within a vector's own 16 bytes.
const INLINED: usize = 12;

/// Writes a batch of at most [`crate::columns::ROWS`] rows into an empty chunk whose columns are
/// those of the batch.
///
/// # Errors
/// When the columns are others, or more than a chunk holds.
pub(crate) fn write(
    batch: &RecordBatch,
    chunk: &mut DataChunkHandle,
) -> Result<(), Box<dyn Error>> {
    // SAFETY: it takes nothing and returns a constant.
    let capacity = unsafe { ffi::duckdb_vector_size() } as usize;
    if batch.num_columns() != chunk.num_columns() || batch.num_rows() > capacity {
        return Err("a batch that does not fit its chunk".into());
    }
    for (index, array) in (0u64..).zip(batch.columns()) {
        // SAFETY: the chunk is alive, and `index` is one of its columns.
        let vector = unsafe { ffi::duckdb_data_chunk_get_vector(chunk.get_ptr(), index) };
        // SAFETY: the vector is one of a chunk that has room for the rows, and nobody else writes it.
        unsafe { write_column(array.as_ref(), vector)? };
    }
    chunk.set_len(batch.num_rows());
    Ok(())
}

/// # Safety
/// `vector` has room for the array's values, and is of the type that `feed` declared for the array's.
unsafe fn write_column(
    array: &dyn Array,
    vector: ffi::duckdb_vector,
) -> Result<(), Box<dyn Error>> {
    let any = array.as_any();
    // SAFETY: as this function's; each type's storage is DuckDB's for the declared type.
    unsafe {
        write_nulls(array, vector);
        let data = ffi::duckdb_vector_get_data(vector);
        if let Some(array) = any.downcast_ref::<StringArray>() {
            let text = |row| array.value(row).as_bytes();
            write_strings(array, text, vector);
        } else if let Some(array) = any.downcast_ref::<BinaryArray>() {
            write_strings(array, |row| array.value(row), vector);
        } else if let Some(array) = any.downcast_ref::<ListArray>() {
            write_lists(array, vector)?;
        } else if let Some(array) = any.downcast_ref::<TimestampMicrosecondArray>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<UInt32Array>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<UInt64Array>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<UInt8Array>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<Float64Array>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<Date32Array>() {
            copy(array.values(), data.cast());
        } else if let Some(array) = any.downcast_ref::<BooleanArray>() {
            for row in 0..array.len() {
                data.cast::<bool>().add(row).write(array.value(row));
            }
        } else if let Some(array) = any.downcast_ref::<FixedSizeBinaryArray>() {
            for row in 0..array.len() {
                let id: [u8; 16] = array.value(row).try_into()?;
                // A UUID is a signed number there, its sign flipped so that it sorts as its bytes do.
                let number = u128::from_be_bytes(id) ^ (1 << 127);
                data.cast::<[u8; 16]>().add(row).write(number.to_le_bytes());
            }
        } else {
            return Err(format!("no way to write {}", array.data_type()).into());
        }
    }
    Ok(())
}

/// # Safety
/// `to` has room for `values`.
unsafe fn copy<T: Copy>(values: &[T], to: *mut T) {
    // SAFETY: as this function's; the two do not overlap, since one is Arrow's and one DuckDB's.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), to, values.len()) };
}

/// # Safety
/// As [`write_column`]'s.
unsafe fn write_nulls(array: &dyn Array, vector: ffi::duckdb_vector) {
    let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return;
    };
    // SAFETY: the mask is there once it was asked for, with a bit for each row the vector holds, in
    // words of 64, and Arrow's bits mean the same.
    unsafe {
        ffi::duckdb_vector_ensure_validity_writable(vector);
        let mask = ffi::duckdb_vector_get_validity(vector);
        for (word, bits) in nulls.inner().bit_chunks().iter_padded().enumerate() {
            let first = word * 64;
            if first < array.len() {
                mask.add(word).write(bits);
            }
        }
    }
}

/// # Safety
/// As [`write_column`]'s; `value` gives the bytes of a row of `array`, for a vector of texts UTF-8.
unsafe fn write_strings<'a>(
    array: &dyn Array,
    value: impl Fn(usize) -> &'a [u8],
    vector: ffi::duckdb_vector,
) {
    // SAFETY: a string's 16 bytes in a vector are its length and, if short, its bytes, the rest zero;
    // longer ones are allocated by DuckDB.
    unsafe {
        let strings: *mut [u8; 16] = ffi::duckdb_vector_get_data(vector).cast();
        if array.null_count() == array.len() {
            std::ptr::write_bytes(strings, 0, array.len());
            return;
        }
        for row in 0..array.len() {
            let string = if array.is_null(row) { &[] } else { value(row) };
            if string.len() <= INLINED {
                let mut inlined = [0; 16];
                let length = (string.len() as u32).to_le_bytes();
                let bytes = length.iter().chain(string);
                inlined
                    .iter_mut()
                    .zip(bytes)
                    .for_each(|(to, from)| *to = *from);
                strings.add(row).write(inlined);
            } else {
                ffi::duckdb_unsafe_vector_assign_string_element_len(
                    vector,
                    row as u64,
                    string.as_ptr().cast(),
                    string.len() as u64,
                );
            }
        }
    }
}

/// # Safety
/// As [`write_column`]'s; the lists are of texts.
unsafe fn write_lists(array: &ListArray, vector: ffi::duckdb_vector) -> Result<(), Box<dyn Error>> {
    let texts = array.values();
    let texts = texts
        .as_any()
        .downcast_ref::<StringArray>()
        .ok_or("a list of something else than text")?;
    // SAFETY: room is made before the texts are written; entries lie within them.
    unsafe {
        let length = texts.len() as u64;
        if ffi::duckdb_list_vector_reserve(vector, length) != ffi::DuckDBSuccess {
            return Err("no room for a list's texts".into());
        }
        write_column(texts, ffi::duckdb_list_vector_get_child(vector))?;
        ffi::duckdb_list_vector_set_size(vector, length);
        let entries: *mut ffi::duckdb_list_entry = ffi::duckdb_vector_get_data(vector).cast();
        let ends = array.value_offsets().windows(2).enumerate();
        for (row, bounds) in ends {
            let [start, end] = *bounds else { continue };
            entries.add(row).write(ffi::duckdb_list_entry {
                offset: u64::try_from(start)?,
                length: u64::try_from(end - start)?,
            });
        }
    }
    Ok(())
}
