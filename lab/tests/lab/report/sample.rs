//! Invented results for tests: nothing was measured.

use equipoise_lab::report::data::*;

pub const TITLE: &str = "Sample data: made up for a test, not measured";

/// Pseudo-random numbers.
struct Noise(u64);

impl Noise {
    /// A number from 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A factor from 1 / `most` to `most`.
    fn factor(&mut self, most: f64) -> f64 {
        most.powf(self.next() * 2.0 - 1.0)
    }
}

struct SampleGraph {
    name: &'static str,
    vertices: u64,
    edges: u64,
    /// The unevenness of its degrees, from 0 to 1.
    skew: f64,
    levels: u32,
}

const GRAPHS: [SampleGraph; 6] = [
    SampleGraph { name: "rmat20", vertices: 1 << 20, edges: 8_260_000, skew: 0.9, levels: 8 },
    SampleGraph { name: "road-FLA", vertices: 1_070_376, edges: 2_712_798, skew: 0.0, levels: 30 },
    SampleGraph {
        name: "road-USA",
        vertices: 23_947_347,
        edges: 57_708_624,
        skew: 0.0,
        levels: 40,
    },
    SampleGraph { name: "er20", vertices: 1 << 20, edges: 4_190_000, skew: 0.2, levels: 12 },
    SampleGraph { name: "er23", vertices: 1 << 23, edges: 33_550_000, skew: 0.2, levels: 14 },
    SampleGraph { name: "graph500", vertices: 1 << 24, edges: 335_000_000, skew: 1.0, levels: 7 },
];

const STRATEGIES: [&str; 14] = [
    "node",
    "topology",
    "pull",
    "edge",
    "edge-topology",
    "edge-reverse",
    "virtual-warp",
    "decompose",
    "split",
    "hierarchy",
    "scan",
    "merge-path",
    "binned",
    "direction-optimising",
];

const SCHEDULES: [&str; 7] = [
    "thread-mapped",
    "plane-mapped",
    "cube-mapped",
    "group-mapped",
    "merge-path",
    "nonzero-split",
    "binned",
];

/// All sections.
pub fn everything() -> Results {
    let mut results = Results::new(TITLE, "2026-11-15 12:00 UTC");
    results.fact("machine", "none: sample data");
    results.fact("GPU", "Example GPU, 80 GiB");
    results.fact("cpu", "Example CPU, 16 cores");
    results.fact("driver", "1.2.3");
    results.fact("runs", "the median of 5, after a warm-up");
    let noise = &mut Noise(7);
    add_searches(&mut results, noise);
    add_splitting(&mut results, noise);
    add_spmv(&mut results, noise);
    add_levels(&mut results, noise);
    add_coloring(&mut results, noise);
    add_iterations(&mut results, noise);
    add_basics(&mut results, noise);
    results
}

fn add_searches(results: &mut Results, noise: &mut Noise) {
    for (algorithm, weight) in [("bfs", 1.0), ("sssp", 6.0)] {
        for graph in &GRAPHS {
            for (index, strategy) in STRATEGIES.into_iter().enumerate() {
                if algorithm == "sssp" && matches!(strategy, "pull" | "direction-optimising") {
                    continue;
                }
                if graph.name == "graph500" && strategy.starts_with("edge") {
                    let (algorithm, graph) = (algorithm.into(), graph.name.into());
                    let reason = "needs 93 GiB".into();
                    results.refusals.push(Refusal {
                        algorithm,
                        graph,
                        strategy: strategy.into(),
                        reason,
                    });
                    continue;
                }
                let slow = if index < 3 { 1.0 + 30.0 * graph.skew } else { 1.0 };
                let work = graph.edges as f64 * 4e-11 * weight * slow * noise.factor(1.8);
                results.searches.push(SearchTime {
                    algorithm: algorithm.into(),
                    graph: graph.name.into(),
                    strategy: strategy.into(),
                    kernel_seconds: work,
                    overhead_seconds: f64::from(graph.levels) * 3e-5 * noise.factor(2.0),
                    prepare_seconds: if strategy == "split" { work * 0.7 } else { 0.0 },
                    device_bytes: Some(
                        graph.edges * (4 + 4 * (index as u64 % 3)) + graph.vertices * 8,
                    ),
                    lines_of_code: Some(40 + 13 * (index as u32 * 5 % 11)),
                });
            }
        }
    }
}

/// One result of each kind, with a time of zero and markup in names.
pub fn extreme() -> Results {
    let mut results = everything();
    let name = "<b>\"a' & b</b> with a name that is as long as names of files can become";
    macro_rules! keep_one {
        ($($list:ident $($field:ident)*),*) => { $(
            results.$list.truncate(1);
            $( for one in &mut results.$list { one.$field = name.into(); } )*
        )* };
    }
    keep_one!(searches graph strategy, refusals graph, splits graph, chunking graph, spmv matrix schedule);
    keep_one!(spmv_references input library, levels graph strategy, bfs_references input library);
    keep_one!(coloring graph strategy, stealing graph, degrees graph, active_degrees graph strategy);
    keep_one!(switch_points graph, colored graph strategy, three_bfs graph method);
    keep_one!(sssp_speedups graph, coarsening graph, apsp graph method, whole_graphs graph method);
    results.searches[0].algorithm = "../'odd\"".into();
    results.searches[0].kernel_seconds = 0.0;
    results.searches[0].overhead_seconds = 0.0;
    results.coloring[0].seconds = 0.0;
    results.levels[0].seconds = 0.0;
    results.splits[0].after.clear();
    results.degrees[0].counts.clear();
    results
}

