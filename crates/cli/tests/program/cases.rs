//! The program as a person runs it: what it prints, what it writes and how it ends.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-cli --test program cases` writes new snapshots; times in them
//! must then be made `[..]` again.

#[test]
fn what_is_printed() {
    trycmd::TestCases::new().case("tests/cases/*.trycmd");
}
