//! Passes kernels from a launch to the compiler of a backend.

use std::{cell::Cell, fmt};

use super::bindings;
use cubecl::{
    CubeTask,
    backtrace::BackTrace,
    ir::{ElemType, StorageType},
    server::ExecutionMode,
};
use cubecl_runtime::{
    compiler::{CompilationError, Compiler},
    id::KernelId,
    kernel::{CompiledKernel, KernelDefinition, KernelMetadata},
};

thread_local! {
    /// Whether the current launch of this thread has compiled its kernel.
    pub(super) static HAS_COMPILED: Cell<bool> = const { Cell::new(false) };
}

/// A compiler that returns the definition of a kernel; the compiler of the backend compiles it.
#[derive(Clone, Debug)]
pub struct Defining;

/// The definition of a kernel.
pub struct Definition(KernelDefinition);

impl fmt::Display for Definition {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Compiler for Defining {
    type Representation = Definition;
    type CompilationOptions = ();

    fn compile(
        &mut self,
        kernel: KernelDefinition,
        _options: &(),
        _mode: ExecutionMode,
        _address: StorageType,
    ) -> Result<Definition, CompilationError> {
        Ok(Definition(kernel))
    }

    fn elem_size(&self, element: ElemType) -> usize {
        element.size()
    }

    fn extension(&self) -> &'static str {
        "txt"
    }
}

/// A kernel for the compiler of any backend.
pub(super) struct Task(pub Box<dyn CubeTask<Defining>>);

impl<C: Compiler> CubeTask<C> for Task {
    fn compile(
        &self,
        compiler: &mut C,
        options: &C::CompilationOptions,
        mode: ExecutionMode,
        address: StorageType,
    ) -> Result<CompiledKernel<C>, CompilationError> {
        HAS_COMPILED.set(true);
        let defined = self.0.compile(&mut Defining, &(), mode, address)?;
        let Some(Definition(definition)) = defined.repr else {
            let reason = "a kernel has no definition".into();
            return Err(CompilationError::Generic { reason, backtrace: BackTrace::capture() });
        };
        if cfg!(debug_assertions) {
            bindings::record(self.id(), &definition);
        }
        let compiled = compiler.compile(definition, options, mode, address)?;
        Ok(CompiledKernel {
            entrypoint_name: defined.entrypoint_name,
            debug_name: defined.debug_name,
            source: compiled.to_string(),
            repr: Some(compiled),
            cube_dim: defined.cube_dim,
            debug_info: defined.debug_info,
        })
    }
}

impl KernelMetadata for Task {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn id(&self) -> KernelId {
        self.0.id()
    }

    fn address_type(&self) -> StorageType {
        self.0.address_type()
    }
}
