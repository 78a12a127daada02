//! The bytes of a segment: a head, sections of numbers, and a checksum of each block.
//!
//! Everything is little-endian. Sections begin at multiples of 8. Behind the last one come the
//! checksums of all blocks of [`BLOCK`] bytes before them, and the checksum of head and checksums.

use xxhash_rust::xxh3::xxh3_64;

/// What a segment begins with.
pub const MAGIC: [u8; 8] = *b"2toldseg";
/// The version of this layout.
pub const FORMAT_VERSION: u32 = 1;
/// The bytes that have a checksum.
pub const BLOCK: usize = 16_384;
/// How many sections there are.
pub const SECTIONS: usize = 14;
/// The bytes before the first section.
pub const HEAD: usize = 64 + SECTIONS * 16;
/// The bytes of one document in its section.
pub const DOCUMENT: usize = 56;
/// The bytes of one posting.
pub const POSTING: usize = 6;
/// The bytes of one identity.
pub const IDENTITY: usize = 12;
/// The bytes of one place.
pub const PLACE: usize = 16;

/// The sections, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// 56 bytes a document: number, time, published, text (16), what shares of it are shares of,
    /// where its id ends (4), where its units end (4).
    Documents,
    /// All ids.
    Ids,
    /// 12 bytes each, sorted: what stands for a text or for features, and the document (4).
    Identities,
    /// The different weights, sorted.
    Weights,
    /// Where the features of each unit end (4).
    UnitEnds,
    /// The key of each feature.
    Keys,
    /// The number of each feature's weight: 2 bytes if there are at most 65,536 weights, else 4.
    WeightNumbers,
    /// How often each feature occurs (4), if that is counted.
    Counts,
    /// The sketches of all units.
    Sketches,
    /// Where the keys end that each unit meets others by (4), if it has such.
    MetEnds,
    /// These keys.
    Met,
    /// 16 bytes a unit: where it starts (4) and ends (4) in its text, what stands for that.
    Places,
    /// Where the postings of each beginning of a key start (4).
    Directory,
    /// 6 bytes each, sorted: the 16 bits of a key behind its beginning (2), the unit (4), whose
    /// highest bit says that the unit also looks the key up.
    Postings,
}

/// Units are sentences.
pub const OF_SENTENCES: u32 = 1;
/// Features are counted.
pub const COUNTED: u32 = 2;
/// Weights have numbers of 4 bytes.
pub const WIDE_WEIGHTS: u32 = 4;
/// Units have keys they meet others by.
pub const MET: u32 = 8;
/// Units have places.
pub const PLACED: u32 = 16;
/// Some keys are looked up and not stored.
pub const TAGGED: u32 = 32;

/// What a segment begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    /// What it has, see above.
    pub flags: u32,
    /// How many words a sketch has.
    pub sketch_width: u32,
    /// How many documents there are.
    pub documents: u64,
    /// How many units there are.
    pub units: u64,
    /// The earliest time.
    pub earliest: i64,
    /// The latest time.
    pub latest: i64,
    /// How many documents have no known time of their own.
    pub undated: u64,
    /// Where each section starts, and how many bytes it has.
    pub sections: [(u64, u64); SECTIONS],
}

impl Head {
    /// The head as bytes.
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend(crate::hash::HASH_VERSION.to_le_bytes());
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.sketch_width.to_le_bytes());
        bytes.extend(self.documents.to_le_bytes());
        bytes.extend(self.units.to_le_bytes());
        bytes.extend(self.earliest.to_le_bytes());
        bytes.extend(self.latest.to_le_bytes());
        bytes.extend(self.undated.to_le_bytes());
        for (start, length) in self.sections {
            bytes.extend(start.to_le_bytes());
            bytes.extend(length.to_le_bytes());
        }
        bytes
    }

    /// The head that bytes begin with; what is wrong with them otherwise.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let Some(head) = bytes.get(..HEAD) else { return Err("is too short".into()) };
        if head[..8] != MAGIC {
            return Err("is no segment".into());
        }
        let version = u32_at(head, 8);
        if version != FORMAT_VERSION {
            return Err(format!("has format version {version}, not {FORMAT_VERSION}"));
        }
        let hash = u32_at(head, 12);
        if hash != crate::hash::HASH_VERSION {
            return Err(format!("has hash version {hash}, not {}", crate::hash::HASH_VERSION));
        }
        let mut sections = [(0, 0); SECTIONS];
        for (n, section) in sections.iter_mut().enumerate() {
            *section = (u64_at(head, 64 + 16 * n), u64_at(head, 72 + 16 * n));
        }
        Ok(Self {
            flags: u32_at(head, 16),
            sketch_width: u32_at(head, 20),
            documents: u64_at(head, 24),
            units: u64_at(head, 32),
            earliest: u64_at(head, 40) as i64,
            latest: u64_at(head, 48) as i64,
            undated: u64_at(head, 56),
            sections,
        })
    }
}

/// A number of 2 bytes.
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

/// A number of 4 bytes.
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// A number of 8 bytes.
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// Add the checksums behind everything that was written.
pub fn seal(bytes: &mut Vec<u8>) {
    let mut sums: Vec<u8> = Vec::with_capacity((bytes.len() / BLOCK + 2) * 8);
    for block in bytes.chunks(BLOCK) {
        sums.extend(xxh3_64(block).to_le_bytes());
    }
    let whole = checksum_of(&bytes[..HEAD], &sums);
    bytes.extend(sums);
    bytes.extend(whole.to_le_bytes());
}

/// The checksum of head and checksums.
pub fn checksum_of(head: &[u8], sums: &[u8]) -> u64 {
    xxh3_64(&[head, sums].concat())
}

/// How many bytes stand before the checksums of so many bytes; `None` if there is no such number.
pub fn content_length(total: usize) -> Option<usize> {
    // content + 8 * ceil(content / BLOCK) + 8 = total
    let rest = total.checked_sub(8)?;
    let blocks = rest.div_ceil(BLOCK + 8);
    let content = rest.checked_sub(8 * blocks)?;
    (content >= HEAD && content.div_ceil(BLOCK) == blocks).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_the_content_follows_from_the_whole() {
        for content in
            (HEAD..HEAD + 5).chain(BLOCK - 2..BLOCK + 3).chain([5 * BLOCK, 9 * BLOCK + 1])
        {
            let mut bytes = vec![7; content];
            seal(&mut bytes);
            assert_eq!(content_length(bytes.len()), Some(content));
        }
        assert_eq!(content_length(3), None);
        assert_eq!(content_length(HEAD), None);
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let mut head =
            Head { flags: 5, sketch_width: 2, documents: 9, units: 70, ..Head::default() };
        (head.earliest, head.latest, head.undated) = (-4, 1 << 50, 3);
        head.sections[13] = (1000, 60);
        let bytes = head.to_bytes();
        assert_eq!((bytes.len(), Head::from_bytes(&bytes)), (HEAD, Ok(head)));
        let mut other = bytes.clone();
        other[8] = 2;
        assert_eq!(Head::from_bytes(&other), Err("has format version 2, not 1".into()));
        assert!(Head::from_bytes(&bytes[..40]).is_err());
        other[0] = 0;
        assert_eq!(Head::from_bytes(&other), Err("is no segment".into()));
    }
}
