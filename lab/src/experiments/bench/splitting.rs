//! The effect of splitting on the degrees of a graph (Raval et al., Figure 10).

use equipoise::traversal::TraversalSettings;

use super::{degrees, runner::Bench, subject::Subject};
use crate::report::data::Split;

pub(super) fn run(bench: &mut Bench, subject: &Subject) {
    let mdt = u64::from(TraversalSettings::default().most_edges(&subject.graph));
    let parts = degrees::all_degrees(&subject.graph).flat_map(|degree| parts_of(degree, mdt));
    bench.results.splits.push(Split {
        graph: subject.name.clone(),
        mdt,
        before: degrees::counts(degrees::all_degrees(&subject.graph)),
        after: degrees::counts(parts),
    });
}

/// The degrees of the parts into which the strategy `split` divides a vertex: the fewest parts with
/// at most `most` edges each, as even as possible.
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
