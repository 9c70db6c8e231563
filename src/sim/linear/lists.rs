//! Lists of numbers of many lengths in one piece of memory, which another such piece can become by
//! little copying.
//!
//! In one piece and in their order, since solves read the lists one after the other, again and
//! again: where each lies somewhere else that takes a third longer. What has changed once has some
//! room behind it, so that it can grow where it is.

use std::ops::Range;

/// Part of the values that may lie out of order before they are put in order again: one in so many.
const SCATTERED: usize = 16;

/// Where a list lies.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    start: usize,
    length: usize,
    /// How long it can become there.
    room: usize,
}

impl Place {
    fn range(self) -> Range<usize> {
        self.start..self.start + self.length
    }
}

/// Room for a list that may grow: a few rows of most panels.
fn room_for(length: usize) -> usize {
    length + (length / 16).next_multiple_of(8) + 32
}

/// Where lists lie in their values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places<'a>(&'a [Place]);

impl Places<'_> {
    /// Of list `s`.
    #[inline(always)]
    pub fn range(self, s: usize) -> Range<usize> {
        self.0[s].range()
    }
}

/// Numbered lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    values: Vec<f64>,
    places: Vec<Place>,
    /// Number of values out of order.
    scattered: usize,
}

impl Lists {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// List `s`.
    #[inline(always)]
    pub fn list(&self, s: usize) -> &[f64] {
        &self.values[self.places[s].range()]
    }

    /// List `s`, to change.
    pub fn list_mut(&mut self, s: usize) -> &mut [f64] {
        &mut self.values[self.places[s].range()]
    }

    /// The values of all lists, to share between threads, and where each list lies.
    pub fn share(&mut self) -> (&mut [f64], Places<'_>) {
        (&mut self.values, Places(&self.places))
    }

    /// Makes these lists of such lengths, one behind the other, all zero.
    pub fn lay_out(&mut self, lengths: impl Iterator<Item = usize>) {
        self.places.clear();
        let mut start = 0;
        for length in lengths {
            self.places.push(Place { start, length, room: length });
            start += length;
        }
        // zeros that need not be written
        self.values = vec![0.0; start];
        self.scattered = 0;
    }

    /// Makes these lists of such lengths out of `other`: list `s` begins with what list
    /// `counterpart(s)` had in `other` as far as both go, where there is such a one and it is the
    /// counterpart of no list before. The rest holds anything.
    pub fn take_over(
        &mut self,
        other: Self,
        lengths: impl Iterator<Item = usize>,
        counterpart: impl Fn(usize) -> Option<usize>,
    ) {
        let Self { values, places: others, mut scattered } = other;
        let mut free = vec![true; others.len()];
        self.places.clear();
        let mut sources: Vec<Range<usize>> = Vec::with_capacity(others.len());
        let mut end = values.len();
        for (s, length) in lengths.enumerate() {
            let before = counterpart(s).filter(|&t| std::mem::take(&mut free[t])).map(|t| others[t]);
            sources.push(before.map_or(0..0, |before| before.start..before.start + before.length.min(length)));
            let place = match before {
                Some(before) if before.room >= length => Place { length, ..before },
                _ => {
                    let room = room_for(length);
                    (end, scattered) = (end + room, scattered + room);
                    Place { start: end - room, length, room }
                }
            };
            self.places.push(place);
        }
        self.values = values;
        self.scattered = scattered;
        if end > self.values.capacity() || SCATTERED * scattered > end {
            self.put_in_order(&sources);
            return;
        }
        self.values.resize(end, 0.0);
        for (source, place) in sources.into_iter().zip(&self.places) {
            if source.start != place.start {
                self.values.copy_within(source, place.start);
            }
        }
    }

    /// Puts the lists one behind the other again, with room to grow: each begins with the part
    /// `sources` of the values.
    fn put_in_order(&mut self, sources: &[Range<usize>]) {
        let rooms: usize = self.places.iter().map(|place| room_for(place.length)).sum();
        let mut values = Vec::with_capacity(rooms + rooms / SCATTERED);
        for (place, source) in self.places.iter_mut().zip(sources) {
            (place.start, place.room) = (values.len(), room_for(place.length));
            values.extend_from_slice(&self.values[source.clone()]);
            values.resize(place.start + place.room, 0.0);
        }
        self.values = values;
        self.scattered = 0;
    }
}
