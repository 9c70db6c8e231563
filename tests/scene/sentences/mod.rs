//! Every sentence of a scene's summary is measured, or says why there is nothing to measure.
//!
//! The table has each sentence word for word: a text that changes without its proof fails.

mod measures;
mod tools;

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use weft::scene::{Scene, scene_names};

use measures::*;

/// Measures what a sentence says of a scene.
type Measure = fn(&str) -> Result<(), String>;

/// Proof of a sentence.
enum Proof {
    /// Measured at once.
    Now(Measure),
    /// The same in the full tier.
    Full(Measure),
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
    (
        &["cape"],
        "A figure walks on the spot against the wind, as on a treadmill, and its cape flies behind it.",
        Test("scene/moving.rs", "a_cape_flies_behind_a_figure_that_walks_on_the_spot"),
    ),
    (
        &["cape"],
        "The cape stretches by less than 5 % and stays outside the body, with a step for each frame of a game at 60 Hz.",
        Test("scene/moving.rs", "a_cape_flies_behind_a_figure_that_walks_on_the_spot"),
    ),
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
        &["kang-figure-5"],
        "The cloth of table 1 starts folded in two, by implicit Euler with springs of 1 GN/m and, in the second lane, of 950 kN/m, the limit in the paper.",
        Test(
            "scene/papers.rs",
            "the_folded_cloth_of_kangs_figure_5_opens_the_more_slowly_the_stiffer_it_is_and_jacobi_fails",
        ),
    ),
    (
        &["kang-figure-5"],
        "After half a second the first is still folded, and the second is open: the stiffer its springs, the longer the cloth takes to open.",
        Test(
            "scene/papers.rs",
            "the_folded_cloth_of_kangs_figure_5_opens_the_more_slowly_the_stiffer_it_is_and_jacobi_fails",
        ),
    ),
    (
        &["kang-figure-5"],
        "By Jacobi iterations with 950 kN/m, in the last lane, it fails.",
        Test(
            "scene/papers.rs",
            "the_folded_cloth_of_kangs_figure_5_opens_the_more_slowly_the_stiffer_it_is_and_jacobi_fails",
        ),
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
    (
        &["pd-figure-1-all"],
        "49 191 degrees of freedom, as many as the paper's figure 1, and 133 399 constraints besides the examples: each kind acts on all cloth or all bodies.",
        Now(size_of_figure_1),
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
        &["pd-figure-2"],
        "Twelve triangles of a cloth that its own weight stretches by more than a tenth.",
        Now(twelve_stretched_triangles),
    ),
    (
        &["pd-figure-2"],
        "Green: each triangle as near as it can be without any stretch, its projection onto the set of admissible shapes.",
        Now(projections_without_stretch),
    ),
    (&["pd-figure-2"], "Orange: the distance of its corners from there.", Now(projections_without_stretch)),
    (&["pd-figure-2"], "Pull the cloth: green triangles turn and never stretch.", Now(projections_of_a_pulled_cloth)),
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
        &["pd-figure-8-cars"],
        "Three cars, surfaces of 196 vertices carried by coarse bodies of tetrahedra, collide: two slide down ramps into each other, and one falls on them.",
        Full(cars_collide),
    ),
    (
        &["pd-figure-8-cars"],
        "They deform as their examples show, most of all on impact: the red one gets shorter, the blue one bends and the yellow one twists.",
        Test("scene/papers.rs", "the_cars_of_figure_8_deform_as_their_examples_when_they_collide"),
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
        &["test-cantilever"],
        "A strip of cotton, clamped level in its middle, bends under its weight.",
        Test("scene/contact_motions.rs", "the_strip_bends_as_the_elastica_does"),
    ),
    (
        &["test-cantilever"],
        "The mark shows where its right end comes to rest by the exact curve.",
        Test("scene/contact_motions.rs", "the_strip_bends_as_the_elastica_does"),
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
        &["test-drape"],
        "A disc of cotton of 30 cm, held between two discs of 18 cm, while the plate below it goes down, as in BS 5058.",
        Test("scene/contact_motions.rs", "the_disc_drapes_over_the_discs_in_folds"),
    ),
    (
        &["test-drape"],
        "It comes to hang in folds.",
        Test("scene/contact_motions.rs", "the_disc_drapes_over_the_discs_in_folds"),
    ),
    (
        &["test-incline"],
        "A cloth lies on a plane with a slope of 0.36.",
        Test("scene/contact_motions.rs", "friction_holds_one_cloth_on_the_incline_and_lets_the_other_slide"),
    ),
    (
        &["test-incline"],
        "A friction of 0.45 holds it; beside it one of 0.3 lets it slide, and the mark shows how far.",
        Test("scene/contact_motions.rs", "friction_holds_one_cloth_on_the_incline_and_lets_the_other_slide"),
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
        &["test-shear"],
        "A bar of 200 g between two strips of cotton, which are held with a strain of 0.5 %, shears them by its weight.",
        Test("scene/contact_motions.rs", "a_bar_shears_two_strips_by_its_weight_and_their_modulus"),
    ),
    (
        &["test-shear"],
        "The mark shows where its lower end comes to rest by the shear modulus.",
        Test("scene/contact_motions.rs", "a_bar_shears_two_strips_by_its_weight_and_their_modulus"),
    ),
    (
        &["test-sheet-in-air"],
        "A level sheet, stiff and of 30 g/m², falls in still air at its terminal velocity and lands level.",
        Test("scene/contact_motions.rs", "a_sheet_falls_in_air_at_its_terminal_velocity_and_freely_in_a_vacuum"),
    ),
    (
        &["test-sheet-in-air"],
        "The mark shows where it must be; beside it, in a vacuum, it falls freely.",
        Test("scene/contact_motions.rs", "a_sheet_falls_in_air_at_its_terminal_velocity_and_freely_in_a_vacuum"),
    ),
    (
        &["test-swing"],
        "A strip of cotton of 20 cm hangs from its upper edge in still air and is let go at 10 degrees.",
        Test("scene/contact_motions.rs", "the_swing_of_a_strip_halves_as_in_the_laboratory_and_later_in_a_vacuum"),
    ),
    (
        &["test-swing"],
        "Its amplitude halves in half a second, as in the laboratory of weft textile; beside it, in a vacuum, it takes longer.",
        Test("scene/contact_motions.rs", "the_swing_of_a_strip_halves_as_in_the_laboratory_and_later_in_a_vacuum"),
    ),
    (
        &["test-tension"],
        "Two strips of cotton, one along the warp and one cut on the bias, are stretched by jaws of 160 g.",
        Test("scene/contact_motions.rs", "a_jaw_stretches_a_strip_by_its_modulus_and_one_on_the_bias_much_farther"),
    ),
    (
        &["test-tension"],
        "The mark shows where the first comes to rest by its modulus; the other stretches nearly eight times as far.",
        Test("scene/contact_motions.rs", "a_jaw_stretches_a_strip_by_its_modulus_and_one_on_the_bias_much_farther"),
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
fn prove(choose: impl Fn(&Proof) -> Option<Measure>) {
    let known: BTreeSet<String> = scene_names().into_iter().collect();
    let chosen = SENTENCES.iter().filter_map(|(scenes, sentence, proof)| Some((scenes, sentence, choose(proof)?)));
    let runs: Vec<_> = chosen
        .flat_map(|(scenes, sentence, measure)| scenes.iter().map(move |scene| (*scene, sentence, measure)))
        .filter(|(scene, ..)| known.contains(*scene))
        .collect();
    // one by one: some take a minute, and neighbours are of one scene
    let fault = |(scene, sentence, measure): &(&str, &&str, Measure)| {
        Some(format!("{scene}: {sentence} {}", measure(scene).err()?))
    };
    let wrong: Vec<String> = runs.par_iter().with_max_len(1).filter_map(fault).collect();
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
