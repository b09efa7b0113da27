//! Visits of the products of a row by all units of a cube.

use cubecl::prelude::*;

use super::operands::*;

/// The neighbouring units that visit neighbouring products together.
const RUN: u32 = 32;
/// The products per unit and search for the entry of A that they come from.
const ITEMS: u32 = 4;

pub(super) trait VisitKind {
    /// Whether visits need the products' values.
    const VALUES: bool;
}

/// A visitor of the products of a row, with a target of type `T`.
#[cube]
pub(super) trait Visit<F: Float, T: CubeType>: VisitKind + CubeType {
    /// Visits product `number` of its row. Several units may visit products of one column at once.
    fn visit(&mut self, target: &mut T, number: u32, column: u32, product: F);
}

/// The entries of A whose products a cube visits at a time, in shared memory.
#[derive(CubeType)]
pub(super) struct Stage<F: Float> {
    /// The number of products up to and including each entry's.
    ends: SharedMemory<u32>,
    /// The index in B of each entry's products, less the number of products before them.
    starts: SharedMemory<u32>,
    left: SharedMemory<F>,
    /// Working memory of running sums.
    sums: SharedMemory<u32>,
    #[cube(comptime)]
    units: u32,
}

/// The bytes of shared memory that a stage takes.
pub(super) fn stage_bytes(units: u32, value: usize) -> u64 {
    u64::from(units) * (4 * 4 + value as u64)
}

#[cube]
impl<F: Float> Stage<F> {
    /// A stage of one entry per unit.
    pub(super) fn new(#[comptime] units: u32, #[comptime] values: bool) -> Stage<F> {
        let size = comptime!(units as usize);
        Stage::<F> {
            ends: SharedMemory::<u32>::new(size),
            starts: SharedMemory::<u32>::new(size),
            left: SharedMemory::<F>::new(comptime!(if values { size } else { 1 })),
            sums: SharedMemory::<u32>::new(comptime!(2 * size)),
            units,
        }
    }

    /// Visits every product of a row. Returns their number. All units of the cube must call it
    /// together; when it returns, all of them are done.
    pub(super) fn visit<T: CubeType, V: Visit<F, T>>(
        &mut self,
        factors: &Factors<F>,
        row: Span,
        visitor: &mut V,
        target: &mut T,
    ) -> u32 {
        let mut before = 0u32;
        for first in range_stepped(row.from, row.to, self.units) {
            let entry = first + UNIT_POS;
            let mut from = 0u32;
            let mut to = 0u32;
            if entry < row.to {
                let span = factors.row_named_by(entry);
                from = span.from;
                to = span.to;
            }
            let span = Span { from, to };
            before += self.visit_spans::<T, V>(factors, entry, span, before, visitor, target);
        }
        before
    }

    /// Visits every product of a row whose column is in the window, as [`visit`](Self::visit) does.
    pub(super) fn visit_window<T: CubeType, V: Visit<F, T>>(
        &mut self,
        factors: &Factors<F>,
        row: Span,
        window: &Window,
        cursors: &mut Array<u32>,
        visitor: &mut V,
        target: &mut T,
    ) {
        let mut before = 0u32;
        for first in range_stepped(row.from, row.to, self.units) {
            let entry = first + UNIT_POS;
            let mut from = 0u32;
            let mut to = 0u32;
            if entry < row.to {
                let span = window.cut::<F>(factors, entry, cursors);
                from = span.from;
                to = span.to;
            }
            let span = Span { from, to };
            before += self.visit_spans::<T, V>(factors, entry, span, before, visitor, target);
        }
    }

    /// Visits the products of one entry of A per unit with a span of B. Returns their number.
    fn visit_spans<T: CubeType, V: Visit<F, T>>(
        &mut self,
        factors: &Factors<F>,
        entry: u32,
        span: Span,
        before: u32,
        visitor: &mut V,
        target: &mut T,
    ) -> u32 {
        let length = span.to - span.from;
        let sum = self.sum_up_to(length);
        self.ends[UNIT_POS as usize] = sum;
        self.starts[UNIT_POS as usize] = span.from - (sum - length);
        if comptime!(V::VALUES) && length > 0 {
            self.left[UNIT_POS as usize] = factors.a_values[entry as usize];
        }
        sync_cube();
        let total = self.ends[comptime!(self.units as usize - 1)];
        self.visit_loaded::<T, V>(factors, before, total, visitor, target);
        sync_cube();
        total
    }

    /// Visits the products of the loaded entries. Runs of neighbouring units take neighbouring
    /// products, so that their reads of B coalesce.
    fn visit_loaded<T: CubeType, V: Visit<F, T>>(
        &self,
        factors: &Factors<F>,
        before: u32,
        total: u32,
        visitor: &mut V,
        target: &mut T,
    ) {
        let runs = comptime!(self.units / RUN);
        let part = comptime!(RUN * ITEMS);
        for first in range_stepped(UNIT_POS / RUN * part, total, comptime!(runs * part)) {
            let mut product = first + UNIT_POS % RUN;
            let mut entry = self.entry_of(product);
            for _ in 0..ITEMS {
                if product < total {
                    while self.ends[entry as usize] <= product {
                        entry += 1;
                    }
                    let index = (self.starts[entry as usize] + product) as usize;
                    let mut value = F::new(0.0);
                    if comptime!(V::VALUES) {
                        value = self.left[entry as usize] * factors.b_values[index];
                    }
                    visitor.visit(target, before + product, factors.b_columns[index], value);
                }
                product += RUN;
            }
        }
    }

    /// The entry that a product comes from; the last for numbers beyond all products.
    fn entry_of(&self, product: u32) -> u32 {
        let mut low = 0u32;
        let mut high = comptime!(self.units - 1).runtime();
        while low < high {
            let middle = (low + high) / 2;
            if self.ends[middle as usize] <= product {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The sum of the values of all units up to and including this one.
    pub(super) fn sum_up_to(&mut self, value: u32) -> u32 {
        let units = self.units;
        self.sums[UNIT_POS as usize] = value;
        sync_cube();
        let mut sum = value;
        #[unroll]
        for step in 0..comptime!(units.ilog2()) {
            let read = comptime!(step % 2 * units) + UNIT_POS;
            let write = comptime!((step + 1) % 2 * units) + UNIT_POS;
            let distance = comptime!(1u32 << step);
            if UNIT_POS >= distance {
                sum += self.sums[(read - distance) as usize];
            }
            self.sums[write as usize] = sum;
            sync_cube();
        }
        sum
    }
}
