//! Grids of parameters, and what is measured of a run.

use std::collections::BTreeSet;

use proptest::prelude::*;
use weft::documents::{SweepId, SweepRow, SweepSheet};
use weft::scene::Scene;
use weft::sim::params::Tunable;
use weft::sim::quantities::{MEASURES, Measure};
use weft::sim::study::grid::{Axis, Grid, GridError, MOST_RUNS, Shard, Values};
use weft::sim::study::run::End;
use weft::sim::study::sweep::measure_run;
use weft::sim::{Real, Simulation, solvers};

fn values(text: &str, values: Values) -> Result<Vec<String>, GridError> {
    Axis::parse("key", text, values).map(|axis| axis.values)
}

fn numbers(text: &str) -> Vec<Real> {
    let values = values(text, Values::Real("")).expect("an axis");
    values.iter().map(|value| value.parse().expect("a plain number")).collect()
}

fn measures(keys: &[&str]) -> Vec<&'static Measure> {
    keys.iter().map(|key| MEASURES.iter().find(|measure| measure.key == *key).expect("a measure")).collect()
}

fn simulation(solver: &str, settings: &[(&str, &str)]) -> Simulation {
    let mut scene = Scene::load("hanging").expect("a scene");
    scene.set_solver(solver).expect("a solver");
    for (key, value) in [("columns", "6"), ("rows", "5")].iter().chain(settings) {
        scene.set(key, value).expect("a value");
    }
    scene.build().expect("a simulation")
}

#[test]
fn ranges_are_readable_numbers_and_lists_stay_as_they_were_typed() {
    assert_eq!(
        values("10:1e5:log:5", Values::Real("N/m")),
        Ok(["10", "100", "1000", "10000", "100000"].map(str::to_owned).into())
    );
    assert_eq!(values("0:0.3:4", Values::Real("")), Ok(["0", "0.1", "0.2", "0.3"].map(str::to_owned).into()));
    assert_eq!(values(" 1e4 , 0.50,7 ", Values::Real("")), Ok(["1e4", "0.50", "7"].map(str::to_owned).into()));
    assert_eq!(values("0.001,20 ms", Values::Real("s")), Ok(["0.001", "0.02"].map(str::to_owned).into()));
    assert_eq!(values("1 mm:5 mm:3", Values::Real("m")), Ok(["0.001", "0.003", "0.005"].map(str::to_owned).into()));
    assert_eq!(values("5:1:3", Values::Real("")), Ok(["5", "3", "1"].map(str::to_owned).into()), "downwards");
    assert_eq!(values("-1:-100:log:3", Values::Real("")), Ok(["-1", "-10", "-100"].map(str::to_owned).into()));
    assert_eq!(values("7:9:1", Values::Real("")), Ok(vec!["7".to_owned()]), "one value is the first");
    // names may have colons in them
    assert_eq!(values("C:/a.obj,b.obj", Values::Names), Ok(["C:/a.obj", "b.obj"].map(str::to_owned).into()));
    // of whole numbers there may be fewer than were asked for
    assert_eq!(
        values("1:20:log:8", Values::Whole),
        Ok(["1", "2", "4", "6", "8", "13", "20"].map(str::to_owned).into())
    );
}

