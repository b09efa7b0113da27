//! Products of matrices of many shapes under every schedule, verified against sums in f64.

use equipoise::{
    LoadedMatrix, Result,
    device::OpenDevice,
    graph::{Matrix, io::ReadOptions, load},
    sparse::{Dense, Number, SparseLayout, SparseOptions, SparseSchedule, gpu::ScatterPlan},
};

use super::{Check, Shape, Target};

/// Shapes that schedules get wrong.
const SHAPES: &[Shape] = &[
    ("empty", "isolated:n=0", "isolated:n=0"),
    ("empty-rows", "isolated:n=300", "isolated:n=100000"),
    ("giant-row", "star:n=2000,weights=1..9", "star:n=200000,weights=1..9"),
    ("power-law", "rmat:scale=8,weights=1..9", "rmat:scale=14,weights=1..9"),
    ("uniform", "grid:width=20,height=30,weights=1..9", "grid:width=300,height=400,weights=1..9"),
    ("dense", "complete:n=60,weights=1..9", "complete:n=700,weights=1..9"),
];

/// Smaller matrices, for products with many more numbers than the matrix.
const SMALLER_SHAPES: &[Shape] = &[
    ("empty", "isolated:n=0", "isolated:n=0"),
    ("empty-rows", "isolated:n=300", "isolated:n=100000"),
    ("giant-row", "star:n=100,weights=1..9", "star:n=1500,weights=1..9"),
    ("power-law", "rmat:scale=7,weights=1..9", "rmat:scale=11,weights=1..9"),
    ("uniform", "grid:width=20,height=30,weights=1..9", "grid:width=300,height=400,weights=1..9"),
    ("dense", "complete:n=60,weights=1..9", "complete:n=200,weights=1..9"),
];

/// Columns of a dense matrix: one, a few, and more than one tile.
const COLUMNS: &[u32] = &[1, 6, 37];

/// A sparse matrix times a vector.
pub fn spmv(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    each_precision(target, SHAPES, report, check_spmv::<f32>, check_spmv::<f64>)
}

/// A sparse matrix times a dense one.
pub fn spmm(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    each_precision(target, SMALLER_SHAPES, report, check_spmm::<f32>, check_spmm::<f64>)
}

/// A sparse matrix times itself.
pub fn spgemm(target: &Target, report: &mut dyn FnMut(Check)) -> Result<()> {
    each_precision(target, SMALLER_SHAPES, report, check_spgemm::<f32>, check_spgemm::<f64>)
}

/// Verifies a product of a matrix under every schedule.
type Checks<T> = for<'a> fn(&'a Target, &'a Matrix<T>) -> Outcomes<'a>;

type Outcomes<'a> = Box<dyn Iterator<Item = (SparseSchedule, Result<()>)> + 'a>;

fn each_precision(
    target: &Target,
    shapes: &[Shape],
    report: &mut dyn FnMut(Check),
    single: Checks<f32>,
    double: Checks<f64>,
) -> Result<()> {
    each_shape(target, shapes, report, single)?;
    let has_f64 = match &target.device {
        OpenDevice::Cpu => true,
        OpenDevice::Gpu(gpu) => gpu.properties().f64,
    };
    if has_f64 { each_shape(target, shapes, report, double) } else { Ok(()) }
}

fn each_shape<T: Number>(
    target: &Target,
    shapes: &[Shape],
    report: &mut dyn FnMut(Check),
    checks: Checks<T>,
) -> Result<()> {
    for &(input, small, large) in shapes {
        let spec = if target.large { large } else { small };
        let matrix = Matrix::from_graph(&load(spec, &ReadOptions::default())?)?;
        for (schedule, outcome) in checks(target, &matrix) {
            let verdict = outcome.map_err(|error| format!("{}: {error}", T::NAME));
            report(Check { subject: schedule.name(), input, verdict });
        }
    }
    Ok(())
}

fn check_spmv<'a, T: Number>(target: &'a Target, matrix: &'a Matrix<T>) -> Outcomes<'a> {
    let x = numbers(matrix.columns() as usize);
    let check = move |options: &SparseOptions| {
        let loaded = LoadedMatrix::new(&target.device, matrix)?;
        loaded.spmv(options)?.run(&x)?.verify(matrix, &x)
    };
    let all = schedules(target).into_iter().chain(layouts::<T>(target));
    Box::new(all.map(move |options| (options.schedule, check(&options))))
}

/// The layouts that are not by rows, if the device has them, under the schedule that it picks.
fn layouts<T: Number>(target: &Target) -> Vec<SparseOptions> {
    match &target.device {
        OpenDevice::Gpu(gpu) if target.wants("auto") && ScatterPlan::<T>::is_possible(gpu) => {
            let layouts = [SparseLayout::Csc, SparseLayout::Coo];
            layouts.map(|layout| SparseOptions { layout, ..SparseOptions::default() }).to_vec()
        }
        _ => Vec::new(),
    }
}

fn check_spmm<'a, T: Number>(target: &'a Target, matrix: &'a Matrix<T>) -> Outcomes<'a> {
    let check = move |options: &SparseOptions, columns: u32| {
        let values = numbers(matrix.columns() as usize * columns as usize);
        let dense = Dense::new(matrix.columns(), columns, values)?;
        let loaded = LoadedMatrix::new(&target.device, matrix)?;
        loaded.spmm(columns, options)?.run(&dense)?.verify(matrix, &dense)
    };
    Box::new(schedules(target).into_iter().flat_map(move |options| {
        COLUMNS.iter().map(move |&columns| (options.schedule, check(&options, columns)))
    }))
}

fn check_spgemm<'a, T: Number>(target: &'a Target, matrix: &'a Matrix<T>) -> Outcomes<'a> {
    let check = move |options: &SparseOptions| {
        let loaded = LoadedMatrix::new(&target.device, matrix)?;
        loaded.spgemm(&loaded, options)?.run()?.verify(matrix, matrix)
    };
    let all = match target.device {
        OpenDevice::Cpu => schedules(target),
        // A GPU has only one way.
        OpenDevice::Gpu(_) if target.wants("auto") => vec![SparseOptions::default()],
        OpenDevice::Gpu(_) => Vec::new(),
    };
    Box::new(all.into_iter().map(move |options| (options.schedule, check(&options))))
}

/// Every schedule that the device has.
pub(super) fn schedules(target: &Target) -> Vec<SparseOptions> {
    use SparseSchedule::{Auto, MergePath, ThreadMapped};
    let names = match target.device {
        OpenDevice::Cpu => &[Auto, ThreadMapped, MergePath][..],
        OpenDevice::Gpu(_) => SparseSchedule::ALL,
    };
    let wanted = names.iter().filter(|name| target.wants(name.name()));
    wanted.map(|&schedule| SparseOptions { schedule, ..SparseOptions::default() }).collect()
}

/// Numbers that differ from their neighbours.
pub(super) fn numbers<T: Number>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 31 % 101) as f64 / 50.0 - 1.0)).collect()
}
