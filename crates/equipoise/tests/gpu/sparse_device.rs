//! Products on devices that the caller does not know: the cpu, and a GPU in software.

use equipoise::{
    LoadedMatrix,
    device::{Device, OpenDevice},
    graph::{Matrix, io::ReadOptions, load},
    sparse::{Dense, Number, SparseOptions, SparsePolicy, SparseSchedule},
};

fn matrix<T: Number>(spec: &str) -> Matrix<T> {
    Matrix::from_graph(&load(spec, &ReadOptions::default()).unwrap()).unwrap()
}

fn ones<T: Number>(count: u32) -> Vec<T> {
    vec![T::from_f64(1.0); count as usize]
}

fn under(schedule: SparseSchedule) -> SparseOptions {
    SparseOptions { schedule, ..SparseOptions::default() }
}

#[test]
fn the_cpu_has_three_schedules_and_says_so() {
    let matrix = matrix::<f32>("star:n=9");
    let there = LoadedMatrix::new(&OpenDevice::Cpu, &matrix).unwrap();
    for &schedule in SparseSchedule::ALL {
        let spmv = there.spmv(&under(schedule));
        let spmm = there.spmm(2, &under(schedule));
        let spgemm = there.spgemm(&there, &under(schedule));
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
fn devices_that_are_not_there_are_refused() {
    let error = Device::Wgpu(99).open().unwrap_err().to_string();
    assert!(!error.is_empty());
}

#[cfg(feature = "wgpu")]
mod gpu {
    use std::time::Instant;

    use super::*;

    /// The software GPU that every machine can have.
    fn open() -> OpenDevice {
        Device::Wgpu(0).open().unwrap_or_else(|error| {
            panic!(
                "these tests need a Vulkan device ({error}): on Debian and Ubuntu, apt-get install \
                 mesa-vulkan-drivers gives one in software"
            )
        })
    }

    fn check<T: Number>() {
        let device = open();
        for spec in ["isolated:n=0", "isolated:n=3", "star:n=900", "rmat:scale=7,weights=1..9"] {
            let matrix = matrix::<T>(spec);
            let there = LoadedMatrix::new(&device, &matrix).unwrap();
            let x = ones(matrix.columns());
            let dense = Dense::new(matrix.columns(), 5, ones(matrix.columns() * 5)).unwrap();
            for &schedule in SparseSchedule::ALL {
                let spmv = there.spmv(&under(schedule)).unwrap();
                for _ in 0..2 {
                    let result = spmv.run(&x).unwrap();
                    result.verify(&matrix, &x).unwrap();
                    assert_eq!(result.schedule, spmv.choice().schedule);
                }
                let spmm = there.spmm(5, &under(schedule)).unwrap();
                spmm.run(&dense).unwrap().verify(&matrix, &dense).unwrap();
            }
        }
    }

    #[test]
    fn products_are_right_under_every_schedule() {
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn the_parts_of_a_product_are_not_longer_than_all_of_it() {
        let matrix = matrix::<f32>("rmat:scale=8");
        let start = Instant::now();
        let there = LoadedMatrix::new(&open(), &matrix).unwrap();
        let spmv = there.spmv(&under(SparseSchedule::MergePath)).unwrap();
        let times = spmv.run(&ones(256)).unwrap().times;
        let parts = times.upload + times.prepare + times.run() + times.download;
        assert!(parts <= start.elapsed(), "{times:?}");
        assert_eq!(times.run(), times.kernel + times.overhead);
    }

    #[test]
    fn sparse_products_take_their_own_way() {
        let device = open();
        let (left, right) = (matrix::<f32>("rmat:scale=6"), matrix::<f32>("star:n=64"));
        let left_there = LoadedMatrix::new(&device, &left).unwrap();
        let right_there = LoadedMatrix::new(&device, &right).unwrap();
        let spgemm = left_there.spgemm(&right_there, &SparseOptions::default()).unwrap();
        spgemm.run().unwrap().verify(&left, &right).unwrap();
        let options = under(SparseSchedule::Binned);
        let error = left_there.spgemm(&right_there, &options).err().unwrap().to_string();
        assert!(error.contains("takes the schedule `auto` only, not `binned`"), "{error}");
        let on_cpu = LoadedMatrix::new(&OpenDevice::Cpu, &right).unwrap();
        let error = left_there.spgemm(&on_cpu, &SparseOptions::default()).err().unwrap();
        assert!(error.to_string().contains("same device"), "{error}");
    }

    #[test]
    fn policies_choose() {
        let matrix = matrix::<f32>("star:n=700");
        let there = LoadedMatrix::new(&open(), &matrix).unwrap();
        let paper = SparseOptions { policy: SparsePolicy::Paper, ..SparseOptions::default() };
        let choice = there.spmv(&paper).unwrap().choice().clone();
        assert_eq!(choice.schedule, SparseSchedule::MergePath);
        let small = SparseOptions { alpha: 1000, ..paper };
        let choice = there.spmv(&small).unwrap().choice().clone();
        assert_eq!(choice.schedule, SparseSchedule::ThreadMapped);
    }

    #[test]
    fn settings_that_no_schedule_can_have_are_refused() {
        let matrix = matrix::<f32>("star:n=9");
        let there = LoadedMatrix::new(&open(), &matrix).unwrap();
        let group = SparseOptions { group: Some(3), ..under(SparseSchedule::GroupMapped) };
        let error = there.spmv(&group).err().unwrap().to_string();
        assert!(error.contains("a power of two"), "{error}");
        let coarsening =
            SparseOptions { coarsening: Some(0), ..under(SparseSchedule::ThreadMapped) };
        let error = there.spmv(&coarsening).err().unwrap().to_string();
        assert!(error.contains("`coarsening` is 0: 1 to 65536"), "{error}");
    }

    #[test]
    fn vectors_of_the_wrong_length_are_refused() {
        let matrix = matrix::<f32>("star:n=9");
        let there = LoadedMatrix::new(&open(), &matrix).unwrap();
        let spmv = there.spmv(&SparseOptions::default()).unwrap();
        assert!(spmv.run(&ones(8)).unwrap_err().to_string().contains("9 columns"));
    }

    #[test]
    fn a_matrix_that_does_not_fit_is_refused_with_the_numbers() {
        let device = open();
        let OpenDevice::Gpu(gpu) = &device else { panic!("wgpu opened the cpu") };
        let largest = gpu.properties().largest_buffer;
        let columns = u32::try_from(largest / 4 + 1).unwrap();
        let wide = Matrix::<f32>::from_entries(1, columns, &[(0, 0, 1.0)]).unwrap();
        let there = LoadedMatrix::new(&device, &wide).unwrap();
        let error = there.spmv(&SparseOptions::default()).err().unwrap().to_string();
        assert!(error.contains(&(largest + 4).to_string()), "{error}");
    }
}
