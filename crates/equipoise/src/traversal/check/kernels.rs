//! The kernels that check the rules of shortest paths.

use cubecl::prelude::*;
use equipoise_schedule::{engine::Rows, input::Input, ranges::*, work::*};

use crate::{
    NONE,
    digest::{edge_term, term, weight_term},
};

/// The first edge that is a shortcut, or `NONE`.
pub(super) const SHORTCUT: usize = 0;
/// The first vertex that is wrong, or `NONE`.
pub(super) const WRONG_VERTEX: usize = 1;
/// Whether an edge leads from a reached vertex to an unreached one.
pub(super) const LEADS_OUT: usize = 2;
/// Whether a vertex has the same label as its parent.
pub(super) const IS_FLAT: usize = 3;
/// The number of reached vertices.
pub(super) const REACHED: usize = 4;
/// The number of edges that leave them.
pub(super) const EDGES: usize = 5;
/// The largest label.
pub(super) const LARGEST: usize = 6;
/// The digest of labels.
pub(super) const LABELS: usize = 7;
/// The digest of parents.
pub(super) const PARENTS: usize = 8;
/// The number of these numbers.
pub(super) const NUMBERS: usize = 9;

/// The partial digests of edges, so that few units add to one at a time.
pub(super) const DIGESTS: u32 = 1024;

/// The largest sum of whole lengths; larger sums saturate.
const LARGEST_SUM: u32 = NONE - 1;

#[cube]
pub(super) trait Lengths: LaunchArg + 'static + Send + Sync {
    /// The label at the target of an edge whose source has this label.
    fn sum(&self, label: u32, edge: u32) -> u32;
    /// The term of an edge's length in a digest.
    fn digest(&self, edge: u32) -> u32;
}

/// One length for all edges, independent of the weights of the graph.
#[derive(CubeType, CubeLaunch)]
pub(super) struct OneLength {
    length: u32,
}

#[cube]
impl Lengths for OneLength {
    fn sum(&self, label: u32, _edge: u32) -> u32 {
        label + self.length
    }

    fn digest(&self, _edge: u32) -> u32 {
        0u32.runtime()
    }
}

#[derive(CubeType, CubeLaunch)]
pub(super) struct WholeLengths {
    weights: Input<u32>,
}

#[cube]
impl Lengths for WholeLengths {
    fn sum(&self, label: u32, edge: u32) -> u32 {
        let weight = self.weights[edge as usize];
        let mut sum = LARGEST_SUM.runtime();
        if label < LARGEST_SUM && weight < LARGEST_SUM - label {
            sum = label + weight;
        }
        sum
    }

    fn digest(&self, edge: u32) -> u32 {
        weight_term(edge, self.weights[edge as usize])
    }
}

/// Lengths that are floating-point numbers; labels are their bits.
#[derive(CubeType, CubeLaunch)]
pub(super) struct RealLengths {
    weights: Input<f32>,
}

#[cube]
impl Lengths for RealLengths {
    fn sum(&self, label: u32, edge: u32) -> u32 {
        u32::reinterpret(f32::reinterpret(label) + self.weights[edge as usize])
    }

    fn digest(&self, edge: u32) -> u32 {
        weight_term(edge, u32::reinterpret(self.weights[edge as usize]))
    }
}

/// Checks that no edge is a shortcut, and computes the digest of all edges.
#[derive(CubeType, CubeLaunch)]
pub(super) struct CheckEdges<L: Lengths> {
    lengths: L,
    targets: Input<u32>,
    labels: Input<u32>,
    numbers: Array<Atomic<u32>>,
    digests: Array<Atomic<u32>>,
    /// Vertices farther away need not be reached.
    limit: u32,
}

impl<L: Lengths> WorkKind for CheckEdges<L> {}

#[cube]
impl<L: Lengths> Work for CheckEdges<L> {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let target = self.targets[edge as usize];
        let label = self.labels[vertex as usize];
        if label != NONE {
            let found = self.labels[target as usize];
            let sum = self.lengths.sum(label, edge);
            let mut allows = found <= sum;
            if found == NONE {
                self.numbers[LEADS_OUT].store(1u32);
                allows = sum > self.limit;
            }
            if !allows {
                self.numbers[SHORTCUT].fetch_min(edge);
            }
        }
        edge_term(vertex, edge, target) + self.lengths.digest(edge)
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn end(&mut self, vertex: u32, total: u32) {
        if total != 0 {
            self.digests[(vertex % DIGESTS) as usize].fetch_add(total);
        }
    }
}

/// Whether an edge from one vertex to another results in this label.
#[cube]
fn has_edge<L: Lengths>(
    lengths: &L,
    rows: &Rows,
    from: u32,
    label_before: u32,
    to: u32,
    label: u32,
) -> bool {
    // Rows ascend: binary search for the first edge to `to`.
    let end = rows.offsets[from as usize + 1];
    let mut edge = rows.offsets[from as usize];
    let mut after = end;
    while edge < after {
        let middle = edge + (after - edge) / 2;
        if rows.targets[middle as usize] < to {
            edge = middle + 1;
        } else {
            after = middle;
        }
    }
    let mut found = false;
    let mut goes_on = edge < end;
    while goes_on {
        goes_on = rows.targets[edge as usize] == to;
        if goes_on {
            found = found || lengths.sum(label_before, edge) == label;
            edge += 1u32;
            goes_on = !found && edge < end;
        }
    }
    found
}

/// Checks the label and the parent of each vertex, and computes the totals and digests.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments, reason = "a kernel takes its arrays one by one")]
pub(super) fn check_vertices<L: Lengths>(
    lengths: &L,
    rows: &Rows,
    labels: &Array<u32>,
    parents: &Array<u32>,
    numbers: &mut Array<Atomic<u32>>,
    vertices: u32,
    source: u32,
    limit: u32,
) {
    let mut reached = 0u32;
    let mut edges = 0u32;
    let mut largest = 0u32;
    let mut of_labels = 0u32;
    let mut of_parents = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        let label = labels[vertex as usize];
        let parent = parents[vertex as usize];
        of_labels += term(vertex, label);
        of_parents += term(vertex, parent);
        let mut is_right = false;
        if label == NONE {
            is_right = parent == NONE && vertex != source;
        } else {
            reached += 1u32;
            edges += rows.offsets[vertex as usize + 1] - rows.offsets[vertex as usize];
            largest = max(largest, label);
            if vertex == source {
                is_right = parent == vertex && label == 0;
            } else if label <= limit && parent < vertices {
                let label_before = labels[parent as usize];
                if label_before != NONE {
                    is_right = has_edge::<L>(lengths, rows, parent, label_before, vertex, label);
                    if label_before == label {
                        numbers[IS_FLAT].store(1u32);
                    }
                }
            }
        }
        if !is_right {
            numbers[WRONG_VERTEX].fetch_min(vertex);
        }
    }
    let all_reached = plane_sum(reached);
    let all_edges = plane_sum(edges);
    let largest_of_all = plane_max(largest);
    let all_labels = plane_sum(of_labels);
    let all_parents = plane_sum(of_parents);
    if UNIT_POS_PLANE == 0 {
        numbers[REACHED].fetch_add(all_reached);
        numbers[EDGES].fetch_add(all_edges);
        numbers[LARGEST].fetch_max(largest_of_all);
        numbers[LABELS].fetch_add(all_labels);
        numbers[PARENTS].fetch_add(all_parents);
    }
}
