//! The masses of vertices and communities: what a community has too much of when two of them join.

use std::{
    borrow::Cow,
    ops::{Neg, Sub},
};

use super::totals::ExactSums;

/// The mass of a vertex or a community.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mass {
    pub all: f64,
    /// The part of the edges that leave, where directions count; otherwise half.
    leaving: f64,
}

impl Mass {
    /// The chance of edges between two, in one unit: the product of all, or those of what leaves the one and enters the other.
    #[inline]
    pub fn times(self, other: Self) -> f64 {
        let [here, there] = [self, other].map(|mass| mass.all - mass.leaving);
        2.0 * (self.leaving * there + here * other.leaving)
    }
}

impl Sub for Mass {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { all: self.all - other.all, leaving: self.leaving - other.leaving }
    }
}

impl Neg for Mass {
    type Output = Self;

    fn neg(self) -> Self {
        Self { all: -self.all, leaving: -self.leaving }
    }
}

/// The mass of each vertex.
pub(super) struct Masses<'g> {
    pub all: Cow<'g, [f64]>,
    /// What leaves each vertex, where directions count.
    pub leaving: Option<&'g [f64]>,
    /// Both are multiples of this.
    pub unit: f64,
}

impl Masses<'_> {
    #[inline]
    pub fn of(&self, vertex: u32) -> Mass {
        let all = self.all[vertex as usize];
        let leaving = self.leaving.map_or(all / 2.0, |leaving| leaving[vertex as usize]);
        Mass { all, leaving }
    }

    /// The mass of each community. Communities are labelled with vertices.
    pub fn sums(&self, communities: &[u32]) -> CommunityMasses {
        let sums = |values: &[f64]| ExactSums::new(communities, values, self.unit);
        CommunityMasses { all: sums(&self.all), leaving: self.leaving.map(sums) }
    }
}

/// The mass of each community, while vertices move.
pub(super) struct CommunityMasses {
    all: ExactSums,
    leaving: Option<ExactSums>,
}

impl CommunityMasses {
    #[inline]
    pub fn get(&self, community: u32) -> Mass {
        let all = self.all.get(community);
        let leaving = self.leaving.as_ref().map_or(all / 2.0, |leaving| leaving.get(community));
        Mass { all, leaving }
    }

    #[inline]
    pub fn add(&self, community: u32, mass: Mass) {
        self.all.add(community, mass.all);
        if let Some(leaving) = &self.leaving {
            leaving.add(community, mass.leaving);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_one_and_enters_the_other_counts() {
        let [source, sink] = [4.0, 0.0].map(|leaving| Mass { all: 4.0, leaving });
        assert_eq!((source.times(sink), source.times(source), sink.times(sink)), (32.0, 0.0, 0.0));
        let even = Mass { all: 4.0, leaving: 2.0 };
        assert_eq!((even.times(even), even.times(source), (source - even).all), (16.0, 16.0, 0.0));
    }
}
