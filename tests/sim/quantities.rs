//! Measured quantities: one name, one label and one value wherever they are read.

use std::collections::BTreeSet;

use weft::documents::{csv_header, csv_row};
use weft::sim::quantities::{MEASURES, Measure, Over, Quantity, StepReading, Tally};

use crate::fixtures::rippled;

#[test]
fn no_two_quantities_and_no_two_measures_share_a_name() {
    let keys: BTreeSet<&str> = Quantity::ALL.iter().map(|quantity| quantity.key()).collect();
    let labels: BTreeSet<&str> = Quantity::ALL.iter().map(|quantity| quantity.label()).collect();
    assert_eq!([keys.len(), labels.len()], [Quantity::ALL.len(); 2]);
    let names: Vec<&str> =
        MEASURES.iter().flat_map(|measure| [measure.key, measure.alias]).filter(|name| !name.is_empty()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for measure in MEASURES {
        for name in [measure.key, measure.alias].into_iter().filter(|name| !name.is_empty()) {
            assert!(Measure::find(name).is_some_and(|found| std::ptr::eq(found, measure)), "{name}");
        }
    }
    assert!(Measure::find("").is_none());
}

#[test]
fn a_row_of_a_table_has_each_quantity_under_its_name() {
    let mut simulation = rippled("fast-mass-spring", 6, 6);
    let stats = simulation.step().expect("a step");
    let now = StepReading::new(&simulation, &stats).with_intersections(Some(3));
    let (header, row) = (csv_header(), csv_row(&now));
    assert_eq!(header.len(), row.len());
    for quantity in Quantity::COLUMNS {
        let place = header.iter().position(|name| *name == quantity.column()).expect("a column");
        assert_eq!(row[place].parse().ok(), quantity.value(&now), "{quantity:?}");
    }
    let energy = simulation.energy();
    let of = |name: &str| row[header.iter().position(|column| column == name).expect(name)].parse::<f64>().ok();
    assert_eq!(of("kinetic_J"), Some(energy.kinetic));
    assert_eq!(of("max_strain"), Some(simulation.largest_stretch()));
    assert_eq!([of("intersections"), of("step"), of("time_s")], [Some(3.0), Some(1.0), Some(simulation.time())]);
}

#[test]
fn steps_are_summed_up_as_their_measure_says() {
    let mut simulation = rippled("fast-mass-spring", 6, 6);
    let all: Vec<&Measure> = MEASURES.iter().collect();
    let start = Default::default();
    let mut tally = Tally::new(&all, &StepReading::new(&simulation, &start));
    let begin: Vec<_> = all.iter().map(|measure| measure.of.0.value(&StepReading::new(&simulation, &start))).collect();
    let (mut rows, mut last) = (Vec::new(), start);
    for _ in 0..7 {
        last = simulation.step().expect("a step");
        let now = StepReading::new(&simulation, &last);
        tally.follow(&now);
        rows.push(all.iter().map(|measure| measure.of.0.value(&now)).collect::<Vec<_>>());
    }
    let values = tally.values(&StepReading::new(&simulation, &last));
    for (at, measure) in all.iter().enumerate() {
        let steps: Vec<f64> = rows.iter().filter_map(|row| row[at]).collect();
        let Some(end) = steps.last() else { continue };
        let sum: f64 = steps.iter().sum();
        let expected = match measure.of.1 {
            Over::Last => *end,
            Over::Largest => steps.iter().copied().fold(0.0, f64::max),
            Over::Sum => sum,
            Over::Mean => sum / 7.0,
            Over::Steps => steps.iter().filter(|value| **value > 0.0).count() as f64,
            Over::Rise => end - begin[at].expect("known at the start"),
            Over::Fall => begin[at].expect("known at the start") - end,
        };
        let value = values[at].expect("known");
        assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{}: {value}, not {expected}", measure.key);
    }
}
