//! Triangles that hang together wind alike: side by side they pass their common edge in opposite
//! directions. Their front depends on it, and with it the air and every export.

use std::collections::VecDeque;

/// Number of triangles that were turned over, and of parts that have one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wound {
    pub turned: usize,
    pub one_sided: usize,
}

/// Turns triangles over until those of each part wind alike, as most of the part do already; parts
/// hang together at edges of two triangles. `corners` are attributes of them, or empty. A part with
/// one side, like a Moebius strip, stays as it is.
pub(super) fn wind_alike(triangles: &mut [[u32; 3]], corners: &mut [[u32; 3]]) -> Wound {
    let beside = neighbours(triangles);
    let (mut wound, mut turn) = (Wound::default(), vec![None; triangles.len()]);
    for start in 0..triangles.len() {
        if turn[start].is_some() {
            continue;
        }
        turn[start] = Some(false);
        let (mut part, mut open, mut is_one_sided) = (vec![start], VecDeque::from([start]), false);
        while let Some(at) = open.pop_front() {
            for &(other, is_alike) in beside[at].iter().flatten() {
                let wanted = turn[at].map(|turned| turned == is_alike);
                match turn[other] {
                    None => {
                        turn[other] = wanted;
                        part.push(other);
                        open.push_back(other);
                    }
                    found => is_one_sided |= found != wanted,
                }
            }
        }
        if is_one_sided {
            wound.one_sided += 1;
            continue;
        }
        let count = part.iter().filter(|at| turn[**at] == Some(true)).count();
        let turned = 2 * count <= part.len();
        for at in part.into_iter().filter(|at| turn[*at] == Some(turned)) {
            triangles[at].swap(1, 2);
            corners.get_mut(at).into_iter().for_each(|of| of.swap(1, 2));
            wound.turned += 1;
        }
    }
    wound
}

/// The triangle at each side of each triangle, if there is exactly one more, and whether both wind
/// alike.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[Option<(usize, bool)>; 3]> {
    let mut sides: Vec<([u32; 2], usize, bool)> = Vec::with_capacity(3 * triangles.len());
    for (number, &[a, b, c]) in triangles.iter().enumerate() {
        for (side, (i, j)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            sides.push(([i.min(j), i.max(j)], 3 * number + side, i < j));
        }
    }
    sides.sort_unstable();
    let mut beside = vec![[None; 3]; triangles.len()];
    for edge in sides.chunk_by(|a, b| a.0 == b.0) {
        if let &[(_, first, rises), (_, second, other_rises)] = edge {
            let is_alike = rises != other_rises;
            beside[first / 3][first % 3] = Some((second / 3, is_alike));
            beside[second / 3][second % 3] = Some((first / 3, is_alike));
        }
    }
    beside
}
