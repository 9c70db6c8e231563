//! Lanes: several methods on one clock, under one hand.

use proptest::prelude::*;
use weft::scene::{Scalar, Scene};
use weft::session::{Command, CutHit, LaneState, LaneTime, Lanes, Session, Stamped, Stopped};
use weft::sim::{Canceller, Real, Vec3};

fn session(scene: &str, settings: &[(&str, &str)]) -> Session {
    let mut scene = Scene::load(scene).expect("it comes with the program");
    settings.iter().for_each(|(key, value)| scene.set(key, value).expect("a value"));
    let simulation = scene.build().expect("good");
    Session::new(scene, simulation)
}

fn lanes(scene: &str, settings: &[&[(&str, &str)]]) -> Lanes {
    Lanes::new(settings.iter().map(|settings| session(scene, settings)).collect()).expect("as many as may be")
}

fn at(tick: u64, command: Command) -> Stamped {
    Stamped { tick, command }
}

fn set(key: &str, value: Real) -> Command {
    Command::Set { key: key.to_owned(), value: Scalar::Real(value) }
}

/// A hand, pins, wind, a pause and a change of the time step.
fn script() -> Vec<Stamped> {
    let mut script = vec![
        at(0, Command::Wind { on: true }),
        at(3, Command::Grab { vertex: 40, target: Vec3::new(0.1, 1.2, 0.2) }),
        at(5, Command::Move { target: Vec3::new(0.15, 1.25, 0.25) }),
        at(9, Command::Pin { vertex: 5 }),
        at(12, Command::Release),
        at(15, Command::Pause { on: true }),
        at(18, Command::Pause { on: false }),
        at(20, Command::Unpin { vertex: 0 }),
        at(22, set("time_step", 0.01)),
        at(25, set("wind_speed", 9.0)),
    ];
    // a gust that lasts
    script.extend((26..30).map(|tick| at(tick, set("gravity", 9.0 + 0.1 * tick as Real))));
    script
}

const FOUR: [&[(&str, &str)]; 4] = [
    &[("solver", "fast-mass-spring")],
    &[("solver", "xpbd"), ("iterations", "7")],
    &[("solver", "implicit-newton")],
    &[("solver", "pbd"), ("substeps", "3")],
];

#[test]
#[ignore = "full tier"]
fn lanes_give_the_same_bits_as_single_runs() {
    for scene in ["hanging", "tearing", "flag"] {
        let mut lanes = lanes(scene, &FOUR).with(script());
        for _ in 0..40 {
            lanes.tick().expect("it holds");
        }
        for (lane, settings) in lanes.lanes().iter().zip(FOUR) {
            let mut alone = session(scene, settings).with(script(), |_| {});
            for _ in 0..40 {
                alone.tick().expect("it holds");
            }
            let (one, other) = (lane.session().simulation(), alone.simulation());
            assert_eq!((one.time(), one.steps()), (other.time(), other.steps()), "{scene}: {settings:?}");
            assert_eq!(one.state.cloth, other.state.cloth, "{scene}: {settings:?}");
            assert_eq!(one.pattern().revision(), other.pattern().revision(), "{scene}: {settings:?}");
            // times are sums, of substeps in one and of whole steps in the other
            assert!((one.time() - lanes.clock()).abs() < 1e-12, "{scene}");
        }
        let distances: Vec<_> = (0..4).map(|lane| lanes.distance(lane).expect("all run")).collect();
        assert_eq!(distances[0].largest, 0.0);
        assert!(distances[1..].iter().all(|distance| distance.largest > distance.root_mean_square));
    }
}

