//! The runs of one shape.

use cubecl::prelude::*;

use super::{
    expected::{Ends, Expectation, Expected, Failure, Notes},
    probe::{Probe, ProbeLaunch, ProbeName, Scatter},
    sets::{self, Layout, SetName},
    values::Values,
};
use crate::{
    Result, ScheduleName,
    device::Gpu,
    plan::{Plan, ScheduleOptions, Tiles},
    schedules::{MergePath, NonzeroSplit, Shape, Sharing, ThreadMapped, TileByTile},
    tiles::*,
    work::*,
};

/// Cubes to launch where the settings leave it open: as many as there is work for, and few.
const CUBES: [Option<u32>; 3] = [None, Some(1), Some(2)];

/// Cubes to launch where a kernel loops over shares and is not told how many.
const CUBES_OF_SHARES: u32 = 5;

/// Tries settings on a shape up to the first that is wrong. Gives the number of runs.
pub(super) fn check<R: Runtime>(
    gpu: &Gpu<R>,
    set: SetName,
    probe: ProbeName,
    settings: &[ScheduleOptions],
    sizes: &[u32],
) -> Result<usize, Failure> {
    let offsets = sets::offsets(sizes);
    let atoms: u32 = sizes.iter().sum();
    match set {
        SetName::Csr => {
            let layout = Layout::compressed(&offsets);
            let offsets = gpu.upload(&offsets)?;
            Trials { gpu, set: CsrRows::of(&offsets, atoms)?, layout, settings }.check(probe)
        }
        SetName::Csc => {
            let layout = Layout::compressed(&offsets);
            let offsets = gpu.upload(&offsets)?;
            Trials { gpu, set: CscColumns::of(&offsets, atoms)?, layout, settings }.check(probe)
        }
        SetName::Coo => {
            let entries = sizes.len() as u32;
            let layout = Layout::entries(entries);
            Trials { gpu, set: CooEntries::of(entries), layout, settings }.check(probe)
        }
        SetName::Frontier => {
            let (layout, list) = sets::frontier(gpu, sizes)?;
            let set = list.tiles(layout.atom_names)?;
            Trials { gpu, set, layout, settings }.check(probe)
        }
    }
}

/// A tile set, and the settings to try on it.
struct Trials<'a, T: TileSet, R: Runtime> {
    gpu: &'a Gpu<R>,
    set: Tiles<'a, T, R>,
    layout: Layout,
    settings: &'a [ScheduleOptions],
}

