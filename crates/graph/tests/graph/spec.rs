//! Specs as text.

use equipoise_graph::{
    Duplicates, Error, SelfLoops,
    generate::{ErdosRenyi, Generator, Grid, Kronecker, Rmat, Shape, ShapeKind, Spec, WeightRange},
};
use proptest::{prelude::*, sample::select};

fn parse(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn message(text: &str) -> String {
    match text.parse::<Spec>().expect_err(text) {
        Error::Spec { spec, message } => {
            assert_eq!(spec, text);
            message
        }
        other => panic!("{other}"),
    }
}

#[test]
fn the_issues_examples_are_understood() {
    let spec = parse("rmat:scale=20,edge-factor=16,seed=7");
    assert_eq!(spec.generator, Generator::Rmat(Rmat::new(20)));
    assert_eq!((spec.seed, spec.weights, spec.directed), (7, None, false));
    let spec = parse("path:n=5");
    assert_eq!(spec.generator, Generator::Shape(Shape { kind: ShapeKind::Path, n: 5 }));
    let spec = parse("grid:width=2000,height=2000,drop=0.1,weights=1..1000");
    assert_eq!(spec.generator, Generator::Grid(Grid { width: 2000, height: 2000, drop: 0.1 }));
    assert_eq!(spec.weights, Some(WeightRange::U32 { low: 1, high: 1000 }));
}

#[test]
fn spaces_around_items_do_not_matter() {
    assert_eq!(parse("er: n = 9, m=4 ,seed= 2"), parse("er:n=9,m=4,seed=2"));
}

#[test]
fn er_accepts_counts_or_a_scale() {
    let er = |text| parse(text).generator;
    let expected = Generator::ErdosRenyi(ErdosRenyi { n: 1 << 12, m: 8 << 12 });
    assert_eq!(er("er:scale=12,edge-factor=8"), expected);
    assert_eq!(er("er:n=4096,edge-factor=8"), expected);
    assert_eq!(er("er:scale=12,m=32768"), expected);
    assert_eq!(er("er:scale=12"), Generator::ErdosRenyi(ErdosRenyi { n: 1 << 12, m: 16 << 12 }));
}

#[test]
fn d_defaults_to_the_remaining_probability() {
    let Generator::Rmat(rmat) = parse("rmat:scale=4,a=0.5,b=0.125,c=0.125").generator else {
        panic!()
    };
    assert_eq!(rmat.d, 0.25);
    // 1 - 0.57 - 0.19 - 0.24 is a little less than 0 in floating point.
    let Generator::Rmat(rmat) = parse("rmat:scale=4,c=0.24").generator else { panic!() };
    assert_eq!(rmat.d, 0.0);
    parse("rmat:scale=4,a=0.1,b=0.2,c=0.3,d=0.4");
}

#[test]
fn invalid_specs_are_refused_with_the_reason() {
    for (text, expected) in [
        (
            "path:nn=3",
            "unknown key of path `nn` (did you mean `n`?); known are: `n`, `seed`, `weights`, `directed`",
        ),
        (
            "kronecker:scale=3,shuffle=true",
            "unknown key of kronecker `shuffle`; known are: `scale`, `edge-factor`, `duplicates`, `loops`, `seed`, `weights`, `directed`",
        ),
        ("path:n=x", "n=x: expected a whole number"),
        ("path:n=-1", "n=-1: expected a whole number"),
        ("path:n=18446744073709551616", "n=18446744073709551616: expected a whole number"),
        ("path:n=", "n=: expected a whole number"),
        ("path:n", "expected key=value, found `n`"),
        ("path:n=3,", "expected key=value, found ``"),
        ("path:n=3,n=4", "`n` is given twice"),
        ("path", "path needs `n`, as in `path:n=5`"),
        ("path:", "path needs `n`, as in `path:n=5`"),
        ("rmat:seed=1", "rmat needs `scale`, as in `rmat:scale=20,edge-factor=16,seed=7`"),
        (
            "grid:drop=0",
            "grid needs `width` and `height`, as in `grid:width=2000,height=2000,drop=0.1,weights=1..1000`",
        ),
        ("er:m=3", "er needs `n` or `scale`, as in `er:n=1000000,m=16000000`"),
        ("er:n=3,scale=2", "expected `n` or `scale`, not both"),
        ("er:n=3,m=2,edge-factor=1", "expected `m` or `edge-factor`, not both"),
        ("er:n=4,m=7", "7 edges are too many: 4 vertices have at most 6 distinct"),
        ("er:n=4,m=13,directed=true", "13 edges are too many: 4 vertices have at most 12 distinct"),
        ("er:n=0,m=1", "1 edges are too many: 0 vertices have at most 0 distinct"),
        ("er:scale=64", "scale=64 is too large"),
        (
            "er:n=1000,edge-factor=18446744073709551615",
            "edge-factor=18446744073709551615 is too large",
        ),
        ("grid:width=2,height=2,drop=1.5", "drop=1.5: expected a number from 0 to 1"),
        ("grid:width=2,height=2,drop=NaN", "drop=NaN: expected a number from 0 to 1"),
        ("cycle:n=2", "n=2: expected a whole number of at least 3"),
        (
            "rmat:scale=3,a=0.9,d=0.3",
            "a=0.9, b=0.19, c=0.19 and d=0.3: expected numbers from 0 to 1 whose sum is 1, not 1.58",
        ),
        (
            "rmat:scale=3,a=0.9,b=0.9",
            "a=0.9, b=0.9, c=0.19 and d=-0.99: expected numbers from 0 to 1 whose sum is 1, not 1",
        ),
        ("rmat:scale=3,shuffle=yes", "shuffle=yes: expected `true` or `false`"),
        ("rmat:scale=3,duplicates=some", "duplicates=some: expected `drop` or `keep`"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
    for range in ["5", "5..1", "0..4294967296", "0.0..1e999", "nan..1.0"] {
        let expected = "expected a range from low to high, such as 1..1000, or 0.5..2.0 for floating-point weights";
        let message = message(&format!("path:n=3,weights={range}"));
        assert_eq!(message, format!("weights={range}: {expected}"));
    }
    let known = "known are: `rmat`, `kronecker`, `er`, `grid`, `small-world`, `power-law`, `bipartite`, `cliques`, `path`, `cycle`, `star`, `complete`, `tree`, `components`, `isolated`, `matrix`, `band`, `blocks`";
    for (text, start) in [("rmatt:scale=3", "`rmatt` (did you mean `rmat`?)"), ("", "``")] {
        assert_eq!(message(text), format!("unknown generator {start}; {known}"));
    }
}

#[test]
fn too_large_graphs_are_refused_with_their_size() {
    for (text, expected) in [
        ("path:n=4294967296", "4294967296 vertices are too many"),
        ("isolated:n=18446744073709551615", "18446744073709551615 vertices are too many"),
        ("components:n=3000000000", "6000000000 vertices are too many"),
        ("rmat:scale=32", "4294967296 vertices are too many"),
        ("kronecker:scale=40", "1099511627776 vertices are too many"),
        ("rmat:scale=18446744073709551615", "340282366920938463463374607431768211455 vertices are"),
        ("rmat:scale=31,edge-factor=64", "137438953472 edges are too many to generate"),
        ("complete:n=1000000", "499999500000 edges are too many to generate"),
        ("er:n=1000000,m=100000000000", "100000000000 edges are too many to generate"),
        (
            "grid:width=18446744073709551615,height=18446744073709551615",
            "340282366920938463426481119284349108225 vertices are",
        ),
    ] {
        assert!(message(text).starts_with(expected), "{text}: {}", message(text));
    }
}

#[test]
fn parameters_set_in_types_are_checked_as_well() {
    let rmat = Rmat { a: f64::NAN, ..Rmat::new(3) };
    let nan = Some(WeightRange::F64 { low: f64::NAN, high: 1.0 });
    let path = Spec::new(Generator::Shape(Shape { kind: ShapeKind::Path, n: 3 }));
    for spec in [
        Spec::new(Generator::Rmat(rmat)),
        Spec::new(Generator::Grid(Grid { width: 2, height: 2, drop: f64::NAN })),
        Spec::new(Generator::ErdosRenyi(ErdosRenyi { n: 2, m: 2 })),
        Spec::new(Generator::Kronecker(Kronecker::new(99))),
        Spec { weights: nan, ..path },
        Spec { weights: Some(WeightRange::U32 { low: 2, high: 1 }), ..path },
    ] {
        assert!(matches!(spec.generate(), Err(Error::Spec { .. })), "{spec}");
    }
}

fn generators() -> impl Strategy<Value = Generator> {
    let cleaning = (
        select(vec![Duplicates::Keep, Duplicates::Drop]),
        select(vec![SelfLoops::Keep, SelfLoops::Drop]),
    );
    let rmat = (
        0..31u64,
        0..32u64,
        [1..1000u32, 0..1000, 0..1000, 0..1000],
        any::<bool>(),
        cleaning.clone(),
    )
        .prop_map(|(scale, edge_factor, shares, shuffle, (duplicates, self_loops))| {
            let sum = f64::from(shares.iter().sum::<u32>());
            let [a, b, c, d] = shares.map(|share| f64::from(share) / sum);
            Generator::Rmat(Rmat {
                scale,
                edge_factor,
                a,
                b,
                c,
                d,
                shuffle,
                duplicates,
                self_loops,
            })
        });
    let kronecker = (0..31u64, 0..32u64, cleaning).prop_map(
        |(scale, edge_factor, (duplicates, self_loops))| {
            Generator::Kronecker(Kronecker { scale, edge_factor, duplicates, self_loops })
        },
    );
    let er = (2..100_000u64).prop_flat_map(|n| {
        (0..=n * (n - 1) / 2).prop_map(move |m| Generator::ErdosRenyi(ErdosRenyi { n, m }))
    });
    let grid = (0..60_000u64, 0..60_000u64, 0.0..=1.0)
        .prop_map(|(width, height, drop)| Generator::Grid(Grid { width, height, drop }));
    let shape = (select(ShapeKind::ALL), 3..100_000u64)
        .prop_map(|(kind, n)| Generator::Shape(Shape { kind, n }));
    prop_oneof![rmat, kronecker, er, grid, shape]
}

fn ranges() -> impl Strategy<Value = Option<WeightRange>> {
    let whole = (any::<u32>(), any::<u32>())
        .prop_map(|(a, b)| WeightRange::U32 { low: a.min(b), high: a.max(b) });
    let float = (any::<f32>(), any::<f64>())
        .prop_map(|(a, b)| (f64::from(a), b / 2.0))
        .prop_map(|(a, b)| WeightRange::F64 { low: a.min(b), high: a.max(b) });
    proptest::option::of(prop_oneof![whole, float])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn written_specs_read_back_equal(
        generator in generators(), seed: u64, weights in ranges(), directed: bool,
    ) {
        let spec = Spec { generator, seed, weights, directed };
        let text = spec.to_string();
        prop_assert_eq!(text.parse::<Spec>().map_err(|e| e.to_string()), Ok(spec));
    }

    #[test]
    fn no_text_panics(text in "(rmat|er|grid|path|cycle|x):?[a-z0-9=,.:-]{0,30}") {
        let _ = text.parse::<Spec>();
    }
}

#[test]
fn the_shortest_text_is_written_for_every_family() {
    for text in [
        "rmat:scale=3",
        "path:n=5,seed=2",
        "star:n=4,weights=0.5..2.0,directed=true",
        "rmat:scale=3,a=0.25,b=0.25,c=0.25,shuffle=true,loops=keep",
        "grid:width=2,height=3",
        "small-world:n=100,k=4,rewire=0.25,seed=3",
        "small-world:n=100,k=4",
        "power-law:n=100,m=400,skew=5,directed=true",
        "bipartite:left=3,right=9,m=20,weights=1..9",
        "cliques:count=4,size=5",
        "matrix:rows=9,columns=4,entries=20,skew=2,empty=0.5,giant=0.25,seed=3",
        "matrix:rows=9,columns=4,entries=20",
        "band:rows=9,columns=4,width=2",
        "blocks:count=3,rows=9,columns=4,weights=1..9",
        "blocks:rows=9,columns=4",
    ] {
        assert_eq!(parse(text).to_string(), text);
    }
}
