//! The algorithms of the library's list, by name.

use std::{borrow::Cow, collections::HashMap, ops::Deref, sync::Arc};

use equipoise::{
    Distances, NONE,
    algorithm::{self, Algorithm, SearchResult, Table, Value, Values, Verification, Visitor, each},
    device::Device,
    graph::{Weights, memory},
};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::Map;

use crate::{
    array::Array,
    device_array::{DeviceArray, needs_cuda},
    errors::Failure,
    graph::Graph,
    input::Numbers,
    options::parse_options,
    run_result::{AnyArray, Parts, RunResult},
    work,
};

/// The name and the summary of every algorithm.
#[pyfunction]
pub fn algorithms() -> Vec<(&'static str, &'static str)> {
    struct Names(Vec<(&'static str, &'static str)>);

    impl Visitor for Names {
        fn visit<A: Algorithm>(&mut self) {
            self.0.push((A::NAME, A::SUMMARY));
        }
    }

    let mut names = Names(Vec::new());
    each(&mut names);
    names.0
}

/// Whether results are verified unless a keyword decides.
#[pyfunction]
pub fn verifies_by_default() -> bool {
    algorithm::verifies_by_default()
}

/// Runs an algorithm by name, with options as JSON and as float64 arrays; a search runs once per
/// source, with one result each. Arrays of results stay on CUDA if `device_arrays`.
#[pyfunction]
#[pyo3(signature = (graph, name, keywords, arrays, verifies, sources=None, device_arrays=false))]
#[expect(clippy::too_many_arguments, reason = "only the package's Python files call it")]
pub fn run(
    py: Python<'_>,
    graph: &Graph,
    name: &str,
    keywords: &str,
    arrays: HashMap<String, Numbers>,
    verifies: bool,
    sources: Option<Vec<u32>>,
    device_arrays: bool,
) -> PyResult<Vec<RunResult>> {
    let outcome = None;
    let mut asked =
        Asked { py, graph, name, keywords, arrays, verifies, sources, device_arrays, outcome };
    each(&mut asked);
    asked.outcome.unwrap_or_else(|| {
        let known: Vec<String> = algorithms().iter().map(|(name, _)| format!("`{name}`")).collect();
        let known = known.join(", ");
        Err(Failure::Value(format!("unknown algorithm `{name}`; known are: {known}")).into())
    })
}

struct Asked<'a, 'py> {
    py: Python<'py>,
    graph: &'a Graph,
    name: &'a str,
    keywords: &'a str,
    arrays: HashMap<String, Numbers>,
    verifies: bool,
    sources: Option<Vec<u32>>,
    device_arrays: bool,
    outcome: Option<PyResult<Vec<RunResult>>>,
}

impl Visitor for Asked<'_, '_> {
    fn visit<A: Algorithm>(&mut self) {
        if A::NAME == self.name {
            self.outcome = Some(self.run::<A>());
        }
    }
}

impl Asked<'_, '_> {
    fn run<A: Algorithm>(&mut self) -> PyResult<Vec<RunResult>> {
        let mut asked: A::Options = parse_options(self.keywords)?;
        for (name, numbers) in self.arrays.drain() {
            let Numbers::F64(values) = numbers else {
                return Err(Failure::Value(format!("`{name}` is not of float64")).into());
            };
            let unknown = || Failure::Value(format!("`{name}` is no array of `{}`", A::NAME));
            asked = A::with_array(&asked, &name, values).ok_or_else(unknown)?;
        }
        let asked = A::resolve(asked, self.graph.graph()).map_err(Failure::from)?;
        if self.device_arrays {
            return self.run_on_device::<A>(asked);
        }
        let (graph, sources, verifies) = (self.graph.clone(), self.sources.take(), self.verifies);
        work::run(self.py, move || {
            let results = graph.on_device(|graph| match &sources {
                None => Ok(vec![A::find(graph, &asked)?]),
                Some(sources) => {
                    let results = A::find_from(graph, sources, &asked)?.into_iter();
                    results.map(|result| result.download()).collect()
                }
            })?;
            let asked = Arc::new(asked);
            let to_python = |result| {
                RunResult::new(&graph, asked.clone(), result, parts::<A>, A::check_where_fast)?
                    .verified_if(verifies)
            };
            results.into_iter().map(to_python).collect()
        })
    }

    /// Runs a search on CUDA. Its arrays stay there, and are verified there if requested.
    fn run_on_device<A: Algorithm>(&mut self, options: A::Options) -> PyResult<Vec<RunResult>> {
        if A::SEARCH_COLUMNS.is_none() {
            let message = format!(
                "`{}` copies its result to the host: `device_arrays` is for `bfs` and `sssp`",
                A::NAME
            );
            return Err(Failure::Value(message).into());
        }
        let device = self.graph.device();
        if !matches!(device, Device::Cuda(_)) {
            return Err(needs_cuda(device).into());
        }
        let (graph, verifies) = (self.graph.clone(), self.verifies);
        let sources = self.sources.take();
        work::run(self.py, move || {
            graph.on_device(|loaded| {
                let sources =
                    sources.unwrap_or_else(|| vec![algorithm::largest_degree(loaded.graph())]);
                let results = A::find_from(loaded, &sources, &options)?;
                let to_python = |result: Box<dyn SearchResult<A> + '_>| {
                    let verification = if verifies {
                        let check = || result.check_in_place(&options);
                        Verification::of(|| loaded.graph().while_unchanged(check))?
                    } else {
                        Verification::off("not requested")
                    };
                    let parts = parts_on_device(&*result, loaded.graph(), device, &options)?;
                    Ok(RunResult::on_device(parts, verification))
                };
                results.into_iter().map(to_python).collect()
            })
        })
    }
}

