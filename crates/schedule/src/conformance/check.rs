//! The runs of one shape.

use cubecl::prelude::*;

use super::{
    expected::{Expectation, Expected, Failure, Notes},
    probe::{Probe, ProbeLaunch, ProbeName},
    sets::{self, Layout, SetName},
    subject::{Launch, Subject},
    values::Values,
};
use crate::{
    Result,
    device::{Gpu, GpuRuntime},
    plan::Tiles,
    tiles::*,
    work::Work,
};

/// Tries subjects on a shape up to the first that fails. Gives the number of runs.
pub(super) fn check<S: Subject>(
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
            S::try_work(&Trials { gpu, subjects, set: CsrRows::of(&offsets, atoms)?, layout }, work)
        }
        SetName::Csc => {
            let layout = Layout::compressed(&offsets);
            let offsets = gpu.upload(&offsets)?;
            let set = CscColumns::of(&offsets, atoms)?;
            S::try_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Coo => {
            let entries = sizes.len() as u32;
            let layout = Layout::entries(entries);
            let set = CooEntries::of(entries);
            S::try_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Frontier => {
            let (layout, list) = sets::frontier(gpu, sizes)?;
            let set = list.tiles(layout.atom_names)?;
            S::try_work(&Trials { gpu, subjects, set, layout }, work)
        }
        SetName::Counted => {
            let (layout, begins, counts) = sets::loose_rows(sizes);
            let (begins, counts) = (gpu.upload(&begins)?, gpu.upload(&counts)?);
            let set = LooseRows::of(&begins, &counts, atoms)?;
            let sums = set.sums(gpu)?;
            let set = CountedTrial { set: &set, summed: set.summed(&sums)? };
            S::try_work(&Trials { gpu, subjects, set, layout }, work)
        }
    }
}

/// Tiles that a subject can be made ready for.
pub(super) trait TrialSet {
    fn ready<'a, S: Subject, W: Work>(&'a self, gpu: &'a Gpu, subject: &S)
    -> Result<Launch<'a, W>>;
}

impl<T: TileSet> TrialSet for Tiles<'_, T> {
    fn ready<'a, S: Subject, W: Work>(
        &'a self,
        gpu: &'a Gpu,
        subject: &S,
    ) -> Result<Launch<'a, W>> {
        subject.ready::<T, W>(gpu, self)
    }
}

/// Counted tiles, and their sums for those who need them.
struct CountedTrial<'a, C: CountedSet> {
    set: &'a Counted<'a, C>,
    summed: Tiles<'a, Summed<C>>,
}

impl<C: CountedSet> TrialSet for CountedTrial<'_, C> {
    fn ready<'a, S: Subject, W: Work>(
        &'a self,
        gpu: &'a Gpu,
        subject: &S,
    ) -> Result<Launch<'a, W>> {
        subject.ready_counted::<C, W>(gpu, self.set, &self.summed)
    }
}

/// A tile set, and what is tried on it.
pub(super) struct Trials<'a, T, S> {
    gpu: &'a Gpu,
    subjects: &'a [S],
    set: T,
    layout: Layout,
}

/// Four numbers that are loaded and stored at once.
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
                let launch =
                    self.set.ready::<S, Probe<V, LANES, REDUCES, NEEDS_TILE>>(self.gpu, subject)?;
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

/// A probe with these notes, for a kernel.
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
