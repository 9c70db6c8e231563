//! Successive halving: after each look only the candidates in the foremost fronts go on.
//!
//! The first front has the candidates that none dominates, which means that none is both cheaper
//! and nearer; the second front has those that only the first one dominates, and so on. Fronts go
//! on whole until half of the candidates do. No budget and no weights enter, so that the
//! measurements serve for all of them.

use crate::sim::Real;

/// Whether `a` dominates `b`; each is cost and error.
#[must_use]
pub fn dominates(a: [Real; 2], b: [Real; 2]) -> bool {
    a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1])
}

/// The front that each point belongs to, from 0; a point is cost and error.
#[must_use]
pub fn fronts(points: &[[Real; 2]]) -> Vec<usize> {
    let mut front = vec![usize::MAX; points.len()];
    let mut left: Vec<usize> = (0..points.len()).collect();
    for number in 0.. {
        let foremost: Vec<usize> =
            left.iter().copied().filter(|b| !left.iter().any(|a| dominates(points[*a], points[*b]))).collect();
        foremost.iter().for_each(|at| front[*at] = number);
        left.retain(|at| front[*at] == usize::MAX);
        // numbers that are none dominate nothing and are dominated by nothing
        if left.is_empty() || foremost.is_empty() {
            break;
        }
    }
    front
}

/// Which points go on where at least `count` are to.
#[must_use]
pub fn survivors(points: &[[Real; 2]], count: usize) -> Vec<bool> {
    let front = fronts(points);
    let size = |last: usize| front.iter().filter(|number| **number <= last).count();
    let last = (0..points.len()).find(|last| size(*last) >= count.min(points.len())).unwrap_or(0);
    front.iter().map(|number| *number <= last).collect()
}
