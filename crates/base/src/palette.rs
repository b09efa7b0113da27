//! First fit: the smallest color that no neighbour has.

/// The colors that a vertex with `degree` neighbours may need, `0..=degree`, and which are taken.
///
/// ```
/// use equipoise_base::palette::Palette;
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
    /// Makes `0..=degree` free again.
    pub fn reset(&mut self, degree: usize) {
        self.words.clear();
        self.words.resize(degree / 64 + 1, 0);
    }

    /// Marks a neighbour's color. One past the palette cannot matter: as many neighbours as there
    /// are leave one of `0..=degree` free.
    #[inline]
    pub fn take(&mut self, color: u32) {
        if let Some(word) = self.words.get_mut(color as usize / 64) {
            *word |= 1 << (color % 64);
        }
    }

    /// The smallest color not taken.
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
