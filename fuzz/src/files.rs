//! What is read by a file's name only.

use std::{env, fs, path::PathBuf, process, sync::LazyLock};

use equipoise_graph::io::{ReadOptions, read_graph};
use equipoise_lab::learn::Table;

/// A folder of this process; in memory where `TMPDIR` says so.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("equipoise-fuzz-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for inputs");
    folder
});

const PACKED: [&str; 4] = ["a.txt.gz", "a.txt.zst", "a.txt.xz", "a.txt.bz2"];

/// The first byte is the compression, the others are the file.
pub fn check_unpacking(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let path = FOLDER.join(PACKED[first as usize % PACKED.len()]);
    fs::write(&path, rest).expect("room for an input");
    if let Ok(graph) = read_graph(&path, &ReadOptions::default()) {
        crate::check_structure(&graph);
    }
}

/// Reads a table of measurements, writes it and reads that.
pub fn check_table(bytes: &[u8]) {
    let path = FOLDER.join("table.csv");
    fs::write(&path, bytes).expect("room for an input");
    let Ok(table) = Table::read(&path) else { return };
    fs::write(&path, table.to_csv()).expect("room for a table");
    let again = Table::read(&path).expect("what was written is read");
    assert_eq!(again.to_csv(), table.to_csv());
}
