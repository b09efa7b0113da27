//! Options with each of their numbers at the ends of its range. The numbers are found in the serialized options, so that a
//! new one is swept without a change of the tests.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

use equipoise::{
    Error, LoadedGraph, LoadedMatrix, Result,
    algorithm::{Algorithm, Visitor, each},
    device::OpenDevice,
    graph::{Graph, Matrix},
    sparse::{Dense, SparseOptions, SparseSchedule},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// The longest that a run on a tiny graph may take, while other tests run.
const LONGEST: Duration = Duration::from_secs(120);

/// The values of each number. An option skips those that it cannot be read from.
fn numbers() -> Vec<Value> {
    let whole = [0, 1, 2, u64::from(u32::MAX), u64::MAX].map(|number| json!(number));
    let real = [-1.0, 0.5, 5e-324, 1e-300, 1e300, f64::MAX].map(|number| json!(number));
    whole.into_iter().chain([json!(-1)]).chain(real).collect()
}

/// The options with one number changed, in all ways, each with its change.
pub fn swept<T: Serialize + DeserializeOwned>(options: &T) -> Vec<(String, T)> {
    let serialized = serde_json::to_value(options).unwrap();
    let mut pointers = Vec::new();
    find_numbers(&serialized, String::new(), &mut pointers);
    let mut all = Vec::new();
    for pointer in pointers {
        for number in numbers() {
            let mut changed = serialized.clone();
            *changed.pointer_mut(&pointer).unwrap() = number.clone();
            let options = serde_json::from_value(changed).ok();
            all.extend(options.map(|options| (format!("{pointer} = {number}"), options)));
        }
    }
    all
}

/// Lists the JSON pointers of numbers, and of absent values, which may be numbers.
fn find_numbers(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                find_numbers(value, format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Number(_) | Value::Null => pointers.push(pointer),
        _ => {}
    }
}

/// Requires that a run ends within [`LONGEST`], verified or refused. Returns whether it was verified.
pub fn ends_well(what: impl Display, run: impl FnOnce() -> Result<()>) -> bool {
    let start = Instant::now();
    let result = run();
    assert!(start.elapsed() < LONGEST, "{what} took {:?}", start.elapsed());
    match result {
        Ok(()) => true,
        Err(Error::Wrong(error)) => panic!("{what}: {error}"),
        Err(_) => false,
    }
}

/// Runs every algorithm with each number of its options at the ends of its range.
pub fn algorithms_end_well(device: &OpenDevice, graph: &Graph) {
    each(&mut Swept { device, graph });
}

struct Swept<'a> {
    device: &'a OpenDevice,
    graph: &'a Graph,
}

impl Visitor for Swept<'_> {
    fn visit<A: Algorithm>(&mut self) {
        for (name, options) in A::tests(matches!(self.device, OpenDevice::Gpu(_))) {
            let Some(graph) = A::test_graph(self.graph, &options).unwrap() else { continue };
            let loaded = LoadedGraph::new(self.device, &graph).unwrap();
            for (change, options) in swept(&options) {
                let run = || A::find(&loaded, &options)?.check(&graph, &options).map(drop);
                ends_well(format!("{} {name} {change}", A::NAME), run);
            }
        }
    }
}

/// Runs every product under every schedule, with each number of its options at the ends of its range.
pub fn products_end_well(device: &OpenDevice) {
    let entries: Vec<_> = (0..40u32).map(|e| (e * 7 % 12, e * e % 12, e as f32)).collect();
    let matrix = Matrix::from_entries(12, 12, &entries).unwrap();
    let (x, dense) = (vec![1.0; 12], Dense::new(12, 2, vec![1.0; 24]).unwrap());
    let loaded = LoadedMatrix::new(device, &matrix).unwrap();
    for &schedule in SparseSchedule::ALL {
        let base = SparseOptions { schedule, ..SparseOptions::default() };
        let mut all = swept(&base);
        let largest = SparseOptions { group: Some(1 << 10), coarsening: Some(1 << 16), ..base };
        all.push(("the largest".into(), largest));
        for (change, options) in all {
            let what = format!("{schedule} {change}");
            ends_well(&what, || loaded.spmv(&options)?.run(&x)?.verify(&matrix, &x));
            ends_well(&what, || loaded.spmm(2, &options)?.run(&dense)?.verify(&matrix, &dense));
        }
    }
    for (change, options) in swept(&SparseOptions::default()) {
        let run = || loaded.spgemm(&loaded, &options)?.run()?.verify(&matrix, &matrix);
        ends_well(change, run);
    }
}
