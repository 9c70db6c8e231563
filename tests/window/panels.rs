//! What the panels draw, without a screen.

use weft::app::panels::{DrawnText, Offscreen, REGISTRY};
use weft::scene::{Scalar, Scene, scene_names};
use weft::session::Command;
use weft::session::lesson::Lesson;
use weft::sim::forces::air::AirMode;
use weft::sim::solvers;

use super::harness::panels;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

fn offscreen(scene: &str, titles: &[&str]) -> Offscreen {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Offscreen::new(scene, simulation, titles)
}

/// Texts that lie over each other by more than the rounding of their boxes.
pub fn overlaps(texts: &[DrawnText]) -> Vec<(String, String)> {
    let over = |a: &DrawnText, b: &DrawnText| {
        let ([l, t, r, d], [left, top, right, down]) = (a.place, b.place);
        r.min(right) - l.max(left) > 2.0 && d.min(down) - t.max(top) > 3.0
    };
    let pairs = texts.iter().enumerate().flat_map(|(at, a)| texts[at + 1..].iter().map(move |b| (a, b)));
    pairs.filter(|(a, b)| over(a, b)).map(|(a, b)| (a.text.clone(), b.text.clone())).collect()
}

#[test]
fn every_panel_draws_something_legible_at_every_size() {
    for panel in REGISTRY {
        for size in SIZES {
            let without = offscreen("hanging", &[]).draw(size);
            let texts = offscreen("hanging", &[panel.title]).draw(size);
            assert!(texts.len() > 20, "{} at {size:?}", panel.title);
            assert_eq!(overlaps(&texts), [], "{} at {size:?}", panel.title);
            // more than its title
            if matches!(panel.place, weft::app::panels::Place::Tool { .. }) {
                let own = texts.iter().filter(|text| without.iter().all(|other| other.text != text.text)).count();
                assert!(own > 1, "{} at {size:?}: there is nothing in it", panel.title);
            }
        }
    }
}

#[test]
fn no_value_of_a_parameter_widens_the_panel() {
    let values = [
        ("drag", 0.0011),
        ("drag", 1.234e-7),
        ("lift", 0.000_987_6),
        ("damping", 0.001_234),
        ("bend_stiffness", 1.234e-8),
    ];
    for (key, value) in values {
        let mut panels = offscreen("hanging", &[]);
        panels.draw(SIZES[1]);
        let before = panels.view().width();
        panels.send(Command::Set { key: key.to_owned(), value: Scalar::Real(value) });
        for _ in 0..30 {
            panels.draw(SIZES[1]);
        }
        assert_eq!(panels.view().width(), before, "{key} = {value}");
    }
}

#[test]
fn no_measured_time_shifts_what_is_below_the_readouts() {
    for size in SIZES {
        let mut panels = offscreen("hanging", &[]);
        panels.draw(size);
        let before = panels.view();
        for (step, contact) in [(0.3, 0.1), (123.45, 67.89), (999.99, 999.99)] {
            let throughput = panels.throughput();
            (throughput.step_ms, throughput.contact_ms) = (step, contact);
            (throughput.frames_per_second, throughput.real_time_factor) = (0.1 * step, 0.01 * step);
            panels.draw(size);
            assert_eq!(panels.view(), before, "{step} ms, {contact} ms of it contact, at {size:?}");
        }
    }
}

