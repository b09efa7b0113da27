//! Extreme numbers in options, and what only some algorithms have.

use equipoise::{
    Error,
    bfs::{BfsOptions, bfs},
    color::{ColorOptions, ColorSwitch, color},
    device::OpenDevice,
    sssp::{SsspOptions, sssp},
    traversal::{IterationPlan, Strategy, TraversalSettings},
};

use crate::{
    graphs::generated,
    sweep::{algorithms_end_well, ends_well, products_end_well},
};

const TINY: &str = "er:n=30,m=90,weights=1..9";

/// Numbers that JSON cannot have, and rules in strings.
#[test]
fn numbers_outside_of_json() {
    let graph = generated(TINY);
    for delta in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        let strategy = Strategy::Delta;
        let options = SsspOptions { strategy, delta: Some(delta), ..SsspOptions::default() };
        let run = || sssp(&graph, 0, &options)?.verify(&graph, &options);
        assert!(!ends_well(delta, run), "a delta of {delta}");
    }
    let colored = |switch| {
        let options = ColorOptions { switch, ..ColorOptions::default() };
        color(&graph, &options)?.verify(&graph)
    };
    for share in [f64::NAN, f64::INFINITY, -1.0, 1.5] {
        let run = || colored(ColorSwitch::Colored(share));
        assert!(!ends_well(share, run), "a share of {share}");
    }
    for rule in ["after=0", "after=4294967295", "below=0", "below=18446744073709551615"] {
        ends_well(rule, || colored(rule.parse().unwrap()));
    }
}

#[test]
fn every_number_gives_a_verified_result_or_an_error() {
    for spec in [TINY, "star:n=20,weights=0.5..9.5", "isolated:n=1"] {
        algorithms_end_well(&OpenDevice::Cpu, &generated(spec));
    }
}

#[test]
fn products() {
    products_end_well(&OpenDevice::Cpu);
}

#[test]
fn an_error_names_the_option_and_its_range() {
    let graph = &generated(TINY);
    let bins = |bins| TraversalSettings { bins, ..TraversalSettings::default() };
    let error = bfs(graph, 0, &BfsOptions { gpu: bins(0), ..BfsOptions::default() }).unwrap_err();
    assert!(matches!(error, Error::Option(_)));
    assert_eq!(error.to_string(), "`bins` is 0: 1 to 65536 are possible");
    // The memory of a search can be computed from options that the search refuses.
    for bins in [bins(0), bins(u32::MAX)] {
        assert!(bins.most_edges(graph) >= 1);
        assert!(Strategy::Split.bfs_bytes(graph, &bins) > Some(0));
    }
    let no_degree = TraversalSettings { mdt: Some(0), ..TraversalSettings::default() };
    assert!(Strategy::Split.bfs_bytes(graph, &no_degree) > Some(0));
}

#[test]
fn json_that_is_no_plan_is_refused() {
    let plan: IterationPlan = "0 node\n3 pull\n".parse().unwrap();
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<IterationPlan>(&json).unwrap(), plan);
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
