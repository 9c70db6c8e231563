//! Projective dynamics as a whole: the same cloth on other meshes, within its limits, and with other iterations.

use weft::sim::constraints::{Svd, elements};
use weft::sim::params::Setting;
use weft::sim::pattern::Plane;
use weft::sim::{Pattern, Simulation, Vec3, solvers};

use crate::fixtures::advance;

/// The settings of projective dynamics that are given, and no springs.
pub fn with_settings(simulation: &mut Simulation, settings: &[(&str, Setting)]) {
    let solver = simulation.solver_mut().settings_mut();
    for (key, value) in [("springs", OFF)].iter().chain(settings) {
        let index = solver.index_of(key).unwrap_or_else(|| panic!("{key} is a setting"));
        solver.set(index, *value).unwrap_or_else(|error| panic!("{error}"));
    }
}

pub const ON: Setting = Setting::Toggle(true);
pub const OFF: Setting = Setting::Toggle(false);

/// A cloth of 0.15 kg/m² in a vacuum without a floor, under projective dynamics with long steps, which soon bring it to rest.
pub fn projective(pattern: Pattern, settings: &[(&str, Setting)]) -> Simulation {
    let solver = solvers::build("projective-dynamics").expect("registered");
    let mut simulation = Simulation::new(pattern, Default::default(), solver);
    simulation.parameters.contact.ground = false;
    simulation.parameters.timing.time_step = 0.1;
    with_settings(&mut simulation, settings);
    simulation
}

/// An upright square of 1 m², `n` × `n` vertices.
fn regular(n: usize) -> Pattern {
    Pattern::grid(n, n, 1.0, 1.0, Plane::Xy)
}

/// The same square with its inner vertices moved, those of the border along it, and diagonals either way.
fn irregular(n: usize) -> Pattern {
    let mut state = 7_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24) - 0.5
    };
    let mut rest = regular(n).rest_positions().to_vec();
    let gap = 1.0 / (n - 1) as f64;
    for (i, x) in rest.iter_mut().enumerate() {
        let inner = |at: usize| if at == 0 || at == n - 1 { 0.0 } else { 0.6 * gap };
        *x += Vec3::new(random() * inner(i % n), random() * inner(i / n), 0.0);
    }
    let mut triangles = Vec::new();
    for row in 0..n - 1 {
        for column in 0..n - 1 {
            let a = (row * n + column) as u32;
            let [b, c, d] = [a + 1, a + n as u32, a + n as u32 + 1];
            triangles.extend(if random() < 0.0 { [[a, c, b], [b, c, d]] } else { [[a, c, d], [a, d, b]] });
        }
    }
    Pattern::mesh(rest, triangles)
}

/// Holds the vertices whose rest position is chosen.
fn hold(simulation: &mut Simulation, chosen: impl Fn(Vec3) -> bool) {
    let rest = simulation.pattern().rest_positions().to_vec();
    (0..).zip(&rest).filter(|(_, x)| chosen(**x)).for_each(|(vertex, _)| simulation.state.cloth.pin_here(vertex));
}

/// How far a place at rest has moved, between the two vertices of the border that are nearest to it on either side [m].
fn movement(simulation: &Simulation, along: Vec3, on_border: impl Fn(Vec3) -> bool, place: Vec3) -> Vec3 {
    let at = |x: Vec3| (x - place).dot(along);
    let rest = simulation.pattern().rest_positions();
    let border = || rest.iter().zip(&simulation.state.cloth.positions).filter(|(rest, _)| on_border(**rest));
    let before = border().filter(|(rest, _)| at(**rest) <= 0.0).max_by(|a, b| at(*a.0).total_cmp(&at(*b.0)));
    let after = border().filter(|(rest, _)| at(**rest) >= 0.0).min_by(|a, b| at(*a.0).total_cmp(&at(*b.0)));
    let (Some((left, here)), Some((right, there))) = (before, after) else { panic!("{place} is not on the border") };
    let share = if left == right { 0.0 } else { at(*left) / (at(*left) - at(*right)) };
    (*here - *left).lerp(*there - *right, share)
}

/// How far the middle of the lower edge of a curtain hangs below its place at rest [m].
fn sag(simulation: &Simulation) -> f64 {
    -movement(simulation, Vec3::X, |x| x.y < -1.0 + 1e-9, Vec3::new(0.5, -1.0, 0.0)).y
}

/// A curtain that hangs by its whole upper edge, and has come to rest.
fn curtain(pattern: Pattern, steps: usize, settings: &[(&str, Setting)]) -> Simulation {
    let mut simulation = projective(pattern, settings);
    hold(&mut simulation, |x| x.y > -1e-9);
    advance(&mut simulation, steps);
    let before = sag(&simulation);
    advance(&mut simulation, 1);
    let drift = (sag(&simulation) - before).abs();
    assert!(drift < 1e-4 * before.abs(), "not at rest: {drift:e} of {before} m");
    simulation
}

