//! `equipoise spgemm`: a sparse matrix times a sparse matrix.

use equipoise::{
    LoadedMatrix, Trace,
    graph::io::{Format, write_matrix},
    sparse::{ScheduleChoice, SparseOptions, multiplications},
};
use serde::Serialize;

use crate::{
    arguments::{LoadArguments, RunArguments},
    choice,
    failure::Result,
    files::{GraphName, OutputFile},
    load::{self, MatrixFacts},
    machine::Machine,
    measure::{Plan, Runs},
    numbers,
    output::{graph_format, unless_reader_left},
    precision::{Number, Precision},
    product::{self, CsvArgument, is_plain, print_choice},
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Examples:
  equipoise spgemm rmat:scale=12
  equipoise spgemm a.mtx b.mtx --precision f64 -o product.mtx";

/// Multiply a sparse matrix by itself or by another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// A file, or a generator's spec such as rmat:scale=12, whose adjacency matrix is taken
    #[arg(value_name = "GRAPH")]
    left: GraphName,
    /// The second operand [default: the first]
    #[arg(value_name = "SECOND")]
    right: Option<GraphName>,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: SparseOptions,
    /// Multiply in 32 or 64 bits
    #[arg(long, value_enum, default_value_t, help_heading = "Algorithm")]
    precision: Precision,
    #[command(flatten)]
    run: RunArguments,
    /// Write the product to FILE, such as product.mtx or product.eqp; its name tells the format
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<OutputFile>,
    /// The format of FILE; without it, the one its name tells
    #[arg(long, value_enum, value_name = "FORMAT", requires = "output", help_heading = "Output")]
    to: Option<Format>,
    #[command(flatten)]
    csv: CsvArgument,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    matrix: MatrixFacts<'a>,
    second: Option<MatrixFacts<'a>>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a SparseOptions,
    choice: &'a ScheduleChoice,
    precision: Precision,
    rows: u32,
    columns: u32,
    entries: u64,
    multiplications: u64,
    runs: &'a Runs,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    match arguments.precision {
        Precision::F32 => multiply::<f32>(arguments),
        Precision::F64 => multiply::<f64>(arguments),
    }
}

fn multiply<T: Number>(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let output = arguments.output.as_ref();
    let format = output
        .map(|path| graph_format(path, arguments.to, "--to", Format::MatrixMarket))
        .transpose()?;
    arguments.csv.check()?;
    let load = || {
        let mut load = |name| load::matrix::<T>(name, &arguments.load, &mut screen);
        let left = load(&arguments.left)?;
        Ok((left, arguments.right.as_ref().map(load).transpose()?))
    };
    let job = |(left, right): &(load::InputMatrix<T>, Option<load::InputMatrix<T>>)| {
        let (a, b) = (&left.matrix, &right.as_ref().unwrap_or(left).matrix);
        Ok(choice::of_spgemm(a, b, multiplications(a, b)?).times(arguments.run.count()))
    };
    let is_plain = is_plain(&arguments.options);
    let (machine, device, (left, right)) = Machine::open_for(&arguments.run, is_plain, load, job)?;
    left.print(&mut screen)?;
    if let Some(right) = &right {
        right.print(&mut screen)?;
    }
    machine.print(&mut screen)?;

    let (a, b) = (&left.matrix, right.as_ref().map_or(&left.matrix, |right| &right.matrix));
    let device_a = LoadedMatrix::new(&device, a)?;
    let device_b = right.as_ref().map(|_| LoadedMatrix::new(&device, b)).transpose()?;
    let spgemm = device_a.spgemm(device_b.as_ref().unwrap_or(&device_a), &arguments.options)?;
    let choice = spgemm.choice();
    print_choice(choice, &mut screen)?;
    let measured = Plan::from(&arguments.run).for_device(&device).measure(
        || spgemm.run(),
        |spgemm| (spgemm.times, Trace::default()),
        |spgemm| spgemm.verify(a, b).map(|()| product::verdict()),
    )?;
    let (product, multiplications) = (&measured.result.product, measured.result.multiplications);
    if let Some(path) = &arguments.output {
        unless_reader_left(path, write_matrix(product, path, format))?;
    }

    let entries = numbers::counted(product.entries(), "entry", "entries");
    let (rows, columns) = (product.rows(), product.columns());
    screen.fact("product", format_args!("{rows} × {columns}, {entries}"))?;
    screen.fact("multiplied", format_args!("{} times", numbers::count(multiplications)))?;
    measured.runs.print_product(multiplications, &mut screen)?;
    arguments.csv.append(choice.schedule, &arguments.left, a, measured.runs.time())?;
    screen.json(&Document {
        command: "spgemm",
        matrix: left.facts(),
        second: right.as_ref().map(|right| right.facts()),
        machine,
        options: &arguments.options,
        choice,
        precision: arguments.precision,
        rows,
        columns,
        entries: product.entries(),
        multiplications,
        runs: &measured.runs,
    })
}
