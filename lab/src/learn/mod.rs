//! Training of policies on measurements.
//!
//! A [`Table`] contains measurements: the features of every step of every run, and the time of each
//! candidate. [`Recorder`] writes one, and resumes after an interruption. [`train`] fits a decision
//! tree on 70 % of the graphs, or of the steps, and evaluates it on the others; [`evaluate`]
//! compares a model with the best choice at every step and with each candidate alone. [`picture`]
//! draws the tree. The result is a [`Model`](equipoise_select::Model).
//!
//! Nothing here depends on BFS: an algorithm is its features, its candidates and its steps.
//!
//! ```
//! use equipoise_lab::learn::{Options, Run, Schema, Step, Table, train};
//!
//! // Candidate `scan` takes 5 µs; `queue` takes 1 µs for each 10 vertices of the frontier.
//! let step = |frontier: f32| Step::new(vec![frontier], vec![Some(5e-6), Some(f64::from(frontier) * 1e-7)]);
//! let run = |graph: usize| Run {
//!     graph: format!("graph {graph}"),
//!     family: "er".into(),
//!     id: "0".into(),
//!     steps: (0..20).map(|number| step((graph + 9 * number + 1) as f32)).collect(),
//!     origin: None,
//! };
//! let schema = Schema::new(&["frontier"], &["scan", "queue"]);
//! let table = Table::new(schema, (0..10).map(run).collect())?;
//!
//! let training = train(&table, &Options::new("bfs", "cpu"))?;
//! assert!(training.held_out.predicted.average < training.held_out.oracle.average);
//! # Ok::<(), equipoise_lab::learn::Error>(())
//! ```
//!
//! # Why not an existing crate
//!
//! Only two of the evaluated crates support sample weights. `linfa-trees` 0.8.1 compares a sample's
//! value with that of the next sample even if that one is in another part of the tree, so that it
//! misses splits between graphs, and with an absolute tolerance of 10⁻⁵, which hides relative
//! frontier sizes. `anofox-ml-trees` 0.1.0 and `linfa-trees` sum impurities in the order of a
//! randomly keyed hash table, so that ties are broken differently in every run: 20 fits of the same
//! table gave 19 and 17 different trees. The others (smartcore, ferrolearn-tree, datarust,
//! biosphere) have no weights, which repeating samples cannot replace, as they range over many
//! orders of magnitude. `cart.rs` also judges splits by the time lost, which none of them supports.

mod cart;
mod compare;
mod criterion;
mod cross_validation;
mod csv_file;
mod ensemble;
mod error;
mod evaluation;
mod hold_out;
mod leaves;
mod optimum;
pub mod picture;
mod recorder;
mod samples;
mod settings;
mod split;
mod subsets;
mod table;
mod training;

pub use compare::{Comparison, FamilyResult, compare_subsets, leave_one_family_out};
pub use cross_validation::Trial;
pub use ensemble::{EnsembleSizes, Predictor, compare_ensembles};
pub use error::{Error, Result};
pub use evaluation::{Evaluation, Score, evaluate};
pub use hold_out::HoldOut;
pub use recorder::Recorder;
pub use settings::{LeafRule, Options, Settings, Weighting};
pub use split::{Split, split};
pub use subsets::{Subset, traversal_subsets};
pub use table::{Graph, Run, Schema, Step, Table};
pub use training::{Fit, Importance, Training, fit, train};
