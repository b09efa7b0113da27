//! Subsets of features to compare.

use equipoise_select::features::NAMES;

/// A named subset of a table's features.
///
/// ```
/// use equipoise_lab::learn::Subset;
///
/// let subset = Subset::new("size", &["vertices", "edges"]);
/// assert_eq!(subset.features.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subset {
    /// The name, which says what the features have in common.
    pub name: String,
    /// The features.
    pub features: Vec<String>,
}

impl Subset {
    /// A subset with this name.
    pub fn new(name: &str, features: &[impl AsRef<str>]) -> Self {
        let features = features.iter().map(|name| name.as_ref().to_owned()).collect();
        Self { name: name.to_owned(), features }
    }

    /// The features of a traversal whose names start with one of these.
    fn starting(name: &str, starts: &[&str]) -> Self {
        let wanted = |feature: &&str| starts.iter().any(|start| feature.starts_with(start));
        Self::new(name, &NAMES.into_iter().filter(wanted).collect::<Vec<_>>())
    }
}

/// The subsets of the features of a traversal to compare, including the four with which Verstraaten
/// et al. did best: the size of the graph, the discovered share, the distribution of out-degrees
/// and the size of the frontier.
///
/// ```
/// let names: Vec<String> = equipoise_lab::learn::traversal_subsets().into_iter().map(|it| it.name).collect();
/// assert_eq!(names[1], "the paper's best four");
/// ```
pub fn traversal_subsets() -> Vec<Subset> {
    let mut four = Subset::starting("the paper's best four", &["vertices", "edges", "out_degree"]);
    four.features.extend(["discovered_relative", "frontier"].map(str::to_owned));
    vec![
        Subset::new("all", &NAMES),
        four,
        Subset::starting("graph only", &["vertices", "edges", "out_degree", "in_degree", "degree"]),
        Subset::starting("step only", &["frontier", "discovered"]),
        Subset::starting("size and step", &["vertices", "edges", "frontier", "discovered"]),
        Subset::starting(
            "relative only",
            &["frontier_relative", "discovered_relative", "out_degree"],
        ),
    ]
}
