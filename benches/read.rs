//! Reading of files compared with fast_matrix_market, in one run, and opening of an `.eqp` file.

use std::{
    cell::RefCell,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Parser;
use equipoise::graph::{
    Graph, Matrix, VertexIds,
    generate::{Generator, Rmat, Spec},
    io::{ReadOptions, read_graph, read_matrix, write_graph, write_matrix},
};
use equipoise_benches::{
    Result,
    measure::{Timed, alternate, milliseconds, table, timed, times_as_fast, use_threads},
    python::Python,
};

/// Reading Matrix Market files and edge lists beside fast_matrix_market, in one run.
#[derive(Parser)]
#[command(name = "cargo bench -p equipoise-benches --bench read --")]
struct Options {
    /// The graph in the files has 2^SCALE vertices and up to 16 edges for each.
    #[arg(long, default_value_t = 20)]
    scale: u64,
    /// The Python to run fast_matrix_market with.
    #[arg(long, default_value = "python3")]
    python: String,
    /// How often to read each file.
    #[arg(long, default_value = "5")]
    repeats: NonZeroUsize,
    /// How many threads each program uses [default: one a core].
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
    let peer = Peer { python: RefCell::new(Python::start(&options.python, "read.py")?), threads };
    let folder = tempfile::tempdir()?;
    eprintln!("writing the files");
    let files = Files::write(options.scale, folder.path())?;

    println!(
        "{threads} threads; {} entries; time of a read, and equipoise's share of it",
        files.graph.edges()
    );
    let mut table = table(&["file", "program", "time", "MB/s", "times as fast"], 2);
    for case in files.cases() {
        eprintln!("{}", case.what);
        let mut works: [Timed; 3] = [
            Box::new(|| case.read(&files)),
            Box::new(|| peer.read("csr", case.peer_file, &case.contents)),
            Box::new(|| peer.read("coo", case.peer_file, &case.contents)),
        ];
        let times = alternate(&mut works, options.repeats.get())?;
        let programs = [
            ("equipoise", case.file),
            ("fast_matrix_market, SciPy's rows", case.peer_file),
            ("fast_matrix_market alone", case.peer_file),
        ];
        for ((program, file), &time) in programs.into_iter().zip(&times) {
            let megabytes = std::fs::metadata(file)?.len() as f64 / 1e6;
            table.add_row([
                case.what,
                program,
                &milliseconds(time),
                &format!("{:.0}", megabytes / time.as_secs_f64()),
                &times_as_fast(times[0], time),
            ]);
        }
    }
    println!("{table}");
    open_mapped(&files, options.repeats.get())
}

/// Times opening the `.eqp` file, and opening and checking it.
fn open_mapped(files: &Files, repeats: usize) -> Result<()> {
    let open = || Ok(read_graph(&files.mapped, &ReadOptions::default())?);
    let mut works: [Timed; 2] = [
        Box::new(|| {
            let (graph, time) = timed(open)?;
            Contents::of_graph(&graph).check(&Contents::of_graph(&files.graph))?;
            Ok(time)
        }),
        Box::new(|| {
            let (_, time) = timed(|| Ok(open()?.check()?))?;
            Ok(time)
        }),
    ];
    let times = alternate(&mut works, repeats)?;
    println!(
        "{:.0} MB of .eqp: opened in {}, opened and checked in {}",
        std::fs::metadata(&files.mapped)?.len() as f64 / 1e6,
        milliseconds(times[0]),
        milliseconds(times[1])
    );
    Ok(())
}

/// One graph in several files.
struct Files {
    graph: Graph,
    matrix: Matrix<f64>,
    pattern: PathBuf,
    real: PathBuf,
    edges: PathBuf,
    mapped: PathBuf,
}

impl Files {
    fn write(scale: u64, folder: &Path) -> Result<Self> {
        let spec = Spec { directed: true, ..Spec::new(Generator::Rmat(Rmat::new(scale))) };
        let graph = spec.generate()?;
        let values = (0..graph.edges()).map(|entry| {
            let bits = entry.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
            bits as f64 / (1u64 << 52) as f64 - 1.0
        });
        let matrix = Matrix::from_csr(graph.csr().clone(), values.collect())?;
        let path = |name: &str| folder.join(name);
        let files = Self {
            pattern: path("pattern.mtx"),
            real: path("real.mtx"),
            edges: path("edges.tsv"),
            mapped: path("graph.eqp"),
            graph,
            matrix,
        };
        write_graph(&files.graph, &files.pattern, None)?;
        write_matrix(&files.matrix, &files.real, None)?;
        write_graph(&files.graph, &files.edges, None)?;
        write_graph(&files.graph, &files.mapped, None)?;
        Ok(files)
    }

    /// fast_matrix_market has no edge lists: it reads the same lines as a pattern matrix.
    fn cases(&self) -> [Case<'_>; 3] {
        let graph = Contents::of_graph(&self.graph);
        let matrix = Contents::of_matrix(&self.matrix);
        let (pattern, real, edges) = (&self.pattern, &self.real, &self.edges);
        [
            Case { what: "pattern .mtx", file: pattern, peer_file: pattern, contents: graph },
            Case { what: "real .mtx", file: real, peer_file: real, contents: matrix },
            Case { what: "edge list", file: edges, peer_file: pattern, contents: graph },
        ]
    }
}

/// A file with its expected contents.
struct Case<'a> {
    what: &'static str,
    file: &'a Path,
    peer_file: &'a Path,
    contents: Contents,
}

