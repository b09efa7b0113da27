//! Searches that stop early say so, and report only final results.

use equipoise::{
    LoadedGraph, NONE,
    bfs::{BfsOptions, BfsSearch},
    device::OpenDevice,
    sssp::{SsspOptions, SsspSearch},
};

use crate::{
    common::*,
    graphs::{generated, graph},
};

#[test]
fn reported_results_are_final_on_every_device() {
    for graph in [
        generated("er:n=60,m=120,weights=1..9"),
        generated_in_32_bits("er:n=60,m=120,weights=0.5..9.5"),
    ] {
        let all = equipoise::sssp::sssp(&graph, 0, &SsspOptions::default()).unwrap();
        let levels = equipoise::bfs::bfs(&graph, 0, &BfsOptions::default()).unwrap().levels;
        assert!(all.complete && all.settled_up_to().is_none());
        for device in [device(), OpenDevice::Cpu] {
            let loaded = LoadedGraph::new(&device, &graph).unwrap();
            for target in (0..60).step_by(7) {
                let options = SsspOptions { target: Some(target), ..SsspOptions::default() };
                let paths = loaded.sssp(0, &options).and_then(SsspSearch::download).unwrap();
                paths.verify(&graph, &options).unwrap();
                let last = all.distances.get(target as usize);
                for vertex in 0..60 {
                    let [reported, exact] =
                        [&paths, &all].map(|paths| paths.distances.get(vertex as usize));
                    if paths.is_settled(vertex) {
                        assert_eq!(reported, exact);
                    } else {
                        assert!(reported.is_none() && (exact.is_none() || exact > last));
                    }
                }
                assert_eq!(paths.complete, paths.reached == all.reached);
                if !paths.complete {
                    assert_eq!(paths.settled_up_to(), last);
                }

                let options = BfsOptions { target: Some(target), ..BfsOptions::default() };
                let search = loaded.bfs(0, &options).and_then(BfsSearch::download).unwrap();
                search.verify(&graph, &options).unwrap();
                for vertex in (0..60).filter(|&vertex| search.is_settled(vertex)) {
                    assert_eq!(search.levels[vertex as usize], levels[vertex as usize]);
                }
                assert_eq!(search.complete, search.levels == levels);
            }
        }
    }
}

#[test]
fn every_strategy_reports_whether_it_is_complete() {
    let graph = directed(6, vec![(0, 1, 1u32), (1, 2, 1), (2, 3, 1), (0, 4, 9)]);
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    for strategy in sssp_strategies() {
        for (target, complete) in [(None, true), (Some(2), false), (Some(4), true), (Some(5), true)]
        {
            let options = SsspOptions { strategy, target, ..SsspOptions::default() };
            let paths = loaded.sssp(0, &options).and_then(SsspSearch::download).unwrap();
            paths.verify(&graph, &options).unwrap();
            assert_eq!(paths.complete, complete, "{strategy} {target:?}");
            assert_eq!(paths.is_settled(3), target != Some(2), "{strategy} {target:?}");
        }
    }
    for strategy in bfs_strategies() {
        for (max_depth, complete) in [(None, true), (Some(1), false), (Some(3), true)] {
            let options = BfsOptions { strategy, max_depth, ..BfsOptions::default() };
            let search = loaded.bfs(0, &options).and_then(BfsSearch::download).unwrap();
            search.verify(&graph, &options).unwrap();
            assert_eq!(search.complete, complete, "{strategy} {max_depth:?}");
        }
    }
    let options = BfsOptions { max_depth: Some(1), ..BfsOptions::default() };
    let searches = loaded.bfs_batch(&[0, 2], &options).unwrap();
    assert_eq!([searches[0].complete, searches[1].complete], [false, true]);
    assert_eq!(searches[0].levels[3], NONE);
}

#[test]
fn a_target_that_cannot_be_reached_stops_nothing() {
    let graph = graph(4, vec![(0, 1), (1, 2)], false);
    for device in [device(), OpenDevice::Cpu] {
        let loaded = LoadedGraph::new(&device, &graph).unwrap();
        let options = BfsOptions { target: Some(3), ..BfsOptions::default() };
        let search = loaded.bfs(0, &options).and_then(BfsSearch::download).unwrap();
        assert!(search.complete && search.is_settled(3) && search.levels[3] == NONE);
        let options = SsspOptions { target: Some(3), ..SsspOptions::default() };
        let paths = loaded.sssp(0, &options).and_then(SsspSearch::download).unwrap();
        assert!(paths.complete && paths.is_settled(3) && paths.distances.get(3).is_none());
    }
}
