//! What a run must leave, and what it left.

use std::{fmt, ops::Range};

use super::{sets::Layout, values::HostValues};
use crate::{
    Error, Result,
    device::{Buffer, Gpu},
};

/// Why a check did not pass.
pub(super) enum Failure {
    /// What is wrong.
    Wrong(String),
    /// Nothing can be checked any more.
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
    /// The same failure, with what it happened with.
    pub fn with(self, subject: &impl fmt::Display) -> Self {
        match self {
            Self::Wrong(problem) => Self::Wrong(format!("{problem} ({subject})")),
            lost => lost,
        }
    }
}

/// What is in a place that nothing was written to.
const UNTOUCHED: u32 = 0xdead_beef;

/// The arrays of a probe on the device.
pub(super) struct Notes {
    pub numbers: Buffer<u32>,
    pub visits: Buffer<u32>,
    pub tiles: Buffer<u32>,
    pub ends: Buffer<u32>,
    pub totals: Buffer<u32>,
}

impl Notes {
    /// Makes all notes blank.
    pub fn clear(&self, gpu: &Gpu) -> Result<()> {
        gpu.fill(&self.visits, 0)?;
        gpu.fill(&self.tiles, UNTOUCHED)?;
        gpu.fill(&self.ends, 0)?;
        gpu.fill(&self.totals, UNTOUCHED)
    }
}

/// What a work is, for what is expected of it.
#[derive(Clone, Copy)]
pub(super) struct Expectation {
    pub lanes: u32,
    pub reduces: bool,
    pub needs_tile: bool,
}

/// How often a tile may be ended.
pub(super) enum Ends {
    Once,
    /// Several units can have it in their share.
    OnceOrMore,
    /// It can be in anyone's share or in none.
    Any,
}

/// What the notes must be after a run.
pub(super) struct Expected {
    numbers: Vec<u32>,
    visits: Vec<u32>,
    tiles: Vec<u32>,
    ends: Vec<u32>,
    totals: Vec<u32>,
    /// How many words a total has.
    words: u32,
    work: Expectation,
}

impl Expected {
    pub fn new<V: HostValues>(layout: &Layout, work: Expectation) -> Self {
        let lanes = work.lanes;
        let words = lanes * V::WORDS;
        let numbers: Vec<u32> =
            (0..=layout.atom_names).map(|atom| atom.wrapping_mul(2_654_435_769) >> 7).collect();
        // A place more than there are names.
        let room = |names: u32, each: u32| (names as usize + 1) * each as usize;
        let mut visits = vec![0; room(layout.atom_names, lanes)];
        let mut tiles = vec![UNTOUCHED; visits.len()];
        let mut ends = vec![0; room(layout.tile_names, lanes)];
        let mut totals = vec![UNTOUCHED; room(layout.tile_names, words)];
        for (tile, atoms) in &layout.tiles {
            let own = *tile..tile + 1;
            visits[places(atoms, lanes)].fill(1);
            tiles[places(atoms, lanes)].fill(*tile);
            ends[places(&own, lanes)].fill(1);
            let added = if work.needs_tile { *tile } else { 0 };
            let of_atoms = &numbers[places(atoms, 1)];
            for (word, total) in (0..).zip(&mut totals[places(&own, words)]) {
                *total = V::total(of_atoms.iter().map(|number| number.wrapping_add(added)), word);
            }
        }
        Self { numbers, visits, tiles, ends, totals, words, work }
    }

    /// Room on the device for the notes.
    pub fn notes(&self, gpu: &Gpu) -> Result<Notes> {
        Ok(Notes {
            numbers: gpu.upload(&self.numbers)?,
            visits: gpu.empty(self.visits.len())?,
            tiles: gpu.empty(self.tiles.len())?,
            ends: gpu.empty(self.ends.len())?,
            totals: gpu.empty(self.totals.len())?,
        })
    }

    /// Fails with what is wrong with the notes of a run.
    pub fn compare(&self, gpu: &Gpu, notes: &Notes, ends_allowed: Ends) -> Result<(), Failure> {
        let lanes = self.work.lanes;
        let visits = gpu.download(&notes.visits)?;
        same(&self.visits, &visits, |place, expected, found| {
            let atom = name("atom", place, lanes, self.visits.len());
            format!("{atom} was done {found} times, not {expected}")
        })?;
        let mut ends = gpu.download(&notes.ends)?;
        for (found, expected) in ends.iter_mut().zip(&self.ends) {
            match ends_allowed {
                Ends::Once => {}
                Ends::OnceOrMore => *found = (*found).min(1),
                Ends::Any => *found = if *expected > 0 { *expected } else { *found },
            }
        }
        same(&self.ends, &ends, |place, expected, found| {
            let tile = name("tile", place, lanes, self.ends.len());
            format!("{tile} was ended {found} times, not {expected}")
        })?;
        if self.work.needs_tile {
            let tiles = gpu.download(&notes.tiles)?;
            same(&self.tiles, &tiles, |place, expected, found| {
                let atom = name("atom", place, lanes, self.tiles.len());
                format!("{atom} was said to be in tile {found}, not {expected}")
            })?;
        }
        if self.work.reduces {
            let totals = gpu.download(&notes.totals)?;
            same(&self.totals, &totals, |place, expected, found| {
                let tile = name("tile", place, self.words, self.totals.len());
                format!("{tile} has the total {found:#010x}, not {expected:#010x}")
            })?;
        }
        Ok(())
    }
}

/// The places of names, where each has so many.
fn places(names: &Range<u32>, each: u32) -> Range<usize> {
    let each = each as usize;
    names.start as usize * each..names.end as usize * each
}

/// What a place belongs to.
fn name(what: &str, place: usize, each: u32, places: usize) -> String {
    let each = each as usize;
    let name = match place + each < places {
        true => format!("{what} {}", place / each),
        false => format!("{what} beyond the last"),
    };
    match each {
        1 => name,
        _ => format!("part {} of {name}", place % each),
    }
}

/// Tells the first difference, and how many there are.
fn same(
    expected: &[u32],
    found: &[u32],
    tell: impl Fn(usize, u32, u32) -> String,
) -> Result<(), Failure> {
    if expected.len() != found.len() {
        let told = format!("{} notes came back, not {}", found.len(), expected.len());
        return Err(Failure::Wrong(told));
    }
    let mut different = (0..).zip(expected.iter().zip(found)).filter(|(_, (e, f))| e != f);
    let Some((place, (&first_expected, &first_found))) = different.next() else {
        return Ok(());
    };
    let told = tell(place, first_expected, first_found);
    Err(Failure::Wrong(match different.count() {
        0 => told,
        more => format!("{told}; {more} more are wrong"),
    }))
}
