//! Projection on a set `C(p) = 0` without a closed form: sequential quadratic programming (Bouaziz
//! et al. 2014, section 6; Nocedal and Wright 2006, chapter 18).
//!
//! ```text
//! min |p - z|²/2  subject to  C(p) = 0
//! p + d:   min |p + d - z|²/2  subject to  C + ∇C·d = 0
//! d = (z - p) - λ ∇C,   λ = (C + ∇C·(z - p))/|∇C|²
//! ```
//!
//! The Hessian of the Lagrangian is first taken for that of the distance, 1 (Gauss-Newton), then
//! for that of the last steps (BFGS), so a step needs a gradient of `C` and no linear system. `p`
//! begins on the set. After a step it returns there along gradients; a step that does not come
//! nearer to `z` is halved. So the distance falls in every step, and the result is on the set,
//! nearest among its neighbours; if `z` is far from a curved set, another part of it may be nearer
//! still.

use crate::sim::{Real, Vec3};

/// Most steps, most halvings of one, and most gradients by which a point returns to the set.
const STEPS: usize = 30;
const HALVINGS: usize = 12;
const RETURNS: usize = 8;
/// Steps by which curvature is known.
const PAIRS: usize = 8;
/// Relative step at which `p` is taken as found.
const FOUND: Real = 1e-10;
/// Relative fall of the squared distance that rounding hides.
const SEEN: Real = 1e-16;

/// `C` and its gradient at some points; `None` where it has none.
pub type Linearised<const N: usize> = Option<(Real, [Vec3; N])>;

/// The point of the set `C(p) = 0` nearest to `z` that is found from `start`, a point near the set.
/// `C` is zero there within `tolerance`, in its own unit. `None` where no point of the set is found.
pub fn nearest<const N: usize>(
    z: &[Vec3; N],
    start: [Vec3; N],
    tolerance: Real,
    constraint: impl Fn(&[Vec3; N]) -> Linearised<N>,
) -> Option<[Vec3; N]> {
    let (mut p, mut gradient) = on_set(start, tolerance, &constraint)?;
    let size = square(z).max(square(&p));
    let mut distance = square(&difference(z, &p));
    let mut history = History::default();
    for _ in 0..STEPS {
        let away = difference(z, &p);
        let fall = tangent(&away, &gradient);
        let found = (FOUND * FOUND * size).max(SEEN * distance);
        if square(&fall).is_nan() || square(&fall) <= found {
            break;
        }
        history.note_slope(&p, &fall);
        let step = tangent(&history.step(&fall), &gradient);
        let mut share = 1.0;
        let nearer = (0..HALVINGS).find_map(|_| {
            let trial: [Vec3; N] = std::array::from_fn(|k| p[k] + step[k] * share);
            share /= 2.0;
            let (trial, gradient) = on_set(trial, tolerance, &constraint)?;
            let apart = square(&difference(z, &trial));
            (apart < distance).then_some((trial, gradient, apart))
        });
        let Some(nearer) = nearer else { break };
        (p, gradient, distance) = nearer;
    }
    Some(p)
}

/// Brings `p` to the set along gradients, until `C` is within `tolerance`, with the gradient there.
fn on_set<const N: usize>(
    mut p: [Vec3; N],
    tolerance: Real,
    constraint: &impl Fn(&[Vec3; N]) -> Linearised<N>,
) -> Option<([Vec3; N], [Vec3; N])> {
    for _ in 0..RETURNS {
        let (value, gradient) = constraint(&p)?;
        if value.abs() <= tolerance {
            return Some((p, gradient));
        }
        let share = value / square(&gradient);
        p = std::array::from_fn(|k| p[k] - gradient[k] * share);
    }
    None
}

/// `v` without its part along `gradient`.
fn tangent<const N: usize>(v: &[Vec3; N], gradient: &[Vec3; N]) -> [Vec3; N] {
    let share = dot(v, gradient) / square(gradient);
    std::array::from_fn(|k| v[k] - gradient[k] * share)
}

/// Steps and the changes of the slope along them, by which curvature is known (BFGS; Nocedal and
/// Wright, algorithm 7.4).
struct History<const N: usize> {
    last: Option<([Vec3; N], [Vec3; N])>,
    /// Steps, changes of the slope, and their products.
    pairs: [([Vec3; N], [Vec3; N], Real); PAIRS],
    count: usize,
}

impl<const N: usize> Default for History<N> {
    fn default() -> Self {
        Self { last: None, pairs: [([Vec3::ZERO; N], [Vec3::ZERO; N], 0.0); PAIRS], count: 0 }
    }
}

impl<const N: usize> History<N> {
    /// Takes the point `p`, from which the distance falls fastest along `fall`.
    fn note_slope(&mut self, p: &[Vec3; N], fall: &[Vec3; N]) {
        if let Some((before, slope)) = self.last.replace((*p, *fall)) {
            let (step, change) = (difference(p, &before), difference(&slope, fall));
            let product = dot(&step, &change);
            if product > 1e-3 * square(&step) {
                self.pairs[self.count % PAIRS] = (step, change, product);
                self.count += 1;
            }
        }
    }

    /// The step to where the slope is zero, by the curvature that is known, and 1 across.
    fn step(&self, fall: &[Vec3; N]) -> [Vec3; N] {
        let mut step = *fall;
        let known = self.count.saturating_sub(PAIRS)..self.count;
        let mut shares = [0.0; PAIRS];
        for at in known.clone().rev().map(|at| at % PAIRS) {
            let (s, y, product) = &self.pairs[at];
            shares[at] = dot(s, &step) / product;
            step = std::array::from_fn(|k| step[k] - y[k] * shares[at]);
        }
        for at in known.map(|at| at % PAIRS) {
            let (s, y, product) = &self.pairs[at];
            let share = shares[at] - dot(y, &step) / product;
            step = std::array::from_fn(|k| step[k] + s[k] * share);
        }
        step
    }
}

fn difference<const N: usize>(a: &[Vec3; N], b: &[Vec3; N]) -> [Vec3; N] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot<const N: usize>(a: &[Vec3; N], b: &[Vec3; N]) -> Real {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

fn square<const N: usize>(a: &[Vec3; N]) -> Real {
    dot(a, a)
}
