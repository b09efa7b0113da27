//! `equipoise spmm`: a sparse matrix times a dense one.

use equipoise::{
    LoadedMatrix, Trace,
    graph::memory,
    sparse::{Dense, SparseOptions},
};

use crate::{
    arguments::{LoadArguments, OutputArgument, RunArguments},
    choice,
    failure::Result,
    files::GraphName,
    load,
    machine::Machine,
    measure::Plan,
    numbers,
    output::ResultFile,
    precision::{Number, OperandArguments, Precision},
    product::{self, CsvArgument, DenseDocument, is_plain, print_choice, sum, write_dense},
    rows::Cell,
    screen::{Screen, ScreenArguments},
    values::at_least_one,
};

const EXAMPLE: &str = "\
Examples:
  equipoise spmm rmat:scale=16 --columns 32
  equipoise spmm matrix.mtx --columns 8 --seed 7 -o product.npy";

/// Multiply a sparse matrix by a dense one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// A file, or a generator's spec such as rmat:scale=16, whose adjacency matrix is taken
    #[arg(value_name = "GRAPH")]
    matrix: GraphName,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: SparseOptions,
    #[command(flatten)]
    operand: OperandArguments,
    /// The columns of the dense matrix
    #[arg(long, value_name = "K", default_value = "16", help_heading = "Algorithm",
        value_parser = at_least_one)]
    columns: u32,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    #[command(flatten)]
    csv: CsvArgument,
    #[command(flatten)]
    screen: ScreenArguments,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    match arguments.operand.precision {
        Precision::F32 => multiply::<f32>(arguments),
        Precision::F64 => multiply::<f64>(arguments),
    }
}

fn multiply<T: Number>(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    arguments.csv.check()?;
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain(&arguments.options),
        || load::matrix::<T>(&arguments.matrix, &arguments.load, &mut screen),
        |loaded| Ok(choice::of_spmv(&loaded.matrix, arguments.columns).times(arguments.run.count())),
    )?;
    let matrix = &loaded.matrix;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let columns = arguments.columns;
    let device_matrix = LoadedMatrix::new(&device, matrix)?;
    let spmm = device_matrix.spmm(columns, &arguments.options)?;
    let choice = spmm.choice();
    print_choice(choice, &mut screen)?;

    let operand = operand::<T>(&arguments.operand, matrix.columns(), columns)?;
    let measured = Plan::from(&arguments.run).for_device(&device).measure(
        || spmm.run(&operand),
        |spmm| (spmm.times, Trace::default()),
        |spmm| spmm.verify(matrix, &operand).map(|()| product::verdict()),
    )?;
    let product = &measured.result.product;
    let row_cell = |row| Cell::from(loaded.rows.id(row));
    write_dense(file.as_ref(), &["row", "column", "value"], product, row_cell)?;

    let sum = sum(product.values());
    screen.fact(
        "product",
        format_args!("{} × {columns}, sum {}", product.rows(), numbers::short(&sum)),
    )?;
    measured.runs.print_product(matrix.entries() * u64::from(columns), &mut screen)?;
    let time = measured.runs.time();
    arguments.csv.append(choice.schedule, &arguments.matrix, matrix, time)?;
    screen.json(&DenseDocument {
        command: "spmm",
        matrix: loaded.facts(),
        machine,
        options: &arguments.options,
        choice,
        precision: arguments.operand.precision,
        columns: Some(columns),
        sum,
        runs: &measured.runs,
    })
}

/// The dense operand; fails if it cannot fit in memory.
fn operand<T: Number>(arguments: &OperandArguments, rows: u32, columns: u32) -> Result<Dense<T>> {
    let bytes = memory::bytes_of::<T>(u64::from(rows) * u64::from(columns));
    memory::check(format_args!("a dense matrix of {rows} × {columns}"), bytes)?;
    let numbers = arguments.numbers(rows as usize * columns as usize);
    Ok(Dense::new(rows, columns, numbers)?)
}
