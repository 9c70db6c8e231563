//! Lines with conditions, names of parameters and common parts; see [`super`].

use super::facts::Facts;
use super::lines::wrapped;

/// Indentation of the rest of a line that is too long.
const HANGING: &str = "    ";

/// The beginning of a line that tells the memory of a solver.
const MEMORY: &str = "memory:";

/// The parts that solvers have in common, by name.
const PARTS: &[(&str, &str)] = &[
    ("external", include_str!("parts/external.txt")),
    ("stiffness", include_str!("parts/stiffness.txt")),
    ("spring-forces", include_str!("parts/spring-forces.txt")),
    ("membrane-forces", include_str!("parts/membrane-forces.txt")),
    ("linearised", include_str!("parts/linearised.txt")),
    ("filter", include_str!("parts/filter.txt")),
    ("inertia", include_str!("parts/inertia.txt")),
    ("potential", include_str!("parts/potential.txt")),
    ("start", include_str!("parts/start.txt")),
    ("iterate", include_str!("parts/iterate.txt")),
    ("solve", include_str!("parts/solve.txt")),
    ("colours", include_str!("parts/colours.txt")),
    ("arrive", include_str!("parts/arrive.txt")),
];

/// Numbers that a solver keeps beside positions, velocities and masses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Memory {
    pub per_vertex: usize,
    pub per_spring: usize,
    /// Factors of a matrix with a row per vertex.
    pub factors: usize,
}

impl Memory {
    /// As the `algorithm` of a solver tells it.
    pub fn of(algorithm: &str) -> Self {
        let line = algorithm.lines().find_map(|line| line.strip_prefix(MEMORY)).unwrap_or_default();
        let number = |what: &str| {
            let part = line.split(',').map(str::trim).find_map(|part| part.strip_suffix(what));
            part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
        };
        Self { per_vertex: number("per vertex"), per_spring: number("per spring"), factors: number("factor") }
    }
}

/// How lines are made.
pub(super) struct Template<'a> {
    pub facts: &'a Facts,
    /// Most columns of a line.
    pub columns: usize,
}

impl Template<'_> {
    /// The lines of `text` whose conditions hold, each behind `indent`.
    pub fn lines(&self, text: &str, indent: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with(MEMORY)) {
            let conditional = line.strip_prefix('[').and_then(|line| line.split_once("] "));
            let (condition, line) = conditional.map_or((None, line), |(condition, line)| (Some(condition), line));
            if condition.is_some_and(|condition| !self.facts.hold(condition)) {
                continue;
            }
            let name = line.trim_start();
            let own = &line[..line.len() - name.len()];
            let part = name.strip_prefix('@').and_then(|name| PARTS.iter().find(|(of, _)| *of == name));
            match part {
                Some((_, part)) => lines.extend(self.lines(part, &format!("{indent}{own}"))),
                None => lines.extend(wrapped(&format!("{indent}{}", self.fill(line)), self.columns, HANGING)),
            }
        }
        lines
    }

    /// `text` with the names of parameters, and with what depends on conditions.
    fn fill(&self, text: &str) -> String {
        let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
        let Some(end) = end_of(rest) else { return text.to_owned() };
        let (inside, after) = (&rest[..end], &rest[end + 1..]);
        let inside = match inside.strip_prefix('?').and_then(|inside| inside.split_once(": ")) {
            Some((condition, then)) if self.facts.hold(condition) => self.fill(then),
            Some(_) => String::new(),
            None => self.facts.name(inside).unwrap_or_else(|| format!("{{{inside}}}")),
        };
        format!("{before}{inside}{}", self.fill(after))
    }
}

/// Where the brace that stands open before `text` is closed.
fn end_of(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
        None
    })
}
