//! Inputs are not overwritten. `command_line.rs` tests all pairs of arguments; these are typical commands.

use super::common::LAB;
use crate::shared::outputs::calls_are_refused;

#[test]
fn an_output_that_is_an_input_is_refused() {
    let files = [("tab.csv", "graph,family\n"), ("suite.txt", "a er er:n=20,m=40\n")];
    let calls = [
        "train tab.csv -o tab.csv",
        "train tab.csv -o model.json --picture tab.csv",
        "bench suite.txt --results suite.txt",
        "measure suite.txt -o suite.txt",
    ];
    calls_are_refused(LAB, &files, &calls);
}
