//! Sparse tensors: reading, rejected files, slices and the generator.

use std::{fs, io::Write};

use equipoise_graph::{
    Error, Mode, SparseTensor,
    generate::TensorSpec,
    io::{parse_tensor, print_tensor, read_tensor, write_tensor},
    load_tensor,
};
use proptest::prelude::*;

use crate::common::on_threads;

type Entry = (u32, u32, u32, f32);

fn tensor(shape: [u32; 3], entries: &[Entry]) -> SparseTensor {
    SparseTensor::from_entries(shape, entries).unwrap()
}

#[test]
fn a_text_means_its_nonzeros() {
    let expected = tensor([2, 3, 7], &[(0, 2, 6, 0.5), (1, 0, 0, -2.0), (1, 0, 0, 4.0)]);
    for text in [
        "1 3 7 0.5\n2 1 1 -2\n2 1 1 4\n",
        "# i j k value\n\n  1\t3 7 .5 \n2 1 1 -2e0\n#\n+2 1 01 4.0",
        "\u{feff}1 3 7 0.5\r\n2 1 1 -2\r\n2 1 1 4",
    ] {
        assert_eq!(parse_tensor(text.as_bytes()).unwrap(), expected, "{text:?}");
    }
    for empty in ["", "\n", "# nothing\n"] {
        assert_eq!(parse_tensor(empty.as_bytes()).unwrap(), tensor([0; 3], &[]), "{empty:?}");
    }
}

#[test]
fn malformed_tensors_are_refused_with_their_line() {
    let limit = "from 1 to 4294967295";
    for (text, line, part) in [
        ("1\n", 1, format!("expected a coordinate of mode 2 {limit}, found the end of the line")),
        ("1 2", 1, format!("expected a coordinate of mode 3 {limit}, found the end of the file")),
        ("1 2 3\n", 1, "expected a value after three coordinates, found the end of the".into()),
        ("1 1 1 1\n0 1 1 1\n", 2, format!("expected a coordinate of mode 1 {limit}, found \"0\"")),
        ("# c\n\n1 -1 1 1\n", 3, format!("expected a coordinate of mode 2 {limit}, found \"-1\"")),
        ("1 1 4294967296 1\n", 1, format!("a coordinate of mode 3 {limit}, found \"42949672")),
        ("1 1 99999999999999999999 1\n", 1, format!("a coordinate of mode 3 {limit}, found \"999")),
        ("1 1 1.5 1\n", 1, format!("expected a coordinate of mode 3 {limit}, found \"1.5\"")),
        ("1 1 1 one\n", 1, "expected a value after three coordinates, found \"one\"".into()),
        ("1 1 1 1e39\n", 1, "from -3.4028235e38 to 3.4028235e38, found \"1e39\"".into()),
        ("1 1 1 16777217\n", 1, "a whole number that is exact as one of 32 bits".into()),
        ("1 1 1 1 5\n", 1, "the end of the line, as this is a tensor of three modes, fo".into()),
        ("1 1 1 1 # one\n", 1, "the end of the line, as this is a tensor of three modes".into()),
        ("1,1,1,1\n", 1, format!("expected a coordinate of mode 2 {limit}, found \",1,1,1\"")),
        ("i j k value\n", 1, format!("expected a coordinate of mode 1 {limit}, found \"i\"")),
        (
            "1 4000000000 1 1\n",
            1,
            "says 4000000000 slices of mode 2: more than the 16777488 that a file of 17 byt".into(),
        ),
        ("3\n4 4 4\n1 1 1 1\n", 1, format!("a coordinate of mode 2 {limit}, found the end of")),
    ] {
        let error = parse_tensor(text.as_bytes()).expect_err(text);
        assert!(matches!(error, Error::Parse { .. }), "{text:?}: {error:?}");
        let message = error.to_string();
        assert!(message.starts_with(&format!("input:{line}: ")), "{text:?}: {message}");
        assert!(message.contains(&part), "{text:?} should say {part:?}: {message}");
    }
}

