//! The kernels for any processor and those for AVX2 and FMA give the same results within rounding.

use weft::sim::exec::simd::use_portable_kernels;
use weft::sim::model::material::Mass;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

/// The positions of a swinging cloth after a few steps.
fn swung(solver: &str, portable: bool) -> Vec<Vec3> {
    use_portable_kernels(portable);
    let pattern = Pattern::grid(34, 34, 1.0, 1.0, Plane::Xz);
    let mut simulation = Simulation::new(pattern, Mass::default(), solvers::build(solver).expect("registered"));
    simulation.parameters.contact.ground = false;
    simulation.state.cloth.pin_here(0);
    simulation.state.cloth.pin_here(33);
    for _ in 0..5 {
        simulation.step().expect("it holds");
    }
    simulation.state.cloth.positions
}

// one test, since the choice of kernels is everybody's
#[test]
fn portable_kernels_differ_by_rounding_only() {
    for solver in ["fast-mass-spring", "projective-dynamics", "precomputed-filter", "implicit-newton", "xpbd", "pbd"] {
        let (fast, portable) = (swung(solver, false), swung(solver, true));
        let apart = fast.iter().zip(&portable).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(apart < 1e-9, "{solver}: {apart:e} m");
        // where the processor has the fast ones, they do differ: the test compares two versions
        #[cfg(target_arch = "x86_64")]
        {
            use_portable_kernels(false);
            assert!(apart > 0.0 || !weft::sim::exec::simd::has_fma(), "{solver}: nothing to compare");
        }
    }
}
