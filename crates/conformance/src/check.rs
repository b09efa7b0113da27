//! Runs of schedules on one shape.

use std::{fmt, marker::PhantomData};

use cubecl::prelude::*;
use equipoise_schedule::{
    Result,
    device::{Gpu, GpuRuntime},
    plan::{self, CountedPlan, Plan, ScheduleOptions, Tiles},
    schedules::{Schedule, Shape},
    tiles::*,
    work::*,
};

use crate::{
    expected::{Ends, Expectation, Expected, Failure, Notes},
    probe::{Probe, ProbeLaunch, ProbeName},
    sets::{self, Layout, SetName},
    values::Values,
};

/// A schedule with its settings. Its text describes both.
pub(crate) trait Subject: fmt::Display + Sized {
    fn run_work<T: TrialSet>(trials: &Trials<T, Self>, work: ProbeName) -> Result<usize, Failure> {
        trials.any_work(work)
    }

    fn prepare<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>>;

    /// Prepares it for tiles that have counts and no offsets; `summed` has them.
    fn prepare_counted<'a, C: CountedSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        _set: &'a Counted<'a, C>,
        summed: &'a Tiles<'a, Summed<C>>,
    ) -> Result<Launch<'a, W>> {
        self.prepare::<Summed<C>, W>(gpu, summed)
    }

    /// The number of launches once it is prepared.
    fn launches(&self) -> usize {
        1
    }

    /// How often it may end a tile.
    fn ends(&self, _any_atoms: bool) -> Ends {
        Ends::Once
    }
}

/// Launches a work with an argument.
pub(crate) type Launch<'a, W> =
    Box<dyn Fn(&dyn Fn() -> <W as LaunchArg>::RuntimeArg<GpuRuntime>) -> Result<()> + 'a>;

/// A schedule of the model.
pub(crate) struct Named(pub ScheduleOptions);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScheduleOptions { units, group, items, coarsening, cubes, .. } = &self.0;
        write!(f, "units {units}, group {group}, items {items}, coarsening {coarsening}, ")?;
        match cubes {
            Some(cubes) => write!(f, "cubes {cubes}"),
            None => f.write_str("as many cubes as the work needs"),
        }
    }
}

impl Subject for Named {
    fn prepare<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let plan = Plan::<T, W>::new(gpu, self.0, set)?;
        Ok(Box::new(move |work| {
            // SAFETY: the works of the suite have an element for each tile and atom of its sets.
            unsafe { plan.run(set, work) };
            Ok(())
        }))
    }

    fn prepare_counted<'a, C: CountedSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Counted<'a, C>,
        _summed: &'a Tiles<'a, Summed<C>>,
    ) -> Result<Launch<'a, W>> {
        let plan = CountedPlan::<C, W>::new(gpu, self.0, set)?;
        // SAFETY: as above.
        Ok(Box::new(move |work| unsafe { plan.run(set, work) }))
    }

    /// A second launch must not depend on what the first left.
    fn launches(&self) -> usize {
        if self.0.cubes.is_none() { 2 } else { 1 }
    }
}

pub(crate) struct Custom<S> {
    pub shape: Shape,
    pub cubes: u32,
    pub schedule: PhantomData<S>,
}

impl<S> fmt::Display for Custom<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, cubes {}", self.shape, self.cubes)
    }
}

impl<S: Schedule> Subject for Custom<S> {
    fn prepare<'a, T: TileSet, W: Work>(
        &self,
        gpu: &'a Gpu,
        set: &'a Tiles<T>,
    ) -> Result<Launch<'a, W>> {
        let (cubes, shape) = (self.cubes, self.shape);
        Ok(Box::new(move |work| {
            // SAFETY: as above, if the schedule is correct, which is the subject of the test.
            unsafe { plan::launch::<S, T, W>(gpu, cubes, shape, set.arg(), work()) };
            Ok(())
        }))
    }
}

