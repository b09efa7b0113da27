//! Predecessors on shortest paths, from final distances.
//!
//! An edge is tight if its source's distance and its weight sum to its target's distance. Over tight edges from smaller
//! distances, predecessors cannot form a cycle: one pass finds almost all. The rest is reached over edges of weight 0 only, and
//! is found step by step from vertices with a predecessor.

use super::*;

impl ShortestPaths<'_> {
    /// The result for owned vertices.
    pub(super) fn finish(
        &self,
        source: u64,
        mut exchange: Exchange,
        trace: Trace,
    ) -> Result<Found<u32>> {
        let (comm, graph, owned) = (self.comm, self.graph, self.graph.owned());
        let distances = self.gpu().download_first(&self.distances, owned as usize);
        let distances = agree(comm, distances.map_err(Error::from))?;
        let overflowed = self.may_overflow(&distances);
        self.tell_mirrors(&mut exchange, &distances)?;
        let mut from_others = Vec::new();
        self.find(&mut exchange, true, &mut from_others)?;
        let mut before = u64::MAX;
        loop {
            let left = agree(comm, self.left(&distances).map_err(Error::from))?;
            let mut left = [left];
            exchange.all_reduce(&mut left, Reduction::Sum);
            if left == [0] {
                break;
            }
            if left[0] >= before {
                return Err(Error::Wrong(format!("{before} vertices have no predecessor")));
            }
            before = left[0];
            self.find(&mut exchange, false, &mut from_others)?;
        }
        let before = self.gpu().download_first(&self.before, owned as usize);
        let before = agree(comm, before.map_err(Error::from))?;
        let global = |before: u32| if before == NONE { crate::NONE } else { graph.global(before) };
        let mut predecessors: Vec<u64> = before.into_iter().map(global).collect();
        from_others.into_iter().for_each(|(vertex, from)| predecessors[vertex as usize] = from);
        if let Some(local) = graph.local(source).filter(|&local| local < owned) {
            predecessors[local as usize] = source;
        }
        Ok(Found { distances, predecessors, trace, overflowed })
    }

    /// Whether a sum may not have fitted on some rank.
    fn may_overflow(&self, distances: &[u32]) -> bool {
        let reached = distances.iter().copied().filter(|&distance| distance != NONE);
        let farthest = reached.max().unwrap_or(0);
        let may = match self.graph.local.weights() {
            Some(Weights::F32(weights)) => {
                let heaviest = weights.iter().copied().fold(0.0, f32::max);
                f32::from_bits(farthest) + heaviest == f32::INFINITY
            }
            Some(Weights::U32(weights)) => {
                let heaviest = weights.iter().copied().max().unwrap_or(0);
                farthest.saturating_add(heaviest) == NONE
            }
            _ => farthest.saturating_add(1) == NONE,
        };
        let mut on_any = [u64::from(may)];
        self.comm.all_reduce(&mut on_any, Reduction::Max);
        on_any != [0]
    }

    /// Sends distances from owners to mirrors.
    fn tell_mirrors(&self, exchange: &mut Exchange, distances: &[u32]) -> Result<()> {
        let is_reached = |&vertex: &u32| distances[vertex as usize] != NONE;
        let reached: Vec<u32> = (0..self.graph.owned()).filter(is_reached).collect();
        let (mut mirrors, mut of_owners) = (Vec::new(), Vec::new());
        exchange.broadcast(
            &reached,
            |vertex| distances[vertex as usize],
            |mirror, distance: u32| {
                mirrors.push(mirror);
                of_owners.push(distance);
            },
        );
        let written = write_at(self.gpu(), &self.distances, &mirrors, &of_owners);
        agree(self.comm, written.map_err(Error::from))
    }

    /// The number of reached owned vertices without predecessor.
    fn left(&self, distances: &[u32]) -> DeviceResult<u64> {
        let before = self.gpu().download_first(&self.before, distances.len())?;
        let is_left = |(before, distance): &(&u32, &u32)| **before == NONE && **distance != NONE;
        Ok(before.iter().zip(distances).filter(is_left).count() as u64)
    }

    /// Finds predecessors over tight edges: from vertices of smaller distance, or from those that have a predecessor.
    fn find(
        &self,
        exchange: &mut Exchange,
        from_smaller: bool,
        from_others: &mut Vec<(u32, u64)>,
    ) -> Result<()> {
        let (comm, graph) = (self.comm, self.graph);
        let found = self.find_here(from_smaller).map_err(Into::into);
        let (mirrors, before) = agree(comm, found)?;
        let index = |mirror: u32| mirrors.partition_point(|&other| other < mirror);
        let mut offers = Vec::new();
        exchange.reduce_from(
            &mirrors,
            |mirror| before[index(mirror)],
            |rank, vertex, before: u32| {
                offers.push((vertex, graph.partition.starts[rank] + u64::from(before)));
            },
        );
        offers.sort_unstable();
        offers.dedup_by_key(|offer| offer.0);
        let taken = agree(comm, self.take(&offers).map_err(Error::from))?;
        from_others.extend(offers.iter().filter(|offer| taken.binary_search(&offer.0).is_ok()));
        Ok(())
    }

    /// The mirrors that got a predecessor, ascending, and their predecessors.
    fn find_here(&self, from_smaller: bool) -> DeviceResult<(Vec<u32>, Vec<u32>)> {
        let gpu = self.gpu();
        let starts = || {
            let before = AtomicArray::bind(gpu, &self.before);
            StartsLaunch::new(self.distances.arg(), before, from_smaller.into())
        };
        let starts =
            filter(&Frontier::all(&self.device_graph)?, &Operation::<Starts>::checked(starts))?;
        let tight = || {
            TightLaunch::new(
                self.distances.arg(),
                AtomicArray::bind(gpu, &self.before),
                self.lengths(),
                from_smaller.into(),
            )
        };
        let found = advance(&starts, Spread::Parts, &Operation::<Tight>::checked(tight))?;
        let mut mirrors = found.vertices()?;
        mirrors.retain(|&vertex| vertex >= self.graph.owned());
        let mirrors = ascending(mirrors, self.device_graph.vertices());
        let before = read_at(gpu, &self.before, &mirrors)?;
        Ok((mirrors, before))
    }

    /// The offered vertices without predecessor, ascending, which get one on another rank.
    fn take(&self, offers: &[(u32, u64)]) -> DeviceResult<Vec<u32>> {
        let offered: Vec<u32> = offers.iter().map(|offer| offer.0).collect();
        let outside = || OutsideLaunch::new(self.before.arg());
        let offered = Frontier::from_vertices(&self.device_graph, &offered)?;
        let taken = filter(&offered, &Operation::<Outside>::checked(outside))?;
        let mut taken = taken.vertices()?;
        taken.sort_unstable();
        Ok(taken)
    }
}

