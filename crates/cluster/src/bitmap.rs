//! Sets of local vertices, a bit each.

/// The words of a set of so many vertices.
pub(crate) fn words(vertices: u32) -> usize {
    (vertices as usize).div_ceil(64)
}

/// Whether a vertex is in a set.
#[inline]
pub(crate) fn contains(set: &[u64], vertex: u32) -> bool {
    set[vertex as usize / 64] >> (vertex % 64) & 1 == 1
}

/// Adds a vertex.
#[inline]
pub(crate) fn insert(set: &mut [u64], vertex: u32) {
    set[vertex as usize / 64] |= 1 << (vertex % 64);
}

/// Calls `visit` with each vertex of a word, the `index`th of a set.
#[inline]
pub(crate) fn for_each_in(mut word: u64, index: usize, mut visit: impl FnMut(u32)) {
    while word != 0 {
        visit(index as u32 * 64 + word.trailing_zeros());
        word &= word - 1;
    }
}

/// Calls `visit` with each vertex of a set, ascending.
pub(crate) fn for_each(set: &[u64], mut visit: impl FnMut(u32)) {
    set.iter().enumerate().for_each(|(index, &word)| for_each_in(word, index, &mut visit));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_inserted_is_found() {
        let mut set = vec![0; words(130)];
        let members = [0, 63, 64, 129];
        members.iter().for_each(|&vertex| insert(&mut set, vertex));
        let mut found = Vec::new();
        for_each(&set, |vertex| found.push(vertex));
        assert_eq!(found, members);
        assert!(contains(&set, 64) && !contains(&set, 65));
    }
}
