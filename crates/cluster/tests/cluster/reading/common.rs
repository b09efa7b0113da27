//! The graph of the slices of all ranks.

use equipoise_cluster::{Comm, ReadSlice, SliceIds, SliceOptions, read_slice, run_threads};
use equipoise_graph::{Edges, Graph, GraphBuilder, VertexIds, VertexNames, Weights};

/// The slices of `source` on this number of ranks.
pub fn read(ranks: usize, source: &str, options: &SliceOptions) -> Result<Vec<ReadSlice>, String> {
    let read = run_threads(ranks, 64, |comm| {
        let options = SliceOptions { ranks_on_node: comm.size(), read: options.read };
        read_slice(comm, source, &options).map_err(|error| error.to_string())
    });
    let mut slices = Vec::new();
    let mut errors = Vec::new();
    for outcome in read {
        match outcome {
            Ok(slice) => slices.push(slice),
            Err(error) => errors.push(error),
        }
    }
    match errors.first() {
        None => Ok(slices),
        Some(error) => {
            assert!(
                errors.len() == ranks && errors.iter().all(|other| other == error),
                "{errors:?}"
            );
            Err(error.clone())
        }
    }
}

/// The graph of the slices of all ranks.
pub fn whole(slices: &[ReadSlice]) -> Graph {
    let first = &slices[0].edges;
    let ends = |of: fn(&ReadSlice) -> &Vec<u64>| {
        slices.iter().flat_map(of).map(|&end| end as u32).collect::<Vec<_>>()
    };
    let weights = slices.iter().map(|slice| slice.edges.weights.clone()).reduce(joined).flatten();
    let (sources, targets) =
        (ends(|slice| &slice.edges.sources), ends(|slice| &slice.edges.targets));
    GraphBuilder::new()
        .vertices(first.vertices)
        .undirected(first.undirected)
        .duplicates(first.duplicates)
        .self_loops(first.self_loops)
        .ids(ids(slices))
        .build(Edges::new(sources, targets, weights).unwrap())
        .unwrap()
}

fn joined(one: Option<Weights>, other: Option<Weights>) -> Option<Weights> {
    match (one?, other?) {
        (Weights::U32(a), Weights::U32(b)) => Some([&a[..], &b].concat().into()),
        (Weights::F32(a), Weights::F32(b)) => Some([&a[..], &b].concat().into()),
        (Weights::F64(a), Weights::F64(b)) => Some([&a[..], &b].concat().into()),
        (a, b) => panic!("weights of {} and {}", a.type_name(), b.type_name()),
    }
}

fn ids(slices: &[ReadSlice]) -> VertexIds {
    if let SliceIds::Dense { first } = slices[0].ids {
        return VertexIds::Dense { first };
    }
    let (mut numbers, mut words) = (Vec::new(), Vec::new());
    for slice in slices {
        match &slice.ids {
            SliceIds::Dense { .. } => panic!("ids of two kinds"),
            SliceIds::Table { first, table } => {
                assert_eq!(*first, numbers.len() as u64);
                numbers.extend(table);
            }
            SliceIds::Names { first, names } => {
                assert_eq!(*first, words.len() as u64);
                words.extend(names.iter().map(str::to_owned));
            }
        }
    }
    if words.is_empty() {
        VertexIds::Table(numbers.into())
    } else {
        VertexIds::Names(VertexNames::new(words.iter().map(String::as_str)).unwrap())
    }
}
