//! The conformance suite on the first device that wgpu finds, and tests of tile sets and ranges beyond it.
//!
//! `LP_NATIVE_VECTOR_WIDTH` (128, 256, 512) in the environment gives the software Vulkan device
//! planes of 4, 8 and 16 units.

use crate::gpu;
use cubecl::prelude::*;
use equipoise_conformance::{
    self as conformance, ProbeName, SetName, Size, Variety, conformance_suite,
};
use equipoise_schedule::{
    Error, ScheduleName,
    device::{Gpu, GpuRuntime},
    plan::ScheduleOptions,
    ranges::*,
    schedules::{Shape, Sharing, SharingKind, WorkStealing},
    tiles::{CsrRows, LooseRows, VertexList},
};

conformance_suite!(wgpu, gpu(), Size::Small, Variety::Usual);

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn every_work_and_setting() {
    for &schedule in ScheduleName::ALL {
        conformance::assert_conforms(&gpu(), schedule, Size::Small, Variety::All);
    }
}

#[test]
fn an_impossible_case_fails() {
    let impossible = ScheduleOptions { units: 3, ..ScheduleName::ThreadMapped.into() };
    let verdict = conformance::check(&gpu(), impossible, SetName::Csr, ProbeName::SumU32, &[1]);
    assert!(verdict.unwrap_err().contains("3 units a cube"));
}

#[test]
fn a_list_of_vertices_sums_up_their_degrees() {
    let gpu = gpu();
    let offsets = gpu.upload(&[0, 2, 2, 5, 9]).unwrap();
    for (vertices, sums) in [(&[3, 0, 1, 2][..], &[0, 4, 6, 6, 9][..]), (&[], &[0])] {
        let list = VertexList::upload(&gpu, &offsets, vertices).unwrap();
        assert_eq!(gpu.download(list.sums()).unwrap(), sums);
        assert_eq!(gpu.download(list.count()).unwrap(), [vertices.len() as u32]);
        let tiles = list.tiles(9).unwrap();
        assert_eq!((tiles.tiles(), tiles.atoms()), (vertices.len() as u32, 9));
    }
}

#[test]
fn counted_tiles_have_running_sums() {
    let gpu = gpu();
    for (counts, sums) in [(&[2, 0, 3][..], &[0, 2, 2, 5][..]), (&[], &[0])] {
        let counts = gpu.upload(counts).unwrap();
        let rows = LooseRows::from_counts(&counts, &counts, 5).unwrap();
        assert_eq!(gpu.download(&rows.sums(&gpu).unwrap()).unwrap(), sums);
        assert_eq!((rows.tiles() as usize, rows.atoms()), (counts.len(), 5));
    }
}

#[test]
fn counts_and_vertices_out_of_range_have_no_edges() {
    let gpu = gpu();
    let offsets = gpu.upload(&[0, 2, 5]).unwrap();
    let list = |vertices: &[u32], count: u32| {
        let (vertices, count) = (gpu.upload(vertices).unwrap(), gpu.upload(&[count]).unwrap());
        let list = VertexList::new(&gpu, &offsets, vertices, count).unwrap();
        gpu.download(list.sums()).unwrap()
    };
    assert_eq!(list(&[1, 0, 1], 2), [0, 3, 5, 5], "the last vertex is not counted");
    assert_eq!(list(&[1, 0], 9), [0, 3, 5], "a count beyond the list");
    assert_eq!(list(&[0, 2, u32::MAX, 1], 4), [0, 2, 2, 2, 5], "vertices that do not exist");
}

#[test]
fn invalid_tile_sets_are_refused() {
    let gpu = gpu();
    let problem = |error: Option<Error>| error.unwrap().to_string();
    let offsets = gpu.upload(&[0, 2, 5]).unwrap();
    let beyond = problem(VertexList::upload(&gpu, &offsets, &[0, 2]).err());
    assert_eq!(beyond, "a list with vertex 2: the graph has 2 vertices, counted from 0");
    let none = gpu.upload::<u32>(&[]).unwrap();
    let no_count = problem(VertexList::new(&gpu, &offsets, none.clone(), none.clone()).err());
    assert_eq!(no_count, "a list without its count: a buffer of 0 numbers");
    let two_and_three =
        problem(LooseRows::from_counts(&gpu.upload(&[0, 2]).unwrap(), &offsets, 5).err());
    assert!(two_and_three.starts_with("2 rows begin and 3 have a number of entries"));
    let rows = LooseRows::from_counts(&offsets, &offsets, 7).unwrap();
    let too_few = problem(rows.summed(&offsets).err());
    assert_eq!(too_few, "3 sums for 3 tiles: one a tile and one more are needed");
    let no_offsets = problem(CsrRows::from_offsets(&none, 0).err());
    assert!(no_offsets.starts_with("no offsets: one a tile and one more are needed"));
}

