//! Declared parameters.

use std::collections::HashSet;

use proptest::prelude::*;
use weft::scene::Scene;
use weft::sim::contact::ContactSettings;
use weft::sim::params::{Kind, ParamError, Setting, Tunable, units};
use weft::sim::{Material, solvers};

use crate::fixtures::every;

/// Calls `visit` with every group of parameters there is.
fn every_group(mut visit: impl FnMut(&dyn Tunable)) {
    Scene { solver: "symplectic-euler".to_owned(), ..Scene::default() }.visit(|group| visit(group));
    for entry in solvers::REGISTRY {
        visit((entry.build)().settings());
    }
}

#[test]
fn defaults_are_in_range_and_every_parameter_says_what_it_does() {
    let mut count = 0;
    every_group(|group| {
        assert_eq!(group.check(), Ok(()));
        for (index, param) in group.params().iter().enumerate() {
            assert_eq!(param.check(group.default_of(index)), Ok(()), "{}", param.key);
            assert_eq!(group.index_of(param.key), Some(index), "{}", param.key);
            assert!(!param.label.is_empty() && param.help().len() > 10, "{}", param.key);
            count += 1;
        }
    });
    assert!(count > 35);
}

#[test]
fn captions_have_labels_and_units_and_no_keys() {
    let values = |kind: Kind| match kind {
        Kind::Real { min, max, .. } | Kind::Angle { min, max } => vec![Setting::Real(min), Setting::Real(max)],
        Kind::Integer { min, max } => vec![Setting::Integer(min), Setting::Integer(max)],
        Kind::Toggle => [false, true].map(Setting::Toggle).to_vec(),
        Kind::Choice(choices) => (0..choices.len()).map(Setting::Choice).collect(),
    };
    every_group(|group| {
        for (index, param) in group.params().iter().enumerate() {
            for value in values(param.kind).into_iter().chain([group.default_of(index)]) {
                let caption = param.caption(value);
                assert!(!caption.contains(['_', '=']) && caption.starts_with(param.label), "{caption}");
                let unit = if matches!(param.kind, Kind::Angle { .. }) { "°" } else { param.unit };
                assert!(caption.ends_with(unit) && !caption.ends_with(param.label), "{caption}");
            }
        }
    });
    let material = Material::default();
    let caption = |key: &str, value| material.params()[material.index_of(key).expect("declared")].caption(value);
    assert_eq!(caption("structural_stiffness", Setting::Real(65.0)), "Stretch 65 N/m");
    assert_eq!(caption("structural_stiffness", Setting::Real(1.0 / 3.0)), "Stretch 0.333 N/m");
}

#[test]
fn no_two_parameters_share_a_key() {
    let mut keys = HashSet::new();
    let mut scene = Scene { solver: "symplectic-euler".to_owned(), ..Scene::default() };
    scene.visit(|group| group.params().iter().for_each(|param| assert!(keys.insert(param.key), "{}", param.key)));
    // solvers may share keys among each other, but not with the rest
    every(solvers::REGISTRY, |entry| {
        (entry.build)()
            .settings()
            .params()
            .iter()
            .for_each(|param| assert!(!keys.contains(param.key), "{}", param.key));
    });
}

#[test]
fn what_belongs_to_a_switch_comes_after_it_and_shows_while_it_is_on() {
    every(solvers::REGISTRY, |entry| {
        let mut solver = (entry.build)();
        let settings = solver.settings_mut();
        for (index, param) in settings.params().iter().enumerate() {
            let Some(key) = param.switch else { continue };
            let switch = settings.index_of(key).unwrap_or_else(|| panic!("{} is under {key}", param.key));
            let states = |switch: &Kind| match switch {
                Kind::Toggle => [false, true].map(Setting::Toggle),
                Kind::Choice(_) => [0, 1].map(Setting::Choice),
                other => panic!("{key} is {other:?}, no switch"),
            };
            assert!(switch < index, "{}", param.key);
            settings.assign(switch, states(&settings.params()[switch].kind)[0]);
            assert!(!settings.is_switched_on(index), "{}", param.key);
            let mut above = Some(switch);
            while let Some(switch) = above {
                settings.assign(switch, states(&settings.params()[switch].kind)[1]);
                above = settings.switch_of(switch);
            }
            assert!(settings.is_switched_on(index), "{}", param.key);
        }
    });
}

#[test]
fn any_value_in_range_survives_being_written_and_read() {
    every_group(|group| {
        for param in group.params() {
            let values: Vec<Setting> = match param.kind {
                Kind::Real { min, max, .. } | Kind::Angle { min, max } => {
                    (0..=100).map(|i| Setting::Real(min + (max - min) * (f64::from(i) / 100.0).powi(3))).collect()
                }
                Kind::Integer { min, max } => [min, min.midpoint(max), max].map(Setting::Integer).to_vec(),
                Kind::Toggle => vec![Setting::Toggle(false), Setting::Toggle(true)],
                Kind::Choice(choices) => (0..choices.len()).map(Setting::Choice).collect(),
            };
            for value in values {
                assert_eq!(param.parse(&param.show(value)), Ok(value), "{}", param.key);
            }
        }
    });
}

#[test]
fn values_out_of_range_are_refused_and_change_nothing() {
    let mut contact = ContactSettings::default();
    let index = contact.index_of("friction").expect("a parameter of contact");
    for value in [-0.1, 2.1, f64::NAN, f64::INFINITY] {
        let refused = contact.set(index, Setting::Real(value));
        assert!(matches!(refused, Err(ParamError::OutOfRange { key: "friction", .. })), "{value}");
        assert_eq!(contact, ContactSettings::default());
    }
    // of another kind
    assert!(contact.set(index, Setting::Toggle(true)).is_err());
    assert_eq!(contact.set(index, Setting::Real(0.9)), Ok(()));
    assert_eq!(contact.friction, 0.9);
}