impl Case<'_> {
    /// Reads the file with Equipoise, into compressed rows.
    fn read(&self, files: &Files) -> Result<Duration> {
        let options = ReadOptions::default();
        let (contents, time) = if self.file == files.real {
            let (matrix, time) = timed(|| Ok(read_matrix::<f64>(self.file, &options)?))?;
            (Contents::of_matrix(&matrix), time)
        } else {
            let (graph, time) = timed(|| Ok(read_graph(self.file, &options)?))?;
            (Contents::of_graph(&graph), time)
        };
        contents.check(&self.contents)?;
        Ok(time)
    }
}

/// The Python process of fast_matrix_market.
struct Peer {
    python: RefCell<Python>,
    threads: usize,
}

impl Peer {
    fn read(&self, form: &str, file: &Path, expected: &Contents) -> Result<Duration> {
        let request = format!("{form} {} {}", self.threads, file.display());
        let answer = self.python.borrow_mut().ask(&request)?;
        let [seconds, entries, positions, values] = &answer[..] else {
            return Err(format!("fast_matrix_market's program answered {answer:?}").into());
        };
        let contents = Contents {
            entries: entries.parse()?,
            positions: positions.parse()?,
            values: values.parse()?,
        };
        contents.check(expected)?;
        Ok(Duration::from_secs_f64(seconds.parse()?))
    }
}

/// A fingerprint of a matrix.
#[derive(Clone, Copy, Debug)]
struct Contents {
    entries: u64,
    /// The wrapping sum of 2³² · row + column over all entries.
    positions: u64,
    values: f64,
}

impl Contents {
    /// Vertices are counted from 0, as in the generator and in the edge list.
    fn of_graph(graph: &Graph) -> Self {
        // A table has the generator's numbers; others are counted from the first.
        let id = |vertex: u32| match graph.ids() {
            VertexIds::Table(table) => table[vertex as usize],
            _ => vertex.into(),
        };
        let positions = (0..graph.vertices()).flat_map(|vertex| {
            graph.neighbors(vertex).iter().map(move |&neighbor| (id(vertex) << 32) + id(neighbor))
        });
        let positions = positions.fold(0, u64::wrapping_add);
        Self { entries: graph.edges(), positions, values: graph.edges() as f64 }
    }

    fn of_matrix(matrix: &Matrix<f64>) -> Self {
        let positions = (0..matrix.rows()).flat_map(|row| {
            let columns = matrix.row(row).0;
            columns.iter().map(move |&column| (u64::from(row) << 32) + u64::from(column))
        });
        let positions = positions.fold(0, u64::wrapping_add);
        Self { entries: matrix.entries(), positions, values: matrix.values().iter().sum() }
    }

    fn check(&self, expected: &Self) -> Result<()> {
        let positions = (self.entries, self.positions) == (expected.entries, expected.positions);
        let values = (self.values - expected.values).abs() <= 1e-10 * self.entries as f64;
        if positions && values {
            Ok(())
        } else {
            Err(format!("{self:?} was read, but {expected:?} written").into())
        }
    }
}
