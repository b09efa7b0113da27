//! Steps can be held out in place of graphs.

use std::collections::BTreeSet;

use equipoise_lab::learn::{HoldOut, Options, Schema, Table, evaluate, fit, train};

use super::tables::{made, random, run_of};

/// What is best depends on the graph and on nothing else, which one feature numbers in no order.
fn of_graphs() -> Table {
    made(Schema::new(&["graph"], &["a", "b"]), 40, 10, |graph, _| {
        let times = if random(graph) < 0.5 { [1.0, 2.0] } else { [2.0, 1.0] };
        (vec![random(graph + 1000) as f32], times.map(Some).to_vec())
    })
}

fn plain(hold_out: HoldOut) -> Options {
    Options { hold_out, ..Options::new("bfs", "cpu") }.plain()
}

#[test]
fn a_graph_is_known_by_its_other_steps() {
    let by_step = train(&of_graphs(), &plain(HoldOut::Steps)).unwrap();
    let by_graph = train(&of_graphs(), &plain(HoldOut::Graphs)).unwrap();
    assert_eq!(by_step.held_out.accuracy, 1.0);
    assert!(by_graph.held_out.accuracy < 0.8, "{}", by_graph.held_out.accuracy);
}

#[test]
fn steps_are_on_one_side_each_and_count_as_runs() {
    let table = of_graphs();
    let training = train(&table, &plain(HoldOut::Steps)).unwrap();
    let names: BTreeSet<String> =
        table.by_step().runs().iter().map(|run| run.graph.clone()).collect();
    let (trained, held_out) = (&training.split.training, &training.split.held_out);
    assert_eq!((trained.len(), held_out.len()), (560, 240));
    assert!(trained.is_disjoint(held_out));
    assert_eq!(trained.union(held_out).cloned().collect::<BTreeSet<_>>(), names);
    assert_eq!((training.held_out.steps, training.held_out.predicted.runs), (240, 240));
    // The model names graphs, which `evaluate` goes by, and judges whole runs.
    assert_eq!(training.fit.model.description().trained_on.len(), 40);
    assert_eq!(evaluate(&training.fit.model, &table).unwrap().predicted.runs, 80);
    let refitted = fit(&table, &plain(HoldOut::Steps)).unwrap();
    assert_eq!(refitted.model.description().trained_on.len(), 40);
}

#[test]
fn too_few_steps_are_called_so() {
    let run = run_of("g", &[[Some(1.0), Some(2.0)]; 2]);
    let table = Table::new(Schema::new(&["f"], &["a", "b"]), vec![run]).unwrap();
    let error = train(&table, &plain(HoldOut::Steps)).unwrap_err().to_string();
    assert_eq!(error, "1 steps are too few to train on: at least 2 are needed");
}