proptest! {
    #[test]
    fn no_text_makes_a_parameter_panic_or_leave_its_range(text in ".{0,12}") {
        every_group(|group| {
            for param in group.params() {
                if let Ok(value) = param.parse(&text) {
                    assert_eq!(param.check(value), Ok(()), "{} = {text}", param.key);
                }
            }
        });
    }
}

#[test]
fn the_fields_of_a_file_are_the_declared_parameters() {
    let json = serde_json::to_value(Material::default()).expect("plain numbers");
    let fields: HashSet<&str> = json.as_object().expect("a struct").keys().map(String::as_str).collect();
    let keys: HashSet<&str> = Material::default().params().iter().map(|param| param.key).collect();
    assert_eq!(fields, keys);
}

#[test]
fn a_choice_is_set_by_its_name_and_anything_else_is_refused() {
    let mut solver = solvers::build("implicit-euler").expect("registered");
    let settings = solver.settings_mut();
    let shown = |settings: &dyn Tunable, key: &str| {
        let index = settings.index_of(key).expect("its own");
        settings.params()[index].show(settings.get(index))
    };
    settings.set_text("blocks", "raw").expect("a choice");
    assert_eq!(shown(settings, "blocks"), "raw");
    for (key, value, message) in [
        ("blocks", "1", "blocks takes clamped, raw, not \"1\""),
        ("blocks", "", "blocks takes clamped, raw, not \"\""),
        ("block", "raw", "there is no parameter \"block\""),
        ("residual_tolerance", "2", "residual_tolerance = 2 is outside 1e-12 to 0.1"),
    ] {
        assert_eq!(settings.set_text(key, value).expect_err(key).to_string(), message);
    }
    assert_eq!(shown(settings, "blocks"), "raw", "the old value stays");
}

#[test]
fn numbers_are_read_with_their_units() {
    let cases = [
        ("2 mm", "m", 0.002),
        ("0.5", "m", 0.5),
        ("1e4", "N/m", 1e4),
        ("5 kN/m", "N/m", 5e3),
        ("3 N/cm", "N/m", 300.0),
        ("150 g/m²", "kg/m²", 0.15),
        ("150 g/m^2", "kg/m²", 0.15),
        ("1 g/cm³", "kg/m³", 1000.0),
        ("20ms", "s", 0.02),
        ("7 us", "s", 7e-6),
        ("36 km/h", "m/s", 10.0),
        ("−3 mN·s/m", "N·s/m", -0.003),
        ("50 µN*m", "N·m", 5e-5),
        ("90°", "rad", std::f64::consts::FRAC_PI_2),
        ("12 %", "", 0.12),
        ("12 %", "%", 12.0),
    ];
    for (text, unit, value) in cases {
        let read = units::read(text, unit);
        assert!(read.is_some_and(|read| (read - value).abs() <= 1e-12 * value.abs()), "{text} in {unit}: {read:?}");
    }
    for (text, unit) in
        [("2 s", "m"), ("2 m²", "m"), ("2 N", "N/m"), ("m", "m"), ("2 xm", "m"), ("2 m/s", "m"), ("", "")]
    {
        assert_eq!(units::read(text, unit), None, "{text} in {unit}");
    }
}

#[test]
fn a_quantity_is_shown_with_the_prefix_that_makes_it_short_and_read_back() {
    for (x, unit, shown, factor) in [
        (2e-5, "N·m", "µN·m", 1e-6),
        (1.0 / 60.0, "s", "ms", 1e-3),
        (2.0, "s", "s", 1.0),
        (3e7, "N/m", "MN/m", 1e6),
        (3000.0, "N/m", "N/m", 1.0),
        (0.0, "N/m", "N/m", 1.0),
        (2e-5, "", "", 1.0),
        (1e-6, "kg", "kg", 1.0),
        (1e-7, "m²", "m²", 1.0),
    ] {
        assert_eq!(units::prefixed(x, unit), (factor, shown.to_owned()), "{x} {unit}");
        if !unit.is_empty() {
            let again = units::read(&format!("{} {shown}", x / factor), unit).expect("it is a unit");
            assert!((again - x).abs() <= 1e-12 * x.abs(), "{x} {unit}: {again}");
        }
    }
}

#[test]
fn a_very_large_or_small_number_is_shown_with_a_power_of_ten_and_read_back() {
    for (x, shown) in [
        (1e-7, "10⁻⁷"),
        (-1e9, "-10⁹"),
        (1.25e-7, "1.25·10⁻⁷"),
        (-2.5e12, "-2.5·10¹²"),
        (0.0045, "0.0045"),
        (1234.0, "1234"),
        (0.0, "0"),
    ] {
        assert_eq!(units::significant(x), shown);
        let again = units::read(shown, "").expect("a number");
        assert!((again - x).abs() <= 1e-3 * x.abs(), "{shown}: {again}");
    }
    assert_eq!(units::quantity(3e7, "N/m"), "30 MN/m");
    assert_eq!(units::quantity(2e-9, "kg"), "2·10⁻⁹ kg");
    assert_eq!(units::read("2·10³ m²", "m²"), Some(2000.0));
    assert_eq!(units::read("100 m²", "m²"), Some(100.0));
}