/// Degrees of a power law, or of a narrow peak.
fn degrees(graph: &SampleGraph, noise: &mut Noise, most: u64) -> Vec<DegreeCount> {
    let count = |degree: u64| {
        let share = if graph.skew > 0.5 {
            (degree.max(1) as f64).powf(-1.9)
        } else {
            (-(degree as f64 - 3.0).powi(2) / 2.0).exp()
        };
        (graph.vertices as f64 * 0.5 * share * noise.factor(1.3)) as u64
    };
    let degrees: Vec<u64> = (0..most.min(60)).chain((60..most).step_by(17)).collect();
    let vertices: Vec<u64> = degrees.iter().copied().map(count).collect();
    let counts = degrees.into_iter().zip(vertices);
    counts
        .map(|(degree, vertices)| DegreeCount { degree, vertices })
        .filter(|count| count.vertices > 0)
        .collect()
}

fn add_splitting(results: &mut Results, noise: &mut Noise) {
    for graph in &GRAPHS {
        let mdt = if graph.skew > 0.5 { 118 } else { 4 };
        let before = degrees(graph, noise, 1181);
        let mut after: Vec<DegreeCount> =
            before.iter().copied().filter(|count| count.degree <= mdt).collect();
        after.iter_mut().for_each(|count| count.vertices += count.vertices / 50);
        results.splits.push(Split { graph: graph.name.into(), mdt, before, after });
        for algorithm in ["bfs", "sssp"] {
            results.chunking.push(Chunking {
                algorithm: algorithm.into(),
                graph: graph.name.into(),
                plain_seconds: 0.01 * noise.factor(1.5),
                chunked_seconds: 0.006 * noise.factor(1.3),
            });
        }
    }
}

fn add_spmv(results: &mut Results, noise: &mut Noise) {
    for index in 0..120 {
        let matrix = format!("sample-matrix-{index}");
        let nonzeros = 10f64.powf(2.0 + 6.0 * f64::from(index) / 119.0) as u64;
        let rows = (nonzeros / 6).max(10);
        for (index, schedule) in SCHEDULES.into_iter().enumerate() {
            let slow = if index == 0 { noise.factor(6.0).max(1.0) } else { noise.factor(1.6) };
            results.spmv.push(SpmvTime {
                matrix: matrix.clone(),
                rows,
                columns: rows,
                nonzeros,
                schedule: schedule.into(),
                seconds: (4e-6 + nonzeros as f64 * 3.2e-12) * slow,
                chosen: schedule == "merge-path",
            });
        }
        for (library, cost) in [("cuSPARSE", 2.0), ("CUB", 1.1)] {
            results.spmv_references.push(Reference {
                library: library.into(),
                input: matrix.clone(),
                seconds: (5e-6 + nonzeros as f64 * 3.2e-12) * cost * noise.factor(1.5),
            });
        }
    }
}

/// A candidate of a level: a strategy, one of them with two settings.
fn candidate(index: usize) -> String {
    match STRATEGIES[index] {
        "virtual-warp" => "virtual-warp+plane+8".into(),
        "decompose" => "virtual-warp+plane+16".into(),
        other => other.into(),
    }
}

fn add_levels(results: &mut Results, noise: &mut Noise) {
    for graph in &GRAPHS[..4] {
        for source in [0, 4711] {
            for level in 0..graph.levels {
                let middle = f64::from(graph.levels) / 2.0;
                let frontier = (-(f64::from(level) - middle).powi(2) / middle).exp();
                let seconds: Vec<f64> = (0..8)
                    .map(|index| {
                        let whole = if index % 3 == 1 { 0.5 } else { frontier };
                        (8e-6 + graph.edges as f64 * 1e-10 * whole) * noise.factor(1.6)
                    })
                    .collect();
                let best = (0..8).min_by(|&a, &b| seconds[a].total_cmp(&seconds[b])).unwrap();
                let chosen = if level % 5 == 4 { 3 } else { best };
                for (index, seconds) in seconds.into_iter().enumerate() {
                    results.levels.push(LevelTime {
                        graph: graph.name.into(),
                        source,
                        level,
                        strategy: candidate(index),
                        seconds,
                        chosen: index == chosen,
                    });
                }
            }
        }
        for (library, seconds) in [("Gunrock", 0.004), ("LonestarGPU", 0.02)] {
            let (library, input) = (library.into(), graph.name.into());
            results.bfs_references.push(Reference {
                library,
                input,
                seconds: seconds * noise.factor(2.0),
            });
        }
    }
}

