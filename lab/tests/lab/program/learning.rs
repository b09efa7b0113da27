//! Measurements, and a model of them that a search follows.

use std::fs;

use super::{
    common::{failure_of, folder_with_gpu, json_of, repository, run, stdout_of},
    product,
};

const SUITE: &str = "\
# Small ones of several families.
rmat-5    rmat  rmat:scale=5
rmat-6    rmat  rmat:scale=6   # denser
grid-4    grid  grid:width=4,height=4
grid-6    grid  grid:width=6,height=3
er-40     er    er:n=40,m=90
er-60     er    er:n=60,m=90,directed=true
file      real  tiny.el  undirected
";

const MEASURE: &str =
    "measure suite.txt --device wgpu -o table.csv --random-sources 2 --repeat 1 --levels 3";

fn folder_with_suite(suite: &str) -> tempfile::TempDir {
    let folder = folder_with_gpu();
    fs::write(folder.path().join("suite.txt"), suite).unwrap();
    fs::write(folder.path().join("tiny.el"), "0 1\n1 2\n2 3\n1 3\n").unwrap();
    folder
}

#[test]
fn a_model_is_measured_trained_evaluated_and_followed() {
    let folder = folder_with_suite(SUITE);
    let folder = folder.path();
    let measured = json_of(folder, MEASURE);
    assert_eq!((&measured["measured"], &measured["runs"]), (&14.into(), &14.into()));
    assert_eq!(measured["left_out"].as_array().unwrap().len(), 0);
    let candidates = measured["candidates"].as_array().unwrap();
    assert!(candidates.contains(&"virtual-warp+plane+16".into()), "{candidates:?}");

    // Candidates that the device cannot choose: the host synchronises with every level.
    let some = "--candidates node,decompose,virtual-warp+plane+16,edge-topology+cube";
    let train = &format!("train table.csv --device wgpu -o model.json --picture tree.svg {some}");
    let trained = json_of(folder, train);
    assert_eq!(trained["trained_on"].as_array().unwrap().len(), 4);
    assert_eq!(trained["held_out"].as_array().unwrap().len(), 3);
    assert!(fs::read_to_string(folder.join("tree.svg")).unwrap().contains("<svg"));
    let text = stdout_of(folder, train);
    for part in ["accuracy", "predicted", "oracle", "importance", "fastest at"] {
        assert!(text.contains(part), "{part}: {text}");
    }

    let judged = json_of(folder, "evaluate table.csv --model model.json");
    assert_eq!(judged["predicted"], trained["evaluation"]["predicted"]);
    assert_eq!(judged["single"].as_array().unwrap().len(), candidates.len());
    assert!(judged["oracle"]["average"].as_f64().unwrap() >= 1.0);
    let all = json_of(folder, "evaluate table.csv --model model.json --all");
    assert_eq!((&judged["graphs"], &all["graphs"]), (&3.into(), &7.into()));

    let explained = product::json_of(folder, "explain rmat:scale=6 --model model.json");
    let levels = explained["searches"][0]["levels"].as_array().unwrap();
    let search = product::json_of(folder, "bfs rmat:scale=6 --model model.json --device wgpu");
    assert_eq!(search["policy"], "model.json");
    let search = &search["searches"][0];
    assert_eq!(search["runs"]["verification"]["verdict"], "proved");
    let steps = search["trace"]["steps"].as_array().unwrap();
    assert_eq!(levels.len(), steps.len());
    for (level, step) in levels.iter().zip(steps) {
        let way = level["strategy"].as_str().unwrap().split('+').next().unwrap();
        assert_eq!(
            (way, &level["frontier"]),
            (step["strategy"].as_str().unwrap(), &step["frontier"])
        );
    }
    let text = product::stdout_of(folder, "explain rmat:scale=6 --model model.json");
    assert!(text.contains("\nlevel 0 gets `"), "{text}");

    let by_level = &format!("{train} --hold-out levels --plain --judge-by candidates --ensembles");
    let trained = json_of(folder, by_level);
    let [held_out, whole] = [&trained["evaluation"], &trained["all_runs"]];
    assert_eq!(held_out["single"].as_array().unwrap().len(), 4);
    assert_eq!(held_out["steps"], held_out["predicted"]["runs"]);
    assert_eq!(whole["predicted"]["runs"], 14);
    let shares = ["accuracy", "accuracy_with_ties"].map(|name| held_out[name].as_f64().unwrap());
    assert!(shares[0] <= shares[1] && shares[1] <= 1.0, "{shares:?}");
    let ensembles = trained["ensembles"].as_array().unwrap();
    assert_eq!((&ensembles[0]["name"], &ensembles[1]["trees"]), (&"tree".into(), &100.into()));
    let text = stdout_of(folder, by_level);
    for part in ["within 5 % of the fastest", "all whole runs", "forest", "questions"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let judged =
        json_of(folder, "evaluate table.csv --model model.json --all --judge-by candidates");
    assert_eq!(judged["predicted"], whole["predicted"]);

    stdout_of(folder, "train table.csv --candidates fused-push,fused-pull --refit -o fused.json");
    let search = product::json_of(folder, "bfs rmat:scale=6 --model fused.json --device wgpu");
    let search = &search["searches"][0];
    assert_eq!(search["runs"]["verification"]["verdict"], "proved");
    assert_eq!(search["trace"]["steps"][0]["strategy"], "learned");
}

#[test]
fn a_measurement_resumes() {
    let folder = folder_with_suite("a er er:n=20,m=40\nb er er:n=30,m=40\n");
    let folder = folder.path();
    stdout_of(folder, MEASURE);
    let table = folder.join("table.csv");
    let whole = fs::read_to_string(&table).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    // The last search lacks a line, and another is torn.
    let torn = lines[..lines.len() - 1].concat() + &lines[lines.len() - 1][..20];
    fs::write(&table, torn).unwrap();
    let output = run(folder, &format!("{MEASURE} --json"));
    let warning = String::from_utf8_lossy(&output.stderr);
    assert!(warning.contains("its last run was not finished: "), "{warning}");
    let again: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&again["measured"], &again["runs"]), (&1.into(), &4.into()));
    let nothing_left = json_of(folder, MEASURE);
    assert_eq!((&nothing_left["measured"], &nothing_left["runs"]), (&0.into(), &4.into()));
    let now = fs::read_to_string(&table).unwrap();
    assert_eq!(now.lines().count(), lines.len());
    let more =
        json_of(folder, &MEASURE.replace("--random-sources 2", "--random-sources 3 --graph a"));
    assert_eq!((&more["measured"], &more["runs"]), (&1.into(), &5.into()));
    fs::write(&table, "graph,family\n").unwrap();
    let error = failure_of(folder, MEASURE, 1);
    assert!(error.contains("table.csv:1: the columns should be"), "{error}");
}

