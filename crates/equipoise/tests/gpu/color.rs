//! Coloring on a GPU: strategies, schedules, queues and stealing.

use equipoise::{
    color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring, color},
    graph::Graph,
};
use equipoise_schedule::ScheduleName;
use proptest::prelude::*;

use crate::{
    common::{color_on, device},
    graphs::{generated, graph},
};

const STRATEGIES: [ColorStrategy; 5] = [
    ColorStrategy::JonesPlassmann,
    ColorStrategy::MinMax,
    ColorStrategy::Hybrid,
    ColorStrategy::MultiHash,
    ColorStrategy::Speculative,
];

fn by(strategy: ColorStrategy) -> ColorOptions {
    ColorOptions { strategy, ..ColorOptions::default() }
}

fn verified(graph: &Graph, options: &ColorOptions) -> Coloring {
    let coloring = color_on(&device(), graph, options).unwrap();
    coloring.verify(graph).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    coloring
}

/// Colors on both devices, and compares colors and steps.
fn compared(graph: &Graph, options: &ColorOptions) -> Coloring {
    let on_gpu = verified(graph, options);
    let on_cpu = color(graph, options).unwrap();
    assert_eq!(on_gpu.colors, on_cpu.colors, "{options:?}");
    assert_eq!((on_gpu.count, on_gpu.strategy), (on_cpu.count, on_cpu.strategy));
    let steps = |coloring: &Coloring| -> Vec<_> {
        let done = coloring.trace.steps.iter().filter(|step| step.found > 0);
        done.map(|step| (step.strategy.to_string(), step.frontier, step.found)).collect()
    };
    assert_eq!(steps(&on_gpu), steps(&on_cpu), "{options:?}");
    on_gpu
}

fn shapes() -> Vec<Graph> {
    [
        "isolated:n=1",
        "isolated:n=300",
        "path:n=700",
        "cycle:n=257",
        "star:n=3000",
        "complete:n=90",
        "grid:width=40,height=31",
        "rmat:scale=9",
        "rmat:scale=8,edge-factor=40",
        "er:n=1000,m=16000",
        "er:n=500,m=2000,directed=true",
        "components:n=200",
    ]
    .map(generated)
    .into()
}

#[test]
fn every_strategy_colors_as_on_the_cpu() {
    for graph in shapes() {
        for strategy in STRATEGIES {
            compared(&graph, &by(strategy));
        }
        assert_eq!(verified(&graph, &by(ColorStrategy::Auto)).strategy, ColorStrategy::Speculative);
    }
    let nobody =
        color_on(&device(), &generated("isolated:n=0"), &by(ColorStrategy::Hybrid)).unwrap();
    assert_eq!((nobody.count, nobody.colors.len()), (0, 0));
    for strategy in STRATEGIES {
        assert_eq!(verified(&generated("isolated:n=0"), &by(strategy)).count, 0);
    }
}

#[test]
fn more_colors_than_a_word_or_a_window_has() {
    // All vertices are neighbours; at last more than the 512 colors of a window.
    for vertices in [33, 65, 530] {
        let complete = generated(&format!("complete:n={vertices}"));
        let coloring = verified(&complete, &by(ColorStrategy::Speculative));
        assert_eq!(coloring.count, vertices);
    }
    let passes = ColorOptions { passes: Some(3), ..by(ColorStrategy::Speculative) };
    compared(&generated("rmat:scale=8,edge-factor=100"), &passes);
    compared(&generated("complete:n=70"), &passes);
}

#[test]
fn every_schedule_finds_the_same_colors() {
    let graph = generated("rmat:scale=9");
    for &schedule in ScheduleName::ALL {
        for strategy in &STRATEGIES[..4] {
            let strategy = *strategy;
            compared(&graph, &ColorOptions { schedule: Some(schedule), ..by(strategy) });
        }
    }
}

#[test]
fn every_switch_rule_switches_like_the_cpu() {
    let graph = generated("rmat:scale=9");
    for rule in ["stall", "after=0", "after=1", "after=3", "below=20", "colored=0.3"] {
        let switch: ColorSwitch = rule.parse().unwrap();
        compared(&graph, &ColorOptions { switch, ..by(ColorStrategy::Hybrid) });
    }
    // The rule depends on the device: results are verified, not compared.
    let options = ColorOptions { switch: ColorSwitch::BelowDevice, ..by(ColorStrategy::Hybrid) };
    verified(&graph, &options);
}

