//! What searches need of a device's memory.

use bytesize::ByteSize;
use equipoise::{
    BfsStrategy, SsspStrategy, TraversalSettings,
    device::{Device, OpenDevice},
    graph::Graph,
};
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
    /// What searches of a graph need.
    pub fn of(device: Device, graph: &Graph) -> Result<Self> {
        let open = device.open()?;
        if matches!(open, OpenDevice::Cpu) {
            return Err(Failure::usage(
                "the cpu has no strategies that differ in memory: name a GPU",
            ));
        }
        let limit = machine::memory_limit(&open);
        let settings = TraversalSettings::default();
        let need = |strategy: &'static str| {
            let bfs = strategy.parse::<BfsStrategy>().ok();
            let sssp = strategy.parse::<SsspStrategy>().ok();
            Need {
                strategy,
                bfs_bytes: bfs.map(|bfs| bfs.device_bytes(graph, &settings)),
                sssp_bytes: sssp.and_then(|sssp| sssp.device_bytes(graph, &settings)),
            }
        };
        let of_bfs = BfsStrategy::ALL.iter().map(|strategy| strategy.name());
        let of_sssp = SsspStrategy::ALL.iter().map(|strategy| strategy.name());
        let mut names: Vec<&str> = of_bfs.collect();
        names.extend(of_sssp.filter(|name| name.parse::<BfsStrategy>().is_err()));
        // `auto` takes one of the others, and some are of the cpu.
        let on_gpu = |need: &Need| need.strategy != "auto" && need.most().is_some();
        let strategies = names.into_iter().map(need).filter(on_gpu).collect();
        Ok(Self { device: machine::named(device, &open), available_bytes: limit, strategies })
    }

    /// A row for each strategy.
    pub fn table(&self) -> String {
        let size =
            |bytes: Option<u64>| bytes.map_or("-".into(), |bytes| ByteSize(bytes).to_string());
        let fits = |need: &Need| match self.available_bytes {
            None => "not known",
            Some(there) if need.most() <= Some(there) => "yes",
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
