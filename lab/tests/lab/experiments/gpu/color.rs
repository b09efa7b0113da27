//! Coloring by every candidate, and hybrid with every switch.

use equipoise::{
    color::{ColorCandidate, ColorProgress},
    device::Device,
};
use equipoise_lab::experiments::{ColorMeasureOptions, measure_color, measure_color_switch};

use super::common::{device, generated, with_memory};

#[test]
fn every_candidate_colors() {
    for spec in ["rmat:scale=8", "grid:width=20,height=13", "er:n=300,m=2000,directed=true"] {
        let graph = generated(spec);
        for (open, candidates) in [
            (device(), ColorCandidate::of_gpu()),
            (Device::Cpu.open().unwrap(), ColorCandidate::of_cpu()),
        ] {
            let options = ColorMeasureOptions { candidates: candidates.to_vec(), repeat: 1 };
            let measured = measure_color(&open, &graph, &options).unwrap();
            assert_eq!(measured.features.len(), ColorCandidate::feature_names().len());
            assert!(measured.times.iter().all(|time| time.is_ok()));
            let colors = |wanted: bool| {
                let all = candidates.iter().zip(&measured.colors);
                all.filter(move |(it, _)| it.needs_few_colors() == wanted)
                    .map(|(_, it)| it.unwrap())
            };
            let (few, many) = (colors(true).max().unwrap(), colors(false).min().unwrap());
            assert!(few < many, "{spec}: {few} colors, and {many}");
        }
    }
}

#[test]
fn candidates_beyond_memory_have_the_reason() {
    let graph = generated("rmat:scale=9,edge-factor=32");
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    // The graph and sets fit, but not the additional memory of speculative.
    let open = with_memory(4 * (vertices + 1 + edges + 6 * vertices) + 4096);
    let candidates = vec![ColorCandidate::MultiHash, ColorCandidate::Speculative];
    let options = ColorMeasureOptions { candidates, repeat: 1 };
    let measured = measure_color(&open, &graph, &options).unwrap();
    assert!(measured.times[0].is_ok() && measured.colors[1].is_none());
    let reason = measured.times[1].as_ref().unwrap_err();
    assert!(reason.contains("by speculative needs"), "{reason}");
}

#[test]
fn giants_get_more_than_a_unit() {
    let graph = generated("star:n=40000");
    let candidates = vec![ColorCandidate::Speculative, ColorCandidate::JonesPlassmann];
    let options = ColorMeasureOptions { candidates, repeat: 1 };
    let times = measure_color(&device(), &graph, &options).unwrap().times;
    assert!(times[0].is_ok());
    assert!(times[1].as_ref().unwrap_err().contains("jones-plassmann not started"), "{times:?}");
    let error = measure_color_switch(&device(), &graph, 1).unwrap_err().to_string();
    assert!(error.contains("39999 neighbours"), "{error}");
}

#[test]
fn every_switch_is_timed_against_the_best_later_one() {
    for open in [device(), Device::Cpu.open().unwrap()] {
        let points = measure_color_switch(&open, &generated("rmat:scale=8"), 1).unwrap();
        assert!((2..12).contains(&points.len()));
        assert_eq!((points[0].after, points[0].features[2]), (0, 256.0));
        for (this, next) in points.iter().zip(&points[1..]) {
            assert!(this.after < next.after);
            assert_eq!(this.stay, next.stay.min(next.switch));
            assert!(next.features[2] <= this.features[2]);
        }
    }
    // All degrees are equal: the phase by degree ends at once.
    let points = measure_color_switch(&device(), &generated("cycle:n=50"), 1).unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].features.len(), ColorProgress::feature_names().len());
}
