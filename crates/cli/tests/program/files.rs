//! Files of results: correct, in the ids of the input, and either whole or absent.

use std::{fs, path::Path, process::Command};

use crate::common::{equipoise, json_of, run, stdout_of};

fn written(folder: &Path, arguments: &str, file: &str) -> String {
    assert_eq!(stdout_of(folder, &format!("{arguments} -q -o {file}")), "", "-q prints nothing");
    fs::read_to_string(folder.join(file)).unwrap()
}

fn folder_with_roads() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let roads = "p sp 4 3\na 1 2 7\na 2 3 1\na 3 1 2\n";
    fs::write(folder.path().join("roads.gr"), roads).unwrap();
    folder
}

#[test]
fn levels_are_in_the_ids_of_the_file() {
    let folder = folder_with_roads();
    let bfs = |file| written(folder.path(), "bfs roads.gr --source 1", file);
    assert_eq!(bfs("levels.tsv"), "vertex\tlevel\tparent\n1\t0\t1\n2\t1\t1\n3\t2\t2\n4\t\t\n");
    assert_eq!(bfs("levels.csv"), "vertex,level,parent\n1,0,1\n2,1,1\n3,2,2\n4,,\n");
    assert_eq!(bfs("levels"), bfs("levels.tsv"));
    let levels: serde_json::Value = serde_json::from_str(&bfs("levels.json")).unwrap();
    assert_eq!(levels[2], serde_json::json!({"vertex": 3, "level": 2, "parent": 2}));
    assert_eq!(levels[3], serde_json::json!({"vertex": 4, "level": null, "parent": null}));
}

#[test]
fn several_sources_have_a_column() {
    let folder = folder_with_roads();
    let levels = written(folder.path(), "bfs roads.gr --source 1 --source 4", "levels.csv");
    assert!(levels.starts_with("source,vertex,level,parent\n1,1,0,1\n"), "{levels}");
    assert!(levels.ends_with("4,4,0,4\n"), "{levels}");
    assert_eq!(levels.lines().count(), 1 + 2 * 4);
}

#[test]
fn distances_keep_their_type() {
    let folder = folder_with_roads();
    let distances = written(folder.path(), "sssp roads.gr --source 1", "distances.csv");
    assert_eq!(distances, "vertex,distance,predecessor\n1,0,1\n2,7,1\n3,8,2\n4,,\n");
    fs::write(folder.path().join("tenths.txt"), "0 1 0.1\n").unwrap();
    let distances = written(folder.path(), "sssp tenths.txt --source 0", "tenths.csv");
    assert_eq!(distances, "vertex,distance,predecessor\n0,0,0\n1,0.1,0\n");
}

#[test]
fn all_pairs_are_text_or_an_array() {
    let folder = folder_with_roads();
    let pairs = written(folder.path(), "apsp roads.gr", "pairs.csv");
    assert!(pairs.starts_with("source,target,distance\n1,1,0\n1,2,7\n1,3,8\n1,4,\n2,1,3\n"));
    stdout_of(folder.path(), "apsp roads.gr -o pairs.npy");
    let array = fs::read(folder.path().join("pairs.npy")).unwrap();
    assert!(array.starts_with(b"\x93NUMPY"));
    let last = &array[array.len() - 4..];
    assert_eq!(last, 0u32.to_le_bytes(), "vertex 4 is at distance 0 from itself");
}

