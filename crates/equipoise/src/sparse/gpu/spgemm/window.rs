//! Windows: the columns of a product that are looked at together.

use cubecl::prelude::*;

use super::factors::{Factors, Span};

/// A range of columns.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Window {
    /// The first.
    pub from: u32,
    /// Where it ends; not part of it.
    pub to: u32,
    /// Whether the next visit is one of the next window.
    #[cube(comptime)]
    pub moves_on: bool,
}

#[cube]
impl Window {
    /// What an entry of A takes of B: from where the last window left it in `cursors` to the end
    /// of this one.
    pub(super) fn cut<F: Float>(
        &self,
        factors: &Factors<F>,
        entry: u32,
        cursors: &mut Array<u32>,
    ) -> Span {
        let mut span = factors.row_named_by(entry);
        if self.from > 0 {
            span.from = cursors[entry as usize];
        }
        span.to = factors.first_from(span, self.to);
        if comptime!(self.moves_on) {
            cursors[entry as usize] = span.to;
        }
        span
    }
}
