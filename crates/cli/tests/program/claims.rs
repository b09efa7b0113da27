//! Statements of the program about its results and refusals are true.

use std::{fs, path::Path};

use crate::common::{json_of, run, stdout_of, with_algorithms};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// The errors of a call that fails, and its exit code.
fn refused(folder: &Path, arguments: &str) -> (String, Option<i32>) {
    let output = run(folder, arguments);
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

/// The numbers of a column of rows as CSV.
fn column(text: &str, index: usize) -> Vec<f64> {
    text.lines().skip(1).map(|line| line.split(',').nth(index).unwrap().parse().unwrap()).collect()
}

#[test]
fn centralities_from_all_sources_with_an_edge_are_exact() {
    let folder = folder();
    let edges: Vec<String> = (1..10).map(|vertex| format!("{} {vertex}", vertex + 1)).collect();
    let header = "%%MatrixMarket matrix coordinate pattern symmetric\n1000 1000 9\n";
    fs::write(folder.path().join("path.mtx"), format!("{header}{}\n", edges.join("\n"))).unwrap();
    let read = |options: &str| {
        let call = format!("paths path.mtx --device cpu -q {options} -o paths.csv");
        stdout_of(folder.path(), &call);
        let text = fs::read_to_string(folder.path().join("paths.csv")).unwrap();
        (column(&text, 1), column(&text, 2))
    };
    let (closeness, harmonic) = read("");
    let (sampled_closeness, sampled_harmonic) = read("--random-sources 10");
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12;
    assert!(closeness.len() == 1000 && closeness[5] > 0.0);
    assert!(closeness.iter().zip(&sampled_closeness).all(is_near));
    assert!(harmonic.iter().zip(&sampled_harmonic).all(is_near));
}

#[test]
fn bounds_and_estimates_of_a_sample_are_labelled() {
    let folder = folder();
    let call = "paths path:n=101 --random-sources 2 --device cpu";
    let text = stdout_of(folder.path(), call);
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line("radius").contains("at least 50, at most "), "{text}");
    assert!(line("closest").contains("estimated closeness"), "{text}");
    let document = json_of(folder.path(), call);
    assert_eq!((&document["exact"], &document["least_radius"]), (&false.into(), &50.0.into()));
    assert!(document["center"].is_null() && document["closest_is_estimate"] == true);
    let document = json_of(folder.path(), "paths path:n=101 --device cpu");
    assert_eq!((&document["radius"], &document["center"]), (&50.0.into(), &1.into()));
}

#[test]
fn samples_are_not_called_verified() {
    let folder = folder();
    for (whole, sampled) in
        [("apsp path:n=300", "apsp complete:n=400"), ("paths path:n=256", "paths path:n=257")]
    {
        let [whole, sampled] = [whole, sampled].map(|call| format!("{call} --device cpu"));
        assert!(stdout_of(folder.path(), &whole).contains("\nverified "));
        assert_eq!(json_of(folder.path(), &whole)["runs"]["verification"]["verdict"], "proved");
        let text = stdout_of(folder.path(), &sampled);
        assert!(text.contains("\nsampled ") && !text.contains("\nverified "), "{text}");
        let document = json_of(folder.path(), &sampled);
        let verification = &document["runs"]["verification"];
        assert_eq!(verification["verdict"], "sampled");
        assert!(verification["confidence"].as_f64().unwrap() < 1.0);
    }
}

#[test]
fn ranks_that_do_not_converge_fail() {
    let folder = folder();
    let call = "pagerank star:n=50 --damping 0.99 --device cpu";
    for quiet in ["", " -q", " --no-validate", " -o ranks.csv"] {
        let (error, code) = refused(folder.path(), &format!("{call}{quiet}"));
        assert_eq!(code, Some(1));
        assert!(error.contains("the ranks did not converge: iteration 100"), "{error}");
        assert!(error.contains("--iterations N"), "{error}");
    }
    assert!(!folder.path().join("ranks.csv").exists());
    for asked in ["--iterations 100", "--tolerance 0"] {
        let document = json_of(folder.path(), &format!("{call} {asked}"));
        assert_eq!((&document["iterations"], &document["converged"]), (&100.into(), &false.into()));
    }
    let (_, code) = refused(folder.path(), &format!("{call} --iterations 9 --max-iterations 9"));
    assert_eq!(code, Some(2));
}

