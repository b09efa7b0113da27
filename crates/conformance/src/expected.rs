//! The expected records of a run, and their comparison with the actual ones.

use std::{fmt, ops::Range};

use equipoise_schedule::{
    Error, Result,
    device::{Buffer, Gpu},
};

use crate::{sets::Layout, values::HostValues};

pub(crate) enum Failure {
    Wrong(String),
    Lost(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Lost(_) => Self::Lost(error),
            other => Self::Wrong(other.to_string()),
        }
    }
}

impl Failure {
    /// The failure, with the subject it occurred with.
    pub fn with(self, subject: &impl fmt::Display) -> Self {
        match self {
            Self::Wrong(problem) => Self::Wrong(format!("{problem} ({subject})")),
            lost => lost,
        }
    }
}

/// Marks elements that were never written.
const UNTOUCHED: u32 = 0xdead_beef;

/// The arrays of a probe on the device.
pub(crate) struct Notes {
    pub numbers: Buffer<u32>,
    pub visits: Buffer<u32>,
    pub tiles: Buffer<u32>,
    pub ends: Buffer<u32>,
    pub totals: Buffer<u32>,
}

impl Notes {
    /// Clears all records.
    pub fn clear(&self, gpu: &Gpu) -> Result<()> {
        gpu.fill(&self.visits, 0)?;
        gpu.fill(&self.tiles, UNTOUCHED)?;
        gpu.fill(&self.ends, 0)?;
        gpu.fill(&self.totals, UNTOUCHED)
    }
}

/// The properties of a work that determine its records.
#[derive(Clone, Copy)]
pub(crate) struct Expectation {
    pub lanes: u32,
    pub reduces: bool,
    pub needs_tile: bool,
}

/// The permitted number of ends of a tile.
pub(crate) enum Ends {
    Once,
    /// Shares of several units may contain it.
    OnceOrMore,
    /// Any number of shares may contain it.
    Any,
}

pub(crate) struct Expected {
    numbers: Vec<u32>,
    visits: Vec<u32>,
    tiles: Vec<u32>,
    ends: Vec<u32>,
    totals: Vec<u32>,
    /// Words per total.
    words: u32,
    work: Expectation,
}

impl Expected {
    pub fn new<V: HostValues>(layout: &Layout, work: Expectation) -> Self {
        let lanes = work.lanes;
        let words = lanes * V::WORDS;
        let numbers: Vec<u32> =
            (0..=layout.atom_names).map(|atom| atom.wrapping_mul(2_654_435_769) >> 7).collect();
        // One more element than names.
        let room = |names: u32, each: u32| (names as usize + 1) * each as usize;
        let mut visits = vec![0; room(layout.atom_names, lanes)];
        let mut tiles = vec![UNTOUCHED; visits.len()];
        let mut ends = vec![0; room(layout.tile_names, lanes)];
        let mut totals = vec![UNTOUCHED; room(layout.tile_names, words)];
        for (tile, atoms) in &layout.tiles {
            let own = *tile..tile + 1;
            visits[elements(atoms, lanes)].fill(1);
            tiles[elements(atoms, lanes)].fill(*tile);
            ends[elements(&own, lanes)].fill(1);
            let added = if work.needs_tile { *tile } else { 0 };
            let of_atoms = &numbers[elements(atoms, 1)];
            for (word, total) in (0..).zip(&mut totals[elements(&own, words)]) {
                *total = V::total(of_atoms.iter().map(|number| number.wrapping_add(added)), word);
            }
        }
        Self { numbers, visits, tiles, ends, totals, words, work }
    }

    /// Allocates the records on the device.
    pub fn notes(&self, gpu: &Gpu) -> Result<Notes> {
        Ok(Notes {
            numbers: gpu.upload(&self.numbers)?,
            visits: gpu.empty(self.visits.len())?,
            tiles: gpu.empty(self.tiles.len())?,
            ends: gpu.empty(self.ends.len())?,
            totals: gpu.empty(self.totals.len())?,
        })
    }

    /// Fails with the first difference in the records of a run.
    pub fn compare(&self, gpu: &Gpu, notes: &Notes, ends_allowed: Ends) -> Result<(), Failure> {
        let lanes = self.work.lanes;
        let visits = gpu.download(&notes.visits)?;
        same(&self.visits, &visits, |index, expected, actual| {
            let atom = name("atom", index, lanes, self.visits.len());
            format!("{atom} was done {actual} times, not {expected}")
        })?;
        let mut ends = gpu.download(&notes.ends)?;
        for (actual, expected) in ends.iter_mut().zip(&self.ends) {
            match ends_allowed {
                Ends::Once => {}
                Ends::OnceOrMore => *actual = (*actual).min(1),
                Ends::Any => *actual = if *expected > 0 { *expected } else { *actual },
            }
        }
        same(&self.ends, &ends, |index, expected, actual| {
            let tile = name("tile", index, lanes, self.ends.len());
            format!("{tile} was ended {actual} times, not {expected}")
        })?;
        if self.work.needs_tile {
            let tiles = gpu.download(&notes.tiles)?;
            same(&self.tiles, &tiles, |index, expected, actual| {
                let atom = name("atom", index, lanes, self.tiles.len());
                format!("{atom} was said to be in tile {actual}, not {expected}")
            })?;
        }
        if self.work.reduces {
            let totals = gpu.download(&notes.totals)?;
            same(&self.totals, &totals, |index, expected, actual| {
                let tile = name("tile", index, self.words, self.totals.len());
                format!("{tile} has the total {actual:#010x}, not {expected:#010x}")
            })?;
        }
        Ok(())
    }
}

fn elements(names: &Range<u32>, each: u32) -> Range<usize> {
    let each = each as usize;
    names.start as usize * each..names.end as usize * each
}

/// The name that an element belongs to.
fn name(what: &str, index: usize, each: u32, elements: usize) -> String {
    let each = each as usize;
    let is_known = index + each < elements;
    let name = if is_known {
        format!("{what} {}", index / each)
    } else {
        format!("{what} beyond the last")
    };
    if each == 1 { name } else { format!("part {} of {name}", index % each) }
}

/// Fails with the first difference and the number of differences.
fn same(
    expected: &[u32],
    actual: &[u32],
    describe: impl Fn(usize, u32, u32) -> String,
) -> Result<(), Failure> {
    if expected.len() != actual.len() {
        let problem = format!("{} notes came back, not {}", actual.len(), expected.len());
        return Err(Failure::Wrong(problem));
    }
    let mut different = (0..).zip(expected.iter().zip(actual)).filter(|(_, (e, f))| e != f);
    let Some((index, (&first_expected, &first_actual))) = different.next() else {
        return Ok(());
    };
    let problem = describe(index, first_expected, first_actual);
    Err(Failure::Wrong(match different.count() {
        0 => problem,
        more => format!("{problem}; {more} more are wrong"),
    }))
}
