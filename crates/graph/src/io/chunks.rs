//! Parallel parsing of lines.

use std::ops::Range;

use super::{options::Progress, scan::Scanner};
use crate::{cancel::Cancel, parallel::*};

const SMALLEST_CHUNK: usize = 1 << 16;
const LARGEST_CHUNK: usize = 1 << 23;
const CHUNKS_PER_THREAD: usize = 8;

/// Pieces of a text, each with a property of it, such as its number of lines.
pub(super) type Pieces<P> = Vec<(Range<usize>, P)>;

/// Cuts the bytes from `start` on at line ends into a few pieces per thread and counts the lines in
/// each, so that allocations have the exact size.
pub(super) fn count<P: Send>(
    bytes: &[u8],
    start: usize,
    count: impl Fn(Scanner) -> P + Sync,
) -> Pieces<P> {
    let counted = |piece: Range<usize>| {
        let counted = count(Scanner::new(&bytes[..piece.end], piece.start));
        (piece, counted)
    };
    cut(bytes, start).into_par_iter().map(counted).collect()
}

/// The sum of the counts of all pieces.
pub(super) fn total(pieces: &Pieces<usize>) -> u64 {
    pieces.iter().map(|&(_, count)| count as u64).sum()
}

/// Calls `parse` on pieces of `bytes`, which consist of whole lines and end where their scanner
/// ends. Returns the results in order, or the first error in the text.
pub(super) fn parse<'a, P, T, E>(
    bytes: &'a [u8],
    chunks: Pieces<P>,
    progress: Option<&dyn Progress>,
    parse: impl Fn(Scanner<'a>, P) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E>
where
    P: Send,
    T: Send,
    E: Send,
{
    if let Some(progress) = progress {
        let before = chunks.first().map_or(bytes.len(), |(first, _)| first.start);
        progress.start("parsing", bytes.len() as u64);
        progress.advance(before as u64);
    }
    let cancel = Cancel::current();
    let results: Vec<Result<T, E>> = chunks
        .into_par_iter()
        .with_max_len(1)
        .map(|(chunk, own)| {
            cancel.poll();
            let result = parse(Scanner::new(&bytes[..chunk.end], chunk.start), own);
            if let Some(progress) = progress {
                progress.advance(chunk.len() as u64);
            }
            result
        })
        .collect();
    if let Some(progress) = progress {
        progress.finish();
    }
    results.into_iter().collect()
}

/// Cuts the bytes from `start` on at line ends into a few pieces per thread.
fn cut(bytes: &[u8], start: usize) -> Vec<Range<usize>> {
    let size = (bytes.len() - start) / (CHUNKS_PER_THREAD * rayon::current_num_threads());
    cut_by_size(bytes, start, size.clamp(SMALLEST_CHUNK, LARGEST_CHUNK))
}

/// Cuts the bytes from `start` on at line ends into pieces of at least `size` bytes.
fn cut_by_size(bytes: &[u8], mut start: usize, size: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    while start < bytes.len() {
        let least = (start + size).min(bytes.len());
        let rest = bytes[least..].iter().position(|&byte| byte == b'\n');
        let end = rest.map_or(bytes.len(), |rest| least + rest + 1);
        chunks.push(start..end);
        start = end;
    }
    chunks
}

pub(super) fn concatenate<T: Copy + Default + Send + Sync>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut whole = vec![T::default(); parts.iter().map(Vec::len).sum()];
    let slices = split_by(&mut whole, parts.iter().map(Vec::len));
    slices.into_par_iter().zip(parts).for_each(|(slice, part)| slice.copy_from_slice(&part));
    whole
}

/// Splits a slice into parts of the given lengths.
pub(super) fn split_by<T>(
    mut whole: &mut [T],
    lengths: impl IntoIterator<Item = usize>,
) -> Vec<&mut [T]> {
    let lengths = lengths.into_iter();
    lengths.map(|length| whole.split_off_mut(..length).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_after_lines_and_cover_everything() {
        for size in 1..9 {
            for text in ["", "\n", "a", "a\nbc", "a\nbc\n\n\nde\nfghijklmno\np"] {
                let chunks = cut_by_size(text.as_bytes(), 0, size);
                let pieces: Vec<&str> = chunks.into_iter().map(|chunk| &text[chunk]).collect();
                assert_eq!(pieces.concat(), text);
                for piece in pieces.iter().rev().skip(1) {
                    assert!(piece.ends_with('\n') && piece.len() >= size);
                }
            }
        }
    }
}
