//! Sorting that can be stopped.
//!
//! A sort of many millions takes seconds and asks nobody whether to go on. So items are first
//! dealt out to pieces that follow each other, and the pieces are sorted one by one. What cannot be
//! dealt out is sorted in pieces as it comes, and these are merged.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::Result;
use crate::split::pieces;

/// Into how many pieces items are dealt out.
const PIECES: u64 = 1024;

/// How many items are dealt out between two looks at the flag.
const STEP: usize = 1 << 20;

/// How many items are sorted at once before they are merged, or merged between two looks at the flag.
const RUN: usize = if cfg!(test) { 8 } else { 1 << 14 };

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
    let counts = next[1..].to_vec();
    for n in 1..next.len() {
        next[n] += next[n - 1];
    }
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
    pieces(items, counts).into_par_iter().try_for_each(|piece| {
        cancel.check()?;
        piece.sort_unstable();
        Ok(())
    })
}

/// From how many there are of each to where these begin, one behind the other; returns how many there are
/// in all. Who puts each at its place and moves that on by one has where they end.
pub fn to_starts<N: Copy + Default + std::ops::AddAssign>(counts: &mut [N]) -> N {
    let mut sum = N::default();
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
    sum
}

/// Sort items by any order; equal ones stay as they are.
pub fn sort_by<T: Copy + Send + Sync>(
    items: &mut Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering + Sync,
    cancel: &Cancel,
) -> Result<()> {
    let mut sorted = RUN;
    items.par_chunks_mut(sorted).try_for_each(|run| {
        cancel.check()?;
        run.sort_by(&compare);
        Ok(())
    })?;
    while sorted < items.len() {
        let merged = |pair: &[T]| merge(pair, sorted, &compare, cancel);
        *items = items.par_chunks(2 * sorted).map(merged).collect::<Result<Vec<_>>>()?.concat();
        sorted *= 2;
    }
    Ok(())
}

/// Merge what is sorted before and behind a place.
fn merge<T: Copy>(
    items: &[T],
    place: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    cancel: &Cancel,
) -> Result<Vec<T>> {
    let (mut first, mut second) = items.split_at(place.min(items.len()));
    let mut merged = Vec::with_capacity(items.len());
    while let (Some(a), Some(b)) = (first.first(), second.first()) {
        if merged.len() % RUN == 0 {
            cancel.check()?;
        }
        let from = if compare(a, b) == Ordering::Greater { &mut second } else { &mut first };
        merged.push(from[0]);
        *from = &from[1..];
    }
    merged.extend_from_slice(first);
    merged.extend_from_slice(second);
    Ok(merged)
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
        assert_eq!(sort_by(&mut vec![3, 1], Ord::cmp, &cancel), Err(Error::Cancelled));
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
            let (mut kept, mut stable) = (keys.clone(), keys.clone());
            sort_by(&mut kept, |a, b| (a.1 % 7).cmp(&(b.1 % 7)), &Cancel::default()).expect("sorted");
            stable.sort_by_key(|item| item.1 % 7);
            prop_assert_eq!(kept, stable);
            let mut small: Vec<u64> = keys.iter().map(|(key, _)| key % limit).collect();
            let mut sorted = small.clone();
            sorted.sort_unstable();
            sort(&mut small, limit, |&n| n, &Cancel::default()).expect("nothing cancels");
            prop_assert_eq!(small, sorted);
        }
    }
}
