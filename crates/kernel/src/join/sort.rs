//! Sorting that can be stopped.
//!
//! A sort of many millions takes seconds and asks nobody whether to go on. So items are first
//! dealt out to pieces that follow each other, and the pieces are sorted one by one.

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::Result;

/// Into how many pieces items are dealt out.
const PIECES: u64 = 1024;

/// How many items are dealt out between two looks at the flag.
const STEP: usize = 1 << 20;

/// Sort items by a number below `limit`, and where that is equal by themselves.
pub fn sort<T: Copy + Default + Ord + Send>(
    items: &mut Vec<T>,
    limit: u64,
    number: impl Fn(&T) -> u64,
    cancel: &Cancel,
) -> Result<()> {
    let size = limit.div_ceil(PIECES).max(1);
    let piece = |item: &T| (number(item) / size) as usize;
    let mut next = vec![0_usize; PIECES as usize + 1];
    for part in items.chunks(STEP) {
        cancel.check()?;
        part.iter().for_each(|item| next[piece(item) + 1] += 1);
    }
    for n in 1..next.len() {
        next[n] += next[n - 1];
    }
    let ends = next[1..].to_vec();
    let mut dealt = vec![T::default(); items.len()];
    for part in items.chunks(STEP) {
        cancel.check()?;
        for item in part {
            let place = &mut next[piece(item)];
            dealt[*place] = *item;
            *place += 1;
        }
    }
    *items = dealt;
    pieces(items, &ends).into_par_iter().try_for_each(|piece| {
        cancel.check()?;
        piece.sort_unstable();
        Ok(())
    })
}

/// The slices that end at these places.
fn pieces<'a, T>(mut rest: &'a mut [T], ends: &[usize]) -> Vec<&'a mut [T]> {
    let mut start = 0;
    let mut found = Vec::with_capacity(ends.len());
    for &end in ends {
        let (piece, behind) = rest.split_at_mut(end - start);
        found.push(piece);
        (rest, start) = (behind, end);
    }
    found
}

/// Sort items by a key that is a hash, so that keys are spread evenly; then by themselves.
pub fn sort_by_hash<T: Copy + Default + Ord + Send>(
    items: &mut Vec<T>,
    key: impl Fn(&T) -> u64,
    cancel: &Cancel,
) -> Result<()> {
    sort(items, PIECES, |item| key(item) >> (64 - PIECES.ilog2()), cancel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use proptest::prelude::*;

    #[test]
    fn cancelling_stops() {
        let cancel = Cancel::default();
        cancel.cancel();
        let found = sort_by_hash(&mut vec![3_u64, 1], |&key| key, &cancel);
        assert_eq!(found, Err(Error::Cancelled));
    }

    proptest! {
        #[test]
        fn it_sorts(
            keys in prop::collection::vec((any::<u64>(), any::<u32>()), 0..300),
            limit in 1_u64..5_000,
        ) {
            let mut expected = keys.clone();
            let mut found = keys.clone();
            expected.sort_unstable();
            sort_by_hash(&mut found, |item| item.0, &Cancel::default()).expect("nothing cancels");
            prop_assert_eq!(&found, &expected);
            let mut small: Vec<u64> = keys.iter().map(|(key, _)| key % limit).collect();
            let mut sorted = small.clone();
            sorted.sort_unstable();
            sort(&mut small, limit, |&n| n, &Cancel::default()).expect("nothing cancels");
            prop_assert_eq!(small, sorted);
        }
    }
}
