//! Sets of local vertices, one bit per vertex.

/// The number of words for a set of vertices.
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

/// Sorts vertices below `end` and removes duplicates.
pub(crate) fn ascending(mut vertices: Vec<u32>, end: u32) -> Vec<u32> {
    /// Words of a set that can be scanned in the time of sorting one vertex.
    const WORDS_PER_VERTEX: usize = 8;
    if vertices.len() * WORDS_PER_VERTEX < words(end) {
        vertices.sort_unstable();
        return vertices;
    }
    let mut set = vec![0; words(end)];
    vertices.drain(..).for_each(|vertex| insert(&mut set, vertex));
    for_each(&set, |vertex| vertices.push(vertex));
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_vertices_are_sorted() {
        assert_eq!(ascending(vec![900, 7, 64], 100_000), [7, 64, 900]);
        assert_eq!(ascending((0..1000).rev().collect(), 1000), (0..1000).collect::<Vec<_>>());
        assert!(ascending(Vec::new(), 0).is_empty());
    }

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
