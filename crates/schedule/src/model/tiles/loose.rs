//! Rows at any place: tiles are rows, atoms entries.

use cubecl::prelude::*;

use super::{Counted, CountedSet, CountedSetExpand, count_of_tiles};
use crate::{Error, Result, device::Buffer, input::Input};

/// Rows at individual places of a pool of entries, in any order and with gaps: those of a graph with spare capacity per
/// vertex, for instance, or of ELLPACK with row lengths.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, tiles::LooseRows};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     // Three rows: entries 7 and 8, entry 0, and entries 2 to 4.
///     let (begins, counts) = (gpu.upload(&[7, 0, 2])?, gpu.upload(&[2, 1, 3])?);
///     let rows = LooseRows::from_counts(&begins, &counts, 6)?;
///     assert_eq!((rows.tiles(), rows.atoms()), (3, 6));
///     Ok(())
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct LooseRows {
    /// The first entry of each row.
    pub begins: Input<u32>,
    /// The number of entries of each row.
    pub counts: Input<u32>,
    /// The number of rows.
    pub rows: u32,
}

impl LooseRows {
    /// The rows that begin at `begins` and have `counts` entries each, `entries` in all.
    ///
    /// Fails if the two differ in length, or 32 bits do not count the rows.
    pub fn from_counts<'a>(
        begins: &'a Buffer<u32>,
        counts: &'a Buffer<u32>,
        entries: u32,
    ) -> Result<Counted<'a, Self>> {
        if begins.len() != counts.len() {
            return Err(Error::Schedule(format!(
                "{} rows begin and {} have a number of entries: both are needed for each row",
                begins.len(),
                counts.len()
            )));
        }
        let rows = count_of_tiles(counts.len())?;
        Ok(Counted::new(rows, entries, move || {
            LooseRowsLaunch::new(begins.arg(), counts.arg(), rows)
        }))
    }
}

#[cube]
impl CountedSet for LooseRows {
    fn tiles(&self) -> u32 {
        self.rows
    }

    fn count(&self, tile: u32) -> u32 {
        self.counts[tile as usize]
    }

    fn tile(&self, tile: u32) -> u32 {
        tile
    }

    fn atom(&self, tile: u32, index: u32) -> u32 {
        self.begins[tile as usize] + index
    }
}
