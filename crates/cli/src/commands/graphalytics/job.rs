//! The algorithms of the benchmark, run with the parameters of a data set.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use clap::ValueEnum;
use equipoise::{
    LoadedGraph, NONE,
    algorithm::{Algorithm, Verification, verifies_by_default},
    bfs::BfsOptions,
    cdlp::CdlpOptions,
    components::ComponentsOptions,
    device::OpenDevice,
    graph::{Graph, VertexId, WeightType, Weights, io::GraphalyticsProperties},
    lcc::LccOptions,
    pagerank::PageRankOptions,
    sssp::SsspOptions,
};
use serde::Serialize;

use super::values::{Output, UNREACHED};
use crate::failure::{Failure, Result};

/// An algorithm of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Job {
    /// Breadth-first search.
    Bfs,
    /// PageRank.
    Pr,
    /// Weakly connected components.
    Wcc,
    /// Community detection by label propagation.
    Cdlp,
    /// Local clustering coefficients.
    Lcc,
    /// Single-source shortest paths.
    Sssp,
}

/// The output of an algorithm, and how long it took.
pub struct Measured {
    pub output: Output,
    /// The time of the algorithm, on a graph in the memory of the device: that of a second run if the first one compiled kernels.
    pub processing: Duration,
    /// The time from the start of the algorithm until its output is written, or in memory: with copies to the device, and
    /// kernels compiled.
    pub makespan: Duration,
    pub verification: Verification,
    /// How the run deviates from the benchmark.
    pub note: Option<String>,
}

impl Job {
    /// The name in files of properties and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Pr => "pr",
            Self::Wcc => "wcc",
            Self::Cdlp => "cdlp",
            Self::Lcc => "lcc",
            Self::Sssp => "sssp",
        }
    }

    /// The algorithm that the properties call `name`.
    pub fn named(name: &str, properties: &GraphalyticsProperties) -> Result<Self> {
        let all = Self::value_variants();
        all.iter().copied().find(|job| job.name() == name).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|job| job.name()).collect();
            let (path, known) = (properties.path.display(), known.join(", "));
            Failure::new(format!("{path}: the algorithm `{name}` is none of {known}"))
        })
    }

    /// The name of the file of its output.
    pub fn file_name(self, properties: &GraphalyticsProperties) -> String {
        format!("{}-{}", properties.name, self.name().to_uppercase())
    }

    /// Runs the algorithm, writes its output to a file if wanted, and then verifies it.
    pub fn measure(
        self,
        loaded: &LoadedGraph,
        device: &OpenDevice,
        properties: &GraphalyticsProperties,
        file: Option<&Path>,
    ) -> Result<Measured> {
        let run = Run { loaded, properties, file };
        match self {
            Self::Bfs => run.bfs(),
            Self::Pr => run.pagerank(),
            Self::Wcc => run.components(),
            Self::Cdlp => run.cdlp(),
            Self::Lcc => {
                let options = LccOptions::default();
                let find = || loaded.lcc();
                run.measured(&options, find, |found| Output::Near(found.coefficients()))
            }
            Self::Sssp => run.sssp(device),
        }
    }
}

struct Run<'r, 'g> {
    loaded: &'r LoadedGraph<'g>,
    properties: &'r GraphalyticsProperties,
    file: Option<&'r Path>,
}

impl Run<'_, '_> {
    fn bfs(&self) -> Result<Measured> {
        let source = self.source("bfs", self.properties.bfs_source)?;
        let options = BfsOptions::default();
        let find = || self.loaded.bfs(source, &options)?.download();
        self.measured(&options, find, |found| {
            let level = |&level: &u32| if level == NONE { UNREACHED } else { level.into() };
            Output::Exact(found.levels.iter().map(level).collect())
        })
    }

    fn pagerank(&self) -> Result<Measured> {
        let iterations = self.parameter("pr.num-iterations", self.properties.pr_iterations)?;
        let damping = self.parameter("pr.damping-factor", self.properties.pr_damping)?;
        let options = PageRankOptions {
            damping,
            iterations: Some(iterations),
            unweighted: true,
            ..PageRankOptions::default()
        };
        let find = || self.loaded.pagerank(&options);
        self.measured(&options, find, |found| {
            Output::Near(found.ranks.iter().map(|&rank| rank.into()).collect())
        })
    }

