//! All files of one command: an output is never also an input or another output.

use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use super::{Role, target::FileTarget};
use crate::failure::{Failure, Result};

/// The files that a command reads and writes.
#[derive(Debug, Default)]
pub struct Files {
    claims: Vec<Claim>,
}

#[derive(Debug)]
struct Claim {
    /// The argument with its value, or other text that names the file.
    name: String,
    role: Role,
    target: FileTarget,
}

impl Files {
    /// The files named by the arguments of a command. Fails if they conflict.
    pub fn from_matches(command: &Command, matches: &ArgMatches) -> Result<Self> {
        let mut files = Self::default();
        for argument in command.get_arguments() {
            let Some(role) = Role::of_argument(argument) else { continue };
            let values = matches.get_raw(argument.get_id().as_str()).into_iter().flatten();
            for path in values.map(|value| role.path(Path::new(value))) {
                // A name without a file is a spec, or reported missing later.
                if role != Role::Graph || path.exists() {
                    files.claim(shown(argument, path), role, path)?;
                }
            }
        }
        Ok(files)
    }

    /// Adds a file or folder, which `name` names in errors. Fails if it conflicts with another.
    pub fn claim(&mut self, name: String, role: Role, path: &Path) -> Result<()> {
        let claim = Claim { name, role, target: FileTarget::resolve(path) };
        for other in &self.claims {
            claim.check(other)?;
        }
        self.claims.push(claim);
        Ok(())
    }

    /// The name of the output on standard output, if any.
    pub fn on_standard_output(&self) -> Option<&str> {
        let is_on_standard_output =
            |claim: &&Claim| claim.role.writes() && claim.target.is_standard_output();
        self.claims.iter().find(is_on_standard_output).map(|claim| claim.name.as_str())
    }
}

impl Claim {
    fn check(&self, other: &Self) -> Result<()> {
        if !self.role.writes() && !other.role.writes() {
            return self.check_input(other);
        }
        let is_conflict = match (self.role, other.role) {
            (Role::OutputFolder, _) => other.target.is_within(&self.target),
            (_, Role::OutputFolder) => self.target.is_within(&other.target),
            // Both are appended to the same open file.
            (Role::Output, Role::Output) if self.target.is_open() && other.target.is_open() => {
                false
            }
            _ => self.target.is_same(&other.target),
        };
        if !is_conflict {
            return Ok(());
        }
        let (output, other) = if self.role.writes() { (self, other) } else { (other, self) };
        let is_twice = if other.role.writes() { "is written to as well" } else { "is read" };
        let what =
            if output.role.is_folder() { "in this folder is" } else { "this is the file of" };
        let message = format!("{}: {what} {}, which {is_twice}", output.name, other.name);
        Err(Failure::usage(message)
            .hint("write to another file, as nothing would be left of this one"))
    }

    /// Fails if both read the same stream, which can be read only once.
    fn check_input(&self, other: &Self) -> Result<()> {
        if self.target.is_read_once() && self.target.is_same_stream(&other.target) {
            Err(Failure::usage(format!(
                "{}: this is {}, which can be read only once",
                self.name, other.name
            )))
        } else {
            Ok(())
        }
    }
}

/// The argument as a user would type it.
fn shown(argument: &Arg, path: &Path) -> String {
    let path = path.display();
    match (argument.get_long(), argument.get_value_names()) {
        (Some(long), _) => format!("--{long} {path}"),
        (None, Some([name, ..])) => format!("{name} {path}"),
        (None, _) => path.to_string(),
    }
}
