//! What would come of another value of a parameter, while the session goes on: what a film strip shows.

use weft::scene::{Scalar, Scene};
use weft::session::{Command, Session};
use weft::sim::params::{Kind, Setting, Span};
use weft::sim::solver_interface::Group;
use weft::sim::study::film::Picture;
use weft::sim::{Canceller, Vec3, solvers};

/// A session of a small cloth, some steps old, with the hand on it.
fn session(scene: &str, solver: &str) -> Session {
    let mut scene = Scene::load(scene).expect("it comes along");
    for (key, value) in [("columns", "12"), ("rows", "12")] {
        scene.set(key, value).expect("good");
    }
    let mut simulation = scene.build().expect("good");
    assert!(simulation.set_solver(solver));
    if simulation.solver().info().group == Group::Explicit {
        simulation.parameters.timing.time_step = 0.0005;
    }
    let mut session = Session::new(scene, simulation);
    let target = session.simulation().state.cloth.positions[77] + Vec3::new(0.02, 0.03, 0.1);
    session.apply(Command::Grab { vertex: 77, target });
    for _ in 0..12 {
        session.tick().expect("stable");
    }
    session
}

/// Every parameter with a slider, with values spread over it.
fn spread(session: &Session) -> Vec<(&'static str, Vec<String>)> {
    let simulation = session.simulation();
    let groups = simulation.parameters.groups().chain([simulation.solver().settings()]);
    let all = groups.flat_map(|group| {
        let values = |index: usize| {
            let (param, now) = (&group.params()[index], group.get(index));
            let values = Span::of(param.kind, now)?.spread(param.kind, now, 7);
            Some((param.key, values.into_iter().map(|value| param.show(value)).collect()))
        };
        (0..group.params().len()).filter_map(values).collect::<Vec<_>>()
    });
    all.collect()
}

#[test]
fn a_picture_is_to_the_bit_what_the_session_becomes_with_its_value() {
    for solver in ["fast-mass-spring", "projective-dynamics", "implicit-euler", "xpbd", "symplectic-euler"] {
        // the hand is on the slider when somebody looks at a strip
        let mut session = session("flag", solver);
        session.apply(Command::Release);
        let present = session.present();
        let before = session.simulation().fingerprint();
        for key in ["structural_stiffness", "wind_speed", "gravity", "time_step", "damping"] {
            let all = spread(&session);
            let (_, values) = all.iter().find(|(of, _)| *of == key).expect("it has a slider");
            for value in [&values[0], &values[4]] {
                let mut other = Session::new(session.scene(), present.with(&[(key, value)]).expect("good"));
                let mut picture = Picture::new(present.with(&[(key, value)]).expect("good"));
                // the session itself, at the same moment, after the command
                let mut same = Session::resume(&session.start()).expect("it is whole");
                same.apply(Command::Set { key: key.to_owned(), value: Scalar::Text(value.clone()) });
                assert_eq!(same.message(), None, "{key} = {value}");
                for _ in 0..15 {
                    let (one, two) = (other.tick(), same.tick());
                    assert_eq!(one.is_ok(), two.is_ok(), "{solver}, {key} = {value}");
                }
                let clock = same.simulation().time() - session.simulation().time();
                assert!(picture.follow(clock).is_continue());
                assert_eq!(
                    picture.simulation().fingerprint(),
                    same.simulation().fingerprint(),
                    "{solver} {key}={value}"
                );
                assert_eq!(other.simulation().fingerprint(), same.simulation().fingerprint(), "{solver} {key}={value}");
            }
        }
        assert_eq!(session.simulation().fingerprint(), before, "it works on a copy");
    }
}

#[test]
fn a_strip_is_of_seven_rising_values_in_range_with_the_present_one_among_them() {
    for entry in solvers::REGISTRY {
        let simulation = Scene::load("hanging").and_then(|scene| scene.build()).expect("it comes along");
        let mut session = Session::new(Scene::load("hanging").expect("it"), simulation);
        session.apply(Command::Solver { id: entry.info.id.to_owned() });
        let simulation = session.simulation();
        let groups = simulation.parameters.groups().chain([simulation.solver().settings()]);
        let mut sliders = 0;
        for group in groups {
            for (index, param) in group.params().iter().enumerate() {
                let now = group.get(index);
                let Some(span) = Span::of(param.kind, now) else { continue };
                sliders += 1;
                let values = span.spread(param.kind, now, 7);
                let reals: Vec<f64> = values.iter().map(|value| real(*value)).collect();
                let few = matches!(param.kind, Kind::Integer { min, max } if max - min < 6);
                assert!(values.len() == 7 || few || values.len() > 3, "{}: {reals:?}", param.key);
                assert!(reals.is_sorted_by(|a, b| a < b), "{}: {reals:?}", param.key);
                assert!(values.contains(&now), "{}: {now:?} is not in {reals:?}", param.key);
                for value in values {
                    assert_eq!(param.check(value), Ok(()), "{}", param.key);
                    assert_eq!(param.parse(&param.show(value)), Ok(value), "{}", param.key);
                }
                let ends = [reals[0], reals[reals.len() - 1]];
                let wide = ends[1] - ends[0] > 0.8 * (span.high - span.low);
                assert!(wide, "{}: {ends:?} of {span:?}", param.key);
            }
        }
        assert!(sliders > 25);
    }
}

