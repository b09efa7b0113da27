//! The device memory that searches need.

use bytesize::ByteSize;
use equipoise::{
    device::{Device, OpenDevice},
    graph::Graph,
    traversal::{Strategy, TraversalSettings},
};
use serde::Serialize;

use crate::{
    failure::{Failure, Result},
    machine,
    table::{Column, draw},
};

/// The bytes of GPU memory that each strategy needs, and the available ones.
#[derive(Serialize)]
pub struct Memory {
    device: Device,
    available_bytes: Option<u64>,
    strategies: Vec<Need>,
}

/// The memory that one strategy needs, including the graph.
#[derive(Serialize)]
struct Need {
    strategy: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    bfs_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sssp_bytes: Option<u64>,
}

impl Need {
    fn most(&self) -> Option<u64> {
        self.bfs_bytes.max(self.sssp_bytes)
    }
}

impl Memory {
    /// Computes the needs of searches of a graph.
    pub fn new(device: Device, graph: &Graph) -> Result<Self> {
        let open = device.open()?;
        if matches!(open, OpenDevice::Cpu) {
            return Err(Failure::usage(
                "the cpu has no strategies that differ in memory: name a GPU",
            ));
        }
        let limit = machine::memory_limit(&open);
        let settings = TraversalSettings::default();
        let need = |&strategy: &Strategy| Need {
            strategy: strategy.name(),
            bfs_bytes: strategy.bfs_bytes(graph, &settings),
            sssp_bytes: strategy.sssp_bytes(graph, &settings),
        };
        let of_sssp = Strategy::SSSP.iter().filter(|strategy| !Strategy::BFS.contains(strategy));
        let all = Strategy::BFS.iter().chain(of_sssp);
        // `auto` uses one of the others, and some strategies are for the cpu.
        let on_gpu = |need: &Need| need.strategy != "auto" && need.most().is_some();
        let strategies = all.map(need).filter(on_gpu).collect();
        Ok(Self { device: machine::named(device, &open), available_bytes: limit, strategies })
    }

    /// A table with a row per strategy.
    pub fn table(&self) -> String {
        let size =
            |bytes: Option<u64>| bytes.map_or("-".into(), |bytes| ByteSize(bytes).to_string());
        let fits = |need: &Need| match self.available_bytes {
            None => "not known",
            Some(available) if need.most() <= Some(available) => "yes",
            Some(_) => "no",
        };
        let columns = [
            Column::Left("memory by strategy"),
            Column::Right("bfs"),
            Column::Right("sssp"),
            Column::Left("fits"),
        ];
        let row = |need: &Need| {
            let (bfs, sssp) = (size(need.bfs_bytes), size(need.sssp_bytes));
            vec![need.strategy.to_string(), bfs, sssp, fits(need).to_owned()]
        };
        draw(&columns, self.strategies.iter().map(row))
    }
}
