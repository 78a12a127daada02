//! Multi-index hashing: a bucket for each part of a signature.
//!
//! Norouzi, Punjani, Fleet: "Fast exact search in Hamming space with multi-index hashing", TPAMI
//! 2014. Signatures that differ in at most `r = s·r' + a` of their bits differ in at most r' in one
//! of the first a + 1 of s parts, or in at most r' − 1 in one of the others. Parts have about
//! log2(n) bits, so that buckets stay small; when four times as many signatures are there, parts
//! are cut anew, which costs a constant for each.

use super::Range;

/// How many signatures the first parts are cut for.
const FIRST: usize = 1 << 10;

/// The end of a bucket.
const END: u32 = u32::MAX;

/// Buckets of signatures by their parts.
#[derive(Debug)]
pub struct MultiIndex {
    bits: u32,
    width: usize,
    words: Vec<u64>,
    parts: Vec<Part>,
    /// When parts are cut anew.
    full: usize,
}

/// One part: where it begins, how many bits it has, and its buckets as chains.
#[derive(Debug)]
struct Part {
    start: u32,
    bits: u32,
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl MultiIndex {
    /// For signatures of so many bits.
    pub fn new(bits: u32) -> Self {
        let width = bits.div_ceil(u64::BITS) as usize;
        let parts = cut(bits, FIRST);
        Self { bits, width, words: Vec::new(), parts, full: FIRST }
    }

    fn len(&self) -> usize {
        self.words.len() / self.width
    }

    fn link(&mut self, number: usize) {
        let signature = &self.words[number * self.width..][..self.width];
        for part in &mut self.parts {
            let head = &mut part.heads[part_of(signature, part.start, part.bits) as usize];
            part.next.push(*head);
            *head = number as u32;
        }
    }
}

/// The longest part: it has a bucket for each value.
const LONGEST: u32 = 24;

/// Parts of about log2(n) bits, as equal as can be.
fn cut(bits: u32, n: usize) -> Vec<Part> {
    let wanted = n.ilog2().clamp(1, LONGEST);
    let count = (f64::from(bits) / f64::from(wanted)).round() as u32;
    let count = count.max(bits.div_ceil(LONGEST));
    (0..count)
        .map(|n| {
            let (start, end) = (bits * n / count, bits * (n + 1) / count);
            let heads = vec![END; 1 << (end - start)];
            Part { start, bits: end - start, heads, next: Vec::new() }
        })
        .collect()
}

/// The bits of a signature from `start` on.
fn part_of(signature: &[u64], start: u32, bits: u32) -> u64 {
    let (word, offset) = ((start / 64) as usize, start % 64);
    let mut value = signature[word] >> offset;
    if offset + bits > 64 {
        value |= signature[word + 1] << (64 - offset);
    }
    value & ((1 << bits) - 1)
}

/// Call `found` with each value that differs from this one in at most `radius` of `bits` bits.
pub fn ball(value: u64, bits: u32, radius: u32, found: &mut impl FnMut(u64)) {
    found(value);
    if radius == 0 {
        return;
    }
    for bit in 0..bits {
        // Only lower bits change after this one: each combination comes once.
        ball_below(value ^ 1 << bit, bit, radius - 1, found);
    }
}

fn ball_below(value: u64, below: u32, radius: u32, found: &mut impl FnMut(u64)) {
    found(value);
    if radius > 0 {
        for bit in 0..below {
            ball_below(value ^ 1 << bit, bit, radius - 1, found);
        }
    }
}

impl Range for MultiIndex {
    fn add(&mut self, signature: &[u64]) {
        self.words.extend_from_slice(signature);
        if self.len() > self.full {
            self.full *= 4;
            self.parts = cut(self.bits, self.full);
            (0..self.len()).for_each(|number| self.link(number));
        } else {
            self.link(self.len() - 1);
        }
    }

    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        let count = self.parts.len() as u32;
        let (each, rest) = (radius / count, radius % count);
        for (n, part) in self.parts.iter().enumerate() {
            let Some(own) = (if n as u32 <= rest { Some(each) } else { each.checked_sub(1) })
            else {
                continue;
            };
            let value = part_of(query, part.start, part.bits);
            ball(value, part.bits, own.min(part.bits), &mut |value| {
                let mut number = part.heads[value as usize];
                while number != END {
                    let stored = &self.words[number as usize * self.width..][..self.width];
                    let pairs = stored.iter().zip(query);
                    if pairs.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() <= radius {
                        found(number);
                    }
                    number = part.next[number as usize];
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hamming::scan::Scan;
    use crate::hamming::table::Table;
    use proptest::prelude::*;

    #[test]
    fn balls_have_the_sizes_of_the_binomials() {
        let size = |bits, radius| {
            let mut values = Vec::new();
            ball(5, bits, radius, &mut |value| values.push(value));
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|r| size(16, r)), [1, 17, 137, 697, 2_517, 6_885]);
        assert_eq!([0, 1, 2, 3].map(|r| size(32, r)), [1, 33, 529, 5_489]);
    }

    #[test]
    fn probes_are_those_of_the_paper() {
        let probes = |count: u32, radius: u32| {
            let mut sum = 0;
            for n in 0..count {
                let each = radius / count;
                let own = if n <= radius % count { Some(each) } else { each.checked_sub(1) };
                if let Some(own) = own {
                    ball(0, 32 / count, own, &mut |_| sum += 1);
                }
            }
            sum
        };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|r| probes(2, r)), [1, 2, 18, 34, 154, 274]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|r| probes(4, r)), [1, 2, 3, 4, 12, 20]);
    }

