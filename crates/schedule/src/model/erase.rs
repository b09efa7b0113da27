//! Type erasure: a kernel for all works is compiled into the program once, not once per work.
//!
//! A schedule calls only a few methods of a work. Compiled for each work, the code that *defines* kernels would be half
//! of the program. So the kernel takes an [`Erased`] argument: while the kernel is defined, its methods call the work
//! through a trait object. The generated kernel is the same as one written for the work, and its id contains the type
//! of the work.

use std::{
    any::{Any, type_name},
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    rc::Rc,
    sync::Arc,
};

use cubecl::prelude::*;

/// An argument of a kernel, known only by the methods of the trait object `O`.
///
/// `O` is the [expansion](CubeType::ExpandType) of a type behind an interface, such as `dyn WorkObject`.
pub struct Erased<O: ?Sized>(PhantomData<fn(&O)>);

/// The expansion of an [`Erased`] argument.
pub struct ErasedExpand<O: ?Sized>(pub(crate) Rc<O>);

impl<O: ?Sized + 'static> CubeType for Erased<O> {
    type ExpandType = ErasedExpand<O>;
}

impl<O: ?Sized> Clone for ErasedExpand<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<O: ?Sized> IntoMut for ErasedExpand<O> {
    fn into_mut(self, _scope: &mut Scope) -> Self {
        self
    }
}

impl<O: ?Sized> CubeDebug for ErasedExpand<O> {}

/// The buffers and scalars of an [`Erased`] argument for one launch.
pub struct ErasedArg<O: ?Sized, R: Runtime> {
    register: Box<Register<O, R>>,
}

/// Registers buffers and scalars with a launch.
type Register<O, R> = dyn FnOnce(&mut KernelLauncher<R>) -> ErasedCompilation<O> + Send + Sync;

/// Erases the type of an argument; `wrap` puts its expansion behind the interface.
pub(crate) fn erase<A: LaunchArg, O: ?Sized + 'static, R: Runtime>(
    arg: A::RuntimeArg<R>,
    wrap: fn(A::ExpandType) -> Rc<O>,
) -> ErasedArg<O, R> {
    erase_defining::<A, O, R>(arg, |_| {}, wrap)
}

/// Like [`erase`], where the interface names types that `define` defines for later arguments.
pub(crate) fn erase_defining<A: LaunchArg, O: ?Sized + 'static, R: Runtime>(
    arg: A::RuntimeArg<R>,
    define: fn(&mut Scope),
    wrap: fn(A::ExpandType) -> Rc<O>,
) -> ErasedArg<O, R> {
    ErasedArg {
        register: Box::new(move |launcher| {
            launcher.with_scope(define);
            let arg = A::register(arg, launcher);
            ErasedCompilation(Arc::new(Typed::<A, O> { arg, define, wrap }))
        }),
    }
}

/// The identity of an [`Erased`] argument at compilation: its type, and the type's own compilation argument.
pub struct ErasedCompilation<O: ?Sized>(Arc<dyn Compilation<O>>);

trait Compilation<O: ?Sized>: Any + fmt::Debug + Send + Sync {
    fn expand(&self, builder: &mut KernelBuilder) -> Rc<O>;
    fn expand_output(&self, builder: &mut KernelBuilder) -> Rc<O>;
    fn is_equal(&self, other: &dyn Any) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

struct Typed<A: LaunchArg, O: ?Sized> {
    arg: A::CompilationArg,
    define: fn(&mut Scope),
    wrap: fn(A::ExpandType) -> Rc<O>,
}

impl<A: LaunchArg, O: ?Sized + 'static> Compilation<O> for Typed<A, O> {
    fn expand(&self, builder: &mut KernelBuilder) -> Rc<O> {
        (self.define)(&mut builder.scope);
        (self.wrap)(A::expand(&self.arg, builder))
    }

    fn expand_output(&self, builder: &mut KernelBuilder) -> Rc<O> {
        (self.define)(&mut builder.scope);
        (self.wrap)(A::expand_output(&self.arg, builder))
    }

    fn is_equal(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.arg == other.arg)
    }

    /// Hashes the type's name, which is the same in every run, since kernels are cached on disk.
    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        type_name::<A>().hash(&mut hasher);
        self.arg.hash(&mut hasher);
    }
}

impl<A: LaunchArg, O: ?Sized> fmt::Debug for Typed<A, O> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {:?}", type_name::<A>(), self.arg)
    }
}

impl<O: ?Sized> Clone for ErasedCompilation<O> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<O: ?Sized + 'static> PartialEq for ErasedCompilation<O> {
    fn eq(&self, other: &Self) -> bool {
        let other: &dyn Any = &*other.0;
        self.0.is_equal(other)
    }
}

impl<O: ?Sized + 'static> Eq for ErasedCompilation<O> {}

impl<O: ?Sized + 'static> Hash for ErasedCompilation<O> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl<O: ?Sized + 'static> fmt::Debug for ErasedCompilation<O> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<O: ?Sized + 'static> LaunchArg for Erased<O> {
    type RuntimeArg<R: Runtime> = ErasedArg<O, R>;
    type CompilationArg = ErasedCompilation<O>;

    fn register<R: Runtime>(
        arg: ErasedArg<O, R>,
        launcher: &mut KernelLauncher<R>,
    ) -> ErasedCompilation<O> {
        (arg.register)(launcher)
    }

    fn expand(arg: &ErasedCompilation<O>, builder: &mut KernelBuilder) -> ErasedExpand<O> {
        ErasedExpand(arg.0.expand(builder))
    }

    fn expand_output(arg: &ErasedCompilation<O>, builder: &mut KernelBuilder) -> ErasedExpand<O> {
        ErasedExpand(arg.0.expand_output(builder))
    }
}

/// Lets kernels call the methods of a trait through an [`Erased`] argument.
///
/// From `TRAIT / EXPANSION as OBJECT` and the methods it creates the trait `OBJECT`, implements it for every expansion,
/// and implements `TRAIT` for erased arguments. `[mut]` marks methods with `&mut self`; each is followed by CubeCL's
/// name of its expansion.
macro_rules! erasable {
    (
        $(#[$doc:meta])*
        $trait:ident / $expand:ident $(+ $base_expand:ident)* as $object:ident $(: $base:ident)? {
            $($name:ident / $method:ident [$($mut:ident)?] ($($arg:ident: $type:ty),*) -> $out:ty;)*
        }
    ) => {
        $(#[$doc])*
        #[allow(missing_docs, reason = "its methods define those of the trait that it stands for")]
        pub trait $object $(: $base)? {
            $(fn $name(&self, scope: &mut Scope $(, $arg: NativeExpand<$type>)*) -> <$out as CubeType>::ExpandType;)*
        }

        impl<E: $expand $(+ $base_expand)* + Clone> $object for E {
            $(fn $name(&self, scope: &mut Scope $(, $arg: NativeExpand<$type>)*) -> <$out as CubeType>::ExpandType {
                self.clone().$method(scope $(, $arg)*)
            })*
        }

        impl<O: ?Sized + $object + 'static> $trait for Erased<O> {
            $(fn $name(& $($mut)? self $(, $arg: $type)*) -> $out {
                let _ = ($($arg,)*);
                unexpanded!()
            })*
        }

        impl<O: ?Sized + $object + 'static> $expand for ErasedExpand<O> {
            $(fn $method(self, scope: &mut Scope $(, $arg: NativeExpand<$type>)*) -> <$out as CubeType>::ExpandType {
                self.0.$name(scope $(, $arg)*)
            })*
        }
    };
}
pub(crate) use erasable;