const COLORED: [(&str, f64, u32); 3] =
    [("dip20090126_MAX", 0.004, 38), ("G3_circuit", 0.011, 9), ("coAuthorsDBLP", 0.009, 120)];

fn add_coloring(results: &mut Results, noise: &mut Noise) {
    for (graph, seconds, colors) in COLORED {
        for (strategy, factor) in
            [("jones-plassmann", 1.3), ("largest-degree-first", 1.1), ("hybrid", 1.0)]
        {
            results.coloring.push(ColoringTime {
                graph: graph.into(),
                strategy: strategy.into(),
                seconds: seconds * factor * noise.factor(1.1),
                colors: (f64::from(colors) * factor) as u32,
            });
        }
        for queues in [4u32, 8, 16] {
            for stealing in [false, true] {
                let mean = 312.0 / f64::from(queues);
                results.stealing.push(Stealing {
                    graph: graph.into(),
                    queues,
                    stealing,
                    seconds: seconds * if stealing { 1.0 } else { 1.07 } * noise.factor(1.02),
                    consumed: None,
                    first_pass: stealing.then_some(QueueUse {
                        max: (mean * 1.05) as u64,
                        min: (mean * 0.93) as u64,
                        mean,
                        sigma: mean * 0.03,
                    }),
                });
            }
        }
        for switch_after in 0..14 {
            results.switch_points.push(SwitchPoint {
                graph: graph.into(),
                switch_after,
                seconds: seconds
                    * (1.0 + 0.02 * (f64::from(switch_after) - 4.0).powi(2))
                    * noise.factor(1.03),
                colors: colors + switch_after % 4,
            });
        }
    }
    for (index, (graph, ..)) in COLORED.into_iter().enumerate() {
        let graph_like = &GRAPHS[[0, 1, 5][index]];
        let counts = degrees(graph_like, noise, if index == 1 { 8 } else { 300 });
        results.degrees.push(Degrees { graph: graph.into(), counts });
    }
}

fn add_iterations(results: &mut Results, noise: &mut Noise) {
    let (graph, strategy) = ("dip20090126_MAX", "hybrid");
    for (iteration, limit) in [(1, 300.0), (3, 90.0), (7, 45.0), (12, 20.0)] {
        let bins: Vec<ActiveBin> = (0..150)
            .map(|bin| ActiveBin {
                first_vertex: bin * 133,
                active: (133.0 * limit / 300.0) as u64,
                max_degree: (limit * noise.next().powi(3)) as u64 + 1,
            })
            .collect();
        let active = bins.iter().map(|bin| bin.active).sum();
        let (graph, strategy) = (graph.into(), strategy.into());
        results.active_degrees.push(ActiveDegrees { graph, strategy, iteration, active, bins });
    }
    for iteration in 1..=24 {
        let phase = if iteration < 9 { Phase::Degree } else { Phase::Random };
        let vertices = (3400.0 * 0.82f64.powi(iteration as i32)) as u64;
        let (graph, strategy) = (graph.into(), strategy.into());
        results.colored.push(Colored { graph, strategy, iteration, phase, vertices });
    }
}

fn add_basics(results: &mut Results, noise: &mut Noise) {
    let graphs = [
        ("graph 1", 2_700, 1_808_853),
        ("graph 2", 21_853, 12_323_648),
        ("graph 3", 82_168, 504_230),
        ("graph 4", 1_694_616, 11_094_209),
        ("graph 5", 16_777_214, 132_557_200),
    ];
    for (graph, vertices, edges) in graphs {
        let time = |method: &str, seconds: f64| MethodTime {
            graph: graph.into(),
            vertices,
            edges,
            method: method.into(),
            seconds,
        };
        let work = edges as f64 * 1e-10;
        for (method, cost) in [("topology", 1.0), ("queue", 1.6), ("scan", 2.4)] {
            results.three_bfs.push(time(method, (1e-4 + work) * cost * noise.factor(1.5)));
        }
        for (method, cost) in [("sssp", 9.0), ("naive", 3.0), ("blocked", 0.4)] {
            results.apsp.push(time(method, 0.02 * cost * noise.factor(1.5)));
        }
        for (method, cost) in [("components", 1.0), ("pagerank", 20.0)] {
            results.whole_graphs.push(time(method, work * cost * noise.factor(1.5)));
        }
        let (cpu_seconds, gpu_seconds) = (work * 90.0, work * 90.0 / (4.0 + 60.0 * noise.next()));
        let graph: String = graph.into();
        for factor in [1, 2, 4, 8, 16, 32] {
            let seconds = gpu_seconds * f64::from(factor).sqrt();
            results.coarsening.push(Coarsening { graph: graph.clone(), factor, seconds });
        }
        results.sssp_speedups.push(SsspSpeedup {
            graph,
            vertices,
            edges,
            cpu_seconds,
            gpu_seconds,
        });
    }
}
