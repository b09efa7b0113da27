//! Draws times of several programs as bars: the picture of the README from its table.
//!
//!     cargo run -p equipoise-lab --example bars -- \
//!         docs/guide/src/figures/time-to-answer.csv docs/guide/src/figures/time-to-answer.svg

use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let [table, picture] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: bars TABLE.csv PICTURE.svg")?;
    fs::write(picture, equipoise_lab::report::bars(&fs::read_to_string(table)?)?)?;
    Ok(())
}
