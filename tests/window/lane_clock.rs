//! The lanes of the window beside those of a run without a window.

use weft::app::panels::Offscreen;
use weft::scene::Scene;
use weft::session::{Command, Lanes, Session};
use weft::sim::study::correspondence::Distance;
use weft::sim::{Real, Vec3};

const STEPS: [Real; 3] = [1.0 / 60.0, 1.0 / 240.0, 1.0 / 100.0];

fn scene(step: Real, columns: &str) -> Scene {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("time_step", &*step.to_string()), ("columns", columns), ("rows", "12")] {
        scene.set(key, value).expect("a value");
    }
    scene
}

/// The window and a run without one, with a lane of each time step.
fn both(columns: [&str; 3]) -> (Offscreen, Lanes) {
    let scenes = || STEPS.iter().zip(columns).map(|(step, columns)| scene(*step, columns));
    let build = |scene: Scene| {
        let simulation = scene.build().expect("good");
        (scene, simulation)
    };
    let session = |scene: Scene| {
        let (scene, simulation) = build(scene);
        Session::new(scene, simulation)
    };
    let (first, simulation) = build(scene(STEPS[0], columns[0]));
    let mut panels = Offscreen::new(first, simulation, &[]);
    scenes().skip(1).for_each(|lane| panels.session().take_in(session(lane)));
    (panels, Lanes::new(scenes().map(session).collect()).expect("three"))
}

fn assert_same((panels, lanes): &mut (Offscreen, Lanes)) {
    let handle = panels.session();
    for (slot, lane) in lanes.lanes().iter().enumerate() {
        let (frame, simulation) = (handle.lanes()[slot].frame, lane.session().simulation());
        assert_eq!((frame.steps, frame.time), (simulation.steps(), simulation.time()), "lane {slot}");
        assert_eq!(frame.positions, simulation.state.cloth.positions, "lane {slot}");
    }
    assert_eq!(handle.distance(0), None, "the reference");
    for slot in 1..3 {
        let [window, other] = [handle.distance(slot), lanes.distance(slot)].map(|known| known.expect("all run"));
        let parts = |distance: Distance| [distance.root_mean_square, distance.largest];
        // the times of the reference are sums as well
        for (one, other) in parts(window).into_iter().zip(parts(other)) {
            assert!((one - other).abs() < 1e-9, "lane {slot}: {one} and {other} m at {} s", lanes.clock());
        }
        assert_eq!(window.vertex, other.vertex);
    }
}

fn send((panels, lanes): &mut (Offscreen, Lanes), command: Command) {
    lanes.apply(&command).expect("all can");
    panels.send(command);
    panels.settle();
}

fn tick(both: &mut (Offscreen, Lanes), ticks: usize) {
    for _ in 0..ticks {
        both.0.tick();
        both.1.tick().expect("it holds");
        assert_same(both);
    }
}

#[test]
fn lanes_have_the_distances_of_a_run_without_a_window() {
    for columns in [["12"; 3], ["12", "9", "15"]] {
        let both = &mut both(columns);
        tick(both, 20);
        send(both, Command::Grab { vertex: 70, target: Vec3::new(0.1, 1.1, 0.3) });
        tick(both, 30);
        send(both, Command::Pin { vertex: 100 });
        send(both, Command::Move { target: Vec3::new(0.2, 1.2, 0.3) });
        send(both, Command::Wind { on: true });
        tick(both, 40);
        send(both, Command::Release);
        tick(both, 30);
        // single steps are as long as ticks
        send(both, Command::Pause { on: true });
        for _ in 0..5 {
            send(both, Command::Step);
            assert_same(both);
        }
        send(both, Command::Pause { on: false });
        tick(both, 5);
        send(both, Command::Reset);
        tick(both, 20);
    }
}

#[test]
fn a_lane_with_a_longer_step_than_the_chosen_one_waits_for_the_clock() {
    let (mut panels, _) = both(["12"; 3]);
    panels.session().choose_lane(1);
    for _ in 0..40 {
        panels.tick();
        let handle = panels.session();
        let frames: Vec<_> = handle.lanes().iter().map(|lane| lane.frame.clone()).collect();
        for (frame, step) in frames.iter().zip(STEPS) {
            let ahead = frame.time - frames[1].time;
            assert!((-1e-3 * step..step).contains(&ahead), "{ahead} s ahead with a step of {step} s");
            // all are drawn as they were at one time
            assert_eq!(handle.drawn_time(frame, 1.0), frames[1].time);
        }
        assert!((1..3).all(|slot| handle.distance(slot).is_some()));
    }
    // choosing another one parts them by less than a step
    panels.session().choose_lane(0);
    panels.tick();
    let handle = panels.session();
    let time = handle.frame().time;
    assert!(
        handle.lanes().iter().zip(STEPS).all(|(lane, step)| (-1e-3 * step..step).contains(&(lane.frame.time - time)))
    );
}
