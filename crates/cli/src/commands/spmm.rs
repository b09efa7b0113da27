//! `equipoise spmm`: a sparse matrix times a dense one.

use equipoise::{
    LoadedMatrix, Trace,
    graph::Value,
    npy,
    sparse::{Choice, Dense, SparseOptions},
};
use serde::Serialize;

use crate::{
    arguments::{LoadArguments, OutputArgument, RunArguments, at_least_one},
    choice::Job,
    failure::{Failure, Result},
    files::GraphName,
    load::{self, MatrixFacts},
    machine::Machine,
    measure::{Plan, Report, Runs},
    output::{Kind, ResultFile, with_rows},
    precision::{Number, OperandArguments, Precision},
    product::{CsvArgument, is_plain, print_choice},
    rows::Cell,
    screen::{Screen, ScreenArguments},
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

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    matrix: MatrixFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a SparseOptions,
    choice: &'a Choice,
    precision: Precision,
    columns: u32,
    sum: f64,
    runs: &'a Runs,
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
        |loaded| Ok(Job::spmv(&loaded.matrix, arguments.columns, arguments.run.count())),
    )?;
    let matrix = &loaded.matrix;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let columns = arguments.columns;
    let there = LoadedMatrix::new(&device, matrix)?;
    let spmm = there.spmm(columns, &arguments.options)?;
    let choice = spmm.choice();
    print_choice(choice, &mut screen)?;

    let operand = operand::<T>(&arguments.operand, matrix.columns(), columns)?;
    let measured = Plan::from(&arguments.run).on(&device).measure(
        || spmm.run(&operand),
        |spmm| (spmm.times, Trace::default()),
        |spmm| spmm.verify(matrix, &operand),
    )?;
    let product = &measured.result.product;
    match &file {
        Some(file) if file.kind() == Kind::Npy => {
            let shape = [product.rows().into(), product.columns().into()];
            file.write_npy(|out| npy::write(out, &shape, product.values()))?;
        }
        file => with_rows(file.as_ref(), &["row", "column", "value"], |rows| {
            for row in 0..product.rows() {
                for (column, value) in (0..).zip(product.row(row)) {
                    let row = Cell::from(loaded.rows.id(row));
                    rows.write(&[row, Cell::Whole(column), value.cell()])?;
                }
            }
            Ok(())
        })?,
    }

    let sum: f64 = product
        .values()
        .iter()
        .map(|&value| Value::to_f64(value))
        .fold(0.0, |sum, value| sum + value);
    screen.fact("product", format_args!("{} × {columns}, sum {sum}", product.rows()))?;
    measured.runs.print(&mut screen)?;
    measured.runs.print_flops(matrix.entries() * u64::from(columns), &mut screen)?;
    measured.runs.print_verdict(&mut screen, "each number is as near as its precision allows")?;
    let time = measured.runs.time();
    arguments.csv.append(choice.schedule, &arguments.matrix, matrix, time)?;
    screen.json(&Document {
        command: "spmm",
        matrix: loaded.facts(),
        machine,
        options: &arguments.options,
        choice,
        precision: arguments.operand.precision,
        columns,
        sum,
        runs: &measured.runs,
    })
}

/// The dense operand, if there can be memory for it.
fn operand<T: Number>(arguments: &OperandArguments, rows: u32, columns: u32) -> Result<Dense<T>> {
    let bytes = u64::from(rows) * u64::from(columns) * size_of::<T>() as u64;
    let available = equipoise::device::cpu().available;
    if let Some(available) = available.filter(|&available| bytes > available) {
        return Err(Failure::new(format!(
            "a dense matrix of {rows} × {columns} needs {bytes} bytes of memory: {available} bytes \
             are available"
        )));
    }
    let numbers = arguments.numbers(rows as usize * columns as usize);
    Ok(Dense::new(rows, columns, numbers)?)
}
