//! Steps can be held out instead of graphs.

use std::collections::BTreeSet;

use equipoise_lab::learn::{HoldOut, Options, Schema, Table, evaluate, fit, train};

use super::tables::{random, run_of, table_of_steps};

/// The best candidate depends only on the graph, which a feature numbers in random order.
fn by_graph() -> Table {
    table_of_steps(Schema::new(&["graph"], &["a", "b"]), 40, 10, |graph, _| {
        let times = if random(graph) < 0.5 { [1.0, 2.0] } else { [2.0, 1.0] };
        (vec![random(graph + 1000) as f32], times.map(Some).to_vec())
    })
}

fn plain(hold_out: HoldOut) -> Options {
    Options { hold_out, ..Options::new("bfs", "cpu") }.plain()
}

#[test]
fn a_graph_is_known_by_its_other_steps() {
    let by_step = train(&by_graph(), &plain(HoldOut::Steps)).unwrap();
    let by_graph = train(&by_graph(), &plain(HoldOut::Graphs)).unwrap();
    assert_eq!(by_step.held_out.accuracy, 1.0);
    assert!(by_graph.held_out.accuracy < 0.8, "{}", by_graph.held_out.accuracy);
}

#[test]
fn steps_are_on_one_side_each_and_count_as_runs() {
    let table = by_graph();
    let training = train(&table, &plain(HoldOut::Steps)).unwrap();
    let names: BTreeSet<String> =
        table.by_step().runs().iter().map(|run| run.graph.clone()).collect();
    let (trained, held_out) = (&training.split.training, &training.split.held_out);
    assert_eq!((trained.len(), held_out.len()), (560, 240));
    assert!(trained.is_disjoint(held_out));
    assert_eq!(trained.union(held_out).cloned().collect::<BTreeSet<_>>(), names);
    assert_eq!((training.held_out.steps, training.held_out.predicted.runs), (240, 240));
    // `evaluate` uses the graphs in the model and evaluates whole runs.
    assert_eq!(training.fit.model.description().trained_on.len(), 40);
    assert_eq!(evaluate(&training.fit.model, &table).unwrap().predicted.runs, 80);
    let refitted = fit(&table, &plain(HoldOut::Steps)).unwrap();
    assert_eq!(refitted.model.description().trained_on.len(), 40);
}

#[test]
fn too_few_steps_are_an_error() {
    let run = run_of("g", &[[Some(1.0), Some(2.0)]; 2]);
    let table = Table::new(Schema::new(&["f"], &["a", "b"]), vec![run]).unwrap();
    let error = train(&table, &plain(HoldOut::Steps)).unwrap_err().to_string();
    assert_eq!(error, "1 steps are too few to train on: at least 2 are needed");
}
