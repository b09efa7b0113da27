//! Every number of every option, on the cpu: a verified result or an error, and soon.
#![cfg(feature = "serde")]

#[path = "../support/sweep.rs"]
mod sweep;

use equipoise::{
    Error,
    apsp::{ApspOptions, ApspStrategy, apsp},
    bfs::{BfsOptions, bfs},
    color::{ColorOptions, ColorStrategy, ColorSwitch, color},
    graph::{Graph, Matrix, io::ReadOptions, load},
    sparse::{Dense, SparseOptions, SparseSchedule, spgemm, spmm, spmv},
    sssp::{SsspOptions, sssp},
    traversal::{IterationPlan, Strategy, TraversalSettings},
};
use sweep::{ends_well, swept};

fn graphs() -> [Graph; 3] {
    ["er:n=30,m=90,weights=1..9", "star:n=20,weights=0.5..9.5", "isolated:n=1"]
        .map(|spec| load(spec, &ReadOptions::default()).unwrap())
}

#[test]
fn searches() {
    for graph in graphs() {
        for strategy in [Strategy::Auto, Strategy::DirectionOptimising, Strategy::Node] {
            for (what, options) in swept(&BfsOptions { strategy, ..BfsOptions::default() }) {
                ends_well(what, || bfs(&graph, 0, &options)?.verify(&graph, &options));
            }
        }
        for strategy in [Strategy::Auto, Strategy::Delta, Strategy::Dijkstra] {
            let base = SsspOptions { strategy, ..SsspOptions::default() };
            let run = |options: &SsspOptions| sssp(&graph, 0, options)?.verify(&graph, options);
            for (what, options) in swept(&base) {
                ends_well(what, || run(&options));
            }
            for delta in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
                let options = SsspOptions { delta: Some(delta), ..base.clone() };
                assert!(!ends_well(delta, || run(&options)), "a delta of {delta}");
            }
        }
    }
}

#[test]
fn all_pairs_and_colors() {
    for graph in graphs() {
        for &strategy in ApspStrategy::ALL {
            for (what, options) in swept(&ApspOptions { strategy, ..ApspOptions::default() }) {
                ends_well(what, || apsp(&graph, &options)?.verify(&graph));
            }
        }
        for &strategy in ColorStrategy::ALL {
            let base = ColorOptions { strategy, ..ColorOptions::default() };
            for (what, options) in swept(&base) {
                ends_well(what, || color(&graph, &options)?.verify(&graph));
            }
            for share in [f64::NAN, f64::INFINITY, -1.0, 1.5] {
                let options = ColorOptions { switch: ColorSwitch::Colored(share), ..base.clone() };
                let run = || color(&graph, &options)?.verify(&graph);
                assert!(!ends_well(share, run), "a share of {share}");
            }
            for switch in ["after=0", "after=4294967295", "below=0", "below=18446744073709551615"] {
                let options = ColorOptions { switch: switch.parse().unwrap(), ..base.clone() };
                ends_well(switch, || color(&graph, &options)?.verify(&graph));
            }
        }
    }
}

#[test]
fn products() {
    let entries: Vec<_> = (0..40u32).map(|e| (e * 7 % 12, e * e % 12, e as f32)).collect();
    let matrix = Matrix::from_entries(12, 12, &entries).unwrap();
    let (x, dense) = (vec![1.0; 12], Dense::new(12, 2, vec![1.0; 24]).unwrap());
    for &schedule in SparseSchedule::ALL {
        for (what, options) in swept(&SparseOptions { schedule, ..SparseOptions::default() }) {
            ends_well(&what, || spmv(&matrix, &x, &options)?.verify(&matrix, &x));
            ends_well(&what, || spmm(&matrix, &dense, &options)?.verify(&matrix, &dense));
            ends_well(&what, || spgemm(&matrix, &matrix, &options)?.verify(&matrix, &matrix));
        }
    }
}

#[test]
fn an_error_names_the_option_and_its_range() {
    let graph = &graphs()[0];
    let bins = |bins| TraversalSettings { bins, ..TraversalSettings::default() };
    let error = bfs(graph, 0, &BfsOptions { gpu: bins(0), ..BfsOptions::default() }).unwrap_err();
    assert!(matches!(error, Error::Option(_)));
    assert_eq!(error.to_string(), "`bins` is 0: 1 to 65536 are possible");
    // What memory a search would take can be asked before it is refused.
    for bins in [bins(0), bins(u32::MAX)] {
        assert!(bins.most_edges(graph) >= 1);
        assert!(Strategy::Split.bfs_bytes(graph, &bins) > Some(0));
    }
    let none = TraversalSettings { mdt: Some(0), ..TraversalSettings::default() };
    assert!(Strategy::Split.bfs_bytes(graph, &none) > Some(0));
}

#[test]
fn only_a_plan_is_read_as_one() {
    let plan: IterationPlan = "0 node\n3 pull\n".parse().unwrap();
    let written = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<IterationPlan>(&written).unwrap(), plan);
    for (wrong, reason) in [
        (r#"{"steps":[]}"#, "a plan needs a strategy for iteration 0"),
        (r#"{"steps":[[1,"node"]]}"#, "a plan starts at iteration 0, this one at iteration 1"),
        (r#"{"steps":[[0,"node"],[0,"pull"]]}"#, "the iterations of a plan ascend"),
        (r#"{"steps":[[0,"node"],[4,"pull"],[2,"node"]]}"#, "the iterations of a plan ascend"),
    ] {
        let error = serde_json::from_str::<IterationPlan>(wrong).unwrap_err().to_string();
        assert!(error.contains(reason), "{wrong}: {error}");
    }
}
