//! From the components of an entity to the simulation of a cloth, and to the mesh that shows it.

use bevy::asset::RenderAssetUsages;
use bevy::math::DAffine3;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

use super::cloth::{Cloth, ClothShape};
use super::rest_mesh::RestMesh;
use super::run::ClothRun;
use crate::documents::texture_coordinates;
use crate::scene::{Fabric, InputError, Scalar, Scene, build_solver, set_parameter};
use crate::sim::forces::air::{AirMode, AirModel};
use crate::sim::params::Setting;
use crate::sim::pattern::{Blank, Diagonals};
use crate::sim::solvers::FastMassSpring;
use crate::sim::{Parameters, Pattern, Plane, Simulation, Vec3 as SimVec3, World};

/// The iterations that suit a cloth in the sandbox are divided by this: a game has many cloths, and
/// the third of them leaves threads of a cape no longer.
const FEWER: u32 = 3;
/// Most vertices along a side of a grid.
const MOST: u32 = 8192;

/// A cloth that can begin.
pub(super) struct Built {
    pub run: ClothRun,
    pub rest: RestMesh,
    /// The mesh that shows it.
    pub mesh: Mesh,
    /// Vertices that a scene pins.
    pub pinned: Vec<u32>,
    /// The parameters before fabric and settings.
    pub base: Parameters,
}

/// Makes the cloth of an entity in `frame`, from its `mesh` if it is made from one.
///
/// # Errors
/// A sentence on what cannot be used.
pub(super) fn build(cloth: &Cloth, mesh: Option<&Mesh>, frame: DAffine3) -> Result<Built, String> {
    if !frame.is_finite() || frame.matrix3.determinant().abs() < 1e-18 {
        return Err("the entity of the cloth is scaled to nothing, or by what is no number".to_owned());
    }
    let mut built = match &cloth.shape {
        ClothShape::Mesh3d => of_mesh(mesh.ok_or("a cloth of a mesh needs a Mesh3d")?, frame)?,
        ClothShape::Grid { columns, rows, width, height } => {
            of_grid([*columns, *rows], [f64::from(*width), f64::from(*height)], frame)?
        }
        ClothShape::Scene(name) => of_scene(name, frame)?,
    };
    configure(&mut built.run, cloth, &built.base).map_err(|error| error.to_string())?;
    Ok(built)
}

/// Gives a cloth its fabric, solver and settings; in the middle of motion as well.
///
/// # Errors
/// [`InputError`] for an unknown fabric, solver or setting; the cloth is as it was before.
pub(super) fn configure(run: &mut ClothRun, cloth: &Cloth, base: &Parameters) -> Result<(), InputError> {
    let mut parameters = *base;
    if !cloth.fabric.is_empty() {
        let is_grid = matches!(cloth.shape, ClothShape::Grid { .. });
        Fabric::find(&cloth.fabric)?.apply_to(&mut parameters, !is_grid);
    }
    let simulation = &mut run.simulation;
    if !cloth.solver.is_empty() {
        build_solver(&cloth.solver, &Default::default(), "solver of a cloth")?;
    }
    let (before, solver) = (simulation.parameters, simulation.solver().info().id);
    let settings = simulation.solver().settings();
    let settings: Vec<_> = (0..settings.params().len()).map(|index| settings.get(index)).collect();
    parameters.timing.time_step = before.timing.time_step;
    simulation.parameters = parameters;
    if !cloth.solver.is_empty() {
        simulation.set_solver(&cloth.solver);
        let suited = simulation.suited_solver();
        let (from, to) = (suited.settings(), simulation.solver_mut().settings_mut());
        for (index, param) in from.params().iter().enumerate() {
            to.assign(
                index,
                match from.get(index) {
                    Setting::Integer(count) if param.key == "iterations" => Setting::Integer((count / FEWER).max(1)),
                    setting => setting,
                },
            );
        }
    }
    if let Err(error) = set_all(simulation, &cloth.settings) {
        simulation.set_solver(solver);
        for (index, setting) in settings.into_iter().enumerate() {
            simulation.solver_mut().settings_mut().assign(index, setting);
        }
        simulation.parameters = before;
        return Err(error);
    }
    run.calm = match simulation.parameters.air.air {
        AirMode::Vacuum => AirMode::Vacuum,
        AirMode::Still | AirMode::Wind => AirMode::Still,
    };
    run.jump_speed = f64::from(cloth.jump_speed);
    run.sleep_speed = f64::from(cloth.sleep_speed);
    run.wake();
    Ok(())
}

fn set_all(simulation: &mut Simulation, settings: &[String]) -> Result<(), InputError> {
    for assignment in settings {
        let place = format!("setting {assignment} of a cloth");
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(InputError::new(place, "needs the form key=value, like substeps=2"));
        };
        let (key, value) = (key.trim(), Scalar::Text(value.trim().to_owned()));
        let is_there =
            set_parameter(simulation, key, &value).map_err(|error| InputError::new(&place, error.to_string()))?;
        if !is_there {
            let common = simulation.parameters.groups().flat_map(|group| group.params());
            let known: Vec<&str> =
                common.chain(simulation.solver().settings().params()).map(|param| param.key).collect();
            let mend = InputError::suggestion(key, known.into_iter());
            return Err(InputError::new(place, format!("there is no such parameter; {mend}")));
        }
    }
    Ok(())
}

