//! The algorithms: what each one gives to Python.

use std::{ops::Deref, sync::Arc};

use equipoise::{
    Distances, NONE, Trace,
    apsp::Apsp,
    bfs::{Bfs, BfsOptions},
    explain::{Explainable, Explainer},
    graph::{UnknownName, memory},
    pagerank::PageRankOptions,
    sssp::Sssp,
    triangles::Triangles,
};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;
use serde_json::json;

use crate::{
    array::Array,
    errors::Failure,
    found::{Algorithm, Found, Parts, as_json},
    graph::Graph,
    input::Numbers,
    options::options,
    work,
};

/// Distances as Python's numbers, infinite where there is no path. Fails where one would be rounded.
fn reals<A, B, C, D>(distances: &Distances<A, B, C, D>) -> Result<Vec<f64>, Failure>
where
    A: Deref<Target = [u32]> + Sync,
    B: Deref<Target = [u64]> + Sync,
    C: Deref<Target = [f32]> + Sync,
    D: Deref<Target = [f64]> + Sync,
{
    let count = distances.len();
    memory::check(format_args!("{count} distances"), memory::bytes_of::<f64>(count as u64))?;
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    let is_rounded = |length: &&u64| **length > EXACT && **length != u64::MAX;
    if let Distances::U64(all) = distances
        && let Some(large) = all.par_iter().find_first(is_rounded)
    {
        return Err(Failure::Overflow(format!(
            "a distance is {large}: float64 has whole numbers up to 2⁵³ only"
        )));
    }
    let one = |index| distances.get(index).unwrap_or(f64::INFINITY);
    Ok((0..count).into_par_iter().map(one).collect())
}

fn bfs_parts(found: &Arc<Bfs>) -> Result<Parts, Failure> {
    Ok(Parts {
        arrays: vec![
            ("levels", Array::or_none(found, |found| &found.levels)),
            ("parents", Array::or_none(found, |found| &found.parents)),
        ],
        facts: json!({
            "source": found.source, "reached": found.reached, "depth": found.depth,
            "edges": found.edges, "complete": found.complete,
        }),
        trace: found.trace.clone(),
        times: found.times,
    })
}

/// Fewest edges from a source.
#[pyfunction]
pub fn bfs(py: Python<'_>, graph: &Graph, source: u32, given: &str) -> PyResult<Found> {
    let algorithm = Algorithm {
        find: |graph, (source, options)| graph.bfs(*source, options)?.download(),
        parts: bfs_parts,
        verify: |found, graph, (_, options)| found.verify(graph, options),
    };
    algorithm.run(py, graph, (source, options(given)?))
}

/// What the library's model for the graph's device chooses, as JSON.
#[pyfunction]
pub fn explain(py: Python<'_>, graph: &Graph, algorithm: &str, source: u32) -> PyResult<String> {
    let unknown = |error: UnknownName| PyValueError::new_err(error.to_string());
    let algorithm: Explainable = algorithm.parse().map_err(unknown)?;
    let graph = graph.clone();
    let choices = work::run(py, move || {
        let model = algorithm.embedded_model(graph.on_device(|graph| graph.is_on_gpu()))?;
        Ok(Explainer::new(graph.graph(), algorithm, &model)?.explain(source)?)
    })?;
    as_json(&choices)
}

/// Fewest edges from each of several sources.
#[pyfunction]
pub fn bfs_many(
    py: Python<'_>,
    graph: &Graph,
    sources: Vec<u32>,
    given: &str,
) -> PyResult<Vec<Found>> {
    let (graph, options) = (graph.clone(), Arc::new(options::<BfsOptions>(given)?));
    work::run(py, move || {
        let all = graph.on_device(|graph| graph.bfs_batch(&sources, &options))?;
        let found = |one| {
            Found::new(&graph, options.clone(), one, bfs_parts, |found, graph, options| {
                found.verify(graph, options)
            })
        };
        all.into_iter().map(found).collect()
    })
}

/// Shortest paths from a source.
#[pyfunction]
pub fn sssp(py: Python<'_>, graph: &Graph, source: u32, given: &str) -> PyResult<Found> {
    let algorithm = Algorithm {
        find: |graph, (source, options)| graph.sssp(*source, options)?.download(),
        parts: |found: &Arc<Sssp>| {
            Ok(Parts {
                arrays: vec![
                    ("distances", reals(&found.distances)?.into()),
                    ("predecessors", Array::or_none(found, |found| &found.predecessors)),
                ],
                facts: json!({
                    "source": found.source, "reached": found.reached, "edges": found.edges,
                    "complete": found.complete, "delta": found.delta,
                }),
                trace: found.trace.clone(),
                times: found.times,
            })
        },
        verify: |found, graph, (_, options)| found.verify(graph, options),
    };
    algorithm.run(py, graph, (source, options(given)?))
}

