//! What searches need of a device's memory.

use bytesize::ByteSize;
use equipoise::{
    TraversalSettings, Way,
    device::{Device, OpenDevice},
    device_bytes,
    graph::Graph,
};
use equipoise_schedule::with_gpu;
use serde::Serialize;

use crate::{
    failure::{Failure, Result},
    machine,
    table::{Column, draw},
};

/// The bytes that each strategy needs of a GPU's memory, and those there are.
#[derive(Serialize)]
pub struct Memory {
    device: Device,
    available_bytes: Option<u64>,
    strategies: Vec<Need>,
}

/// What one strategy needs, the graph included.
#[derive(Serialize)]
struct Need {
    strategy: Way,
    #[serde(skip_serializing_if = "Option::is_none")]
    bfs_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sssp_bytes: Option<u64>,
}

impl Memory {
    /// What searches of a graph need.
    pub fn of(device: Device, graph: &Graph) -> Result<Self> {
        let open = device.open()?;
        let OpenDevice::Gpu(any) = &open else {
            return Err(Failure::usage(
                "the cpu has no strategies that differ in memory: name a GPU",
            ));
        };
        let limit = with_gpu!(any, |gpu| gpu.memory().limit);
        let settings = TraversalSettings::default();
        let need = |&strategy: &Way| {
            let bytes = |weighted| device_bytes(graph, strategy, weighted, &settings);
            Need {
                strategy,
                bfs_bytes: (strategy != Way::TwoPhase).then(|| bytes(false)),
                sssp_bytes: (strategy != Way::Pull).then(|| bytes(true)),
            }
        };
        let strategies = Way::ALL.iter().map(need).collect();
        Ok(Self { device: machine::named(device, &open), available_bytes: limit, strategies })
    }

    /// A row for each strategy.
    pub fn table(&self) -> String {
        let size =
            |bytes: Option<u64>| bytes.map_or("-".into(), |bytes| ByteSize(bytes).to_string());
        let fits = |need: &Need| match self.available_bytes {
            None => "not known",
            Some(there) if need.bfs_bytes.max(need.sssp_bytes) <= Some(there) => "yes",
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
