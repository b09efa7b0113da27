//! Launches with or without bounds checks.

/// Launches a kernel with or without bounds checks; the caller argues that it is sound.
macro_rules! launch_with_bounds {
    ($checked:expr, $($kernel:ident)::+ $(::<$($type:ty),+>)? ($($argument:expr),+ $(,)?)) => {
        if $checked {
            $($kernel)::+::launch::<$($($type,)+)? GpuRuntime>($($argument),+);
        } else {
            // SAFETY: argued where the macro is used.
            unsafe {
                $($kernel)::+::launch_unchecked::<$($($type,)+)? GpuRuntime>($($argument),+);
            }
        }
    };
}
pub(crate) use launch_with_bounds;
