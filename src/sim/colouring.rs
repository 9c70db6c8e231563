//! Colours of a graph: what is done to all items of a colour at the same time must not see one another.

/// Items by colour.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Colouring {
    /// Every item, those of the first colour first.
    pub order: Vec<u32>,
    /// Where each colour ends in the order.
    pub ends: Vec<usize>,
}

impl Colouring {
    /// Every one of `count` items has the first colour that none of its neighbours before it has. `near` calls its second argument with the
    /// neighbours of an item.
    #[must_use]
    pub fn greedy(count: usize, near: impl Fn(u32, &mut dyn FnMut(u32))) -> Self {
        let mut colours = vec![0_usize; count];
        // by colour, the last item that is not to have it, from 1
        let mut taken: Vec<u32> = Vec::new();
        for item in 0..count as u32 {
            near(item, &mut |other| {
                if other < item {
                    taken[colours[other as usize]] = item + 1;
                }
            });
            let free = taken.iter().position(|by| *by != item + 1).unwrap_or(taken.len());
            if free == taken.len() {
                taken.push(0);
            }
            colours[item as usize] = free;
        }
        Self::by(&colours)
    }

    /// Items that have these colours.
    #[must_use]
    pub fn by(colours: &[usize]) -> Self {
        let mut counts = vec![0_usize; colours.iter().max().map_or(0, |most| most + 1)];
        colours.iter().for_each(|colour| counts[*colour] += 1);
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_by_key(|item| colours[*item as usize]);
        let mut end = 0;
        let ends = counts.into_iter().map(|count| {
            end += count;
            end
        });
        Self { ends: ends.collect(), order }
    }

    /// The items of each colour.
    pub fn colours(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.order[start..end])
    }
}
