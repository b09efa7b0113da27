//! Learned policies: a small model that chooses one of several strategies for each step.
//!
//! A [`Model`] is a binary decision tree over named features of the graph and of the state of a
//! search. `equipoise-lab` trains models on measurements; this crate reads and evaluates them. It
//! knows nothing about graphs: the caller defines the features and the candidates.
//!
//! ```
//! use equipoise_select::{CandidateSet, Chooser, Description, Leaf, Model, Node, Split};
//!
//! let description = Description {
//!     algorithm: "bfs".into(),
//!     device: "cuda".into(),
//!     features: vec!["frontier".into()],
//!     candidates: vec!["push".into(), "pull".into()],
//!     first: "push".into(),
//!     ..Description::default()
//! };
//! let leaf = |candidate, ranking: [u32; 2]| {
//!     let ranking = ranking.to_vec();
//!     Node::Leaf(Leaf { candidate, share: 1.0, ambiguous: false, samples: 10, ranking })
//! };
//! let split = Node::Split(Split { feature: 0, threshold: 100.0, left: 1, right: 2 });
//! let model = Model::new(description, vec![split, leaf(0, [0, 1]), leaf(1, [1, 0])])?;
//!
//! let mut chooser = Chooser::new(&model, CandidateSet::all(2))?;
//! assert_eq!(chooser.choose(&[7.0]).candidate, 0);
//! assert_eq!(chooser.choose(&[7000.0]).candidate, 1);
//! assert_eq!(model.explain(&[7.0]).to_string(), "`push`: frontier is 7 (at most 100)");
//! # Ok::<(), equipoise_select::Error>(())
//! ```

mod candidates;
mod chooser;
mod embedded;
mod error;
mod explain;
pub mod features;
mod file;
mod model;
mod tree;
mod validate;

pub use candidates::{CandidateSet, MAX_CANDIDATES};
pub use chooser::{Choice, Chooser, Reason};
pub use error::{Error, Result};
pub use explain::{Decision, Explanation, Side};
pub use file::{FORMAT, VERSION};
pub use model::Model;
pub use tree::{Description, Leaf, Node, Prediction, Split};