#[test]
fn every_lane_takes_its_own_steps_and_reaches_the_common_time() {
    let steps: [&[(&str, &str)]; 4] =
        [&[("time_step", "0.007")], &[("time_step", "0.01")], &[("time_step", "0.002")], &[("time_step", "0.0099")]];
    let mut lanes = lanes("hanging", &steps);
    for tick in 1..=30 {
        lanes.tick().expect("it holds");
        let clock = lanes.clock();
        assert!((clock - 0.01 * Real::from(tick)).abs() < 1e-12, "a tick is as long as the longest step");
        for (lane, settings) in lanes.lanes().iter().zip(steps) {
            let (simulation, step) = (lane.session().simulation(), settings[0].1.parse::<Real>().expect("a number"));
            let ahead = simulation.time() - clock;
            assert!((-1e-9..step).contains(&ahead), "{step} s: {ahead} s ahead of {clock} s");
            assert!(lane.last_tick().1 > 0 && lane.last_tick().0.substeps == lane.last_tick().1);
        }
    }
    for (lane, settings) in lanes.lanes().iter().zip(steps) {
        let mut alone = session("hanging", settings);
        while alone.simulation().steps() < lane.session().simulation().steps() {
            alone.tick().expect("it holds");
        }
        assert_eq!(alone.simulation().state.cloth, lane.session().simulation().state.cloth, "{settings:?}");
    }
    assert_eq!(lanes.lanes()[2].session().simulation().steps(), 150);
}

#[test]
fn lanes_are_compared_as_they_are_at_the_common_time() {
    // in a straight line, where interpolation is exact
    let steady = |step: &str| {
        let mut session =
            session("hanging", &[("time_step", step), ("gravity", "0"), ("air", "vacuum"), ("pins", "none")]);
        session.simulation_mut().state.cloth.velocities.fill(Vec3::new(3.0, 1.0, -2.0));
        session
    };
    let mut lanes = Lanes::new(["0.01", "0.007", "0.0033"].map(steady).into()).expect("three");
    for _ in 0..20 {
        lanes.tick().expect("it holds");
        for lane in 1..3 {
            let distance = lanes.distance(lane).expect("both run").largest;
            assert!(distance < 1e-9, "{distance} m at {} s", lanes.clock());
        }
    }
    let ahead = lanes.lanes()[1].session().simulation().time() - lanes.clock();
    assert!(ahead > 0.001, "else nothing was interpolated");
    // two of the same are never apart
    let mut same =
        self::lanes("flag", &[&[("time_step", "0.01")], &[("time_step", "0.007")], &[("time_step", "0.007")]]);
    let mut swapped =
        self::lanes("flag", &[&[("time_step", "0.007")], &[("time_step", "0.007")], &[("time_step", "0.01")]]);
    for _ in 0..10 {
        same.tick().expect("it holds");
        swapped.tick().expect("it holds");
        assert_eq!(swapped.distance(1).map(|distance| distance.largest), Some(0.0));
        assert!(same.distance(2).map(|distance| distance.largest) > Some(0.0));
        let [there, back] = [same.distance(2), swapped.distance(2)].map(|distance| distance.expect("all run").largest);
        assert!((there - back).abs() < 1e-12, "the reference can be any of them");
    }
}

#[test]
fn a_lane_that_blows_up_keeps_its_last_good_state_and_the_others_go_on() {
    let stiff: &[(&str, &str)] =
        &[("solver", "symplectic-euler"), ("structural_stiffness", "1e5"), ("time_step", "0.02")];
    let calm: &[(&str, &str)] = &[("solver", "xpbd")];
    for (settings, failing) in [([calm, stiff, calm], 1), ([stiff, calm, calm], 0)] {
        let mut lanes = lanes("hanging", &settings);
        for _ in 0..30 {
            lanes.tick().expect("a failure of a lane is none of all");
        }
        let mut alone = session("hanging", stiff);
        let cause = loop {
            if let Err(cause) = alone.tick() {
                break cause;
            }
        };
        for (number, lane) in lanes.lanes().iter().enumerate() {
            let failed = number == failing;
            assert_eq!(lane.is_running(), !failed);
            assert_eq!(lane.session().failure().map(|failure| failure.cause.clone()), failed.then(|| cause.clone()));
            assert_eq!(lanes.distance(number).is_none(), failed || failing == 0, "lane {number}");
            if failed {
                assert_eq!(lane.session().simulation().state.cloth, alone.simulation().state.cloth);
                assert_eq!(lane.last_tick().1, 0);
            } else {
                assert!((lane.session().simulation().time() - lanes.clock()).abs() < 0.02, "lane {number}");
            }
        }
        assert!((lanes.clock() - 0.6).abs() < 1e-12, "the ticks stay as long as they were");
        // what mends it mends that lane, which comes up with the others
        lanes.apply(&set("structural_stiffness", 10.0)).expect("all can");
        lanes.apply(&set("time_step", 0.0005)).expect("all can");
        lanes.apply(&Command::Restore).expect("all can");
        lanes.apply(&Command::Pause { on: false }).expect("all can");
        lanes.tick().expect("it holds");
        for lane in lanes.lanes() {
            assert_eq!(lane.session().failure(), None);
            assert!(lane.is_running());
            let time = lane.session().simulation().time();
            assert!(time >= lanes.clock() - 1e-9, "{time} s at {} s", lanes.clock());
        }
    }
}