/// Neither the name of a graph nor another device hides a different graph.
#[test]
fn a_measurement_does_not_resume_with_another_graph() {
    let folder = folder_with_suite("a er er:n=20,m=40\nb real tiny.el\n");
    let folder = folder.path();
    let measure = &MEASURE.replace("wgpu", "cpu --threads 1");
    stdout_of(folder, measure);
    let table = fs::read(folder.join("table.csv")).unwrap();
    let refused = |suite: &str, measure: &str, expected: &str| {
        fs::write(folder.join("suite.txt"), suite).unwrap();
        let error = failure_of(folder, measure, 1);
        assert!(error.contains(expected), "{suite}: {error}");
        assert_eq!(fs::read(folder.join("table.csv")).unwrap(), table);
    };
    let now = "graph `a` is er:n=20,m=40 on 1 thread in this table, and er:n=20,m=41";
    refused("a er er:n=20,m=41\n", measure, now);
    refused("a er er:n=20,m=40\n", &measure.replace("threads 1", "threads 2"), "on 2 threads now");
    refused("b real tiny.el undirected\n", measure, "bytes, undirected on 1 thread now");
    // Another spelling of the same graph is accepted.
    fs::write(folder.join("suite.txt"), "a er er:m=40,n=20\nb real tiny.el\n").unwrap();
    assert_eq!(json_of(folder, measure)["measured"], 0);
    fs::write(folder.join("tiny.el"), "0 1\n").unwrap();
    refused("b real tiny.el\n", measure, "graph `b` is tiny.el of 16 bytes on");
}

