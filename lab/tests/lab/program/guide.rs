//! The guide shows what this program prints. The tests of `equipoise` run the guide's other commands and check its links.
//!
//! `TRYCMD=overwrite cargo test -p equipoise-lab --test lab guide` writes new outputs; times in them must then be made
//! `[..]` again.

use trycmd::schema::Bin;

#[test]
fn what_is_printed() {
    trycmd::TestCases::new().register_bin("equipoise", Bin::Ignore).case("../docs/guide/src/*.md");
}
