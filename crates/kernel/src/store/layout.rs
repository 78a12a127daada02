//! The bytes of a segment: a head, sections of numbers, and a checksum of each block.
//!
//! Everything is little-endian. Sections begin at multiples of 8. Behind the last one come the
//! checksums of all [blocks](super::blocks) before them, and the checksum of head and checksums.

use xxhash_rust::xxh3::Xxh3;

/// What a segment begins with.
pub const MAGIC: [u8; 8] = *b"2toldseg";
/// The version of this layout.
pub const FORMAT_VERSION: u32 = 1;
/// How many sections there are.
pub const SECTIONS: usize = 18;
/// The bytes before the first section.
pub const HEAD: usize = 72 + SECTIONS * 16;
/// The bytes of one document in its section.
pub const DOCUMENT: usize = 56;
/// The bytes of one identity.
pub const IDENTITY: usize = 12;
/// The bytes of one place.
pub const PLACE: usize = 16;

/// The sections, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// 56 bytes a document: number, time, published, text (16), what shares of it are shares of,
    /// where its id ends (4), where its sentences end (4): where documents are the units, these.
    Documents,
    /// All ids.
    Ids,
    /// 12 bytes each, sorted: what stands for a text or for features, and the document (4).
    Identities,
    /// The weights of all terms, the heaviest first; without terms the different weights, sorted.
    Weights,
    /// The keys of all terms; of those that weigh the same, the smallest first.
    Terms,
    /// Where the features of each unit end (4).
    UnitEnds,
    /// The key of each feature, if there are no terms.
    Keys,
    /// The number of each feature's term, or of its weight, in as few bytes as hold all of these.
    Numbers,
    /// How often each feature occurs (4), if that is counted.
    Counts,
    /// The sketches of all units.
    Sketches,
    /// Where the keys end that each unit meets others by (4), if it has such.
    MetEnds,
    /// These keys (4).
    Met,
    /// The unit of each sentence (4), if units are sentences: equal ones are one unit.
    Sentences,
    /// 16 bytes a sentence: where it starts (4) and ends (4) in its text, what stands for that.
    Places,
    /// Where the documents end that hold each unit (4), if units are sentences.
    HolderEnds,
    /// These documents (4), sorted.
    Holders,
    /// Sorted: what of the first 32 bits of a key is behind its beginning (in as few bytes as hold
    /// that), the unit (3 or 4), whose highest bit says that the unit also looks the key up.
    Postings,
    /// Where the postings of each beginning of a key start (4), and where those of the last end.
    Directory,
}

/// Units are sentences.
pub const OF_SENTENCES: u32 = 1;
/// Features are counted.
pub const COUNTED: u32 = 2;
/// Features are numbers of terms.
pub const TERMS: u32 = 4;
/// Units have keys they meet others by.
pub const MET: u32 = 8;
/// Sentences have places.
pub const PLACED: u32 = 16;
/// Some keys are looked up and not stored.
pub const TAGGED: u32 = 32;
/// Of the units that store a key, those that look it up stand first.
pub const ASKING_FIRST: u32 = 64;

/// The bit of a unit that says that it also looks the key up; of one that is written in 3 bytes, the
/// highest of these.
pub const IS_PROBE: u32 = 1 << 31;
/// The bit of the end of a place that says that it stands in quotation marks.
pub const IS_QUOTED: u32 = 1 << 31;

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
    /// How many bits of a key are its beginning.
    pub beginning: u32,
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
        bytes.extend(u64::from(self.beginning).to_le_bytes());
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
            *section = (u64_at(head, 72 + 16 * n), u64_at(head, 80 + 16 * n));
        }
        Ok(Self {
            flags: u32_at(head, 16),
            sketch_width: u32_at(head, 20),
            documents: u64_at(head, 24),
            units: u64_at(head, 32),
            earliest: u64_at(head, 40) as i64,
            latest: u64_at(head, 48) as i64,
            undated: u64_at(head, 56),
            beginning: u32_at(head, 64),
            sections,
        })
    }

    /// Whether it has something.
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// How its postings are written.
    pub fn posting(&self) -> Posting {
        let rest = rest_width(self.beginning);
        let size = rest + if self.units <= 1 << 23 { 3 } else { 4 };
        Posting { rest, size }
    }

    /// Whether the lengths of sections are those of so many documents, units and beginnings.
    pub fn is_whole(&self) -> bool {
        if self.beginning > LONGEST {
            return false;
        }
        let many = |section: Section, n: u64, size: u64| {
            n.checked_mul(size) == Some(self.sections[section as usize].1)
        };
        many(Section::Documents, self.documents, DOCUMENT as u64)
            && many(Section::UnitEnds, self.units, 4)
            && many(Section::Directory, (1 << self.beginning) + 1, 4)
            && (!self.has(TERMS) || self.length(Section::Terms) == self.length(Section::Weights))
            && self.length(Section::Postings).is_multiple_of(self.posting().size)
    }

    /// How many bytes a section has.
    pub fn length(&self, section: Section) -> usize {
        self.sections[section as usize].1 as usize
    }
}

/// How a posting is written: the rest of a key, then a unit; together at least 4 bytes, as beginnings
/// have at most 24 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The bytes of the rest of the key.
    pub rest: usize,
    /// The bytes of both.
    pub size: usize,
}

