//! Multi-index hashing for a small radius that is known: a table for each choice of blocks.
//!
//! Manku, Jain, Das Sarma: "Detecting near-duplicates for web crawling", WWW 2007, section 3. Of r
//! blocks, signatures that differ in at most d bits agree in some r − d. With enough blocks what
//! agrees is long: a bucket holds hardly more than what is near, however many signatures there are,
//! where a single part has buckets that grow with them.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::Range;
use super::law::choose;
use crate::hash;

/// How many bits two signatures must agree in to share a bucket, if there are enough.
const ENOUGH: u32 = 32;

/// The most tables that are worth it.
const MOST_TABLES: f64 = 10.0;

/// Signatures by some of their blocks, for each choice of them.
#[derive(Debug)]
pub struct BlockTables {
    width: usize,
    words: Vec<u64>,
    tables: Vec<Table>,
}

/// Buckets by the bits of a mask; those of a bucket are a chain.
#[derive(Debug)]
struct Table {
    mask: Vec<u64>,
    heads: HashMap<u64, u32, FxBuildHasher>,
    next: Vec<u32>,
}

/// The end of a chain.
const END: u32 = u32::MAX;

impl BlockTables {
    /// For signatures of so many bits, to be searched with at most this radius; `None` if that
    /// would take too many tables.
    pub fn new(bits: u32, radius: u32) -> Option<Self> {
        let agreeing = |blocks: u32| bits * (blocks - radius) / blocks;
        let few = |&blocks: &u32| choose(blocks, radius) <= MOST_TABLES;
        let enough = |least: u32| (radius + 1..=bits).find(|&blocks| agreeing(blocks) >= least);
        // Of sparse signatures half of the bits, if that takes few tables.
        let half = enough(ENOUGH.max(bits / 2)).filter(few);
        let blocks = half.or_else(|| enough(ENOUGH).filter(few))?;
        let table = |mask| Table { mask, heads: HashMap::default(), next: Vec::new() };
        Some(Self {
            width: bits.div_ceil(u64::BITS) as usize,
            words: Vec::new(),
            tables: masks(bits, blocks, radius).into_iter().map(table).collect(),
        })
    }
}

/// For each choice of `left_out` blocks, of which there are few, the bits of the others.
fn masks(bits: u32, blocks: u32, left_out: u32) -> Vec<Vec<u64>> {
    let mut masks = Vec::new();
    for choice in 0_u32..1 << blocks {
        if choice.count_ones() != left_out {
            continue;
        }
        let mut mask = vec![0; bits.div_ceil(u64::BITS) as usize];
        for block in (0..blocks).filter(|block| choice >> block & 1 == 0) {
            for bit in bits * block / blocks..bits * (block + 1) / blocks {
                mask[(bit / 64) as usize] |= 1 << (bit % 64);
            }
        }
        masks.push(mask);
    }
    masks
}

impl Table {
    fn key(&self, signature: &[u64]) -> u64 {
        let masked = signature.iter().zip(&self.mask).map(|(word, mask)| word & mask);
        masked.fold(hash::EMPTY, hash::extend)
    }
}

impl Range for BlockTables {
    fn add(&mut self, signature: &[u64]) {
        let number = (self.words.len() / self.width) as u32;
        self.words.extend_from_slice(signature);
        for table in &mut self.tables {
            let head = table.heads.insert(table.key(signature), number);
            table.next.push(head.unwrap_or(END));
        }
    }

    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        for table in &self.tables {
            let mut number = table.heads.get(&table.key(query)).copied().unwrap_or(END);
            while number != END {
                let stored = &self.words[number as usize * self.width..][..self.width];
                let pairs = stored.iter().zip(query);
                if pairs.map(|(a, b)| (a ^ b).count_ones()).sum::<u32>() <= radius {
                    found(number);
                }
                number = table.next[number as usize];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hamming::scan::Scan;
    use proptest::prelude::*;

    fn found(index: &dyn Range, query: &[u64], radius: u32) -> Vec<u32> {
        let mut found = Vec::new();
        index.range(query, radius, &mut |n| found.push(n));
        found.sort_unstable();
        found.dedup();
        found
    }

    #[test]
    fn there_are_tables_where_they_are_few() {
        let count = |bits, radius| BlockTables::new(bits, radius).map(|found| found.tables.len());
        assert_eq!([0, 1, 2].map(|d| count(64, d)), [Some(1), Some(2), Some(6)]);
        assert_eq!([1, 2].map(|d| count(128, d)), [Some(2), Some(6)]);
        assert_eq!([3, 7].map(|d| count(256, d)), [Some(4), Some(8)]);
        assert_eq!((count(64, 9), count(32, 1), count(256, 200)), (None, None, None));
    }

    proptest! {
        #[test]
        fn tables_find_what_the_scan_finds(
            bits in prop::sample::select(vec![64_u32, 100, 256]),
            stored in prop::collection::vec(prop::collection::vec(0_u32..256, 0..4), 0..60),
            query in prop::collection::vec(0_u32..256, 0..4),
            radius in 0_u32..3,
            smaller in 0_u32..3,
        ) {
            let signature = |set: &[u32]| {
                let mut words = vec![0_u64; bits.div_ceil(64) as usize];
                set.iter().for_each(|bit| words[(bit % bits / 64) as usize] |= 1 << (bit % bits % 64));
                words
            };
            let mut tables = BlockTables::new(bits, radius).expect("few tables");
            let mut scan = Scan::new(bits.div_ceil(64) as usize);
            for set in &stored {
                tables.add(&signature(set));
                scan.add(&signature(set));
            }
            let (query, asked) = (signature(&query), radius.saturating_sub(smaller));
            prop_assert_eq!(found(&tables, &query, asked), found(&scan, &query, asked));
        }
    }
}