/// Shortest paths between all pairs, or from some sources.
#[pyfunction]
pub fn apsp(py: Python<'_>, graph: &Graph, given: &str) -> PyResult<Found> {
    let algorithm = Algorithm {
        find: |graph, options| graph.apsp(options),
        parts: |found: &Arc<Apsp>| {
            let (rows, columns) = (found.rows(), found.vertices as usize);
            let distances = Array::rows(reals(&found.distances)?, rows, columns);
            let hops = found.next_hops.as_ref().map(|hops| {
                let number = |&hop: &u32| if hop == NONE { -1 } else { i64::from(hop) };
                Array::rows(hops.par_iter().map(number).collect(), rows, columns)
            });
            Ok(Parts {
                arrays: [Some(("distances", distances)), hops.map(|hops| ("next_hops", hops))]
                    .into_iter()
                    .flatten()
                    .collect(),
                facts: json!({
                    "sources": found.sources, "strategy": found.strategy, "reason": found.reason,
                }),
                trace: Trace::default(),
                times: found.times,
            })
        },
        verify: |found, graph, _| found.verify(graph),
    };
    algorithm.run(py, graph, options(given)?)
}

/// Ranks of vertices.
#[pyfunction]
pub fn pagerank(
    py: Python<'_>,
    graph: &Graph,
    given: &str,
    personalization: Option<Numbers>,
) -> PyResult<Found> {
    let personalization = match personalization {
        None => None,
        Some(Numbers::F64(shares)) => Some(shares),
        Some(_) => return Err(Failure::Value("`personalization` is not of float64".into()).into()),
    };
    let algorithm = Algorithm {
        find: |graph, options| graph.pagerank(options),
        parts: |found| {
            Ok(Parts {
                arrays: vec![("ranks", Array::of(found, |found| &found.ranks))],
                facts: json!({
                    "iterations": found.iterations, "change": found.change,
                    "converged": found.converged,
                }),
                trace: found.trace.clone(),
                times: found.times,
            })
        },
        verify: |found: &equipoise::pagerank::PageRank, graph, options| {
            found.verify(graph, options)
        },
    };
    algorithm.run(py, graph, PageRankOptions { personalization, ..options(given)? })
}

/// Triangles through vertices.
#[pyfunction]
pub fn triangles(py: Python<'_>, graph: &Graph, given: &str) -> PyResult<Found> {
    let algorithm = Algorithm {
        find: |graph, options| graph.triangles(options),
        parts: |found: &Arc<Triangles>| {
            Ok(Parts {
                arrays: vec![
                    ("counts", Array::of(found, |found| &found.counts)),
                    ("clustering", found.clustering().into()),
                ],
                facts: json!({
                    "total": found.total, "strategy": found.strategy,
                    "transitivity": found.transitivity(),
                    "average_clustering": found.average_clustering(),
                }),
                trace: found.trace.clone(),
                times: found.times,
            })
        },
        verify: |found, graph, _| found.verify(graph).map(drop),
    };
    algorithm.run(py, graph, options(given)?)
}

