//! Lessons: every step is met by its own commands and by nothing less, and a prediction is judged by
//! measurement.

use weft::scene::Scene;
use weft::session::lesson::{Condition, Lesson, LessonMeasure, Measured, Rehearsal, Seen, StepReport, Walk};
use weft::session::{Command, Session};
use weft::sim::quantities::{MEASURES, Measure};
use weft::sim::study::sweep::measure_run;

use crate::desk::advance;

#[path = "../shared/seed.rs"]
mod seed;

fn all() -> Vec<Lesson> {
    Lesson::all().expect("they come with the program")
}

/// A lesson that changes from day to day.
fn one() -> Lesson {
    let mut lessons = all();
    let at = seed::seed() % lessons.len();
    lessons.swap_remove(at)
}

/// Walks through a lesson, with every choice of each prediction once.
fn is_walked(lesson: &Lesson) {
    let mut walk = Rehearsal::begin(lesson.clone()).expect("it can be built");
    loop {
        let place = format!("{}, step {}", lesson.id, walk.walk().at() + 1);
        let report: StepReport = walk.show(1).expect("its commands can be executed");
        assert!(report.is_met, "{place}: {:#?}", report.readings);
        let outcome = report.outcome.expect("it is met");
        assert!(!outcome.reason.contains("unknown"), "{place}: {}", outcome.reason);
        assert!(report.broken.is_empty(), "{place} says otherwise: {:#?}", report.broken);
        if walk.walk().step().predict.is_some() {
            assert_eq!(report.right.len(), 1, "{place}: right are {:?}", report.right);
            assert_eq!(outcome.right, report.right.first().copied(), "{place}");
        }
        if !walk.go_on().expect("the next step can be built") {
            assert!(walk.walk().is_last() && walk.walk().can_go_on(), "{place}");
            return;
        }
    }
}

#[test]
fn a_lesson_and_a_sweep_measure_the_same_of_a_run() {
    let scene = Scene::load("hanging").expect("it comes with the program");
    let mut alone = scene.build().expect("it can be built");
    let mut session = Session::new(scene.clone(), scene.build().expect("it can be built"));
    // a speed is that of the last step's way in a frame, and times of the machine differ
    let is_same = |measure: &&Measure| !measure.is_timing() && measure.key != "end_speed";
    let measures: Vec<&Measure> = MEASURES.iter().filter(is_same).collect();
    let outcome = measure_run(&mut alone, 12, &measures);
    let frame = session.frame(0);
    let mut measured = Measured::begin(&Seen { frames: &[&frame], distances: &[None] }, &[1.0]);
    let mut last = frame;
    for _ in 0..12 {
        advance(&mut session, 1);
        last = session.frame(0);
        measured.follow(&Seen { frames: &[&last], distances: &[None] });
    }
    let seen = Seen { frames: &[&last], distances: &[None] };
    let mut known = 0;
    for (measure, expected) in measures.iter().zip(outcome.values) {
        let value = measured.value(LessonMeasure::find(measure.key).expect("a name"), 0, &seen);
        // a frame counts intersections only where they are watched
        if measure.key != "intersections" {
            assert_eq!(value, expected, "{}", measure.key);
        }
        known += u32::from(value.is_some());
    }
    assert!(known > 20, "{known}");
}