#[test]
fn communities_that_do_not_converge_are_a_warning() {
    let folder = folder();
    let call = "communities rmat:scale=8 --strategy label-propagation --max-iterations 1 \
                --device cpu";
    let output = run(folder.path(), &format!("{call} -q"));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(error.starts_with("warning: the communities did not converge"), "{error}");
    let document = run(folder.path(), &format!("{call} --json")).stdout;
    let document: serde_json::Value = serde_json::from_slice(&document).unwrap();
    assert_eq!(document["converged"], false);
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_holds_on_the_cpu() {
    let folder = folder();
    let others = [("color", ""), ("apsp", "--strategy blocked")];
    for (command, options) in with_algorithms(&others, "", "") {
        let call = format!("{command} {options} path:n=9 --device cpu --memory-limit");
        let (error, code) = refused(folder.path(), &format!("{call} 1"));
        assert_eq!(code, Some(1), "{command}");
        assert!(error.starts_with("error: "), "{command}: {error}");
        stdout_of(folder.path(), &format!("{call} 4GiB"));
    }
    // The graph fits; the distances do not.
    let (error, code) = refused(
        folder.path(),
        "paths path:n=1000000 --random-sources 1 --device cpu --memory-limit 80MB",
    );
    assert_eq!(code, Some(1));
    assert!(error.contains("distances between 1000000 vertices needs"), "{error}");
}

#[test]
fn a_path_may_lead_between_names_with_commas() {
    let folder = folder();
    let rows = "from,to\n\"Doe, John\",\"Roe, Jane\"\n\"Roe, Jane\",Ann\nAnn,\"B,C\"\n\"A,B\",C\nA,\"B,C\"\n";
    fs::write(folder.path().join("people.csv"), rows).unwrap();
    let path = |ends: &str| {
        let mut command = crate::common::equipoise(folder.path());
        let output =
            command.args(["apsp", "people.csv", "--device", "cpu", "--path", ends]).output();
        let output = output.unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (text, error) = path("Doe, John,Ann");
    assert!(text.contains("Doe, John") && text.contains(", of length 2"), "{text}{error}");
    let (text, error) = path("Doe, John,Roe, Jane");
    assert!(text.contains(", of length 1"), "{text}{error}");
    let (_, error) = path("A,B,C");
    assert!(error.contains("from `A` to `B,C`, or from `A,B` to `C`"), "{error}");
    let (_, error) = path("Doe");
    assert!(error.contains("expected the ids of two vertices"), "{error}");
    let (_, error) = path("Ann,Zoe");
    assert!(error.contains("vertex Zoe does not exist"), "{error}");
}

#[test]
fn messages_are_short_and_suggest_what_was_meant() {
    let folder = folder();
    fs::write(folder.path().join("letters.txt"), "a b\nb c\nc d\n").unwrap();
    for (call, expected) in [
        ("pagerank path:n=3 --tolerance nan", "`tolerance` is NaN: 0 or more is possible"),
        ("pagerank path:n=3 --damping 1e300", "`damping` is 1e300: 0 to 1 are possible"),
        ("bfs letters.txt --source C", "did you mean `c`?"),
        ("bfs letters.txt --random-sources 4", "only 3 vertices have an outgoing edge"),
    ] {
        let (error, code) = refused(folder.path(), call);
        assert!(code == Some(1) && error.contains(expected), "{error}");
        assert!(error.lines().all(|line| line.len() < 200), "{error}");
    }
}

#[test]
fn json_distinguishes_infinities_and_nan_from_missing_values() {
    let folder = folder();
    let matrix =
        "%%MatrixMarket matrix coordinate real general\n4 1 3\n1 1 inf\n2 1 -inf\n3 1 nan\n";
    fs::write(folder.path().join("special.mtx"), matrix).unwrap();
    let call = "spmv special.mtx --device cpu --no-validate -o y.json";
    let document = json_of(folder.path(), call);
    assert_eq!(document["sum"], "NaN");
    let rows = fs::read_to_string(folder.path().join("y.json")).unwrap();
    let rows: serde_json::Value = serde_json::from_str(&rows).unwrap();
    let values: Vec<String> =
        rows.as_array().unwrap().iter().map(|row| row["value"].to_string()).collect();
    assert_eq!(values, ["\"Infinity\"", "\"-Infinity\"", "\"NaN\"", "0"]);
}