impl<T: TileSet, R: Runtime> Trials<'_, T, R> {
    fn check(&self, probe: ProbeName) -> Result<usize, Failure> {
        type Four = Vector<f32, Const<4>>;
        match probe {
            ProbeName::SumU32 => self.check_work::<u32, 1, true, true>(),
            ProbeName::SumF32 => self.check_work::<f32, 1, true, true>(),
            ProbeName::Scatter => self.check_work::<u32, 1, false, true>(),
            ProbeName::Tileless => self.check_work::<u32, 1, true, false>(),
            ProbeName::Wide1 => self.check_work::<Four, 1, true, true>(),
            ProbeName::Wide2 => self.check_work::<Four, 2, true, true>(),
            ProbeName::Wide4 => self.check_work::<Four, 4, true, true>(),
            ProbeName::Wide8 => self.check_work::<Four, 8, true, true>(),
            ProbeName::Shares => self.check_shares(),
        }
    }

    fn check_work<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool>(
        &self,
    ) -> Result<usize, Failure> {
        let ends = Ends::Once;
        let work = Expectation { lanes: LANES, reduces: REDUCES, needs_tile: NEEDS_TILE, ends };
        let expected = Expected::new::<V>(&self.layout, work);
        let notes = expected.notes(self.gpu)?;
        self.check_runs(&expected, &notes, |options| {
            let plan: Plan<T, Probe<V, LANES, REDUCES, NEEDS_TILE>, R> =
                Plan::new(self.gpu, options, &self.set)?;
            let notes = &notes;
            Ok(move || plan.run(&self.set, || arg(notes)))
        })
    }

    fn check_shares(&self) -> Result<usize, Failure> {
        // Nonzero-split gives nobody anything where there are no atoms.
        let no_atoms = self.layout.tiles.iter().all(|(_, atoms)| atoms.is_empty());
        let by_atoms = self.settings.iter().any(|o| o.schedule == ScheduleName::NonzeroSplit);
        let ends = if no_atoms && by_atoms { Ends::Any } else { Ends::OnceOrMore };
        let work = Expectation { lanes: 1, reduces: false, needs_tile: true, ends };
        let expected = Expected::new::<u32>(&self.layout, work);
        let notes = expected.notes(self.gpu)?;
        self.check_runs(&expected, &notes, |options| {
            let notes = &notes;
            Ok(move || match options.schedule {
                ScheduleName::ThreadMapped => self.run_shares::<ThreadMapped>(options, notes),
                ScheduleName::MergePath => self.run_shares::<MergePath>(options, notes),
                ScheduleName::NonzeroSplit => self.run_shares::<NonzeroSplit>(options, notes),
                _ => self.run_shares::<TileByTile>(options, notes),
            })
        })
    }

    fn run_shares<S: Sharing>(&self, options: ScheduleOptions, notes: &Notes) {
        let ScheduleOptions { schedule, units, items, cubes, .. } = options;
        let plane = self.gpu.plane_size().min(units);
        let group = if schedule == ScheduleName::PlaneMapped { plane } else { units };
        // SAFETY: the probe keeps within its arrays, and a share within those of the set.
        unsafe {
            over_shares::launch_unchecked::<S, T, R>(
                self.gpu.client(),
                CubeCount::Static(cubes.unwrap_or(CUBES_OF_SHARES), 1, 1),
                CubeDim::new_1d(units),
                self.set.arg(),
                arg(notes),
                Shape { units, plane, group, items },
            );
        }
    }

    fn check_runs<L: Fn()>(
        &self,
        expected: &Expected,
        notes: &Notes,
        prepare: impl Fn(ScheduleOptions) -> Result<L>,
    ) -> Result<usize, Failure> {
        let check = |options: ScheduleOptions, repeats: usize| {
            let launch = prepare(options)?;
            for _ in 0..repeats {
                notes.clear(self.gpu)?;
                launch();
                expected.compare(self.gpu, notes)?;
            }
            Ok(repeats)
        };
        let mut runs = 0;
        for settings in self.settings {
            let fixed = [settings.cubes];
            for &cubes in if settings.cubes.is_some() { &fixed[..] } else { &CUBES } {
                let options = ScheduleOptions { cubes, ..*settings };
                // What was prepared must still be good the second time.
                let repeats = if cubes.is_none() { 2 } else { 1 };
                runs += check(options, repeats).map_err(|failure| told(failure, &options))?;
            }
        }
        Ok(runs)
    }
}

/// The same failure, with the settings it happened with.
fn told(failure: Failure, options: &ScheduleOptions) -> Failure {
    let ScheduleOptions { units, group, items, coarsening, cubes, .. } = options;
    let cubes = cubes.map_or("as many cubes as wanted".into(), |cubes| format!("{cubes} cubes"));
    match failure {
        Failure::Wrong(problem) => Failure::Wrong(format!(
            "{problem} (units {units}, group {group}, items {items}, coarsening {coarsening}, \
             {cubes})"
        )),
        lost => lost,
    }
}

/// A probe with these notes, for a kernel.
fn arg<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool, R: Runtime>(
    notes: &Notes,
) -> ProbeLaunch<V, LANES, REDUCES, NEEDS_TILE, R> {
    ProbeLaunch::new(
        notes.numbers.arg(),
        notes.visits.arg(),
        notes.tiles.arg(),
        notes.ends.arg(),
        notes.totals.arg(),
    )
}

/// A kernel that loops over its share, with the probe's notes taken inside.
#[cube(launch_unchecked)]
fn over_shares<S: Sharing, T: TileSet>(set: &T, work: &mut Scatter, #[comptime] shape: Shape) {
    let share = S::share::<T>(set, shape);
    for tile in share.tiles() {
        let name = set.tile(tile);
        for atom in share.atoms::<T>(set, tile) {
            work.atom(name, set.atom(tile, atom));
        }
        work.end(name, 0u32.runtime());
    }
}
