//! Opening and writing of files: compression, pipes, links, permissions, atomicity.

use std::{fs, io, path::Path, sync::atomic::AtomicU64};

use equipoise_graph::{
    Edges, Graph, GraphBuilder,
    generate::Spec,
    io::{
        Format, MappedFile, ReadOptions, check_output, parse_graph, read_graph, write_file,
        write_graph,
    },
};

use crate::common::{Heard, written};

const PACKED: [&str; 4] = ["gz", "zst", "xz", "bz2"];

fn graph() -> Graph {
    GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (2, 0, 6)])).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
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
        let counts = [heard.total, heard.bytes, heard.finished].map(AtomicU64::into_inner);
        let size = packed.len() as u64;
        assert_eq!(counts, [size, size, 1]);
        assert_eq!(heard.phases.into_inner().unwrap(), ["decompressing"]);
    }
}

/// Also of a file that is cut short, and so rejected.
#[test]
fn readers_from_start_to_end_report_all_bytes_once() {
    let graph = "isolated:n=150000".parse::<Spec>().unwrap().generate().unwrap();
    for format in [Format::Gml, Format::GraphMl] {
        let bytes = written(&graph, format);
        for length in [bytes.len(), bytes.len() - 20] {
            let heard = Heard::default();
            let options = ReadOptions { progress: Some(&heard), ..Default::default() };
            let read = parse_graph(&bytes[..length], format, &options);
            assert_eq!(read.is_ok(), length == bytes.len(), "{format}");
            let counts = [heard.steps, heard.bytes, heard.finished].map(AtomicU64::into_inner);
            assert!(counts[0] >= 3, "{format}: {counts:?}");
            assert_eq!(counts[1..], [length as u64, 1], "{format}");
        }
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
fn a_failed_write_leaves_only_the_old_file() {
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
        let created = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(created.success());
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(&pipe, fs::read(&plain).unwrap()).unwrap());
            let options = ReadOptions { format: Some(Format::Eqp), ..Default::default() };
            assert_eq!(read_graph(&pipe, &options).unwrap(), graph());
        });
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.npy"), folder.path().join("link.npy"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        symlink("file.npy", &link).unwrap();
        for path in [&file, &link] {
            let problems = [
                write_file(path, |out| out.write_all(b"new")).unwrap_err(),
                MappedFile::create(path, 10).err().unwrap(),
                check_output(path).unwrap_err(),
            ];
            for problem in problems {
                let message = problem.to_string();
                assert!(message.contains("read-only") && message.contains(".npy"), "{message}");
            }
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn missing_targets_of_links_are_created() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).unwrap();
        symlink("deep/file", path("link")).unwrap();
        symlink("link", path("again")).unwrap();
        write_file(&path("again"), |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(path("deep/file")).unwrap(), "new");
        assert!(["link", "again"].iter().all(|name| path(name).is_symlink()));

        symlink("deep/map", path("map")).unwrap();
        MappedFile::create(&path("map"), 3).unwrap().save(3).unwrap();
        assert!(path("map").is_symlink() && path("deep/map").is_file());

        symlink("nowhere/file", path("lost")).unwrap();
        let error = write_file(&path("lost"), |_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("nowhere"), "{error}");
        symlink("circle", path("circle")).unwrap();
        assert!(write_file(&path("circle"), |_| Ok(())).is_err());
    }
}

/// Paths of open files, such as `/dev/stdout`.
#[cfg(target_os = "linux")]
mod open_files {
    use std::{
        fs::File,
        io::{Seek, Write},
        os::{fd::AsRawFd, unix::fs::symlink},
        path::PathBuf,
    };

    use super::*;
    use equipoise_graph::{
        Matrix, VertexIds,
        io::{append_to, read_matrix_and_rows, write_matrix},
    };

    fn paths_of(file: &impl AsRawFd, folder: &Path) -> Vec<PathBuf> {
        let number = file.as_raw_fd();
        let link = folder.join(format!("link-{number}"));
        symlink(format!("/dev/fd/{number}"), &link).unwrap();
        let own = format!("/proc/{}/fd/{number}", std::process::id());
        let names = [format!("/dev/fd/{number}"), format!("/proc/self/fd/{number}"), own];
        names.into_iter().map(PathBuf::from).chain([link]).collect()
    }

    #[test]
    fn they_are_written_to_and_not_replaced() {
        for is_appended in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("all.tsv");
            fs::write(&file, "").unwrap();
            let mut open =
                File::options().write(!is_appended).append(is_appended).open(&file).unwrap();
            let mut expected = String::new();
            for (index, path) in paths_of(&open, folder.path()).iter().enumerate() {
                writeln!(open, "before {index}").unwrap();
                check_output(path).unwrap();
                assert!(!MappedFile::can_be(path) && MappedFile::create(path, 9).is_err());
                write_file(path, |out| writeln!(out, "written {index}")).unwrap();
                write_graph(&graph(), path, Some(Format::GapWeightedEdges)).unwrap();
                writeln!(append_to(path).unwrap(), "appended {index}").unwrap();
                writeln!(open, "after {index}").unwrap();
                expected += &format!(
                    "before {index}\nwritten {index}\n0 1 5\n2 0 6\nappended {index}\nafter {index}\n"
                );
            }
            drop(open);
            assert_eq!(fs::read_to_string(&file).unwrap(), expected);
        }
    }

    #[test]
    fn they_are_read_from_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("edges");
        fs::write(&file, "not an edge\n0 1 5\n2 0 6\n").unwrap();
        let mut open = File::open(&file).unwrap();
        let options = ReadOptions { format: Some(Format::EdgeList), ..Default::default() };
        let path = format!("/dev/fd/{}", open.as_raw_fd());
        open.seek(io::SeekFrom::Start(12)).unwrap();
        assert_eq!(read_graph(path.as_ref(), &options).unwrap().csr(), graph().csr());
    }

    /// In any format and compression, though a pipe has no extension.
    #[test]
    fn pipes_are_read_whatever_they_hold() {
        let folder = tempfile::tempdir().unwrap();
        let through_pipe = |file: &Path, read: &mut dyn FnMut(&Path)| {
            let (reader, mut writer) = io::pipe().unwrap();
            let bytes = fs::read(file).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(move || writer.write_all(&bytes));
                read(format!("/proc/self/fd/{}", reader.as_raw_fd()).as_ref());
            });
        };
        for packed in ["", ".gz", ".zst", ".xz", ".bz2"] {
            for name in ["graph.edges", "graph.eqp", "graph.gr", "graph.graphml"] {
                let file = folder.path().join(format!("{name}{packed}"));
                write_graph(&graph(), &file, None).unwrap();
                through_pipe(&file, &mut |path| {
                    let read = read_graph(path, &ReadOptions::default()).unwrap();
                    assert_eq!(read.csr(), graph().csr(), "{name}{packed}");
                });
            }
        }
        let matrix = Matrix::from_entries(2, 3, &[(0, 2, 0.1f64)]).unwrap();
        for (name, first) in [("matrix.eqp", 0), ("matrix.mtx.gz", 1)] {
            let file = folder.path().join(name);
            write_matrix(&matrix, &file, None).unwrap();
            through_pipe(&file, &mut |path| {
                let read = read_matrix_and_rows::<f64>(path, &ReadOptions::default()).unwrap();
                assert_eq!(read, (matrix.clone(), VertexIds::Dense { first }), "{name}");
            });
        }
    }
}