#[test]
fn changed_texts_are_refused_or_sound() {
    let text = "# c\n1 3 7 0.5\n2 1 1 -2\n12 10 4294967 4e3\n";
    let pieces =
        ["", "0", "-1", " ", "\n", "\r", "#", "4294967296", "nan", "1e300", "\0", "\u{ff}"];
    for at in 0..=text.len() {
        for end in [at, (at + 1).min(text.len()), (at + 7).min(text.len())] {
            for piece in pieces {
                let changed = [&text[..at], piece, &text[end..]].concat();
                let Ok(read) = parse_tensor(changed.as_bytes()) else { continue };
                let coordinates = [Mode::First, Mode::Second, Mode::Third]
                    .map(|mode| read.coordinates(mode).to_vec());
                SparseTensor::new(read.shape(), coordinates, read.values().to_vec()).unwrap();
            }
        }
    }
}

#[test]
fn files_are_seen_through_their_compression_and_named_in_errors() {
    let folder = tempfile::tempdir().unwrap();
    let written = tensor([3, 2, 4], &[(2, 1, 3, 0.1), (0, 0, 0, f32::MIN_POSITIVE)]);
    for name in ["a.tns", "a.tns.gz", "a.tns.zst", "a.tns.xz", "a.tns.bz2"] {
        let path = folder.path().join(name);
        write_tensor(&written, &path).unwrap();
        assert_eq!(read_tensor(&path, None).unwrap(), written, "{name}");
        assert_eq!(load_tensor(path.to_str().unwrap(), None).unwrap(), written, "{name}");
    }
    let path = folder.path().join("bad.tns");
    fs::File::create(&path).unwrap().write_all(b"1 1 1 1\n1 1\n").unwrap();
    let error = read_tensor(&path, None).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}:2: expected", path.display())), "{error}");
    let missing = read_tensor(&folder.path().join("no.tns"), None).unwrap_err();
    assert!(matches!(missing, Error::Io { .. }), "{missing}");
    // A compressed file with an uncompressed extension is reported, not parsed.
    fs::rename(folder.path().join("a.tns.gz"), folder.path().join("b.tns")).unwrap();
    let error = read_tensor(&folder.path().join("b.tns"), None).unwrap_err().to_string();
    assert!(error.contains("is compressed by gzip"), "{error}");
}

#[test]
fn arrays_that_do_not_belong_together_are_refused() {
    let error = SparseTensor::new([1; 3], [vec![0], vec![0], vec![]], vec![1.0]).unwrap_err();
    assert_eq!(error.to_string(), "coordinates of mode 3: expected 1 of them, found 0");
    for outside in [(1, 0, 0, 1.0), (0, 1, 0, 1.0), (0, 0, u32::MAX, 1.0)] {
        let entries = [(0, 0, 0, 1.0), outside];
        let error = SparseTensor::from_entries([1; 3], &entries).unwrap_err();
        assert!(matches!(error, Error::NonzeroOutside { nonzero: 1, .. }), "{error}");
    }
}

#[test]
fn generated_tensors_depend_on_the_spec_alone() {
    let spec = |text: &str| text.parse::<TensorSpec>().unwrap();
    let text = "tensor:i=1000,j=300,k=70,nonzeros=100000,skew=3,seed=7";
    assert_eq!(spec(text).to_string(), text);
    let [alone, several] =
        [1, 3].map(|threads| on_threads(threads, || spec(text).generate().unwrap()));
    assert_eq!(alone, several);
    assert_ne!(alone, spec(&text.replace("seed=7", "seed=8")).generate().unwrap());
    assert!(alone.values().iter().all(|value| (-1.0..1.0).contains(value)));

    let longest = |tensor: &SparseTensor, mode| {
        let slices = tensor.slices(mode).unwrap();
        slices.rows().offsets().windows(2).map(|pair| pair[1] - pair[0]).max().unwrap()
    };
    let even = spec(&text.replace("skew=3", "skew=1")).generate().unwrap();
    for &mode in Mode::ALL {
        assert!(longest(&alone, mode) > 5 * longest(&even, mode), "mode {mode}");
    }
}