#[test]
fn the_hand_holds_the_nearest_vertex_where_the_cloths_differ() {
    let meshes: [&[(&str, &str)]; 3] =
        [&[("columns", "9"), ("rows", "9")], &[("columns", "17"), ("rows", "5")], &[("columns", "9"), ("rows", "9")]];
    let mut lanes = lanes("hanging", &meshes);
    assert_eq!(lanes.distance(1).map(|distance| distance.largest < 1e-12), Some(true), "at rest they are the same");
    let target = Vec3::new(0.3, 1.4, 0.3);
    lanes.apply(&Command::Grab { vertex: 76, target }).expect("all have it");
    lanes.apply(&Command::Pin { vertex: 36 }).expect("all have it");
    for (lane, vertices) in lanes.lanes().iter().zip([[76, 36], [76, 34], [76, 36]]) {
        let simulation = lane.session().simulation();
        let start = |vertex: u32| simulation.pattern().rest_positions()[vertex as usize];
        let grab = simulation.state.grab.expect("a hand");
        let rest = lanes.lanes()[0].session().simulation().pattern().rest_positions();
        assert!(
            start(grab.vertex).distance(rest[76]) < 1e-12 && grab.target == target,
            "vertex {} for 76",
            grab.vertex
        );
        let pinned = simulation.state.cloth.pins().iter().any(|pin| start(pin.vertex).distance(rest[36]) < 1e-12);
        assert!(pinned, "{:?} for {vertices:?}", simulation.state.cloth.pins());
    }
    for _ in 0..120 {
        lanes.tick().expect("it holds");
    }
    for lane in lanes.lanes() {
        let simulation = lane.session().simulation();
        let held = simulation.state.grab.expect("a hand").vertex as usize;
        let apart = simulation.state.cloth.positions[held].distance(target);
        assert!(apart < 1e-9, "{apart} m");
    }
    assert!(lanes.distance(1) != lanes.distance(2) && lanes.distance(2).map(|distance| distance.largest) == Some(0.0));
    // a vertex that the reference does not have is nowhere
    let error = lanes.apply(&Command::Pin { vertex: 200 }).expect_err("there is none").to_string();
    assert!(error.starts_with("lane 1: vertex ") && error.contains("does not exist"), "{error}");
}

#[test]
fn a_cut_goes_through_all_cloths_at_the_same_place() {
    let meshes: [&[(&str, &str)]; 3] =
        [&[("columns", "9"), ("rows", "9")], &[("columns", "17"), ("rows", "33")], &[("columns", "9"), ("rows", "9")]];
    let mut lanes = lanes("hanging", &meshes);
    // along a row of edges that both have, from side to side
    let pattern = lanes.lanes()[0].session().simulation().shared_pattern();
    let in_row = |v: u32| v as usize / 9 == 4;
    let mut hits: Vec<Option<CutHit>> = vec![None];
    for (triangle, corners) in (0..).zip(pattern.triangles()) {
        if corners.iter().filter(|corner| in_row(**corner)).count() == 2 {
            // densely, for the finer mesh
            for share in [0.1, 0.3, 0.5, 0.7, 0.9] {
                let mut weight = [share, 1.0 - share].into_iter();
                let weights = corners.map(|corner| if in_row(corner) { weight.next().unwrap_or(0.0) } else { 0.0 });
                hits.push(Some(CutHit { triangle, weights }));
            }
        }
    }
    hits.push(None);
    lanes.apply(&Command::Cut { begin: true, hits }).expect("all can");
    let torn = |lane: usize| lanes.lanes()[lane].session().simulation().pattern().parents().len();
    assert_eq!(torn(0), torn(2));
    assert!(torn(0) > 0 && torn(1) > 0, "{} and {}", torn(0), torn(1));
    let middle = |lane: usize| {
        let pattern = lanes.lanes()[lane].session().simulation().shared_pattern();
        let (first, rest) = (pattern.whole_len(), pattern.rest_positions().to_vec());
        rest[first..].iter().map(|x| x.y).collect::<Vec<_>>()
    };
    let row = pattern.rest_positions()[4 * 9].y;
    assert!(middle(0).iter().chain(&middle(1)).all(|y| (y - row).abs() < 0.07), "{:?} {:?}", middle(0), middle(1));
}

