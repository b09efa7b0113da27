//! Decimal weights have 64 bits by default, in every command that adds them up.

use std::{fs, path::Path};

use crate::common::{json_of, run, stdout_of};
use serde_json::Value;

/// The relative tolerance of sums of 64 bits, which sums of 32 bits exceed.
const NEAR: f64 = 1e-12;

fn assert_near(value: &Value, expected: f64, what: &str) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= NEAR * expected, "{what}: {value}, not {expected}");
}

/// A path of tenths from a generator and from a file.
fn paths_of_tenths(folder: &Path) -> [&'static str; 2] {
    let lines: String = (0..300).map(|edge| format!("{edge} {} 0.1\n", edge + 1)).collect();
    fs::write(folder.join("tenths.wel"), lines).unwrap();
    ["path:n=301,weights=0.1..0.1", "tenths.wel --undirected"]
}

#[test]
fn tenths_add_up_to_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for input in paths_of_tenths(folder) {
        let sssp = json_of(folder, &format!("sssp {input} --source 0 --target 300"));
        assert_eq!(sssp["graph"]["weights"], "f64");
        assert_near(&sssp["searches"][0]["target"]["distance"], 30.0, "sssp");
        assert_eq!(sssp["searches"][0]["runs"]["verification"]["verdict"], "proved");
        let apsp = json_of(folder, &format!("apsp {input} --path 0,300"));
        assert_eq!(apsp["distance_type"], "f64");
        assert_near(&apsp["paths"][0]["distance"], 30.0, "apsp");
        let paths = json_of(folder, &format!("paths {input} --weighted --random-sources 5"));
        let (least, most) = (15.0, 30.0);
        let diameter = paths["diameter"].as_f64().unwrap();
        assert!((least..=most * (1.0 + NEAR)).contains(&diameter), "{diameter}");
        assert_near(&json_of(folder, &format!("mst {input}"))["total"], 30.0, "mst");
        let text = stdout_of(folder, &format!("sssp {input} --source 0"));
        assert!(text.contains("undirected, f64 weights\n"), "{text}");
    }
}

#[test]
fn an_option_sets_the_type_of_weights() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for input in paths_of_tenths(folder) {
        let command = format!("sssp {input} --source 0 --target 300 --weights f32");
        let sssp = json_of(folder, &command);
        assert_eq!(sssp["graph"]["weights"], "f32");
        let distance = sssp["searches"][0]["target"]["distance"].as_f64().unwrap();
        assert!((distance - 30.0).abs() > 1e-7, "{distance}");
        let refused = run(folder, &format!("sssp {input} --weights u32"));
        assert_eq!(refused.status.code(), Some(1));
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains("0.1") && error.contains("from 0 to 4294967295"), "{error}");
    }
    json_of(folder, "convert tenths.wel --weights f32 -o tenths.eqp");
    assert_eq!(json_of(folder, "info tenths.eqp")["statistics"]["weights"]["kind"], "f32");
    json_of(folder, "generate path:n=9,weights=0.1..0.1 --weights f32 -o path.eqp");
    assert_eq!(json_of(folder, "info path.eqp")["statistics"]["weights"]["kind"], "f32");
    let matrix = run(folder, "convert tenths.wel --matrix --weights f32 -o tenths.mtx");
    assert_eq!(matrix.status.code(), Some(2));
}

#[cfg(feature = "wgpu")]
mod on_a_gpu {
    use super::*;
    use crate::gpu::folder_with_gpu;

    /// A GPU without 64-bit sums refuses with a remedy.
    #[test]
    fn weights_of_64_bits_are_refused_with_the_remedy() {
        let folder = folder_with_gpu();
        let input = "path:n=9,weights=0.1..0.1";
        for command in ["sssp", "apsp", "paths --weighted"] {
            let refused = run(folder.path(), &format!("{command} {input} --device wgpu"));
            assert_eq!(refused.status.code(), Some(1), "{command}: {refused:?}");
            let error = String::from_utf8(refused.stderr).unwrap();
            assert!(error.contains("64 (f64): use the cpu"), "{command}: {error}");
            assert!(error.contains("hint: --weights f32"), "{command}: {error}");
        }
        let narrow = format!("sssp {input} --source 0 --device wgpu --weights f32");
        let document = json_of(folder.path(), &narrow);
        assert_eq!(document["searches"][0]["runs"]["verification"]["verdict"], "proved");
    }

    /// Even with a named strategy, `--device auto` respects the type of weights.
    #[test]
    fn the_automatic_device_adds_up_64_bits() {
        let folder = folder_with_gpu();
        for command in
            ["sssp --strategy delta", "apsp --strategy blocked", "paths --weighted", "sssp"]
        {
            let command = format!("{command} path:n=9,weights=0.1..0.1 -v");
            let document = json_of(folder.path(), &command);
            assert_eq!(document["device"], "cpu", "{command}");
        }
    }

    /// Algorithms that add up no lengths accept weights of 64 bits.
    #[test]
    fn weights_that_are_no_lengths_may_have_64_bits() {
        let folder = folder_with_gpu();
        for command in ["pagerank", "communities", "mst", "bfs"] {
            let command = format!("{command} rmat:scale=6,weights=0.1..0.9 --device wgpu");
            let document = json_of(folder.path(), &command);
            assert_eq!(document["graph"]["weights"], "f64", "{command}");
            let runs = if command.starts_with("bfs") {
                &document["searches"][0]["runs"]
            } else {
                &document["runs"]
            };
            assert_eq!(runs["verification"]["verdict"], "proved", "{command}");
        }
        let product = json_of(folder.path(), "spmv rmat:scale=6,weights=0.1..0.9 --device wgpu");
        assert_eq!(product["runs"]["verification"]["verdict"], "proved");
    }
}