#[test]
fn what_is_no_axis_says_why() {
    let refused = |text: &str| values(text, Values::Real("s")).expect_err(text);
    for text in ["", "1,,2", "1,", ","] {
        assert_eq!(refused(text), GridError::NoValue, "{text}");
    }
    for text in ["1:2", "1:2:3:4", "1:2:lin:3", ":", "1:2:log:3:4"] {
        assert!(matches!(refused(text), GridError::NoRange(_)), "{text}");
    }
    for text in ["a:2:3", "1:nan:3", "1:inf:3", ":2:3", "1:2 kg:3"] {
        assert!(matches!(refused(text), GridError::NoNumber { .. }), "{text}");
    }
    for text in ["1:2:0", "1:2:-3", "1:2:2.5", "1:2:", "1:2:10000000"] {
        assert!(matches!(refused(text), GridError::NoCount(_)), "{text}");
    }
    for text in ["0:1:log:3", "1:0:log:3", "-1:1:log:3", "-0:-1:log:2"] {
        assert_eq!(refused(text), GridError::Logarithm, "{text}");
    }
    for text in ["1,2,1", "5:5:3", "1 s,1000 ms,2,1"] {
        assert!(matches!(refused(text), GridError::Twice(_)), "{text}");
    }
    let axis = |key: &str, text: &str| Axis::parse(key, text, Values::Real("")).expect("an axis");
    assert_eq!(Grid::new(Vec::new()), Err(GridError::NoAxis));
    assert_eq!(Grid::new(vec![axis("a", "1"), axis("a", "2")]), Err(GridError::SameAxis("a".to_owned())));
    let many = |count: usize| axis(&format!("n{count}"), &format!("0:1:{count}"));
    assert_eq!(Grid::new(vec![many(1000), many(999)]).map(|grid| grid.runs()), Ok(999_000));
    assert_eq!(Grid::new(vec![many(1000), many(1001)]), Err(GridError::TooManyRuns));
    let huge = (1..60).map(|number| axis(&format!("n{number}"), "0:1:1000")).collect();
    assert_eq!(Grid::new(huge), Err(GridError::TooManyRuns), "the product is no number of this machine");
}

proptest! {
    #[test]
    fn a_range_has_its_ends_to_the_bit_and_even_distances(
        from in -1e9..1e9_f64, to in -1e9..1e9_f64, count in 2..200_usize,
    ) {
        prop_assume!((to - from).abs() > 1e-3 * from.abs().max(to.abs()));
        let found = numbers(&format!("{from}:{to}:{count}"));
        prop_assert_eq!((found.len(), found[0], found[count - 1]), (count, from, to));
        let even = (to - from) / (count - 1) as Real;
        for pair in found.windows(2) {
            prop_assert!((pair[1] - pair[0] - even).abs() <= 1e-10 * from.abs().max(to.abs()), "{pair:?} by {even}");
        }
    }

    #[test]
    fn a_log_range_has_its_ends_to_the_bit_and_even_ratios(
        from in -150.0..150.0_f64, to in -150.0..150.0_f64, count in 2..200_usize, negative: bool,
    ) {
        prop_assume!((to - from).abs() > 0.1);
        let sign = if negative { -1.0 } else { 1.0 };
        let (from, to) = (sign * 10_f64.powf(from), sign * 10_f64.powf(to));
        let found = numbers(&format!("{from}:{to}:log:{count}"));
        prop_assert_eq!((found.len(), found[0], found[count - 1]), (count, from, to));
        let even = (to / from).abs().ln() / (count - 1) as Real;
        for pair in found.windows(2) {
            prop_assert!(((pair[1] / pair[0]).ln() - even).abs() < 1e-9, "{pair:?} by exp {even}");
        }
    }

    #[test]
    fn whole_numbers_of_a_range_rise_and_are_whole(from in 0..500_u32, to in 0..500_u32, count in 2..100_usize) {
        let found = values(&format!("{from}:{to}:{count}"), Values::Whole).expect("an axis");
        let found: Vec<u32> = found.iter().map(|value| value.parse().expect("a whole number")).collect();
        prop_assert_eq!((found.first(), found.last()), (Some(&from), Some(&to)));
        let (low, high) = (from.min(to), from.max(to));
        prop_assert_eq!(found.len(), count.min((high - low) as usize + 1));
        let is_right = |pair: &[u32]| (pair[0] < pair[1]) == (from < to) && pair[0] != pair[1];
        prop_assert!(found.windows(2).all(is_right));
    }

    #[test]
    fn any_text_is_an_axis_of_different_values_or_refused(text in "[0-9a-z.,:e\\- ]{0,24}|\\PC{0,24}") {
        for kind in [Values::Real("m"), Values::Whole, Values::Names] {
            // more values than that only take time
            if let Ok(found) = values(&text, kind) {
                prop_assert!((1..=MOST_RUNS).contains(&found.len()));
                prop_assert!(found.iter().all(|value| !value.is_empty() && value.trim() == value), "{found:?}");
                prop_assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), found.len());
            }
        }
    }

    #[test]
    fn every_combination_is_in_one_run_of_one_shard(lengths in prop::collection::vec(1..6_usize, 1..4), shards in 1..9_usize) {
        let axis = |(number, length): (usize, &usize)| Axis {
            key: format!("key{number}"),
            values: (0..*length).map(|value| value.to_string()).collect(),
        };
        let grid = Grid::new(lengths.iter().enumerate().map(axis).collect()).expect("a grid");
        let mut runs: Vec<usize> = (1..=shards)
            .flat_map(|number| Shard::parse(&format!("{number}/{shards}")).expect("a shard").runs(grid.runs()))
            .collect();
        runs.sort_unstable();
        prop_assert_eq!(&runs, &(0..lengths.iter().product()).collect::<Vec<_>>());
        let combinations: Vec<Vec<&str>> = runs.iter().map(|run| grid.values(*run)).collect();
        // one digit each, so that they rise as numbers do: the last axis changes first
        prop_assert!(combinations.windows(2).all(|pair| pair[0] < pair[1]), "{combinations:?}");
    }
}

