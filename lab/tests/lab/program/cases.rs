//! Snapshots of calls.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-lab --test lab cases` writes new snapshots; times in them must then be made
//! `[..]` again.

#[test]
fn what_is_printed() {
    trycmd::TestCases::new().case("tests/cases/*.trycmd");
}
