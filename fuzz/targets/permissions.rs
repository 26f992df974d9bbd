#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| plantune_fuzz::permissions(data));
