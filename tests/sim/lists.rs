//! Lists in one piece of memory, beside plain vectors.

use proptest::prelude::*;

#[path = "../../src/sim/linear/lists.rs"]
#[allow(dead_code)]
mod code;

use code::Lists;

proptest! {
    #[test]
    fn lists_keep_what_they_had_while_they_grow_and_others_come_between(
        lengths in proptest::collection::vec(0_usize..40, 1..30),
        rounds in proptest::collection::vec(proptest::collection::vec((0_usize..8, any::<u8>()), 30), 1..40),
    ) {
        let mut plain: Vec<Vec<f64>> = lengths.iter().zip(1..).map(|(&length, at)| vec![f64::from(at); length]).collect();
        let mut lists = Lists::default();
        lists.lay_out(plain.iter().map(Vec::len));
        for (s, values) in plain.iter().enumerate() {
            lists.list_mut(s).copy_from_slice(values);
        }
        for (round, changes) in rounds.iter().enumerate() {
            // some become longer or shorter, some are gone, and a new one stands before some
            let mut next: Vec<(Option<usize>, usize)> = Vec::new();
            for (t, (values, (grown, kind))) in plain.iter().zip(changes.iter().cycle()).enumerate() {
                match kind % 16 {
                    0 => continue,
                    1 => next.push((None, *grown)),
                    2 => next.push((Some(t), values.len() / 2)),
                    _ => {}
                }
                if kind % 16 != 2 {
                    next.push((Some(t), values.len() + grown));
                }
            }
            let mut after = Lists::default();
            after.take_over(lists, next.iter().map(|list| list.1), |s| next[s].0);
            prop_assert_eq!(after.len(), next.len());
            let mut expected = Vec::new();
            for (s, &(before, length)) in next.iter().enumerate() {
                let mut values = vec![-(round as f64); length];
                if let Some(t) = before {
                    let kept = length.min(plain[t].len());
                    prop_assert_eq!(&after.list(s)[..kept], &plain[t][..kept]);
                    values[..kept].copy_from_slice(&plain[t][..kept]);
                }
                after.list_mut(s).copy_from_slice(&values);
                expected.push(values);
            }
            // none lies in another
            for (s, values) in expected.iter().enumerate() {
                prop_assert_eq!(after.list(s), &values[..]);
            }
            (lists, plain) = (after, expected);
        }
    }
}
