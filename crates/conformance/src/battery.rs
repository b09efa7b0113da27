//! Shapes of tile sets that a schedule may do wrong.

equipoise_graph::named_enum! {
    /// How large the tile sets of the battery are.
    ///
    /// ```
    /// use equipoise_conformance::Size;
    ///
    /// assert_eq!("large".parse(), Ok(Size::Large));
    /// ```
    pub enum Size("size") {
        /// Hundreds of tiles, thousands of atoms: for software devices, which are slow and limit the iterations of a
        /// unit.
        Small = "small",
        /// Hundreds of thousands of tiles or atoms: for hardware.
        Large = "large",
    }
}

equipoise_graph::named_enum! {
    /// A shape of a tile set, by its name.
    ///
    /// ```
    /// use equipoise_conformance::{Battery, Size};
    ///
    /// assert_eq!(Battery::GiantTile.sizes(Size::Large), [200_000]);
    /// assert!(Battery::EmptyTiles.sizes(Size::Small).iter().all(|&atoms| atoms == 0));
    /// ```
    pub enum Battery("shape") {
        /// No tile.
        Empty = "empty",
        /// One tile.
        OneTile = "one-tile",
        /// One tile with all atoms.
        GiantTile = "giant-tile",
        /// Tiles without atoms.
        EmptyTiles = "empty-tiles",
        /// The first tiles and the last without atoms.
        EmptyEnds = "empty-ends",
        /// A few tiles with most of the atoms.
        PowerLaw = "power-law",
        /// Tiles of the same size.
        Uniform = "uniform",
        /// More tiles than units.
        ManyTiles = "many-tiles",
        /// Fewer tiles than units.
        FewTiles = "few-tiles",
    }
}

impl Battery {
    /// The number of atoms of each tile.
    pub fn sizes(self, size: Size) -> Vec<u32> {
        // No size is a multiple of the size of a group or piece.
        let choose = |small: u32, large: u32| match size {
            Size::Small => small,
            Size::Large => large,
        };
        match self {
            Self::Empty => Vec::new(),
            Self::OneTile => vec![5],
            Self::GiantTile => vec![choose(4001, 200_000)],
            Self::EmptyTiles => vec![0; choose(301, 100_000) as usize],
            Self::EmptyEnds => {
                let ends = vec![0; choose(103, 10_000) as usize];
                let middle = (0..choose(101, 10_000)).map(|tile| tile * 7 % 12);
                ends.iter().copied().chain(middle).chain(ends.iter().copied()).collect()
            }
            Self::PowerLaw => {
                let tiles = choose(251, 20_011);
                // A prime factor spreads the large tiles.
                (0..tiles).map(|tile| tiles / (tile * 97 % tiles + 1)).collect()
            }
            Self::Uniform => vec![4; choose(303, 50_000) as usize],
            Self::ManyTiles => (0..choose(603, 300_001)).map(|tile| tile * 5 % 4).collect(),
            Self::FewTiles => (0..choose(7, 100)).map(|tile| tile * 131 % 300).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Battery, Size};

    #[test]
    fn shapes_are_what_their_names_say() {
        for &size in Size::ALL {
            let sizes = |shape: Battery| shape.sizes(size);
            let ends = sizes(Battery::EmptyEnds);
            let (first, last) = (ends.first().copied(), ends.last().copied());
            assert_eq!((first, last), (Some(0), Some(0)));
            assert!(ends.iter().any(|&atoms| atoms > 0));

            let law = sizes(Battery::PowerLaw);
            let (mut sorted, all) = (law.clone(), law.iter().sum::<u32>());
            sorted.sort_unstable();
            let largest: u32 = sorted.iter().rev().take(law.len() / 10).sum();
            assert!(largest > all / 2, "a tenth of the tiles has {largest} of {all} atoms");
            assert_ne!(law, sorted);
        }
        // With two cubes of the usual size, that is.
        assert!(Battery::ManyTiles.sizes(Size::Small).len() > 2 * 256);
        assert!(Battery::FewTiles.sizes(Size::Large).len() < 256);
    }
}
