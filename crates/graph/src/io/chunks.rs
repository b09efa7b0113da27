//! Lines of a text in parallel.

use rayon::prelude::*;

use super::{Progress, scan::Scanner};

const SMALLEST_CHUNK: usize = 1 << 16;
const LARGEST_CHUNK: usize = 1 << 23;
const CHUNKS_PER_THREAD: usize = 8;

/// Calls `parse` on pieces of `bytes` from `start` on, which are made of whole lines and end where
/// their scanner ends. Gives the results in order, or the error that comes first in the text.
pub(super) fn parse<T, E>(
    bytes: &[u8],
    start: usize,
    progress: Option<&dyn Progress>,
    parse: impl Fn(Scanner) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E>
where
    T: Send,
    E: Send,
{
    let size = (bytes.len() - start) / (CHUNKS_PER_THREAD * rayon::current_num_threads());
    let chunks = split(bytes, start, size.clamp(SMALLEST_CHUNK, LARGEST_CHUNK));
    if let Some(progress) = progress {
        progress.start("parsing", bytes.len() as u64);
        progress.advance(start as u64);
    }
    let results: Vec<Result<T, E>> = chunks
        .par_iter()
        .with_max_len(1)
        .map(|&(start, end)| {
            let result = parse(Scanner::new(&bytes[..end], start));
            if let Some(progress) = progress {
                progress.advance((end - start) as u64);
            }
            result
        })
        .collect();
    if let Some(progress) = progress {
        progress.finish();
    }
    results.into_iter().collect()
}

/// Cuts the bytes from `start` on after line ends, into pieces of at least `size` bytes.
fn split(bytes: &[u8], mut start: usize, size: usize) -> Vec<(usize, usize)> {
    let mut chunks = Vec::new();
    while start < bytes.len() {
        let least = (start + size).min(bytes.len());
        let rest = bytes[least..].iter().position(|&byte| byte == b'\n');
        let end = rest.map_or(bytes.len(), |rest| least + rest + 1);
        chunks.push((start, end));
        start = end;
    }
    chunks
}

/// The parts one after the other.
pub(super) fn concatenate<T: Copy + Default + Send + Sync>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let mut whole = vec![T::default(); parts.iter().map(Vec::len).sum()];
    let mut rest = whole.as_mut_slice();
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let (place, after) = rest.split_at_mut(part.len());
        places.push((place, part));
        rest = after;
    }
    places.into_par_iter().for_each(|(place, part)| place.copy_from_slice(&part));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_end_after_lines_and_cover_everything() {
        for size in 1..9 {
            for text in ["", "\n", "a", "a\nbc", "a\nbc\n\n\nde\nfghijklmno\np"] {
                let chunks = split(text.as_bytes(), 0, size);
                let pieces: Vec<&str> = chunks.iter().map(|&(a, b)| &text[a..b]).collect();
                assert_eq!(pieces.concat(), text);
                for piece in pieces.iter().rev().skip(1) {
                    assert!(piece.ends_with('\n') && piece.len() >= size);
                }
            }
        }
    }
}