#[test]
fn a_cloth_that_is_cut_anew_is_compared_anew() {
    let mut lanes = lanes("hanging", &[&[("solver", "xpbd")], &[("solver", "xpbd")], &[("columns", "11")]]);
    lanes.tick().expect("it holds");
    let columns = Command::Set { key: "columns".to_owned(), value: Scalar::Integer(8) };
    lanes.apply(&columns).expect("all can");
    assert_eq!(lanes.clock(), 0.0, "they begin again");
    lanes.tick().expect("it holds");
    for lane in 0..3 {
        assert_eq!(lanes.lanes()[lane].session().simulation().steps(), 1);
        let distance = lanes.distance(lane).expect("all run").largest;
        assert!(if lane < 2 { distance == 0.0 } else { distance > 0.0 && distance < 0.1 }, "{lane}: {distance}");
    }
}

#[test]
fn a_step_in_a_pause_is_as_long_as_a_tick_in_every_lane() {
    let mut lanes = lanes("hanging", &[&[("time_step", "0.002")], &[("time_step", "0.01")]]);
    lanes.apply(&Command::Pause { on: true }).expect("all can");
    lanes.tick().expect("nothing happens");
    assert_eq!((lanes.clock(), lanes.ticks()), (0.0, 1));
    lanes.apply(&Command::Step).expect("all can");
    let steps: Vec<u64> = lanes.lanes().iter().map(|lane| lane.session().simulation().steps()).collect();
    assert_eq!((steps, lanes.clock()), (vec![5, 1], 0.01));
    assert!(lanes.distance(1).is_some());
}

#[test]
fn what_would_part_the_lanes_is_refused_and_changes_none() {
    let mut lanes = lanes("hanging", &[&[], &[("solver", "xpbd")]]);
    lanes.tick().expect("it holds");
    let before: Vec<_> = lanes.lanes().iter().map(|lane| lane.session().simulation().state.cloth.clone()).collect();
    for command in [
        Command::Scene { name: "flag".to_owned() },
        Command::Open { file: "a.ron".to_owned() },
        Command::GoTo { step: 0 },
    ] {
        let error = lanes.apply(&command).expect_err("refused").to_string();
        assert!(error.contains("lanes are of one scene"), "{error}");
    }
    let after: Vec<_> = lanes.lanes().iter().map(|lane| lane.session().simulation().state.cloth.clone()).collect();
    assert_eq!(before, after);
    // what one of them cannot do is told with its number
    let sweeps = Command::Set { key: "sweeps".to_owned(), value: Scalar::Integer(3) };
    let error = lanes.apply(&sweeps).expect_err("neither has sweeps").to_string();
    assert!(error.starts_with("lane 1: "), "{error}");
    let mut scripted = self::lanes("hanging", &[&[], &[]]).with(vec![at(2, Command::Pin { vertex: 1_000_000 })]);
    scripted.tick().expect("nothing is due");
    assert!(matches!(scripted.tick(), Err(Stopped::Command(_))));
    assert!(Lanes::new(Vec::new()).is_none());
    assert!(Lanes::new((0..5).map(|_| session("hanging", &[])).collect()).is_none());
}

