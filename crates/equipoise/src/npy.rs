//! NumPy's file format for arrays.

use std::io::{self, Write};

/// A number that a NumPy array can hold.
pub trait Element: Copy {
    /// NumPy's name for the type, byte order included.
    const DESCR: &'static str;

    /// Appends the number's bytes, the least significant first.
    fn append_to(self, bytes: &mut Vec<u8>);
}

macro_rules! element {
    ($type:ty, $descr:literal) => {
        impl Element for $type {
            const DESCR: &'static str = $descr;

            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

element!(u32, "<u4");
element!(u64, "<u8");
element!(f32, "<f4");
element!(f64, "<f8");

/// The header, magic and lengths included, is a multiple of this many bytes long.
const ALIGNMENT: usize = 64;

/// Numbers converted to bytes at a time.
const NUMBERS_PER_PIECE: usize = 1 << 14;

/// Writes an array as a `.npy` file of version 1.0, little-endian, in row-major order.
///
/// Fails where the shape does not match the number of values, or `out` fails.
///
/// ```
/// let mut file = Vec::new();
/// equipoise::npy::write(&mut file, &[3], &[1.0f32, 2.0, 3.0])?;
/// assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
/// assert_eq!(file.len(), 128 + 12);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write<T: Element>(out: &mut dyn Write, shape: &[u64], values: &[T]) -> io::Result<()> {
    let elements = shape.iter().try_fold(1u64, |product, &length| product.checked_mul(length));
    if elements != Some(values.len() as u64) {
        let message = format!("{} values do not fill an array of shape {shape:?}", values.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    out.write_all(&header(T::DESCR, shape)?)?;
    let mut bytes = Vec::new();
    for piece in values.chunks(NUMBERS_PER_PIECE) {
        bytes.clear();
        piece.iter().for_each(|value| value.append_to(&mut bytes));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// The header of an array in the machine's byte order.
pub(crate) fn native_header<T: Element>(shape: &[u64]) -> io::Result<Vec<u8>> {
    if cfg!(target_endian = "little") {
        header(T::DESCR, shape)
    } else {
        header(&T::DESCR.replace('<', ">"), shape)
    }
}

fn header(descr: &str, shape: &[u64]) -> io::Result<Vec<u8>> {
    let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
    // Python's tuple of one has a comma.
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = lengths.join(", ") + comma;
    let dictionary =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    let end = (header.len() + 2 + dictionary.len() + 1).next_multiple_of(ALIGNMENT);
    let length = u16::try_from(end - header.len() - 2)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "too many dimensions"))?;
    header.extend(length.to_le_bytes());
    header.extend(dictionary.bytes());
    header.resize(end - 1, b' ');
    header.push(b'\n');
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file<T: Element>(shape: &[u64], values: &[T]) -> Vec<u8> {
        let mut file = Vec::new();
        write(&mut file, shape, values).unwrap();
        file
    }

    fn dictionary(file: &[u8]) -> &str {
        let end = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
        assert_eq!((end % 64, file[end - 1]), (0, b'\n'));
        std::str::from_utf8(&file[10..end]).unwrap().trim_end()
    }

    #[test]
    fn headers_are_what_python_reads() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}")
        };
        assert_eq!(dictionary(&file(&[2], &[1u32, 2])), header("<u4", "(2,)"));
        assert_eq!(dictionary(&file(&[0, 5], &[0u64; 0])), header("<u8", "(0, 5)"));
        assert_eq!(dictionary(&file(&[1, 2, 1], &[0f32; 2])), header("<f4", "(1, 2, 1)"));
        assert_eq!(dictionary(&file(&[], &[1.5f64])), header("<f8", "()"));
    }

    #[test]
    fn many_values_follow_in_order_and_little_endian() {
        let values: Vec<u32> = (0..3 * NUMBERS_PER_PIECE as u32 + 7).map(|v| v << 8).collect();
        let file = file(&[values.len() as u64], &values);
        let (numbers, rest) = file[file.len() - 4 * values.len()..].as_chunks::<4>();
        assert!(rest.is_empty());
        assert!(numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).eq(values));
    }

    #[test]
    fn a_shape_that_does_not_fit_is_refused() {
        for shape in [&[4][..], &[3, 2], &[], &[u64::MAX, u64::MAX]] {
            let error = write(&mut Vec::new(), shape, &[1u32, 2, 3]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }
}
