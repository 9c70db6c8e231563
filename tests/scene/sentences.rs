//! Every sentence of a scene's summary is measured, or says why there is nothing to measure.
//!
//! The table has each sentence word for word: a text that changes without its proof fails.

use std::collections::BTreeSet;
use std::path::Path;

use weft::scene::{Scene, scene_names};
use weft::sim::constraints::tributary_widths;
use weft::sim::measure::curvatures;
use weft::sim::pattern::{Family, OneRings};
use weft::sim::solver_interface::contact_motion::longest_held;
use weft::sim::solver_interface::{ContactMotion, Processor};
use weft::sim::solvers::REGISTRY;
use weft::sim::{Real, Simulation, Vec3};

/// Proof of a sentence.
enum Proof {
    /// Measured by this function, named in messages, at once.
    Now(fn(&str) -> Result<(), String>),
    /// The same in the full tier.
    Full(fn(&str) -> Result<(), String>),
    /// Measured by a test of this file and name.
    Test(&'static str, &'static str),
    /// An invitation to the user.
    Invites,
}
use Proof::{Full, Invites, Now, Test};

/// Scenes, a sentence of all of them, and its proof.
const SENTENCES: &[(&[&str], &str, Proof)] = &[
    (
        &["body"],
        "An animal of jelly falls on the floor: tetrahedra that keep their shape and their volume.",
        Full(body),
    ),
    (&["breeze"], "A cotton cloth, held at two corners, falls and flutters in a light breeze.", Full(breeze)),
    (&["breeze"], "Pull it, pin it, cut it.", Invites),
    (&["examples-bars"], "Three bars fall on their ends.", Now(fall)),
    (
        &["examples-bars"],
        "The first has no example, the second prefers to bend and the third to twist.",
        Test("scene/examples.rs", "a_bar_is_bent_twisted_and_stretched_as_its_examples_say"),
    ),
    (&["examples-sheet"], "Two sheets are pushed together.", Now(pushed_together)),
    (&["examples-sheet"], "The one behind keeps its edge lengths.", Full(behind_keeps_its_edges)),
    (
        &["examples-sheet"],
        "The one in front may take those of its example, a wavy sheet, and hardly does: examples of triangles define lengths and angles, and folds change neither.",
        Test("scene/papers.rs", "the_sheet_with_an_example_hardly_follows_it"),
    ),
    (
        &["figure-3-soft"],
        "225 vertices of 0.1 kg on weak springs, 30 steps per second, by the stable mass-spring method, the precomputed filter and symplectic Euler, side by side: all three hold, and the sheet stretches far.",
        Test("scene/papers.rs", "figure_3_has_its_three_methods_side_by_side"),
    ),
    (
        &["figure-3-stiff"],
        "The same sheet on stiff springs: symplectic Euler fails within a second; the stable mass-spring method and the precomputed filter hold.",
        Test("scene/papers.rs", "figure_3_has_its_three_methods_side_by_side"),
    ),
    (
        &["figure-3-stiff"],
        "Both slow the motion, the first more: implicit Euler lets the free corner fall farthest.",
        Test("scene/papers.rs", "figure_3_has_its_three_methods_side_by_side"),
    ),
    (
        &["figure-4"],
        "A ribbon is swung to and fro, side by side without air and with drag and lift: the air slows it, and its end no longer whips upward.",
        Test("scene/papers.rs", "air_slows_the_ribbon_of_figure_4_and_keeps_its_end_down"),
    ),
    (
        &["figure-5"],
        "A flag on a pole flies in a gusty wind from left to right.",
        Test("scene/papers.rs", "the_flag_of_figure_5_flies_to_the_right"),
    ),
    (
        &["figure-6-many"],
        "A cloth swings down, held at six points of one edge, like a curtain.",
        Test("scene/papers.rs", "the_cloths_of_figure_6_are_held_as_they_say"),
    ),
    (
        &["figure-6-moved"],
        "Two corners of a cloth are moved along given paths, and the cloth follows.",
        Test("scene/papers.rs", "the_cloths_of_figure_6_are_held_as_they_say"),
    ),
    (
        &["figure-6-one"],
        "A cloth swings down, held at one point.",
        Test("scene/papers.rs", "the_cloths_of_figure_6_are_held_as_they_say"),
    ),
    (
        &["figure-7"],
        "The same cloth with stiffness 1, 65 and 500, side by side, with the masses and the step of figure 3 and strain limiting to 10 %.",
        Test("scene/papers.rs", "the_three_cloths_of_figure_7_hang_and_swing_and_the_softest_hangs_lowest"),
    ),
    (
        &["figure-7"],
        "All three hang and swing near that limit; the softest hangs lowest, the stiffest falls most slowly.",
        Test("scene/papers.rs", "the_three_cloths_of_figure_7_hang_and_swing_and_the_softest_hangs_lowest"),
    ),
    (
        &["figure-8"],
        "A gymnast draws a serpent: her arm goes up and down while she glides, and the ribbon follows the end of her stick.",
        Test("scene/papers.rs", "the_ribbon_of_figure_8_is_at_the_end_of_the_stick"),
    ),
    (
        &["figure-9"],
        "A cloth falls on a table and drapes, with stiffness 100 and 225, side by side: the stiffer one stretches less.",
        Test("scene/papers.rs", "the_cloths_of_figure_9_drape_over_the_table_and_the_stiffer_one_stretches_less"),
    ),
    (
        &["gymnast-serpent"],
        "A gymnast draws a serpent with a ribbon: the hand follows a recorded path.",
        Now(recorded_path),
    ),
    (&["gymnast"], "A gymnast draws a spiral with a ribbon: the hand follows a recorded path.", Now(recorded_path)),
    (
        &["kang-figure-3"],
        "With a step of four periods of its springs the harmonic oscillator has no springs: the vertices fall past the ball each by itself.",
        Test("scene/papers.rs", "without_springs_the_vertices_of_kangs_figure_3_fall_past_the_ball_each_by_itself"),
    ),
    (
        &["kang-figure-3"],
        "With a step of a twentieth of a period the same cloth drapes over it.",
        Test("scene/papers.rs", "without_springs_the_vertices_of_kangs_figure_3_fall_past_the_ball_each_by_itself"),
    ),
    (
        &["kang-figure-4"],
        "A cloth of 4225 vertices by the impulses of its springs alone, each an oscillator of its own: no matrix, and every spring in parallel.",
        Test("scene/papers.rs", "the_large_cloth_of_kangs_figure_4_swings_by_impulses_alone"),
    ),
    (
        &["kang-table-1"],
        "The cloth of the table with springs of 50 kN/m, by four methods side by side: the harmonic oscillator fails, Jacobi, implicit Euler and the hybrid hold.",
        Test("scene/papers.rs", "the_methods_of_kangs_table_1_hold_or_fail_at_50_kilonewtons_per_metre"),
    ),
    (
        &["oscillator"],
        "Masses on springs of 1 Hz, let go 20 cm below their rest, with a damping ratio of 0.1 and 15 steps per second.",
        Test("scene/papers.rs", "one_oscillator_moves_as_the_closed_forms_of_its_methods_say"),
    ),
    (
        &["oscillator"],
        "Explicit Euler diverges.",
        Test("scene/papers.rs", "one_oscillator_moves_as_the_closed_forms_of_its_methods_say"),
    ),
    (
        &["oscillator"],
        "Symplectic Euler is nearest to the exact motion, the harmonic oscillator is damped more, and a soft constraint most, as implicit Euler is.",
        Test("scene/papers.rs", "one_oscillator_moves_as_the_closed_forms_of_its_methods_say"),
    ),
    (
        &["oscillator"],
        "The mark shows the exact motion.",
        Test("scene/papers.rs", "the_mark_of_the_oscillator_moves_by_its_differential_equation"),
    ),
    (
        &["pd-figure-1-all"],
        "A house, trees, grass and laundry in one scene and one solver: edge and triangle strain, area and bending of cloth, strain and volume of bodies, examples of both, positions and contact.",
        Now(all_constraints),
    ),
    (
        &["pd-figure-12"],
        "A bar of 4130 tetrahedra and 4320 coordinates (4099 and 4290 in the paper) is twisted by a whole turn and back.",
        Full(twisted_bar),
    ),
    (
        &["pd-figure-12"],
        "The convergence window compares local/global iterations with Newton's method.",
        Test("sim/body_newton.rs", "newton_is_quadratic_on_the_bar_of_figure_12"),
    ),
    (&["pd-figure-1-all"], "10 iterations per step.", Now(ten_iterations)),
    (&["flag"], "A flag on a pole.", Now(held_at_its_left_edge)),
    (&["flag"], "The wind blows from left to right, in gusts.", Now(gusts)),
    (
        &["funnel"],
        "A cloth is pulled up by its middle through a ring, and folds to fit.",
        Test("scene/pressed.rs", "a_cloth_folds_to_fit_through_a_ring"),
    ),
    (
        &["gpu-flag", "gpu-flag-257", "gpu-flag-513"],
        "A flag of fine resolution in the wind, for a solver on the graphics processor; the finest has 1025 × 1025 vertices.",
        Now(fine),
    ),
    (
        &["gpu-million", "gpu-million-257", "gpu-million-513"],
        "A fine sheet falls over a ball and spreads on the floor.",
        Full(falls_over_a_ball),
    ),
    (
        &["gpu-million", "gpu-million-257", "gpu-million-513"],
        "For a solver on the graphics processor; the finest has 1025 × 1025 vertices.",
        Now(fine),
    ),
    (&["hanging"], "A square cloth, held at two corners, swings down from the horizontal.", Now(swings_down)),
    (
        &["hanging"],
        "Hold one corner, or many, with the pins setting.",
        Test("scene/scenes.rs", "the_hanging_cloth_can_be_held_at_one_two_or_many_points"),
    ),
    (&["heap"], "A cloth that stands on its edge is dropped, and folds onto itself.", Full(folds_onto_itself)),
    (
        &["inside-out"],
        "Two bars and a ball start squashed flat, turned inside out and both stretched and mirrored, and come back to their shape.",
        Full(come_back),
    ),
    (
        &["knot"],
        "Two ribbons in a loose reef knot are pulled tight.",
        Test("scene/pressed.rs", "a_reef_knot_is_pulled_tight_and_holds"),
    ),
    (
        &["letters"],
        "Letters of rubber lie under a cloth that falls on them: bodies and cloth in one scene.",
        Full(cloth_on_letters),
    ),
    (&["mesh"], "A poncho from an OBJ file drops on the shoulders of a dummy.", Full(poncho)),
    (&["mesh"], "Drop an OBJ file of your own on the window.", Invites),
    (
        &["pd-figure-1"],
        "A sheet of 49 152 degrees of freedom, as many as the paper's figure 1, on edge strain and bending: 64 517 constraints, 10 iterations per step.",
        Now(laundry),
    ),
    (&["pd-figure-1"], "Look at the time per step.", Invites),
    (
        &["pd-figure-11"],
        "A hippopotamus of some 8400 tetrahedra (8406 in the paper), held by its rump, with 1, 10 and 20 local/global iterations per step and at the minimum, side by side.",
        Full(hanging_body),
    ),
    (&["pd-figure-11"], "One iteration lags behind; ten look like the minimum.", Full(one_lags)),
    (
        &["pd-figure-3"],
        "A line of vertices between two springs of 50 cm whose other ends are held 2 m apart: both cannot have their length.",
        Test("scene/closed_forms.rs", "incompatible_springs_meet_in_the_middle_with_projective_dynamics_alone"),
    ),
    (
        &["pd-figure-3"],
        "Projective dynamics keeps it in the middle, where both agree.",
        Test("scene/closed_forms.rs", "incompatible_springs_meet_in_the_middle_with_projective_dynamics_alone"),
    ),
    (
        &["pd-figure-3"],
        "Position-based dynamics, in the second lane, goes from the length of one to that of the other and ends 50 cm from the middle with any number of iterations, and XPBD, in the third, with 10 iterations ends nearly there.",
        Test("scene/closed_forms.rs", "incompatible_springs_meet_in_the_middle_with_projective_dynamics_alone"),
    ),
    (
        &["pd-figure-4"],
        "19 683 degrees of freedom, 19 360 edges.",
        Test("scene/papers.rs", "the_figures_of_projective_dynamics_run_with_its_own_constraints"),
    ),
    (
        &["pd-figure-4"],
        "Raise the iterations from 10 to 100: the stiffness of the cloth does not change.",
        Full(same_stiffness),
    ),
    (&["pd-figure-4"], "With position-based dynamics it rises with every iteration.", Full(rising_stiffness)),
    (&["pd-figure-5-20"], "20 by 20 vertices.", Now(vertices_of_mesh)),
    (&["pd-figure-5-40"], "40 by 40 vertices.", Now(vertices_of_mesh)),
    (&["pd-figure-5-80"], "80 by 80 vertices.", Now(vertices_of_mesh)),
    (&["pd-figure-5-irregular"], "945 vertices at random, twice as dense on the left.", Now(dense_on_the_left)),
    (
        &["pd-figure-5-20", "pd-figure-5-40", "pd-figure-5-80", "pd-figure-5-irregular"],
        "One of four meshes of the same curtain, which is drawn together: the weights are per area, so folds and sag are alike on all meshes.",
        Full(alike_on_all_meshes),
    ),
    (
        &["pd-figure-6-10"],
        "Three curtains, free to stretch by 10, 20 and 30 % and stiff beyond, side by side: strain limiting.",
        Now(limits),
    ),
    (
        &["pd-figure-6-10"],
        "The farther a cloth may stretch, the lower it hangs and the flatter its wrinkles.",
        Test("scene/papers.rs", "the_farther_a_curtain_of_figure_6_may_stretch_the_flatter_are_its_wrinkles"),
    ),
    (
        &["pd-figure-7"],
        "A ball falls on the floor with low and high weights of strain and volume, side by side: soft and compressible, jelly, stiff and almost compressible, rubber.",
        Full(weights_of_the_ball),
    ),
    (
        &["pd-figure-8"],
        "Two bodies and a cloth fall and deform on impact as their examples show: the ball flattens and lengthens, and the bar bends.",
        Test("scene/papers.rs", "ball_and_bar_of_figure_8_follow_their_examples_and_the_cloth_hardly_does"),
    ),
    (
        &["pd-figure-8"],
        "The cloth tips over and lies flat; its example, a wavy sheet, hardly takes part.",
        Full(tips_over),
    ),
    (
        &["pd-figure-9"],
        "A thin cylinder is pressed together from above and buckles, with three bending stiffnesses and the same stretch stiffness, side by side: many small creases, dents in rows, a few large dents.",
        Full(creases),
    ),
    (
        &["report-euler"],
        "Vertices of 1 kg on springs of 100 N per strain and, in the second lane, 10 kN, with steps of 2 ms.",
        Test(
            "scene/mass_spring_report.rs",
            "the_unsymmetric_cloth_hangs_deepest_on_the_left_and_fails_at_33_milliseconds",
        ),
    ),
    (
        &["report-euler"],
        "The first stretches far and hangs deepest on the left, since its diagonals lead one way; the second swings like cloth and stretches by a few percent.",
        Test(
            "scene/mass_spring_report.rs",
            "the_unsymmetric_cloth_hangs_deepest_on_the_left_and_fails_at_33_milliseconds",
        ),
    ),
    (
        &["report-euler"],
        "With steps of 33 ms both fail at once.",
        Test(
            "scene/mass_spring_report.rs",
            "the_unsymmetric_cloth_hangs_deepest_on_the_left_and_fails_at_33_milliseconds",
        ),
    ),
    (
        &["report-fast"],
        "The same cloth, undamped, by local/global iterations with one stored factor: steps of 33 ms hold with 100 N and with 10 kN.",
        Test(
            "scene/mass_spring_report.rs",
            "fast_mass_spring_holds_at_33_milliseconds_and_moves_as_newtons_method_does",
        ),
    ),
    (
        &["report-fast"],
        "It moves as by Newton's method, in the last lane, and no step factors a matrix again.",
        Test(
            "scene/mass_spring_report.rs",
            "fast_mass_spring_holds_at_33_milliseconds_and_moves_as_newtons_method_does",
        ),
    ),
    (
        &["report-newton"],
        "The same cloth, undamped, by implicit Euler, solved by Newton's method: steps of 33 ms hold with 100 N and with 10 kN.",
        Test(
            "scene/mass_spring_report.rs",
            "newtons_method_holds_at_33_milliseconds_and_moves_nearly_as_semi_implicit_euler_at_2",
        ),
    ),
    (
        &["report-newton"],
        "With steps of 2 ms it stays within 5 % of the motion by semi-implicit Euler, in the last lane, for a second.",
        Test(
            "scene/mass_spring_report.rs",
            "newtons_method_holds_at_33_milliseconds_and_moves_nearly_as_semi_implicit_euler_at_2",
        ),
    ),
    (
        &["report-springs"],
        "Masses of 1 kg on springs of 25, 50 and 100 cm with the numbers of the listing: 8 N per strain, damping of 0.5 N·s.",
        Test("scene/mass_spring_report.rs", "springs_of_all_lengths_are_stretched_by_the_same_share_per_strain"),
    ),
    (
        &["report-springs"],
        "All come to rest stretched by the same share, 122.5 %.",
        Test("scene/mass_spring_report.rs", "springs_of_all_lengths_are_stretched_by_the_same_share_per_strain"),
    ),
    (
        &["report-springs"],
        "With a law per length, in the other lane, all are stretched by the same length, 122.5 cm.",
        Test("scene/mass_spring_report.rs", "springs_of_all_lengths_are_stretched_by_the_same_share_per_strain"),
    ),
    (&["ribbon-air"], "The same ribbon in still air: drag and lift lay it in waves that follow the hand.", Full(waves)),
    (&["ribbon-still"], "A ribbon is swung to and fro in a vacuum: its end whips and tangles.", Full(whips)),
    (&["ribbon-still"], "Compare it with the ribbon in air.", Invites),
    (
        &["skirt"],
        "A body sways and turns on its heel, and the skirt that it wears follows, swings out and winds up.",
        Test("scene/moving.rs", "a_skirt_follows_the_body_that_wears_it_and_swings_out_as_that_turns"),
    ),
    (
        &["soft-hinge"],
        "A flap at an edge that is held: its vertex cannot move along x and y but on a circle, by hard constraints of its distances, and a soft constraint of 1 Hz turns it about the edge.",
        Test("scene/closed_forms.rs", "a_flap_with_hard_distances_turns_as_the_damped_oscillator_of_its_frequency"),
    ),
    (
        &["soft-hinge"],
        "Let go 60° from its rest, it moves as the damped oscillator does, with damping ratios of 0.1, 0.3 and 1, and of 2 Hz in the last lane.",
        Test("scene/closed_forms.rs", "a_flap_with_hard_distances_turns_as_the_damped_oscillator_of_its_frequency"),
    ),
    (
        &["soft-hinge"],
        "The edges keep their lengths.",
        Test("scene/closed_forms.rs", "a_flap_with_hard_distances_turns_as_the_damped_oscillator_of_its_frequency"),
    ),
    (
        &["stability"],
        "Five by five heavy vertices, held at two corners: the cloth of Kang's table 1.",
        Now(cloth_of_table_1),
    ),
    (
        &["stability"],
        "Raise the stiffness until the method fails.",
        Test("cli/main.rs", "the_stability_of_a_solver_is_printed_beside_the_paper"),
    ),
    (
        &["stack"],
        "Eight cloths fall on each other and lie as a stack.",
        Test("scene/pressed.rs", "eight_cloths_fall_on_each_other_and_lie_as_a_stack"),
    ),
    (
        &["stage"],
        "A square cloth lies in the air over the floor, held by nothing: a beginning for a scene of your own.",
        Now(lies_in_the_air),
    ),
    (
        &["swing"],
        "A soft cloth without air by three schemes, side by side: implicit Euler damps the motion until it stops, the midpoint rule conserves energy, BDF2 is in between.",
        Test("scene/scenes.rs", "the_swings_go_on_or_die_as_they_say"),
    ),
    (&["table"], "A cloth falls on a table and drapes.", Full(drapes)),
    (&["table"], "The table can be round or square.", Test("scene/scenes.rs", "the_table_can_be_round_or_square")),
    (
        &["tablecloth-fast"],
        "A cloth is pulled at 2 m/s from under things that stand on it.",
        Test("scene/moving.rs", "a_table_cloth_is_pulled_from_under_what_stands_on_it_fast_and_slowly"),
    ),
    (
        &["tablecloth-slow"],
        "A cloth is pulled slowly from under things that stand on it.",
        Test("scene/moving.rs", "a_table_cloth_is_pulled_from_under_what_stands_on_it_fast_and_slowly"),
    ),
    (
        &["tearing"],
        "A flag in strong wind tears where its structural springs are stretched too far.",
        Test("scene/scenes.rs", "the_flag_in_the_storm_tears_after_a_while_and_not_to_dust"),
    ),
    (&["tearing"], "Cut it: hold C and draw with the mouse.", Invites),
    (
        &["test-bounce"],
        "A flat cloth falls on the floor and rises to a quarter of its height of fall, with a restitution of one half.",
        Test("scene/contact_motions.rs", "the_cloth_of_a_scene_is_at_its_mark_with_the_solver_of_the_scene"),
    ),
    (
        &["test-capstan-holds"],
        "A strip over a rod with friction, with its longer end at nine tenths of what friction can hold.",
        Now(share_of_capstan),
    ),
    (
        &["test-capstan-holds"],
        "It stays where it is.",
        Test("scene/contact_motions.rs", "the_cloth_of_a_scene_is_at_its_mark_with_the_solver_of_the_scene"),
    ),
    (
        &["test-capstan-slips"],
        "A strip over a rod with friction, with its longer end a tenth longer than friction can hold.",
        Now(share_of_capstan),
    ),
    (
        &["test-capstan-slips"],
        "It slips off.",
        Test("scene/contact_motions.rs", "the_strip_that_friction_cannot_hold_slips_off_and_lies_on_the_floor"),
    ),
    (
        &["test-heavy-on-light"],
        "A cloth is let go above one of a two-hundredth of its mass per area, which is held at its corners.",
        Now(heavy_above_light),
    ),
    (&["test-heavy-on-light"], "It must never rise above its start.", Full(never_above_its_start)),
    (
        &["test-pulley"],
        "A strip slides over a rod without friction, faster and faster, as its longer end draws it.",
        Now(faster_and_faster),
    ),
    (
        &["test-pulley"],
        "The mark shows where that end must be.",
        Test("scene/contact_motions.rs", "the_mark_of_a_scene_is_at_a_vertex_of_its_cloth_at_the_start"),
    ),
    (
        &["towel"],
        "Two opposite edges of a long towel are turned against each other, ten times in all, and back: it winds up into a rope and opens again.",
        Test("scene/pressed.rs", "a_towel_is_wound_up_by_ten_turns_and_opens_again"),
    ),
    (
        &["turntable"],
        "A ball spins under a cloth whose border lies on the floor: friction takes the cloth along and winds it up.",
        Test("scene/moving.rs", "a_spinning_ball_takes_the_cloth_along_and_winds_it_up"),
    ),
];

