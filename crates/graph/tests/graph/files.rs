//! How files are opened and written: compression, pipes, links, permissions, all or nothing.

use std::{
    fs, io,
    path::Path,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{
    Edges, Graph, GraphBuilder,
    io::{Progress, ReadOptions, read_graph, write_file, write_graph},
};

const PACKED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

fn graph() -> Graph {
    GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (2, 0, 6)])).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[derive(Default)]
struct Heard {
    total: AtomicU64,
    done: AtomicU64,
    finished: AtomicU64,
}

impl Progress for Heard {
    fn start(&self, what: &str, total: u64) {
        assert_eq!(what, "decompressing");
        self.total.store(total, Relaxed);
    }

    fn advance(&self, bytes: u64) {
        self.done.fetch_add(bytes, Relaxed);
    }

    fn finish(&self) {
        self.finished.fetch_add(1, Relaxed);
    }
}

#[test]
fn several_compressed_parts_in_a_row_are_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("graph.eqp");
    write_graph(&graph(), &plain, None).unwrap();
    let bytes = fs::read(&plain).unwrap();
    let (first, second) = bytes.split_at(100);
    for extension in PACKED {
        let path = folder.path().join(format!("graph.eqp.{extension}"));
        let mut packed = Vec::new();
        for part in [first, second] {
            write_file(&path, |out| out.write_all(part)).unwrap();
            packed.extend(fs::read(&path).unwrap());
        }
        fs::write(&path, &packed).unwrap();

        let heard = Heard::default();
        let options = ReadOptions { progress: Some(&heard), ..Default::default() };
        assert_eq!(read_graph(&path, &options).unwrap(), graph(), "{extension}");
        let counts = [heard.total, heard.done, heard.finished].map(AtomicU64::into_inner);
        let size = packed.len() as u64;
        assert_eq!(counts, [size, size, 1]);
    }
}

#[test]
fn extensions_may_be_in_capitals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("GRAPH.EQP.GZ");
    write_graph(&graph(), &path, None).unwrap();
    assert_eq!(fs::read(&path).unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(read_graph(&path, &ReadOptions::default()).unwrap(), graph());
}

#[test]
fn what_fails_half_way_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["old.txt", "old.txt.gz"] {
        let path = folder.path().join(name);
        fs::write(&path, "old").unwrap();
        let error = write_file(&path, |out| {
            out.write_all(&[7; 1 << 20])?;
            Err(io::Error::other("the writer gave up"))
        })
        .unwrap_err();
        assert!(error.to_string().ends_with(&format!("{name}: the writer gave up")), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }
    assert_eq!(names(folder.path()).len(), 2);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use equipoise_graph::io::Format;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode()
    }

    #[test]
    fn permissions_are_those_of_any_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        fs::write(&theirs, "").unwrap();
        write_file(&ours, |out| out.write_all(b"new")).unwrap();
        assert_eq!(mode(&ours), mode(&theirs));

        fs::set_permissions(&ours, fs::Permissions::from_mode(0o640)).unwrap();
        write_file(&ours, |out| out.write_all(b"newer")).unwrap();
        assert_eq!(mode(&ours) & 0o777, 0o640);
        assert_eq!(fs::read_to_string(&ours).unwrap(), "newer");
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        write_file(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }

    #[test]
    fn devices_are_written_and_stay_devices() {
        write_file("/dev/null".as_ref(), |out| out.write_all(b"gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_pipe_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, pipe) = (folder.path().join("graph.eqp"), folder.path().join("pipe"));
        write_graph(&graph(), &plain, None).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(&pipe, fs::read(&plain).unwrap()).unwrap());
            let options = ReadOptions { format: Some(Format::Eqp), ..Default::default() };
            assert_eq!(read_graph(&pipe, &options).unwrap(), graph());
        });
    }
}