#[test]
fn a_tick_that_was_called_off_is_gone_on_with() {
    let settings: [&[(&str, &str)]; 2] = [&[("time_step", "0.02")], &[("time_step", "0.003"), ("solver", "xpbd")]];
    let mut whole = lanes("hanging", &settings);
    for _ in 0..10 {
        whole.tick().expect("it holds");
    }
    let canceller = Canceller::default();
    let sessions = settings.iter().zip(0..).map(|(settings, number)| {
        let mut session = session("hanging", settings);
        // only the second is called off, when the first has taken its step
        session.simulation_mut().cancel = canceller.token(1 - number);
        session
    });
    let mut lanes = Lanes::new(sessions.collect()).expect("two");
    for _ in 0..4 {
        lanes.tick().expect("it holds");
    }
    canceller.cancel_through(0);
    assert_eq!(lanes.tick(), Err(Stopped::Cancelled));
    assert_eq!((lanes.ticks(), lanes.tick()), (4, Err(Stopped::Cancelled)));
    assert_eq!(lanes.lanes()[0].session().simulation().steps(), 5);
    assert_eq!(lanes.distance(1), None, "it is behind");
    lanes.lend_token(&Canceller::default().token(0));
    for _ in 4..10 {
        lanes.tick().expect("it holds");
    }
    for (one, other) in lanes.lanes().iter().zip(whole.lanes()) {
        assert_eq!(one.session().simulation().state.cloth, other.session().simulation().state.cloth);
    }
    assert_eq!((lanes.clock(), lanes.ticks()), (whole.clock(), whole.ticks()));
}

/// The captions of lanes of a scene with these settings.
fn captions_of(scene: &str, settings: &[&[(&str, &str)]]) -> Vec<String> {
    let lanes = lanes(scene, settings);
    let frames: Vec<_> = lanes.lanes().iter().map(|lane| lane.session().frame(0)).collect();
    let others = |slot: usize| frames.iter().enumerate().filter(move |(other, _)| *other != slot);
    let caption = |slot: usize| frames[slot].caption(&others(slot).map(|(_, frame)| frame).collect::<Vec<_>>());
    (0..frames.len()).map(caption).collect()
}

#[test]
fn the_captions_of_figure_7_tell_strain_from_volume() {
    let stiff = ("tetrahedral_weight", "1e5");
    let firm = ("volume_weight", "1e6");
    let captions = captions_of("pd-figure-7", &[&[], &[firm], &[stiff], &[stiff, firm]]);
    let parts: Vec<Vec<&str>> = captions.iter().map(|caption| caption.split(", ").collect()).collect();
    for (caption, [strain, volume]) in
        parts.iter().zip([["1000", "1000"], ["1000", "1 M"], ["100", "1000"], ["100", "1 M"]])
    {
        assert!(caption[0].starts_with(&format!("Strain weight {strain}")), "{captions:?}");
        assert!(caption[1].starts_with(&format!("Volume weight {volume}")), "{captions:?}");
    }
}

#[test]
fn a_caption_tells_a_lane_from_the_others() {
    let captions = |settings: &[&[(&str, &str)]]| captions_of("hanging", settings);
    let stiff = ("structural_stiffness", "65");
    assert_eq!(captions(&[&[], &[stiff]]), ["Stretch 100 N/m", "Stretch 65 N/m"]);
    let solvers = captions(&[&[("solver", "xpbd"), ("iterations", "7")], &[("solver", "implicit-euler")]]);
    assert!(solvers[0].starts_with("XPBD, Iterations 7") && solvers[1] == "Implicit Euler", "{solvers:?}");
    // the fabric stands for all that it sets, but not for what was changed since
    let fabrics = captions(&[&[], &[("fabric", "silk")], &[("fabric", "denim"), stiff]]);
    assert_eq!(fabrics[1], "Silk");
    assert!(fabrics[2].starts_with("Denim, Stretch 65 N/m"), "{fabrics:?}");
    assert!(fabrics[0].starts_with("Stretch 100 N/m") && !fabrics[0].contains("Cotton"), "{fabrics:?}");
    assert_eq!(captions(&[&[("columns", "8")], &[]]), ["Columns 8", "Columns 30"]);
    // lanes without a difference, and one alone, have the name of the solver
    let alone = captions(&[&[("solver", "pbd")]]);
    assert_eq!(captions(&[&[("solver", "pbd")], &[("solver", "pbd")]]), [alone[0].clone(), alone[0].clone()]);
}