fn load(name: &str) -> (Scene, Simulation) {
    let scene = Scene::load(name).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    (scene, simulation)
}

/// The lanes of a scene, the first being the scene itself.
fn lanes(name: &str) -> Vec<Simulation> {
    let scene = Scene::load(name).expect("it comes with the program");
    let build = |lane: &String| scene.in_lane(lane).and_then(|scene| scene.build()).expect("good");
    scene.all_lanes().iter().map(build).collect()
}

/// With other settings.
fn with(name: &str, settings: &[(&str, &str)]) -> Simulation {
    let mut scene = Scene::load(name).expect("it comes with the program");
    for (key, value) in settings {
        if *key == "solver" { scene.set_solver(value) } else { scene.set(key, value) }.expect("in range");
    }
    scene.build().expect("good")
}

/// Steps until `seconds`, and calls `see` after each step.
fn run(simulation: &mut Simulation, seconds: Real, mut see: impl FnMut(&Simulation)) {
    while simulation.time() < seconds - 1e-9 {
        simulation.step().expect("stable");
        see(simulation);
    }
}

fn ran(mut simulation: Simulation, seconds: Real) -> Simulation {
    run(&mut simulation, seconds, |_| ());
    simulation
}

fn says(holds: bool, measured: impl std::fmt::Debug) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{measured:?}")) }
}

