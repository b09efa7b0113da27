//! Sets of candidates.

/// The maximum number of candidates of a model.
///
/// ```
/// assert_eq!(equipoise_select::MAX_CANDIDATES, 128);
/// ```
pub const MAX_CANDIDATES: usize = 128;

/// A set of candidate numbers: those that are available because they fit in memory.
///
/// ```
/// use equipoise_select::CandidateSet;
///
/// let available = CandidateSet::all(3).without(1);
/// assert!(available.contains(0) && !available.contains(1));
/// assert_eq!(available.len(), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateSet(u128);

impl CandidateSet {
    /// The set of the first `count` candidates.
    ///
    /// # Panics
    ///
    /// If `count` is over [`MAX_CANDIDATES`].
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert_eq!(CandidateSet::all(128).len(), 128);
    /// ```
    pub fn all(count: usize) -> Self {
        assert!(count <= MAX_CANDIDATES, "{count} candidates are over {MAX_CANDIDATES}");
        if count == MAX_CANDIDATES { Self(u128::MAX) } else { Self((1 << count) - 1) }
    }

    /// The set with `candidate` added.
    ///
    /// # Panics
    ///
    /// If `candidate` is not below [`MAX_CANDIDATES`].
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert!(CandidateSet::default().with(7).contains(7));
    /// ```
    pub fn with(self, candidate: usize) -> Self {
        assert!(candidate < MAX_CANDIDATES, "candidate {candidate} is not below {MAX_CANDIDATES}");
        Self(self.0 | 1 << candidate)
    }

    /// The set with `candidate` removed.
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert!(CandidateSet::all(1).without(0).is_empty());
    /// ```
    pub fn without(self, candidate: usize) -> Self {
        if candidate < MAX_CANDIDATES { Self(self.0 & !(1 << candidate)) } else { self }
    }

    /// Whether `candidate` is in the set.
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert!(!CandidateSet::all(2).contains(2));
    /// ```
    pub fn contains(self, candidate: usize) -> bool {
        candidate < MAX_CANDIDATES && self.0 >> candidate & 1 == 1
    }

    /// The number of candidates in the set.
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert_eq!(CandidateSet::all(2).len(), 2);
    /// ```
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    ///
    /// ```
    /// use equipoise_select::CandidateSet;
    ///
    /// assert!(CandidateSet::default().is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<usize> for CandidateSet {
    fn from_iter<I: IntoIterator<Item = usize>>(candidates: I) -> Self {
        candidates.into_iter().fold(Self::default(), Self::with)
    }
}
