//! Lessons in the window: targets, the card, and the way back to one's own cloth.

use weft::app::panels::{Offscreen, REGISTRY, Turn};
use weft::scene::{Scalar, Scene};
use weft::session::lesson::{Lesson, Target};
use weft::session::{Command, Session};

use super::panels::overlaps;

const SIZES: [[f32; 2]; 3] = [[900.0, 560.0], [1280.0, 720.0], [1920.0, 1080.0]];

fn offscreen(scene: &str) -> Offscreen {
    let scene = Scene::load(scene).expect("it comes with the program");
    let simulation = scene.build().expect("good");
    Offscreen::new(scene, simulation, &[])
}

fn lesson(id: &str) -> Lesson {
    Lesson::load(id).expect("it comes with the program")
}

/// Name of the control that a target is, if it is one.
fn control(target: &Target) -> Option<String> {
    match target {
        Target::Panel(title) => Some(title.to_lowercase()),
        Target::Slider(key) => Some(format!("row {key}")),
        Target::Control(name) => Some(name.clone()),
        Target::Key(_) | Target::Vertex(_) => None,
    }
}

/// Draws until sections have unfolded and panels have been scrolled.
fn settle(panels: &mut Offscreen, size: [f32; 2]) -> Vec<weft::app::panels::DrawnText> {
    (0..9).for_each(|_| drop(panels.draw(size)));
    panels.draw(size)
}

#[test]
fn every_target_of_every_step_is_in_the_window_at_three_sizes() {
    let mut faults = Vec::new();
    let keys = Offscreen::keys();
    let mut panels = offscreen("hanging");
    for lesson in Lesson::all().expect("they come with the program") {
        for (at, step) in lesson.steps.iter().enumerate() {
            for size in SIZES {
                let place = format!("{}, step {}, at {size:?}", lesson.id, at + 1);
                panels.begin_lesson(lesson.clone(), at).expect("it can be built");
                let texts = settle(&mut panels, size);
                faults.extend(overlaps(&texts).into_iter().map(|pair| format!("{place}: {pair:?} overlap")));
                let view = panels.view();
                if view.width() < 0.45 * size[0] || view.height() < 0.36 * size[1] {
                    faults.push(format!("{place}: the cloth has only {view:?}"));
                }
                let names: Vec<String> = step.points.iter().filter_map(control).collect();
                let is_seen = |name: &String| {
                    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
                    let places = panels.pointed_at();
                    let found =
                        places.iter().find(|(pointed, _)| pointed == name).map(|(_, rect)| rect.intersect(screen));
                    // a panel that scrolls shows the first one; others are in it
                    let is_first = names.first() == Some(name);
                    found.is_some_and(|rect| !is_first || (rect.width() > 10.0 && rect.height() > 10.0))
                };
                for target in &step.points {
                    let is_there = match target {
                        Target::Panel(title) => REGISTRY.iter().any(|panel| panel.title == title),
                        Target::Key(key) => keys.iter().any(|known| known == key),
                        Target::Vertex(vertex) => (*vertex as usize) < panels.frame().positions.len(),
                        Target::Slider(_) | Target::Control(_) => true,
                    };
                    if !is_there || !control(target).is_none_or(|name| is_seen(&name)) {
                        faults.push(format!("{place}: {target:?}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The state of each lane, and what can be undone in it.
fn states(panels: &mut Offscreen) -> Vec<(String, Option<String>)> {
    let count = panels.session().lane_count();
    let chosen = panels.session().chosen_lane();
    let mut states = Vec::new();
    for lane in 0..count {
        panels.session().choose_lane(lane);
        let asked = panels.session().ask(|session: &Session| session.snapshot().to_json());
        let undo = panels.frame().timeline.undo.clone();
        states.push((asked.recv().expect("the session answers"), undo));
    }
    panels.session().choose_lane(chosen);
    states
}

fn set(key: &str, value: f64) -> Command {
    Command::Set { key: key.to_owned(), value: Scalar::Real(value) }
}

#[test]
fn leaving_a_lesson_puts_everything_back() {
    let mut panels = offscreen("hanging");
    panels.add_lane();
    (0..20).for_each(|_| panels.tick());
    panels.send(set("gravity", 5.0));
    panels.send(Command::Finish);
    panels.tick();
    panels.send(Command::Pause { on: true });
    panels.settle();
    panels.note();
    let (before, table) = (states(&mut panels), panels.table());
    let (chosen, time) = (panels.session().chosen_lane(), panels.frame().time);

    // first words, since the panel breaks the sentence
    let [of_own, of_lesson] = ["A square cloth, held", "A soft cloth without air"];
    for (scene, words) in [("hanging", of_own), ("swing", of_lesson)] {
        assert!(Scene::load(scene).expect("it comes with the program").summary.starts_with(words));
    }
    // so high that nothing is scrolled away
    let says = |panels: &mut Offscreen, words: &str| {
        settle(panels, [1280.0, 3000.0]).iter().any(|text| text.text.starts_with(words))
    };
    assert!(says(&mut panels, of_own));
    for at in [0, 3] {
        panels.begin_lesson(lesson("implicit-damping"), at).expect("it can be built");
        assert_eq!(panels.frame().time, 0.0);
        assert!(says(&mut panels, "Swing") && !says(&mut panels, of_lesson), "the title without the summary");
        panels.turn_lesson(Turn::Predict(0));
        panels.turn_lesson(Turn::ShowMe);
        (0..30).for_each(|_| panels.tick());
        panels.note();
        panels.draw(SIZES[1]);
        panels.send(Command::Solver { id: "xpbd".to_owned() });
        panels.turn_lesson(Turn::Leave);
        assert!(panels.lesson().is_none());
        assert!(says(&mut panels, of_own));
        assert_eq!(panels.session().chosen_lane(), chosen);
        assert_eq!(panels.frame().time, time);
        assert!(states(&mut panels) == before, "the lanes have other bits, or other actions to undo");
        assert_eq!(panels.table(), table);
    }
    assert!(panels.session().paused());
    panels.send(Command::Undo);
    assert_eq!(panels.frame().parameters.gravity.gravity, 9.8);
    panels.send(Command::Redo);
    assert_eq!(panels.frame().parameters.gravity.gravity, 5.0);
    panels.send(Command::Pause { on: false });
    panels.tick();
    assert!(panels.frame().time > time);
}

#[test]
fn a_lesson_is_walked_through_by_its_card() {
    let mut panels = offscreen("hanging");
    let lesson = lesson("explicit-euler");
    let count = lesson.steps.len();
    panels.begin_lesson(lesson, 0).expect("it can be built");
    for at in 0..count {
        let walk = panels.lesson().expect("it goes on");
        assert_eq!(walk.at(), at);
        let asks = walk.asks();
        let texts = panels.draw(SIZES[1]);
        assert!(texts.iter().any(|text| text.text.contains(&format!("step {} of {count}", at + 1))));
        if asks {
            panels.turn_lesson(Turn::Predict(0));
        }
        panels.turn_lesson(Turn::ShowMe);
        for _ in 0..6000 {
            panels.draw(SIZES[1]);
            if panels.lesson().is_some_and(|walk| walk.outcome().is_some()) {
                break;
            }
            panels.tick();
        }
        let walk = panels.lesson().expect("it goes on");
        assert!(walk.outcome().is_some(), "step {}: {:?}", at + 1, walk.readings());
        assert!(panels.session().paused(), "step {}: time goes on after the answer", at + 1);
        panels.turn_lesson(Turn::Next);
    }
    assert!(panels.lesson().is_none(), "it ends after its last step");
}
