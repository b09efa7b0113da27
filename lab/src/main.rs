//! The `equipoise-lab` program.

use std::{env, process::ExitCode};

use equipoise_cli::program;
use equipoise_lab::Lab;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: equipoise_cli::allocator::Guarded = equipoise_cli::allocator::Guarded::new();

fn main() -> ExitCode {
    #[cfg(unix)]
    ALLOCATOR.reserve();
    // SAFETY: no other thread is running yet.
    unsafe { program::quiet_drivers() };
    ExitCode::from(program::main::<Lab>(env::args_os()))
}