/// The vertices of a piece.
fn piece(simulation: &Simulation, number: usize) -> Vec<Vec3> {
    let positions = &simulation.state.cloth.positions;
    let of = simulation.pattern().piece_of_vertices();
    (0..positions.len()).filter(|&vertex| of[vertex] as usize == number).map(|vertex| positions[vertex]).collect()
}

fn mean(points: &[Vec3]) -> Vec3 {
    points.iter().sum::<Vec3>() / points.len() as Real
}

/// Lowest and highest value along an axis [m].
fn range(points: &[Vec3], axis: impl Fn(&Vec3) -> Real) -> [Real; 2] {
    points.iter().map(axis).fold([Real::INFINITY, Real::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

fn span(points: &[Vec3], axis: impl Fn(&Vec3) -> Real) -> Real {
    let [low, high] = range(points, axis);
    high - low
}

/// Volume of the tetrahedra as a share of that at rest, and the part of them that is inverted.
fn volume(simulation: &Simulation) -> [Real; 2] {
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let of = |x: &[Vec3], corners: &[u32; 4]| {
        let [a, b, c, d] = corners.map(|corner| x[corner as usize]);
        (b - a).cross(c - a).dot(d - a) / 6.0
    };
    let volumes: Vec<Real> = pattern.tetrahedra().iter().map(|corners| of(x, corners)).collect();
    let at_rest: Real = pattern.tetrahedra().iter().map(|corners| of(pattern.rest_positions(), corners)).sum();
    let inverted = volumes.iter().filter(|volume| **volume < 0.0).count();
    [volumes.iter().sum::<Real>() / at_rest, inverted as Real / volumes.len() as Real]
}

/// Root mean square change of the edges of a body, as a share of their length.
fn distortion(simulation: &Simulation, first: usize, last: usize) -> Real {
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let (of, rest) = (pattern.piece_of_vertices(), pattern.rest_positions());
    let edges = pattern.tetrahedra().iter().flat_map(|&[a, b, c, d]| [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]]);
    let ours = edges.filter(|[a, _]| (first..=last).contains(&(of[*a as usize] as usize)));
    let strains: Vec<Real> = ours
        .map(|[a, b]| [a as usize, b as usize])
        .map(|[a, b]| x[a].distance(x[b]) / rest[a].distance(rest[b]) - 1.0)
        .collect();
    (strains.iter().map(|strain| strain * strain).sum::<Real>() / strains.len() as Real).sqrt()
}

fn body(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 4.0);
    let low = range(&simulation.state.cloth.positions, |x| x.y)[0];
    let ([volume, inverted], distortion) = (volume(&simulation), distortion(&simulation, 0, 0));
    says(
        low < 0.02 && (volume - 1.0).abs() < 0.05 && inverted < 1e-3 && distortion < 0.1,
        (low, volume, inverted, distortion),
    )
}

fn breeze(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let pins = simulation.state.cloth.pins().len();
    let at = |simulation: &Simulation| mean(&simulation.state.cloth.positions);
    let start = at(&simulation).y;
    run(&mut simulation, 3.0, |_| ());
    let mut places = Vec::new();
    run(&mut simulation, 8.0, |simulation| places.push(at(simulation)));
    let (fallen, to_and_fro) = (start - places.last().expect("steps").y, span(&places, |x| x.z));
    says(pins == 2 && fallen > 0.1 && (0.02..0.5).contains(&to_and_fro), (pins, fallen, to_and_fro))
}

fn fall(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let bars = 1 + scene.pieces.len();
    let upright =
        (0..bars).all(|bar| span(&piece(&simulation, bar), |x| x.y) > 4.0 * span(&piece(&simulation, bar), |x| x.z));
    run(&mut simulation, 0.4, |_| ());
    let lowest: Vec<Real> = (0..bars).map(|bar| range(&piece(&simulation, bar), |x| x.y)[0]).collect();
    says(bars == 3 && upright && lowest.iter().all(|low| *low < 0.03), (bars, upright, lowest))
}

fn pushed_together(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let widths = |simulation: &Simulation| [0, 1].map(|number| span(&piece(simulation, number), |x| x.x));
    let before = widths(&simulation);
    run(&mut simulation, 1.6, |_| ());
    let after = widths(&simulation);
    says(before.iter().zip(after).all(|(before, after)| (before - after - 0.25).abs() < 0.01), (before, after))
}

fn behind_keeps_its_edges(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 4.0);
    let (pattern, x) = (simulation.pattern(), &simulation.state.cloth.positions);
    let (of, springs) = (pattern.piece_of_vertices(), pattern.springs());
    let behind = (0..springs.len())
        .filter(|&e| springs.families[e] == Family::Structural && of[springs.ends[e][0] as usize] == 1);
    let strains = behind.map(|e| {
        let [i, j] = springs.ends[e].map(|end| x[end as usize]);
        (i.distance(j) / springs.rest_lengths[e] - 1.0).abs()
    });
    let largest = strains.fold(0.0, Real::max);
    says(largest < 0.05, largest)
}

