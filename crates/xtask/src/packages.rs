//! Packages of the operating system.

use std::{fs, process::Command};

/// Installs packages with apt-get on Debian, Ubuntu and derivatives; on other systems, or on
/// failure, reports what is missing.
pub fn install(packages: &[&str], elsewhere: &str) -> Result<(), String> {
    if !has_apt(&release()) {
        return Err(elsewhere.into());
    }
    println!("── installing {}", packages.join(", "));
    apt_get(&["update", "--quiet"])?;
    apt_get(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages].concat())
}

/// Whether this is Ubuntu, which names some packages differently than Debian.
pub fn is_ubuntu() -> bool {
    release().lines().any(|line| line == "ID=ubuntu")
}

fn release() -> String {
    fs::read_to_string("/etc/os-release").unwrap_or_default()
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(if is_root() { "env" } else { "sudo" });
    if !is_root() {
        command.arg("env");
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments);
    let hint = format!("as root, run `apt-get {}`", arguments.join(" "));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("apt-get ended with {status}: {hint}")),
        Err(error) => Err(format!("apt-get could not be started ({error}): {hint}")),
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether the `/etc/os-release` contents describe Debian or a derivative.
fn has_apt(release: &str) -> bool {
    let names = release
        .lines()
        .filter_map(|line| line.strip_prefix("ID=").or_else(|| line.strip_prefix("ID_LIKE=")));
    names.flat_map(|names| names.trim_matches('"').split(' ')).any(|name| name == "debian")
}

#[cfg(test)]
mod tests {
    use super::has_apt;

    #[test]
    fn debian_and_its_descendants_have_apt() {
        assert!(has_apt("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(has_apt("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(has_apt("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!has_apt("ID=fedora\nVERSION_ID=40\n"));
        assert!(!has_apt("ID=arch\nHOME_URL=\"debian\"\n"));
        assert!(!has_apt(""));
    }
}
