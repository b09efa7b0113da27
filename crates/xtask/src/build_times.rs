//! `cargo xtask build-times`: the times of a first build, as the table in docs/internals.md.

use std::{fs, time::Instant};

use crate::{
    command::{cargo, read, succeed, write},
    workspace,
};

/// The page with the table.
const PAGE: &str = "docs/internals.md";
const BEGIN: &str = "<!-- build-times: `cargo xtask build-times` writes this table -->\n";
const END: &str = "<!-- build-times: end -->";
/// The number of packages in the table; the others share one line.
const ROWS: usize = 20;

/// The compilation of a package.
#[derive(Debug, PartialEq)]
struct Unit {
    name: String,
    seconds: f64,
}

/// Builds the program from scratch, and writes the table.
pub fn run() -> Result<(), String> {
    let folder = workspace().join("target/build-times");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let start = Instant::now();
    let mut build = cargo();
    build.args(["build", "--release", "--timings"]).env("CARGO_TARGET_DIR", &folder);
    succeed(&mut build, "cargo")?;
    let elapsed = start.elapsed().as_secs_f64();
    let page = read(&folder.join("cargo-timings/cargo-timing.html"))?;
    let units = units(&page);
    if units.is_empty() {
        return Err("cargo's page of timings has no list of units that this task can read".into());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let table = table(&units, elapsed, cores);
    print!("{table}");
    let page = workspace().join(PAGE);
    let text =
        replaced(&read(&page)?, &table).ok_or(format!("{PAGE} has no place for the table"))?;
    write(&page, &text)
}

/// The packages of cargo's timing page, with the total time of each, the longest first.
fn units(page: &str) -> Vec<Unit> {
    let Some((_, data)) = page.split_once("UNIT_DATA = [") else { return Vec::new() };
    let data = data.split_once("];").map_or(data, |(data, _)| data);
    let mut units: Vec<Unit> = Vec::new();
    for unit in data.split("\"name\":").skip(1) {
        let name = unit.split('"').nth(1).unwrap_or_default();
        let seconds = field(unit, "\"duration\":").unwrap_or_default();
        match units.iter_mut().find(|known| known.name == name) {
            Some(known) => known.seconds += seconds,
            None => units.push(Unit { name: name.into(), seconds }),
        }
    }
    units.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    units
}

fn field(unit: &str, key: &str) -> Option<f64> {
    let (_, rest) = unit.split_once(key)?;
    let end = rest.find([',', '}']).unwrap_or(rest.len());
    rest[..end].trim().parse().ok()
}

fn table(units: &[Unit], elapsed: f64, cores: usize) -> String {
    let total: f64 = units.iter().map(|unit| unit.seconds).sum();
    let mut table = format!(
        "`cargo build --release` from nothing: {elapsed:.0} s on {cores} cores. Cargo's time per package, in seconds \
         ({total:.0} in all; those of packages that compile at the same time overlap):\n\n\
         | package | seconds |\n| --- | ---: |\n"
    );
    for unit in &units[..units.len().min(ROWS)] {
        table += &format!("| {} | {:.1} |\n", unit.name, unit.seconds);
    }
    if let Some(rest) = units.get(ROWS..).filter(|rest| !rest.is_empty()) {
        let seconds: f64 = rest.iter().map(|unit| unit.seconds).sum();
        table += &format!("| {} others | {seconds:.1} |\n", rest.len());
    }
    table
}

/// The page with the table replaced; `None` if it has no table.
fn replaced(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = r#"const UNIT_DATA = [
  { "i": 0, "name": "syn", "duration": 2.5, "sections": [["frontend", {"start": 0.0, "end": 1.5}]] },
  { "i": 1, "name": "naga", "duration": 30.25 },
  { "i": 2, "name": "syn", "duration": 1.5 }
];
const CONCURRENCY_DATA = [{"name": "none", "duration": 9}];"#;

    #[test]
    fn units_of_a_package_are_added_up_and_sorted() {
        let named = |name: &str, seconds| Unit { name: name.into(), seconds };
        assert_eq!(units(DATA), [named("naga", 30.25), named("syn", 4.0)]);
        assert_eq!(units("<html></html>"), []);
    }

    #[test]
    fn the_table_replaces_the_one_before() {
        let page = format!("# A\n\n{BEGIN}\nold\n\n{END}\n\nB\n");
        let page = replaced(&page, "new\n").unwrap();
        assert_eq!(page, format!("# A\n\n{BEGIN}\nnew\n\n{END}\n\nB\n"));
        assert_eq!(replaced("# A\n", "new\n"), None);
    }

    #[test]
    fn the_page_has_a_place_for_the_table() {
        let page = read(&workspace().join(PAGE)).unwrap();
        assert!(replaced(&page, "").is_some());
    }
}
