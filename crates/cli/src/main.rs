//! The `equipoise` program.

#[cfg(unix)]
mod allocator;

use std::{env, process::ExitCode};

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: allocator::Guarded = allocator::Guarded::new();

fn main() -> ExitCode {
    #[cfg(unix)]
    ALLOCATOR.put_by();
    quiet_drivers();
    ExitCode::from(equipoise_cli::main(env::args_os()))
}

/// Mesa's Vulkan drivers print an error where this variable is missing, though only windows need
/// it.
fn quiet_drivers() {
    let variable = "XDG_RUNTIME_DIR";
    if env::var_os(variable).is_none() {
        // SAFETY: no other thread runs yet that could read the environment.
        unsafe { env::set_var(variable, env::temp_dir()) };
    }
}