/// A table with these rows, as `weft sweep` writes it.
fn written(sheet: &SweepSheet) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(sheet.header()).expect("memory");
    let id = sheet.id.as_ref().expect("a sweep");
    sheet.rows.iter().for_each(|row| out.write_record(row.record(id)).expect("memory"));
    String::from_utf8(out.into_inner().expect("memory")).expect("text")
}

fn sheet(texts: &[String]) -> SweepSheet {
    let id = SweepId { runs: texts.len() + 1, sweep: "00ff".to_owned() };
    let row = |(run, text): (usize, &String)| SweepRow {
        run,
        values: vec![text.clone(), "1".to_owned()],
        measures: vec!["0.5".to_owned(), String::new()],
        status: "ok".to_owned(),
        command: format!("weft run {text}"),
    };
    SweepSheet {
        axes: vec!["mesh".to_owned(), "gravity".to_owned()],
        measures: measures(&["max_strain", "ms"]),
        id: Some(id),
        rows: (1..).zip(texts).map(row).collect(),
    }
}

proptest! {
    #[test]
    fn a_table_reads_back_whatever_the_values_are(texts in prop::collection::vec("\\PC{1,9}|[,\"' ]{1,3}", 1..5)) {
        let sheet = sheet(&texts);
        let read = SweepSheet::parse(&written(&sheet), "a.csv").expect("a table");
        prop_assert_eq!((read.header(), read.id, read.rows), (sheet.header(), sheet.id, sheet.rows));
    }

    #[test]
    fn a_table_that_ends_anywhere_has_the_rows_before_that(end in 0.0..1.0_f64) {
        let sheet = sheet(&["a.obj".to_owned(), "b.obj".to_owned(), "c, d.obj".to_owned()]);
        let text = written(&sheet);
        let end = (end * text.len() as Real) as usize;
        let header = text.find('\n').expect("a line");
        let read = SweepSheet::parse(&text[..end], "a.csv");
        prop_assert_eq!(read.is_ok(), end > header);
        if let Ok(read) = read {
            prop_assert_eq!(read.rows.len() + 1, text[..end].matches('\n').count());
            prop_assert_eq!(&read.rows[..], &sheet.rows[..read.rows.len()]);
        }
    }

    #[test]
    fn a_broken_table_is_refused_with_its_name_or_read(at in 0..400_usize, with in "\\PC{0,6}|[0-9,\"\n]{0,6}", cut in 0..20_usize) {
        let mut text = written(&sheet(&["a.obj".to_owned(), "b.obj".to_owned()]));
        let start = at.min(text.len());
        text.replace_range(start..(start + cut).min(text.len()), &with);
        if let Err(error) = SweepSheet::parse(&text, "a.csv") {
            let error = error.to_string();
            prop_assert!(error.starts_with("a.csv") && error.lines().count() == 1, "{error}");
        }
    }
}

