//! STUB
use std::io::Write;

use super::{
    Progress,
    error::{ParseError, WriteError},
};
use crate::{Graph, GraphBuilder};

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
pub(super) fn read_weighted(
    _: &[u8],
    _: &GraphBuilder,
    _: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    Err(ParseError::Whole("not read yet".into()))
}

pub(super) fn write_weighted(_: &Graph, _: &mut dyn Write) -> Result<(), WriteError> {
    Err(WriteError::CannotHold("anything yet".into()))
}
