//! `equipoise mttkrp`: a sparse tensor times two factor matrices.

use equipoise::{
    LoadedTensor, Trace,
    graph::{Mode, SparseTensor, generate, memory},
    npy,
    sparse::{Choice, Dense, SparseOptions},
};
use serde::Serialize;

use crate::{
    arguments::{OutputArgument, RunArguments, at_least_one},
    choice::Job,
    failure::Result,
    files::GraphName,
    load::{self, TensorFacts},
    machine::Machine,
    measure::{Plan, Report, Runs},
    numbers,
    output::{Kind, ResultFile, with_rows},
    precision::numbers_by,
    product::{is_plain, print_choice},
    rows::Cell,
    screen::{Screen, ScreenArguments},
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
    choice: &'a Choice,
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
        |loaded| Ok(Job::mttkrp(&loaded.tensor, rank, arguments.run.count())),
    )?;
    let tensor = &loaded.tensor;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let there = LoadedTensor::new(&device, tensor);
    let mttkrp = there.mttkrp(mode, rank, options)?;
    let choice = mttkrp.choice();
    print_choice(choice, &mut screen)?;

    let [left, right] = factors(tensor, mode, rank, arguments.seed)?;
    let factors = [&left, &right];
    let measured = Plan::from(&arguments.run).on(&device).measure(
        || mttkrp.run(factors),
        |mttkrp| (mttkrp.times, Trace::default()),
        |mttkrp| mttkrp.verify(tensor, mode, factors),
    )?;
    let product = &measured.result.product;
    match &file {
        Some(file) if file.kind() == Kind::Npy => {
            let shape = [product.rows().into(), product.columns().into()];
            file.write_npy(|out| npy::write(out, &shape, product.values()))?;
        }
        file => with_rows(file.as_ref(), &["slice", "column", "value"], |rows| {
            for slice in 0..product.rows() {
                for (column, &value) in (0..).zip(product.row(slice)) {
                    let slice = Cell::Whole(loaded.first + u64::from(slice));
                    rows.write(&[slice, Cell::Whole(column), Cell::Single(value)])?;
                }
            }
            Ok(())
        })?,
    }

    let sum: f64 = product.values().iter().map(|&value| f64::from(value)).sum();
    screen.fact("product", format_args!("mode {mode}, {} × {rank}, sum {sum}", product.rows()))?;
    measured.runs.print(&mut screen)?;
    let operations = tensor.nonzeros().saturating_mul(u64::from(rank)).saturating_mul(3);
    if let Some(rate) = numbers::rate(operations, measured.runs.time(), "FLOP/s")
        && operations > 0
    {
        screen.fact("rate", format_args!("{rate} (three for each nonzero and column)"))?;
    }
    measured.runs.print_verdict(&mut screen, "each number is as near as its precision allows")?;
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

/// The factors of the two other modes, if there can be memory for them.
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
        // Of one seed, each mode has numbers of its own.
        let seed = seed.map(|seed| seed.wrapping_add(other.index() as u64));
        Ok(Dense::new(rows, rank, numbers_by(seed, count as usize))?)
    };
    let [left, right] = mode.others();
    Ok([factor(left)?, factor(right)?])
}