/// Largest difference between two of them, relative to the first.
fn spread(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    (high - low) / values[0]
}

#[test]
fn a_curtain_of_triangles_sags_alike_on_every_mesh() {
    let settings = [
        ("triangle_strain", ON),
        ("strain_weight", Setting::Real(7.35)),
        ("bending", ON),
        ("bending_weight", Setting::Real(1e-3)),
    ];
    let sags = [regular(10), regular(20), regular(40), irregular(13), irregular(30)]
        .map(|pattern| sag(&curtain(pattern, 60, &settings)));
    // stress w (σ - 1) carries what hangs below: ρ g H²/(2 w)
    let exact = 0.15 * 9.8 / (2.0 * 7.35);
    assert!(spread(&sags) < 0.02, "{sags:?}");
    assert!(sags.iter().all(|sag| (sag / exact - 1.0).abs() < 0.02), "{sags:?}, by hand {exact}");
}

#[test]
fn a_curtain_of_edges_sags_alike_on_every_mesh() {
    let settings = [("edge_strain", ON), ("membrane_stiffness", Setting::Real(7.35))];
    let sags = |meshes: Vec<Pattern>| -> Vec<f64> {
        meshes.into_iter().map(|pattern| sag(&curtain(pattern, 60, &settings))).collect()
    };
    let grids = sags(vec![regular(10), regular(20), regular(40)]);
    assert!(spread(&grids) < 0.002, "{grids:?}");
    // edges are straps: their directions decide. Those of a grid, along, across and either way between, are stiffer under
    // uniaxial stress by a fifth than straps in all directions, which make a sheet of Young's modulus Y
    let exact = 0.15 * 9.8 / (2.0 * 7.35);
    assert!((1.2 * grids[2] / exact - 1.0).abs() < 0.02, "{grids:?}");
    let others = sags(vec![irregular(13), irregular(20), irregular(30)]);
    assert!(others.iter().all(|sag| (sag / exact - 1.0).abs() < 0.05), "{others:?}, by hand {exact}");
}

/// Least and largest singular value of all triangles.
fn stretches(simulation: &Simulation) -> [f64; 2] {
    let x = &simulation.state.cloth.positions;
    let mut range = [f64::MAX, f64::MIN];
    for element in elements(simulation.pattern()) {
        let columns = element.rows().map(|row| (0..3).map(|k| x[element.vertices[k] as usize] * row[k]).sum::<Vec3>());
        let values = Svd::of(columns).values;
        range = [range[0].min(values[1]), range[1].max(values[0])];
    }
    range
}

#[test]
fn every_triangle_of_a_loaded_curtain_ends_within_its_limits() {
    let limited = |share: f64| {
        let settings = [
            ("triangle_strain", ON),
            ("strain_weight", Setting::Real(1000.0)),
            ("strain_min", Setting::Real(1.0 - share)),
            ("strain_max", Setting::Real(1.0 + share)),
            ("iterations", Setting::Integer(100)),
        ];
        // what is allowed costs nothing, so a curtain crawls down to its limit: by ρ g H²/(2 w) per iteration
        curtain(regular(11), 60, &settings)
    };
    let [narrow, wide] = [0.1, 0.3].map(|share| {
        let simulation = limited(share);
        let [least, largest] = stretches(&simulation);
        // beyond the limit the load ρ g H asks for this much
        let slack = 1.5 * 0.15 * 9.8 / 1000.0;
        assert!(1.0 - share - slack < least && largest < 1.0 + share + slack, "±{share}: {least} to {largest}");
        sag(&simulation)
    });
    assert!((narrow - 0.1).abs() < 0.003 && (wide - 0.3).abs() < 0.003, "{narrow} m and {wide} m");
}

#[test]
fn warp_and_weft_have_limits_of_their_own() {
    // the warp runs up, so a curtain hangs by it
    let hanging = |keys: [&'static str; 2]| {
        let settings = [
            ("triangle_strain", ON),
            ("anisotropic", ON),
            ("strain_weight", Setting::Real(1000.0)),
            (keys[0], Setting::Real(0.8)),
            (keys[1], Setting::Real(1.2)),
            ("shear_max", Setting::Real(0.0)),
            ("iterations", Setting::Integer(100)),
        ];
        sag(&curtain(regular(11), 60, &settings))
    };
    let [soft_weft, soft_warp] = [hanging(["weft_min", "weft_max"]), hanging(["strain_min", "strain_max"])];
    assert!((soft_warp - 0.2).abs() < 0.003, "{soft_warp} m");
    assert!(soft_weft < 0.002, "{soft_weft} m");
}