fn held_at_its_left_edge(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let left = range(x, |x| x.x)[0];
    let held = simulation.state.cloth.pins().iter().all(|pin| x[pin.vertex as usize].x < left + 1e-9);
    says(held && simulation.state.cloth.pins().len() == 25, simulation.state.cloth.pins().len())
}

fn gusts(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    run(&mut simulation, 2.0, |_| ());
    let mut lengths = Vec::new();
    run(&mut simulation, 6.0, |simulation| lengths.push(mean(&simulation.state.cloth.positions).with_y(0.0)));
    // it streams to the right of its pole, at x = -0.6 m, and not always as far
    let [least, most] = range(&lengths, |x| x.x + 0.6);
    says(least > 0.2 && most - least > 0.02, (least, most))
}

fn fine(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let side: u32 = name.rsplit('-').next().and_then(|last| last.parse().ok()).unwrap_or(1025);
    let entry = REGISTRY.iter().find(|entry| entry.info.id == scene.solver).expect("registered");
    let on_device = entry.info.capabilities.processor == Processor::Device;
    let [columns, rows] = [scene.first.grid.columns, scene.first.grid.rows];
    says([columns, rows] == [side; 2] && on_device, (columns, rows, scene.solver))
}

fn falls_over_a_ball(name: &str) -> Result<(), String> {
    // by the same method on the processor, coarser: the device's is compared with it elsewhere
    let coarse = [("columns", "65"), ("rows", "65"), ("solver", "projective-dynamics")];
    let simulation = ran(with(name, &coarse), 3.0);
    let x = &simulation.state.cloth.positions;
    let highest = range(x, |x| x.y)[1];
    let on_the_floor = x.iter().filter(|x| x.y < 0.05).count() as Real / x.len() as Real;
    let over_the_ball = x.iter().filter(|x| x.with_y(0.0).length() < 0.2 && x.y > 0.8).count();
    says(
        highest > 0.9 && highest < 1.02 && on_the_floor > 0.1 && over_the_ball > 0,
        (highest, on_the_floor, over_the_ball),
    )
}

