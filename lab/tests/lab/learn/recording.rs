//! Tables in files: written, read, torn, resumed, refused.

use std::{fs, path::Path};

use equipoise_lab::learn::{Error, Recorder, Run, Schema, Step, Table};
use proptest::prelude::*;

use super::tables::{random, table_of_steps};

fn schema() -> Schema {
    Schema::new(&["frontier", "mean, \"degree\""], &["push", "pull"])
}

fn run(graph: &str, id: &str, steps: usize) -> Run {
    let step = |number: usize| {
        let time = 1e-6 * (number + 1) as f64;
        Step::new(vec![number as f32, 0.1], vec![Some(time), None])
            .because("pull: needs 3 GB, has 2")
    };
    let steps = (0..steps).map(step).collect();
    let origin = Some(format!("file of {graph}"));
    Run { graph: graph.into(), family: "a, \"b\"".into(), id: id.into(), steps, origin }
}

fn runs() -> Vec<Run> {
    vec![run("rmat, 20", "0", 3), run("rmat, 20", "7", 2), run("grid", "0", 4)]
}

fn record(path: &Path, runs: &[Run]) -> Result<usize, Error> {
    let mut recorder = Recorder::open(path, &schema())?;
    let mut written = 0;
    for run in runs {
        if !recorder.is_complete(&run.graph, &run.id) {
            recorder.append(run)?;
            written += 1;
        }
    }
    Ok(written)
}

#[test]
fn recorded_tables_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    assert_eq!(record(&path, &runs()).unwrap(), 3);
    let table = Table::read(&path).unwrap();
    assert_eq!(table, Table::new(schema(), runs()).unwrap());
    assert_eq!(table.to_csv(), fs::read_to_string(&path).unwrap());
    // The table is complete: nothing is written again.
    assert_eq!(record(&path, &runs()).unwrap(), 0);
}

/// Resuming after an interruption anywhere gives the same file.
#[test]
fn resuming_after_any_byte_gives_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    record(&path, &runs()).unwrap();
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let written = record(&path, &runs()).unwrap();
        assert!(written >= 1, "{length} bytes");
        assert_eq!(fs::read(&path).unwrap(), whole, "after {length} bytes");
    }
}

/// An editor or a shell may have ended the last line.
#[test]
fn a_torn_line_that_was_ended_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    record(&path, &runs()).unwrap();
    let whole = fs::read(&path).unwrap();
    let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in header..whole.len() {
        let mut torn = whole[..length].to_vec();
        torn.push(b'\n');
        // The rest may be a valid line: without its reason, or with half a number.
        fs::write(&path, &torn).unwrap();
        if Table::read(&path).is_ok() {
            continue;
        }
        let recorder = Recorder::open(&path, &schema()).unwrap();
        assert!(recorder.cut_off() > 0, "{length} bytes");
        drop(recorder);
        record(&path, &runs()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole, "after {length} bytes");
    }
}

/// The name of a graph is not sufficient.
#[test]
fn another_graph_under_the_same_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    record(&path, &runs()).unwrap();
    let before = fs::read(&path).unwrap();
    let mut recorder = Recorder::open(&path, &schema()).unwrap();
    recorder.check_origin("grid", "file of grid").unwrap();
    recorder.check_origin("a new one", "anything").unwrap();
    let error = recorder.check_origin("grid", "another file").unwrap_err();
    assert!(matches!(error, Error::OtherOrigin { .. }));
    let message = "graph `grid` is file of grid in this table, and another file now";
    assert!(error.to_string().contains(message), "{error}");
    let other = Run { origin: Some("another file".into()), ..run("grid", "1", 1) };
    assert!(matches!(recorder.append(&other).unwrap_err(), Error::OtherOrigin { .. }));
    let nobody_knows = Run { origin: None, ..run("grid", "1", 1) };
    assert!(recorder.append(&nobody_knows).is_err());
    drop(recorder);
    assert_eq!(fs::read(&path).unwrap(), before);
    let both = vec![run("grid", "0", 1), Run { id: "1".into(), ..other }];
    let message = Table::new(schema(), both).unwrap_err().to_string();
    assert_eq!(message, "graph `grid` is both file of grid and another file");
}

/// Tables of earlier versions are read, but not resumed.
#[test]
fn a_table_without_its_graphs_is_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let old: Vec<Run> = runs().into_iter().map(|run| Run { origin: None, ..run }).collect();
    let table = Table::new(schema(), old).unwrap();
    fs::write(&path, table.to_csv()).unwrap();
    assert_eq!(Table::read(&path).unwrap(), table);
    let error = Recorder::open(&path, &schema()).unwrap_err().to_string();
    assert!(error.contains("it does not say which graphs its runs are of"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), table.to_csv());
}

#[test]
fn an_unfinished_run_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    record(&path, &runs()).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    // Without the last two lines, and a torn one.
    let lines: Vec<&str> = whole.lines().take(8).collect();
    fs::write(&path, format!("{}\ngrid,a, \"b", lines.join("\n"))).unwrap();
    let table = Table::read(&path).unwrap();
    assert_eq!(table, Table::new(schema(), runs()[..2].to_vec()).unwrap());
}