#[test]
fn queues_hold_all_work_and_stealing_takes_it() {
    let graph = generated("rmat:scale=12");
    let expected = color(&graph, &by(ColorStrategy::JonesPlassmann)).unwrap();
    for (queues, no_steal) in [(Some(1), false), (Some(4), false), (Some(4), true), (None, false)] {
        let options = ColorOptions { queues, no_steal, ..by(ColorStrategy::WorkStealing) };
        let coloring = verified(&graph, &options);
        assert_eq!(coloring.colors, expected.colors);
        let used = coloring.queues.unwrap();
        // 4096 vertices are 16 blocks per iteration.
        let blocks: u64 = used.consumed.iter().sum();
        assert_eq!(blocks % 16, 0);
        assert!(blocks >= 16 * expected.trace.steps.len() as u64);
        assert_eq!(queues.unwrap_or(used.consumed.len() as u32), used.consumed.len() as u32);
        if no_steal {
            let total = used.total();
            assert_eq!((total.stolen, total.max, total.deviation), (0, total.min, 0.0));
        }
    }
    // The first of many queues has all vertices: other cubes may steal.
    let options = ColorOptions { queues: Some(64), ..by(ColorStrategy::WorkStealing) };
    let used = verified(&generated("star:n=200"), &options).queues.unwrap();
    assert_eq!(used.consumed.len(), 64);
}

#[test]
fn elements_are_counted_pass_by_pass() {
    let graph = generated("rmat:scale=12");
    for (group, elements) in [(64, 64), (256, 16)] {
        let options =
            ColorOptions { queues: Some(4), cube_size: group, ..by(ColorStrategy::WorkStealing) };
        let coloring = verified(&graph, &options);
        let used = coloring.queues.unwrap();
        assert_eq!(used.passes.len(), coloring.trace.steps.len());
        // Every pass visits all vertices, and the passes add up to the totals.
        assert!(used.passes.iter().all(|pass| (pass.mean * 4.0) as u64 == elements));
        assert!(used.consumed.iter().sum::<u64>() >= elements * used.passes.len() as u64);
        assert!(used.stolen >= used.passes.iter().map(|pass| pass.stolen).sum());
        assert_eq!(used.stolen_within, 0);
    }
    let too_large = ColorOptions { cube_size: 1025, ..by(ColorStrategy::WorkStealing) };
    assert!(color_on(&device(), &graph, &too_large).is_err());
}

#[test]
fn units_of_a_cube_steal_from_each_other() {
    let expected = |graph: &Graph| color(graph, &by(ColorStrategy::JonesPlassmann)).unwrap().colors;
    let mut stolen = 0;
    // Few edges, because on a software device one plane may take all of them within its limit of iterations.
    let graphs = ["rmat:scale=12,edge-factor=3", "star:n=3000", "path:n=700", "isolated:n=1"];
    for spec in graphs {
        let graph = generated(spec);
        for (group, no_steal) in [(1, false), (64, false), (64, true), (256, false)] {
            let by = by(ColorStrategy::WorkStealing);
            let options = ColorOptions {
                queues: Some(4),
                cube_size: group,
                no_steal,
                steal_within: true,
                ..by
            };
            let coloring = verified(&graph, &options);
            assert_eq!(coloring.colors, expected(&graph), "{spec}, {options:?}");
            let used = coloring.queues.unwrap();
            assert_eq!(used.stolen_within * u64::from(group == 1), 0);
            stolen += used.stolen_within;
        }
    }
    assert!(stolen > 0);
    let graph = generated("rmat:scale=9");
    let hybrid = by(ColorStrategy::Hybrid);
    let options = ColorOptions { steal: true, steal_within: true, cube_size: 64, ..hybrid.clone() };
    assert_eq!(verified(&graph, &options).colors, color(&graph, &hybrid).unwrap().colors);
}

#[test]
fn hybrid_steals_too() {
    let graph = generated("rmat:scale=9");
    let steal = ColorOptions { steal: true, queues: Some(8), ..by(ColorStrategy::Hybrid) };
    let coloring = verified(&graph, &steal);
    assert_eq!(coloring.colors, color(&graph, &by(ColorStrategy::Hybrid)).unwrap().colors);
    assert_eq!(coloring.queues.unwrap().consumed.len(), 8);
}

#[test]
fn strategies_of_the_cpu_are_refused() {
    let graph = generated("path:n=5");
    for strategy in [ColorStrategy::Greedy, ColorStrategy::LargestDegreeFirst] {
        let message = color_on(&device(), &graph, &by(strategy)).unwrap_err().to_string();
        assert!(message.contains(strategy.name()) && message.contains("cpu"), "{message}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_graph_is_colored_as_on_the_cpu(
        edges in prop::collection::vec((0..60u32, 0..60u32), 0..400),
        undirected: bool,
        seed: u64,
        hashes in 1..6u32,
    ) {
        let graph = graph(60, edges, undirected);
        for strategy in STRATEGIES {
            compared(&graph, &ColorOptions { seed, hashes, ..by(strategy) });
        }
    }
}
