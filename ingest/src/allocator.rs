//! Memory that was given back, given back to the system.

/// What the C library may keep of the memory it got back, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: i32 = 8 * 1024 * 1024;

/// From which size on a block is the system's own matter, in bytes: DuckDB's blocks of 256 KiB are
/// below, since a page that comes from the system has to be cleared each time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const OWN_MAPPING_BYTES: i32 = 4 * 1024 * 1024;

/// Has the C library give memory back to the system as it comes back from the program. Left alone it
/// raises the bound by itself with every large block that is freed, and an ingest of any size
/// would hold a hundred megabytes that nobody uses. With one bound set, the other is not adapted
/// any more either.
pub(crate) fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "the C library's own switch")]
    // SAFETY: it takes two numbers, changes a bound, and may be called at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING_BYTES);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
    }
}
