//! Arrays that are owned, in a memory-mapped file, or in foreign memory.

use std::{ops::Deref, sync::Arc};

use bytemuck::Pod;

use crate::file_map::FileMap;

/// An immutable array of numbers: owned, in a memory-mapped file, or shared with a foreign owner.
/// Cloning is cheap.
///
/// ```
/// use equipoise_graph::Storage;
///
/// let numbers = Storage::from(vec![1u32, 2, 3]);
/// assert_eq!(numbers[1], 2);
/// assert_eq!(numbers.clone().into_vec(), [1, 2, 3]);
/// ```
#[derive(Clone)]
pub struct Storage<T: 'static>(Inner<T>);

#[derive(Clone)]
enum Inner<T: 'static> {
    Owned(Arc<Vec<T>>),
    Mapped { map: Arc<FileMap>, start: usize, length: usize },
    Shared { numbers: &'static [T], _owner: Arc<dyn Send + Sync> },
}

impl<T: Pod> Storage<T> {
    /// The `length` numbers that start at byte `start` of `map`; `None` if they are out of bounds
    /// or not aligned.
    pub(crate) fn mapped(map: &Arc<FileMap>, start: usize, length: usize) -> Option<Self> {
        let end = length.checked_mul(size_of::<T>())?.checked_add(start)?;
        bytemuck::try_cast_slice::<u8, T>(map.get(start..end)?).ok()?;
        Some(Self(Inner::Mapped { map: map.clone(), start, length }))
    }

    /// Numbers in foreign memory, which `owner` keeps alive.
    ///
    /// # Safety
    ///
    /// Until `owner` is dropped, the numbers must stay valid and must not be modified.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use equipoise_graph::Storage;
    ///
    /// let owner = Arc::new([1u32, 2, 3]);
    /// // SAFETY: what an `Arc` holds does not move, and nobody changes it.
    /// let numbers = unsafe { Storage::shared(&owner[..], owner.clone()) };
    /// drop(owner);
    /// assert_eq!(numbers[..], [1, 2, 3]);
    /// ```
    pub unsafe fn shared(numbers: &[T], owner: Arc<dyn Send + Sync>) -> Self {
        // SAFETY: the caller guarantees that they live as long as the owner, which is dropped with
        // them.
        let numbers = unsafe { std::slice::from_raw_parts(numbers.as_ptr(), numbers.len()) };
        Self(Inner::Shared { numbers, _owner: owner })
    }

    /// Whether the numbers may be modified externally in spite of the contract: they are in a
    /// mapped file or in foreign memory. Code for which that could cause more than a wrong result
    /// or a panic must check a copy.
    ///
    /// ```
    /// assert!(!equipoise_graph::Storage::from(vec![1u32]).may_change());
    /// ```
    pub fn may_change(&self) -> bool {
        !matches!(self.0, Inner::Owned(_))
    }

    /// The numbers as a vector: moved if not shared, copied otherwise.
    pub fn into_vec(self) -> Vec<T> {
        match self.0 {
            Inner::Owned(numbers) => Arc::try_unwrap(numbers).unwrap_or_else(|held| held.to_vec()),
            Inner::Mapped { .. } | Inner::Shared { .. } => self.to_vec(),
        }
    }
}

impl<T: Pod> Deref for Storage<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Inner::Owned(numbers) => numbers,
            Inner::Mapped { map, start, length } => {
                bytemuck::cast_slice(&map[*start..*start + length * size_of::<T>()])
            }
            Inner::Shared { numbers, .. } => numbers,
        }
    }
}

impl<T> From<Vec<T>> for Storage<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Inner::Owned(Arc::new(numbers)))
    }
}

impl<T: Pod + PartialEq> PartialEq for Storage<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