#[test]
fn rows_of_some_sources_and_next_hops_are_written() {
    let folder = folder_with_roads();
    let rows = written(folder.path(), "apsp roads.gr --source 2,1", "rows.csv");
    assert!(rows.starts_with("source,target,distance\n2,1,3\n"), "{rows}");
    assert!(rows.contains("\n1,1,0\n1,2,7\n1,3,8\n1,4,\n"), "{rows}");
    assert_eq!(rows.lines().count(), 9);
    stdout_of(folder.path(), "apsp roads.gr --source 2 -o row.npy");
    let array = fs::read(folder.path().join("row.npy")).unwrap();
    assert!(String::from_utf8_lossy(&array[..128]).contains("'shape': (1, 4)"));
    assert_eq!(array.len(), 128 + 16);
    stdout_of(folder.path(), "apsp roads.gr --next-hops hops.npy");
    let hops = fs::read(folder.path().join("hops.npy")).unwrap();
    assert_eq!(hops[128..132], u32::MAX.to_le_bytes(), "no hop leads from a vertex to itself");
    assert_eq!(hops[132..136], 1u32.to_le_bytes(), "an edge leads from the first to the second");
    // Compressed files take another code path than arrays mapped into memory.
    stdout_of(folder.path(), "apsp roads.gr --next-hops packed.npy.gz");
    assert!(fs::read(folder.path().join("packed.npy.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
}

#[test]
fn colors_are_proper() {
    let folder = folder_with_roads();
    let colors = written(folder.path(), "color roads.gr", "colors.csv");
    let colors: Vec<&str> = colors.lines().skip(1).map(|line| &line[2..]).collect();
    assert_eq!(colors.len(), 4);
    assert!(colors[0] != colors[1] && colors[1] != colors[2] && colors[2] != colors[0]);
}

#[test]
fn products_are_text_arrays_or_matrices() {
    let folder = tempfile::tempdir().unwrap();
    let matrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0.1\n2 1 3\n";
    fs::write(folder.path().join("a.mtx"), matrix).unwrap();
    assert_eq!(written(folder.path(), "spmv a.mtx", "y.csv"), "row,value\n1,0.1\n2,3\n");
    let product = written(folder.path(), "spmm a.mtx --columns 2", "c.csv");
    assert_eq!(product, "row,column,value\n1,0,0.1\n1,1,0.1\n2,0,3\n2,1,3\n");
    fs::write(folder.path().join("t.tns"), "1 1 1 0.5\n2 1 1 3\n").unwrap();
    let product = written(folder.path(), "mttkrp t.tns --rank 1", "m.csv");
    assert_eq!(product, "slice,column,value\n1,0,0.5\n2,0,3\n");
    stdout_of(folder.path(), "mttkrp t.tns --rank 2 --mode 3 -o m.npy");
    let m = fs::read(folder.path().join("m.npy")).unwrap();
    assert_eq!(m[m.len() - 8..], [3.5f32.to_le_bytes(); 2].concat());
    stdout_of(folder.path(), "spmv a.mtx --precision f64 -o y.npy");
    let y = fs::read(folder.path().join("y.npy")).unwrap();
    assert_eq!(y[y.len() - 8..], 3.0f64.to_le_bytes());
    stdout_of(folder.path(), "spgemm a.mtx --precision f64 -o square.eqp");
    stdout_of(folder.path(), "convert square.eqp square.mtx --matrix");
    let square = fs::read_to_string(folder.path().join("square.mtx")).unwrap();
    assert!(square.contains("2 1 0.30000000000000004"), "{square}");
}

#[test]
fn the_extension_selects_the_compression() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["gz", "zst", "xz", "bz2"] {
        let file = format!("path.edges.{extension}");
        stdout_of(folder.path(), &format!("generate path:n=4,directed=true -o {file}"));
        let info = json_of(folder.path(), &format!("info {file}"));
        assert_eq!(info["statistics"]["edges"], 3, "{file}");
        stdout_of(folder.path(), &format!("bfs {file} --source 0 -o levels.csv.{extension}"));
        let packed = fs::read(folder.path().join(format!("levels.csv.{extension}"))).unwrap();
        assert!(!packed.starts_with(b"vertex"), "{file} is compressed");
    }
}

#[test]
fn traces_have_every_step() {
    let folder = tempfile::tempdir().unwrap();
    stdout_of(
        folder.path(),
        "bfs path:n=3 --source 0 --source 2 --strategy node --trace trace.csv",
    );
    let trace = fs::read_to_string(folder.path().join("trace.csv")).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    assert_eq!(lines[0], "source,index,strategy,frontier,edges,found,sub_steps,seconds");
    assert!(lines[1].starts_with("0,0,push,1,1,1,"), "{trace}");
    assert!(lines.iter().filter(|line| line.starts_with("2,")).count() >= 3, "{trace}");

    stdout_of(folder.path(), "color path:n=3 --trace trace.json");
    let trace = fs::read_to_string(folder.path().join("trace.json")).unwrap();
    let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
    let colored: u64 =
        trace[0]["steps"].as_array().unwrap().iter().map(|s| s["found"].as_u64().unwrap()).sum();
    assert_eq!(colored, 3);
}

#[test]
fn a_failure_leaves_the_old_file_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("out.metis");
    fs::write(&old, "old").unwrap();
    fs::write(folder.path().join("loop.txt"), "1 1\n1 2\n").unwrap();
    // METIS has no self-loops: the writer fails in the middle.
    let output = run(folder.path(), "convert loop.txt out.metis --undirected");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["loop.txt", "out.metis"]);
}

