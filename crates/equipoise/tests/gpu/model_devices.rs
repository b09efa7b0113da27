//! Models on the kind of device they are for, and on others.

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

use crate::{
    common::{color_on, device},
    graphs::generated,
    models::{of_device, two_leaves},
};

/// Runs an algorithm with a model, whose candidates the device supports.
type Follow = fn(&OpenDevice, &Graph, Model) -> Result<()>;

fn bfs(device: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = BfsOptions { model: Some(model.into()), ..BfsOptions::default() };
    LoadedGraph::new(device, graph)?.bfs(0, &options)?.download()?.verify(graph, &options)
}

fn sssp(device: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = SsspOptions { model: Some(model.into()), ..SsspOptions::default() };
    LoadedGraph::new(device, graph)?.sssp(0, &options)?.download()?.verify(graph, &options)
}

fn color(device: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let options = ColorOptions { model: Some(model.into()), ..ColorOptions::default() };
    color_on(device, graph, &options)?.verify(graph)
}

fn color_switch(device: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let (strategy, switch) = (ColorStrategy::Hybrid, ColorSwitch::learned(&model)?);
    color_on(device, graph, &ColorOptions { strategy, switch, ..ColorOptions::default() })?
        .verify(graph)
}

fn spmv(device: &OpenDevice, graph: &Graph, model: Model) -> Result<()> {
    let entries: Vec<_> = (0..graph.vertices()).map(|row| (row, 0, 1.0f32)).collect();
    let matrix = Matrix::from_entries(graph.vertices(), 1, &entries)?;
    let options = SparseOptions { model: Some(model.into()), ..SparseOptions::default() };
    let loaded = LoadedMatrix::new(device, &matrix)?;
    loaded.spmv(&options)?.run(&[2.0])?.verify(&matrix, &[2.0])
}

/// An algorithm, a feature of its models, a run with a model, and its candidates on the CPU and on a GPU.
type Case = (&'static str, &'static str, Follow, [&'static str; 2], [&'static str; 2]);

#[test]
fn a_model_for_another_kind_of_device_is_refused() {
    let graph = generated("star:n=30,weights=1..9");
    let algorithms: [Case; 5] = [
        ("bfs", "frontier", bfs, ["push", "pull"], ["node", "edge"]),
        ("sssp", "source_degree", sssp, ["delta+16", "dijkstra"], ["near-far+64", "node"]),
        ("color", "vertices", color, ["greedy", "speculative"], ["multi-hash", "speculative"]),
        ("color-switch", "vertices", color_switch, ["stay", "switch"], ["stay", "switch"]),
        ("spmv", "rows", spmv, ["thread-mapped", "merge-path"], ["plane-mapped", "merge-path+7"]),
    ];
    for (algorithm, feature, follow, of_cpu, of_gpu) in algorithms {
        for (device, kind, candidates) in
            [(OpenDevice::Cpu, "cpu", of_cpu), (device(), "gpu", of_gpu)]
        {
            for made_for in ["cpu", "gpu", "cuda", "wgpu"] {
                let model = of_device(&two_leaves(algorithm, feature, candidates), made_for);
                let followed = follow(&device, &graph, model);
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