fn real(value: Setting) -> f64 {
    match value {
        Setting::Real(x) => x,
        Setting::Integer(n) => n.into(),
        _ => panic!("no slider has {value:?}"),
    }
}

#[test]
fn a_slider_of_many_decades_spans_the_one_below_and_the_one_above() {
    let kind = Kind::Real { min: 0.0, max: 1e9, logarithmic: true };
    let span = Span::of(kind, Setting::Real(100.0)).expect("it has one");
    assert_eq!((span.low, span.high), (10.0, 1000.0));
    let values: Vec<f64> = span.spread(kind, Setting::Real(100.0), 7).into_iter().map(real).collect();
    assert_eq!(values, [10.0, 21.5, 46.4, 100.0, 215.0, 464.0, 1000.0]);
    // from zero on, all of it, and zero is one of them
    let from_zero = Span::of(kind, Setting::Real(0.0)).expect("it has one");
    let values: Vec<f64> = from_zero.spread(kind, Setting::Real(0.0), 7).into_iter().map(real).collect();
    assert_eq!((values[0], values[6]), (0.0, 1e9));
    let few = Kind::Integer { min: 1, max: 4 };
    let values = Span::of(few, Setting::Integer(2)).expect("it has one").spread(few, Setting::Integer(2), 7);
    assert_eq!(values, [1, 2, 3, 4].map(Setting::Integer));
    assert_eq!(Span::of(Kind::Toggle, Setting::Toggle(true)), None);
}

#[test]
fn one_that_blows_up_keeps_its_last_state_and_time_steps_that_differ_keep_to_one_clock() {
    let session = session("hanging", "symplectic-euler");
    let present = session.present();
    let mut pictures: Vec<Picture> = ["0.001", "0.0003", "0.02"]
        .map(|step| Picture::new(present.with(&[("time_step", step)]).expect("good")))
        .into_iter()
        .collect();
    for round in 1..=60 {
        for picture in &mut pictures {
            assert!(picture.follow(f64::from(round) / 30.0).is_continue());
        }
    }
    let (time, cause) = pictures[2].failure().expect("20 ms are far too long for it").clone();
    assert!(time < 2.0 && cause.to_string().len() > 5, "{time}: {cause}");
    assert_eq!(pictures[2].elapsed(), time);
    assert!(pictures[2].simulation().state.cloth.positions.iter().all(|x| x.is_finite()));
    for (picture, step) in pictures.iter().zip([0.001, 0.0003]) {
        assert_eq!(picture.failure(), None);
        assert!((picture.elapsed() - 2.0).abs() <= 1.01 * step, "{} s", picture.elapsed());
    }
}

#[test]
fn another_shape_starts_again_and_what_cannot_be_set_is_refused() {
    let session = session("hanging", "pbd");
    let present = session.present();
    let wider = present.with(&[("columns", "20")]).expect("good");
    assert_eq!((wider.state.cloth.len(), wider.time()), (240, 0.0));
    assert_eq!(wider.solver().info().id, "pbd", "with the solver that is at work");
    let finer = present.with(&[("small_steps", "3")]).expect("a setting of the solver");
    assert_eq!(finer.time(), session.simulation().time());
    assert!(present.with(&[("small_steps", "0")]).is_err());
    assert!(present.with(&[("structural_stiffness", "-1")]).is_err());
    assert!(present.with(&[("sandwich", "1")]).is_err());
}

#[test]
fn a_picture_can_be_called_off_in_the_middle_of_a_step() {
    let session = session("hanging", "fast-mass-spring");
    let mut simulation = session.present().with(&[("gravity", "3")]).expect("good");
    let before = simulation.fingerprint();
    let canceller = Canceller::default();
    simulation.cancel = canceller.token(0);
    canceller.cancel_through(0);
    let mut picture = Picture::new(simulation);
    assert!(picture.follow(1.0).is_break());
    assert_eq!(picture.failure(), None);
    assert_eq!(picture.simulation().fingerprint(), before);
}
