//! A column of weights whose type shows as it is read.

use super::{chunks::concatenate, error::ParseError, scan::Scanner};
use crate::Weights;

/// What is known of the type of weights before they are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WeightType {
    /// Nothing: `u32` if all are whole numbers that fit, else `f32`.
    Any,
    U32,
    F32,
}

/// Weights of one piece of a text: `u32` for as long as all are whole numbers that fit, then
/// `f32`. Turning a `u32` into an `f32` rounds it as reading its digits would.
pub(super) struct WeightColumn {
    numbers: Numbers,
    expected: WeightType,
}

enum Numbers {
    U32(Vec<u32>),
    F32(Vec<f32>),
}

impl WeightColumn {
    /// A column with room for `capacity` weights.
    pub fn with_capacity(expected: WeightType, capacity: usize) -> Self {
        let numbers = match expected {
            WeightType::Any | WeightType::U32 => Numbers::U32(Vec::with_capacity(capacity)),
            WeightType::F32 => Numbers::F32(Vec::with_capacity(capacity)),
        };
        Self { numbers, expected }
    }

    /// Reads one more weight.
    #[inline(always)]
    pub fn read(&mut self, scanner: &mut Scanner) -> Result<(), ParseError> {
        if let Numbers::U32(weights) = &mut self.numbers {
            let start = *scanner;
            if let Some(Ok(weight)) = scanner.unsigned().map(u32::try_from) {
                weights.push(weight);
                return Ok(());
            }
            *scanner = start;
            self.widen(scanner)?;
        }
        if let Numbers::F32(weights) = &mut self.numbers {
            weights.push(scanner.real().ok_or_else(|| scanner.expected("a weight"))?);
        }
        Ok(())
    }

    #[cold]
    fn widen(&mut self, scanner: &Scanner) -> Result<(), ParseError> {
        if self.expected == WeightType::U32 {
            return Err(scanner.expected("a whole weight from 0 to 4294967295"));
        }
        if let Numbers::U32(weights) = &self.numbers {
            let mut widened = Vec::with_capacity(weights.capacity());
            widened.extend(weights.iter().map(|&weight| weight as f32));
            self.numbers = Numbers::F32(widened);
        }
        Ok(())
    }

    fn into_u32(self) -> Option<Vec<u32>> {
        match self.numbers {
            Numbers::U32(weights) => Some(weights),
            Numbers::F32(_) => None,
        }
    }

    fn into_f32(self) -> Vec<f32> {
        match self.numbers {
            Numbers::U32(weights) => weights.iter().map(|&weight| weight as f32).collect(),
            Numbers::F32(weights) => weights,
        }
    }
}

/// All columns as one, of `f32` where any is or it was expected.
pub(super) fn join(expected: WeightType, columns: Vec<WeightColumn>) -> Weights {
    let real = |column: &WeightColumn| matches!(column.numbers, Numbers::F32(_));
    if expected == WeightType::F32 || columns.iter().any(real) {
        return concatenate(columns.into_iter().map(WeightColumn::into_f32).collect()).into();
    }
    concatenate(columns.into_iter().filter_map(WeightColumn::into_u32).collect()).into()
}
