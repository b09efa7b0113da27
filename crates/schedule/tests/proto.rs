//! Every schedule does every atom once and ends every tile once.
#![allow(clippy::unwrap_used, missing_docs)]
use cubecl::prelude::*;
use equipoise_schedule::{ScheduleName, device::Gpu, input::Input, plan::*, tiles::*, work::*};

#[derive(CubeType, CubeLaunch)]
struct Count {
    numbers: Input<u32>,
    atoms: Array<Atomic<u32>>,
    ends: Array<Atomic<u32>>,
    totals: Array<u32>,
}
impl WorkKind for Count {}
#[cube]
impl Work for Count {
    type Value = u32;
    fn identity() -> u32 {
        0u32.runtime()
    }
    fn atom(&mut self, tile: u32, atom: u32) -> u32 {
        self.atoms[atom as usize].fetch_add(1);
        self.numbers[atom as usize] + tile
    }
    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }
    fn end(&mut self, tile: u32, total: u32) {
        self.ends[tile as usize].fetch_add(1);
        self.totals[tile as usize] = total;
    }
}

fn check(gpu: &Gpu<R>, sizes: &[u32], options: ScheduleOptions) {
    let mut offsets = vec![0u32];
    for s in sizes {
        offsets.push(offsets.last().unwrap() + s);
    }
    let n = sizes.len();
    let m = *offsets.last().unwrap() as usize;
    let off = gpu.upload(&offsets).unwrap();
    let numbers: Vec<u32> = (0..m as u32).map(|i| i * 7 + 3).collect();
    let num = gpu.upload(&numbers).unwrap();
    let atoms = gpu.upload(&vec![0u32; m]).unwrap();
    let ends = gpu.upload(&vec![0u32; n]).unwrap();
    let totals = gpu.upload(&vec![u32::MAX; n]).unwrap();
    let set =
        Tiles::<CsrRows, R>::new(n as u32, m as u32, || CsrRowsLaunch::new(off.arg(), n as u32));
    let plan = Plan::<CsrRows, Count, R>::new(gpu, options, &set).unwrap();
    plan.run(&set, || CountLaunch::new(num.arg(), atoms.arg(), ends.arg(), totals.arg()));
    let what = format!("{options:?} {} tiles {m} atoms", n);
    assert!(gpu.download(&atoms).unwrap().iter().all(|&c| c == 1), "atoms {what}");
    assert!(
        gpu.download(&ends).unwrap().iter().all(|&c| c == 1),
        "ends {what} {:?}",
        gpu.download(&ends)
            .unwrap()
            .iter()
            .enumerate()
            .filter(|(_, c)| **c != 1)
            .take(10)
            .collect::<Vec<_>>()
    );
    let got = gpu.download(&totals).unwrap();
    for t in 0..n {
        let want = numbers[offsets[t] as usize..offsets[t + 1] as usize]
            .iter()
            .fold(0u32, |a, &b| a.wrapping_add(b + t as u32));
        assert_eq!(got[t], want, "tile {t} {what}");
    }
}
type R = cubecl::wgpu::WgpuRuntime;

#[test]
fn proto() {
    let client = cubecl::wgpu::WgpuRuntime::client(&cubecl::wgpu::WgpuDevice::Cpu);
    let gpu = Gpu::new(client);
    let battery: Vec<Vec<u32>> = vec![
        vec![],
        vec![0],
        vec![5],
        vec![20000],
        vec![0; 700],
        vec![0, 0, 3, 5, 0, 0, 0],
        (0..800u32).map(|i| if i % 97 == 0 { 700 } else { i % 4 }).collect(),
        vec![4; 900],
        vec![1; 793],
        (0..100).map(|i| i * 13 % 300).collect(),
    ];
    for name in ScheduleName::ALL {
        for sizes in &battery {
            for cubes in [None, Some(1), Some(2)] {
                for (units, group) in [(256, 256), (256, 32), (64, 1), (64, 2), (32, 8)] {
                    let mut o = ScheduleOptions::from(*name);
                    o.cubes = cubes;
                    o.units = units;
                    o.group = group;
                    check(&gpu, sizes, o);
                }
            }
        }
    }
}