#[test]
#[ignore = "full tier"]
fn no_caption_has_the_key_of_a_parameter() {
    let of = |settings: &[(&str, &str)]| session("hanging", settings).frame(0);
    for entry in weft::sim::solvers::REGISTRY {
        let solver = ("solver", entry.info.id);
        let common = of(&[solver]);
        let mut scene = Scene::load("hanging").expect("it comes with the program");
        scene.set("solver", entry.info.id).expect("registered");
        let mut keys = Vec::new();
        scene.visit(|group| keys.extend(group.params().iter().map(|param| (param.key, param.range()))));
        for (key, range) in keys {
            // a value at random: the first of its range that makes a cloth
            for value in range.split([' ', ',']).filter(|part| !part.is_empty()) {
                let mut changed = scene.clone();
                let Some(simulation) = changed.set(key, value).ok().and_then(|()| changed.build().ok()) else {
                    continue;
                };
                let frame = Session::new(changed, simulation).frame(0);
                let caption = frame.caption(&[&common]);
                assert!(!caption.contains(['_', '=']), "{key}: {caption}");
                break;
            }
        }
    }
}

/// Share of a time step by which a lane may be short of the clock.
const SHORT: Real = 1.001e-3;

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn steps_to_the_clock_end_at_it_or_less_than_a_step_past_it(
        steps in prop::collection::vec(1e-4..0.05_f64, 1..5),
        ticks in prop::collection::vec(1e-4..0.05_f64, 1..200),
    ) {
        let mut clock = 0.0;
        let mut lanes: Vec<LaneTime> = steps.iter().map(|step| LaneTime { time: 0.0, step: *step }).collect();
        for tick in ticks {
            clock += tick;
            for lane in &mut lanes {
                let owed = lane.steps_to(clock);
                prop_assert!(owed >= 0 && lane.is_behind(clock) == (owed > 0), "{lane:?} at {clock} s");
                (0..owed).for_each(|_| *lane = lane.after(1));
                let ahead = lane.time - clock;
                prop_assert!(ahead >= -SHORT * lane.step && ahead < lane.step, "{lane:?} at {clock} s");
            }
        }
    }

    #[test]
    fn between_two_states_of_uniform_motion_positions_are_exact(
        time in 0.0..100.0_f64,
        step in 1e-3..0.05_f64,
        share in 0.0..1.0_f64,
        velocity in prop::array::uniform3(-9.0..9.0_f64),
    ) {
        let session = session("hanging", &[("columns", "4"), ("rows", "3")]);
        let (rest, velocity) = (session.simulation().pattern().rest_positions(), Vec3::from(velocity));
        let at = |time: Real| -> Vec<Vec3> { rest.iter().map(|x| *x + time * velocity).collect() };
        let (previous, positions) = (at(time), at(time + step));
        let state = LaneState {
            at: LaneTime { time: time + step, step },
            positions: &positions,
            previous_time: time,
            previous: &previous,
            ..LaneState::from(&session)
        };
        let wanted = time + share * step;
        prop_assert!(state.covers(wanted) && !state.covers(time - step) && !state.covers(time + 2.0 * step));
        // a state that is as good as at the wanted time is taken as it is
        let tolerance = 1e-11 + 1e-3 * step * velocity.length();
        for (x, exact) in state.positions_at(wanted).iter().zip(at(wanted)) {
            let limit = if (1.0 - share) > 1.001e-3 { 1e-11 } else { tolerance };
            prop_assert!(x.distance(exact) <= limit, "{} m", x.distance(exact));
        }
        prop_assert_eq!(&*state.positions_at(time - step), &previous[..]);
        prop_assert_eq!(&*state.positions_at(time + 2.0 * step), &positions[..]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn lanes_of_any_time_steps_are_at_the_clock_or_less_than_a_step_past_it(
        steps in prop::collection::vec(5e-4..0.03_f64, 2..5),
    ) {
        let of = |step: &Real| {
            session("hanging", &[("columns", "4"), ("rows", "4"), ("solver", "xpbd"), ("time_step", &step.to_string())])
        };
        let mut lanes = Lanes::new(steps.iter().map(of).collect()).expect("as many as may be");
        for _ in 0..25 {
            lanes.tick().expect("it holds");
            for (number, (lane, step)) in lanes.lanes().iter().zip(&steps).enumerate() {
                let ahead = lane.session().simulation().time() - lanes.clock();
                prop_assert!(ahead >= -SHORT * step && ahead < *step, "{step} s: {ahead} s ahead");
                prop_assert!(lanes.distance(number).is_some());
            }
        }
    }
}
