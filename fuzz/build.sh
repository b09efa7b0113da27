#!/usr/bin/env bash
# Builds the fuzz targets with the toolchain that is there: what libFuzzer needs of the compiler is not
# in stable Rust, but in its compiler all the same.
set -euo pipefail
cd "$(dirname "$0")"
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions=on -Coverflow-checks=on"
cargo build --release --target x86_64-unknown-linux-gnu
