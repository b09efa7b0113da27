//! The program that is tested, and how it is run.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use equipoise::algorithm::{Algorithm, Visitor, each};

use crate::shared::Built;

/// The built program.
pub const EQUIPOISE: Built = Built { name: "equipoise", path: env!("CARGO_BIN_EXE_equipoise") };

/// A command that runs the program in `folder`.
pub fn equipoise(folder: &Path) -> Command {
    EQUIPOISE.command(folder)
}

/// Runs the program in `folder` with arguments separated by spaces.
pub fn run(folder: &Path, arguments: &str) -> Output {
    EQUIPOISE.run(folder, arguments)
}

/// Runs the program, which must succeed. Returns its standard output.
pub fn stdout_of(folder: &Path, arguments: &str) -> String {
    EQUIPOISE.stdout_of(folder, arguments)
}

/// The JSON document that the program prints.
pub fn json_of(folder: &Path, arguments: &str) -> serde_json::Value {
    EQUIPOISE.json_of(folder, arguments)
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A command and its arguments.
pub type Call = (&'static str, &'static str);

/// These calls, and one of every algorithm of the library's list: `with_part` if it writes a subgraph, else `call`.
pub fn with_algorithms(calls: &[Call], call: &'static str, with_part: &'static str) -> Vec<Call> {
    struct Calls(Vec<Call>, [&'static str; 2]);

    impl Visitor for Calls {
        fn visit<A: Algorithm>(&mut self) {
            self.0.push((A::NAME, self.1[usize::from(A::HAS_SUBGRAPH)]));
        }
    }

    let mut all = Calls(calls.to_vec(), [call, with_part]);
    each(&mut all);
    all.0
}
