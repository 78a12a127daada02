//! The linear scan: every signature is compared. The honest rival of every index.

use super::Range;

/// Signatures one behind the other.
#[derive(Debug)]
pub struct Scan {
    width: usize,
    words: Vec<u64>,
}

impl Scan {
    /// For signatures of so many 64-bit words.
    pub fn new(width: usize) -> Self {
        Self { width, words: Vec::new() }
    }

    /// With the width known when compiled, the loop has no branches and is made of vector
    /// instructions.
    fn scan<const WIDTH: usize>(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        const BLOCK: usize = 64;
        let query: &[u64; WIDTH] = query.try_into().expect("a signature of this width");
        let (rows, _) = self.words.as_chunks::<WIDTH>();
        for (block, rows) in rows.chunks(BLOCK).enumerate() {
            let mut distances = [u32::MAX; BLOCK];
            for (distance, row) in distances.iter_mut().zip(rows) {
                *distance = (0..WIDTH).map(|n| (row[n] ^ query[n]).count_ones()).sum();
            }
            for (n, _) in distances.iter().enumerate().filter(|(_, d)| **d <= radius) {
                found((block * BLOCK + n) as u32);
            }
        }
    }
}

impl Range for Scan {
    fn add(&mut self, signature: &[u64]) {
        self.words.extend_from_slice(signature);
    }

    fn range(&self, query: &[u64], radius: u32, found: &mut dyn FnMut(u32)) {
        match self.width {
            1 => self.scan::<1>(query, radius, found),
            2 => self.scan::<2>(query, radius, found),
            3 => self.scan::<3>(query, radius, found),
            _ => self.scan::<4>(query, radius, found),
        }
    }
}
