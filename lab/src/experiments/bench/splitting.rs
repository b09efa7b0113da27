//! What splitting does to the degrees of a graph (Raval et al., Figure 10).

use equipoise::traversal::TraversalSettings;

use super::{degrees, runner::Bench, subject::Subject};
use crate::report::data::Split;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let mdt = u64::from(TraversalSettings::default().most_edges(&subject.graph));
    let parts = degrees::of(&subject.graph).flat_map(|degree| parts_of(degree, mdt));
    bench.results.splits.push(Split {
        graph: subject.name.clone(),
        mdt,
        before: degrees::counts(degrees::of(&subject.graph)),
        after: degrees::counts(parts),
    });
}

/// The degrees of the parts that the strategy `split` makes of a vertex: as few and as even ones as
/// have no more than `most` edges.
fn parts_of(degree: u64, most: u64) -> impl Iterator<Item = u64> {
    let parts = degree.div_ceil(most).max(1);
    (0..parts).map(move |part| degree * (part + 1) / parts - degree * part / parts)
}

#[cfg(test)]
mod tests {
    use super::parts_of;

    #[test]
    fn parts_are_few_even_and_small() {
        let parts = |degree| parts_of(degree, 4).collect::<Vec<u64>>();
        assert_eq!(parts(0), [0]);
        assert_eq!(parts(4), [4]);
        assert_eq!(parts(5), [2, 3]);
        assert_eq!(parts(9), [3, 3, 3]);
    }
}
