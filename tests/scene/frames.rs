//! Frames of a motion at a rate that its steps do not hit.

use std::convert::Infallible;

use weft::documents::{FrameSampler, FrameState};
use weft::scene::Scene;
use weft::sim::{Pattern, Vec3};

/// A single triangle, whose vertices are where `height` says at each time.
fn pattern() -> Pattern {
    Pattern::mesh(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]])
}

/// Time and height of the first vertex of all frames of a motion that is known at `times`.
fn frames(rate: f64, start: f64, times: &[f64], height: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let (pattern, mut sampler, mut found) = (pattern(), FrameSampler::new(rate, start), Vec::new());
    let mut emit = |frame: FrameState| -> Result<(), Infallible> {
        found.push((frame.time, frame.positions[0].y));
        Ok(())
    };
    for &time in times {
        let positions = vec![Vec3::new(0.0, height(time), 0.0); 3];
        let Ok(()) = sampler.push(FrameState { time, positions }, &pattern, &mut emit);
    }
    let Ok(()) = sampler.finish(&mut emit);
    found
}

fn steps(count: usize, step: f64) -> Vec<f64> {
    (0..=count).map(|k| k as f64 * step).collect()
}

#[test]
fn frames_are_at_their_times_and_a_parabola_is_met_exactly() {
    for (rate, count) in [(24.0, 25), (25.0, 26), (30.0, 31), (50.0, 51), (60.0, 61), (144.0, 145)] {
        let fall = |time: f64| 100.0 - 4.905 * time * time;
        let frames = frames(rate, 0.0, &steps(60, 1.0 / 60.0), fall);
        assert_eq!(frames.len(), count, "{rate} frames per second in a second");
        for (k, (time, height)) in frames.into_iter().enumerate() {
            assert!((time - k as f64 / rate).abs() < 1e-12, "frame {k} at {rate}: {time} s");
            assert!((height - fall(time)).abs() < 1e-10, "frame {k} at {rate}: {height} m");
        }
    }
    // steps of different lengths, and a start between two of them
    let uneven: Vec<f64> = (0..40).map(|k| 0.02 * f64::from(k) + 0.005 * f64::from(k % 3)).collect();
    let frames = frames(24.0, 0.111, &uneven, |time| time * time);
    assert!((frames[0].0 - 0.111).abs() < 1e-12 && frames.len() > 15);
    assert!(frames.iter().all(|(time, height)| (height - time * time).abs() < 1e-12));
}

#[test]
fn a_frame_at_the_time_of_a_step_is_its_state_to_the_bit() {
    let times = steps(10, 1.0 / 60.0);
    let found = frames(30.0, 0.0, &times, f64::exp);
    let expected: Vec<(f64, f64)> = times.iter().step_by(2).map(|time| (*time, time.exp())).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_falls_on_a_floor_does_not_sink_into_it_between_steps() {
    for start in 0..40 {
        let height = |time: f64| (1.0 + 0.004 * f64::from(start) - 4.905 * time * time).max(0.0);
        let lowest = frames(240.0, 0.0, &steps(60, 1.0 / 60.0), height).into_iter().map(|(_, y)| y).fold(1.0, f64::min);
        assert!(lowest >= 0.0, "{lowest} m");
    }
}

#[test]
fn a_second_run_of_time_begins_anew_and_a_start_that_is_never_reached_has_no_frame() {
    let back = [&steps(6, 0.1)[..], &steps(6, 0.1)[1..]].concat();
    let times: Vec<f64> = frames(10.0, 0.0, &back, |time| time).into_iter().map(|(time, _)| time).collect();
    assert_eq!(times.len(), 7 + 6);
    assert!((times[7] - 0.1).abs() < 1e-12);
    assert!(frames(10.0, 3.0, &steps(6, 0.1), |time| time).is_empty());
}

#[test]
fn a_cloth_that_tears_has_frames_in_which_its_new_vertices_are_still_closed() {
    let mut scene = Scene::load("hanging").expect("it comes with the program");
    for (key, value) in [("columns", "5"), ("rows", "5")] {
        scene.set(key, value).expect("in range");
    }
    let mut simulation = scene.build().expect("good");
    let (mut sampler, mut found) = (FrameSampler::new(24.0, 0.0), Vec::new());
    for step in 0..12 {
        if step == 6 {
            let edges: Vec<[u32; 2]> = (0..4).map(|column| [10 + column, 11 + column]).collect();
            assert!(simulation.cut(&edges) > 0, "it is cut across");
        }
        let state = FrameState { time: simulation.time(), positions: simulation.state.cloth.positions.clone() };
        let emit = &mut |frame: FrameState| -> Result<(), Infallible> {
            found.push(frame);
            Ok(())
        };
        let Ok(()) = sampler.push(state, simulation.pattern(), emit);
        simulation.step().expect("it holds");
    }
    assert_eq!((found[0].positions.len(), found[1].positions.len()), (25, 25));
    let (between, parents) = (&found[2].positions, simulation.pattern().parents());
    assert_eq!(between.len(), simulation.state.cloth.len());
    // the second frame lies between the fifth and the sixth state, after which it was cut
    for (vertex, parent) in (25..).zip(parents) {
        assert_eq!(between[vertex], between[*parent as usize], "closed before it was cut");
    }
}

#[test]
fn the_pictures_of_a_gif_take_as_long_as_the_motion_and_none_is_shorter_than_viewers_allow() {
    use weft::documents::{MOST_GIF_RATE, gif_delays};
    for rate in [7.0, 24.0, 29.97, 30.0, 33.0, 40.0, 49.9, MOST_GIF_RATE] {
        let delays: Vec<u16> = gif_delays(rate).take(1000).collect();
        assert!(delays.iter().all(|delay| *delay >= 2), "{rate}");
        let mut shown = 0.0;
        for (number, delay) in delays.iter().enumerate() {
            shown += f64::from(*delay) / 100.0;
            let due = (number + 1) as f64 / rate;
            assert!((shown - due).abs() <= 0.005 + 1e-9, "{number} pictures at {rate}: {shown} s, not {due} s");
        }
    }
}