impl Posting {
    /// The bytes of one.
    #[inline]
    pub fn write(self, rest: u32, unit: u32) -> [u8; 8] {
        let shift = self.shift();
        // The mark moves to the highest bit there is.
        let unit = unit & !IS_PROBE | (unit & IS_PROBE) >> shift;
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&rest.to_le_bytes());
        bytes[self.rest..self.rest + 4].copy_from_slice(&unit.to_le_bytes());
        bytes
    }

    /// The unit of one, with its mark.
    #[inline]
    pub fn unit(self, posting: &[u8]) -> u32 {
        let shift = self.shift();
        let unit = u32_at(posting, self.size - 4) >> shift;
        let mark = IS_PROBE >> shift;
        unit & !mark | (unit & mark) << shift
    }

    fn shift(self) -> u32 {
        8 * (4 + self.rest - self.size) as u32
    }
}

/// In how many bytes the number of one of so many is written.
pub fn number_width(many: usize) -> usize {
    match many {
        0..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    }
}

/// How many postings share the beginning of a key, about.
const A_BEGINNING: usize = 8;
/// Beginnings have at most so many bits.
const LONGEST: u32 = 24;

/// How many bits of a key are its beginning, in a segment of about so many postings.
pub fn beginning_bits(postings: usize) -> u32 {
    (postings / A_BEGINNING).checked_ilog2().unwrap_or(0).min(LONGEST)
}

/// In how many bytes the rest of the 32 bits of a key is written.
#[inline]
pub fn rest_width(bits: u32) -> usize {
    (32 - bits.min(32)).div_ceil(8) as usize
}

/// The bits of the first 4 bytes of a posting that are the rest of a key, written in so many bytes.
#[inline]
pub fn rest_mask(width: usize) -> u32 {
    if width == 0 { 0 } else { u32::MAX >> (32 - 8 * width) }
}

/// The beginning of a key.
#[inline]
pub fn beginning_of(key: u32, bits: u32) -> u32 {
    key.checked_shr(32 - bits).unwrap_or(0)
}

/// What of a key is behind its beginning.
#[inline]
pub fn rest_of(key: u32, bits: u32) -> u32 {
    if bits == 0 { key } else { key & (u32::MAX >> bits) }
}

/// A number of so many bytes: 2, 3 or 4.
#[inline]
pub fn number_at(bytes: &[u8], at: usize, width: usize) -> u32 {
    // Byte by byte: to copy as many as are not known before is a call.
    match bytes[at..at + width] {
        [a, b] => u32::from_le_bytes([a, b, 0, 0]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => unreachable!("numbers have two to four bytes"),
    }
}

/// A number of 4 bytes.
#[inline]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// A number of 8 bytes.
#[inline]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The checksum of head and checksums.
pub fn checksum_of(head: &[u8], sums: &[u8]) -> u64 {
    let mut both = Xxh3::new();
    both.update(head);
    both.update(sums);
    both.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let mut head =
            Head { flags: 5, sketch_width: 2, documents: 9, units: 70, ..Head::default() };
        (head.earliest, head.latest, head.undated, head.beginning) = (-4, 1 << 50, 3, 7);
        head.sections[17] = (1000, 60);
        let bytes = head.to_bytes();
        assert_eq!((bytes.len(), Head::from_bytes(&bytes)), (HEAD, Ok(head)));
        let mut other = bytes.clone();
        other[8] = 2;
        assert_eq!(Head::from_bytes(&other), Err("has format version 2, not 1".into()));
        assert!(Head::from_bytes(&bytes[..40]).is_err());
        other[0] = 0;
        assert_eq!(Head::from_bytes(&other), Err("is no segment".into()));
    }

    #[test]
    fn a_unit_takes_three_bytes_where_all_fit_and_keeps_its_mark() {
        for (units, size) in [(1 << 23, 3), ((1 << 23) + 1, 4)] {
            for beginning in [0, 8, 24] {
                let head = Head { units, beginning, ..Head::default() };
                let posting = head.posting();
                assert_eq!(posting.size - posting.rest, size);
                for unit in [0, 1, units as u32 - 1] {
                    for unit in [unit, unit | IS_PROBE] {
                        let bytes = posting.write(0x5a & rest_mask(posting.rest), unit);
                        assert_eq!(posting.unit(&bytes[..posting.size]), unit);
                        assert_eq!(bytes[0], 0x5a);
                    }
                }
            }
        }
    }

    #[test]
    fn a_key_is_its_beginning_and_the_rest() {
        let key = 0x1234_5678;
        assert_eq!((beginning_of(key, 0), rest_of(key, 0), rest_width(0)), (0, key, 4));
        assert_eq!((beginning_of(key, 8), rest_of(key, 8), rest_width(8)), (0x12, 0x34_5678, 3));
        assert_eq!((rest_width(9), rest_width(16), rest_width(24)), (3, 2, 1));
        assert_eq!([4, 3, 1, 0].map(rest_mask), [u32::MAX, 0xff_ffff, 0xff, 0]);
        assert_eq!([0, 15, 16, 1 << 40].map(beginning_bits), [0, 0, 1, 24]);
        assert_eq!([65_536, 65_537, 1 << 24, (1 << 24) + 1].map(number_width), [2, 3, 3, 4]);
        assert_eq!(number_at(&[9, 1, 2, 0], 1, 2), 0x201);
    }
}
