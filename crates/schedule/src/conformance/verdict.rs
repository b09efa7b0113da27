//! What became of a case.

use crate::Result;

/// The device's problem, or what was wrong with what it found.
pub(super) type Tried = Result<Result<(), String>>;

pub(super) fn compared(found: &[u32], expected: &[u32]) -> Result<(), String> {
    let differs = |&place: &usize| found.get(place) != expected.get(place);
    match (0..found.len().max(expected.len())).find(differs) {
        None => Ok(()),
        Some(place) => {
            let (found, expected) = (found.get(place), expected.get(place));
            Err(format!("number {place} is {found:?} and not {expected:?}"))
        }
    }
}
