//! Colours: what is done to all items of one at the same time does not see one another.

use proptest::prelude::*;
use weft::sim::exec::colouring::Colouring;

proptest! {
    #[test]
    fn no_two_neighbours_have_a_colour_in_common(
        links in proptest::collection::vec((0_u32..40, 0_u32..40), 0..200),
        count in 40_usize..45,
    ) {
        let near = |item: u32, visit: &mut dyn FnMut(u32)| {
            for &(a, b) in &links {
                if a == item {
                    visit(b);
                }
                if b == item {
                    visit(a);
                }
            }
        };
        let colouring = Colouring::greedy(count, near);
        let mut colour_of = vec![usize::MAX; count];
        for (colour, items) in colouring.colours().enumerate() {
            prop_assert!(!items.is_empty());
            items.iter().for_each(|item| colour_of[*item as usize] = colour);
        }
        prop_assert!(colour_of.iter().all(|colour| *colour != usize::MAX));
        prop_assert_eq!(colouring.order().len(), count);
        for &(a, b) in links.iter().filter(|(a, b)| a != b) {
            prop_assert_ne!(colour_of[a as usize], colour_of[b as usize]);
        }
        // none has more neighbours than there are links at it
        let most = (0..count as u32).map(|item| links.iter().filter(|(a, b)| *a == item || *b == item).count()).max();
        prop_assert!(colouring.colours().len() <= most.unwrap_or(0) + 1);
    }
}
