use cubecl::prelude::*;
use equipoise_schedule::{device::Gpu, input::Input, schedules::thread_mapped, tiles::*, work::*};

#[derive(CubeType, CubeLaunch)]
struct Spmv<F: Float> {
    columns: Input<u32>,
    values: Input<F>,
    x: Input<F>,
    y: Array<F>,
}
impl<F: Float> WorkKind for Spmv<F> {
    const ATOM_NEEDS_TILE: bool = false;
}
#[cube]
impl<F: Float> Work for Spmv<F> {
    type Value = F;
    fn identity() -> F {
        F::new(0.0)
    }
    fn atom(&mut self, _tile: u32, atom: u32) -> F {
        self.values[atom as usize] * self.x[self.columns[atom as usize] as usize]
    }
    fn combine(a: F, b: F) -> F {
        a + b
    }
    fn end(&mut self, tile: u32, total: F) {
        self.y[tile as usize] = total;
    }
}

#[test]
fn proto() {
    let client = cubecl::wgpu::WgpuRuntime::client(&cubecl::wgpu::WgpuDevice::Cpu);
    let gpu = Gpu::new(client);
    type R = cubecl::wgpu::WgpuRuntime;
    let offsets = gpu.upload(&[0u32, 2, 2, 5]).unwrap();
    let columns = gpu.upload(&[0u32, 1, 0, 1, 2]).unwrap();
    let values = gpu.upload(&[1f32, 2., 3., 4., 5.]).unwrap();
    let x = gpu.upload(&[1f32, 10., 100.]).unwrap();
    let y = gpu.upload(&[-1f32; 3]).unwrap();
    unsafe {
        thread_mapped::thread_mapped::launch_unchecked::<CsrRows, Spmv<f32>, R>(
            gpu.client(),
            CubeCount::Static(1, 1, 1),
            CubeDim::new_1d(64),
            CsrRowsLaunch::new(offsets.arg(), 3),
            SpmvLaunch::new(columns.arg(), values.arg(), x.arg(), y.arg()),
        )
    };
    assert_eq!(gpu.download(&y).unwrap(), [21., 0., 543.]);
}
