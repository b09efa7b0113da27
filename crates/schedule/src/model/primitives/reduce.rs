//! Reductions: all elements combined to one.

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::block::{HALVINGS, ITEMS, UNITS, block_start, blocks_of, cube_dim, grid, striped};
use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
};

/// How [`reduce`] combines two values.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::primitives::Reduction;
///
/// /// The bitwise or of all elements.
/// struct AnyBit;
///
/// #[cube]
/// impl Reduction for AnyBit {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///
///     fn combine(a: u32, b: u32) -> u32 {
///         a | b
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait Reduction: 'static + Send + Sync {
    /// The type of the elements.
    type Value: Numeric + CubeElement;

    /// The neutral element of [`combine`](Self::combine), and the result for no elements.
    fn identity() -> Self::Value;
    /// Combines two values. Grouping and order must not matter.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
}

/// The sum of all elements, `u32` or `f32`: zero for none. Integers wrap around.
///
/// ```
/// use equipoise_schedule::primitives::{Sum, Reduction};
///
/// assert_eq!(Sum::<f32>::identity(), 0.0);
/// ```
pub struct Sum<T>(PhantomData<T>);

/// The smallest element, `u32` or `f32`: the largest `u32` or infinity for none.
///
/// ```
/// use equipoise_schedule::primitives::{Min, Reduction};
///
/// assert_eq!(Min::<f32>::identity(), f32::INFINITY);
/// ```
pub struct Min<T>(PhantomData<T>);

/// The largest element, `u32` or `f32`: zero or minus infinity for none.
///
/// ```
/// use equipoise_schedule::primitives::{Max, Reduction};
///
/// assert_eq!(Max::<f32>::identity(), f32::NEG_INFINITY);
/// ```
pub struct Max<T>(PhantomData<T>);

macro_rules! reduction {
    ($name:ident<$value:ty>, $identity:expr, |$a:ident, $b:ident| $combined:expr) => {
        #[cube]
        impl Reduction for $name<$value> {
            type Value = $value;

            fn identity() -> $value {
                $identity.runtime()
            }

            fn combine($a: $value, $b: $value) -> $value {
                $combined
            }
        }
    };
}

reduction!(Sum<u32>, 0u32, |a, b| a + b);
reduction!(Sum<f32>, 0.0f32, |a, b| a + b);
reduction!(Min<u32>, u32::MAX, |a, b| min(a, b));
reduction!(Min<f32>, f32::INFINITY, |a, b| min(a, b));
reduction!(Max<u32>, u32::MIN, |a, b| max(a, b));
reduction!(Max<f32>, f32::NEG_INFINITY, |a, b| max(a, b));

/// All elements combined to one, which stays on the device in a buffer of length one.
///
/// The order depends only on the number of elements, so that a sum of `f32` is the same on every run. The result of
/// [`Min`] and [`Max`] with NaN depends on the device.
///
/// ```
/// use equipoise_schedule::{
///     Result,
///     device::Gpu,
///     primitives::{Max, reduce},
/// };
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let values = gpu.upload(&[0.5f32, 2.0, 1.0])?;
///     let greatest = reduce::<Max<f32>>(gpu, &values)?;
///     assert_eq!(gpu.download(&greatest)?, [2.0]);
///     Ok(())
/// }
/// ```
pub fn reduce<P: Reduction>(gpu: &Gpu, input: &Buffer<P::Value>) -> Result<Buffer<P::Value>> {
    if input.is_empty() {
        return gpu.upload(&[P::identity()]);
    }
    let mut reduced = reduce_to_blocks::<P>(gpu, input)?;
    while reduced.len() > 1 {
        reduced = reduce_to_blocks::<P>(gpu, &reduced)?;
    }
    Ok(reduced)
}

/// The combined elements of each block.
pub(super) fn reduce_to_blocks<P: Reduction>(
    gpu: &Gpu,
    input: &Buffer<P::Value>,
) -> Result<Buffer<P::Value>> {
    let blocks = blocks_of(input)?;
    let output = gpu.empty(blocks as usize)?;
    // SAFETY: the kernel reads `input` and writes `output` below their lengths only.
    unsafe {
        reduce_blocks::launch_unchecked::<P, GpuRuntime>(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            input.arg(),
            output.arg(),
            P::identity(),
        );
    }
    Ok(output)
}

// The host passes the identity: WGSL cannot express infinity.
#[cube(launch_unchecked)]
fn reduce_blocks<P: Reduction>(
    input: &Array<P::Value>,
    output: &mut Array<P::Value>,
    identity: P::Value,
) {
    let start = block_start();
    let mut value = identity;
    #[unroll]
    for round in 0..ITEMS {
        let index = (start + striped(round)) as usize;
        if index < input.len() {
            value = P::combine(value, input[index]);
        }
    }
    let value = reduce_cube::<P>(value);
    if UNIT_POS == 0 && CUBE_POS < output.len() {
        output[CUBE_POS] = value;
    }
}

/// The combined values of all units, in unit 0.
#[cube]
pub(super) fn reduce_cube<P: Reduction>(value: P::Value) -> P::Value {
    let mut values = SharedMemory::<P::Value>::new(comptime!(UNITS as usize));
    let unit = UNIT_POS as usize;
    values[unit] = value;
    sync_cube();
    #[unroll]
    for halving in 0..HALVINGS {
        let rest = comptime!(UNITS >> (halving + 1)) as usize;
        if unit < rest {
            values[unit] = P::combine(values[unit], values[unit + rest]);
        }
        sync_cube();
    }
    values[0]
}
