//! Results as arrays for NumPy, and files without a known extension.

use std::{fs, path::Path};

use crate::common::{run, stdout_of};

/// Vertex 4 cannot be reached from the others.
const ROADS: &str = "p sp 4 3\na 1 2 7\na 2 3 1\na 3 1 2\n";

/// The header and the numbers of an array.
fn read(folder: &Path, file: &str) -> (String, Vec<u8>) {
    let bytes = fs::read(folder.join(file)).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY"), "{file}");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, numbers) = bytes.split_at(10 + length);
    (String::from_utf8_lossy(&header[10..]).into_owned(), numbers.to_vec())
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn folder_with_roads() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("roads.gr"), ROADS).unwrap();
    folder
}

#[test]
fn searches_are_arrays_in_the_order_of_ids() {
    let folder = folder_with_roads();
    let array = |command: &str| {
        stdout_of(folder.path(), &format!("{command} -o x.npy"));
        read(folder.path(), "x.npy")
    };
    let (header, levels) = array("bfs roads.gr --source 1");
    assert!(header.contains("'<u4'") && header.contains("'shape': (4,)"), "{header}");
    assert_eq!(levels, bytes_of(&[0, 1, 2, u32::MAX]));
    let (_, distances) = array("sssp roads.gr --source 1");
    assert_eq!(distances, bytes_of(&[0, 7, 8, u32::MAX]));
    let (header, distances) = array("sssp roads.gr --source 2 --source 1");
    assert!(header.contains("'shape': (2, 4)"), "{header}");
    assert_eq!(distances, bytes_of(&[3, 0, 1, u32::MAX, 0, 7, 8, u32::MAX]));
    let (header, levels) = array("bfs roads.gr --source 1 --source 4 --batch");
    assert!(header.contains("'shape': (2, 4)"), "{header}");
    assert_eq!(levels[16..], bytes_of(&[u32::MAX, u32::MAX, u32::MAX, 0]));
    let (header, colors) = array("color roads.gr");
    assert!(header.contains("'shape': (4,)"), "{header}");
    assert_eq!(colors.len(), 16);
}

#[test]
fn arrays_keep_the_type_of_distances() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("real.txt"), "0 1 0.5\n2 0 1\n").unwrap();
    stdout_of(folder.path(), "sssp real.txt --source 0 -o x.npy");
    let (header, numbers) = read(folder.path(), "x.npy");
    assert!(header.contains("'<f8'"), "{header}");
    assert_eq!(numbers, [0f64, 0.5, f64::INFINITY].map(f64::to_le_bytes).concat());
    stdout_of(folder.path(), "sssp real.txt --source 0 --weights f32 -o x.npy");
    let (header, numbers) = read(folder.path(), "x.npy");
    assert!(header.contains("'<f4'"), "{header}");
    assert_eq!(numbers, [0f32, 0.5, f32::INFINITY].map(f32::to_le_bytes).concat());
    // Only one of the two searches needs 64 bits.
    fs::write(folder.path().join("far.gr"), "p sp 3 2\na 1 2 4000000000\na 2 3 4000000000\n")
        .unwrap();
    stdout_of(folder.path(), "sssp far.gr --source 1 --source 3 -o x.npy");
    let (header, numbers) = read(folder.path(), "x.npy");
    assert!(header.contains("'<u8'") && header.contains("(2, 3)"), "{header}");
    let expected = [0, 4_000_000_000, 8_000_000_000, u64::MAX, u64::MAX, 0u64];
    assert_eq!(numbers, expected.map(u64::to_le_bytes).concat());
}

#[test]
fn no_extension_means_tabs_and_an_unknown_one_is_refused() {
    let folder = folder_with_roads();
    stdout_of(folder.path(), "sssp roads.gr --source 1 -o distances");
    let rows = fs::read_to_string(folder.path().join("distances")).unwrap();
    assert!(rows.starts_with("vertex\tdistance\t"), "{rows}");
    for (option, known) in [
        ("-o x.parquet", ".tsv, .txt, .csv, .json, .jsonl, .npy"),
        ("-o x.parquet.gz", ".tsv, .txt, .csv, .json, .jsonl, .npy"),
        ("-o x.mtx", ".tsv, .txt, .csv, .json, .jsonl, .npy"),
        ("--trace x.tsv", ".json, .csv"),
    ] {
        let output = run(folder.path(), &format!("sssp roads.gr {option}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {errors}");
        assert!(errors.contains(&format!("known are: {known}")), "{option}: {errors}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
