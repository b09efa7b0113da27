//! Results of searches as a NumPy array: one number per vertex, in the order of ids; with several
//! searches, one row per search.

use equipoise::{
    Distances,
    algorithm::Values,
    graph::{Graph, memory},
    npy,
};

use crate::{
    failure::{Failure, Result},
    output::{Kind, ResultFile},
};

/// A NumPy array that is built row by row.
pub struct SearchArray<'a> {
    file: &'a ResultFile,
    vertices: u64,
    rows: u64,
    numbers: Option<Distances>,
}

impl<'a> SearchArray<'a> {
    /// The array for `file`, with one row for each of `searches` searches; `None` if the file is
    /// not an array.
    pub fn new(
        file: Option<&'a ResultFile>,
        graph: &Graph,
        searches: usize,
    ) -> Result<Option<Self>> {
        let Some(file) = file.filter(|file| file.kind() == Kind::Npy) else { return Ok(None) };
        let vertices = u64::from(graph.vertices());
        let numbers = vertices.saturating_mul(searches as u64);
        memory::check("an array of the results", memory::bytes_of::<u64>(numbers))?;
        Ok(Some(Self { file, vertices, rows: 0, numbers: None }))
    }

    /// Appends the distances of a search; unreached vertices get the largest number, or infinity.
    pub fn push(&mut self, values: &Values) -> Result<()> {
        let distances = match values {
            Values::U32(levels) => Distances::U32(levels.to_vec()),
            Values::Distances(Distances::U32(all)) => Distances::U32(all.to_vec()),
            Values::Distances(Distances::U64(all)) => Distances::U64(all.to_vec()),
            Values::Distances(Distances::F32(all)) => Distances::F32(all.to_vec()),
            Values::Distances(Distances::F64(all)) => Distances::F64(all.to_vec()),
            _ => return Err(Failure::new("these results do not fit an array of distances")),
        };
        self.rows += 1;
        self.numbers = Some(match self.numbers.take() {
            None => distances,
            Some(numbers) => joined(numbers, &distances)?,
        });
        Ok(())
    }

    /// Writes the file.
    pub fn write(self) -> Result<()> {
        let Some(numbers) = self.numbers else {
            return Err(Failure::new("no search to write as an array"));
        };
        let shape = [self.rows, self.vertices];
        let shape = if self.rows == 1 { &shape[1..] } else { &shape[..] };
        self.file.write_npy(|out| match &numbers {
            Distances::U32(numbers) => npy::write(out, shape, numbers),
            Distances::U64(numbers) => npy::write(out, shape, numbers),
            Distances::F32(numbers) => npy::write(out, shape, numbers),
            Distances::F64(numbers) => npy::write(out, shape, numbers),
        })
    }
}

/// Concatenates both, in 64 bits if either needs them.
fn joined(first: Distances, second: &Distances) -> Result<Distances> {
    Ok(match (first, second) {
        (Distances::U32(mut all), Distances::U32(more)) => {
            all.extend_from_slice(more);
            Distances::U32(all)
        }
        (Distances::F32(mut all), Distances::F32(more)) => {
            all.extend_from_slice(more);
            Distances::F32(all)
        }
        (Distances::F64(mut all), Distances::F64(more)) => {
            all.extend_from_slice(more);
            Distances::F64(all)
        }
        (first, second) => {
            let mut all = wide(&first)?;
            all.extend(wide(second)?);
            Distances::U64(all)
        }
    })
}

/// The distances in 64 bits.
fn wide(distances: &Distances) -> Result<Vec<u64>> {
    match distances {
        Distances::U32(all) => {
            let wide = |&number: &u32| if number == u32::MAX { u64::MAX } else { number.into() };
            Ok(all.iter().map(wide).collect())
        }
        Distances::U64(all) => Ok(all.clone()),
        Distances::F32(_) | Distances::F64(_) => {
            Err(Failure::new("whole and real distances do not fit one array"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreached_vertices_stay_so_in_64_bits() {
        let narrow = || Distances::U32(vec![0, u32::MAX]);
        let far = Distances::U64(vec![1 << 40, u64::MAX]);
        let all = Distances::U64(vec![0, u64::MAX, 1 << 40, u64::MAX]);
        assert_eq!(joined(narrow(), &far).unwrap(), all);
        let both = Distances::U32(vec![0, u32::MAX, 0, u32::MAX]);
        assert_eq!(joined(narrow(), &narrow()).unwrap(), both);
        assert!(joined(narrow(), &Distances::F32(vec![0.5])).is_err());
    }
}
