//! STUB
use std::io::Write;

use super::{
    Progress,
    error::{ParseError, WriteError},
};
use crate::{Graph, GraphBuilder, Matrix, Value};

pub(super) fn read(
    _: &[u8],
    _: &GraphBuilder,
    _: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    Err(ParseError::Whole("not read yet".into()))
}

pub(super) fn write(_: &Graph, _: &mut dyn Write) -> Result<(), WriteError> {
    Err(WriteError::CannotHold("anything yet".into()))
}

pub(super) fn read_matrix<T: Value>(
    _: &[u8],
    _: &super::ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    Err(ParseError::Whole("not read yet".into()))
}
pub(super) fn write_matrix<T: Value>(_: &Matrix<T>, _: &mut dyn Write) -> Result<(), WriteError> {
    Err(WriteError::CannotHold("anything yet".into()))
}