fn swings_down(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let (flat, square) = (span(x, |x| x.y), span(x, |x| x.x) - span(x, |x| x.z));
    let (pins, start) = (simulation.state.cloth.pins().len(), range(x, |x| x.y)[0]);
    let mut beyond: Real = 0.0;
    let side = mean(x).z.signum();
    run(&mut simulation, 2.0, |simulation| beyond = beyond.max(-side * mean(&simulation.state.cloth.positions).z));
    let fallen = start - range(&simulation.state.cloth.positions, |x| x.y)[0];
    says(
        flat < 1e-9 && square.abs() < 1e-9 && pins == 2 && fallen > 0.7 && beyond > 0.0,
        (flat, square, pins, fallen, beyond),
    )
}

fn folds_onto_itself(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let [start, width] = [span(&simulation.state.cloth.positions, |x| x.y), 1.0];
    let mut pairs = 0;
    while simulation.time() < 2.0 {
        pairs = simulation.step().expect("stable").near_pairs.max(pairs);
    }
    let x = &simulation.state.cloth.positions;
    let ground = span(x, |x| x.x) * span(x, |x| x.z);
    says(
        start > 0.95 && span(x, |x| x.y) < 0.3 && pairs > 500 && ground < width,
        (start, span(x, |x| x.y), pairs, ground),
    )
}