#[test]
fn invalid_tensor_specs_are_refused_with_the_reason() {
    for (text, part) in [
        ("tensor", "tensor needs `i` and `j` and `k` and `nonzeros`, as in `tensor:i="),
        ("tensor:i=1,j=1,k=1", "tensor needs `nonzeros`"),
        ("tensor:i=1,j=1,k=1,nonzeros=x", "nonzeros=x: expected a whole number"),
        ("tensor:i=1,j=1,k=1,nonzeros=1,skew=0", "skew=0: expected a whole number from 1 to 16"),
        ("tensor:i=1,j=1,k=1,nonzeros=1,skew=17", "skew=17: expected a whole number from 1 to 16"),
        ("tensor:i=4294967296,j=1,k=1,nonzeros=1", "i=4294967296: the limit is 4294967295"),
        ("tensor:i=1,j=1,k=1,nonzeros=99999999999", "99999999999 nonzeros are too many"),
        ("tensor:i=1,j=0,k=1,nonzeros=1", "nonzeros=1: nonzeros need slices in every mode"),
        ("tensor:i=1,j=1,k=1,nonzero=1", "(did you mean `nonzeros`?)"),
        ("tensor:i=1,i=1,j=1,k=1,nonzeros=1", "`i` is given twice"),
        ("rmat:scale=3", "`rmat` makes no tensor"),
        ("tensr:i=1", "`tensr` makes no tensor: `tensor` does, as in `tensor:i="),
    ] {
        let error = load_tensor(text, None).unwrap_err();
        assert!(matches!(error, Error::Spec { .. }), "{text}: {error:?}");
        assert!(error.to_string().contains(part), "{text} should say {part:?}: {error}");
    }
    assert_eq!(load_tensor("tensor:i=0,j=1,k=2,nonzeros=0", None).unwrap().shape(), [0, 1, 2]);
}

prop_compose! {
    fn any_tensor()(shape in prop::array::uniform3(1u32..9))(
        entries in prop::collection::vec(
            (0..shape[0], 0..shape[1], 0..shape[2], -4i8..=4).prop_map(|(i, j, k, quarters)| {
                (i, j, k, f32::from(quarters) / 4.0)
            }),
            0..60,
        ),
        shape in Just(shape),
    ) -> SparseTensor {
        tensor(shape, &entries)
    }
}

proptest! {
    #[test]
    fn slices_hold_every_nonzero_once_and_in_order(tensor in any_tensor()) {
        for &mode in Mode::ALL {
            let slices = tensor.slices(mode).unwrap();
            let mut found = Vec::new();
            for slice in 0..slices.rows().rows() {
                for at in slices.rows().range(slice) {
                    let first = slices.rows().indices()[at];
                    found.push((slice, first, slices.seconds()[at], slices.values()[at]));
                }
            }
            let [first, second] = mode.others();
            let mut expected: Vec<Entry> = (0..tensor.values().len())
                .map(|nonzero| {
                    let of = |mode| tensor.coordinates(mode)[nonzero];
                    (of(mode), of(first), of(second), tensor.values()[nonzero])
                })
                .collect();
            expected.sort_by_key(|&(slice, first, _, _)| (slice, first));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn written_tensors_read_back_equal(tensor in any_tensor()) {
        let mut text = Vec::new();
        print_tensor(&tensor, &mut text).unwrap();
        let read = parse_tensor(&text).unwrap();
        for &mode in Mode::ALL {
            prop_assert_eq!(read.coordinates(mode), tensor.coordinates(mode));
            prop_assert!(read.size(mode) <= tensor.size(mode));
        }
        prop_assert_eq!(read.values(), tensor.values());
    }
}
