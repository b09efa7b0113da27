//! Sparse linear algebra on a GPU compared with cuSPARSE on the same one.

use clap::Parser;
use comfy_table::Table;
use equipoise::{
    Times,
    device::{Device, OpenDevice},
    graph::{Matrix, io::ReadOptions, load_matrix},
    sparse::{
        Dense, MatrixFeatures, SparseOptions, SparseSchedule, Spmm, Spmv,
        gpu::{
            DeviceDense, DeviceMatrix, DeviceReordering, Reordering, SpmmPlan, SpmvPlan, spgemm,
            spmm_schedule, spmv_schedule,
        },
        spgemm as cpu_spgemm,
    },
};
use equipoise_benches::{Result, copy, cusparse, direct::Direct, measure::table, python::Python};
use equipoise_schedule::{ScheduleName, device::Gpu, plan::ScheduleOptions};

/// The graphs of the performance notes.
const MATRICES: &[&str] = &[
    "rmat:scale=20,edge-factor=16",
    "rmat:scale=22,edge-factor=16",
    "er:n=1048576,m=16777216",
    "grid:width=2000,height=2000,drop=0.1",
];

#[derive(Parser)]
struct Arguments {
    /// Files or generators' specs; without any, two RMAT graphs, a uniform one and a grid
    matrices: Vec<String>,
    #[arg(long, default_value = "auto")]
    device: Device,
    /// Time cuSPARSE and CuPy too, with a Python that has CuPy
    #[arg(long)]
    cusparse: bool,
    #[arg(long, default_value = "python3")]
    python: String,
    /// Settings to try beside the schedules' own, such as binned:u512:i8
    #[arg(long, value_delimiter = ',')]
    settings: Vec<String>,
    /// Leave out the schedules with their own settings: time `auto` and `--settings` only
    #[arg(long)]
    brief: bool,
    #[arg(long)]
    spmm: bool,
    #[arg(long)]
    spgemm: bool,
    #[arg(long, default_value = "100")]
    repeat: u32,
    /// Given by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

impl Arguments {
    /// The schedules to time with their default settings.
    fn schedules(&self) -> impl Iterator<Item = ScheduleName> {
        let all = if self.brief { &[] } else { ScheduleName::ALL };
        all.iter().copied()
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let OpenDevice::Gpu(gpu) = arguments.device.open()? else {
        return Err("this benchmark needs a GPU".into());
    };
    run(&gpu, &arguments)
}

fn run(gpu: &Gpu, arguments: &Arguments) -> Result<()> {
    let bandwidth = copy::bandwidth(gpu)?;
    println!("{}: a copy moves {:.0} GB/s", gpu.properties().name, bandwidth / 1e9);
    let mut python = if arguments.cusparse {
        Some(Python::start(&arguments.python, "cusparse.py")?)
    } else {
        None
    };
    let named: Vec<&str> = arguments.matrices.iter().map(String::as_str).collect();
    for &name in if named.is_empty() { MATRICES } else { &named } {
        let matrix = load_matrix::<f32>(name, &ReadOptions::default())?;
        let matrix = Matrix::from_csr(matrix.csr().clone(), values(matrix.entries() as usize))?;
        println!("\n{name}: {} rows, {} entries", matrix.rows(), matrix.entries());
        let wanted = format!(
            "spmv {} {}",
            if arguments.spmm { "spmm" } else { "" },
            if arguments.spgemm { "spgemm" } else { "" }
        );
        let theirs = python.as_mut().map(|python| cusparse::time(python, &matrix, &wanted));
        let theirs = theirs.transpose()?;
        let mut rows = Rows::new(bandwidth);
        let theirs_spmv = theirs.as_ref().and_then(|times| times.spmv);
        time_spmv(gpu, arguments, &matrix, theirs_spmv, &mut rows)?;
        if arguments.spmm {
            let theirs = theirs.as_ref().and_then(|times| times.spmm);
            time_spmm(gpu, arguments, &matrix, theirs, &mut rows)?;
        }
        if arguments.spgemm {
            let theirs = theirs.as_ref().and_then(|times| times.spgemm);
            time_spgemm(gpu, &matrix, theirs, &mut rows)?;
        }
        println!("{}", rows.table);
    }
    Ok(())
}

/// Distinct non-zero numbers.
fn values(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 1000) as f32 / 1000.0 - 0.4995).collect()
}