fn come_back(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let pieces = 1 + simulation.pattern().pieces().len() - 1;
    let before = volume(&simulation);
    let simulation = ran(simulation, 2.0);
    let (after, distorted) = (volume(&simulation), distortion(&simulation, 0, 2));
    says(
        pieces == 3 && before[1] > 0.15 && after[1] == 0.0 && (after[0] - 1.0).abs() < 0.05 && distorted < 0.05,
        (pieces, before, after, distorted),
    )
}

fn cloth_on_letters(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 2.5);
    let (letters, cloth) = (piece(&simulation, 0), piece(&simulation, 1));
    let above = cloth.iter().filter(|x| x.y > 0.1).count() as Real / cloth.len() as Real;
    let [top, of_letters] = [&cloth, &letters].map(|points| range(points, |x| x.y)[1]);
    let low = range(&letters, |x| x.y)[0];
    says(top > 0.7 * of_letters && above > 0.3 && low < 0.03, (top, of_letters, above, low))
}

fn poncho(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let start = range(&simulation.state.cloth.positions, |x| x.y)[0];
    run(&mut simulation, 3.0, |_| ());
    let [low, high] = range(&simulation.state.cloth.positions, |x| x.y);
    let still = simulation.state.cloth.velocities.iter().map(|v| v.length()).fold(0.0, Real::max);
    let file = scene.first.mesh.as_ref().map(|mesh| mesh.file.clone()).unwrap_or_default();
    says(
        file.ends_with(".obj") && start - low > 0.1 && low > 0.3 && (1.4..1.6).contains(&high),
        (file, start, low, high, still),
    )
}

fn laundry(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let pattern = simulation.pattern();
    let inner = pattern.len() - rim(&simulation);
    let constraints = tributary_widths(pattern).len() + inner;
    says(
        3 * pattern.len() == 49_152 && constraints == 64_517 && has(&scene, "iterations", "10"),
        (3 * pattern.len(), constraints),
    )
}

/// Number of vertices on the rim.
fn rim(simulation: &Simulation) -> usize {
    let rings = OneRings::of(simulation.pattern());
    (0..simulation.pattern().len() as u32).filter(|&vertex| rings.is_on_rim(vertex)).count()
}

/// Whether a setting of the scene has this value.
fn has(scene: &Scene, key: &str, value: &str) -> bool {
    let text = scene.to_ron();
    [",", "}"].iter().any(|end| text.contains(&format!("\"{key}\": {value}{end}")))
}

fn hanging_body(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let has_iterations = |(lane, count): (&String, &str)| has(&scene.in_lane(lane).expect("good"), "iterations", count);
    let of_lanes = scene.all_lanes().iter().zip(["1", "10", "20", "60"]).all(has_iterations);
    let x = &simulation.state.cloth.positions;
    let (left, pins) = (range(x, |x| x.x)[0], simulation.state.cloth.pins());
    let held = pins.iter().all(|pin| x[pin.vertex as usize].x < left + 0.05) && !pins.is_empty();
    let count = simulation.pattern().tetrahedra().len();
    // iterations beyond the last lane's change nothing
    let [last, more] = ["60", "200"].map(|count| ran(with_lane(name, 3, count), 0.2));
    let apart = distance(&last, &more);
    says(of_lanes && held && count.abs_diff(8400) < 50 && apart < 1e-5, (scene.all_lanes(), count, apart))
}

/// Lane `place` with other iterations.
fn with_lane(name: &str, place: usize, iterations: &str) -> Simulation {
    let scene = Scene::load(name).expect("it comes with the program");
    let mut scene = scene.in_lane(&scene.all_lanes()[place]).expect("good");
    scene.set("iterations", iterations).expect("in range");
    scene.build().expect("good")
}

/// Root of the mean square of the distance between the same vertex of two cloths [m].
fn distance(one: &Simulation, other: &Simulation) -> Real {
    let squares =
        one.state.cloth.positions.iter().zip(&other.state.cloth.positions).map(|(a, b)| a.distance_squared(*b));
    (squares.sum::<Real>() / one.state.cloth.len() as Real).sqrt()
}

fn one_lags(name: &str) -> Result<(), String> {
    let ends: Vec<Simulation> = lanes(name).into_iter().map(|lane| ran(lane, 0.3)).collect();
    let apart: Vec<Real> = ends[..3].iter().map(|end| distance(end, &ends[3])).collect();
    says(apart[0] > 0.1 && apart[1] < 0.01 && apart[2] < 0.002, apart)
}

fn lowest_with(name: &str, settings: &[(&str, &str)], seconds: Real) -> Real {
    range(&ran(with(name, settings), seconds).state.cloth.positions, |x| x.y)[0]
}

fn same_stiffness(name: &str) -> Result<(), String> {
    let lows = ["10", "30", "100"].map(|iterations| lowest_with(name, &[("iterations", iterations)], 1.0));
    says(span(&lows.map(|y| Vec3::Y * y), |x| x.y) < 0.01, lows)
}

fn rising_stiffness(name: &str) -> Result<(), String> {
    let lows = ["4", "16", "64"].map(|sweeps| lowest_with(name, &[("solver", "pbd"), ("iterations", sweeps)], 1.0));
    says(lows.is_sorted_by(|a, b| a < b), lows)
}

