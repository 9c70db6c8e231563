//! Cost of a frame of the window, without the renderer and the steps.

use super::Offscreen;
use crate::app::view::displayed::Displayed;
use crate::scene::{Grid, InputError, Scalar, Scene};
use crate::session::{Command, Lanes};
use crate::sim::Material;
use crate::sim::solvers::{StableMassSpring, id_of};

/// Frames before those that are measured, and those.
const WARM_UP: usize = 20;
const FRAMES: usize = 100;
/// Steps that the plots show.
const STEPS: usize = 600;
/// Size of the window [points].
const SIZE: [f32; 2] = [1920.0, 1080.0];

/// Seconds that each of some frames takes for the panels with all plots, for the mesh, and for both
/// with four lanes, of a cloth with so many vertices along a side.
///
/// # Errors
/// [`InputError`] for a size that no cloth has.
pub fn frame_costs(columns: u32) -> Result<[Vec<f64>; 3], InputError> {
    let mut scene = Scene::load("hanging")?;
    for key in [Grid::columns, Grid::rows] {
        scene.set(key, &columns.to_string())?;
    }
    // the steps are not what is measured: a method whose steps are cheap fills the plots
    scene.set("solver", id_of::<StableMassSpring>())?;
    let simulation = scene.build()?;
    let mesh = Displayed::cost(simulation.pattern(), &scene, WARM_UP + FRAMES).split_off(WARM_UP);
    let mut panels = Offscreen::new(scene, simulation, &["Plots"]);
    panels.plot_all();
    for _ in 0..STEPS {
        panels.send(Command::Step);
    }
    let alone = panels.cost(SIZE, WARM_UP + FRAMES).split_off(WARM_UP);
    for damping in [0.002, 0.004, 0.008] {
        panels.add_lane();
        let slot = panels.session().lane_count() - 1;
        panels.session().choose_lane(slot);
        panels.send(Command::Set { key: Material::damping.to_owned(), value: Scalar::Real(damping) });
    }
    let lanes = panels.cost_of_lanes(SIZE, WARM_UP + FRAMES).split_off(WARM_UP);
    let of_meshes = Lanes::MOST as f64 * mesh.iter().sum::<f64>() / mesh.len() as f64;
    let lanes = lanes.into_iter().map(|seconds| seconds + of_meshes).collect();
    Ok([alone, mesh, lanes])
}
