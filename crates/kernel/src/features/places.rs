//! The order of a unit's features by their keys.
//!
//! Keys are hashes, so that their upper bits nearly always tell which comes first. With the place of
//! the feature in the lower bits, what is sorted are plain numbers: half the time of sorting features.

use super::Feature;

/// More features than these are sorted as they are.
pub const FEW: usize = 1 << BITS;
const BITS: u32 = 10;

/// The place of a feature, from a number that `in_order` gave.
#[inline]
pub fn place(number: u64) -> usize {
    number as usize & (FEW - 1)
}

/// Numbers that hold the places of features, in the order of their keys; None if there are too many,
/// or if the upper bits of two different keys are the same.
pub fn in_order<'r>(features: &[Feature], room: &'r mut [u64; FEW]) -> Option<&'r [u64]> {
    let numbers = room.get_mut(..features.len())?;
    for ((n, number), feature) in numbers.iter_mut().enumerate().zip(features) {
        *number = feature.key >> BITS << BITS | n as u64;
    }
    numbers.sort_unstable();
    let differ = |a: u64, b: u64| features[place(a)].key != features[place(b)].key;
    let is_clear = |two: &[u64]| (two[0] ^ two[1]) >> BITS != 0 || !differ(two[0], two[1]);
    numbers.windows(2).all(is_clear).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use proptest::prelude::*;

    proptest! {
        /// Whether keys are far apart, near each other or equal.
        #[test]
        fn keys_come_in_order_with_what_is_theirs(
            keys in prop::collection::vec(prop_oneof![any::<u64>(), 0_u64..9000, 0_u64..9], 0..60),
            times in prop_oneof![Just(1_usize), Just(40)],
        ) {
            let mut features: Vec<Feature> = keys
                .iter()
                .flat_map(|&key| std::iter::repeat_n(key, times))
                .map(|key| Feature { key, weight: key ^ 7, count: 2 })
                .collect();
            let mut made = Features::default();
            made.push(&mut features.clone(), true);
            features.sort_unstable();
            let runs: Vec<&[Feature]> = features.chunk_by(|a, b| a.key == b.key).collect();
            let expected: Vec<u64> = runs.iter().map(|run| run[0].key).collect();
            let counts: Vec<u32> = runs.iter().map(|run| 2 * run.len() as u32).collect();
            prop_assert_eq!(&made.weights, &expected.iter().map(|key| key ^ 7).collect::<Vec<_>>());
            prop_assert_eq!(made.keys, expected);
            prop_assert_eq!(made.counts, counts);
        }
    }
}
