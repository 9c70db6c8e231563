//! Plots: their axes for any numbers, and the files that they are written to.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use proptest::prelude::*;
use weft::documents::{
    Candidate, CandidateState, Figure, Key, Limits, Look, Over, Plot, PlotCurve, PlotStyle, Shape, Sign, TradeOff,
    convergence_chart, even_steps, on_white, real_time_rule, solver_colour, tick_label,
};
use weft::scene::Scene;
use weft::sim::solvers::REGISTRY;
use weft::sim::study::convergence::{ErrorKind, Study};

/// Any number that a broken simulation can have.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0_f64,
        2 => -1e12..1e12_f64,
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(0.0), Just(f64::MAX), Just(-1e-310)],
    ]
}

fn plot(style: PlotStyle, values: &[f64]) -> Plot {
    let points = values.iter().enumerate().map(|(at, value)| [at as f64 * 0.1, *value]).collect();
    let curve = PlotCurve { name: "total".to_owned(), colour: [86, 180, 233], faint: false, points };
    let window = Plot::window(0.0, values.len() as f64 * 0.1, None);
    let (title, unit, rule) = ("Energy".to_owned(), "J".to_owned(), Some((1.0, "time step".to_owned())));
    Plot { title, unit, style, curves: vec![curve], window, marks: Vec::new(), rule }
}

fn is_good(limits: Limits) -> bool {
    limits.low.is_finite() && limits.high.is_finite() && limits.low < limits.high
}

proptest! {
    #[test]
    fn any_numbers_have_an_axis_with_marks_and_a_file(values in proptest::collection::vec(any_value(), 0..60)) {
        for style in [PlotStyle::Lines, PlotStyle::Logarithmic, PlotStyle::Stacked] {
            let plot = plot(style, &values);
            let limits = plot.limits(None);
            prop_assert!(is_good(limits), "{limits:?}");
            let marks = plot.axis(limits).marks(6.0);
            prop_assert!(marks.len() >= 2 && marks.len() <= 12, "{marks:?} of {limits:?}");
            let labels: BTreeSet<&String> = marks.iter().map(|(_, label)| label).collect();
            prop_assert_eq!(labels.len(), marks.len(), "two marks look alike: {:?}", marks);
            let figure = Figure { title: "Flag".to_owned(), plots: vec![plot] };
            let svg = figure.drawing().svg();
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            well_formed(&svg);
        }
    }

    #[test]
    fn any_costs_and_errors_have_a_picture(
        points in proptest::collection::vec([any_value(), any_value()], 0..40),
        budget in any_value(),
    ) {
        let states = [CandidateState::Sound, CandidateState::Behind, CandidateState::Faulty];
        let candidate = |(row, at): (usize, &[f64; 2])| {
            let info = REGISTRY[row / 3 % REGISTRY.len()].info;
            let (solver, state) = ([info.id, "a & b <c>"], states[row % 3]);
            let at = at.map(|x| x.clamp(-300.0, 300.0));
            (!at[0].is_nan() && !at[1].is_nan()).then_some(Candidate { row, solver, at, state, is_present: row == 4 })
        };
        let picture = TradeOff {
            title: "Which solver?".to_owned(),
            candidates: points.iter().enumerate().filter_map(candidate).collect(),
            front: (0..points.len()).collect(),
            budget,
            choices: vec![(0, "take")],
            meant: Some(1),
        };
        let svg = picture.drawing().svg();
        prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        well_formed(&svg);
        prop_assert!(picture.drawing().svg_element().starts_with("<svg"));
    }

    #[test]
    fn the_bulk_of_the_values_keeps_its_room_beside_any_spike(
        bulk in proptest::collection::vec(-5.0..5.0_f64, 40..80),
        spike in any_value(),
        at in 0..40_usize,
    ) {
        let without = Limits::of(bulk.iter().copied(), false);
        let mut values = bulk.clone();
        values[at] = spike;
        let limits = Limits::of(values.iter().copied(), false);
        prop_assert!(limits.high - limits.low <= 6.0 * (without.high - without.low), "{without:?} became {limits:?}");
        // all but the tails lie within
        let mut sorted = bulk;
        sorted.sort_by(f64::total_cmp);
        let inner = &sorted[5..sorted.len() - 5];
        prop_assert!(inner.iter().all(|value| (limits.low..=limits.high).contains(value)), "{limits:?}");
        // what is not is told
        let plot = plot(PlotStyle::Lines, &values);
        let limits = plot.limits(None);
        let beyond = plot.beyond(limits);
        prop_assert_eq!(beyond.above.is_some() || beyond.below.is_some(), !plot.exits(limits).is_empty());
        prop_assert_eq!(beyond.above.is_some(), values.iter().any(|value| *value > limits.high));
    }

    #[test]
    fn limits_stay_while_the_values_fit_and_fill_half_of_them(low in -10.0..10.0_f64, span in 0.1..10.0_f64, shift in -0.01..0.01_f64) {
        let series = |from: f64, to: f64| (0..=40).map(move |at| from + (to - from) * f64::from(at) / 40.0);
        let before = Limits::of(series(low, low + span), false);
        let own = Limits::of(series(low + shift * span, low + (1.0 - shift.abs()) * span), false);
        let after = own.settled(Some(before));
        let again = Limits::of(series(low, low + span), false).settled(Some(after));
        prop_assert!(is_good(after) && again.low <= low && again.high >= low + span);
        let fits = before.low <= own.low && own.high <= before.high;
        let is_filled = own.high - own.low >= 0.5 * (before.high - before.low);
        prop_assert_eq!(after, if fits && is_filled { before } else { own });
    }

    #[test]
    fn a_window_moves_with_the_time_and_lies_within_all(start in 0.0..5.0_f64, way in 0.0..100.0_f64, step in 0.0..3.0_f64) {
        let now = Plot::window(start, start + way, Some(5.0));
        let next = Plot::window(start, start + way + step, Some(5.0));
        let all = Plot::window(start, start + way, None);
        prop_assert!((now[1] - now[0] - 5.0).abs() < 1e-9 && now[0] >= start && start + way <= now[1] + 1e-9);
        prop_assert!(next[0] >= now[0] && next[1] >= now[1], "it never goes back");
        prop_assert!(all[0] <= now[0] && all[0] < all[1]);
    }

    #[test]
    fn round_numbers_lie_between_the_ends_and_no_two_have_one_label(low in -1e6..1e6_f64, size in -6.0..6.0_f64) {
        let high = low + 10_f64.powf(size);
        let steps = even_steps(low, high, 6.0);
        prop_assert!(!steps.is_empty() && steps.len() <= 8, "{steps:?}");
        let step = steps.windows(2).map(|pair| pair[1] - pair[0]).next().unwrap_or(1.0);
        let slack = 1e-6 * step;
        prop_assert!(steps.iter().all(|at| (low - slack..=high + slack).contains(at)));
        let labels: BTreeSet<String> = steps.iter().map(|at| tick_label(*at, step)).collect();
        prop_assert_eq!(labels.len(), steps.len());
    }
}