    fn components(&self) -> Result<Measured> {
        let options = ComponentsOptions::default();
        let find = || self.loaded.components(&options);
        self.measured(&options, find, |found| Output::Classes(self.ids(&found.labels)))
    }

    fn cdlp(&self) -> Result<Measured> {
        let iterations = self.properties.cdlp_iterations;
        let max_iterations = self.parameter("cdlp.max-iterations", iterations)?;
        let options = CdlpOptions { max_iterations };
        let find = || self.loaded.cdlp(&options);
        self.measured(&options, find, |found| Output::Exact(self.ids(&found.labels)))
    }

    /// The benchmark demands lengths of 64 bits, which a device may not have.
    fn sssp(&self, device: &OpenDevice) -> Result<Measured> {
        let source = self.source("sssp", self.properties.sssp_source)?;
        let graph = self.loaded.graph();
        if graph.weights().is_none() {
            let path = self.properties.path.display();
            return Err(Failure::new(format!("{path}: SSSP needs weights, which no edge has")));
        }
        let is_narrow = matches!(device, OpenDevice::Gpu(gpu) if !gpu.has_wide_sums());
        if !is_narrow || !matches!(graph.weights(), Some(Weights::F64(_))) {
            return self.sssp_from(source);
        }
        let narrow = graph.clone().with_weight_type(WeightType::F32)?;
        let loaded = LoadedGraph::new(device, &narrow)?;
        let measured = Run { loaded: &loaded, ..*self }.sssp_from(source)?;
        let note = "this device adds lengths of 32 bits, and the benchmark demands 64".into();
        Ok(Measured { note: Some(note), ..measured })
    }

    fn sssp_from(&self, source: u32) -> Result<Measured> {
        let options = SsspOptions::default();
        let find = || self.loaded.sssp(source, &options)?.download();
        self.measured(&options, find, |found| {
            let distances = &found.distances;
            let distance = |index| distances.get(index).unwrap_or(f64::INFINITY);
            Output::Near((0..distances.len()).map(distance).collect())
        })
    }

    /// Finds a result, makes and writes its output, and then verifies it.
    fn measured<A: Algorithm>(
        &self,
        options: &A::Options,
        find: impl Fn() -> equipoise::Result<A>,
        output: impl FnOnce(&A) -> Output,
    ) -> Result<Measured> {
        let start = Instant::now();
        let result = find()?;
        let output = output(&result);
        if let Some(file) = self.file {
            output.write(self.loaded.graph(), file)?;
        }
        let makespan = start.elapsed();
        let verification = if verifies_by_default() {
            Verification::of(|| result.check_where_fast(self.loaded, options))?
        } else {
            Verification::off("switched off by EQUIPOISE_VERIFY")
        };
        let first = result.times();
        // Kernels are compiled while others run already, so that the rest of a first run says too little.
        let processing = if first.compile.is_zero() { first.run() } else { find()?.times().run() };
        Ok(Measured { output, processing, makespan, verification, note: None })
    }

    /// The ids of vertices.
    fn ids(&self, vertices: &[u32]) -> Vec<u64> {
        let graph = self.loaded.graph();
        vertices.iter().map(|&vertex| id(graph, vertex)).collect()
    }

    fn parameter<T>(&self, key: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| {
            let GraphalyticsProperties { path, name, .. } = self.properties;
            let message = format!("expected a line `graph.{name}.{key} = …`");
            Failure::new(format!("{}: {message}", path.display()))
        })
    }

    /// The vertex that a search starts from.
    fn source(&self, job: &str, id: Option<u64>) -> Result<u32> {
        let key = format!("{job}.source-vertex");
        let id = self.parameter(&key, id)?;
        self.loaded.graph().vertex(id).ok_or_else(|| {
            let path = self.properties.path.display();
            Failure::new(format!("{path}: `{key}` is {id}, which is no vertex of the graph"))
        })
    }
}

/// The id of a vertex of a data set, where all ids are numbers.
pub fn id(graph: &Graph, vertex: u32) -> u64 {
    match graph.ids().id(vertex) {
        VertexId::Number(number) => number,
        VertexId::Name(_) => vertex.into(),
    }
}
