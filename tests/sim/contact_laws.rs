//! Laws of contact: a frictionless surface does no work along itself, Coulomb's friction holds up to its limit and no farther, a
//! rebound does not depend on the step, and neither a cloth laid on something nor a heavy cloth on a light one gains energy.
//!
//! Solvers say which of these laws they break at their defaults, and by how much. A solver that comes to keep a law fails the
//! test until it says so.

use std::f64::consts::PI;

use weft::sim::solver_interface::{ContactLaw, ContactMotion, RIGHT_DROP, contact_motion};
use weft::sim::study::contact_laws::measure;
use weft::sim::{Parameters, Real, Vec3, solvers};

use crate::fixtures::every;

/// Asserts that solvers keep these laws or break them by as much as they say, within a quarter. Energies are chaotic: half.
fn keeps_or_says_so(laws: &[ContactLaw]) {
    let infos = solvers::REGISTRY.iter().map(|entry| entry.info);
    let cases = infos.flat_map(|info| laws.iter().map(move |law| (info, *law)));
    let cases = cases.filter(|(info, law)| info.is_measured(*law));
    every(cases.map(|(info, law)| (info.id, (law, info.breaches))), |(id, (law, breaches))| {
        let Some(figure) = measure(law, id).expect("steps") else { return };
        let said = breaches.iter().find(|(broken, _)| *broken == law);
        match said {
            None => assert!(law.is_kept(figure), "{figure}, which it does not say"),
            Some((_, said)) => {
                assert!(!law.is_kept(figure), "{figure}: it keeps the law, but says that it does not");
                let is_energy = matches!(law, ContactLaw::Lay | ContactLaw::Load);
                let room = if is_energy { 0.5 } else { 0.25 } * said.abs().max(figure.abs()) + 1e-3;
                assert!((figure - said).abs() <= room, "{figure}, it says {said}");
            }
        }
    });
}

#[test]
fn a_strip_slides_over_a_frictionless_rod_as_its_weights_say_or_the_solver_tells_by_how_much_it_does_not() {
    keeps_or_says_so(&[ContactLaw::Slide, ContactLaw::SlideByFrames]);
}

#[test]
fn friction_holds_a_strip_up_to_its_limit_and_no_farther_or_the_solver_says_so() {
    keeps_or_says_so(&[ContactLaw::Hold, ContactLaw::Slip]);
}

#[test]
fn a_rebound_does_not_depend_on_the_step() {
    keeps_or_says_so(&[ContactLaw::Rebound]);
}

#[test]
#[ignore = "full tier"]
fn a_cloth_laid_on_something_gains_no_energy_or_the_solver_says_so() {
    keeps_or_says_so(&[ContactLaw::Lay, ContactLaw::Load]);
}

#[test]
fn the_mark_of_a_rebound_rises_to_the_square_of_the_restitution() {
    let (fall, gravity) = (0.5, 9.8);
    let landing = Real::sqrt(2.0 * fall / gravity);
    let height = |time| contact_motion::rebound(fall, 0.5, gravity, time);
    assert!(height(landing).abs() < 1e-9);
    // the way up takes half as long as the fall
    assert!((height(1.5 * landing) - 0.25 * fall).abs() < 1e-9);
    assert!((height(2.25 * landing) - 0.0625 * fall).abs() < 1e-9);
}

#[test]
fn the_mark_of_a_strip_over_a_rod_is_at_the_right_drop() {
    let drop = contact_motion::slide([0.3, 0.5], 0.3 + 0.5 + 0.104 * PI, 9.8, 0.4);
    assert!(Real::abs(drop - RIGHT_DROP) < 1e-4, "{drop} m");
}

#[test]
fn friction_decides_whether_the_mark_of_a_capstan_stays() {
    let from = Vec3::new(0.104, 0.57, 0.0);
    let capstan = ContactMotion::Capstan { from, ends: [0.25, 0.93], radius: 0.104 };
    let mut parameters = Parameters::default();
    parameters.contact.friction = 0.3;
    assert_eq!(capstan.place(&parameters, 1.0), None);
    parameters.contact.friction = 0.4;
    assert_eq!(capstan.place(&parameters, 1.0), Some(from));
}

#[test]
fn the_angle_of_a_sheared_strip_balances_its_load() {
    // without stiffness along the threads, by the modulus alone
    assert!((contact_motion::shear_angle([80.0, 0.0], 0.0, 4.0).expect("stiff") - 0.05).abs() < 1e-12);
    let (moduli, strain, load) = ([80.0, 3000.0], 0.005, 6.0);
    let angle = contact_motion::shear_angle(moduli, strain, load).expect("stiff");
    let force = angle * (moduli[0] + moduli[1] * (strain + 0.5 * angle * angle));
    assert!((force - load).abs() < 1e-9 && angle < load / (moduli[0] + moduli[1] * strain), "{angle} rad");
    assert_eq!(contact_motion::shear_angle([0.0; 2], 0.0, 6.0), None);
}

#[test]
fn a_fall_in_air_begins_freely_and_ends_at_the_terminal_velocity() {
    let (velocity, gravity) = (0.64, 9.8);
    let fallen = |time| contact_motion::fallen(velocity, gravity, time);
    assert!((fallen(1e-3) / (0.5 * gravity * 1e-6) - 1.0).abs() < 1e-3);
    assert!((fallen(301.0) - fallen(300.0) - velocity).abs() < 1e-9);
    assert!((fallen(0.1) - velocity * velocity / gravity * (gravity * 0.1 / velocity).cosh().ln()).abs() < 1e-12);
}
