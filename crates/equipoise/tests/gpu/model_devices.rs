//! Models on the kind of device they are for, and on the other one.

use crate::on::color_on;
use equipoise::{
    LoadedGraph, LoadedMatrix, Result,
    bfs::BfsOptions,
    color::{ColorOptions, ColorStrategy, ColorSwitch},
    device::OpenDevice,
    graph::{Graph, Matrix},
    select::Model,
    sparse::SparseOptions,
    sssp::SsspOptions,
};

use super::{
    models::{of_device, two_leaves},
    search::{device, made},
};

/// Has a model choose on a device. It has candidates that the device has.
type Follow = fn(&OpenDevice, &Graph, Model) -> Result<()>;

fn bfs(open: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = BfsOptions { model: Some(model.into()), ..BfsOptions::default() };
    LoadedGraph::new(open, graph)?.bfs(0, &options)?.download()?.verify(graph, &options)
}

fn sssp(open: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = SsspOptions { model: Some(model.into()), ..SsspOptions::default() };
    LoadedGraph::new(open, graph)?.sssp(0, &options)?.download()?.verify(graph, &options)
}

fn color(open: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = ColorOptions { model: Some(model.into()), ..ColorOptions::default() };
    color_on(open, graph, &options)?.verify(graph)
}

fn color_switch(open: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let (strategy, switch) = (ColorStrategy::Hybrid, ColorSwitch::learned(&model)?);
    color_on(open, graph, &ColorOptions { strategy, switch, ..ColorOptions::default() })?
        .verify(graph)
}

fn spmv(open: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let entries: Vec<_> = (0..graph.vertices()).map(|row| (row, 0, 1.0f32)).collect();
    let matrix = Matrix::from_entries(graph.vertices(), 1, &entries)?;
    let options = SparseOptions { model: Some(model.into()), ..SparseOptions::default() };
    let there = LoadedMatrix::new(open, &matrix)?;
    there.spmv(&options)?.run(&[2.0])?.verify(&matrix, &[2.0])
}

/// An algorithm, a feature of its models, how it follows one, and its candidates on the cpu and a GPU.
type Case = (&'static str, &'static str, Follow, [&'static str; 2], [&'static str; 2]);

#[test]
fn a_model_for_another_kind_of_device_is_refused() {
    let graph = made("star:n=30,weights=1..9");
    let algorithms: [Case; 5] = [
        ("bfs", "frontier", bfs, ["push", "pull"], ["node", "edge"]),
        ("sssp", "source_degree", sssp, ["delta+16", "dijkstra"], ["near-far+64", "node"]),
        ("color", "vertices", color, ["greedy", "speculative"], ["multi-hash", "speculative"]),
        ("color-switch", "vertices", color_switch, ["stay", "switch"], ["stay", "switch"]),
        ("spmv", "rows", spmv, ["thread-mapped", "merge-path"], ["plane-mapped", "merge-path+7"]),
    ];
    for (algorithm, feature, follow, of_cpu, of_gpu) in algorithms {
        for (open, kind, candidates) in
            [(OpenDevice::Cpu, "cpu", of_cpu), (device(), "gpu", of_gpu)]
        {
            for made_for in ["cpu", "gpu", "cuda", "wgpu"] {
                let model = of_device(&two_leaves(algorithm, feature, candidates), made_for);
                let followed = follow(&open, &graph, model);
                if (made_for == "cpu") == (kind == "cpu") {
                    followed.unwrap_or_else(|error| panic!("{algorithm} on {kind}: {error}"));
                } else {
                    let error = followed.unwrap_err().to_string();
                    let expected =
                        format!("the model is for the device `{made_for}`, not for `{kind}`");
                    assert_eq!(error, expected, "{algorithm} on {kind}");
                }
            }
        }
    }
}
