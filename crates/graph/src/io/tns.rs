//! Text files of sparse three-mode tensors, as in FROSTT
//! (<http://frostt.io/tensors/file-formats.html>).
//!
//! Each line is a nonzero `i j k value`, with coordinates counted from 1. Lines that start with `#`
//! are comments. There is no header: the size of a mode is its largest coordinate.

use std::{io::Write, path::Path};

use super::{
    chunks::{self, concatenate},
    commas,
    error::{NO_FILE, ParseError, located},
    input,
    limits::{check_count, most_rows},
    lines::{put_from_1, put_real},
    options::Progress,
    output,
    reals::exact_real,
    scan::Scanner,
    text,
};
use crate::{
    Error, Mode, Result, SparseTensor,
    memory::{self, bytes_of},
    tensor::LAST_COORDINATE,
};

/// Reads a three-mode tensor from a `.tns` file; `.gz`, `.zst`, `.xz` and `.bz2` are decompressed.
/// Repeated positions are kept.
///
/// Fails if the file cannot be read or a line is not `i j k value`; the error names the file, the
/// line and the expected input. Whole numbers are never rounded: one that is not exact in 32 bits
/// is rejected.
///
/// ```
/// use equipoise_graph::io::read_tensor;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.tns");
/// std::fs::write(&path, "# i j k value\n1 1 1 0.5\n2 3 1 -1\n").unwrap();
/// let tensor = read_tensor(&path, None)?;
/// assert_eq!((tensor.shape(), tensor.values()), ([2, 3, 1], &[0.5, -1.0][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn read_tensor(path: &Path, progress: Option<&dyn Progress>) -> Result<SparseTensor> {
    let bytes = input::open(path, true, progress)?;
    bytes.while_unchanged(|| parse_named(path, &bytes, progress))
}

/// Parses a tensor from the bytes of a `.tns` file, which must not be compressed.
///
/// ```
/// use equipoise_graph::io::parse_tensor;
///
/// assert_eq!(parse_tensor(b"1 2 3 0.5\n")?.shape(), [1, 2, 3]);
/// let error = parse_tensor(b"1 2 3 0.5\n0 1 1 1.0\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "input:2: expected a coordinate of mode 1 from 1 to 4294967295, found \"0\""
/// );
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn parse_tensor(bytes: &[u8]) -> Result<SparseTensor> {
    parse_named(NO_FILE.as_ref(), bytes, None)
}

fn parse_named(path: &Path, bytes: &[u8], progress: Option<&dyn Progress>) -> Result<SparseTensor> {
    let text = text::normalize(bytes).map_err(|error| located(error, path, bytes))?;
    read(&text, progress).map_err(|error| located(error, path, &text))
}

/// The nonzeros of some lines.
struct Nonzeros {
    coordinates: [Vec<u32>; 3],
    values: Vec<f32>,
}

fn read(bytes: &[u8], progress: Option<&dyn Progress>) -> Result<SparseTensor, ParseError> {
    let pieces = chunks::count(bytes, 0, |scanner| scanner.lines());
    let lines = chunks::total(&pieces);
    // Pieces are concatenated when all of them are read, one array after the other.
    let needed = SparseTensor::memory_of(lines).saturating_add(bytes_of::<u32>(lines));
    memory::check(format_args!("reading {lines} lines"), needed)?;
    let pieces = chunks::parse(bytes, pieces, progress, |scanner, lines| {
        read_lines(scanner, lines, bytes.len())
    })?;
    let mut coordinates = [Vec::new(), Vec::new(), Vec::new()];
    let mut values = Vec::new();
    for piece in pieces {
        for (all, some) in coordinates.iter_mut().zip(piece.coordinates) {
            all.push(some);
        }
        values.push(piece.values);
    }
    Ok(SparseTensor::just_large_enough(coordinates.map(concatenate), concatenate(values)))
}

/// Reads the nonzeros of a piece of `lines` lines, of a file of `bytes` bytes.
fn read_lines(mut scanner: Scanner, lines: usize, bytes: usize) -> Result<Nonzeros, ParseError> {
    const COORDINATES: [(&str, &str); 3] = [
        ("coordinate of mode 1", "slices of mode 1"),
        ("coordinate of mode 2", "slices of mode 2"),
        ("coordinate of mode 3", "slices of mode 3"),
    ];
    let most = most_rows(bytes);
    let mut nonzeros = Nonzeros {
        coordinates: [0, 1, 2].map(|_| Vec::with_capacity(lines)),
        values: Vec::with_capacity(lines),
    };
    while scanner.next_line(b"#") {
        for ((coordinate, slices), numbers) in COORDINATES.iter().zip(&mut nonzeros.coordinates) {
            scanner.skip_blanks();
            let at = scanner.position();
            let number = scanner.number_in(1..LAST_COORDINATE + 1, coordinate)?;
            if u64::from(number) >= most {
                check_count(slices, u64::from(number) + 1, bytes, at)?;
            }
            numbers.push(number);
        }
        scanner.skip_blanks();
        nonzeros.values.push(exact_real(&mut scanner, "a value after three coordinates")?);
        if !scanner.at_line_end() {
            let error = scanner.expected("the end of the line, as this is a tensor of three modes");
            return Err(commas::with_advice_at(error, scanner));
        }
    }
    Ok(nonzeros)
}

/// Writes a tensor to a `.tns` file atomically.
///
/// The format does not store the shape: slices without nonzeros at the end of a mode are lost.
///
/// Fails if the file cannot be written.
///
/// ```
/// use equipoise_graph::{SparseTensor, io::{read_tensor, write_tensor}};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.tns.gz");
/// let tensor = SparseTensor::from_entries([1, 2, 3], &[(0, 1, 2, 0.1)])?;
/// write_tensor(&tensor, &path)?;
/// assert_eq!(read_tensor(&path, None)?, tensor);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn write_tensor(tensor: &SparseTensor, path: &Path) -> Result<()> {
    output::write_whole(path, |out| {
        print_tensor(tensor, out).map_err(|source| Error::io(path, source))
    })
}

/// Writes a tensor as text to any writer: the counterpart of [`parse_tensor`].
///
/// Fails if `out` does.
///
/// ```
/// use equipoise_graph::{SparseTensor, io::print_tensor};
///
/// let mut text = Vec::new();
/// print_tensor(&SparseTensor::from_entries([1, 2, 3], &[(0, 1, 2, 0.5)])?, &mut text).unwrap();
/// assert_eq!(text, b"1 2 3 0.5\n");
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub fn print_tensor(tensor: &SparseTensor, out: &mut dyn Write) -> std::io::Result<()> {
    const BYTES_AT_ONCE: usize = 1 << 16;
    let mut text = Vec::with_capacity(2 * BYTES_AT_ONCE);
    for (nonzero, &value) in tensor.values().iter().enumerate() {
        for &mode in Mode::ALL {
            put_from_1(&mut text, tensor.coordinates(mode)[nonzero]);
            text.push(b' ');
        }
        put_real(&mut text, value);
        text.push(b'\n');
        if text.len() >= BYTES_AT_ONCE {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)
}
