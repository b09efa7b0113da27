//! Generators of graphs, matrices and tensors: parallel, and deterministic for a seed.
//!
//! A [`Spec`] names a generator and its parameters, as a struct or as text, which is accepted
//! wherever a file name is: `rmat:scale=20,edge-factor=16,seed=7`. [`help`] lists all generators.
//!
//! ```
//! use equipoise_graph::generate::Spec;
//!
//! let spec: Spec = "grid:width=20,height=10,drop=0.1,weights=1..1000".parse()?;
//! let graph = spec.generate()?;
//! assert_eq!(graph.vertices(), 200);
//! assert_eq!(graph, spec.generate()?);
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod band;
mod bipartite;
mod blocks;
mod cliques;
mod erdos_renyi;
mod family;
mod generator;
mod grid;
mod keys;
mod matrix;
mod permutation;
mod power_law;
mod quadrants;
mod random;
mod rmat;
mod shapes;
mod small_world;
mod spec;
mod spec_blocks;
#[cfg(test)]
mod sweep;
mod tensor;
mod text;
mod weights;

pub use band::Band;
pub use bipartite::Bipartite;
pub use blocks::Blocks;
pub use cliques::Cliques;
pub use erdos_renyi::ErdosRenyi;
pub use generator::Generator;
pub use grid::Grid;
pub use matrix::RandomMatrix;
pub use power_law::PowerLaw;
pub use rmat::{Kronecker, Rmat};
pub use shapes::{Shape, ShapeKind};
pub use small_world::SmallWorld;
pub use spec::{MAX_GENERATED_EDGES, Spec};
pub use spec_blocks::SpecBlocks;
pub(crate) use tensor::names_tensor;
pub use tensor::{TensorSpec, tensor_help};
pub use text::help;
pub(crate) use text::{looks_like_spec, names_generator};
pub use weights::WeightRange;
