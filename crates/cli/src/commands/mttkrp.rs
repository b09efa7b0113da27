//! `equipoise mttkrp`: a sparse tensor times two factor matrices.

use equipoise::{
    LoadedTensor, Trace,
    graph::{Mode, SparseTensor, generate, memory},
    sparse::{Dense, ScheduleChoice, SparseOptions},
};
use serde::Serialize;

use crate::{
    arguments::{OutputArgument, RunArguments},
    choice,
    failure::Result,
    files::GraphName,
    load::{self, TensorFacts},
    machine::Machine,
    measure::{Plan, Runs},
    numbers,
    output::ResultFile,
    precision::numbers_by,
    product::{self, is_plain, print_choice, sum, write_dense},
    rows::{Cell, json_number},
    screen::{Screen, ScreenArguments},
    values::at_least_one,
};

const EXAMPLE: &str = "\
Examples:
  equipoise mttkrp tensor:i=20000,j=5000,k=500,nonzeros=1000000,skew=3 --rank 32
  equipoise mttkrp nell-2.tns.gz --mode 2 --device cuda --schedule merge-path --repeat 10
  equipoise mttkrp counts.tns --mode 3 --rank 8 --seed 7 -o product.npy";

/// Multiply a sparse tensor of three modes by two factors (MTTKRP)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE,
    after_long_help = format!("{EXAMPLE}\n\n{}", generate::tensor_help()))]
pub struct Arguments {
    /// A .tns file, or a spec such as tensor:i=300,j=200,k=100,nonzeros=5000,skew=3
    #[arg(value_name = "TENSOR")]
    tensor: GraphName,
    /// The mode whose slices are the rows of the product
    #[arg(long, value_enum, default_value_t, help_heading = "Algorithm")]
    mode: Mode,
    /// The columns of the factors
    #[arg(long, value_name = "R", default_value = "16", help_heading = "Algorithm",
        value_parser = at_least_one)]
    rank: u32,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: SparseOptions,
    /// Multiply by random numbers from -1 to 1 made by this seed; without it, by ones
    #[arg(long, value_name = "S", help_heading = "Algorithm")]
    seed: Option<u64>,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    tensor: TensorFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    mode: Mode,
    rank: u32,
    options: &'a SparseOptions,
    choice: &'a ScheduleChoice,
    #[serde(serialize_with = "json_number")]
    sum: f64,
    runs: &'a Runs,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let Arguments { mode, rank, options, .. } = &arguments;
    let (mode, rank) = (*mode, *rank);
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain(options),
        || load::tensor(&arguments.tensor, &mut screen),
        |loaded| Ok(choice::of_mttkrp(&loaded.tensor, rank).times(arguments.run.count())),
    )?;
    let tensor = &loaded.tensor;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let device_tensor = LoadedTensor::new(&device, tensor);
    let mttkrp = device_tensor.mttkrp(mode, rank, options)?;
    let choice = mttkrp.choice();
    print_choice(choice, &mut screen)?;

    let [left, right] = factors(tensor, mode, rank, arguments.seed)?;
    let factors = [&left, &right];
    let measured = Plan::from(&arguments.run).for_device(&device).measure(
        || mttkrp.run(factors),
        |mttkrp| (mttkrp.times, Trace::default()),
        |mttkrp| mttkrp.verify(tensor, mode, factors).map(|()| product::verdict()),
    )?;
    let product = &measured.result.product;
    let slice_cell = |slice| Cell::Whole(loaded.first + u64::from(slice));
    write_dense(file.as_ref(), &["slice", "column", "value"], product, slice_cell)?;

    let sum = sum(product.values());
    let rows = product.rows();
    let short = numbers::short(&sum);
    screen.fact("product", format_args!("mode {mode}, {rows} × {rank}, sum {short}"))?;
    measured.runs.print(&mut screen)?;
    let operations = tensor.nonzeros().saturating_mul(u64::from(rank)).saturating_mul(3);
    if let Some(rate) = numbers::rate(operations, measured.runs.time(), "FLOP/s")
        && operations > 0
    {
        screen.fact("rate", format_args!("{rate} (three for each nonzero and column)"))?;
    }
    measured.runs.print_verdict(&mut screen)?;
    screen.json(&Document {
        command: "mttkrp",
        tensor: loaded.facts(),
        machine,
        mode,
        rank,
        options,
        choice,
        sum,
        runs: &measured.runs,
    })
}

/// The factors of the two other modes; fails if they cannot fit in memory.
fn factors(
    tensor: &SparseTensor,
    mode: Mode,
    rank: u32,
    seed: Option<u64>,
) -> Result<[Dense<f32>; 2]> {
    let factor = |other: Mode| -> Result<Dense<f32>> {
        let rows = tensor.size(other);
        let count = u64::from(rows) * u64::from(rank);
        let what = format_args!("a factor of {rows} × {rank}");
        memory::check(what, memory::bytes_of::<f32>(count))?;
        // Each mode has different numbers for the same seed.
        let seed = seed.map(|seed| seed.wrapping_add(other.index() as u64));
        Ok(Dense::new(rows, rank, numbers_by(seed, count as usize))?)
    };
    let [left, right] = mode.others();
    Ok([factor(left)?, factor(right)?])
}