    fn found(index: &dyn Range, query: &[u64], radius: u32) -> Vec<u32> {
        let mut found = Vec::new();
        index.range(query, radius, &mut |n| found.push(n));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn signature(bits: u32, set: &[u32]) -> Vec<u64> {
        let mut words = vec![0; bits.div_ceil(64) as usize];
        set.iter().for_each(|bit| words[(bit % bits / 64) as usize] |= 1 << (bit % bits % 64));
        words
    }

    proptest! {
        #[test]
        fn every_index_finds_what_the_scan_finds(
            bits in prop::sample::select(vec![8_u32, 16, 32, 50, 64, 100, 128, 256]),
            stored in prop::collection::vec(prop::collection::vec(0_u32..256, 0..6), 0..60),
            query in prop::collection::vec(0_u32..256, 0..6),
            radius in 0_u32..12,
        ) {
            let query = signature(bits, &query);
            let mut scan = Scan::new(query.len());
            let mut index = MultiIndex::new(bits);
            let mut table = (bits <= 16).then(|| Table::new(bits));
            let mut expected = Vec::new();
            for (n, set) in stored.iter().enumerate() {
                let stored = signature(bits, set);
                let distance: u32 =
                    stored.iter().zip(&query).map(|(a, b)| (a ^ b).count_ones()).sum();
                if distance <= radius {
                    expected.push(n as u32);
                }
                scan.add(&stored);
                index.add(&stored);
                table.iter_mut().for_each(|table| table.add(&stored));
            }
            prop_assert_eq!(found(&scan, &query, radius), expected.clone());
            prop_assert_eq!(found(&index, &query, radius), expected.clone());
            if let Some(table) = table {
                prop_assert_eq!(found(&table, &query, radius), expected);
            }
        }
    }

    #[test]
    fn parts_that_are_cut_anew_lose_nothing() {
        let mut index = MultiIndex::new(64);
        let mut scan = Scan::new(1);
        let mut word = 1_u64;
        for _ in 0..5_000 {
            word = crate::hash::extend(word, 7);
            // Few bits, so that many are near each other.
            let signature = [word & word.rotate_left(13) & word.rotate_left(29)];
            index.add(&signature);
            scan.add(&signature);
        }
        let mut all = 0;
        for query in [0, 0x8000_0000_0000_0001, 0xFF00] {
            for radius in [0, 3, 7, 12] {
                let expected = found(&scan, &[query], radius);
                assert_eq!(found(&index, &[query], radius), expected);
                all += expected.len();
            }
        }
        assert!(all > 1_000, "{all}");
    }
}