#[test]
fn there_are_ten_lessons_of_five_to_eight_steps_in_order() {
    let lessons = all();
    assert_eq!(lessons.iter().map(|lesson| lesson.number).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    for lesson in &lessons {
        assert!((5..=8).contains(&lesson.steps.len()), "{}", lesson.id);
        let asked = lesson.steps.iter().filter(|step| step.predict.is_some()).count();
        assert!(asked >= 3, "{}: {asked} predictions", lesson.id);
        let measured = lesson.steps.iter().all(|step| !step.holds.is_empty());
        assert!(measured, "{}: nothing measures what a reason says", lesson.id);
        assert!(lesson.steps.iter().all(|step| !step.points.is_empty()), "{}: a step points at nothing", lesson.id);
    }
}

#[test]
fn a_lesson_of_the_day_is_walked_to_its_end_by_its_own_commands() {
    is_walked(&one());
}

#[test]
#[ignore = "full tier"]
fn every_lesson_is_walked_to_its_end_by_its_own_commands() {
    all().iter().for_each(is_walked);
}

#[test]
fn by_triangles_a_coarse_and_a_fine_cloth_fall_as_far_as_the_lesson_says() {
    let mut lesson = Lesson::load("drag-and-lift").expect("it comes with the program");
    let at = lesson.steps.iter().position(|step| step.reason.contains("both meshes fall by 1.3 m"));
    let at = at.expect("a step says so");
    let step = &mut lesson.steps[at];
    let before = step.arrange.len();
    step.arrange.retain(|command| !matches!(command, Command::Set { key, .. } if key == "air_model"));
    assert_eq!(step.arrange.len(), before - 1, "the air acts on triangles now");
    let of = LessonMeasure::find("fall").expect("it is measured");
    step.holds = (0..2)
        .flat_map(|lane| [Condition::Above { of, lane, value: 1.25 }, Condition::Below { of, lane, value: 1.35 }])
        .collect();
    let mut walk = Rehearsal::begin_at(lesson, at).expect("it can be built");
    let report = walk.show(0).expect("its commands can be executed");
    assert!(report.is_met && report.broken.is_empty(), "{:#?}", report.broken);
}

#[test]
fn no_step_is_met_by_doing_nothing() {
    for lesson in all() {
        for at in 0..lesson.steps.len() {
            let place = format!("{}, step {}", lesson.id, at + 1);
            let mut walk = Rehearsal::begin_at(lesson.clone(), at).expect("it can be built");
            if walk.walk().asks() {
                walk.predict(0).expect("a choice");
            }
            for _ in 0..80 {
                assert!(!walk.tick().expect("nothing is stopped"), "{place}");
            }
            assert!(walk.walk().outcome().is_none() && !walk.walk().can_go_on(), "{place}");
            assert!(!walk.go_on().expect("nothing happens"), "{place}");
        }
    }
}

#[test]
fn nothing_counts_before_a_prediction_and_a_late_one_begins_the_step_again() {
    let lesson = Lesson::load("explicit-euler").expect("it comes with the program");
    let mut walk = Rehearsal::begin_at(lesson, 1).expect("it can be built");
    for command in walk.walk().step().show.clone() {
        walk.apply(&command).expect("it can be executed");
    }
    for _ in 0..200 {
        walk.tick().expect("nothing is stopped");
    }
    assert!(walk.walk().asks() && walk.walk().outcome().is_none());
    assert!(walk.lanes().lanes()[0].session().simulation().time() > 0.0);
    walk.predict(0).expect("a choice");
    assert_eq!(walk.lanes().lanes()[0].session().simulation().time(), 0.0);
    assert!(walk.walk().outcome().is_none());
}

#[test]
fn a_wrong_prediction_gets_the_measured_reason() {
    let lesson = Lesson::load("explicit-euler").expect("it comes with the program");
    let mut said = Vec::new();
    for choice in 0..2 {
        let mut walk = Rehearsal::begin_at(lesson.clone(), 1).expect("it can be built");
        let report = walk.show(choice).expect("its commands can be executed");
        let outcome = report.outcome.expect("it is met");
        assert_eq!((walk.walk().predicted(), outcome.right), (Some(choice), Some(1)));
        assert!(outcome.reason.contains(" ms") && !outcome.reason.contains('{'), "{}", outcome.reason);
        said.push(outcome.reason);
    }
    assert_eq!(said[0], said[1], "the reason is that of the measurement, whatever was predicted");
}

#[test]
fn going_back_begins_the_step_before_and_the_way_on_stays_open() {
    let lesson = Lesson::load("explicit-euler").expect("it comes with the program");
    let mut walk = Rehearsal::begin(lesson).expect("it can be built");
    assert!(!walk.go_back().expect("there is none"));
    assert!(walk.show(0).expect("it is shown").is_met && walk.go_on().expect("it can be built"));
    assert!(walk.go_back().expect("it can be built"));
    assert_eq!(walk.walk().at(), 0);
    assert!(walk.walk().outcome().is_none() && walk.walk().can_go_on());
    assert!(walk.lanes().lanes()[0].session().simulation().time() == 0.0);
    assert!(walk.go_on().expect("it can be built"));
}

#[test]
fn a_reset_or_a_change_that_undoes_the_experiment_does_not_meet_a_step() {
    let lesson = Lesson::load("explicit-euler").expect("it comes with the program");
    let mut walk = Rehearsal::begin(lesson).expect("it can be built");
    walk.apply(&Command::Pause { on: false }).expect("it can be executed");
    for _ in 0..150 {
        assert!(!walk.tick().expect("nothing is stopped"), "1.5 s of 2 s");
    }
    walk.apply(&Command::Reset).expect("it can be executed");
    for _ in 0..150 {
        assert!(!walk.tick().expect("nothing is stopped"), "1.5 s of 2 s after the reset");
    }
    assert!((0..60).any(|_| walk.tick().expect("nothing is stopped")));
}

/// A lesson file with `steps` as its steps.
fn file_of(steps: &str) -> String {
    format!("(number: 1, title: \"T\", summary: \"S\", scene: \"hanging\", steps: [{steps}])")
}

const STEP: &str = "(text: \"a\", until: above(of: time, value: 1), show: [pause(on: false)], reason: \"b {time}\"),";

#[test]
fn a_broken_lesson_file_is_refused_with_file_place_and_remedy() {
    let long = "x".repeat(281);
    let step = |from: &str, to: &str| file_of(&(STEP.repeat(4) + &STEP.replace(from, to)));
    let choices = |count: usize| {
        let choice = "(text: \"c\", when: blown_up()),".repeat(count);
        format!("predict: (question: \"q\", choices: [{choice}]), until")
    };
    let cases = [
        (file_of(&STEP.repeat(4)), "4 steps; a lesson has 5 to 8"),
        (file_of(&STEP.repeat(9)), "9 steps; a lesson has 5 to 8"),
        (step("\"a\"", &format!("\"{long}\"")), "step 5: the text has 281 characters; shorten it to 280"),
        (step("\"a\"", "\"\""), "step 5: the text is empty"),
        (step("until", &choices(1)), "step 5: 1 choices; a prediction has 2 to 3"),
        (step("until", &choices(4)), "step 5: 4 choices; a prediction has 2 to 3"),
        (step("{time}", "{tim}"), "step 5: the reason names the quantity \"tim\"; did you mean one of end_time, time?"),
        (step("{time}", "{time B}"), "step 5: the reason names a lane that does not exist"),
        (step("of: time", "of: time, lane: 1"), "step 5: lane 1 does not exist"),
        (step("of: time", "of: tim"), "line 1, column"),
        (step("above(of: time, value: 1)", "solver(id: \"pbdd\")"), "did you mean \"pbd\"?"),
        (step("above(of: time, value: 1)", "setting(key: \"schem\", value: \"x\")"), "there is no parameter \"schem\""),
        (step("above(of: time, value: 1)", "all([])"), "a list of conditions is empty"),
        (step("pause(on: false)", ""), "step 5: no commands to show it by"),
        (step("pause(on: false)", "puase(on: false)"), "did you mean"),
        (step("text", "texts"), "there is no field \"texts\"; did you mean \"text\"?"),
        (file_of(&STEP.repeat(5)).replace("scene: \"hanging\",", ""), "needs either a scene"),
    ];
    for (text, expected) in cases {
        let error = Lesson::parse(&text, "mine.ron").expect_err(expected).to_string();
        assert!(error.starts_with("mine.ron") && error.contains(expected), "{error}\nis to contain {expected}");
    }
}

#[test]
fn a_step_that_cannot_be_built_is_refused_with_its_number() {
    let cases = [
        ("text", "arrange: [set(key: \"time_step\", value: 9.0)], text", "outside 0.0001 to 0.1 s"),
        ("text", "lanes: [\"solver=none\"], text", "none"),
        ("text", "points: [vertex(100000)], text", "vertex 100000 does not exist; the cloth has 900 vertices"),
    ];
    for (from, to, expected) in cases {
        let text = file_of(&(STEP.replace(from, to) + &STEP.repeat(4)));
        let lesson = Lesson::parse(&text, "mine.ron").expect("it can be read");
        let error = Walk::begin(lesson).err().expect(expected).to_string();
        assert!(error.contains("step 1") && error.contains(expected), "{error}");
    }
    let unknown = Lesson::load("explicit").expect_err("there is none").to_string();
    assert!(unknown.contains("did you mean \"explicit-euler\"?"), "{unknown}");
}