#[test]
fn every_solver_and_every_scene_has_panels_without_overlapping_text() {
    let mut panels = offscreen("hanging", &[]);
    let mut faults = Vec::new();
    for entry in solvers::REGISTRY {
        panels.send(Command::Solver { id: entry.info.id.to_owned() });
        let texts = panels.draw(SIZES[0]);
        assert!(texts.iter().any(|text| text.text == entry.info.name), "{}", entry.info.id);
        faults.extend(overlaps(&texts).into_iter().map(|pair| (entry.info.id.to_owned(), pair)));
    }
    for name in scene_names() {
        panels.send(Command::Scene { name: name.clone() });
        let texts = panels.draw(SIZES[1]);
        faults.extend(overlaps(&texts).into_iter().map(|pair| (name.clone(), pair)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_message_and_a_blow_up_are_shown() {
    let mut panels = offscreen("hanging", &[]);
    panels.send(Command::Open { file: "nowhere.obj".to_owned() });
    let has = |texts: &[DrawnText], part: &str| texts.iter().any(|text| text.text.contains(part));
    assert!(has(&panels.draw(SIZES[0]), "nowhere.obj"));
    panels.send(Command::Dismiss);
    assert!(!has(&panels.draw(SIZES[0]), "nowhere.obj"));
    panels.send(Command::Solver { id: "symplectic-euler".to_owned() });
    for _ in 0..200 {
        panels.send(Command::Step);
    }
    let texts = panels.draw(SIZES[0]);
    assert!(has(&texts, "blew up") && has(&texts, "Restore last good state"), "{texts:#?}");
    assert_eq!(overlaps(&texts), []);
}

/// Whether the drawer of plots says, after so many steps, that the method has added energy.
fn says_that_energy_was_added(scene: &str, solver: Option<&str>, steps: usize) -> bool {
    let mut panels = offscreen(scene, &["Plots"]);
    if let Some(id) = solver {
        panels.send(Command::Solver { id: id.to_owned() });
    }
    let mut said = false;
    for step in 0..steps {
        panels.send(Command::Step);
        said |= step % 20 == 19 && panels.draw(SIZES[2]).iter().any(|text| text.text.contains("added by the method"));
    }
    said
}

#[test]
fn a_method_that_adds_energy_is_named_and_a_handle_that_gives_it_is_not_blamed_on_one() {
    assert!(says_that_energy_was_added("hanging", Some("hybrid"), 500));
    assert!(!says_that_energy_was_added("hanging", Some("implicit-euler"), 200));
    // handles pull, a collider is on its way
    assert!(!says_that_energy_was_added("pd-figure-6-10", None, 100));
    assert!(!says_that_energy_was_added("skirt", None, 60));
}

#[test]
fn a_line_says_what_one_can_do_until_something_was_in_the_hand() {
    let mut panels = offscreen("hanging", &[]);
    let has_hint =
        |panels: &mut Offscreen| panels.draw(SIZES[1]).iter().any(|text| text.text.starts_with("Drag the cloth"));
    assert!(has_hint(&mut panels));
    let target = panels.frame().positions[0];
    panels.send(Command::Grab { vertex: 0, target });
    assert!(!has_hint(&mut panels));
    panels.send(Command::Release);
    assert!(!has_hint(&mut panels), "it does not come back");
}

#[test]
fn a_vertex_that_is_looked_at_has_a_card_with_its_forces_and_springs() {
    let has = |texts: &[DrawnText], part: &str| texts.iter().any(|text| text.text.contains(part));
    let mut panels = offscreen("flag", &["Plots"]);
    panels.probe(465);
    panels.send(Command::Step);
    for size in SIZES {
        let texts = panels.draw(size);
        assert_eq!(overlaps(&texts), [], "{size:?}");
        for part in ["Vertex 465", "Elastic", "Damping", "Gravity", "Air", "Residual", "Sum = m a", "structural to"] {
            assert!(has(&texts, part), "{size:?}: no {part}");
        }
    }
    // the kind of what is left goes with what happens to the vertex, and with the method
    panels.send(Command::Pin { vertex: 465 });
    panels.send(Command::Step);
    assert!(has(&panels.draw(SIZES[1]), "Pin or hand"));
    panels.send(Command::Unpin { vertex: 465 });
    panels.send(Command::Solver { id: "pbd".to_owned() });
    panels.send(Command::Step);
    let texts = panels.draw(SIZES[1]);
    assert!(has(&texts, "Constraints") && !has(&texts, "Elastic"), "{texts:#?}");
    // several beside each other
    panels.probe(20);
    let texts = panels.draw(SIZES[2]);
    assert!(has(&texts, "Vertex 465") && has(&texts, "Vertex 20"));
    assert_eq!(overlaps(&texts), []);
    // a time line's step back tells what was then
    let now = panels.frame().probes.clone();
    panels.send(Command::GoTo { step: 1 });
    assert!(panels.frame().probes[0].forces.rest.is_some() && panels.frame().probes != now);
}

#[test]
fn what_was_done_to_lanes_is_taken_back_in_its_turn() {
    let mut panels = offscreen("hanging", &[]);
    let undo = |panels: &mut Offscreen| panels.session().undo_or_redo(false);
    let names = |panels: &mut Offscreen| panels.session().names_of_actions();
    panels.send(Command::Solver { id: "xpbd".to_owned() });
    panels.add_lane();
    assert_eq!(names(&mut panels), [Some("Lane".to_owned()), None]);
    // another method in the new lane, which then goes
    panels.session().choose_lane(1);
    panels.send(Command::Solver { id: "pbd".to_owned() });
    panels.session().swap_lanes([0, 1]);
    assert_eq!(panels.session().chosen_lane(), 0);
    panels.session().choose_lane(1);
    panels.session().remove_lane(0);
    assert_eq!(panels.session().lane_count(), 1);
    assert_eq!(names(&mut panels)[0].as_deref(), Some("Removed lane"));
    // it comes back where it was, with what was set in it
    undo(&mut panels);
    panels.wait_for_lanes(2);
    panels.tick();
    let solvers = |panels: &mut Offscreen| -> Vec<&str> {
        panels.session().lanes().iter().map(|lane| lane.frame.solver.id).collect()
    };
    assert_eq!(solvers(&mut panels), ["pbd", "xpbd"]);
    undo(&mut panels);
    assert_eq!(solvers(&mut panels), ["xpbd", "pbd"], "not swapped any more");
    undo(&mut panels);
    assert_eq!(solvers(&mut panels), ["xpbd"]);
    // then what was done to the cloth before the lanes
    assert_eq!(names(&mut panels)[0].as_deref(), Some("Solver"));
    panels.send(Command::Undo);
    assert_eq!(solvers(&mut panels), ["fast-mass-spring"]);
    // and all of it again, in the same order
    assert_eq!(names(&mut panels)[1].as_deref(), Some("Solver"));
    panels.send(Command::Redo);
    panels.session().undo_or_redo(true);
    panels.wait_for_lanes(2);
    panels.tick();
    assert_eq!(solvers(&mut panels), ["xpbd", "pbd"]);
}

#[test]
fn a_lane_takes_what_another_has_and_a_copy_can_begin_with_another_solver() {
    let mut panels = offscreen("hanging", &[]);
    panels.session().add_lane_with(vec![Command::Solver { id: "implicit-euler".to_owned() }]);
    panels.wait_for_lanes(2);
    assert_eq!(panels.session().chosen_lane(), 1, "the new lane is chosen");
    panels.session().choose_lane(0);
    panels.send(Command::Set { key: "damping".to_owned(), value: Scalar::Real(0.02) });
    panels.tick();
    let of = |panels: &mut Offscreen| -> Vec<(&'static str, f64)> {
        let lanes = panels.session().lanes();
        lanes.iter().map(|lane| (lane.frame.solver.id, lane.frame.parameters.material.damping)).collect()
    };
    assert_eq!(of(&mut panels)[0], ("fast-mass-spring", 0.02));
    assert_eq!(of(&mut panels)[1].0, "implicit-euler");
    panels.session().copy_lane([0, 1], false);
    panels.tick();
    assert_eq!(of(&mut panels)[1], ("implicit-euler", 0.02));
    panels.session().copy_lane([0, 1], true);
    panels.tick();
    assert_eq!(of(&mut panels)[1], ("fast-mass-spring", 0.02));
    // one act, which is taken back as any other
    panels.send(Command::Undo);
    assert_eq!(of(&mut panels)[1], ("implicit-euler", 0.02));
}

#[test]
fn wind_and_table_are_undone_in_all_lanes_and_a_parameter_in_the_chosen_one() {
    let mut panels = offscreen("hanging", &[]);
    panels.add_lane();
    let on = |panels: &mut Offscreen| -> Vec<[bool; 2]> {
        panels.tick();
        let lanes = panels.session().lanes();
        let parameters = lanes.iter().map(|lane| &lane.frame.parameters);
        parameters.map(|of| [of.table.table, of.air.air == AirMode::Wind]).collect()
    };
    let calm = [[false, false]; 2];
    assert_eq!(on(&mut panels), calm);
    for (command, set) in [(Command::Table { on: true }, [true, false]), (Command::Wind { on: true }, [false, true])] {
        panels.send(command);
        assert_eq!(on(&mut panels), [set; 2]);
        panels.send(Command::Undo);
        assert_eq!(on(&mut panels), calm);
        panels.send(Command::Redo);
        assert_eq!(on(&mut panels), [set; 2]);
        panels.send(Command::Undo);
        assert_eq!(on(&mut panels), calm);
    }
    // an action of the same name in one lane is undone there alone
    panels.send(Command::Table { on: true });
    panels.send(Command::Set { key: "table".to_owned(), value: Scalar::Toggle(false) });
    let others = |panels: &mut Offscreen| on(panels).iter().filter(|[table, _]| *table).count();
    assert_eq!(others(&mut panels), 1);
    panels.send(Command::Undo);
    assert_eq!(others(&mut panels), 2);
}

#[test]
fn lanes_have_a_card_each_with_what_differs_and_how_far_they_are_apart() {
    let mut panels = offscreen("hanging", &[]);
    for _ in 1..4 {
        panels.add_lane();
    }
    assert_eq!(panels.session().lane_count(), 4);
    assert!(!panels.session().can_add_lane(), "four are the most");
    let has = |texts: &[DrawnText], part: &str| texts.iter().any(|text| text.text.contains(part));
    for size in SIZES {
        let texts = panels.draw(size);
        assert_eq!(overlaps(&texts), [], "{size:?}");
        assert!(has(&texts, "one clock") && has(&texts, "bit-identical"), "{texts:#?}");
    }
    // what panels set is set in the chosen lane, what a hand does is done in all
    panels.session().choose_lane(1);
    panels.send(Command::Solver { id: "xpbd".to_owned() });
    let vertex = 465;
    let target = panels.frame().positions[vertex as usize];
    panels.send(Command::Grab { vertex, target });
    for _ in 0..40 {
        panels.tick();
    }
    let texts = panels.draw(SIZES[2]);
    assert!(has(&texts, "mm off, at most"), "{texts:#?}");
    let lanes = panels.session().lanes();
    let solvers: Vec<&str> = lanes.iter().map(|lane| lane.frame.solver.id).collect();
    assert_eq!(solvers, ["fast-mass-spring", "xpbd", "fast-mass-spring", "fast-mass-spring"]);
    assert!(lanes.iter().all(|lane| lane.frame.grab.is_some_and(|grab| grab.vertex == vertex)));
    assert!(lanes.iter().all(|lane| lane.frame.steps == 40), "one clock");
    assert_eq!(lanes[0].frame.positions, lanes[2].frame.positions, "the same method gives the same bits");
    assert_ne!(lanes[0].frame.positions, lanes[1].frame.positions);

    // one that blows up says so, keeps its last good state, and the others go on
    panels.send(Command::Release);
    panels.send(Command::Solver { id: "explicit-euler".to_owned() });
    for _ in 0..600 {
        panels.tick();
    }
    let texts = panels.draw(SIZES[2]);
    assert!(has(&texts, "blew up at t = "), "{texts:#?}");
    let lanes = panels.session().lanes();
    assert!(lanes[1].frame.failure.is_some());
    assert!(lanes.iter().filter(|lane| lane.slot != 1).all(|lane| lane.frame.failure.is_none()));
    assert_eq!(lanes[0].frame.steps, 640);

    // those that go close up, and the last one stays
    for _ in 0..4 {
        panels.session().remove_lane(1);
        panels.session().remove_lane(0);
    }
    assert_eq!(panels.session().lane_count(), 1);
}

#[test]
fn every_sign_in_what_solvers_scenes_lessons_and_parameters_say_has_a_glyph() {
    let harness = panels("hanging", &[], SIZES[1]);
    let mut said: Vec<(String, String)> = Vec::new();
    for entry in solvers::REGISTRY {
        let (info, solver) = (entry.info, (entry.build)());
        for text in [info.name, info.source, info.cost, info.summary, info.formula] {
            said.push((info.id.to_owned(), text.to_owned()));
        }
        for param in solver.settings().params() {
            said.extend(
                [param.label, param.unit, param.documentation].map(|text| (param.key.to_owned(), text.to_owned())),
            );
        }
    }
    for group in weft::sim::Parameters::default().groups() {
        for param in group.params() {
            said.extend(
                [param.label, param.unit, param.documentation].map(|text| (param.key.to_owned(), text.to_owned())),
            );
        }
    }
    for name in scene_names() {
        let scene = Scene::load(&name).expect("it comes with the program");
        said.extend([scene.title, scene.summary, scene.source].map(|text| (name.clone(), text)));
    }
    for lesson in Lesson::all().expect("they come with the program") {
        let mut add = |text: &str| said.push((lesson.id.clone(), text.to_owned()));
        add(&lesson.title);
        add(&lesson.summary);
        add("√ · → ◯");
        for step in &lesson.steps {
            add(&step.text);
            add(&step.reason);
            if let Some(predict) = &step.predict {
                add(&predict.question);
                predict.choices.iter().for_each(|choice| add(&choice.text));
            }
        }
    }
    let font = egui::FontId::proportional(12.0);
    let missing: Vec<_> = harness.ctx.fonts_mut(|fonts| {
        assert!(!fonts.has_glyphs(&font, "ᵀ"), "that the fonts lack a sign is noticed");
        let mut is_missing = |sign: &char| !sign.is_whitespace() && !fonts.has_glyphs(&font, &sign.to_string());
        said.iter().filter_map(|(of, text)| Some((of, text.chars().find(&mut is_missing)?))).collect()
    });
    assert!(missing.is_empty(), "shown as empty boxes: {missing:?}");
}

#[test]
fn lanes_of_equal_cost_are_not_comparable_any_more_when_one_of_them_fails() {
    let mut panels = offscreen("hanging", &[]);
    for (key, value) in [("columns", 7), ("rows", 7)] {
        panels.send(Command::Set { key: key.to_owned(), value: Scalar::Integer(value) });
    }
    panels.send(Command::Set { key: "time_step".to_owned(), value: Scalar::Real(0.001) });
    panels.send(Command::Solver { id: "symplectic-euler".to_owned() });
    panels.add_lane();
    panels.settle();
    panels.session().equalise_costs();
    let found = |panels: &mut Offscreen| {
        let found = panels.session().equal_cost_found();
        found.map(|found| (found.text, found.is_refused))
    };
    while panels.session().equal_cost_progress().is_some() {
        std::thread::sleep(std::time::Duration::from_millis(5));
        panels.note();
    }
    let (text, is_refused) = found(&mut panels).expect("it has been found");
    assert!(text.starts_with("Equal cost, ") && !is_refused, "{text}");
    panels.tick();
    assert_eq!(found(&mut panels), Some((text, false)));

    // a step beyond its limit, in the chosen lane alone
    let letter = if panels.session().chosen_lane() == 0 { 'A' } else { 'B' };
    panels.send(Command::Set { key: "time_step".to_owned(), value: Scalar::Real(0.1) });
    for _ in 0..400 {
        panels.tick();
        panels.note();
        if found(&mut panels).is_some_and(|(_, is_refused)| is_refused) {
            break;
        }
    }
    let (text, is_refused) = found(&mut panels).expect("the lanes are the same");
    assert!(is_refused && text.starts_with(&format!("Not comparable: {letter} failed after ")), "{text}");
    let texts = panels.draw(SIZES[1]);
    assert!(texts.iter().any(|drawn| drawn.text == text), "{texts:#?}");
    assert!(texts.iter().any(|drawn| drawn.text.ends_with("s, not comparable")), "{texts:#?}");
    // and it is not begun again while the lane stands there
    panels.session().equalise_costs();
    assert!(panels.session().equal_cost_progress().is_none());
    assert!(found(&mut panels).is_some_and(|(text, is_refused)| is_refused && text.contains(" failed at t = ")));
}