#[test]
fn iterations_do_not_change_the_stiffness_as_they_do_with_position_based_dynamics() {
    // figure 4 of the paper, smaller
    let stretch = |solver: &str, iterations: u32| {
        let mut simulation =
            projective(regular(15), &[("edge_strain", ON), ("membrane_stiffness", Setting::Real(15.0))]);
        simulation.parameters.timing.time_step = 1.0 / 60.0;
        simulation.parameters.material.damping = 0.0;
        assert!(simulation.set_solver(solver));
        let settings = simulation.solver_mut().settings_mut();
        let mut set = |key: &str, value| {
            if let Some(index) = settings.index_of(key) {
                settings.set(index, value).expect("in range");
            }
        };
        set("iterations", Setting::Integer(iterations));
        set("small_steps", Setting::Integer(1));
        hold(&mut simulation, |x| x.y > -1e-9);
        advance(&mut simulation, 600);
        sag(&simulation)
    };
    let [few, more, most] = [10, 30, 100].map(|iterations| stretch("projective-dynamics", iterations));
    assert!((few / most - 1.0).abs() < 1e-3 && (more / most - 1.0).abs() < 1e-4, "{few} {more} {most}");
    let [few, more, most] = [10, 30, 100].map(|iterations| stretch("pbd", iterations));
    assert!(few > 3.0 * more && more > 3.0 * most, "{few} {more} {most}");
}

/// How far the free end of a strip droops that is clamped at the other [m]: 0.1 m long and as wide, with so many vertices
/// across. The mean curvature alone is no plate without a sheet that resists being stretched: a saddle has none.
fn droop(n: usize, bending: f64) -> f64 {
    let settings = [
        ("triangle_strain", ON),
        ("strain_weight", Setting::Real(300.0)),
        ("bending", ON),
        ("bending_weight", Setting::Real(bending)),
        ("iterations", Setting::Integer(200)),
    ];
    let gap = 0.1 / (n - 1) as f64;
    // two rows, or the strip would hang from a hinge; it starts at the second
    let mut simulation = projective(Pattern::grid(n + 1, n, 0.1 + gap, 0.1, Plane::Xz), &settings);
    hold(&mut simulation, |x| x.x < 1.5 * gap);
    advance(&mut simulation, 50);
    -movement(&simulation, Vec3::Z, |x| x.x > 0.1 + gap - 1e-9, Vec3::new(0.1 + gap, 0.0, 0.05)).y
}

#[test]
fn a_stiffer_strip_droops_less_and_a_finer_one_alike() {
    let [soft, stiff, stiffer] = [1e-3, 3e-3, 1e-2].map(|bending| droop(11, bending));
    assert!(soft > 1.8 * stiff && stiff > 1.8 * stiffer, "{soft} {stiff} {stiffer}");
    // the border has no curvature of its own, so that a cloth is softer by a strip of the mesh's width: an error of first order
    let [coarse, finer, finest] = [stiff, droop(17, 3e-3), droop(25, 3e-3)];
    assert!((finer / finest - 1.0).abs() < 0.07, "{finer} {finest}");
    let order = ((coarse - finest) / (finer - finest)) / ((1.0 / 10.0 - 1.0 / 24.0) / (1.0 / 16.0 - 1.0 / 24.0));
    assert!((order - 1.0).abs() < 0.15, "{coarse} {finer} {finest}: {order}");
}

#[test]
fn a_patch_that_is_pulled_and_sheared_keeps_its_area() {
    let settings = [("area", ON), ("area_weight", Setting::Real(1000.0)), ("iterations", Setting::Integer(100))];
    let areas = |area: bool| {
        let mut simulation = projective(irregular(12), &settings);
        if !area {
            with_settings(&mut simulation, &[("area", OFF)]);
        }
        simulation.parameters.gravity.gravity = 0.0;
        for x in &mut simulation.state.cloth.positions {
            *x = Vec3::new(1.3 * x.x + 0.4 * x.y, x.y, 0.0);
        }
        hold(&mut simulation, |x| x.x < 1e-9 || x.x > 1.0 - 1e-9);
        advance(&mut simulation, 60);
        let (rest, x) = (simulation.pattern().rest_positions(), &simulation.state.cloth.positions);
        let area = |at: &[Vec3], [a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| at[vertex as usize]);
            (b - a).cross(c - a).length() / 2.0
        };
        let ratio = simulation.pattern().triangles().iter().map(|&t| area(x, t) / area(rest, t));
        ratio.fold([f64::MAX, f64::MIN], |range, ratio| [range[0].min(ratio), range[1].max(ratio)])
    };
    // there are two triangles to a vertex, so that in the plane not all of them can have their area at once
    let [least, largest] = areas(true);
    assert!(least > 0.97 && largest < 1.03, "{least} to {largest}");
    let [_, loose] = areas(false);
    assert!((loose - 1.3).abs() < 1e-9, "{loose}");
}
