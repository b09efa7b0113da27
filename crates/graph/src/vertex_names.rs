//! Names of vertices that are not numbers.

use crate::{Error, Result, Storage, nearest::nearest, parallel::*};

/// The names of the vertices `0..n`, distinct and in ascending order of their bytes.
///
/// ```
/// use equipoise_graph::VertexNames;
///
/// let names = VertexNames::new(["Ann", "Bob", "Eve"])?;
/// assert_eq!(names.get(1), "Bob");
/// assert_eq!(names.find("Eve"), Some(2));
/// assert_eq!(names.find("Dan"), None);
///
/// let error = VertexNames::new(["Bob", "Ann"]).unwrap_err();
/// assert!(error.to_string().ends_with("do not ascend: `Ann` comes after `Bob`"));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VertexNames {
    /// The end of each name in the text.
    ends: Storage<u64>,
    /// All names, concatenated.
    text: Storage<u8>,
}

impl VertexNames {
    /// Creates names, which must be in ascending order.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let names = Self::ascending(&names.into_iter().collect::<Vec<&str>>());
        names.check(names.len())?;
        Ok(names)
    }

    /// Names that are known to be in ascending order, and UTF-8.
    pub(crate) fn ascending(names: &[impl AsRef<[u8]>]) -> Self {
        let mut end = 0;
        let end_of = |name: &_| {
            end += <_ as AsRef<[u8]>>::as_ref(name).len() as u64;
            end
        };
        let ends: Vec<u64> = names.iter().map(end_of).collect();
        let mut text = Vec::with_capacity(end as usize);
        names.iter().for_each(|name| text.extend_from_slice(name.as_ref()));
        Self { ends: ends.into(), text: text.into() }
    }

    /// Names from a file, not validated.
    pub(crate) fn unchecked(ends: Storage<u64>, text: Storage<u8>) -> Self {
        Self { ends, text }
    }

    /// The end of each name, and all names concatenated.
    pub(crate) fn parts(&self) -> (&[u64], &[u8]) {
        (&self.ends, &self.text)
    }

    /// The number of names.
    pub fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    /// Whether it has no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a vertex. Panics if the vertex does not exist.
    pub fn get(&self, vertex: u32) -> &str {
        self.try_get(vertex as usize).unwrap_or_default()
    }

    fn try_get(&self, index: usize) -> Option<&str> {
        std::str::from_utf8(self.bytes(index)).ok()
    }

    fn bytes(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.text.get(start as usize..self.ends[index] as usize).unwrap_or_default()
    }

    /// The vertex with the name `name`.
    pub fn find(&self, name: &str) -> Option<u32> {
        let first = self.first_from(name);
        ((first as u64) < self.len() && self.get(first) == name).then_some(first)
    }

    /// The first vertex whose name is not less than `name`; the number of names if all are less.
    fn first_from(&self, name: &str) -> u32 {
        let (mut low, mut high) = (0, self.ends.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle) < name { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The name with the smallest edit distance to `name`, if that is small for its length.
    ///
    /// ```
    /// use equipoise_graph::VertexNames;
    ///
    /// let names = VertexNames::new(["Alice", "Bob"])?;
    /// assert_eq!(names.nearest("Allice"), Some("Alice"));
    /// assert_eq!(names.nearest("Zoe"), None);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.iter())
    }

    /// All names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|vertex| self.get(vertex))
    }

    /// Checks that these can be the names of `vertices` vertices.
    pub(crate) fn check(&self, vertices: u64) -> Result<()> {
        if self.len() != vertices {
            let (expected, found) = (vertices, self.len());
            return Err(Error::Length { what: "vertex names", expected, found });
        }
        let ends_at = self.ends.last().copied().unwrap_or(0);
        if !self.ends.is_sorted() || ends_at != self.text.len() as u64 {
            return Err(Error::Structure(
                "the names of vertices are cut in the wrong places".into(),
            ));
        }
        let is_text = std::str::from_utf8(&self.text)
            .is_ok_and(|text| self.ends.par_iter().all(|&end| text.is_char_boundary(end as usize)));
        let wrong = (0..self.ends.len()).into_par_iter().find_map_first(|index| {
            // Names in a text that is valid need not be checked one by one.
            if !is_text && self.try_get(index).is_none() {
                return Some(format!("the name of vertex {index} is not UTF-8"));
            }
            let [before, name] = [self.bytes(index.checked_sub(1)?), self.bytes(index)];
            (before >= name).then(|| {
                let [before, name] = [before, name].map(String::from_utf8_lossy);
                format!("the names of vertices do not ascend: `{name}` comes after `{before}`")
            })
        });
        wrong.map_or(Ok(()), |message| Err(Error::Structure(message)))
    }
}
