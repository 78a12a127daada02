//! A segment that is read: from a file that is mapped into memory, or from bytes.
//!
//! A block is checked when it is first looked at, so that what is read is what was written.

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::build::{IS_PROBE, IS_QUOTED, beginning_bits, beginning_of, rest_of};
use super::bundle::{Bundle, Entry, Place};
use super::layout::{
    BLOCK, COUNTED, DOCUMENT, HEAD, Head, IDENTITY, MET, OF_SENTENCES, PLACE, PLACED, POSTING,
    Section, TAGGED, WIDE_WEIGHTS, checksum_of, content_length, u16_at, u32_at, u64_at,
};
use crate::error::{Error, Result};

enum Bytes {
    Mapped(Mmap),
    Held(Vec<u8>),
}

impl Bytes {
    fn all(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Held(bytes) => bytes,
        }
    }
}

/// Documents that can be searched.
pub struct Segment {
    name: String,
    bytes: Bytes,
    head: Head,
    content: usize,
    checked: Vec<AtomicBool>,
    weights: Vec<u64>,
    bits: u32,
}

/// What a search needs to know of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Its number in the index.
    pub number: u64,
    /// When it counts as told.
    pub time: i64,
    /// When it was published.
    pub published: Option<i64>,
    /// What shares of it are shares of.
    pub total: u64,
}

