//! The 64-bit hash behind every key: part of the stored format, so its values never change.
//!
//! XXH3 with seed 0. A term is hashed by its UTF-8 bytes; a sequence of terms by folding the
//! hashes of its terms from left to right, so that a prefix's hash is on the way to the whole's.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// Bumped when any function here would give another value for the same input.
pub const HASH_VERSION: u32 = 1;

/// Where folding a sequence begins.
pub const EMPTY: u64 = 0;

/// The hash of a term.
pub fn term(term: &str) -> u64 {
    xxh3_64(term.as_bytes())
}

/// The hash of a sequence whose beginning hashes to `prefix` and whose next part is `next`.
#[inline]
pub fn extend(prefix: u64, next: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&prefix.to_le_bytes());
    bytes[8..].copy_from_slice(&next.to_le_bytes());
    xxh3_64(&bytes)
}

/// The hash of a run of terms, whose hashes are given: quicker than folding it. Rotated before each
/// step, so that their order counts, and mixed at the end, so that every bit does.
#[inline]
pub fn run(terms: &[u64]) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let sum = terms.iter().fold(STEP, |sum, term| (sum.rotate_left(23) ^ term).wrapping_mul(STEP));
    let mixed = (sum ^ sum >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ mixed >> 32
}

/// The 128-bit hash that stands for a whole text, an id, or a list of keys.
pub fn whole(bytes: &[u8]) -> u128 {
    xxh3_128(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values() {
        assert_eq!(term(""), 0x2d06_8005_38d3_94c2);
        assert_eq!(term("nasdaq"), GOLDEN_NASDAQ);
        assert_eq!(term("ılık"), GOLDEN_ILIK);
        assert_eq!(extend(EMPTY, term("nasdaq")), GOLDEN_PATH_1);
        assert_eq!(extend(extend(EMPTY, term("nasdaq")), term("starts")), GOLDEN_PATH_2);
        assert_eq!(whole(b"Shares lose 2%."), GOLDEN_TEXT);
    }

    #[test]
    fn runs_are_hashed_by_their_terms_in_order() {
        assert_eq!(run(&[GOLDEN_NASDAQ, GOLDEN_ILIK]), GOLDEN_RUN);
        assert_ne!(run(&[1, 2]), run(&[2, 1]));
        assert_ne!(run(&[]), run(&[0]));
    }

    const GOLDEN_RUN: u64 = 0x68ae_d139_859a_dc04;
    const GOLDEN_NASDAQ: u64 = 0x44d0_3132_f27b_7b82;
    const GOLDEN_ILIK: u64 = 0x0785_68d4_17ed_41e7;
    const GOLDEN_PATH_1: u64 = 0x93ff_0840_dd95_7e68;
    const GOLDEN_PATH_2: u64 = 0x5929_5e49_7dde_2f47;
    const GOLDEN_TEXT: u128 = 0x132c_fadc_1eba_e8a5_edc2_0027_5642_dc22;
}
