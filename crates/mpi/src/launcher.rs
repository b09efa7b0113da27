//! What the environment says of how many ranks were started, beside what MPI says.
//!
//! Started by the `mpirun` of another MPI than the program was compiled with, each rank believes that it is alone: all
//! of them would do the whole work, and write the same files.

use equipoise_cluster::commands::Failure;

/// A launcher that has left its mark in the environment.
#[derive(Debug, PartialEq, Eq)]
pub struct Launcher {
    /// What it is called.
    pub name: &'static str,
    /// How many ranks it started; where it only tells which rank this is, one more than that.
    pub ranks: usize,
    /// What said so.
    variable: &'static str,
}

const OPEN_MPI: &str = "OMPI_COMM_WORLD_SIZE";
const PMIX_RANK: &str = "PMIX_RANK";

/// Variables that hold the number of ranks, by the nearest launcher first: `mpirun` within a job of Slurm leaves marks
/// of both. Those of Slurm count where it started this very process.
const SIZES: [(&str, &str, Option<&str>); 5] = [
    ("The mpirun of Open MPI", OPEN_MPI, None),
    ("The mpirun of MPICH, or one like it,", "PMI_SIZE", None),
    ("The mpirun of Intel MPI, or one like it,", "MPI_LOCALNRANKS", None),
    ("Slurm", "SLURM_STEP_NUM_TASKS", Some("SLURM_PROCID")),
    ("Slurm", "SLURM_NTASKS", Some("SLURM_PROCID")),
];

/// The launcher that started this process, if one did, by the values of environment variables.
pub fn find(variable: impl Fn(&str) -> Option<String>) -> Option<Launcher> {
    let number = |name: &str| variable(name)?.trim().parse::<usize>().ok();
    let sizes = SIZES.into_iter().filter_map(|(name, variable, mark)| {
        mark.is_none_or(|mark| number(mark).is_some()).then_some(())?;
        Some(Launcher { name, ranks: number(variable)?, variable })
    });
    let of_rank = || {
        let ranks = number(PMIX_RANK)?.checked_add(1)?;
        Some(Launcher { name: "A launcher with PMIx", ranks, variable: PMIX_RANK })
    };
    sizes.into_iter().next().or_else(of_rank)
}

impl Launcher {
    /// Whether it is Open MPI's `mpirun`.
    pub fn is_open_mpi(&self) -> bool {
        self.variable == OPEN_MPI
    }

    /// Why the job must not go on, where MPI sees one rank and more were started.
    pub fn contradiction(&self, size: usize, library: &str) -> Option<Failure> {
        (size == 1 && self.ranks > 1).then(|| {
            let Self { name, ranks, variable } = self;
            let started = match *variable {
                PMIX_RANK => format!("as rank {} ({variable})", ranks - 1),
                _ => format!("as one of {ranks} ranks ({variable})"),
            };
            Failure::new(format!(
                "{name} started this {started}, but MPI sees one rank alone: the program was compiled for {library}, \
                 which that launcher does not speak to"
            ))
            .hint(
                "start it with the `mpirun` of that MPI, on Debian `mpirun.openmpi` or `mpirun.mpich`; with Slurm, \
                 `srun --mpi=list` says what it speaks",
            )
        })
    }
}

/// The first words of what an MPI library says of itself.
pub fn library() -> String {
    let text = mpi::environment::library_version().unwrap_or_default();
    let line = text.trim_end_matches('\0').lines().next().unwrap_or_default();
    let first = line.split(", package").next().unwrap_or_default();
    match first.split_whitespace().collect::<Vec<_>>().join(" ") {
        name if name.is_empty() => "another MPI".into(),
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<(&'static str, usize)> {
        let value = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        find(value).map(|launcher| (launcher.variable, launcher.ranks))
    }

    #[test]
    fn the_nearest_launcher_counts() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("OMPI_COMM_WORLD_SIZE", "3")]), Some(("OMPI_COMM_WORLD_SIZE", 3)));
        assert_eq!(found(&[("PMI_SIZE", "2"), ("MPI_LOCALNRANKS", "1")]), Some(("PMI_SIZE", 2)));
        let within = [("SLURM_NTASKS", "64"), ("SLURM_PROCID", "0"), ("OMPI_COMM_WORLD_SIZE", "1")];
        assert_eq!(found(&within), Some(("OMPI_COMM_WORLD_SIZE", 1)));
        assert_eq!(found(&[("PMIX_RANK", "4")]), Some(("PMIX_RANK", 5)));
    }

    #[test]
    fn a_variable_of_slurm_alone_starts_nothing() {
        assert_eq!(found(&[("SLURM_NTASKS", "64")]), None);
        let step = [("SLURM_NTASKS", "64"), ("SLURM_PROCID", "3"), ("SLURM_STEP_NUM_TASKS", "8")];
        assert_eq!(found(&step), Some(("SLURM_STEP_NUM_TASKS", 8)));
        assert_eq!(found(&step[..2]), Some(("SLURM_NTASKS", 64)));
    }

    #[test]
    fn what_is_no_number_says_nothing() {
        assert_eq!(found(&[("OMPI_COMM_WORLD_SIZE", "many")]), None);
        assert_eq!(found(&[("PMIX_RANK", "")]), None);
        assert_eq!(found(&[("PMIX_RANK", "18446744073709551615")]), None);
    }

    #[test]
    fn only_a_rank_that_believes_itself_alone_is_refused() {
        let launcher = Launcher { name: "Open MPI", ranks: 3, variable: "OMPI_COMM_WORLD_SIZE" };
        assert_eq!(launcher.contradiction(3, "MPICH"), None);
        let message = launcher.contradiction(1, "MPICH").unwrap().to_string();
        assert!(
            message.contains("one of 3 ranks (OMPI_COMM_WORLD_SIZE)") && message.contains("MPICH"),
            "{message}"
        );
        let alone = Launcher { ranks: 1, ..launcher };
        assert_eq!(alone.contradiction(1, "MPICH"), None);
    }
}