#[test]
fn every_solver_has_a_colour_of_its_own_on_dark_ground_and_on_paper() {
    let dark: BTreeSet<[u8; 3]> = REGISTRY.iter().map(|entry| solver_colour(entry.info.id)).collect();
    assert!(!dark.contains(&solver_colour("newton")), "one that is no solver is drawn like none");
    let paper: BTreeSet<[u8; 3]> = dark.iter().map(|colour| on_white(*colour)).collect();
    assert_eq!((dark.len(), paper.len()), (REGISTRY.len(), REGISTRY.len()));
}

#[test]
fn a_chart_of_convergence_has_a_colour_for_each_solver_and_dashes_for_its_accelerations() {
    let mut simulation = Scene::load("hanging").expect("it comes with the program").build().expect("good");
    simulation.step().expect("a calm step");
    let ids = ["fast-mass-spring", "projective-dynamics", "implicit-newton"];
    let mut study = Study::comparing(&simulation, &ids);
    let curves = study.measure(3, &mut |_, _| ControlFlow::Continue(())).expect("not cancelled");
    let chart = convergence_chart(&curves, Over::Iterations, ErrorKind::Positions, None);
    let pen = |key: &Key| match key.sign {
        Sign::Line(pen) => pen,
        _ => panic!("{key:?} is no line"),
    };
    for (curve, key) in curves.iter().zip(&chart.legend) {
        assert_eq!(pen(key).colour, solver_colour(curve.solver.id), "{}", key.name);
        let alike = chart.legend.iter().filter(|other| pen(other) == pen(key));
        assert_eq!(alike.count(), 1, "{} is drawn like another", key.name);
    }
    assert!(curves.len() > ids.len() && curves.len() == chart.legend.len(), "there are accelerations");
    // the page and the window have the same curves, each in its own colours
    let (page, window) = (Look::PAGE, Look::WINDOW);
    let frame = chart.frame([[0.0, 0.0], [400.0, 200.0]], &window);
    let lines = |look: &Look| {
        let is_curve = |shape: &Shape| matches!(shape, Shape::Line { width, .. } if *width == 1.4);
        chart.shapes(&frame, look).into_iter().filter(is_curve).count()
    };
    assert_eq!(lines(&page), lines(&window));
    let place = frame.place([1.0, -1.0]);
    let [x, y] = frame.point(place);
    assert!((x - 1.0).abs() < 1e-9 && (y + 1.0).abs() < 1e-9);
}

