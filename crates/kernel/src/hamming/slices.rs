//! Many signatures at a time, bit by bit.

/// How many 64-bit words a slice usually has: one line of the cache.
pub const LANES: usize = 8;

/// How many signatures such a slice has a bit of.
pub const BLOCK: usize = LANES * 64;

/// One bit of each of 512 signatures.
pub type Slice = [u64; LANES];

/// Enough to count the words of any sentence that fits into memory with its signature.
const PLANES: usize = 20;

/// Counters of 64 signatures for each lane, plane by plane: plane p has bit p of each.
pub struct Counters<const LANES: usize> {
    planes: [[u64; LANES]; PLANES],
    used: usize,
}

impl<const LANES: usize> Counters<LANES> {
    /// The signatures that have no bit in at most `most` of `n` slices.
    pub fn count(n: usize, most: u32, slice: impl Fn(usize) -> [u64; LANES]) -> [u64; LANES] {
        // One more plane than it takes to count to n.
        let used = (usize::BITS - n.leading_zeros()) as usize + 1;
        let mut counters = Self { planes: [[0; LANES]; PLANES], used: used.min(PLANES) };
        for at in 0..n {
            counters.add_missing(&slice(at));
            let all_are_above = || counters.at_most(most).iter().all(|&word| word == 0);
            if at >= most as usize && (at - most as usize).is_multiple_of(2) && all_are_above() {
                return [0; LANES];
            }
        }
        counters.at_most(most)
    }

    /// Add one to the counter of each signature that has no bit in the slice.
    fn add_missing(&mut self, slice: &[u64; LANES]) {
        let mut carry = slice.map(|word| !word);
        for plane in &mut self.planes[..self.used] {
            let mut next = [0; LANES];
            let mut any = 0;
            for lane in 0..LANES {
                next[lane] = plane[lane] & carry[lane];
                plane[lane] ^= carry[lane];
                any |= next[lane];
            }
            if any == 0 {
                return;
            }
            carry = next;
        }
    }

    /// The signatures whose counter is at most so much.
    fn at_most(&self, most: u32) -> [u64; LANES] {
        if most >> self.used != 0 {
            return [u64::MAX; LANES];
        }
        let (mut above, mut equal) = ([0_u64; LANES], [u64::MAX; LANES]);
        for (p, plane) in self.planes[..self.used].iter().enumerate().rev() {
            for lane in 0..LANES {
                if most >> p & 1 == 0 {
                    above[lane] |= equal[lane] & plane[lane];
                    equal[lane] &= !plane[lane];
                } else {
                    equal[lane] &= plane[lane];
                }
            }
        }
        above.map(|word| !word)
    }
}

/// The numbers of the signatures that have a bit in the slice.
pub fn numbers(slice: &[u64]) -> impl Iterator<Item = usize> {
    slice.iter().enumerate().flat_map(|(lane, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then_some(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(lane * 64 + bit)
        })
    })
}
