//! Where `--device auto` runs: on whatever has the answer first.
//!
//! A GPU is ten times as fast once it has started and the graph is there, which takes longer than most
//! searches on the cpu. Figures are those of docs/performance.md, where the choice is compared with
//! what both take; what it needs to know is where one is several times as fast as the other.

use equipoise::graph::{Graph, Matrix, SparseTensor, Value, Weights};

use crate::numbers;

/// Seconds until a GPU has started: its driver, and kernels that were compiled before.
const GPU_START: f64 = 0.4;
/// Bytes a second to and from the memory of a GPU.
const COPY: f64 = 8e9;
/// The time of a run on a GPU, in that on the cpu.
const GPU_SHARE: f64 = 0.1;
/// More threads do not make the cpu faster.
const MOST_THREADS: usize = 16;
/// Steps of Floyd-Warshall that one thread makes in a second.
const FLOYD_WARSHALL: f64 = 28e9;

/// What an answer takes: so much time of one thread of the cpu, or so many bytes to and from a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    nanoseconds: f64,
    bytes: f64,
    /// Why no GPU does it, if none does.
    cpu_only: Option<&'static str>,
}

impl Job {
    /// So many breadth-first searches.
    pub fn bfs(graph: &Graph, searches: u64) -> Self {
        Self::of_edges(graph, 3.0, 4.0).times(searches)
    }

    /// So many searches for shortest paths.
    pub fn sssp(graph: &Graph, searches: u64) -> Self {
        let cpu_only = matches!(graph.weights(), Some(Weights::F64(_)))
            .then_some("weights of 64 bits are added up on the cpu, or on CUDA if it is named");
        Self { cpu_only, ..Self::of_edges(graph, 20.0, 8.0) }.times(searches)
    }

    /// So many colorings.
    pub fn color(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 90.0, 4.0).times(runs)
    }

    /// So many times the components.
    pub fn components(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 4.0, 4.0).times(runs)
    }

    /// So many times the ranks, each by about so many iterations.
    pub fn pagerank(graph: &Graph, iterations: u32, runs: u64) -> Self {
        Self::of_edges(graph, 2.5 * f64::from(iterations), 4.0).times(runs)
    }

    /// So many independent sets.
    pub fn mis(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 5.0, 4.0).times(runs)
    }

    /// So many times the strongly connected components: edges are turned around, and looked at twice or more.
    pub fn strong_components(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 20.0, 8.0).times(runs)
    }

    /// So many times the triangles.
    pub fn triangles(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 150.0, 4.0).times(runs)
    }

    /// So many times betweenness: two passes over the edges for each source.
    pub fn betweenness(graph: &Graph, sources: u64, weighted: bool, runs: u64) -> Self {
        let weights = graph.weights().filter(|_| weighted);
        let nanoseconds = if weights.is_some() { 40.0 } else { 10.0 };
        let cpu_only = matches!(weights, Some(Weights::F32(_) | Weights::F64(_)))
            .then_some("betweenness by decimal weights is found on the cpu only");
        let one = Self { cpu_only, ..Self::of_edges(graph, nanoseconds, 4.0) };
        one.times(sources.saturating_mul(runs))
    }

    /// So many times the cores.
    pub fn kcore(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 8.0, 4.0).times(runs)
    }

    /// So many spanning forests.
    pub fn mst(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 15.0, 12.0).times(runs)
    }

    /// So many times communities by label propagation: about ten sweeps, after weights were added up and vertices colored.
    pub fn label_propagation(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 250.0, 24.0).times(runs)
    }

    /// So many times communities by louvain.
    pub fn louvain(graph: &Graph, runs: u64) -> Self {
        Self::of_edges(graph, 3000.0, 24.0).times(runs)
    }

    /// So many times the distances from so many sources.
    pub fn paths(graph: &Graph, sources: u64, weighted: bool, runs: u64) -> Self {
        let searches = sources.saturating_mul(runs);
        if weighted { Self::sssp(graph, searches) } else { Self::bfs(graph, searches) }
    }

    /// So many times all pairs, or the rows of some sources.
    pub fn apsp(graph: &Graph, sources: Option<usize>, runs: u64) -> Self {
        let vertices = f64::from(graph.vertices());
        let rows = sources.map_or(vertices, |count| count as f64);
        let Self { nanoseconds, cpu_only, .. } = Self::sssp(graph, 1);
        let searches = rows * nanoseconds;
        let nanoseconds = match sources {
            Some(_) => searches,
            None => searches.min(vertices.powi(3) / FLOYD_WARSHALL * 1e9),
        };
        Self { cpu_only, ..Self::new(nanoseconds, rows * vertices * 4.0) }.times(runs)
    }

    /// So many products with a vector or, column by column, with a dense matrix.
    pub fn spmv<T: Value>(matrix: &Matrix<T>, columns: u32, runs: u64) -> Self {
        let (entries, columns) = (matrix.entries() as f64, f64::from(columns));
        let copied = entries + columns * f64::from(matrix.columns().max(matrix.rows()));
        Self::new(1.5 * entries * columns, 8.0 * copied).times(runs)
    }

    /// So many times the product of two sparse matrices, which takes so many multiplications.
    pub fn spgemm<T: Value>(a: &Matrix<T>, b: &Matrix<T>, multiplications: u64, runs: u64) -> Self {
        let (entries, products) = ((a.entries() + b.entries()) as f64, multiplications as f64);
        Self::new(10.0 * products, 8.0 * (entries + products)).times(runs)
    }

    /// So many products of a tensor and factors of so many columns.
    pub fn mttkrp(tensor: &SparseTensor, rank: u32, runs: u64) -> Self {
        let (nonzeros, rank) = (tensor.nonzeros() as f64, f64::from(rank));
        let slices: f64 = tensor.shape().into_iter().map(f64::from).sum();
        // A nonzero is sorted by slices wherever it goes.
        Self::new(3.0 * nonzeros * rank, 12.0 * nonzeros + 4.0 * rank * slices).times(runs)
    }

    fn new(nanoseconds: f64, bytes: f64) -> Self {
        Self { nanoseconds, bytes, cpu_only: None }
    }

    fn of_edges(graph: &Graph, nanoseconds: f64, bytes: f64) -> Self {
        let edges = graph.edges() as f64;
        Self::new(nanoseconds * edges, bytes * edges)
    }

    /// Several of them on one graph, which is copied once.
    fn times(self, runs: u64) -> Self {
        Self { nanoseconds: self.nanoseconds * runs as f64, ..self }
    }

    /// Why the cpu has the answer first, if it has.
    pub fn for_cpu(self) -> Option<String> {
        self.cpu_only.map(str::to_owned).or_else(|| self.for_cpu_of(rayon::current_num_threads()))
    }

    fn for_cpu_of(self, threads: usize) -> Option<String> {
        let cpu = self.nanoseconds * 1e-9 / threads.clamp(1, MOST_THREADS) as f64;
        let gpu = GPU_START + self.bytes / COPY + GPU_SHARE * cpu;
        let time = |seconds: f64| numbers::time(std::time::Duration::from_secs_f64(seconds));
        (cpu <= gpu).then(|| {
            let (cpu, gpu) = (time(cpu), time(gpu));
            format!("about {cpu} here, and {gpu} until a GPU has started and has the data")
        })
    }
}