#[test]
fn constant_curves_have_an_axis_from_zero() {
    for constant in [0.0, 1e-300, 3.0, -7.5, 2e9, 5e-5] {
        let limits = Limits::of([constant; 30].into_iter(), false);
        assert!(is_good(limits) && limits.low <= 0.0 && limits.high >= 0.0, "{constant}: {limits:?}");
        assert!((limits.low..=limits.high).contains(&constant));
    }
    assert_eq!(Limits::of([0.0; 30].into_iter(), false), Limits { low: 0.0, high: 1.0 });
    assert_eq!(Limits::of(std::iter::empty(), false), Limits { low: 0.0, high: 1.0 });
    // one of them leaves it
    let values = (0..30).map(|at| if at == 7 { 1e9 } else { 3.0 });
    let limits = Limits::of(values, false);
    assert!(limits.high < 10.0, "{limits:?}");
}

#[test]
fn a_value_to_compare_with_is_a_line_with_its_name_once_a_tenth_of_it_is_reached() {
    let (step, name) = real_time_rule(1.0 / 60.0);
    assert_eq!((step, name.as_str()), (1.0 / 60.0, "16.7 ms: one frame at 60 Hz"));
    assert_eq!(real_time_rule(0.01).1, "10 ms: one time step");
    let costs = |most: f64| {
        let values: Vec<f64> = (0..40).map(|at| most * (0.8 + 0.005 * f64::from(at))).collect();
        let mut plot = plot(PlotStyle::Stacked, &values);
        (plot.unit, plot.rule) = ("s".to_owned(), Some((step, name.clone())));
        plot
    };
    for (most, is_on_axis) in [(0.0008, false), (0.003, true), (0.03, true)] {
        let plot = costs(most);
        let limits = plot.limits(None);
        assert_eq!(limits.high >= step, is_on_axis, "{most} s: {limits:?}");
        let chart = plot.chart(limits);
        let frame = chart.frame([[0.0, 0.0], [400.0, 200.0]], &Look::PAGE);
        let height = frame.place([0.0, step])[1];
        let shapes = chart.shapes(&frame, &Look::PAGE);
        let is_rule = |shape: &&Shape| match shape {
            Shape::Line { points, dashes: Some(_), .. } => points.iter().all(|point| (point[1] - height).abs() < 1e-9),
            _ => false,
        };
        assert_eq!(shapes.iter().filter(is_rule).count(), usize::from(is_on_axis), "{most} s");
        let told = if is_on_axis { name.clone() } else { format!("{name}, beyond the axis") };
        let is_name = |shape: &&Shape| matches!(shape, Shape::Text { text, .. } if *text == told);
        assert_eq!(shapes.iter().filter(is_name).count(), 1, "{most} s");
    }
}

#[test]
fn a_figure_is_dark_on_white_with_title_axes_and_the_names_of_all_lanes() {
    let figure = two_lanes();
    let svg = figure.drawing().svg();
    well_formed(&svg);
    let texts: Vec<String> = texts_of_svg(&svg);
    for part in [
        "Flag & <pole>",
        "Projective dynamics",
        "XPBD, Iterations 20",
        "Energy, total [µJ]",
        "Time [s]",
        "time step",
        "B: Wind 12 m/s",
    ] {
        assert!(texts.iter().any(|text| text == part), "{part} is not in {texts:?}");
    }
    assert!(texts.iter().any(|text| text.starts_with("beyond the axis: up to ")), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains('_') && !text.contains("xpbd")), "{texts:?}");
    let ground = svg.lines().find(|line| line.starts_with("<rect")).expect("a ground");
    assert!(ground.contains("fill=\"#ffffff\""), "{ground}");
    // each lane has a colour of its own, dark enough for paper
    let colours: BTreeSet<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<polyline") && line.contains("stroke-width=\"1.4\""))
        .filter_map(|line| line.split("stroke=\"#").nth(1)?.get(..6))
        .collect();
    assert_eq!(colours.len(), 2, "{colours:?}");
    for colour in colours {
        let parts = [0, 2, 4].map(|at| u32::from_str_radix(&colour[at..at + 2], 16).expect("hexadecimal"));
        assert!(parts.iter().sum::<u32>() < 500, "{colour} is light");
    }
}

