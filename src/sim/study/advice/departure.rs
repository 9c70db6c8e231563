//! How far a run leaves that of the reference at any moment: what a look beside it would refute.
//!
//! Each figure is compared with the largest that the reference has had until a moment later, so
//! that a motion of another phase is no departure, and with a floor below which nobody sees it.

use super::over_time::{Moment, Series};
use crate::sim::Real;

/// How much later the reference may have a figure [s].
const LATER: Real = 0.25;
/// Strain below which none is seen, and heights as a share of the size of the cloth: that of a
/// fold, and that of a cloth that has come down.
const STRAIN: Real = 0.02;
const HEIGHT: Real = 0.05;
const DOWN: Real = 0.2;

/// A way to leave the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A thread is stretched farther.
    Stretch,
    /// The lowest vertex hangs lower.
    Sag,
    /// The cloth comes down less.
    Hover,
    /// Some vertex rises higher above the highest one of the start.
    Rise,
    /// The cloth gains more mechanical energy.
    Energy,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Stretch, Self::Sag, Self::Hover, Self::Rise, Self::Energy];

    /// In a word.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Stretch => "stretch",
            Self::Sag => "sag",
            Self::Hover => "hover",
            Self::Rise => "rise",
            Self::Energy => "energy",
        }
    }
}

/// The moment at which a run is farthest from the reference in one way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Departure {
    /// The way.
    pub way: Way,
    /// Times the figure of the reference, or of the floor where that is larger; of
    /// [`Way::Hover`] the inverse.
    pub times: Real,
    /// When [s].
    pub time: Real,
    /// Figure of the run then: a strain, a height [m], or an energy [J].
    pub own: Real,
    /// Figure of the reference until then.
    pub reference: Real,
}

/// The largest departure of `own` from `reference` in each way, within the time of both.
#[must_use]
pub fn departures(own: &Series, reference: &Series) -> [Departure; 5] {
    let (size, weight) = (own.size(), own.weight());
    let floors = [STRAIN, HEIGHT * size, HEIGHT * size, HEIGHT * size * weight];
    let (own_most, reference_most) = (running_most(own), running_most(reference));
    let end = own.lasted().min(reference.lasted());
    let moments = || own.moments().filter(|moment| moment.time <= end + 1e-9);
    Way::ALL.map(|way| {
        let at = |moment: Moment| {
            let of_reference = until(&reference_most, moment.time + LATER);
            let of_own = until(&own_most, moment.time + LATER);
            let compared = |k: usize| {
                let times = moment.figures[k].max(0.0) / of_reference[k].max(floors[k]);
                Departure { way, times, time: moment.time, own: moment.figures[k], reference: of_reference[k] }
            };
            match way {
                Way::Stretch => compared(0),
                Way::Sag => compared(1),
                Way::Rise => compared(2),
                Way::Energy => compared(3),
                Way::Hover => {
                    let down = until(&reference_most, moment.time)[1];
                    let times = if down > DOWN * size { down / of_own[1].max(HEIGHT * size) } else { 0.0 };
                    Departure { way, times, time: moment.time, own: of_own[1], reference: down }
                }
            }
        };
        let none = Departure { way, times: 0.0, time: 0.0, own: 0.0, reference: 0.0 };
        moments().map(at).fold(none, |most, next| if next.times > most.times { next } else { most })
    })
}

/// The largest figures until each moment.
fn running_most(series: &Series) -> Vec<Moment> {
    let mut most = [0.0_f64; 4];
    let grow = |moment: Moment| {
        (0..4).for_each(|k| most[k] = most[k].max(moment.figures[k]));
        Moment { time: moment.time, figures: most }
    };
    series.moments().map(grow).collect()
}

/// The largest figures until `time` [s].
fn until(most: &[Moment], time: Real) -> [Real; 4] {
    let passed = most.partition_point(|moment| moment.time <= time + 1e-9);
    passed.checked_sub(1).map_or([0.0; 4], |at| most[at].figures)
}
