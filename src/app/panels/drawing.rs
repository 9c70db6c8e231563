//! The strips as a drawing in a file (SVG): each below the other, with axes, names and marks.

use std::fmt::Write;

use super::rows::significant;
use super::strips::{STRIPS, Strip, Style, bounds, drawn, even_steps, named};
use crate::app::history::History;
use crate::sim::params::units;

/// Sizes [px]: of all, of a strip and the room around it.
const WIDTH: f64 = 900.0;
const STRIP: f64 = 150.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 24.0;
/// Ground, frame and text.
const GROUND: &str = "#1e2024";
const LINE: &str = "#3e424a";
const TEXT: &str = "#c8ccd4";

/// The strips called `names`, or all of them if none is, of what happened.
#[must_use]
pub fn svg(history: &History, names: &[&str]) -> String {
    let strips: Vec<&Strip> = STRIPS.iter().filter(|strip| names.is_empty() || names.contains(&strip.name)).collect();
    let height = (STRIP + ABOVE + BELOW) * strips.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"{GROUND}\"/>\n"
    );
    for (number, strip) in strips.into_iter().enumerate() {
        draw(&mut text, history, strip, number as f64 * (STRIP + ABOVE + BELOW) + ABOVE);
    }
    text.push_str("</svg>\n");
    text
}

/// One strip, whose upper edge is at `top` [px].
fn draw(text: &mut String, history: &History, strip: &Strip, top: f64) {
    let course = &history.now;
    let from = course.samples.front().map_or(0.0, |sample| sample.time);
    let to = course.samples.back().map_or(1.0, |sample| sample.time).max(from + 1e-3);
    let [low, high] = bounds(strip, course, history.kept.as_ref());
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * (time - from) / (to - from);
    let y = |value: f64| top + STRIP * (1.0 - ((value - low) / (high - low)).clamp(0.0, 1.0));
    let (right, bottom) = (WIDTH - RIGHT, top + STRIP);
    for value in even_steps(low, high, 5.0) {
        let at = y(value);
        let label =
            if strip.style == Style::Logarithmic { units::power_of_ten(value as i32) } else { significant(value) };
        let _ = writeln!(text, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"{LINE}\"/>");
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" fill=\"{TEXT}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            at + 4.0
        );
    }
    for time in even_steps(from, to, 8.0) {
        let at = x(time);
        let _ = writeln!(text, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"{LINE}\"/>");
        let label = significant(time);
        let _ = writeln!(
            text,
            "<text x=\"{at:.1}\" y=\"{}\" fill=\"{TEXT}\" text-anchor=\"middle\">{label} s</text>",
            bottom + 15.0
        );
    }
    for mark in course.marks.iter().filter(|mark| mark.time >= from) {
        let at = x(mark.time);
        let what = escaped(&mark.what);
        let _ = writeln!(
            text,
            "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#e07a4e\" stroke-dasharray=\"2 3\"><title>{what}</title></path>"
        );
    }
    let title = escaped(strip.title);
    let _ =
        write!(text, "<text x=\"{LEFT}\" y=\"{}\" fill=\"#ffffff\" font-weight=\"bold\">{title}</text>", top - 10.0);
    let mut floor = vec![0.0; course.samples.len()];
    let mut place = LEFT + 150.0;
    for (curve, name) in named(strip, course) {
        let [r, g, b, _] = curve.colour.to_array();
        let colour = format!("#{r:02x}{g:02x}{b:02x}");
        let _ = writeln!(text, "<text x=\"{place}\" y=\"{}\" fill=\"{colour}\">{}</text>", top - 10.0, escaped(&name));
        place += 12.0 + 6.5 * name.len() as f64;
        let points = |values: &mut dyn Iterator<Item = (f64, f64)>| {
            values.filter(|(_, value)| value.is_finite()).fold(String::new(), |mut all, (time, value)| {
                let _ = write!(all, "{:.1},{:.1} ", x(time), y(value));
                all
            })
        };
        if strip.style == Style::Stacked {
            let ceiling: Vec<f64> =
                course.samples.iter().zip(&floor).map(|(sample, floor)| floor + (curve.value)(sample)).collect();
            let times = || course.samples.iter().map(|sample| sample.time);
            let up = points(&mut times().zip(ceiling.iter().copied()));
            let back = points(&mut times().zip(floor.iter().copied()).rev());
            let _ = writeln!(text, "<polygon points=\"{up}{back}\" fill=\"{colour}\" fill-opacity=\"0.85\"/>");
            floor = ceiling;
            continue;
        }
        for (samples, opacity) in history.kept.iter().map(|kept| (&kept.samples, 0.35)).chain([(&course.samples, 1.0)])
        {
            let values = samples.iter().map(|sample| (sample.time, drawn(strip, (curve.value)(sample))));
            let line = points(&mut values.filter(|(time, _)| (from..=to).contains(time)));
            let _ = writeln!(
                text,
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-opacity=\"{opacity}\"/>"
            );
        }
    }
}

/// Text that may stand in a drawing.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