#[test]
fn what_is_no_shard_is_none() {
    for text in ["", "3", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/2/3", "1.5/2"] {
        assert_eq!(Shard::parse(text), None, "{text}");
    }
    assert_eq!(Shard::parse("1/1"), Some(Shard::ALL));
}

#[test]
fn no_measure_is_called_as_another_or_as_a_parameter_is() {
    let keys_of = |group: &dyn Tunable| group.params().iter().map(|param| param.key).collect::<Vec<_>>();
    let mut parameters = Scene::load("hanging").expect("a scene").visit(|group| keys_of(group));
    parameters.extend(solvers::REGISTRY.iter().map(|entry| keys_of((entry.build)().settings())));
    let parameters: BTreeSet<&str> = parameters.into_iter().flatten().collect();
    let measures: BTreeSet<&str> = MEASURES.iter().map(|measure| measure.key).collect();
    assert_eq!(measures.len(), MEASURES.len());
    assert_eq!(measures.intersection(&parameters).next(), None);
    for fixed in ["run", "runs", "sweep", "status", "command", "mesh", "image", "solver", "fabric"] {
        assert!(!measures.contains(fixed), "{fixed}");
    }
}

#[test]
fn measures_are_what_the_simulation_says_step_by_step() {
    for entry in solvers::REGISTRY {
        let id = entry.info.id;
        let settings =
            [("structural_stiffness", "20"), ("shear_stiffness", "5"), ("bend_stiffness", "1"), ("time_step", "0.002")];
        let mut repeated = simulation(id, &settings);
        let start = repeated.state.cloth.positions.iter().map(|x| x.y).fold(Real::INFINITY, Real::min);
        let (mut largest, mut iterations) = (0.0, 0);
        for _ in 0..30 {
            let stats = repeated.step().expect("a calm cloth");
            largest = repeated.largest_stretch().max(largest);
            iterations += stats.iterations;
        }
        let energy = repeated.energy();
        let end = repeated.state.cloth.positions.iter().map(|x| x.y).fold(Real::INFINITY, Real::min);
        let expected = [
            ("max_strain", Some(largest)),
            ("end_strain", Some(repeated.largest_stretch())),
            ("energy", energy.total()),
            ("kinetic", Some(energy.kinetic)),
            ("elastic", energy.elastic),
            ("potential", Some(energy.potential)),
            ("lowest", Some(end)),
            ("sag", Some(start - end)),
            ("end_time", Some(repeated.time())),
            ("blow_up", None),
            ("mean_iterations", Some(Real::from(iterations) / 30.0)),
            ("intersections", Some(0.0)),
        ];
        let outcome = measure_run(&mut simulation(id, &settings), 30, &measures(&expected.map(|(key, _)| key)));
        assert_eq!(outcome.end, End::Done, "{id}");
        for ((key, expected), found) in expected.iter().zip(&outcome.values) {
            assert_eq!(expected.map(Real::to_bits), found.map(Real::to_bits), "{id}: {key}");
        }
        assert!(outcome.values[7] > Some(0.0) && outcome.values[0] > Some(0.0), "{id} hangs: {:?}", outcome.values);
    }
}

#[test]
fn a_run_that_blows_up_has_the_measures_of_its_last_good_state() {
    let settings = [("structural_stiffness", "1e5"), ("time_step", "0.03")];
    let mut repeated = simulation("symplectic-euler", &settings);
    let error = loop {
        if let Err(error) = repeated.step() {
            break error;
        }
    };
    let keys = ["blow_up", "end_time", "kinetic", "end_strain", "unconverged_steps"];
    let outcome = measure_run(&mut simulation("symplectic-euler", &settings), 1000, &measures(&keys));
    let time = repeated.time();
    assert_eq!((outcome.time, outcome.end), (time, End::Failed(error)));
    let expected = [time, time, repeated.energy().kinetic, repeated.largest_stretch(), 0.0];
    assert_eq!(outcome.values, expected.map(Some));
    // without a step there is no mean
    let none = measure_run(&mut simulation("pbd", &[]), 0, &measures(&["ms", "mean_iterations", "max_strain"]));
    assert_eq!(none.values, [None, None, Some(0.0)]);
}
