//! The GAP Benchmark Suite's own programs, on the files that Equipoise reads.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    Result,
    traversal::{Algorithm, Contender, Outcome},
};

/// The widths of buckets that are tried, as GAP has none of its own for a graph.
const DELTAS: [u32; 8] = [16384, 4096, 1024, 256, 64, 16, 4, 1];

/// GAP's `bfs` and `sssp`, in processes of their own.
pub struct Gap {
    /// Where the programs are.
    pub programs: PathBuf,
    /// The graph without weights, `.sg`.
    pub unweighted: PathBuf,
    /// The graph with weights, `.wsg`.
    pub weighted: PathBuf,
    /// How many threads they use.
    pub threads: usize,
    /// The width of a bucket of `sssp`.
    pub delta: u32,
}

impl Gap {
    /// Finds the width of buckets with which `sssp` is fastest from `source`, and keeps it. Once
    /// narrower buckets take more than twice the time, still narrower ones are not tried.
    pub fn choose_delta(&mut self, source: u32) -> Result<()> {
        let mut best = Duration::MAX;
        for delta in DELTAS {
            let mut command = self.command(Algorithm::Sssp, source);
            let output = run(command.args(["-n", "3", "-d", &delta.to_string()]))?;
            let time = seconds(&output, "Trial Time:").min().ok_or("sssp printed no trial time")?;
            if time < best {
                (best, self.delta) = (time, delta);
            } else if time > 2 * best {
                break;
            }
        }
        Ok(())
    }

    fn command(&self, algorithm: Algorithm, source: u32) -> Command {
        let graph = match algorithm {
            Algorithm::Bfs => &self.unweighted,
            Algorithm::Sssp => &self.weighted,
        };
        let mut command = Command::new(self.programs.join(algorithm.name()));
        command.env("OMP_NUM_THREADS", self.threads.to_string());
        command.arg("-f").arg(graph).args(["-r", &source.to_string()]);
        command
    }
}

impl Contender for Gap {
    fn name(&self) -> &str {
        "GAP"
    }

    /// Two trials in one process: the first warms it up. GAP's own verifier checks both.
    fn search(&mut self, algorithm: Algorithm, source: u32) -> Result<Outcome> {
        let mut command = self.command(algorithm, source);
        command.args(["-n", "2", "-v", "-a"]);
        if algorithm == Algorithm::Sssp {
            command.args(["-d", &self.delta.to_string()]);
        }
        let output = run(&mut command)?;
        let passed = output.lines().filter(|line| is_pass(line)).count();
        let time = seconds(&output, "Trial Time:").nth(1);
        let (Some(time), Some(reached), 2) = (time, reached(&output), passed) else {
            return Err(format!("GAP's {} failed: {output}", algorithm.name()).into());
        };
        Ok(Outcome { time, reached, total: None })
    }
}

/// Whether GAP's programs for both algorithms are in a folder.
pub fn check(programs: &Path) -> Result<()> {
    for algorithm in Algorithm::ALL {
        let program = programs.join(algorithm.name());
        if !program.is_file() {
            return Err(format!(
                "{} is not there: build the GAP Benchmark Suite (https://github.com/sbeamer/gapbs, \
                 `make bfs sssp`) and name its folder with --gap",
                program.display()
            )
            .into());
        }
    }
    Ok(())
}

/// One of GAP's programs for whole graphs, with what it is told.
pub struct WholeGraph<'a> {
    /// Where the programs are.
    pub programs: &'a Path,
    /// The program.
    pub program: &'static str,
    /// The graph, `.sg`.
    pub graph: &'a Path,
    /// How many threads it uses.
    pub threads: usize,
}

impl WholeGraph<'_> {
    /// Runs it once with its verifier, as it is.
    pub fn check(&self) -> Result<()> {
        if !self.programs.join(self.program).is_file() {
            return Err(format!(
                "{} is not there: build the GAP Benchmark Suite (https://github.com/sbeamer/gapbs, \
                 `make`) and name its folder with --gap",
                self.programs.join(self.program).display()
            )
            .into());
        }
        let output = run(self.command().args(["-n", "1", "-v"]))?;
        match output.lines().any(is_pass) {
            true => Ok(()),
            false => Err(format!("GAP's {} failed: {output}", self.program).into()),
        }
    }

    /// The time of the second of two trials in one process.
    pub fn time(&self, arguments: &[&str]) -> Result<Duration> {
        let output = run(self.command().args(["-n", "2"]).args(arguments))?;
        let time = seconds(&output, "Trial Time:").nth(1);
        time.ok_or_else(|| format!("{} printed no second trial", self.program).into())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.programs.join(self.program));
        command.env("OMP_NUM_THREADS", self.threads.to_string());
        command.arg("-f").arg(self.graph);
        command
    }
}

fn run(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() {
        true => Ok(text),
        false => {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{command:?} ended ({}): {text}{errors}", output.status).into())
        }
    }
}

fn is_pass(line: &str) -> bool {
    line.split_once("Verification:").is_some_and(|(_, verdict)| verdict.trim() == "PASS")
}

/// The times on the lines that start with `label`.
fn seconds<'a>(output: &'a str, label: &'a str) -> impl Iterator<Item = Duration> + 'a {
    let numbers = output.lines().filter_map(move |line| line.strip_prefix(label));
    numbers.filter_map(|number| number.trim().parse().ok()).map(Duration::from_secs_f64)
}

/// `BFS Tree has N nodes and …` or `SSSP Tree reaches N nodes`.
fn reached(output: &str) -> Option<u64> {
    let line = output.lines().find(|line| line.contains(" Tree "))?;
    line.split_whitespace().find_map(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gap_prints_is_understood() {
        let output = "Read Time:           0.03259\nGraph has 16381 nodes\nTrial Time:          0.04651\n\
                      Verification:           PASS\nTrial Time:          0.02569\n\
                      SSSP Tree reaches 10907 nodes\nVerification:           FAIL\n";
        let times: Vec<_> = seconds(output, "Trial Time:").collect();
        assert_eq!(times, [Duration::from_micros(46_510), Duration::from_micros(25_690)]);
        assert_eq!(reached(output), Some(10_907));
        assert_eq!(reached("BFS Tree has 9 nodes and 18 edges"), Some(9));
        assert_eq!(output.lines().filter(|line| is_pass(line)).count(), 1);
    }
}
