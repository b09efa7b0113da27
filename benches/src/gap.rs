//! The programs of the GAP Benchmark Suite, on the files that Equipoise reads.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::{
    Result,
    traversal::{Algorithm, Contender, Outcome},
};

/// The bucket widths to try, because GAP does not choose one for a graph.
const DELTAS: [u32; 8] = [16384, 4096, 1024, 256, 64, 16, 4, 1];

/// GAP's `bfs` and `sssp`, as subprocesses.
pub struct Gap {
    /// The folder of the programs.
    pub programs: PathBuf,
    /// The graph without weights, `.sg`.
    pub unweighted: PathBuf,
    /// The graph with weights, `.wsg`.
    pub weighted: PathBuf,
    /// The number of threads.
    pub threads: usize,
    /// The bucket width of `sssp`.
    pub delta: u32,
}

impl Gap {
    /// Finds and stores the bucket width with which `sssp` is fastest from `source`. Stops at a
    /// width that takes more than twice the least time.
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

    /// Two trials in one process: the first is a warm-up. GAP's verifier checks both.
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

/// Checks that a folder contains GAP's programs for both algorithms.
pub fn check(programs: &Path) -> Result<()> {
    for algorithm in Algorithm::ALL {
        let program = programs.join(algorithm.name());
        if !program.is_file() {
            return Err(format!(
                "{} is missing: build the GAP Benchmark Suite (https://github.com/sbeamer/gapbs, \
                 `make bfs sssp`) and name its folder with --gap",
                program.display()
            )
            .into());
        }
    }
    Ok(())
}

/// One of GAP's programs for whole graphs, with its arguments.
pub struct WholeGraph<'a> {
    /// The folder of the programs.
    pub programs: &'a Path,
    /// The program.
    pub program: &'static str,
    /// The graph, `.sg`.
    pub graph: &'a Path,
    /// The number of threads.
    pub threads: usize,
}

impl WholeGraph<'_> {
    /// Runs it once with its verifier and default options.
    pub fn check(&self) -> Result<()> {
        if !self.programs.join(self.program).is_file() {
            return Err(format!(
                "{} is missing: build the GAP Benchmark Suite (https://github.com/sbeamer/gapbs, \
                 `make`) and name its folder with --gap",
                self.programs.join(self.program).display()
            )
            .into());
        }
        let output = run(self.command().args(["-n", "1", "-v"]))?;
        if output.lines().any(is_pass) {
            Ok(())
        } else {
            Err(format!("GAP's {} failed: {output}", self.program).into())
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
    if output.status.success() {
        Ok(text)
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{command:?} ended ({}): {text}{errors}", output.status).into())
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

/// Parses `BFS Tree has N nodes and …` or `SSSP Tree reaches N nodes`.
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
