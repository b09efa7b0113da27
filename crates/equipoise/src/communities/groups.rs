//! Members by group.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::parallel::*;

/// Members per task of a thread.
const MEMBERS_AT_ONCE: usize = 1 << 14;
/// The most groups that each task counts.
const FEW_GROUPS: u32 = 1 << 11;

/// The members of groups, sorted by counting.
pub(super) struct Groups {
    /// The index of the first member of each group, and of the end of the last group.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Sorts the members `0..groups.len()` by their groups, which are numbered `0..count`.
    pub fn new(groups: &[u32], count: u32) -> Self {
        if groups.len() <= MEMBERS_AT_ONCE {
            Self::in_one_part(groups, count)
        } else if count <= FEW_GROUPS {
            Self::in_parts(groups, count as usize, |group| group)
        } else {
            Self::in_two_steps(groups, count)
        }
    }

    /// In parallel, for many groups: first by ranges of groups, of which each is then sorted.
    fn in_two_steps(groups: &[u32], count: u32) -> Self {
        let width = count.div_ceil(FEW_GROUPS);
        let ranges = Self::in_parts(groups, count.div_ceil(width) as usize, |group| group / width);
        let sorted = |range: u32| {
            let members = ranges.members(range);
            let first = range * width;
            let groups: Vec<u32> =
                members.iter().map(|&member| groups[member as usize] - first).collect();
            let Self { starts, members: order } =
                Self::in_one_part(&groups, width.min(count - first));
            let start = ranges.starts[range as usize];
            let starts: Vec<u32> =
                starts[..starts.len() - 1].iter().map(|&at| start + at).collect();
            (starts, order.into_iter().map(|index| members[index as usize]).collect::<Vec<u32>>())
        };
        let sorted: Vec<(Vec<u32>, Vec<u32>)> =
            (0..count.div_ceil(width)).into_par_iter().map(sorted).collect();
        let (starts, members): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();
        let mut starts = starts.concat();
        starts.push(groups.len() as u32);
        Self { starts, members: members.concat() }
    }

    fn in_one_part(groups: &[u32], count: u32) -> Self {
        let mut starts = vec![0; count as usize + 1];
        groups.iter().for_each(|&group| starts[group as usize + 1] += 1);
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        let (mut next, mut members) = (starts.clone(), vec![0; groups.len()]);
        for (member, &group) in (0..).zip(groups) {
            members[next[group as usize] as usize] = member;
            next[group as usize] += 1;
        }
        Self { starts, members }
    }

    /// In parallel, for few groups, of which each is a number of the given ones. Each part of the members counts all.
    fn in_parts(groups: &[u32], count: usize, number: impl Fn(u32) -> u32 + Sync) -> Self {
        let counted = |part: &[u32]| {
            let mut counts = vec![0; count];
            part.iter().for_each(|&group| counts[number(group) as usize] += 1);
            counts
        };
        let mut nexts: Vec<Vec<u32>> = groups.par_chunks(MEMBERS_AT_ONCE).map(counted).collect();
        let (mut starts, mut sum) = (Vec::new(), 0);
        for group in 0..count {
            starts.push(sum);
            for next in &mut nexts {
                sum += std::mem::replace(&mut next[group], sum);
            }
        }
        starts.push(sum);
        let members: Vec<AtomicU32> = groups.par_iter().map(|_| AtomicU32::new(0)).collect();
        let parts = groups.par_chunks(MEMBERS_AT_ONCE).enumerate();
        parts.zip(nexts.par_iter_mut()).for_each(|((part, groups), next)| {
            let first = (part * MEMBERS_AT_ONCE) as u32;
            for (member, &group) in (first..).zip(groups) {
                let next = &mut next[number(group) as usize];
                members[*next as usize].store(member, Relaxed);
                *next += 1;
            }
        });
        let members = members.into_par_iter().map(AtomicU32::into_inner).collect();
        Self { starts, members }
    }

    /// The members of a group, ascending.
    pub fn members(&self, group: u32) -> &[u32] {
        let [start, end] = [group, group + 1].map(|index| self.starts[index as usize]);
        &self.members[start as usize..end as usize]
    }

    /// The members of each group that has any.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let count = self.starts.len() as u32 - 1;
        (0..count).map(|group| self.members(group)).filter(|members| !members.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_ascend_and_empty_groups_are_left_out() {
        let groups = Groups::new(&[2, 0, 2, 3, 0], 5);
        assert_eq!(groups.members(1), [0; 0]);
        assert_eq!(groups.iter().collect::<Vec<_>>(), [&[1, 4][..], &[0, 2], &[3]]);
        assert_eq!(Groups::new(&[], 0).iter().count(), 0);
    }

    #[test]
    fn parts_sort_as_one_does() {
        for count in [64, 5000] {
            let group = |n: u32| n.wrapping_mul(0x9e37_79b9) % count;
            let groups: Vec<u32> = (0..100_000).map(group).collect();
            let [one, parts] = [Groups::in_one_part(&groups, count), Groups::new(&groups, count)];
            assert!(one.starts == parts.starts && one.members == parts.members);
        }
    }
}
