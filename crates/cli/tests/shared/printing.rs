//! Standard output that cannot be written, for every command of a program. `calls` has a short call of each command that
//! prints.

use std::{path::Path, process::Stdio};

use super::Built;

/// Requires that each command is among the calls or silent.
pub fn every_command_is_called(program: Built, calls: &[(&str, &str)], silent: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let commands = program.commands(folder.path());
    assert_eq!(commands.len(), calls.len() + silent.len(), "{commands:?}");
    for name in &commands {
        let is_known = calls.iter().any(|(call, _)| call == name) || silent.contains(&&**name);
        assert!(is_known, "{name} has no call in these tests");
    }
}

/// Requires that each call fails with an error if its output cannot be written.
#[cfg(target_os = "linux")]
pub fn a_full_disk_is_an_error(program: Built, folder: &Path, calls: &[(&str, &str)]) {
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let check = |arguments: &str| {
        let (code, errors) = printed_to(program, folder, arguments, full());
        assert_eq!(code, Some(1), "{arguments}: {errors}");
        assert!(errors.contains("standard output: "), "{arguments}: {errors}");
    };
    check("--help");
    check("--version");
    for (command, arguments) in calls {
        check(&format!("{command} --help"));
        check(&format!("{command} -h"));
        check(&format!("{command} {arguments}"));
    }
}

/// Requires that each call succeeds if the reader of its output has ended.
pub fn a_closed_pipe_is_no_error(program: Built, folder: &Path, calls: &[(&str, &str)]) {
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    for (command, arguments) in calls {
        for arguments in [format!("{command} --help"), format!("{command} {arguments}")] {
            let (code, errors) = printed_to(program, folder, &arguments, closed());
            assert_eq!((code, errors.contains("error")), (Some(0), false), "{arguments}: {errors}");
        }
    }
}

fn printed_to(
    program: Built,
    folder: &Path,
    arguments: &str,
    target: Stdio,
) -> (Option<i32>, String) {
    let child = program
        .command(folder)
        .args(arguments.split_whitespace())
        .stdout(target)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
