//! Members by group.

/// The members of groups, sorted by counting.
pub(super) struct Groups {
    /// The index of the first member of each group, and of the end of the last group.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Sorts the members `0..groups.len()` by their groups, which are numbered `0..count`.
    pub fn new(groups: &[u32], count: u32) -> Self {
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
}
