//! SpMV on hundreds of small matrices compared with cuSPARSE on the same GPU: the cost per call
//! dominates.

use std::collections::BTreeMap;

use clap::Parser;
use equipoise::{
    Times,
    device::{Device, OpenDevice},
    graph::{Matrix, io::ReadOptions, load_matrix},
    sparse::{
        MatrixFeatures, SparseSchedule, Spmv,
        gpu::{DeviceMatrix, SpmvPlan, paper_schedule, spmv_schedule},
    },
};
use equipoise_benches::{Result, cusparse, measure::table, python::Python, small::specs};
use equipoise_schedule::{ScheduleName, device::Gpu, plan::ScheduleOptions};

/// Matrices with more entries are not small (Osama et al., 6.2).
const LARGEST: u64 = 10_000;

#[derive(Parser)]
struct Arguments {
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Time cuSPARSE too, with a Python that has CuPy
    #[arg(long)]
    cusparse: bool,
    #[arg(long, default_value = "python3")]
    python: String,
    /// Runs of each, of which the mean counts
    #[arg(long, default_value = "100")]
    repeat: u32,
    /// Take every so manyeth matrix only
    #[arg(long, default_value = "1")]
    every: usize,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

/// The seconds of each method on one matrix.
struct Timed {
    paper: f64,
    measured: f64,
    fastest: f64,
    theirs: Option<f64>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let OpenDevice::Gpu(gpu) = arguments.device.open()? else {
        return Err("this benchmark needs a GPU".into());
    };
    let mut python = if arguments.cusparse {
        Some(Python::start(&arguments.python, "cusparse.py")?)
    } else {
        None
    };
    println!("{}", gpu.properties().name);
    let mut families = BTreeMap::<&str, Vec<Timed>>::new();
    for (family, spec) in specs().into_iter().step_by(arguments.every.max(1)) {
        let matrix = load_matrix::<f32>(&spec, &ReadOptions::default())?;
        if matrix.entries() == 0 || matrix.entries() >= LARGEST {
            continue;
        }
        let matrix = Matrix::from_csr(matrix.csr().clone(), values(matrix.entries() as usize))?;
        let theirs = python.as_mut().map(|python| cusparse::time(python, &matrix, "spmv"));
        let theirs = theirs.transpose()?.and_then(|times| times.spmv);
        let timed = time(&gpu, &matrix, theirs, arguments.repeat)
            .map_err(|error| format!("{spec}: {error}"))?;
        families.entry(family).or_default().push(timed);
    }
    print(&families);
    Ok(())
}

/// Distinct non-zero numbers.
fn values(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 1000) as f32 / 1000.0 - 0.4995).collect()
}

/// Times each schedule, after verifying its product.
fn time(gpu: &Gpu, matrix: &Matrix<f32>, theirs: Option<f64>, repeat: u32) -> Result<Timed> {
    let x = values(matrix.columns() as usize);
    let (device_matrix, dx) = (DeviceMatrix::upload(gpu, matrix)?, gpu.upload(&x)?);
    let y = gpu.filled(matrix.rows() as usize, f32::NAN)?;
    let seconds = |options: ScheduleOptions| -> Result<f64> {
        let plan = SpmvPlan::new(gpu, &device_matrix, options)?;
        let run = || {
            let done = plan.run(&dx, &y);
            done.map_err(|error| equipoise_schedule::Error::Device(error.to_string()))
        };
        gpu.fill(&y, f32::NAN)?;
        run()?;
        let product = gpu.download(&y)?;
        Spmv { y: product, schedule: SparseSchedule::Auto, times: Times::default() }
            .verify(matrix, &x)?;
        Ok(gpu.time(3, repeat, run)?.as_secs_f64())
    };
    let features = MatrixFeatures::new(matrix);
    let paper = seconds(paper_schedule(&features, 500, 10_000))?;
    let measured = seconds(spmv_schedule(&features))?;
    let mut fastest = paper.min(measured);
    for &name in ScheduleName::ALL {
        fastest = fastest.min(seconds(name.into())?);
    }
    Ok(Timed { paper, measured, fastest, theirs })
}

fn print(families: &BTreeMap<&str, Vec<Timed>>) {
    let header = ["family", "matrices", "µs", "paper ÷ fastest", "measured ÷ fastest"];
    let cusparse_header =
        ["cuSPARSE µs", "cuSPARSE ÷ paper", "at most", "cuSPARSE ÷ measured", "at most"];
    let mut out = table(&[&header[..], &cusparse_header[..]].concat(), 1);
    let all: Vec<&Timed> = families.values().flatten().collect();
    let each = families.iter().map(|(name, timed)| (*name, timed.iter().collect::<Vec<_>>()));
    for (name, timed) in each.chain([("all", all)]) {
        let mean = |of: &dyn Fn(&Timed) -> Option<f64>| {
            numbers(&timed, of).map_or("-".into(), |n| {
                format!("{:.2}", (n.iter().map(|n| n.ln()).sum::<f64>() / n.len() as f64).exp())
            })
        };
        let most = |of: &dyn Fn(&Timed) -> Option<f64>| {
            numbers(&timed, of)
                .map_or("-".into(), |n| format!("{:.2}", n.iter().copied().fold(0.0, f64::max)))
        };
        let (by_paper, by_measured) = (
            |one: &Timed| one.theirs.map(|theirs| theirs / one.paper),
            |one: &Timed| one.theirs.map(|theirs| theirs / one.measured),
        );
        out.add_row([
            name.to_owned(),
            timed.len().to_string(),
            mean(&|one| Some(one.fastest * 1e6)),
            mean(&|one| Some(one.paper / one.fastest)),
            mean(&|one| Some(one.measured / one.fastest)),
            mean(&|one| one.theirs.map(|theirs| theirs * 1e6)),
            mean(&by_paper),
            most(&by_paper),
            mean(&by_measured),
            most(&by_measured),
        ]);
    }
    println!("{out}");
}

/// The numbers of all, if each has one.
fn numbers(timed: &[&Timed], of: &dyn Fn(&Timed) -> Option<f64>) -> Option<Vec<f64>> {
    timed.iter().map(|one| of(one)).collect()
}
