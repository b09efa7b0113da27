//! `equipoise spmv`: a sparse matrix times a vector.

use std::sync::Arc;

use equipoise::{
    LoadedMatrix, Trace, npy,
    select::Model,
    sparse::{SparseLayout, SparseOptions},
};

use crate::{
    arguments::{LoadArguments, OutputArgument, RunArguments},
    choice,
    failure::Result,
    files::{GraphName, InputFile},
    load,
    machine::Machine,
    measure::Plan,
    numbers,
    output::{Kind, ResultFile, with_rows},
    precision::{Number, OperandArguments, Precision},
    product::{self, CsvArgument, DenseDocument, is_plain, print_choice, sum},
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Examples:
  equipoise spmv rmat:scale=16
  equipoise spmv rmat:scale=16 --device cuda --schedule merge-path --repeat 10 --csv times.csv
  equipoise spmv rmat:scale=16 --device cuda --layout csc --schedule work-stealing
  equipoise spmv matrix:rows=100000,columns=50,entries=800000,skew=3
  equipoise spmv matrix.mtx --precision f64 --seed 7 -o y.npy";

/// Multiply a sparse matrix by a vector
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// A file, or a generator's spec such as rmat:scale=16; of a graph, the adjacency matrix is taken
    #[arg(value_name = "GRAPH")]
    matrix: GraphName,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: SparseOptions,
    /// Let the model in FILE choose the schedule
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    model: Option<InputFile>,
    #[command(flatten)]
    operand: OperandArguments,
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
        is_plain(&arguments.options) && arguments.model.is_none(),
        || load::matrix::<T>(&arguments.matrix, &arguments.load, &mut screen),
        |loaded| Ok(choice::of_spmv(&loaded.matrix, 1).times(arguments.run.count())),
    )?;
    let matrix = &loaded.matrix;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let device_matrix = LoadedMatrix::new(&device, matrix)?;
    let model = arguments.model.as_deref().map(Model::read).transpose()?.map(Arc::new);
    let options = SparseOptions { model, ..arguments.options };
    let spmv = device_matrix.spmv(&options)?;
    let choice = spmv.choice();
    print_choice(choice, &mut screen)?;

    let x = arguments.operand.numbers::<T>(matrix.columns() as usize);
    let measured = Plan::from(&arguments.run).for_device(&device).measure(
        || spmv.run(&x),
        |spmv| (spmv.times, Trace::default()),
        |spmv| spmv.verify(matrix, &x).map(|()| product::verdict()),
    )?;
    let y = &measured.result.y;
    match &file {
        Some(file) if file.kind() == Kind::Npy => {
            file.write_npy(|out| npy::write(out, &[y.len() as u64], y))?;
        }
        file => with_rows(file.as_ref(), &["row", "value"], |rows| {
            for (row, value) in (0..matrix.rows()).zip(y) {
                rows.write(&[loaded.rows.id(row).into(), value.cell()])?;
            }
            Ok(())
        })?,
    }

    let sum = sum(y);
    screen.fact(
        "product",
        format_args!("{} numbers, sum {}", numbers::count(y.len() as u64), numbers::short(&sum)),
    )?;
    measured.runs.print_product(matrix.entries(), &mut screen)?;
    let time = measured.runs.time();
    let kernel = match options.layout {
        SparseLayout::Csr => choice.schedule.to_string(),
        layout => format!("{layout}-{}", choice.schedule),
    };
    arguments.csv.append(kernel, &arguments.matrix, matrix, time)?;
    screen.json(&DenseDocument {
        command: "spmv",
        matrix: loaded.facts(),
        machine,
        options: &options,
        choice,
        precision: arguments.operand.precision,
        columns: None,
        sum,
        runs: &measured.runs,
    })
}
