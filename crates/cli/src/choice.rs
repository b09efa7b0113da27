//! The choice of `--device auto`: the device with the shorter estimated time to the answer.
//!
//! A GPU is ten times as fast once it has started and holds the graph, but that takes longer than
//! most searches on the cpu. The constants are from docs/notebook.md, which compares the choice
//! with measured times; the estimate only has to be right where one device is several times as fast
//! as the other.

use equipoise::{
    algorithm::{Cost, Gpus},
    device::OpenDevice,
    graph::{Matrix, SparseTensor, Value},
};

use crate::numbers;

/// Seconds to start a GPU: its driver, and kernels from the cache.
const GPU_START: f64 = 0.4;
/// Bytes per second to and from GPU memory.
const COPY: f64 = 8e9;
/// The time of a run on a GPU relative to the cpu.
const GPU_SHARE: f64 = 0.1;
/// More threads do not speed up the cpu.
const MOST_THREADS: usize = 16;

/// Why a GPU does not add 64-bit lengths.
const WIDE_SUMS: &str = "weights of 64 bits are added up on the cpu";

/// The cost of a product with a vector or with the `columns` columns of a dense matrix.
pub fn of_spmv<T: Value>(matrix: &Matrix<T>, columns: u32) -> Cost {
    let (entries, columns) = (matrix.entries() as f64, f64::from(columns));
    let copied = entries + columns * f64::from(matrix.columns().max(matrix.rows()));
    Cost::new(1.5 * entries * columns, 8.0 * copied)
}

/// The cost of the product of two sparse matrices with `multiplications` multiplications.
pub fn of_spgemm<T: Value>(a: &Matrix<T>, b: &Matrix<T>, multiplications: u64) -> Cost {
    let (entries, products) = ((a.entries() + b.entries()) as f64, multiplications as f64);
    Cost::new(10.0 * products, 8.0 * (entries + products))
}

/// The cost of an MTTKRP of a tensor with factors of `rank` columns.
pub fn of_mttkrp(tensor: &SparseTensor, rank: u32) -> Cost {
    let (nonzeros, rank) = (tensor.nonzeros() as f64, f64::from(rank));
    let slices: f64 = tensor.shape().into_iter().map(f64::from).sum();
    // Every device sorts the nonzeros by slices.
    Cost::new(3.0 * nonzeros * rank, 12.0 * nonzeros + 4.0 * rank * slices)
}

/// Why the cpu is estimated to be faster; `None` if it is not.
pub fn for_cpu(cost: Cost) -> Option<String> {
    match cost.gpus {
        Gpus::None(why) | Gpus::Slower(why) => Some(why.to_owned()),
        Gpus::All | Gpus::WithWideSums => for_cpu_of(cost, rayon::current_num_threads()),
    }
}

/// Why a device cannot do the work; `None` if it can.
pub fn beyond(cost: Cost, device: &OpenDevice) -> Option<&'static str> {
    match (device, cost.gpus) {
        (OpenDevice::Cpu, _) | (_, Gpus::All | Gpus::Slower(_)) => None,
        (OpenDevice::Gpu(gpu), Gpus::WithWideSums) => (!gpu.has_wide_sums()).then_some(WIDE_SUMS),
        (OpenDevice::Gpu(_), Gpus::None(why)) => Some(why),
    }
}

fn for_cpu_of(cost: Cost, threads: usize) -> Option<String> {
    let cpu = cost.nanoseconds * 1e-9 / threads.clamp(1, MOST_THREADS) as f64;
    let gpu = GPU_START + cost.bytes / COPY + GPU_SHARE * cpu;
    let time = |seconds: f64| numbers::time(std::time::Duration::from_secs_f64(seconds));
    (cpu <= gpu).then(|| {
        let (cpu, gpu) = (time(cpu), time(gpu));
        format!("about {cpu} here, and {gpu} until a GPU has started and has the data")
    })
}

#[cfg(test)]
mod tests {
    use equipoise::{
        algorithm::Algorithm,
        apsp::{Apsp, ApspOptions},
        betweenness::{Betweenness, BetweennessOptions},
        color::{ColorOptions, Coloring},
        graph::{Csr, Graph},
        pagerank::PageRank,
        paths::{Paths, PathsOptions},
    };

    use super::*;

