//! First-fit coloring: the smallest color that no neighbour has.

/// The colors `0..=degree`, one of which is free for a vertex with `degree` neighbours.
///
/// ```
/// use equipoise_graph::Palette;
///
/// let mut palette = Palette::default();
/// palette.reset(2);
/// palette.take(0);
/// palette.take(2);
/// assert_eq!(palette.first_free(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Palette {
    words: Vec<u64>,
}

impl Palette {
    /// Frees the colors `0..=degree`.
    pub fn reset(&mut self, degree: usize) {
        self.words.clear();
        self.words.resize(degree / 64 + 1, 0);
    }

    /// Marks a neighbour's color. Colors beyond the palette are ignored: `degree` neighbours leave
    /// one of `0..=degree` free.
    #[inline]
    pub fn take(&mut self, color: u32) {
        if let Some(word) = self.words.get_mut(color as usize / 64) {
            *word |= 1 << (color % 64);
        }
    }

    /// The smallest free color.
    pub fn first_free(&self) -> u32 {
        let index = self.words.iter().position(|&word| word != u64::MAX);
        let index = index.unwrap_or(self.words.len());
        let bits = self.words.get(index).map_or(0, |word| word.trailing_ones());
        index as u32 * 64 + bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_free_color_is_found_across_words() {
        let mut palette = Palette::default();
        palette.reset(130);
        assert_eq!(palette.first_free(), 0);
        (0..130).for_each(|color| palette.take(color));
        palette.take(u32::MAX - 1);
        assert_eq!(palette.first_free(), 130);
        palette.reset(2);
        palette.take(0);
        palette.take(2);
        assert_eq!(palette.first_free(), 1);
    }
}
