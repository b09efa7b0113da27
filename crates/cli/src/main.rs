//! The `equipoise` program.

use std::{env, process::ExitCode};

use equipoise_cli::program;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: equipoise_cli::allocator::Guarded = equipoise_cli::allocator::Guarded::new();

fn main() -> ExitCode {
    #[cfg(unix)]
    ALLOCATOR.reserve();
    // SAFETY: no other thread is running yet.
    unsafe { program::quiet_drivers() };
    ExitCode::from(equipoise_cli::main(env::args_os()))
}
