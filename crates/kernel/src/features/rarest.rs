//! The rarest words of a sentence, by their ranks.

use crate::statistics::DROPPED;

/// Up to so many are kept in order as they come; beyond, sorting is quicker.
const FEW: usize = 8;

/// Keep the `most` smallest of different ranks, in order. None of them is [`DROPPED`].
pub fn rarest(all: &[u32], most: usize, kept: &mut Vec<u32>) {
    kept.clear();
    if most > FEW {
        kept.extend_from_slice(all);
        kept.sort_unstable();
        kept.dedup();
        kept.truncate(most);
    } else {
        let least = least(all);
        kept.extend(least[..most].iter().take_while(|&&rank| rank != DROPPED));
    }
}

/// The smallest of different numbers in order, filled up with the largest number there is.
#[inline]
fn least(all: &[u32]) -> [u32; FEW] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("sse4.1") {
        #[expect(unsafe_code, reason = "a compiler cannot know which processor it is")]
        // SAFETY: SSE4.1, all that the function asks for, is there.
        return unsafe { least_at_once(all) };
    }
    least_one_by_one(all)
}

/// A number goes where all before it are smaller, and those behind move on by one. Which these are
/// cannot be foretold, so nothing is decided: each place takes the middle one of what it has, what
/// the place before has, and the number.
fn least_one_by_one(all: &[u32]) -> [u32; FEW] {
    let mut least = [u32::MAX; FEW];
    for &new in all {
        if !least.contains(&new) {
            let before = |n: usize| if n == 0 { 0 } else { least[n - 1] };
            least = std::array::from_fn(|n| least[n].min(before(n).max(new)));
        }
    }
    least
}

/// The same, all places at once: in two halves, as moving numbers from one place to the next takes
/// several times as long in a register of all eight.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse4.1")]
fn least_at_once(all: &[u32]) -> [u32; FEW] {
    use std::arch::x86_64::{
        _mm_alignr_epi8, _mm_cmpeq_epi32, _mm_max_epu32, _mm_min_epu32, _mm_movemask_epi8,
        _mm_or_si128, _mm_set1_epi32, _mm_setzero_si128,
    };
    let mut first = _mm_set1_epi32(-1);
    let mut second = first;
    for &new in all {
        let new = _mm_set1_epi32(new as i32);
        let same = _mm_or_si128(_mm_cmpeq_epi32(first, new), _mm_cmpeq_epi32(second, new));
        // One that is there already is rare, and foretold.
        if _mm_movemask_epi8(same) == 0 {
            let before_second = _mm_alignr_epi8::<12>(second, first);
            let before_first = _mm_alignr_epi8::<12>(first, _mm_setzero_si128());
            second = _mm_min_epu32(second, _mm_max_epu32(before_second, new));
            first = _mm_min_epu32(first, _mm_max_epu32(before_first, new));
        }
    }
    #[expect(unsafe_code, reason = "there is no other way out of a register")]
    // SAFETY: both are 256 bits together, of which every pattern is a value.
    unsafe {
        std::mem::transmute([first, second])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_rarest_are_the_first_of_all_sorted(
            all in prop::collection::vec(
                prop_oneof![0_u32..30, Just(DROPPED - 1), 0..DROPPED], 0..40,
            ),
            most in 0_usize..20,
        ) {
            let mut expected = all.clone();
            expected.sort_unstable();
            expected.dedup();
            expected.truncate(most);
            let mut kept = vec![7];
            rarest(&all, most, &mut kept);
            prop_assert_eq!(kept, expected);
            prop_assert_eq!(least(&all), least_one_by_one(&all));
        }
    }
}
