#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| equipoise_fuzz::run("mtx_matrix", bytes));
