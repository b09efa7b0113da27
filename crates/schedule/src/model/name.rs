//! The schedules by name.

equipoise_graph::named_enum! {
    /// A schedule, by the name that `--schedule` takes.
    ///
    /// ```
    /// use equipoise_schedule::ScheduleName;
    ///
    /// assert_eq!("merge-path".parse(), Ok(ScheduleName::MergePath));
    /// ```
    pub enum ScheduleName("schedule") {
        /// One tile per unit.
        ThreadMapped = "thread-mapped",
        /// One tile at a time per plane.
        PlaneMapped = "plane-mapped",
        /// One tile at a time per cube.
        CubeMapped = "cube-mapped",
        /// A group shares the atoms of as many tiles as it has units.
        GroupMapped = "group-mapped",
        /// Tiles and atoms together divided evenly.
        MergePath = "merge-path",
        /// Atoms alone divided evenly.
        NonzeroSplit = "nonzero-split",
        /// Tiles sorted by size, each bin with a fitting group.
        Binned = "binned",
        /// Cubes take tiles from one shared counter.
        Persistent = "persistent",
        /// Cubes take tiles from their own queues, then from those of others.
        WorkStealing = "work-stealing",
    }
}