/// An algorithm that is a method of the same name, and verified with its options or without: its arrays and facts.
macro_rules! whole_graph {
    (
        $(#[$doc:meta])* $name:ident, $result:ty, $options:ty, verify($($with:ident)?),
        arrays: |$found:ident| $arrays:expr, facts: $facts:tt
    ) => {
        $(#[$doc])*
        #[pyfunction]
        pub fn $name(py: Python<'_>, graph: &Graph, given: &str) -> PyResult<Found> {
            let algorithm = Algorithm {
                find: |graph, options: &$options| graph.$name(options),
                parts: |$found: &Arc<$result>| {
                    let (trace, times) = ($found.trace.clone(), $found.times);
                    Ok(Parts { arrays: $arrays, facts: json!($facts), trace, times })
                },
                #[allow(unused_variables, reason = "some results are verified without options")]
                verify: |found, graph, options| whole_graph!(@verify found graph options $($with)?),
            };
            algorithm.run(py, graph, options(given)?)
        }
    };
    (@verify $found:ident $graph:ident $options:ident) => { $found.verify($graph) };
    (@verify $found:ident $graph:ident $options:ident options) => { $found.verify($graph, $options) };
}

whole_graph! {
    /// Colors of vertices.
    color, equipoise::color::Coloring, equipoise::color::ColorOptions, verify(),
    arrays: |found| vec![("colors", Array::or_none(found, |found| &found.colors))],
    facts: { "count": found.count, "strategy": found.strategy }
}

whole_graph! {
    /// Connected components.
    components, equipoise::components::Components, equipoise::components::ComponentsOptions, verify(),
    arrays: |found| vec![
        ("labels", found.numbers().iter().map(|&number| i64::from(number)).collect::<Vec<_>>().into()),
    ],
    facts: {
        "count": found.count, "largest": found.largest, "strong": found.strong,
        "strategy": found.strategy,
    }
}

whole_graph! {
    /// Betweenness of vertices and edges.
    betweenness, equipoise::betweenness::Betweenness, equipoise::betweenness::BetweennessOptions,
    verify(options),
    arrays: |found| {
        let mut arrays = vec![("vertices", Array::of(found, |found| &found.vertices))];
        if let Some(edges) = &found.edges {
            let edges = Arc::new(edges.clone());
            arrays.push(("edge_sources", Array::or_none(&edges, |edges| &edges.sources)));
            arrays.push(("edge_targets", Array::or_none(&edges, |edges| &edges.targets)));
            arrays.push(("edge_values", Array::of(&edges, |edges| &edges.values)));
        }
        arrays
    },
    facts: {
        "sources": found.sources, "exact": found.exact,
        "single_precision": found.single_precision,
    }
}

whole_graph! {
    /// A minimum spanning forest.
    mst, equipoise::mst::SpanningForest, equipoise::mst::MstOptions, verify(),
    arrays: |found| {
        let ends = |pick: fn(&(u32, u32)) -> u32| {
            found.edges.iter().map(|edge| i64::from(pick(edge))).collect::<Vec<_>>()
        };
        let weights = (0..found.weights.len()).map(|edge| found.weights.get(edge));
        vec![
            ("sources", ends(|edge| edge.0).into()),
            ("targets", ends(|edge| edge.1).into()),
            ("weights", weights.collect::<Vec<_>>().into()),
        ]
    },
    facts: { "total": found.total, "trees": found.trees, "strategy": found.strategy }
}

whole_graph! {
    /// A maximal independent set.
    mis, equipoise::mis::Mis, equipoise::mis::MisOptions, verify(options),
    arrays: |found| vec![("in_set", Array::of(found, |found| &found.in_set))],
    facts: { "size": found.size }
}

whole_graph! {
    /// How far vertices are from each other.
    paths, equipoise::paths::Paths, equipoise::paths::PathsOptions, verify(options),
    arrays: |found| {
        let mut arrays = vec![
            ("sources", Array::or_none(found, |found| &found.sources)),
            ("eccentricities", Array::of(found, |found| &found.eccentricities)),
            ("closeness", Array::of(found, |found| &found.closeness)),
            ("harmonic", Array::of(found, |found| &found.harmonic)),
        ];
        if let Some(within) = &found.within {
            arrays.push(("within", within.clone().into()));
        }
        arrays
    },
    facts: {
        "exact": found.exact, "connected": found.connected, "diameter": found.diameter,
        "most_diameter": found.most_diameter, "radius": found.radius,
    }
}

whole_graph! {
    /// Communities.
    communities, equipoise::communities::Communities, equipoise::communities::CommunitiesOptions,
    verify(options),
    arrays: |found| vec![("communities", Array::or_none(found, |found| &found.communities))],
    facts: {
        "count": found.count, "largest": found.largest, "modularity": found.modularity,
        "converged": found.converged, "strategy": found.strategy, "on_gpu": found.on_gpu,
    }
}

/// Core numbers.
#[pyfunction]
pub fn kcore(py: Python<'_>, graph: &Graph) -> PyResult<Found> {
    let algorithm = Algorithm {
        find: |graph, ()| graph.kcore(),
        parts: |found| {
            Ok(Parts {
                arrays: vec![("cores", Array::or_none(found, |found| &found.cores))],
                facts: json!({ "degeneracy": found.degeneracy }),
                trace: found.trace.clone(),
                times: found.times,
            })
        },
        verify: |found: &equipoise::kcore::KCore, graph, ()| found.verify(graph),
    };
    algorithm.run(py, graph, ())
}
