//! Products of loaded matrices, on the CPU and on a GPU.

use std::time::Instant;

use equipoise::{
    LoadedMatrix,
    device::{Device, OpenDevice},
    graph::Matrix,
    sparse::{Dense, SparseOptions, SparsePolicy, SparseSchedule},
};

use crate::{
    common::{device, gpu},
    graphs::generated,
};

fn matrix(spec: &str) -> Matrix<f32> {
    Matrix::from_graph(&generated(spec)).unwrap()
}

fn ones(count: u32) -> Vec<f32> {
    vec![1.0; count as usize]
}

fn under(schedule: SparseSchedule) -> SparseOptions {
    SparseOptions { schedule, ..SparseOptions::default() }
}

#[test]
fn the_cpu_lists_its_three_schedules() {
    let matrix = matrix("star:n=9");
    let loaded = LoadedMatrix::new(&OpenDevice::Cpu, &matrix).unwrap();
    for &schedule in SparseSchedule::ALL {
        let spmv = loaded.spmv(&under(schedule));
        let spmm = loaded.spmm(2, &under(schedule));
        let spgemm = loaded.spgemm(&loaded, &under(schedule));
        use SparseSchedule::{Auto, MergePath, ThreadMapped};
        if matches!(schedule, Auto | MergePath | ThreadMapped) {
            let spmv = spmv.unwrap();
            let result = spmv.run(&ones(9)).unwrap();
            result.verify(&matrix, &ones(9)).unwrap();
            assert_eq!(result.schedule, spmv.choice().schedule);
            assert_ne!(result.schedule, Auto);
            assert_eq!(spmv.choice().reason.is_some(), schedule == Auto);
            assert!(spmm.is_ok() && spgemm.is_ok());
            continue;
        }
        let expected = format!(
            "the schedule `{schedule}` needs a GPU; the cpu has: `auto`, `thread-mapped`, \
             `merge-path`"
        );
        let errors = [spmv.err(), spmm.err(), spgemm.err()];
        for error in errors {
            assert_eq!(error.unwrap().to_string(), expected);
        }
    }
}

#[test]
fn every_schedule_multiplies() {
    let matrix = matrix("rmat:scale=7,weights=1..9");
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    let (x, dense) = (ones(128), Dense::new(128, 5, ones(640)).unwrap());
    for &schedule in SparseSchedule::ALL {
        let spmv = loaded.spmv(&under(schedule)).unwrap();
        // A second run must not depend on what the first left.
        for _ in 0..2 {
            let result = spmv.run(&x).unwrap();
            result.verify(&matrix, &x).unwrap();
            assert_eq!(result.schedule, spmv.choice().schedule);
        }
        let spmm = loaded.spmm(5, &under(schedule)).unwrap();
        spmm.run(&dense).unwrap().verify(&matrix, &dense).unwrap();
    }
}

#[test]
fn devices_that_do_not_exist_are_refused() {
    let error = Device::Wgpu(99).open().unwrap_err().to_string();
    assert!(!error.is_empty());
}

#[test]
fn the_parts_of_a_product_are_not_longer_than_all_of_it() {
    let matrix = matrix("rmat:scale=8");
    let start = Instant::now();
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    let spmv = loaded.spmv(&under(SparseSchedule::MergePath)).unwrap();
    let times = spmv.run(&ones(256)).unwrap().times;
    let parts = times.upload + times.prepare + times.run() + times.download;
    assert!(parts <= start.elapsed(), "{times:?}");
    assert_eq!(times.run(), times.kernel + times.overhead);
}

#[test]
fn sparse_products_have_one_schedule_on_one_device() {
    let device = device();
    let (left, right) = (matrix("rmat:scale=6"), matrix("star:n=64"));
    let loaded_left = LoadedMatrix::new(&device, &left).unwrap();
    let loaded_right = LoadedMatrix::new(&device, &right).unwrap();
    let spgemm = loaded_left.spgemm(&loaded_right, &SparseOptions::default()).unwrap();
    spgemm.run().unwrap().verify(&left, &right).unwrap();
    let options = under(SparseSchedule::Binned);
    let error = loaded_left.spgemm(&loaded_right, &options).err().unwrap().to_string();
    assert!(error.contains("takes the schedule `auto` only, not `binned`"), "{error}");
    let on_cpu = LoadedMatrix::new(&OpenDevice::Cpu, &right).unwrap();
    let error = loaded_left.spgemm(&on_cpu, &SparseOptions::default()).err().unwrap();
    assert!(error.to_string().contains("same device"), "{error}");
}

#[test]
fn policies_choose() {
    let matrix = matrix("star:n=700");
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    let paper = SparseOptions { policy: SparsePolicy::Paper, ..SparseOptions::default() };
    let choice = loaded.spmv(&paper).unwrap().choice().clone();
    assert_eq!(choice.schedule, SparseSchedule::MergePath);
    let small = SparseOptions { alpha: 1000, ..paper };
    let choice = loaded.spmv(&small).unwrap().choice().clone();
    assert_eq!(choice.schedule, SparseSchedule::ThreadMapped);
}

#[test]
fn invalid_settings_are_refused() {
    let matrix = matrix("star:n=9");
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    let group = SparseOptions { group: Some(3), ..under(SparseSchedule::GroupMapped) };
    let error = loaded.spmv(&group).err().unwrap().to_string();
    assert!(error.contains("a power of two"), "{error}");
    let coarsening = SparseOptions { coarsening: Some(0), ..under(SparseSchedule::ThreadMapped) };
    let error = loaded.spmv(&coarsening).err().unwrap().to_string();
    assert!(error.contains("`coarsening` is 0: 1 to 65536"), "{error}");
}

#[test]
fn vectors_of_the_wrong_length_are_refused() {
    let matrix = matrix("star:n=9");
    let loaded = LoadedMatrix::new(&device(), &matrix).unwrap();
    let spmv = loaded.spmv(&SparseOptions::default()).unwrap();
    assert!(spmv.run(&ones(8)).unwrap_err().to_string().contains("9 columns"));
}

#[test]
fn a_matrix_that_does_not_fit_is_refused_with_the_numbers() {
    let largest = gpu().properties().largest_buffer;
    let columns = u32::try_from(largest / 4 + 1).unwrap();
    let wide = Matrix::from_entries(1, columns, &[(0, 0, 1.0f32)]).unwrap();
    let loaded = LoadedMatrix::new(&device(), &wide).unwrap();
    let error = loaded.spmv(&SparseOptions::default()).err().unwrap().to_string();
    assert!(error.contains(&(largest + 4).to_string()), "{error}");
}