#[test]
fn candidates_beyond_memory_are_in_the_table() {
    let folder = folder_with_suite("a rmat rmat:scale=9,directed=true\n");
    let folder = folder.path();
    let info = product::json_of(folder, "info rmat:scale=9,directed=true --device wgpu");
    let needs = info["memory"]["strategies"].as_array().unwrap();
    let bytes = |name: &str| {
        let need = needs.iter().find(|need| need["strategy"] == name).unwrap();
        need["bfs_bytes"].as_u64().unwrap()
    };
    stdout_of(folder, &format!("{MEASURE} --memory-limit {}", bytes("edge") - 4));
    let table = fs::read_to_string(folder.join("table.csv")).unwrap();
    assert!(table.contains("the strategy `edge` needs"), "{table}");
    // Not even the graph fits.
    fs::remove_file(folder.join("table.csv")).unwrap();
    let output = run(folder, &format!("{MEASURE} --memory-limit 1000 --json"));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["runs"], &document["left_out"][0]["graph"]), (&0.into(), &"a".into()));
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning: a is left out: "));
}

#[test]
fn tables_that_cannot_be_learned_are_refused() {
    let folder = folder_with_suite("a er er:n=20,m=40\nb er err:n=30,m=40\n");
    let folder = folder.path();
    let error = failure_of(folder, MEASURE, 1);
    assert!(error.contains("suite.txt:2: ") && error.contains("did you mean `er`?"), "{error}");
    fs::write(folder.join("suite.txt"), "a er er:n=20,m=40\na er er:n=9,m=9\n").unwrap();
    assert!(failure_of(folder, MEASURE, 1).contains("suite.txt:2: another graph is named `a`"));
    fs::write(folder.join("suite.txt"), "a real nowhere.mtx\n").unwrap();
    let error = failure_of(folder, &format!("{MEASURE} --data ."), 1);
    assert!(error.contains("nowhere.mtx: no such file"), "{error}");
    fs::write(folder.join("suite.txt"), "a er er:n=20,m=40\n").unwrap();
    let error = failure_of(folder, &format!("{MEASURE} --graph b"), 2);
    assert!(error.contains("the suite has no such graph"), "{error}");
    let error = failure_of(folder, &format!("{MEASURE} --candidates node,nod"), 2);
    assert!(error.contains("unknown candidate `nod`") && error.contains("fused-push"), "{error}");
    let on_cpu = MEASURE.replace("wgpu", "cpu");
    let error = failure_of(folder, &format!("{on_cpu} --candidates push"), 2);
    assert!(error.contains("push and pull are both timed"), "{error}");
    let error = failure_of(folder, &MEASURE.replace("--repeat", "--repeats"), 2);
    assert!(error.contains("'--repeat'"), "{error}");

    stdout_of(folder, MEASURE);
    let error = failure_of(folder, "train table.csv -o model.json", 1);
    assert!(error.contains("too few"), "{error}");
    let error = failure_of(folder, "evaluate table.csv --model nowhere.json", 1);
    assert!(error.contains("nowhere.json"), "{error}");
    fs::write(folder.join("model.json"), "{}").unwrap();
    let error = failure_of(folder, "evaluate table.csv --model model.json", 1);
    assert!(error.contains("model.json: this is not a model"), "{error}");
}

#[test]
fn the_committed_suite_can_be_read() {
    let path = repository().join("suites/bfs.txt");
    let text = fs::read_to_string(path).unwrap();
    let words = |line: &str| line.split('#').next().unwrap().split_whitespace().count();
    assert!(text.lines().filter(|line| words(line) > 0).count() >= 60);
    // The error about a missing graph comes after all lines were parsed.
    let folder = folder_with_gpu();
    let generated: String = text
        .lines()
        .filter(|line| !line.contains(".mtx"))
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(folder.path().join("suite.txt"), generated).unwrap();
    let error = failure_of(folder.path(), &format!("{MEASURE} --graph none"), 2);
    assert!(error.contains("--graph none"), "{error}");
}

#[test]
fn the_cpu_learns_too() {
    let folder = folder_with_suite(SUITE);
    let folder = folder.path();
    let measured = json_of(folder, &MEASURE.replace("wgpu", "cpu"));
    assert_eq!(measured["candidates"], serde_json::json!(["push", "pull"]));
    stdout_of(folder, "train table.csv --device cpu -o model.json --features frontier,edges");
    let follow = "bfs rmat:scale=6 --model model.json --device cpu";
    assert_eq!(
        product::json_of(folder, follow)["searches"][0]["runs"]["verification"]["verdict"],
        "proved"
    );
    stdout_of(folder, "train table.csv --device wgpu -o other.json");
    let other = follow.replace("model.json", "other.json");
    let error = product::failure_of(folder, &other, 1);
    assert!(error.contains("for the device `gpu`, not for `cpu`"), "{error}");
}