/// Counts how often a range contains each number.
#[cube(launch)]
fn count_numbers(
    counts: &mut Array<Atomic<u32>>,
    begin: u32,
    end: u32,
    base: u32,
    #[comptime] range: u32,
) {
    if comptime!(range == 0) {
        for i in grid_stride_range(begin, end) {
            counts[(i - base) as usize].fetch_add(1);
        }
    } else if comptime!(range == 1) {
        for i in cube_grid_stride_range(begin, end) {
            if UNIT_POS == 0 {
                counts[(i - base) as usize].fetch_add(1);
            }
        }
    } else if comptime!(range == 2) {
        for i in plane_grid_stride_range(begin, end) {
            if UNIT_POS_PLANE == 0 {
                counts[(i - base) as usize].fetch_add(1);
            }
        }
    } else if comptime!(range == 3) {
        if CUBE_POS == 0 {
            for i in cube_stride_range(begin, end) {
                counts[(i - base) as usize].fetch_add(1);
            }
        }
    } else if comptime!(range == 4) {
        if CUBE_POS == 0 && UNIT_POS < PLANE_DIM {
            for i in plane_stride_range(begin, end) {
                counts[(i - base) as usize].fetch_add(1);
            }
        }
    } else if ABSOLUTE_POS == 0 {
        for i in infinite_range(begin) {
            if i >= end {
                break;
            }
            counts[(i - base) as usize].fetch_add(1);
        }
    }
}

#[test]
fn ranges_contain_each_number_once() {
    let gpu = gpu();
    // At the second base, the next number of a range exceeds 32 bits.
    for base in [0, u32::MAX - 1000] {
        check_ranges(&gpu, base);
    }
    let steps: Vec<u32> = step_range(2, 9, 3).into_iter().collect();
    assert_eq!(steps, [2, 5, 8]);
}

fn check_ranges(gpu: &Gpu, base: u32) {
    let (begin, end) = (3, 1000);
    let expected: Vec<u32> = (0..1024).map(|i| u32::from((begin..end).contains(&i))).collect();
    let (begin, end) = (base + begin, base + end);
    // The fifth range needs a full plane, which a cube of 2 units does not have.
    for (units, ranges) in [(64, &[0, 1, 2, 3, 4, 5][..]), (2, &[0, 1, 2, 3, 5])] {
        // Ranges of one cube or plane are not for large numbers.
        let far = |range: &&u32| base == 0 || **range < 3;
        for &range in ranges.iter().filter(far) {
            let counts = gpu.filled(1024, 0u32).unwrap();
            count_numbers::launch::<GpuRuntime>(
                gpu.client(),
                CubeCount::Static(3, 1, 1),
                CubeDim::new_1d(units),
                counts.arg(),
                begin,
                end,
                base,
                range,
            );
            assert_eq!(gpu.download(&counts).unwrap(), expected, "range {range}, {units} units");
        }
    }
}

/// Otherwise the tiles of missing cubes would be skipped.
#[test]
fn more_cubes_than_the_device_allows_are_refused() {
    let gpu = gpu();
    let most = gpu.properties().max_cubes;
    for &schedule in ScheduleName::ALL {
        let check = |cubes| {
            let options = ScheduleOptions { cubes: Some(cubes), ..schedule.into() };
            conformance::check(&gpu, options, SetName::Csr, ProbeName::SumU32, &[3, 0, 400])
        };
        assert_eq!(check(1), Ok(()), "{schedule}");
        for cubes in [0, most + 1, u32::MAX] {
            let problem = check(cubes).unwrap_err();
            assert!(
                problem.contains(&format!("1 to {most} are possible")),
                "{schedule}: {problem}"
            );
        }
    }
}

/// Counts how often each atom is in a share.
#[cube(launch)]
fn count_visits<S: Sharing>(
    rows: &CsrRows,
    prepared: &mut S::Prepared,
    visits: &mut Array<Atomic<u32>>,
    #[comptime] shape: Shape,
) {
    for turn in infinite_range(0) {
        let share = S::share::<CsrRows>(rows, prepared, turn, shape);
        if share.is_over() {
            break;
        }
        for atom in share.atoms() {
            visits[atom as usize].fetch_add(1);
        }
    }
}

/// With fewer cubes than queues, the cubes must steal from the other queues.
#[test]
fn tiles_of_missing_cubes_are_stolen() {
    let gpu = gpu();
    let offsets: Vec<u32> = (0..=500).map(|tile| tile * 3).collect();
    let offsets = gpu.upload(&offsets).unwrap();
    let rows = CsrRows::from_offsets(&offsets, 1500).unwrap();
    let plane = gpu.plane_size().min(32);
    let shape = Shape { units: 32, plane, group: plane, items: 1 };
    let prepared = WorkStealing::prepare(&gpu, &rows, shape, 8).unwrap();
    for cubes in [1, 3, 8, 11] {
        let visits = gpu.filled(1500, 0u32).unwrap();
        count_visits::launch::<WorkStealing, GpuRuntime>(
            gpu.client(),
            CubeCount::Static(cubes, 1, 1),
            CubeDim::new_1d(shape.units),
            rows.arg(),
            prepared.arg().unwrap(),
            visits.arg(),
            shape,
        );
        assert_eq!(gpu.download(&visits).unwrap(), [1; 1500], "{cubes} cubes");
    }
}
