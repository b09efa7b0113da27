//! Every candidate at every level of breadth-first searches.

use equipoise::{
    LoadedGraph,
    bfs::{BfsOptions, Candidate},
    device::Device,
    traversal::{Strategy, TraversalSettings, level_steps},
};
use equipoise_lab::experiments::{MeasureOptions, measure_bfs};

use super::common::{device, generated, with_memory};

fn once() -> MeasureOptions {
    MeasureOptions { repeat: 1, ..MeasureOptions::default() }
}

#[test]
fn measuring_does_not_change_the_search() {
    for spec in ["rmat:scale=7", "grid:width=9,height=4", "er:n=200,m=700,directed=true"] {
        let graph = generated(spec);
        let device_graph = LoadedGraph::new(&device(), &graph).unwrap();
        let options = once();
        let measured = measure_bfs(&device_graph, 3, &options).unwrap();
        measured.search.verify(&graph, &BfsOptions::default()).unwrap();
        let steps: Vec<_> = measured.levels.iter().map(|level| level.step).collect();
        assert_eq!(steps, level_steps(&graph, &measured.search.levels), "{spec}");
        for (number, level) in measured.levels.iter().enumerate() {
            assert_eq!(level.level as usize, number);
            assert_eq!(level.times.len(), options.candidates.len());
            assert!(level.times.iter().all(|time| time.is_ok()));
        }
    }
}

#[test]
fn each_candidate_can_follow_itself_and_any_other() {
    let graph = generated("rmat:scale=6,directed=true");
    let device_graph = LoadedGraph::new(&device(), &graph).unwrap();
    let lists = ["node", "edge", "split", "fused-push", "fused-pull"]
        .map(|name| name.parse::<Candidate>().unwrap());
    for first in lists {
        // The only candidate with a finite time leaves its kind of list.
        let options = MeasureOptions { candidates: vec![first], ..once() };
        let measured = measure_bfs(&device_graph, 0, &options).unwrap();
        measured.search.verify(&graph, &BfsOptions::default()).unwrap();
        let ways = measured.search.trace.steps.iter().map(|step| step.strategy.as_ref());
        assert!(ways.eq(measured.levels.iter().map(|_| first.strategy.name())));
    }
}

#[test]
fn some_of_many_levels_are_measured() {
    let graph = generated("path:n=40");
    let device_graph = LoadedGraph::new(&device(), &graph).unwrap();
    let candidates = vec!["node".parse().unwrap(), "pull+cube".parse().unwrap()];
    let options = MeasureOptions { most_levels: Some(5), candidates, ..once() };
    let measured = measure_bfs(&device_graph, 0, &options).unwrap();
    measured.search.verify(&graph, &BfsOptions::default()).unwrap();
    let levels: Vec<u32> = measured.levels.iter().map(|level| level.level).collect();
    assert_eq!(levels, [0, 8, 16, 24, 32]);
    assert!(measured.levels.iter().all(|it| it.step.discovered == u64::from(it.level) + 1));
}

#[test]
fn candidates_beyond_memory_have_the_reason() {
    let graph = generated("rmat:scale=9,directed=true");
    let lists = Strategy::Node.bfs_bytes(&graph, &TraversalSettings::default()).unwrap();
    let open = with_memory(lists + 4 * u64::from(graph.vertices()) * 8);
    let device_graph = LoadedGraph::new(&open, &graph).unwrap();
    let measured = measure_bfs(&device_graph, 0, &once()).unwrap();
    measured.search.verify(&graph, &BfsOptions::default()).unwrap();
    let index_of =
        |strategy| once().candidates.iter().position(|it| it.strategy == strategy).unwrap();
    let (edge, node) = (index_of(Strategy::Edge), index_of(Strategy::Node));
    for level in &measured.levels {
        let reason = level.times[edge].as_ref().unwrap_err();
        assert!(reason.contains("the strategy `edge` needs"), "{reason}");
        assert!(level.times[node].is_ok(), "{:?}", level.times[node]);
    }
}

#[test]
fn impossible_measurements_are_refused() {
    let graph = generated("path:n=4");
    let on_cpu = LoadedGraph::new(&Device::Cpu.open().unwrap(), &graph).unwrap();
    let levels = measure_bfs(&on_cpu, 0, &once()).unwrap().levels;
    assert!(levels.len() == 4 && levels.iter().all(|level| level.times.len() == 2), "{levels:?}");
    let device_graph = LoadedGraph::new(&device(), &graph).unwrap();
    let error = |options| measure_bfs(&device_graph, 0, &options).unwrap_err().to_string();
    assert!(error(MeasureOptions { repeat: 0, ..once() }).contains("`repeat` is 0: 1 to 10000"));
    assert!(error(MeasureOptions { candidates: vec![], ..once() }).contains("no candidates"));
    assert!(measure_bfs(&device_graph, 4, &once()).unwrap_err().to_string().contains("vertex 4"));
    let unknown = "pull+warp".parse::<Candidate>().unwrap_err().to_string();
    assert!(unknown.contains("`pull+warp`") && unknown.contains("`pull+plane`"), "{unknown}");
}