fn vertices_of_mesh(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let side: usize = name.rsplit('-').next().and_then(|last| last.parse().ok()).expect("a number");
    says(simulation.pattern().len() == side * side, simulation.pattern().len())
}

fn dense_on_the_left(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = simulation.pattern().rest_positions();
    let [low, high] = range(x, |x| x.x);
    let left = x.iter().filter(|x| x.x < 0.5 * (low + high)).count() as Real / x.len() as Real;
    says(x.len() == 945 && (left - 2.0 / 3.0).abs() < 0.05, (x.len(), left))
}

fn alike_on_all_meshes(_: &str) -> Result<(), String> {
    let curtains = ["pd-figure-5-20", "pd-figure-5-40", "pd-figure-5-80", "pd-figure-5-irregular"].map(|name| {
        let simulation = ran(load(name).1, 3.0);
        let x = &simulation.state.cloth.positions;
        [range(x, |x| x.y)[0], span(x, |x| x.x), span(x, |x| x.z)]
    });
    let apart = [0, 1].map(|k| span(&curtains.map(|of| Vec3::X * of[k]), |x| x.x));
    says(apart[0] < 0.02 && apart[1] < 0.05, curtains)
}

fn limits(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let of_lanes = scene.all_lanes();
    let limit = |(lane, percent): (&String, Real)| {
        let scene = scene.in_lane(lane).expect("good");
        let [least, most] = [1.0 - percent / 100.0, 1.0 + percent / 100.0];
        has(&scene, "strain_min", &least.to_string()) && has(&scene, "strain_max", &most.to_string())
    };
    says(of_lanes.len() == 3 && of_lanes.iter().zip([10.0, 20.0, 30.0]).all(limit), &of_lanes)
}

fn weights_of_the_ball(name: &str) -> Result<(), String> {
    // the flattest that each ball is, and the least volume that it has, on impact
    let balls: Vec<[Real; 2]> = lanes(name)
        .into_iter()
        .map(|mut lane| {
            let height = span(&lane.state.cloth.positions, |x| x.y);
            let (mut flattest, mut least) = (1.0, 1.0);
            run(&mut lane, 1.0, |lane| {
                flattest = span(&lane.state.cloth.positions, |x| x.y).min(flattest * height) / height;
                least = volume(lane)[0].min(least);
            });
            [flattest, least]
        })
        .collect();
    let [soft, jelly, stiff, rubber] = balls[..] else { return Err(format!("{balls:?}")) };
    let by_shape = stiff[0] > soft[0] + 0.1 && rubber[0] > jelly[0] + 0.1;
    let by_volume = soft[1] < 0.8 && jelly[1] > 0.95 && stiff[1] < rubber[1] && rubber[1] > 0.97;
    says(by_shape && by_volume, balls)
}

fn tips_over(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 1.5);
    let cloth = piece(&simulation, 2);
    says(span(&cloth, |x| x.y) < 0.05, span(&cloth, |x| x.y))
}

fn creases(name: &str) -> Result<(), String> {
    let bent: Vec<Real> = lanes(name)
        .into_iter()
        .map(|lane| {
            let lane = ran(lane, 3.0);
            let curvatures = curvatures(lane.pattern(), &lane.state.cloth.positions);
            (curvatures.iter().map(|k| k * k).sum::<Real>() / curvatures.len() as Real).sqrt()
        })
        .collect();
    says(bent.is_sorted_by(|a, b| *a > 1.1 * b), bent)
}

/// Largest distance from the line between its ends to a ribbon, and the largest speed of its free end.
fn swung(name: &str) -> [Real; 3] {
    let (_, mut simulation) = load(name);
    let rows = |simulation: &Simulation| simulation.state.cloth.positions.chunks(4).map(mean).collect::<Vec<_>>();
    let (mut bent, mut fastest, mut pairs) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut before = rows(&simulation);
    while simulation.time() < 6.0 {
        let stats = simulation.step().expect("stable");
        let now = rows(&simulation);
        let free = if now[0].y < now[60].y { 0 } else { 60 };
        fastest = fastest.max(now[free].distance(before[free]) / simulation.parameters.timing.time_step);
        bent = bent.max(span(&now, |x| x.y));
        pairs = pairs.max(stats.near_pairs.into());
        before = now;
    }
    [bent, fastest, pairs]
}

fn waves(_: &str) -> Result<(), String> {
    let [air, still] = ["ribbon-air", "ribbon-still"].map(swung);
    says(air[1] < 0.7 * still[1], (air, still))
}

fn whips(_: &str) -> Result<(), String> {
    let [air, still] = ["ribbon-air", "ribbon-still"].map(swung);
    says(still[1] > 4.0 && still[2] > 0.0, (air, still))
}

fn cloth_of_table_1(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let cloth = &simulation.state.cloth;
    says(
        cloth.len() == 25 && cloth.pins().len() == 2 && cloth.masses.iter().all(|mass| *mass == 1.0),
        (cloth.len(), cloth.pins().len()),
    )
}

fn lies_in_the_air(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let x = &simulation.state.cloth.positions;
    let spans = [span(x, |x| x.x), span(x, |x| x.y), span(x, |x| x.z)];
    let free = simulation.state.cloth.pins().is_empty();
    says(free && spans[1] == 0.0 && (spans[0] - spans[2]).abs() < 1e-12 && x[0].y > 0.3, (spans, x[0].y))
}

fn drapes(name: &str) -> Result<(), String> {
    let simulation = ran(load(name).1, 3.0);
    let x = &simulation.state.cloth.positions;
    let (top, rim): (Vec<Vec3>, Vec<Vec3>) = x.iter().partition(|x| x.with_y(0.0).length() < 0.36);
    let [low, high] = range(&top, |x| x.y);
    says(low > 0.6 && high < 0.65 && range(&rim, |x| x.y)[0] < 0.45, (low, high, range(&rim, |x| x.y)))
}

fn share_of_capstan(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    let Some(ContactMotion::Capstan { ends: [short, long], radius, .. }) = scene.motion else {
        return Err("no formula".to_owned());
    };
    // the weight of an end by its length, and of the arc by the formula of the capstan with weight
    let most = longest_held(short, scene.parameters.contact.friction, radius);
    let share = long / most;
    let said = if name.ends_with("holds") { 0.9 } else { 1.1 };
    says((share - said).abs() < 0.01, (share, said))
}