/// Runs subjects on a shape, up to the first that fails. Returns the number of runs.
pub(crate) fn check<S: Subject>(
    gpu: &Gpu,
    subjects: &[S],
    set: SetName,
    work: ProbeName,
    sizes: &[u32],
) -> Result<usize, Failure> {
    let offsets = sets::offsets(sizes);
    let atoms: u32 = sizes.iter().sum();
    match set {
        SetName::Csr => {
            let layout = Layout::compressed(&offsets);
            let offsets = gpu.upload(&offsets)?;
            let set = CsrRows::from_offsets(&offsets, atoms)?;
            S::run_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Coo => {
            let entries = sizes.len() as u32;
            let layout = Layout::entries(entries);
            let set = CooEntries::new(entries);
            S::run_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Frontier => {
            let (layout, list) = sets::frontier(gpu, sizes)?;
            let set = list.tiles(layout.atom_names)?;
            S::run_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Counted => {
            let (layout, begins, counts) = sets::loose_rows(sizes);
            let (begins, counts) = (gpu.upload(&begins)?, gpu.upload(&counts)?);
            let set = LooseRows::from_counts(&begins, &counts, atoms)?;
            let sums = set.sums(gpu)?;
            let set = CountedTrial { set: &set, summed: set.summed(&sums)? };
            S::run_work(&Trials { gpu, subjects, set, layout }, work)
        }
    }
}

/// Tiles that a subject can be prepared for.
pub(crate) trait TrialSet {
    fn prepare<'a, S: Subject, W: Work>(
        &'a self,
        gpu: &'a Gpu,
        subject: &S,
    ) -> Result<Launch<'a, W>>;
}

impl<T: TileSet> TrialSet for Tiles<'_, T> {
    fn prepare<'a, S: Subject, W: Work>(
        &'a self,
        gpu: &'a Gpu,
        subject: &S,
    ) -> Result<Launch<'a, W>> {
        subject.prepare::<T, W>(gpu, self)
    }
}

/// Counted tiles, and their sums for schedules that need them.
struct CountedTrial<'a, C: CountedSet> {
    set: &'a Counted<'a, C>,
    summed: Tiles<'a, Summed<C>>,
}

impl<C: CountedSet> TrialSet for CountedTrial<'_, C> {
    fn prepare<'a, S: Subject, W: Work>(
        &'a self,
        gpu: &'a Gpu,
        subject: &S,
    ) -> Result<Launch<'a, W>> {
        subject.prepare_counted::<C, W>(gpu, self.set, &self.summed)
    }
}

/// A tile set and the subjects that run on it.
pub(crate) struct Trials<'a, T, S> {
    gpu: &'a Gpu,
    subjects: &'a [S],
    set: T,
    layout: Layout,
}

/// Four numbers, loaded and stored at once.
type Four = Vector<f32, Const<4>>;

impl<T: TrialSet, S: Subject> Trials<'_, T, S> {
    pub fn any_work(&self, work: ProbeName) -> Result<usize, Failure> {
        match work {
            ProbeName::SumU32 => self.check_probe::<u32, 1, true, true>(),
            ProbeName::SumF32 => self.check_probe::<f32, 1, true, true>(),
            ProbeName::Scatter | ProbeName::Shares | ProbeName::Atoms => self.scatter(),
            ProbeName::Tileless => self.check_probe::<u32, 1, true, false>(),
            ProbeName::Wide1 => self.check_probe::<Four, 1, true, true>(),
            ProbeName::Wide2 => self.check_probe::<Four, 2, true, true>(),
            ProbeName::Wide4 => self.check_probe::<Four, 4, true, true>(),
            ProbeName::Wide8 => self.check_probe::<Four, 8, true, true>(),
        }
    }

    pub fn scatter(&self) -> Result<usize, Failure> {
        self.check_probe::<u32, 1, false, true>()
    }

    fn check_probe<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool>(
        &self,
    ) -> Result<usize, Failure> {
        let work = Expectation { lanes: LANES, reduces: REDUCES, needs_tile: NEEDS_TILE };
        let expected = Expected::new::<V>(&self.layout, work);
        let notes = expected.notes(self.gpu)?;
        let mut runs = 0;
        for subject in self.subjects {
            let check = || {
                let launch = self
                    .set
                    .prepare::<S, Probe<V, LANES, REDUCES, NEEDS_TILE>>(self.gpu, subject)?;
                for _ in 0..subject.launches() {
                    notes.clear(self.gpu)?;
                    launch(&|| arg(&notes))?;
                    expected.compare(self.gpu, &notes, subject.ends(self.layout.has_atoms()))?;
                }
                Ok(subject.launches())
            };
            runs += check().map_err(|failure: Failure| failure.with(subject))?;
        }
        Ok(runs)
    }
}

/// The argument of a kernel: a probe with these records.
fn arg<V: Values, const LANES: u32, const REDUCES: bool, const NEEDS_TILE: bool>(
    notes: &Notes,
) -> ProbeLaunch<V, LANES, REDUCES, NEEDS_TILE, GpuRuntime> {
    ProbeLaunch::new(
        notes.numbers.arg(),
        notes.visits.arg(),
        notes.tiles.arg(),
        notes.ends.arg(),
        notes.totals.arg(),
    )
}