    /// A graph with `edges` edges, one per source.
    fn graph(edges: u32) -> Graph {
        let offsets = (0..=u64::from(edges)).collect();
        Graph::from_csr(Csr::new(edges, offsets, vec![0; edges as usize]).unwrap(), None, false)
            .unwrap()
    }

    fn apsp(graph: &Graph, rows: Option<usize>) -> Cost {
        let sources = rows.map(|rows| vec![0; rows]);
        Apsp::cost(graph, &ApspOptions { sources, ..ApspOptions::default() })
    }

    fn paths(graph: &Graph, weighted: bool) -> Cost {
        Paths::cost(graph, &PathsOptions { weighted, ..PathsOptions::default() })
    }

    fn betweenness(graph: &Graph, sources: u32, weighted: bool) -> Cost {
        let sources = Some((0..sources).collect());
        let options = BetweennessOptions { sources, weighted, ..BetweennessOptions::default() };
        Betweenness::cost(graph, &options)
    }

    #[test]
    fn weights_of_64_bits_are_for_the_cpu_and_for_gpus_that_add_them_up() {
        let graph = graph(100).with_weights(Some(vec![0.1f64; 100].into())).unwrap();
        let many = |cost: Cost| cost.times(1 << 40);
        let why = for_cpu(many(apsp(&graph, None)));
        assert!(why.is_some_and(|why| why.contains("64 bits")));
        for cost in [Cost::sssp(&graph), paths(&graph, true)] {
            assert_eq!((cost.gpus, for_cpu(many(cost))), (Gpus::WithWideSums, None));
            assert_eq!(beyond(cost, &OpenDevice::Cpu), None);
        }
        for cost in [Cost::bfs(&graph), PageRank::cost(&graph, &Default::default())] {
            assert_eq!((cost.gpus, for_cpu(many(cost))), (Gpus::All, None));
        }
    }

    #[cfg(feature = "wgpu")]
    #[test]
    fn a_gpu_without_sums_of_64_bits_is_not_chosen() {
        let wide = graph(100).with_weights(Some(vec![0.1f64; 100].into())).unwrap();
        let narrow = graph(100).with_weights(Some(vec![0.1f32; 100].into())).unwrap();
        let gpu = equipoise::device::Device::Wgpu(0).open().unwrap();
        for cost in [Cost::sssp(&wide), apsp(&wide, None), paths(&wide, true)] {
            assert!(beyond(cost, &gpu).is_some_and(|why| why.contains("64 bits")));
        }
        assert!(beyond(betweenness(&narrow, 1, true), &gpu).is_some());
        let pagerank = PageRank::cost(&wide, &Default::default());
        for cost in [Cost::sssp(&narrow), pagerank, paths(&wide, false)] {
            assert_eq!(beyond(cost, &gpu), None);
        }
    }

    #[test]
    fn one_run_is_for_the_cpu_and_many_are_for_a_gpu() {
        let small = graph(1 << 20);
        let coloring = Coloring::cost(&small, &ColorOptions::default());
        let matrix = Matrix::from_csr(small.csr().clone(), vec![1.0f32; 1 << 20]).unwrap();
        for (cost, threads, is_for_cpu) in [
            (Cost::bfs(&small), 16, true),
            (Cost::bfs(&small).times(10_000), 16, false),
            (Cost::sssp(&small), 16, true),
            (Cost::sssp(&small).times(1000), 16, false),
            (Cost::sssp(&small).times(20), 16, true),
            (Cost::sssp(&small).times(40), 1, false),
            (betweenness(&small, 16, false), 16, true),
            (betweenness(&small, 1000, false), 16, false),
            (coloring, 16, true),
            (coloring.times(10), 2, false),
            (apsp(&graph(256), None), 2, true),
            (apsp(&graph(1 << 15), None), 2, false),
            (apsp(&small, Some(8)), 2, true),
            (of_spmv(&matrix, 1), 2, true),
            (of_spmv(&matrix, 1).times(10_000), 2, false),
            (of_spmv(&matrix, 1000), 2, true),
            (of_spgemm(&matrix, &matrix, 1 << 20), 2, true),
            (of_spgemm(&matrix, &matrix, 1 << 30), 2, false),
        ] {
            assert_eq!(for_cpu_of(cost, threads).is_some(), is_for_cpu, "{cost:?} {threads}");
        }
    }
}
