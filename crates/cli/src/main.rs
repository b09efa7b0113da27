//! The `equipoise` program.
fn main() {}
