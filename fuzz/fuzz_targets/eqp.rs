#![no_main]

use equipoise_fuzz::{check_graph, check_matrix, with_right_checksums};
use equipoise_graph::io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for bytes in [bytes, &with_right_checksums(bytes)] {
        check_graph(bytes, Format::Eqp);
        check_matrix(bytes, Format::Eqp);
    }
});
