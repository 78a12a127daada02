//! The direct table: a bucket for each signature of at most 16 bits.

use super::Range;
use super::multi_index::ball;

/// The signatures of each value.
#[derive(Debug)]
pub struct Table {
    bits: u32,
    buckets: Vec<Vec<u32>>,
    n: u32,
}

impl Table {
    /// The longest signature a table can have buckets for.
    pub const MOST_BITS: u32 = 16;

    /// For signatures of so many bits.
    pub fn new(bits: u32) -> Self {
        assert!(bits <= Self::MOST_BITS, "one bucket for each of at most 2^16 signatures");
        Self { bits, buckets: vec![Vec::new(); 1 << bits], n: 0 }
    }
}

impl Range for Table {
    fn add(&mut self, signature: &[u64]) {
        self.buckets[signature[0] as usize].push(self.n);
        self.n += 1;
    }

    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        ball(query[0], self.bits, radius.min(self.bits), &mut |value| {
            self.buckets[value as usize].iter().for_each(|&n| found(n));
        });
    }
}