impl Segment {
    /// Open a file.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let failed = |error: std::io::Error| Error::System(format!("{name}: {error}"));
        let file = File::open(path).map_err(failed)?;
        // SAFETY: a segment is never changed once it has its name, only unlinked, which leaves what
        // is mapped as it is. Who writes into the files of an index by other means breaks it.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Self::new(name, Bytes::Mapped(map))
    }

    /// Take the bytes that `build` made.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name.to_owned(), Bytes::Held(bytes))
    }

    fn new(name: String, bytes: Bytes) -> Result<Self> {
        let all = bytes.all();
        let damaged = |what: &str| Error::Damaged(format!("{name}: {what}"));
        let head = Head::from_bytes(all).map_err(|what| damaged(&what))?;
        let content = content_length(all.len()).ok_or_else(|| damaged("is cut off"))?;
        let (sums, whole) = all[content..].split_at(all.len() - content - 8);
        if checksum_of(&all[..HEAD], sums) != u64_at(whole, 0) {
            return Err(damaged("is damaged: its checksums are not those it was written with"));
        }
        let fits = |&(start, length): &(u64, u64)| {
            start.checked_add(length).is_some_and(|end| end <= content as u64)
        };
        if !head.sections.iter().all(fits) {
            return Err(damaged("is damaged: a section is outside of it"));
        }
        let checked = (0..content.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect();
        let postings = head.sections[Section::Postings as usize].1 as usize / POSTING;
        let bits = beginning_bits(postings);
        let mut segment = Self { name, bytes, head, content, checked, weights: Vec::new(), bits };
        let weights = segment.section(Section::Weights)?;
        segment.weights = weights.chunks_exact(8).map(|bytes| u64_at(bytes, 0)).collect();
        Ok(segment)
    }

    /// What it begins with.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.bytes.all().len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.head.documents == 0
    }

    /// How many features and postings there are.
    pub fn n_features(&self) -> (u64, u64) {
        let [keys, postings] =
            [Section::Keys, Section::Postings].map(|s| self.head.sections[s as usize].1);
        (keys / 8, postings / POSTING as u64)
    }

    fn has(&self, flag: u32) -> bool {
        self.head.flags & flag != 0
    }

    /// Check every block.
    pub fn check(&self) -> Result<()> {
        self.bytes(0..self.content).map(|_| ())
    }

    /// Some bytes, after their blocks were checked.
    fn bytes(&self, range: Range<usize>) -> Result<&[u8]> {
        let all = self.bytes.all();
        if !range.is_empty() {
            for block in range.start / BLOCK..=(range.end - 1) / BLOCK {
                if self.checked[block].load(Ordering::Relaxed) {
                    continue;
                }
                let content = &all[block * BLOCK..((block + 1) * BLOCK).min(self.content)];
                if xxh3_64(content) != u64_at(all, self.content + 8 * block) {
                    let name = &self.name;
                    let message = format!("{name}: is damaged at byte {}", block * BLOCK);
                    return Err(Error::Damaged(message));
                }
                self.checked[block].store(true, Ordering::Relaxed);
            }
        }
        Ok(&all[range])
    }

    fn section(&self, section: Section) -> Result<&[u8]> {
        let (start, length) = self.head.sections[section as usize];
        self.bytes(start as usize..(start + length) as usize)
    }

    /// The part of a section from one byte to another.
    fn part(&self, section: Section, range: Range<usize>) -> Result<&[u8]> {
        let (start, length) = self.head.sections[section as usize];
        if range.end > length as usize {
            let message = format!("{}: is damaged: a number leads out of a section", self.name);
            return Err(Error::Damaged(message));
        }
        self.bytes(start as usize + range.start..start as usize + range.end)
    }

    /// From where a list ends to where the next one does, of numbers of 4 bytes in rows.
    fn range(&self, section: Section, n: usize, row: usize, at: usize) -> Result<Range<usize>> {
        let end = u32_at(self.part(section, n * row..(n + 1) * row)?, at) as usize;
        if n == 0 {
            return Ok(0..end);
        }
        Ok(u32_at(self.part(section, (n - 1) * row..n * row)?, at) as usize..end)
    }

    /// The units of a document.
    pub fn units_of(&self, document: u32) -> Result<Range<usize>> {
        self.range(Section::Documents, document as usize, DOCUMENT, 52)
    }

    /// The document of a unit.
    pub fn document_of(&self, unit: u32) -> Result<u32> {
        if !self.has(OF_SENTENCES) {
            return Ok(unit);
        }
        // The first document whose units end behind this one.
        let (mut low, mut high) = (0, self.head.documents as usize);
        while low < high {
            let middle = usize::midpoint(low, high);
            let row = self.part(Section::Documents, middle * DOCUMENT..(middle + 1) * DOCUMENT)?;
            if u32_at(row, 52) <= unit {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low as u32)
    }

    /// What a search needs to know of a document.
    pub fn row(&self, document: u32) -> Result<Row> {
        let start = document as usize * DOCUMENT;
        let row = self.part(Section::Documents, start..start + DOCUMENT)?;
        let published = u64_at(row, 16) as i64;
        Ok(Row {
            number: u64_at(row, 0),
            time: u64_at(row, 8) as i64,
            published: (published != i64::MIN).then_some(published),
            total: u64_at(row, 40),
        })
    }

    /// The documents that have one of these identities.
    pub fn equals(&self, identity: u64, found: &mut Vec<u32>) -> Result<()> {
        let n = self.head.sections[Section::Identities as usize].1 as usize / IDENTITY;
        let row = |at: usize| self.part(Section::Identities, at * IDENTITY..(at + 1) * IDENTITY);
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = usize::midpoint(low, high);
            if u64_at(row(middle)?, 0) < identity {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for at in low..n {
            let row = row(at)?;
            if u64_at(row, 0) != identity {
                break;
            }
            found.push(u32_at(row, 8));
        }
        Ok(())
    }

    /// The units that store a key, or a few that store one like it. `looked_up`: only those that
    /// also look it up.
    pub fn meet(&self, key: u64, looked_up: bool, mut meet: impl FnMut(u32)) -> Result<()> {
        let beginning = beginning_of(key, self.bits) as usize;
        let ends = self.part(Section::Directory, beginning * 4..beginning * 4 + 8)?;
        let (start, end) = (u32_at(ends, 0) as usize, u32_at(ends, 4) as usize);
        if start == end {
            return Ok(());
        }
        let list = self.part(Section::Postings, start * POSTING..end * POSTING)?;
        let rest = rest_of(key, self.bits);
        let (mut low, mut high) = (0, list.len() / POSTING);
        while low < high {
            let middle = usize::midpoint(low, high);
            if u16_at(list, middle * POSTING) < rest {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for posting in list[low * POSTING..].chunks_exact(POSTING) {
            if u16_at(posting, 0) != rest {
                break;
            }
            let unit = u32_at(posting, 2);
            if !looked_up || unit & IS_PROBE != 0 {
                meet(unit & !IS_PROBE);
            }
        }
        Ok(())
    }

    /// Whether some keys are looked up and not stored.
    pub fn is_tagged(&self) -> bool {
        self.has(TAGGED)
    }

    /// The weight of the features of a unit that are among these: sorted keys, with what each weighs
    /// and how often it occurs.
    pub fn shared(&self, unit: u32, own: &[(u64, u64, u32)]) -> Result<u128> {
        let range = self.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let keys = self.part(Section::Keys, range.start * 8..range.end * 8)?;
        let counts = if self.has(COUNTED) {
            Some(self.part(Section::Counts, range.start * 4..range.end * 4)?)
        } else {
            None
        };
        let mut own = own.iter().peekable();
        let mut sum = 0;
        for (n, key) in keys.chunks_exact(8).map(|bytes| u64_at(bytes, 0)).enumerate() {
            while own.next_if(|feature| feature.0 < key).is_some() {}
            let Some(&&(other, weight, count)) = own.peek() else { break };
            if other == key {
                let theirs = counts.map_or(1, |counts| u32_at(counts, 4 * n));
                sum += u128::from(count) * u128::from(theirs) * u128::from(weight);
            }
        }
        Ok(sum)
    }

    /// Add these documents to others, with all they have.
    pub fn load(&self, documents: impl IntoIterator<Item = u32>, into: &mut Bundle) -> Result<()> {
        into.features.sketch_width = self.head.sketch_width as usize;
        for document in documents {
            into.entries.push(self.entry(document)?);
            for unit in self.units_of(document)? {
                self.load_unit(unit as u32, into)?;
            }
            if self.has(OF_SENTENCES) {
                into.features.end_document();
            }
        }
        Ok(())
    }

    /// Add a unit to others.
    pub fn load_unit(&self, unit: u32, into: &mut Bundle) -> Result<()> {
        let features = &mut into.features;
        let width = self.head.sketch_width as usize;
        let unit = unit as usize;
        let range = self.range(Section::UnitEnds, unit, 4, 0)?;
        let keys = self.part(Section::Keys, range.start * 8..range.end * 8)?;
        features.keys.extend(keys.chunks_exact(8).map(|bytes| u64_at(bytes, 0)));
        let size = if self.has(WIDE_WEIGHTS) { 4 } else { 2 };
        let numbers = self.part(Section::WeightNumbers, range.start * size..range.end * size)?;
        let number = |bytes: &[u8]| {
            if size == 4 { u32_at(bytes, 0) as usize } else { u16_at(bytes, 0) as usize }
        };
        features.weights.extend(numbers.chunks_exact(size).map(|n| self.weights[number(n)]));
        if self.has(COUNTED) {
            let counts = self.part(Section::Counts, range.start * 4..range.end * 4)?;
            features.counts.extend(counts.chunks_exact(4).map(|bytes| u32_at(bytes, 0)));
        }
        features.ends.push(features.keys.len() as u64);
        let sketch = self.part(Section::Sketches, unit * width * 8..(unit + 1) * width * 8)?;
        features.sketches.extend(sketch.chunks_exact(8).map(|bytes| u64_at(bytes, 0)));
        if self.has(MET) {
            let range = self.range(Section::MetEnds, unit, 4, 0)?;
            let met = self.part(Section::Met, range.start * 4..range.end * 4)?;
            features.met_by.push(met.chunks_exact(4).map(|bytes| u32_at(bytes, 0)));
        }
        if self.has(PLACED) {
            let place = self.part(Section::Places, unit * PLACE..(unit + 1) * PLACE)?;
            let (start, end) = (u32_at(place, 0), u32_at(place, 4));
            let is_quoted = end & IS_QUOTED != 0;
            let end = end & !IS_QUOTED;
            into.places.push(Place { start, end, text: u64_at(place, 8), is_quoted });
        }
        Ok(())
    }

    fn entry(&self, document: u32) -> Result<Entry> {
        let row = self.row(document)?;
        let start = document as usize * DOCUMENT;
        let bytes = self.part(Section::Documents, start..start + DOCUMENT)?;
        let text = u128::from(u64_at(bytes, 24)) | u128::from(u64_at(bytes, 32)) << 64;
        let ids = self.range(Section::Documents, document as usize, DOCUMENT, 48)?;
        let id = String::from_utf8_lossy(self.part(Section::Ids, ids)?).into();
        Ok(Entry { number: row.number, id, published: row.published, time: row.time, text })
    }
}