#[cfg(test)]
mod tests {
    use equipoise::graph::Csr;

    use super::*;

    /// A graph of so many edges of one vertex each.
    fn graph(edges: u32) -> Graph {
        let offsets = (0..=u64::from(edges)).collect();
        Graph::from_csr(Csr::new(edges, offsets, vec![0; edges as usize]).unwrap(), None, false)
            .unwrap()
    }

    /// However many there are.
    #[test]
    fn weights_of_64_bits_are_for_the_cpu() {
        let graph = graph(100).with_weights(Some(vec![0.1f64; 100].into())).unwrap();
        for job in [Job::sssp(&graph, 1 << 40), Job::apsp(&graph, None, 1 << 40), {
            Job::paths(&graph, 1 << 40, true, 1)
        }] {
            assert!(job.for_cpu().is_some_and(|why| why.contains("64 bits")));
        }
        assert!(Job::bfs(&graph, 1 << 40).for_cpu().is_none());
    }

    #[test]
    fn one_run_is_for_the_cpu_and_many_are_for_a_gpu() {
        let small = graph(1 << 20);
        let matrix = Matrix::from_csr(small.csr().clone(), vec![1.0f32; 1 << 20]).unwrap();
        for (job, threads, is_for_cpu) in [
            (Job::bfs(&small, 1), 16, true),
            (Job::bfs(&small, 10_000), 16, false),
            (Job::sssp(&small, 1), 16, true),
            (Job::sssp(&small, 1000), 16, false),
            (Job::sssp(&small, 20), 16, true),
            (Job::sssp(&small, 40), 1, false),
            (Job::betweenness(&small, 16, false, 1), 16, true),
            (Job::betweenness(&small, 1000, false, 1), 16, false),
            (Job::color(&small, 1), 16, true),
            (Job::color(&small, 10), 2, false),
            (Job::apsp(&graph(256), None, 1), 2, true),
            (Job::apsp(&graph(1 << 15), None, 1), 2, false),
            (Job::apsp(&small, Some(8), 1), 2, true),
            (Job::spmv(&matrix, 1, 1), 2, true),
            (Job::spmv(&matrix, 1, 10_000), 2, false),
            (Job::spmv(&matrix, 1000, 1), 2, true),
            (Job::spgemm(&matrix, &matrix, 1 << 20, 1), 2, true),
            (Job::spgemm(&matrix, &matrix, 1 << 30, 1), 2, false),
        ] {
            assert_eq!(job.for_cpu_of(threads).is_some(), is_for_cpu, "{job:?} {threads}");
        }
    }
}
