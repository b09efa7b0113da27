//! All files of one command: none is written that is read or written otherwise.

use std::path::Path;

use clap::{Arg, ArgMatches, Command};

use super::{Role, place::Place};
use crate::failure::{Failure, Result};

/// What a command reads and writes.
#[derive(Debug, Default)]
pub struct Files {
    claims: Vec<Claim>,
}

#[derive(Debug)]
struct Claim {
    /// The argument with its value, or what else names the file.
    name: String,
    role: Role,
    place: Place,
}

impl Files {
    /// The files that the arguments of a command name. Refuses those that get in each other's way.
    pub fn of(command: &Command, matches: &ArgMatches) -> Result<Self> {
        let mut files = Self::default();
        for argument in command.get_arguments() {
            let Some(role) = Role::of(argument) else { continue };
            let values = matches.get_raw(argument.get_id().as_str()).into_iter().flatten();
            for path in values.map(Path::new) {
                // What is no file is a spec, or will be missed.
                if role != Role::Graph || path.exists() {
                    files.claim(shown(argument, path), role, path)?;
                }
            }
        }
        Ok(files)
    }

    /// One more file or folder, which `name` tells.
    pub fn claim(&mut self, name: String, role: Role, path: &Path) -> Result<()> {
        let claim = Claim { name, role, place: Place::of(path) };
        for other in &self.claims {
            claim.check(other)?;
        }
        self.claims.push(claim);
        Ok(())
    }
}

impl Claim {
    fn check(&self, other: &Self) -> Result<()> {
        let is_in_the_way = match (self.role, other.role) {
            (Role::OutputFolder, _) => other.place.is_within(&self.place),
            (_, Role::OutputFolder) => self.place.is_within(&other.place),
            (ours, theirs) => {
                (ours.writes() || theirs.writes()) && self.place.is_same(&other.place)
            }
        };
        if !is_in_the_way {
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
