//! A graph as several copies of itself, side by side: many searches in one loop.

use cubecl::prelude::*;

use super::{DeviceGraph, graph::*};
use crate::{Error, Result, device::GpuRuntime};

impl DeviceGraph {
    /// The graph as so many copies of itself that no edge joins: vertex `v` of copy `c` is vertex
    /// `c * vertices + v`, and the edges of all copies are numbered as those of one. Nothing is
    /// copied, so that they take no memory.
    ///
    /// As many searches as there are copies, each with labels of its own, are one
    /// [loop](super::until_empty()) in [parts](super::Spread::Parts). Schedules and the other operators
    /// on edges refuse copies.
    ///
    /// Fails where there would be none, or more vertices and edges than 32 bits number.
    ///
    /// ```
    /// use cubecl::prelude::*;
    /// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
    ///
    /// #[derive(CubeType, CubeLaunch)]
    /// struct Discover {
    ///     levels: AtomicArray,
    /// }
    ///
    /// impl EdgeOpKind for Discover {}
    ///
    /// #[cube]
    /// impl EdgeOp for Discover {
    ///     fn label(&self, source: u32) -> u32 {
    ///         self.levels.get(source)
    ///     }
    ///     fn along(&self, label: u32, _edge: u32) -> u32 {
    ///         label + 1
    ///     }
    ///     fn improves(&self, target: u32, label: u32) -> bool {
    ///         label < self.levels.get(target)
    ///     }
    ///     fn relax(&mut self, target: u32, label: u32) -> bool {
    ///         label < self.levels.fetch_min(target, label)
    ///     }
    /// }
    ///
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 2], &[1, 2])?;
    /// // One search from vertex 0, and one from vertex 1.
    /// let both = path.copies(2)?;
    /// const FAR: u32 = u32::MAX;
    /// let levels = gpu.upload(&[0, FAR, FAR, FAR, 0, FAR])?;
    /// let discover =
    ///     Operation::<Discover>::checked(|| DiscoverLaunch::new(AtomicArray::of(&gpu, &levels)));
    /// until_empty(Frontier::of(&both, &[0, 3 + 1])?, Spread::Parts, &discover)?;
    /// assert_eq!(gpu.download(&levels)?, [0, 1, 2, FAR, 0, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn copies(&self, count: u32) -> Result<Self> {
        let all = u64::from(count) * u64::from(self.copy_count());
        if all == 0 {
            return Err(Error::Schedule("a graph as no copies of itself".into()));
        }
        let [vertices, edges] = [self.copy_vertices(), self.leaving().edges()].map(u64::from);
        check_size(all.saturating_mul(vertices), all.saturating_mul(edges))?;
        Ok(self.copied(all as u32))
    }

    /// The edges by the vertices that they leave, of all copies.
    pub(super) fn copied_rows(&self) -> CopiedRowsLaunch<GpuRuntime> {
        let vertices = (self.copy_count() > 1).then(|| self.copy_vertices());
        CopiedRowsLaunch::new(self.rows(), vertices.into())
    }

    /// Fails where there are several copies, of which an operator does not know.
    pub(super) fn check_single(&self, operator: &str) -> Result<()> {
        match self.copy_count() {
            1 => Ok(()),
            count => Err(Error::Schedule(format!(
                "{operator} on {count} copies of a graph: only a loop in parts is for copies"
            ))),
        }
    }
}

/// Edges by the vertices that they leave, of a graph or of several copies of it, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct CopiedRows {
    /// Those of one copy.
    pub one: Rows,
    /// The vertices of a copy, where there are several.
    vertices: ComptimeOption<u32>,
}

#[cube]
impl CopiedRows {
    /// The first vertex of the copy that a vertex is in.
    pub fn first_of_copy(&self, vertex: u32) -> u32 {
        #[comptime]
        match &self.vertices {
            ComptimeOption::Some(vertices) => vertex - vertex % *vertices,
            ComptimeOption::None => 0u32.runtime(),
        }
    }

    /// A vertex as its copy numbers it.
    pub fn in_copy(&self, vertex: u32) -> u32 {
        #[comptime]
        match &self.vertices {
            ComptimeOption::Some(vertices) => vertex % *vertices,
            ComptimeOption::None => vertex,
        }
    }

    /// Where an edge leads, in the copy with this first vertex.
    pub fn target(&self, edge: u32, first: u32) -> u32 {
        let target = self.one.targets[edge as usize];
        #[comptime]
        match &self.vertices {
            ComptimeOption::Some(_) => first + target,
            ComptimeOption::None => target,
        }
    }
}

/// The first vertices of the copies that parts are in, for all units of a cube; without copies, no
/// memory.
#[derive(CubeType)]
pub(crate) struct SharedFirsts {
    firsts: ComptimeOption<SharedMemory<u32>>,
}

#[cube]
impl SharedFirsts {
    pub fn new(rows: &CopiedRows, #[comptime] count: usize) -> SharedFirsts {
        let firsts = #[comptime]
        match &rows.vertices {
            ComptimeOption::Some(_) => ComptimeOption::new_Some(SharedMemory::<u32>::new(count)),
            ComptimeOption::None => ComptimeOption::new_None(),
        };
        SharedFirsts { firsts }
    }

    pub fn set(&mut self, place: u32, first: u32) {
        #[comptime]
        match &mut self.firsts {
            ComptimeOption::Some(firsts) => firsts[place as usize] = first,
            ComptimeOption::None => {}
        }
    }

    pub fn get(&self, place: usize) -> u32 {
        #[comptime]
        match &self.firsts {
            ComptimeOption::Some(firsts) => firsts[place],
            ComptimeOption::None => 0u32.runtime(),
        }
    }
}
