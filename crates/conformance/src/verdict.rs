//! The verdict on a case.

use equipoise_schedule::Result;

/// An error of the device, or the difference of a result.
pub(crate) type Tried = Result<Result<(), String>>;

/// Fails with the first difference.
pub(crate) fn compared(numbers: &[u32], expected: &[u32]) -> Result<(), String> {
    let differs = |&index: &usize| numbers.get(index) != expected.get(index);
    let Some(index) = (0..numbers.len().max(expected.len())).find(differs) else { return Ok(()) };
    let (number, expected) = (numbers.get(index), expected.get(index));
    Err(format!("number {index} is {number:?} and not {expected:?}"))
}