struct Rows {
    table: Table,
    bandwidth: f64,
}

impl Rows {
    fn new(bandwidth: f64) -> Self {
        let header = ["what", "time", "useful GB/s", "of a copy", "cuSPARSE ÷ ours"];
        Self { table: table(&header, 1), bandwidth }
    }

    fn push(&mut self, what: &str, seconds: f64, useful_bytes: f64, theirs: Option<f64>) {
        let rate = useful_bytes / seconds;
        self.table.add_row([
            what.to_owned(),
            format!("{:.1} µs", seconds * 1e6),
            format!("{:.0}", rate / 1e9),
            format!("{:.0} %", 100.0 * rate / self.bandwidth),
            theirs.map_or("-".into(), |theirs| format!("{:.3}", theirs / seconds)),
        ]);
    }
}

fn time_spmv(
    gpu: &Gpu,
    arguments: &Arguments,
    matrix: &Matrix<f32>,
    theirs: Option<f64>,
    rows: &mut Rows,
) -> Result<()> {
    let x = values(matrix.columns() as usize);
    let (device_matrix, dx) = (DeviceMatrix::upload(gpu, matrix)?, gpu.upload(&x)?);
    let bytes = 8.0 * matrix.entries() as f64 + 12.0 * f64::from(matrix.rows());
    if let Some(theirs) = theirs {
        rows.push("SpMV, cuSPARSE", theirs, bytes, Some(theirs));
    }
    let features = MatrixFeatures::new(matrix);
    let auto = spmv_schedule(&features);
    let mut all = vec![(format!("SpMV, auto: {}", auto.schedule), auto)];
    all.extend(arguments.schedules().map(|name| (format!("SpMV, {name}"), name.into())));
    for setting in &arguments.settings {
        all.push((format!("SpMV, {setting}"), parse_setting(setting)?));
    }
    let y = gpu.filled(matrix.rows() as usize, f32::NAN)?;
    let mut time = |what: &str, run: &mut dyn FnMut() -> equipoise_schedule::Result<()>| {
        gpu.fill(&y, f32::NAN)?;
        run()?;
        Spmv { y: gpu.download(&y)?, schedule: SparseSchedule::Auto, times: Times::default() }
            .verify(matrix, &x)?;
        let timing = gpu.time(3, arguments.repeat, &mut *run)?;
        rows.push(what, timing.as_secs_f64(), bytes, theirs);
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    for (what, options) in all {
        let plan = SpmvPlan::new(gpu, &device_matrix, options)?;
        time(&what, &mut || plan.run(&dx, &y).map_err(device_error))?;
    }
    let direct = Direct::new(gpu, &device_matrix)?;
    time("SpMV, merge-path without the model", &mut || {
        direct.run(gpu, &dx, &y);
        Ok(())
    })?;
    let reordering = Reordering::by_degree(matrix);
    let reordered = DeviceMatrix::upload(gpu, &reordering.apply(matrix)?)?;
    let order = DeviceReordering::upload(gpu, &reordering)?;
    let dx_reordered = gpu.empty(x.len())?;
    let mut all = vec![(format!("{}", auto.schedule), auto)];
    for setting in arguments.settings.iter().filter(|_| !arguments.brief) {
        all.push((setting.clone(), parse_setting(setting)?));
    }
    for (what, options) in all {
        let plan = SpmvPlan::new(gpu, &reordered, options)?;
        time(&format!("SpMV, {what} after reordering by degree"), &mut || {
            order.gather(gpu, &dx, &dx_reordered).map_err(device_error)?;
            plan.run(&dx_reordered, &y).map_err(device_error)
        })?;
    }
    Ok(())
}

/// Converts an error for timed closures.
fn device_error(error: equipoise::Error) -> equipoise_schedule::Error {
    equipoise_schedule::Error::Device(error.to_string())
}

fn time_spmm(
    gpu: &Gpu,
    arguments: &Arguments,
    matrix: &Matrix<f32>,
    theirs: Option<f64>,
    rows: &mut Rows,
) -> Result<()> {
    const COLUMNS: u32 = 32;
    let dense =
        Dense::new(matrix.columns(), COLUMNS, values((matrix.columns() * COLUMNS) as usize))?;
    let device_matrix = DeviceMatrix::upload(gpu, matrix)?;
    let dense_there = DeviceDense::upload(gpu, &dense)?;
    let product = DeviceDense::empty(gpu, matrix.rows(), COLUMNS)?;
    let bytes = 8.0 * matrix.entries() as f64
        + 4.0 * f64::from(COLUMNS) * (f64::from(matrix.rows()) + f64::from(matrix.columns()));
    if let Some(theirs) = theirs {
        rows.push("SpMM, cuSPARSE", theirs, bytes, Some(theirs));
    }
    let auto = spmm_schedule(&MatrixFeatures::new(matrix));
    let mut all = vec![(format!("SpMM, auto: {}", auto.schedule), auto)];
    all.extend(arguments.schedules().map(|name| (format!("SpMM, {name}"), name.into())));
    for setting in &arguments.settings {
        all.push((format!("SpMM, {setting}"), parse_setting(setting)?));
    }
    for (what, options) in all {
        let plan = SpmmPlan::new(gpu, &device_matrix, COLUMNS, options)?;
        plan.run(&dense_there, &product)?;
        Spmm {
            product: product.download(gpu)?,
            schedule: SparseSchedule::Auto,
            times: Times::default(),
        }
        .verify(matrix, &dense)?;
        let timing = gpu.time(2, arguments.repeat.div_ceil(5), || {
            plan.run(&dense_there, &product).map_err(device_error)
        })?;
        rows.push(&what, timing.as_secs_f64(), bytes, theirs);
    }
    Ok(())
}

fn time_spgemm(
    gpu: &Gpu,
    matrix: &Matrix<f32>,
    theirs: Option<f64>,
    rows: &mut Rows,
) -> Result<()> {
    let device_matrix = DeviceMatrix::upload(gpu, matrix)?;
    let mut result = cpu_spgemm(matrix, matrix, &SparseOptions::default())?;
    result.product = spgemm(gpu, &device_matrix, &device_matrix)?.download(gpu)?;
    result.verify(matrix, matrix)?;
    let bytes = 16.0 * matrix.entries() as f64 + 8.0 * result.product.entries() as f64;
    if let Some(theirs) = theirs {
        rows.push("SpGEMM, CuPy", theirs, bytes, Some(theirs));
    }
    let timing = gpu.time(2, 10, || {
        spgemm(gpu, &device_matrix, &device_matrix).map(drop).map_err(device_error)
    })?;
    rows.push("SpGEMM", timing.as_secs_f64(), bytes, theirs);
    Ok(())
}

/// Parses a schedule and its settings: `u` units, `g` units of a group, `i` items, `c` coarsening.
fn parse_setting(text: &str) -> Result<ScheduleOptions> {
    let mut parts = text.split(':');
    let name: ScheduleName = parts.next().unwrap_or_default().parse()?;
    let mut options = ScheduleOptions::from(name);
    for part in parts {
        let number = part.get(1..).unwrap_or_default().parse()?;
        match part.as_bytes().first() {
            Some(b'u') => options.units = number,
            Some(b'g') => options.group = number,
            Some(b'i') => options.items = number,
            Some(b'c') => options.coarsening = number,
            _ => return Err(format!("{text}: {part} is no setting").into()),
        }
    }
    options.group = options.group.min(options.units);
    Ok(options)
}