/// Energies of two lanes, of which one has a spike, with a change and a value to compare with.
fn two_lanes() -> Figure {
    let points = |phase: f64| -> Vec<[f64; 2]> {
        (0..300).map(|at| f64::from(at) / 60.0).map(|t| [t, 3e-4 + 1e-4 * (3.0 * t + phase).sin()]).collect()
    };
    let mut wild = points(1.0);
    wild[100][1] = 4e20;
    wild[200][1] = f64::NAN;
    let lane = |name: &str, colour, points| PlotCurve { name: name.to_owned(), colour, faint: false, points };
    let plot = Plot {
        title: "Energy, total".to_owned(),
        unit: "J".to_owned(),
        style: PlotStyle::Lines,
        curves: vec![
            lane("Projective dynamics", [240, 228, 66], points(0.0)),
            lane("XPBD, Iterations 20", [0, 114, 178], wild),
        ],
        window: Plot::window(0.0, 5.0, Some(5.0)),
        marks: vec![(1.5, "B: Wind 12 m/s".to_owned())],
        rule: Some((3e-4, "time step".to_owned())),
    };
    Figure { title: "Flag & <pole>".to_owned(), plots: vec![plot] }
}

/// The texts of a drawing, as they are read.
fn texts_of_svg(svg: &str) -> Vec<String> {
    let inner = svg.lines().filter(|line| line.starts_with("<text")).filter_map(|line| {
        let (_, rest) = line.split_once('>')?;
        rest.strip_suffix("</text>")
    });
    inner
        .map(|text| text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
        .collect()
}

/// Whether every element is closed in its turn, and every attribute and text is escaped.
fn well_formed(svg: &str) {
    assert!(svg.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
    let mut open: Vec<&str> = Vec::new();
    for part in svg.split('<').skip(2) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(
            !text.contains('>')
                && text
                    .replace("&amp;", "")
                    .replace("&lt;", "")
                    .replace("&gt;", "")
                    .replace("&quot;", "")
                    .matches('&')
                    .count()
                    == 0,
            "{text}"
        );
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "it closes what is open");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
}

/// How often `part` is in the bytes of a file.
fn count(bytes: &[u8], part: &str) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part.as_bytes()).count()
}

#[test]
fn a_pdf_has_the_same_bytes_every_time_with_all_of_its_fonts_in_it() {
    let mut figure = two_lanes();
    figure.title = "Флаг, Σημαία, α² → ∞".to_owned();
    let pdf = figure.drawing().pdf();
    assert_eq!(pdf, figure.drawing().pdf());
    assert!(pdf.starts_with(b"%PDF-1.4") && pdf.ends_with(b"%%EOF\n"));
    // fonts with their outlines, and the letters that the glyphs stand for
    let fonts = count(&pdf, "/Type0");
    assert!(fonts > 0 && count(&pdf, "/ToUnicode") == fonts, "{fonts}");
    assert!(count(&pdf, "/FontFile2") + count(&pdf, "/FontFile3") >= fonts);
    assert_eq!(count(&pdf, "Helvetica"), 0);
    // those of egui have these letters
    for other in ["DejaVu", "Liberation", "Noto Sans"] {
        assert_eq!(count(&pdf, other), 0, "{other}");
    }
    // letters that no font has are no fault, nor is any order of directions
    for title in ["", "\u{10fffd}", "שלום flag 旗 العربية (1)", "\u{202e}\u{0301}\u{200d}", "a\nb\tc\0"] {
        figure.title = title.to_owned();
        assert!(figure.drawing().pdf().starts_with(b"%PDF-1.4"), "{title:?}");
    }
}
