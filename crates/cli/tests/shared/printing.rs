//! Standard output that cannot be written, for every command of a program. `calls` has a short call of each command that
//! prints something.

use std::{path::Path, process::Stdio};

use super::Built;

/// All commands are among the calls, or are silent.
pub fn every_command_is_called(program: Built, calls: &[(&str, &str)], silent: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let commands = program.commands(folder.path());
    assert_eq!(commands.len(), calls.len() + silent.len(), "{commands:?}");
    for name in &commands {
        let is_known = calls.iter().any(|(call, _)| call == name) || silent.contains(&&**name);
        assert!(is_known, "{name} is not called by these tests");
    }
}

/// Each call fails where what it prints cannot be written, and says so.
#[cfg(target_os = "linux")]
pub fn a_full_disk_is_told(program: Built, folder: &Path, calls: &[(&str, &str)]) {
    let full = || Stdio::from(std::fs::File::options().write(true).open("/dev/full").unwrap());
    let told = |arguments: &str| {
        let (code, errors) = printed_to(program, folder, arguments, full());
        assert_eq!(code, Some(1), "{arguments}: {errors}");
        assert!(errors.contains("standard output: "), "{arguments}: {errors}");
    };
    told("--help");
    told("--version");
    for (command, arguments) in calls {
        told(&format!("{command} --help"));
        told(&format!("{command} -h"));
        told(&format!("{command} {arguments}"));
    }
}

/// Each call succeeds where nobody reads what it prints.
pub fn a_reader_that_is_gone_is_not_told(program: Built, folder: &Path, calls: &[(&str, &str)]) {
    let gone = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    for (command, arguments) in calls {
        for arguments in [format!("{command} --help"), format!("{command} {arguments}")] {
            let (code, errors) = printed_to(program, folder, &arguments, gone());
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