/// Keeps reached vertices that have a predecessor if they need one.
#[derive(CubeType, CubeLaunch)]
struct Starts {
    distances: Input<u32>,
    before: AtomicArray,
    from_smaller: u32,
}

#[cube]
impl VertexOp for Starts {
    fn apply(&mut self, vertex: u32) -> bool {
        let is_found = self.from_smaller == 1 || self.before.get(vertex) != u32::MAX;
        self.distances[vertex as usize] != u32::MAX && is_found
    }
}

/// Gives the target of a tight edge a predecessor if it has none.
#[derive(CubeType, CubeLaunch)]
struct Tight {
    distances: Input<u32>,
    before: AtomicArray,
    lengths: Lengths,
    from_smaller: u32,
}

impl EdgeOpKind for Tight {}

#[cube]
impl EdgeOp for Tight {
    fn label(&self, source: u32) -> u32 {
        self.distances[source as usize]
    }

    fn along(&self, label: u32, edge: u32) -> u32 {
        self.lengths.along(label, edge)
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        let is_tight = label == self.distances[target as usize] && label != u32::MAX;
        is_tight && self.before.get(target) == u32::MAX
    }

    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool {
        let mut joins = false.runtime();
        if self.from_smaller == 0 || self.distances[source as usize] < label {
            // All that would be before it are good.
            joins = self.before.fetch_min(target, source) == u32::MAX;
        }
        joins
    }
}

/// Makes a vertex without predecessor its own, as a mark of one on another rank, and keeps it then.
#[derive(CubeType, CubeLaunch)]
struct Outside {
    before: Array<u32>,
}

#[cube]
impl VertexOp for Outside {
    fn apply(&mut self, vertex: u32) -> bool {
        let is_open = self.before[vertex as usize] == u32::MAX;
        if is_open {
            self.before[vertex as usize] = vertex;
        }
        is_open
    }
}
