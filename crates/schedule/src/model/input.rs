//! Arrays that a kernel only reads.

use std::{marker::PhantomData, ops::Deref};

use cubecl::prelude::*;

/// An array that a work only reads, as a field of a struct that a kernel takes by `&mut`.
///
/// CubeCL declares every array of such a struct as written, so that the compiler reloads it after each store. This one
/// is declared as read-only: no launch that binds it may write the array.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::input::Input;
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Doubling {
///     from: Input<f32>,
///     to: Array<f32>,
/// }
///
/// #[cube(launch)]
/// fn double(arrays: &mut Doubling) {
///     if ABSOLUTE_POS < arrays.to.len() {
///         arrays.to[ABSOLUTE_POS] = 2.0 * arrays.from[ABSOLUTE_POS];
///     }
/// }
/// # fn main() {}
/// ```
pub struct Input<C: CubePrimitive> {
    element: PhantomData<C>,
}

impl<C: CubePrimitive> Deref for Input<C> {
    type Target = Array<C>;

    fn deref(&self) -> &Array<C> {
        cubecl::unexpanded!()
    }
}

impl<C: CubePrimitive> CubeType for Input<C> {
    type ExpandType = NativeExpand<Array<C>>;
}

impl<C: CubePrimitive> LaunchArg for Input<C> {
    type RuntimeArg<R: Runtime> = ArrayArg<R>;
    type CompilationArg = <Array<C> as LaunchArg>::CompilationArg;

    fn register<R: Runtime>(
        arg: Self::RuntimeArg<R>,
        launcher: &mut KernelLauncher<R>,
    ) -> Self::CompilationArg {
        <Array<C> as LaunchArg>::register(arg, launcher)
    }

    fn expand(arg: &Self::CompilationArg, builder: &mut KernelBuilder) -> NativeExpand<Array<C>> {
        <Array<C> as LaunchArg>::expand(arg, builder)
    }
}
