#![no_main]

use equipoise_fuzz::check_graph;
use equipoise_graph::io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check_graph(bytes, Format::GapGraph));
