//! The blocks of a segment, each with a checksum of its own.
//!
//! A block is checked when something of it is looked at for the first time. A search looks at a few
//! bytes here and there, so that blocks are small: to check one costs what its bytes cost to read.

use xxhash_rust::xxh3::xxh3_64;

use super::layout::{HEAD, u32_at, u64_at};

/// Blocks have 1,024 bytes and checksums of 4; without this flag of a segment they have 4,096 and 8.
pub const SMALL_BLOCKS: u32 = 128;

/// How the bytes of a segment are divided into blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// A block has so many bytes: this power of two.
    shift: u32,
    /// The bytes of a checksum: the lower ones of a hash.
    sum: usize,
}

impl Blocks {
    /// As they are written.
    pub const SMALL: Self = Self { shift: 10, sum: 4 };
    const LARGE: Self = Self { shift: 12, sum: 8 };

    /// Those of a segment with these flags.
    pub fn of(flags: u32) -> Self {
        if flags & SMALL_BLOCKS != 0 { Self::SMALL } else { Self::LARGE }
    }

    /// The bytes of a block; the last one may have fewer.
    pub const fn size(self) -> usize {
        1 << self.shift
    }

    /// The block that a byte is in.
    #[inline]
    pub fn at(self, byte: usize) -> usize {
        byte >> self.shift
    }

    /// How many blocks there are of so many bytes.
    pub fn many(self, content: usize) -> usize {
        content.div_ceil(self.size())
    }

    /// How many bytes their checksums have.
    pub fn sums_length(self, content: usize) -> usize {
        self.many(content) * self.sum
    }

    /// Write the checksum of a block behind others.
    pub fn add_sum(self, block: &[u8], sums: &mut Vec<u8>) {
        sums.extend_from_slice(&xxh3_64(block).to_le_bytes()[..self.sum]);
    }

    /// The checksums of all blocks.
    pub fn sums(self, content: &[u8]) -> Vec<u8> {
        let mut sums = Vec::with_capacity(self.sums_length(content.len()));
        content.chunks(self.size()).for_each(|block| self.add_sum(block, &mut sums));
        sums
    }

    /// Where among the checksums that of a block starts.
    #[inline]
    pub fn place_of_sum(self, block: usize) -> usize {
        block * self.sum
    }

    /// Whether a block has the checksum that these bytes begin with.
    #[inline]
    pub fn is_right(self, block: &[u8], sum: &[u8]) -> bool {
        let hash = xxh3_64(block);
        if self.sum == 4 { hash as u32 == u32_at(sum, 0) } else { hash == u64_at(sum, 0) }
    }

    /// How many bytes stand before the checksums of so many bytes; `None` if there is no such number.
    pub fn content_length(self, total: usize) -> Option<usize> {
        // content + sum * ceil(content / size) + 8 = total
        let rest = total.checked_sub(8)?;
        let blocks = rest.div_ceil(self.size() + self.sum);
        let content = rest.checked_sub(self.sum * blocks)?;
        (content >= HEAD && self.many(content) == blocks).then_some(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_the_content_follows_from_the_whole() {
        for blocks in [Blocks::SMALL, Blocks::LARGE] {
            let size = blocks.size();
            let near = |many: usize| many * size - 3..many * size + 4;
            for content in (HEAD..HEAD + 5).chain(near(1)).chain(near(7)) {
                let total = content + blocks.sums_length(content) + 8;
                assert_eq!(blocks.content_length(total), Some(content));
            }
            assert_eq!([3, HEAD].map(|total| blocks.content_length(total)), [None, None]);
            // One byte more than a full block is a block of its own, with a checksum.
            let full = 2 * size + 2 * blocks.sum + 8;
            assert_eq!(blocks.content_length(full), Some(2 * size));
            assert_eq!(blocks.content_length(full + blocks.sum), None);
            assert_eq!(blocks.content_length(full + blocks.sum + 1), Some(2 * size + 1));
        }
    }

    #[test]
    fn a_block_that_was_changed_has_another_checksum() {
        let content: Vec<u8> = (0..5000).map(|n: u32| n.to_le_bytes()[0]).collect();
        for (flags, size) in [(SMALL_BLOCKS, 1024), (0, 4096)] {
            let blocks = Blocks::of(flags);
            assert_eq!(blocks.size(), size);
            let sums = blocks.sums(&content);
            assert_eq!(sums.len(), blocks.sums_length(content.len()));
            for (n, block) in content.chunks(size).enumerate() {
                assert_eq!((blocks.at(n * size), blocks.at(n * size + size - 1)), (n, n));
                let sum = &sums[blocks.place_of_sum(n)..];
                assert!(blocks.is_right(block, sum));
                let mut other = block.to_vec();
                other[7] ^= 1;
                assert!(!blocks.is_right(&other, sum));
            }
        }
    }
}
