//! Draws a picture of the documents from its table: bars of several programs, or lines that grow with the graph. Or makes
//! the table of times compared with other programs.
//!
//!     cargo run -p equipoise-lab --example pictures -- bars \
//!         docs/guide/src/figures/time-to-answer.csv docs/guide/src/figures/time-to-answer.svg
//!     cargo run -p equipoise-lab --example pictures -- growth \
//!         measurements/peers-h200.csv docs/guide/src/figures/growth.svg
//!     cargo run -p equipoise-lab --example pictures -- peers measurements/peers-h200.csv /dev/stdout

use std::{env, error::Error, fs};

use equipoise_lab::report::{bars, growth, peers};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [kind, table, picture] = &arguments[..] else {
        return Err("usage: pictures bars|growth|peers TABLE.csv FILE".into());
    };
    let draw = match kind.as_str() {
        "bars" => bars,
        "growth" => growth,
        "peers" => peers,
        other => {
            return Err(format!("`{other}` is no picture: `bars`, `growth` or `peers`").into());
        }
    };
    fs::write(picture, draw(&fs::read_to_string(table)?)?)?;
    Ok(())
}