fn parts_on_device<A: Algorithm>(
    result: &dyn SearchResult<A>,
    graph: &equipoise::graph::Graph,
    device: Device,
    options: &A::Options,
) -> Result<Parts, Failure> {
    let Some(found) = result.on_gpu()? else {
        return Err(Failure::Value(format!(
            "`{}` with weights of float64 has its result on the host: leave out `device_arrays`, or use weights of float32",
            A::NAME
        )));
    };
    let mut arrays = Vec::new();
    for (name, array) in &found.arrays {
        let array = DeviceArray::of_result(&found.gpu, device, array)?;
        arrays.push((*name, AnyArray::Device(array)));
    }
    let summary = found.summary;
    let facts = facts(&summary, summary.report(graph, options).facts)?;
    Ok(Parts { arrays, facts, trace: summary.trace().clone(), times: summary.times() })
}

fn parts<A: Algorithm>(
    found: &Arc<A>,
    graph: &equipoise::graph::Graph,
    options: &A::Options,
) -> Result<Parts, Failure> {
    let report = found.report(graph, options);
    let mut arrays = Vec::new();
    for Table { matrix, columns, .. } in &report.tables {
        for column in columns {
            let Some(name) = column.array else { continue };
            let array = match matrix {
                None => to_array(found, &column.values)?,
                Some(shape) => to_matrix(found, &column.values)?.with_shape(*shape),
            };
            arrays.push((name, AnyArray::Host(array)));
        }
    }
    let facts = facts(&**found, report.facts)?;
    Ok(Parts { arrays, facts, trace: found.trace().clone(), times: found.times() })
}

/// The scalars of a report, and the source of a search.
fn facts<A: Algorithm>(found: &A, facts: Vec<(&str, Value)>) -> Result<serde_json::Value, Failure> {
    let mut facts: Map<_, _> = facts
        .into_iter()
        .map(|(name, value)| Ok((name.to_owned(), serde_json::to_value(value)?)))
        .collect::<serde_json::Result<_>>()
        .map_err(|error| Failure::Value(error.to_string()))?;
    if let Some(tree) = found.tree() {
        facts.insert("source".into(), tree.source.into());
    }
    Ok(facts.into())
}

/// Values of a result as an array that becomes a matrix. Its vertices have one type, whatever their numbers.
fn to_matrix<A: Algorithm>(found: &Arc<A>, values: &Values) -> Result<Array, Failure> {
    match values {
        Values::Vertices(values) => {
            let number = |&value: &u32| if value == NONE { -1 } else { i64::from(value) };
            Ok(values.par_iter().map(number).collect::<Vec<_>>().into())
        }
        values => to_array(found, values),
    }
}

/// Values of a result as an array, in place if they are stored in the result.
fn to_array<A: Algorithm>(found: &Arc<A>, values: &Values) -> Result<Array, Failure> {
    // SAFETY: slices of a report are inside of its result, which `found` shares and nothing
    // modifies.
    Ok(unsafe {
        match values {
            Values::Vertices(Cow::Borrowed(values)) | Values::U32(Cow::Borrowed(values)) => {
                Array::or_none_within(found, values)
            }
            Values::Vertices(Cow::Owned(values)) | Values::U32(Cow::Owned(values)) => {
                values.par_iter().map(|&value| i64::from(value)).collect::<Vec<_>>().into()
            }
            Values::Groups(firsts) => renumbered(firsts).into(),
            Values::Bool(values) => Array::within(found, values),
            Values::U64(values) => Array::within(found, values),
            Values::F32(values) => Array::within(found, values),
            Values::F64(Cow::Borrowed(values)) => Array::within(found, values),
            Values::F64(Cow::Owned(values)) => values.clone().into(),
            Values::Weights(weights) => decimals(weights).into(),
            Values::Distances(distances) => reals(distances)?.into(),
        }
    })
}

/// Renumbers groups, identified by their first vertices, from 0 in ascending order of these.
fn renumbered(firsts: &[u32]) -> Vec<i64> {
    let mut numbers = vec![0; firsts.len()];
    let mut next = 0;
    for (vertex, &first) in firsts.iter().enumerate() {
        if first as usize == vertex {
            numbers[vertex] = next;
            next += 1;
        } else {
            numbers[vertex] = numbers[first as usize];
        }
    }
    numbers
}

/// Distances as Python floats, infinite without a path. Fails if a distance would be rounded.
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

fn decimals(weights: &Weights) -> Vec<f64> {
    (0..weights.len()).map(|edge| weights.get(edge)).collect()
}
