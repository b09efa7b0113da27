//! The candidates of a learned policy for coloring.

use equipoise_schedule::ScheduleName;
use equipoise_select::{Model, features::GraphShape};

use super::{ColorOptions, ColorStrategy, ColorSwitch};
use crate::{Result, learned};

equipoise_graph::named_enum! {
    /// A strategy for a coloring, with the settings that affect it.
    ///
    /// ```
    /// use equipoise::color::ColorCandidate;
    ///
    /// assert_eq!("multi-hash+binned".parse(), Ok(ColorCandidate::MultiHashBinned));
    /// ```
    pub enum ColorCandidate("candidate") {
        /// First fit, with conflicts repaired.
        Speculative = "speculative",
        /// Several random numbers, with a schedule that depends on the maximum degree.
        MultiHash = "multi-hash",
        /// Several random numbers, under merge-path.
        MultiHashMergePath = "multi-hash+merge-path",
        /// Several random numbers, under binned.
        MultiHashBinned = "multi-hash+binned",
        /// Random numbers, under merge-path.
        JonesPlassmannMergePath = "jones-plassmann+merge-path",
        /// Degrees, then random numbers once an iteration colors no vertex, under merge-path.
        HybridMergePath = "hybrid+merge-path",
        /// Degrees, then random numbers once an iteration does not fill the device, one unit per vertex.
        HybridBelowDevice = "hybrid+below=device",
        /// Degrees, then random numbers once an iteration colors no vertex, one vertex per unit.
        HybridStall = "hybrid+stall",
        /// Random numbers, one unit per vertex.
        JonesPlassmann = "jones-plassmann",
        /// Random numbers, from queues. For GPUs only.
        WorkStealing = "work-stealing",
        /// High degrees first. For the cpu only.
        LargestDegreeFirst = "largest-degree-first",
        /// Sequentially. For the cpu only.
        Greedy = "greedy",
    }
}

impl ColorCandidate {
    /// The candidates on a GPU, the fastest on most graphs first.
    ///
    /// ```
    /// assert_eq!(equipoise::color::ColorCandidate::of_gpu().len(), 10);
    /// ```
    pub fn of_gpu() -> &'static [Self] {
        &Self::ALL[..10]
    }

    /// The candidates on the cpu.
    ///
    /// ```
    /// use equipoise::color::ColorCandidate;
    ///
    /// assert!(ColorCandidate::of_cpu().contains(&ColorCandidate::Greedy));
    /// ```
    pub fn of_cpu() -> &'static [Self] {
        use ColorCandidate::{
            Greedy, HybridStall, JonesPlassmann, LargestDegreeFirst, MultiHash, Speculative,
        };
        &[LargestDegreeFirst, Greedy, Speculative, MultiHash, JonesPlassmann, HybridStall]
    }

    /// Whether it needs few colors, because each vertex gets the first one that fits.
    ///
    /// ```
    /// use equipoise::color::ColorCandidate;
    ///
    /// assert!(ColorCandidate::Speculative.needs_few_colors());
    /// assert!(!ColorCandidate::MultiHash.needs_few_colors());
    /// ```
    pub fn needs_few_colors(self) -> bool {
        matches!(self, Self::Speculative | Self::LargestDegreeFirst | Self::Greedy)
    }

    /// Whether a single unit of a GPU visits all neighbours of a vertex, whatever its degree.
    ///
    /// ```
    /// use equipoise::color::ColorCandidate;
    ///
    /// assert!(ColorCandidate::JonesPlassmann.has_one_unit_per_vertex());
    /// assert!(!ColorCandidate::JonesPlassmannMergePath.has_one_unit_per_vertex());
    /// ```
    pub fn has_one_unit_per_vertex(self) -> bool {
        use ColorCandidate::{HybridBelowDevice, HybridStall, JonesPlassmann, WorkStealing};
        matches!(self, HybridBelowDevice | HybridStall | JonesPlassmann | WorkStealing)
    }

    fn strategy(self) -> ColorStrategy {
        match self {
            Self::Speculative => ColorStrategy::Speculative,
            Self::MultiHash | Self::MultiHashMergePath | Self::MultiHashBinned => {
                ColorStrategy::MultiHash
            }
            Self::JonesPlassmann | Self::JonesPlassmannMergePath => ColorStrategy::JonesPlassmann,
            Self::HybridStall | Self::HybridBelowDevice | Self::HybridMergePath => {
                ColorStrategy::Hybrid
            }
            Self::WorkStealing => ColorStrategy::WorkStealing,
            Self::LargestDegreeFirst => ColorStrategy::LargestDegreeFirst,
            Self::Greedy => ColorStrategy::Greedy,
        }
    }

    /// `base` with the strategy and the settings of the candidate.
    ///
    /// ```
    /// use equipoise::color::{ColorCandidate, ColorOptions, ColorStrategy};
    ///
    /// let options = ColorCandidate::HybridMergePath.options(&ColorOptions::default());
    /// assert_eq!((options.strategy, options.schedule.is_some()), (ColorStrategy::Hybrid, true));
    /// ```
    pub fn options(self, base: &ColorOptions) -> ColorOptions {
        let schedule = match self {
            Self::MultiHashMergePath | Self::JonesPlassmannMergePath | Self::HybridMergePath => {
                Some(ScheduleName::MergePath)
            }
            Self::MultiHashBinned => Some(ScheduleName::Binned),
            _ => None,
        };
        let switch = match self {
            Self::HybridBelowDevice => ColorSwitch::BelowDevice,
            _ => ColorSwitch::Stall,
        };
        let strategy = self.strategy();
        ColorOptions { strategy, schedule, switch, steal: false, model: None, ..base.clone() }
    }

    /// The names of the features from which a model chooses: those of the graph's shape.
    ///
    /// ```
    /// assert!(equipoise::color::ColorCandidate::feature_names().contains(&"degree_max"));
    /// ```
    pub fn feature_names() -> Vec<&'static str> {
        learned::graph_features().collect()
    }

    /// The features of a graph, in the order of [`feature_names`](Self::feature_names).
    ///
    /// ```
    /// use equipoise::{color::ColorCandidate, select::features::GraphShape};
    ///
    /// let features = ColorCandidate::features(&GraphShape { vertices: 7, ..GraphShape::default() });
    /// assert_eq!((features.len(), features[0]), (ColorCandidate::feature_names().len(), 7.0));
    /// ```
    pub fn features(shape: &GraphShape) -> Vec<f32> {
        learned::graph_values(shape).collect()
    }

    /// Reorders a model to the [features](Self::feature_names) of graphs and to these candidates.
    ///
    /// Fails if the model is for another algorithm, or has other features or candidates.
    ///
    /// ```
    /// use equipoise::{color::ColorCandidate, explain::Explainable};
    ///
    /// let of_bfs = Explainable::Bfs.embedded_model(true)?;
    /// let error = ColorCandidate::align(&of_bfs, ColorCandidate::of_gpu()).unwrap_err();
    /// assert_eq!(error.to_string(), "the model is for `bfs`, not for `color`");
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn align(model: &Model, candidates: &[Self]) -> Result<Model> {
        let names: Vec<String> = candidates.iter().map(Self::to_string).collect();
        learned::align(model, "color", &Self::feature_names(), &names)
    }
}