/// Parameters of a cloth in a game: no floor but that of the game, and air that acts by area.
fn plain() -> Parameters {
    let mut parameters = Parameters::default();
    parameters.contact.ground = false;
    (parameters.air.air, parameters.air.air_model) = (AirMode::Still, AirModel::PerTriangle);
    parameters
}

fn of_mesh(mesh: &Mesh, frame: DAffine3) -> Result<Built, String> {
    let rest = RestMesh::of_mesh(mesh)?;
    let positions = rest.positions.iter().map(|x| frame.transform_point3(*x)).collect();
    let shown = with_normals(mesh.clone());
    Ok(started(Pattern::mesh(positions, rest.triangles.clone()), rest, shown, frame))
}

/// A mesh with room for the normals of the cloth that it shows.
pub(super) fn with_normals(mut mesh: Mesh) -> Mesh {
    if !mesh.contains_attribute(Mesh::ATTRIBUTE_NORMAL) {
        let vertices = mesh.count_vertices();
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 0.0, 1.0]; vertices]);
    }
    mesh
}

fn of_grid([columns, rows]: [u32; 2], [width, height]: [f64; 2], frame: DAffine3) -> Result<Built, String> {
    if !(2..=MOST).contains(&columns) || !(2..=MOST).contains(&rows) {
        return Err(format!("a grid of {columns} × {rows} vertices cannot be a cloth; it needs 2 to {MOST} each way"));
    }
    if !(width > 0.0 && width.is_finite() && height > 0.0 && height.is_finite()) {
        return Err(format!("a grid of {width} m × {height} m cannot be a cloth; it needs a width and a height"));
    }
    let size = [width * frame.matrix3.x_axis.length(), height * frame.matrix3.y_axis.length()];
    let count = [columns as usize, rows as usize];
    let of_size = |[width, height]: [f64; 2]| {
        Blank::grid_with(count[0], count[1], [width, height], Plane::Xy, Diagonals::Crossed)
    };
    let middle = 0.5 * width * SimVec3::X;
    let local: Vec<SimVec3> = of_size([width, height]).rest_positions.iter().map(|x| *x - middle).collect();
    // the rest lengths are those before it is placed, so that rounding does not show in them
    let mut blank = of_size(size);
    blank.rest_positions = local.iter().map(|x| frame.transform_point3(*x)).collect();
    let rest = RestMesh::of_cloth(local, blank.triangles.clone());
    let share = |at: usize, count: usize| at as f32 / (count - 1) as f32;
    let texture = (0..count[0] * count[1]).map(|i| [share(i % count[0], count[0]), share(i / count[0], count[1])]);
    let shown = new_mesh(&rest, texture.collect());
    Ok(started(Pattern::of(blank), rest, shown, frame))
}

fn of_scene(name: &str, frame: DAffine3) -> Result<Built, String> {
    if !(frame.matrix3.transpose() * frame.matrix3).abs_diff_eq(bevy::math::DMat3::IDENTITY, 1e-4) {
        return Err(format!("the cloth of the scene {name} has its own size; its entity must not be scaled"));
    }
    let scene = Scene::load(name).map_err(|error| error.to_string())?;
    let mut simulation = scene.build().map_err(|error| error.to_string())?;
    let pattern = simulation.shared_pattern();
    let rest = RestMesh::of_cloth(simulation.state.cloth.positions.clone(), pattern.triangles().to_vec());
    let shown = new_mesh(&rest, texture_coordinates(&pattern, &scene));
    let mut base = simulation.parameters;
    (base.contact.ground, base.table.table) = (false, false);
    if base.air.air == AirMode::Wind {
        base.air.air = AirMode::Still;
    }
    simulation.parameters = base;
    let state = &mut simulation.state;
    state.world = World::default();
    let rotation = frame.matrix3;
    state.cloth.positions.iter_mut().for_each(|x| *x = frame.transform_point3(*x));
    state.cloth.velocities.iter_mut().for_each(|v| *v = rotation * *v);
    let pinned = state.cloth.pins().iter().map(|pin| pin.vertex).collect();
    Ok(Built { run: ClothRun::new(simulation, frame), rest, mesh: shown, pinned, base })
}

/// A cloth at rest with plain parameters.
fn started(pattern: Pattern, rest: RestMesh, mesh: Mesh, frame: DAffine3) -> Built {
    let base = plain();
    let solver = Box::new(FastMassSpring::default());
    let mut simulation = Simulation::new(pattern, base.mass, solver);
    simulation.parameters = base;
    Built { run: ClothRun::new(simulation, frame), rest, mesh, pinned: Vec::new(), base }
}

/// A mesh with the vertices and triangles of a cloth.
fn new_mesh(rest: &RestMesh, texture: Vec<[f32; 2]>) -> Mesh {
    let positions: Vec<[f32; 3]> = rest.positions.iter().map(|x| x.as_vec3().to_array()).collect();
    let normals = vec![[0.0, 0.0, 1.0]; positions.len()];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, texture)
        .with_inserted_indices(Indices::U32(rest.triangles.clone().into_flattened()))
}
