//! BFS and SSSP compared with other programs, in one run: petgraph, or with `--peers` NetworKit,
//! SciPy and NetworkX as well, or with `--gap DIR` the GAP Benchmark Suite.

use std::{
    cell::RefCell,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Parser;
use equipoise::graph::{
    Graph,
    generate::Spec,
    io::{ReadOptions, read_graph, write_graph},
};
use equipoise_benches::{
    Result,
    gap::{self, Gap},
    library::{Equipoise, sources, specs, whole_weights},
    measure::{milliseconds, table, times_as_fast, use_threads},
    petgraph::Petgraph,
    python::Python,
    traversal::{Algorithm, Contender, Outcome, compare},
};

/// BFS and SSSP beside other programs, in one run.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench traversal --")]
struct Options {
    /// The graphs have about 2^SCALE vertices [default: 18, or 20 with --gap].
    #[arg(long)]
    scale: Option<u32>,
    /// Compare with `bfs` and `sssp` of the GAP Benchmark Suite in this folder, on the same files
    /// and with as many threads.
    #[arg(long, value_name = "DIR", conflicts_with = "peers")]
    gap: Option<PathBuf>,
    /// Compare with NetworKit, SciPy and NetworkX too.
    #[arg(long)]
    peers: bool,
    /// The Python to run them with.
    #[arg(long, default_value = "python3")]
    python: String,
    /// How many vertices to search from.
    #[arg(long, default_value = "4")]
    sources: NonZeroUsize,
    /// How often to repeat each search.
    #[arg(long, default_value = "5")]
    repeats: NonZeroUsize,
    /// How many threads to use [default: one a core].
    #[arg(long)]
    threads: Option<usize>,
    /// Said by `cargo bench`; without it nothing is measured.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if !options.bench {
        println!("nothing is measured: run this with `cargo bench`");
        return Ok(());
    }
    let threads = use_threads(options.threads)?;
    if let Some(programs) = &options.gap {
        gap::check(programs)?;
    }
    let python = options.peers.then(|| Python::start(&options.python, "traversal.py"));
    let python = python.transpose()?.map(RefCell::new);
    let folder = tempfile::tempdir()?;

    println!("{threads} threads; time of a search, and equipoise's share of it");
    let mut table = table(&["graph", "algorithm", "program", "time", "times as fast"], 3);
    let scale = options.scale.unwrap_or(if options.gap.is_some() { 20 } else { 18 });
    for (spec, weights) in specs(scale).iter().zip(["1..255", "1..255", "1..1000"]) {
        let spec = format!("{spec},weights={weights}");
        eprintln!("{spec}");
        let case = Case::new(&spec, folder.path())?;
        let sources = sources(&case.unweighted, options.sources.get())?;
        let equipoise = Equipoise { weighted: &case.weighted, unweighted: &case.unweighted };
        let mut contenders: Vec<Box<dyn Contender>> = vec![Box::new(equipoise)];
        match &options.gap {
            Some(programs) => {
                let mut gap = case.gap(programs, threads);
                gap.choose_delta(sources[0])?;
                eprintln!("GAP is fastest with delta {}", gap.delta);
                contenders.push(Box::new(gap));
            }
            None => contenders.push(Box::new(Petgraph::new(&case.weighted)?)),
        }
        if let Some(python) = &python {
            case.load_into(&mut python.borrow_mut(), folder.path())?;
            for package in ["networkit", "scipy", "networkx"] {
                contenders.push(Box::new(Package { python, package }));
            }
        }
        for algorithm in Algorithm::ALL {
            let times = compare(&mut contenders, algorithm, &sources, options.repeats.get())?;
            for (contender, &time) in contenders.iter().zip(&times) {
                table.add_row([
                    &spec,
                    algorithm.name(),
                    contender.name(),
                    &milliseconds(time),
                    &times_as_fast(times[0], time),
                ]);
            }
        }
    }
    println!("{table}");
    Ok(())
}

/// A graph and its files.
struct Case {
    weighted: Graph,
    unweighted: Graph,
    weighted_file: PathBuf,
    unweighted_file: PathBuf,
}

impl Case {
    /// Generates a graph, writes it in the format of GAP's programs, and reads those files.
    fn new(spec: &str, folder: &Path) -> Result<Self> {
        let graph = spec.parse::<Spec>()?.generate()?;
        let weighted_file = folder.join("graph.wsg");
        let unweighted_file = folder.join("graph.sg");
        write_graph(&graph, &weighted_file, None)?;
        write_graph(&graph.with_weights(None)?, &unweighted_file, None)?;
        Ok(Self {
            weighted: read_graph(&weighted_file, &ReadOptions::default())?,
            unweighted: read_graph(&unweighted_file, &ReadOptions::default())?,
            weighted_file,
            unweighted_file,
        })
    }

    fn gap(&self, programs: &Path, threads: usize) -> Gap {
        Gap {
            programs: programs.to_owned(),
            unweighted: self.unweighted_file.clone(),
            weighted: self.weighted_file.clone(),
            threads,
            delta: 1,
        }
    }

    /// Passes the graph's arrays to the Python program, as files of plain numbers.
    fn load_into(&self, python: &mut Python, folder: &Path) -> Result<()> {
        let csr = self.weighted.csr();
        let weights = whole_weights(&self.weighted)?;
        std::fs::write(folder.join("offsets"), bytemuck::cast_slice(csr.offsets()))?;
        std::fs::write(folder.join("targets"), bytemuck::cast_slice(csr.indices()))?;
        std::fs::write(folder.join("weights"), bytemuck::cast_slice(weights))?;
        python.ask(&format!("load {}", folder.display()))?;
        Ok(())
    }
}

/// A Python package of the subprocess.
struct Package<'a> {
    python: &'a RefCell<Python>,
    package: &'static str,
}

impl Contender for Package<'_> {
    fn name(&self) -> &str {
        self.package
    }

    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome> {
        let request = format!("{} {} {source}", self.package, algorithm.name());
        let answer = self.python.borrow_mut().ask(&request)?;
        let [time, reached, total] = &answer[..] else {
            return Err(format!("{} answered {answer:?}", self.package).into());
        };
        Ok(Outcome {
            time: std::time::Duration::from_secs_f64(time.parse()?),
            reached: reached.parse()?,
            total: Some(total.parse()?),
        })
    }
}
