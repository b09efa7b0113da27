//! Every target in one program: the environment variable `TARGET` names the one to run.
#![no_main]

use std::sync::LazyLock;

static TARGET: LazyLock<String> =
    LazyLock::new(|| std::env::var("TARGET").expect("TARGET names a target, such as metis"));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| equipoise_fuzz::run(&TARGET, bytes));