#[test]
fn other_measurements_are_not_mixed_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    record(&path, &runs()).unwrap();
    let before = fs::read(&path).unwrap();
    let other = Schema::new(&["frontier", "mean, \"degree\""], &["push", "pull", "edge"]);
    let error = Recorder::open(&path, &other).unwrap_err();
    assert!(matches!(error, Error::OtherSchema { .. }));
    assert!(
        error.to_string().contains(
            "its candidates are push, pull, but those to be measured are push, pull, edge"
        ),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn no_other_file_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    for content in ["my diary", "my diary\n", "graph,family\n1,2\n", "g"] {
        fs::write(&path, content).unwrap();
        let result = Recorder::open(&path, &schema());
        // `g` could be the start of a torn header.
        assert_eq!(result.is_err(), content != "g", "{content:?}");
        if let Err(error) = result {
            assert!(matches!(error, Error::File { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
}

#[test]
fn two_recorders_do_not_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let _first = Recorder::open(&path, &schema()).unwrap();
    let error = Recorder::open(&path, &schema()).unwrap_err();
    assert!(matches!(error, Error::InUse { .. }), "{error}");
}

#[test]
fn runs_that_do_not_fit_are_refused_before_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    let mut recorder = Recorder::open(&path, &schema()).unwrap();
    recorder.append(&run("g", "0", 2)).unwrap();
    let before = fs::read(&path).unwrap();
    let twice = recorder.append(&run("g", "0", 2)).unwrap_err().to_string();
    assert_eq!(twice, "graph `g` has the run `0` already");
    assert!(recorder.append(&run("g\n", "1", 2)).is_err());
    assert!(recorder.append(&run("g", "1", 0)).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn files_that_are_no_tables() {
    let header = "graph,family,run,step,steps,feature.f,time.a,time.b,reason\n";
    let cases = [
        ("", "t.csv:1: the file has no header"),
        (
            "graph,family,run,step,steps,feature.f,time.a,time.b,reason",
            "t.csv:1: the file has no header",
        ),
        (
            "a,b\n1,2\n",
            "t.csv:1: the columns should be graph, family, run, step, steps, perhaps origin, feature.…",
        ),
        ("graph,family,run,step,steps,time.a,reason\n", "the table has no feature"),
        ("graph,family,run,step,steps,feature.f,time.a,time.a,reason\n", "the candidate `a` twice"),
        ("H g,f,0,0,1,1.0,2.0\n", "t.csv:2: "),
        ("H g,f,0,0,1,x,1,2,\n", "t.csv:2: the feature `f` is \"x\", which is no number"),
        ("H g,f,0,0,1,1,1,fast,\n", "t.csv:2: the time of `b` is \"fast\", which is no number"),
        ("H g,f,0,-1,1,1,1,2,\n", "t.csv:2: `step` is \"-1\", which is no count"),
        ("H g,f,0,0,,1,1,2,\n", "t.csv:2: `steps` is \"\", which is no count"),
        ("H g,f,0,0,0,1,1,2,\n", "expected step 0 of 0"),
        (
            "H g,f,0,1,2,1,1,2,\n",
            "t.csv:2: expected step 0 of 2 of graph `g`, run `0`; this is step 1 of 2",
        ),
        (
            "H g,f,0,0,2,1,1,2,\nh,f,0,0,1,1,1,2,\n",
            "t.csv:3: expected step 1 of 2 of graph `g`, run `0`; this is step 0 of 1 of graph `h`",
        ),
        ("H g,f,0,0,1,inf,1,2,\n", "the feature `f` is inf, which is not finite"),
        ("H g,f,0,0,1,1,-1,2,\n", "`a` took -1 s, which is no time"),
        ("H g,f,0,0,1,1,1,,\n", "neither a time nor a reason"),
        ("H g,f,0,0,1,1,1,2,\ng,f,0,0,1,1,1,2,\n", "graph `g` has the run `0` twice"),
        ("H \u{0}g,f,0,0,1,1,1,2,\n", "is no name for a graph"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    for (text, expected) in cases {
        fs::write(&path, text.replace("H ", header)).unwrap();
        let message = Table::read(&path).unwrap_err().to_string();
        assert!(message.contains(expected), "expected {expected:?} in {message:?}");
    }
    fs::write(&path, b"graph\xff\n").unwrap();
    assert!(Table::read(&path).unwrap_err().to_string().contains("not UTF-8"));
    fs::write(&path, format!("{header}g,f,0,0,1,1,NaN,2,does not fit\n")).unwrap();
    assert_eq!(Table::read(&path).unwrap().runs()[0].steps[0].times, [None, Some(2.0)]);
}

proptest! {
    #[test]
    fn numbers_survive(feature in any::<f32>(), time in any::<f64>()) {
        prop_assume!(feature.is_finite() && time.is_finite() && time > 0.0);
        let schema = Schema::new(&["f"], &["a"]);
        let table = table_of_steps(schema, 1, 2, |_, _| (vec![feature], vec![Some(time)]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        fs::write(&path, table.to_csv()).unwrap();
        prop_assert_eq!(Table::read(&path).unwrap(), table);
    }

    #[test]
    fn damage_never_panics(start in 0usize..700, length in 0usize..30, with in "[ -~\n]{0,6}") {
        let table = table_of_steps(schema(), 2, 3, |_, step| {
            (vec![step as f32, 1.0], vec![Some(1e-6 + random(step)), None])
        });
        let text = table.to_csv();
        let start = start.min(text.len());
        let end = (start + length).min(text.len());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        fs::write(&path, format!("{}{with}{}", &text[..start], &text[end..])).unwrap();
        let _ = Table::read(&path);
    }
}