fn heavy_above_light(name: &str) -> Result<(), String> {
    let (_, simulation) = load(name);
    let (light, heavy) = (piece(&simulation, 0), piece(&simulation, 1));
    let masses = &simulation.state.cloth.masses;
    // per area: 0.8 m by 0.8 m, and 0.3 m by 0.3 m
    let [of_light, of_heavy] =
        [masses[..light.len()].iter().sum::<Real>() / 0.64, masses[light.len()..].iter().sum::<Real>() / 0.09];
    let held = simulation.state.cloth.pins().len();
    says(
        (of_heavy / of_light / 200.0 - 1.0).abs() < 1e-6 && heavy[0].y > light[0].y && held == 4,
        (of_light, of_heavy, held),
    )
}

fn never_above_its_start(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let start = mean(&piece(&simulation, 1)).y;
    let mut highest = Real::NEG_INFINITY;
    run(&mut simulation, 4.0, |simulation| highest = highest.max(mean(&piece(simulation, 1)).y));
    says(highest <= start, (start, highest))
}

fn faster_and_faster(name: &str) -> Result<(), String> {
    let (scene, mut simulation) = load(name);
    let mut speeds = Vec::new();
    let end = range(&simulation.state.cloth.positions, |x| x.y)[0];
    let last = simulation.state.cloth.positions.iter().position(|x| x.y == end).expect("a vertex");
    for tenth in 1..=4 {
        run(&mut simulation, 0.1 * Real::from(tenth), |_| ());
        speeds.push(-simulation.state.cloth.velocities[last].y);
    }
    let gains = speeds.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>();
    let rises = gains.iter().all(|gain| *gain > 0.0) && gains.is_sorted_by(|a, b| a < b);
    says(scene.parameters.contact.friction == 0.0 && rises, (speeds, gains))
}

/// The sentences of a text.
fn sentences(text: &str) -> Vec<String> {
    let ends = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .filter(|&end| text[end + 1..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    let mut begins = vec![0];
    let mut parts = Vec::new();
    for end in ends.chain([text.len()]) {
        parts.push(text[begins[begins.len() - 1]..end].trim().to_owned());
        begins.push(end);
    }
    parts
}

#[test]
fn every_sentence_of_a_summary_is_in_the_table_with_its_proof() {
    let mut shown = BTreeSet::new();
    for name in scene_names() {
        let summary = Scene::load(&name).expect("it comes with the program").summary;
        shown.extend(sentences(&summary).into_iter().map(|sentence| (name.clone(), sentence)));
    }
    let proven: BTreeSet<(String, String)> = SENTENCES
        .iter()
        .flat_map(|(scenes, sentence, _)| scenes.iter().map(move |scene| ((*scene).to_owned(), (*sentence).to_owned())))
        .collect();
    let missing: Vec<_> = shown.difference(&proven).collect();
    // scenes for a solver on a device come with those solvers
    let known: BTreeSet<String> = scene_names().into_iter().collect();
    let is_shown = |scene: &str| cfg!(feature = "gpu") || known.contains(scene);
    let stale: Vec<_> = proven.difference(&shown).filter(|(scene, _)| is_shown(scene)).collect();
    assert!(missing.is_empty() && stale.is_empty(), "without a proof: {missing:#?}\nno longer said: {stale:#?}");
    for (_, sentence, proof) in SENTENCES {
        if let Test(file, name) = proof {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(text.contains(&format!("fn {name}(")), "{sentence}: no test {name} in {}", path.display());
        }
    }
}

/// Runs the proofs that `choose` takes, and fails with all sentences that do not hold.
fn prove(choose: impl Fn(&Proof) -> Option<fn(&str) -> Result<(), String>>) {
    let known: BTreeSet<String> = scene_names().into_iter().collect();
    let mut wrong = Vec::new();
    for (scenes, sentence, proof) in SENTENCES {
        let Some(measure) = choose(proof) else { continue };
        let here = scenes.iter().filter(|scene| known.contains(**scene));
        wrong.extend(here.filter_map(|scene| Some(format!("{scene}: {sentence} {}", measure(scene).err()?))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_that_can_be_measured_at_once_hold() {
    prove(|proof| if let Now(measure) = proof { Some(*measure) } else { None });
}

#[test]
#[ignore = "full tier"]
fn sentences_about_a_motion_hold() {
    prove(|proof| if let Full(measure) = proof { Some(*measure) } else { None });
}

fn recorded_path(name: &str) -> Result<(), String> {
    let text = Scene::load(name).expect("it comes with the program").to_ron();
    says(text.contains("recorded: \"assets/paths/"), text)
}

fn ten_iterations(name: &str) -> Result<(), String> {
    let scene = Scene::load(name).expect("it comes with the program");
    says(has(&scene, "iterations", "10"), scene.settings)
}

fn all_constraints(name: &str) -> Result<(), String> {
    let (scene, simulation) = load(name);
    let kinds = [
        "edge_strain",
        "triangle_strain",
        "area",
        "bending",
        "tetrahedral_strain",
        "volume",
        "cloth_examples",
        "body_examples",
        "soft_pins",
    ];
    let off: Vec<_> = kinds.iter().filter(|kind| !has(&scene, kind, "true")).collect();
    let pins = simulation.state.cloth.pins().len();
    says(off.is_empty() && pins > 0 && !simulation.pattern().tetrahedra().is_empty(), (off, pins))
}

fn twisted_bar(name: &str) -> Result<(), String> {
    let (_, mut simulation) = load(name);
    let (tetrahedra, coordinates) = (simulation.pattern().tetrahedra().len(), 3 * simulation.state.cloth.len());
    let held: Vec<usize> = simulation.state.cloth.pins().iter().map(|pin| pin.vertex as usize).collect();
    let start = simulation.state.cloth.positions.clone();
    let apart = |simulation: &Simulation, expected: &dyn Fn(Vec3) -> Vec3| {
        let x = &simulation.state.cloth.positions;
        held.iter().map(|&vertex| x[vertex].distance(expected(start[vertex]))).fold(0.0, Real::max)
    };
    // each end by half a turn about the axis of the bar, one to each side
    run(&mut simulation, 2.5, |_| ());
    let middle = mean(&start);
    let turned = apart(&simulation, &|x| Vec3::new(x.x, 2.0 * middle.y - x.y, 2.0 * middle.z - x.z));
    run(&mut simulation, 5.5, |_| ());
    let back = apart(&simulation, &|x| x);
    says(
        tetrahedra == 4130 && coordinates == 4320 && turned < 1e-3 && back < 1e-3,
        (tetrahedra, coordinates, turned, back),
    )
}