#[test]
fn a_search_that_fails_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("negative.txt"), "0 1 -1\n").unwrap();
    let output = run(folder.path(), "sssp negative.txt -o distances.tsv --trace trace.csv");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout_of(folder.path(), &format!("completions {shell}"));
        assert!(script.contains("spgemm") && script.contains("drop-duplicates"), "{shell}");
    }
    stdout_of(folder.path(), "man pages");
    let page = fs::read_to_string(folder.path().join("pages/equipoise-bfs.1")).unwrap();
    assert!(page.contains("max\\-depth") && page.contains("equipoise bfs rmat:scale=18"));
    assert!(folder.path().join("pages/equipoise.1").exists());
}

#[test]
fn matrices_are_generated_into_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let spec = "matrix:rows=9,columns=4,entries=20,weights=0.5..2.0";
    let written = json_of(folder, &format!("generate {spec} -o matrix.mtx"));
    let of_spec = json_of(folder, &format!("spmv {spec} --device cpu --precision f64"));
    let of_file = json_of(folder, "spmv matrix.mtx --device cpu --precision f64");
    assert_eq!((&written["rows"], &written["columns"]), (&9.into(), &4.into()));
    assert_eq!(written["entries"], of_file["matrix"]["entries"]);
    assert_eq!(of_spec["sum"], of_file["sum"]);
    let text = stdout_of(folder, &format!("generate {spec} -o matrix.mtx"));
    assert!(text.contains(": 9 × 4, "), "{text}");
    let error = run(folder, &format!("bfs {spec} --device cpu"));
    assert!(String::from_utf8_lossy(&error.stderr).contains("makes a matrix, not a graph"));
}

#[test]
fn graphs_are_written_as_tables_under_a_header() {
    let folder = tempfile::tempdir().unwrap();
    for (command, to) in [
        ("generate complete:n=3 -o", "generated"),
        ("convert complete:n=3 -o", "converted"),
        ("kcore complete:n=3 --device cpu --subgraph", "core"),
    ] {
        for (ending, delimiter) in [("csv", ","), ("tsv", "\t")] {
            let output = run(folder.path(), &format!("{command} {to}.{ending}"));
            assert!(output.status.success(), "{output:?}");
            let warning = format!("{ending} does not say that edges are undirected");
            assert!(String::from_utf8_lossy(&output.stderr).contains(&warning), "{output:?}");
            let text = fs::read_to_string(folder.path().join(format!("{to}.{ending}"))).unwrap();
            let expected = "source,target\n0,1\n0,2\n1,2\n".replace(',', delimiter);
            assert_eq!(text, expected, "{command}");
        }
    }
}

/// Initial communities are read as graphs are: compressed, or from a pipe.
#[test]
fn initial_communities_are_read_from_any_file() {
    let folder = tempfile::tempdir().unwrap();
    let call = "communities cliques:count=3,size=5 --device cpu";
    for name in ["start.tsv", "start.csv.gz"] {
        stdout_of(folder.path(), &format!("{call} -o {name}"));
        let found = json_of(folder.path(), &format!("{call} --initial {name}"));
        assert_eq!(found["count"], 3, "{found}");
    }
    let text = fs::read_to_string(folder.path().join("start.tsv")).unwrap();
    let program = equipoise(folder.path()).get_program().to_owned();
    let piped = format!("cat start.tsv | \"$0\" {call} --initial - --json");
    let output =
        Command::new("sh").args(["-c", &piped]).arg(program).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::write(folder.path().join("latin.tsv"), text.replace("\t2\n", "\t\u{e9}\n")).unwrap();
    let named = json_of(folder.path(), &format!("{call} --initial latin.tsv"));
    assert_eq!(named["count"], 3, "{named}");
    let mut bytes = text.into_bytes();
    bytes.extend(b"\n\xe9\t1\n");
    fs::write(folder.path().join("odd.tsv"), bytes).unwrap();
    let output = run(folder.path(), &format!("{call} --initial odd.tsv"));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("odd.tsv:18: a character that is not UTF-8"), "{error}");
    let output = run(folder.path(), &format!("{call} --initial missing.tsv"));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("missing.tsv"), "{error}");
}
