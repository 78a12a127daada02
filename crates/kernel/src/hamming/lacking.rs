//! Who lacks at most so many words, told of many sentences at once by a row of bits for each word.

use super::slices::Counters;

/// One bit of each of 64 sentences for each lane.
pub type Row<const LANES: usize> = [u64; LANES];

/// Who of these lacks at most so many of the words, if `row` tells who has one.
#[inline(always)]
pub fn who_has<const LANES: usize, W: Copy>(
    words: &[W],
    most: u32,
    all: Row<LANES>,
    row: impl Fn(W) -> Row<LANES>,
) -> Row<LANES> {
    match most {
        0 => count(words, [all; 1], row),
        1 => count(words, [all; 2], row),
        2 => count(words, [all; 3], row),
        3 => count(words, [all; 4], row),
        4 => count(words, [all; 5], row),
        _ => both(all, Counters::count(words.len(), most, |n| both(all, row(words[n])))),
    }
}

/// The same, with those who lack at most 0, 1, ... of the words, which all do at first.
#[inline(always)]
fn count<const LANES: usize, const MORE: usize, W: Copy>(
    words: &[W],
    mut at_most: [Row<LANES>; MORE],
    row: impl Fn(W) -> Row<LANES>,
) -> Row<LANES> {
    for &word in words {
        let there = row(word);
        for n in (1..MORE).rev() {
            for lane in 0..LANES {
                at_most[n][lane] = at_most[n][lane] & there[lane] | at_most[n - 1][lane];
            }
        }
        at_most[0] = both(at_most[0], there);
        if at_most[MORE - 1].iter().fold(0, |all, lane| all | lane) == 0 {
            break;
        }
    }
    at_most[MORE - 1]
}

fn both<const LANES: usize>(one: Row<LANES>, other: Row<LANES>) -> Row<LANES> {
    std::array::from_fn(|lane| one[lane] & other[lane])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_as_counted_one_by_one(
            rows in prop::collection::vec(prop::array::uniform2(any::<u64>()), 0..30),
            more in prop::array::uniform2(any::<u64>()),
            all in prop::array::uniform2(any::<u64>()),
            most in 0_u32..30,
        ) {
            // With more bits than by chance, so that few are lacking.
            let row = |n: usize| std::array::from_fn(|lane| rows[n][lane] | more[lane]);
            let words: Vec<usize> = (0..rows.len()).collect();
            let who = who_has(&words, most, all, row);
            for (lane, bit) in (0..128).map(|n| (n / 64, n % 64)) {
                let has = |row: Row<2>| row[lane] >> bit & 1 == 1;
                let lacking = words.iter().filter(|&&n| !has(row(n))).count() as u32;
                prop_assert_eq!(has(who), has(all) && lacking <= most);
            }
        }
    }
}
