//! Snapshots of calls: output, files and exit codes.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-cli --test program cases` writes new snapshots; times in them
//! must then be made `[..]` again.

#[test]
fn what_is_printed() {
    trycmd::TestCases::new().case("tests/cases/*.trycmd");
}
