//! The number of ranks according to the environment, compared with MPI's.
//!
//! If another MPI's `mpirun` starts the program, each rank sees only itself: all would do the whole work and write the same
//! files.

use equipoise_cluster::commands::Failure;

/// A launcher that the environment reveals.
#[derive(Debug, PartialEq, Eq)]
pub struct Launcher {
    /// Its name, at the start of a sentence.
    pub name: &'static str,
    /// The number of ranks it started; at least one more than the number of this rank, if only that is known.
    pub ranks: usize,
    /// The variable with the number.
    variable: &'static str,
}

const OPEN_MPI: &str = "OMPI_COMM_WORLD_SIZE";
const PMIX_RANK: &str = "PMIX_RANK";

/// Variables with the number of ranks, the innermost launcher first: `mpirun` within a job of Slurm sets those of both. Those
/// of Slurm count only with a variable of a process that Slurm itself started.
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

    /// The error of a job of several ranks in which MPI sees only one.
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

/// The name and version of the MPI library.
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

    fn launcher_of(variables: &[(&str, &str)]) -> Option<(&'static str, usize)> {
        let value = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        find(value).map(|launcher| (launcher.variable, launcher.ranks))
    }

    #[test]
    fn the_innermost_launcher_counts() {
        assert_eq!(launcher_of(&[]), None);
        assert_eq!(
            launcher_of(&[("OMPI_COMM_WORLD_SIZE", "3")]),
            Some(("OMPI_COMM_WORLD_SIZE", 3))
        );
        assert_eq!(
            launcher_of(&[("PMI_SIZE", "2"), ("MPI_LOCALNRANKS", "1")]),
            Some(("PMI_SIZE", 2))
        );
        let within = [("SLURM_NTASKS", "64"), ("SLURM_PROCID", "0"), ("OMPI_COMM_WORLD_SIZE", "1")];
        assert_eq!(launcher_of(&within), Some(("OMPI_COMM_WORLD_SIZE", 1)));
        assert_eq!(launcher_of(&[("PMIX_RANK", "4")]), Some(("PMIX_RANK", 5)));
    }

    #[test]
    fn a_variable_of_slurm_alone_does_not_count() {
        assert_eq!(launcher_of(&[("SLURM_NTASKS", "64")]), None);
        let step = [("SLURM_NTASKS", "64"), ("SLURM_PROCID", "3"), ("SLURM_STEP_NUM_TASKS", "8")];
        assert_eq!(launcher_of(&step), Some(("SLURM_STEP_NUM_TASKS", 8)));
        assert_eq!(launcher_of(&step[..2]), Some(("SLURM_NTASKS", 64)));
    }

    #[test]
    fn invalid_numbers_are_ignored() {
        assert_eq!(launcher_of(&[("OMPI_COMM_WORLD_SIZE", "many")]), None);
        assert_eq!(launcher_of(&[("PMIX_RANK", "")]), None);
        assert_eq!(launcher_of(&[("PMIX_RANK", "18446744073709551615")]), None);
    }

    #[test]
    fn only_a_rank_that_sees_no_others_is_refused() {
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
