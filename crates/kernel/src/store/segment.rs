//! A segment that is read: from a file that is mapped into memory, or from bytes.
//!
//! A block is checked when it is first looked at, so that what is read is what was written.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::blocks::Blocks;
use super::layout::{
    ASKING_FIRST, COUNTED, DOCUMENT, HEAD, Head, IDENTITY, IS_PROBE, OF_SENTENCES, Section, TAGGED,
    TERMS, beginning_of, checksum_of, number_width, rest_mask, rest_of, u32_at, u64_at,
};
use super::mapped::{Mapped, watching};
use super::numbering::{first_from, levels_of};
use super::sieve::Sieve;
use crate::error::{Error, Result};

enum Bytes {
    Mapped(Mapped),
    Held(Vec<u8>),
}

impl Bytes {
    fn all(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map.bytes(),
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
    blocks: Blocks,
    /// Which of them were checked, a bit for each.
    checked: Vec<AtomicU64>,
    /// What terms weigh at least, by how far from the end they are.
    scale: OnceLock<Vec<u64>>,
    /// The different weights of terms, the heaviest first, and the first term of each.
    levels: OnceLock<Vec<(u64, u32)>>,
    /// Which keys it may have, and how many were looked up that were not told apart by this.
    sieve: OnceLock<Sieve>,
    lookups: AtomicUsize,
}

/// Do work that reads segments. If a file was changed meanwhile, that is an error, whatever came of it:
/// blocks that were checked before may be others now.
pub fn reading<T>(segments: &[&Segment], work: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = watching(|| catch_unwind(AssertUnwindSafe(work)));
    segments.iter().try_for_each(|segment| segment.check_unchanged())?;
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Between a number and its double are so many marks of the scale: this power of two.
const STEPS: u32 = 3;

/// The mark of the scale at or before a number, which is not 0.
fn mark_of(number: u32) -> u32 {
    let bits = number.ilog2();
    let step = ((u64::from(number) << STEPS) >> bits) as u32 - (1 << STEPS);
    bits << STEPS | step
}

/// The smallest number that has a mark.
fn first_of_mark(mark: u32) -> u32 {
    let (bits, step) = (mark >> STEPS, mark & ((1 << STEPS) - 1));
    ((u64::from((1 << STEPS) + step) << bits).div_ceil(1 << STEPS)) as u32
}

/// Who looks at so many places reads most of a segment, and gives its memory back.
pub const MANY: usize = 1 << 12;
/// So many postings are gone through one by one.
const FEW: usize = 16;
/// Bytes of a mapped file after which that is done.
const A_STRETCH: usize = 48 << 20;

/// Who goes through a segment from its start to its end gives back the memory of what was read on the
/// way: of however large a segment only a stretch is held.
pub struct Pauses<'a> {
    segment: &'a Segment,
    step: usize,
    next: usize,
}

impl<'a> Pauses<'a> {
    /// For who goes through so many items, which stand in the order of the segment, and looks at so
    /// many of them: who looks at few holds little.
    pub fn new(segment: &'a Segment, items: usize, looked_at: usize) -> Self {
        let bytes = if looked_at < MANY { 0 } else { segment.len() };
        Self::beside_others(segment, items, bytes)
    }

    /// For who goes through several side by side, which have so many bytes in all: a stretch of all of
    /// them is held, however many there are.
    pub fn beside_others(segment: &'a Segment, items: usize, bytes: usize) -> Self {
        let step = step_of(items, bytes);
        Self { segment, step, next: step }
    }

    /// Say which item is looked at now.
    #[inline]
    pub fn at(&mut self, item: usize) {
        if item >= self.next {
            self.segment.rest();
            self.next = item.saturating_add(self.step);
        }
    }
}

/// After how many of so many items memory is given back, where all bytes are read on the way.
fn step_of(items: usize, bytes: usize) -> usize {
    let stretches = bytes.div_ceil(A_STRETCH);
    if stretches < 2 { usize::MAX } else { (items / stretches).max(1) }
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
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let map = Mapped::open(path).map_err(|error| Error::System(format!("{name}: {error}")))?;
        let segment = Self::new(name, Bytes::Mapped(map))?;
        segment.check_unchanged()?;
        Ok(segment)
    }

    /// Take the bytes that `build` made.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Self::new(name.to_owned(), Bytes::Held(bytes))
    }

    fn new(name: String, bytes: Bytes) -> Result<Self> {
        let all = bytes.all();
        let damaged = |what: &str| Error::Damaged(format!("{name}: {what}"));
        let head = Head::from_bytes(all).map_err(|what| damaged(&what))?;
        let blocks = Blocks::of(head.flags);
        let content = blocks.content_length(all.len()).ok_or_else(|| damaged("is cut off"))?;
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
        if !head.is_whole() {
            return Err(damaged(
                "is damaged: sections do not have the lengths that its head tells",
            ));
        }
        let checked = (0..blocks.many(content).div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let (scale, levels, sieve) = Default::default();
        let lookups = AtomicUsize::new(0);
        Ok(Self { name, bytes, head, content, blocks, checked, scale, levels, sieve, lookups })
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
        let features = self.head.length(Section::Numbers) / self.number_width();
        (features as u64, self.n_postings() as u64)
    }

    /// How many postings there are.
    pub fn n_postings(&self) -> usize {
        self.head.length(Section::Postings) / self.head.posting().size
    }

    /// How many terms, or different weights, there are.
    pub fn n_weights(&self) -> usize {
        self.head.length(Section::Weights) / 8
    }

    /// In how many bytes the number of one of them is written.
    pub fn number_width(&self) -> usize {
        number_width(self.n_weights())
    }

    /// Check every block.
    pub fn check(&self) -> Result<()> {
        let mut pauses = Pauses::new(self, self.content, usize::MAX);
        let size = self.blocks.size();
        for start in (0..self.content).step_by(size) {
            pauses.at(start);
            self.bytes(start..(start + size).min(self.content))?;
        }
        Ok(())
    }

    /// Whether nobody wrote to its file since it was opened.
    pub fn is_unchanged(&self) -> bool {
        match &self.bytes {
            Bytes::Mapped(map) => map.is_as_opened(),
            Bytes::Held(_) => true,
        }
    }

    fn check_unchanged(&self) -> Result<()> {
        if self.is_unchanged() {
            return Ok(());
        }
        let what = "was cut off or written to by another program while it was read";
        let helps = "`twicetold index check --repair` makes it again";
        Err(Error::Damaged(format!("{}: {what}; {helps}", self.name)))
    }

    /// Let the system take back the memory of what was read from a file; it is read again.
    pub fn rest(&self) {
        if let Bytes::Mapped(map) = &self.bytes {
            map.rest();
        }
    }

    /// How often who looks up that many keys, in their order, gives back the memory of postings.
    pub fn stretches(&self, lookups: usize) -> usize {
        let length = self.head.length(Section::Postings) + self.head.length(Section::Directory);
        if lookups < MANY { 1 } else { length.div_ceil(A_STRETCH).max(1) }
    }

    /// Some bytes, after their blocks were checked.
    #[inline]
    fn bytes(&self, range: Range<usize>) -> Result<&[u8]> {
        let all = self.bytes.all();
        if !range.is_empty() {
            for block in self.blocks.at(range.start)..=self.blocks.at(range.end - 1) {
                if self.checked[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 0 {
                    self.check_block(block)?;
                }
            }
        }
        Ok(&all[range])
    }

    #[cold]
    fn check_block(&self, block: usize) -> Result<()> {
        let all = self.bytes.all();
        let size = self.blocks.size();
        let content = &all[block * size..((block + 1) * size).min(self.content)];
        let sum = &all[self.content + self.blocks.place_of_sum(block)..];
        if !self.blocks.is_right(content, sum) {
            let message = format!(
                "{}: is damaged at byte {}; `twicetold index check --repair` makes it again",
                self.name,
                block * size
            );
            return Err(Error::Damaged(message));
        }
        self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        Ok(())
    }

    /// All of a section.
    pub fn section(&self, section: Section) -> Result<&[u8]> {
        let (start, length) = self.head.sections[section as usize];
        self.bytes(start as usize..(start + length) as usize)
    }

    /// The part of a section from one byte to another.
    #[inline]
    pub fn part(&self, section: Section, range: Range<usize>) -> Result<&[u8]> {
        let (start, length) = self.head.sections[section as usize];
        if range.start > range.end || range.end > length as usize {
            let message = format!("{}: is damaged: a number leads out of a section", self.name);
            return Err(Error::Damaged(message));
        }
        self.bytes(start as usize + range.start..start as usize + range.end)
    }

    /// From where a list ends to where the next one does, of numbers of 4 bytes in rows.
    #[inline]
    pub fn range(&self, section: Section, n: usize, row: usize, at: usize) -> Result<Range<usize>> {
        if n == 0 {
            return Ok(0..u32_at(self.part(section, 0..row)?, at) as usize);
        }
        let rows = self.part(section, (n - 1) * row..(n + 1) * row)?;
        Ok(u32_at(rows, at) as usize..u32_at(rows, row + at) as usize)
    }

    /// The sentences of a document: their places. Where documents are the units, this one.
    pub fn sentences_of(&self, document: u32) -> Result<Range<usize>> {
        self.range(Section::Documents, document as usize, DOCUMENT, 52)
    }

    /// The unit of a sentence.
    pub fn unit_of(&self, sentence: usize) -> Result<u32> {
        if !self.head.has(OF_SENTENCES) {
            // A number that leads out of the units is found here, before all up to it are asked for.
            self.part(Section::UnitEnds, sentence * 4..sentence * 4 + 4)?;
            return Ok(sentence as u32);
        }
        Ok(u32_at(self.part(Section::Sentences, sentence * 4..sentence * 4 + 4)?, 0))
    }

    /// Meet the documents that hold a unit.
    pub fn holders(&self, unit: u32, mut meet: impl FnMut(u32)) -> Result<()> {
        if !self.head.has(OF_SENTENCES) {
            meet(unit);
            return Ok(());
        }
        let range = self.range(Section::HolderEnds, unit as usize, 4, 0)?;
        let holders = self.part(Section::Holders, range.start * 4..range.end * 4)?;
        holders.chunks_exact(4).for_each(|bytes| meet(u32_at(bytes, 0)));
        Ok(())
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
        let n = self.head.length(Section::Identities) / IDENTITY;
        let row = |at: usize| self.part(Section::Identities, at * IDENTITY..(at + 1) * IDENTITY);
        let low = first_from(identity, 0..n, |at| Ok(u64_at(row(at)?, 0)))?;
        for at in low..n {
            let row = row(at)?;
            if u64_at(row, 0) != identity {
                break;
            }
            found.push(u32_at(row, 8));
        }
        Ok(())
    }

    /// Which keys it may have, for who looks up so many; `None`: that is not worth it yet.
    pub fn sieve(&self, lookups: usize) -> Result<Option<&Sieve>> {
        if self.sieve.get().is_none() {
            let all = self.lookups.fetch_add(lookups, Ordering::Relaxed).saturating_add(lookups);
            if !Sieve::is_worth_it(self.n_postings(), all) {
                return Ok(None);
            }
            let sieve = Sieve::new(self)?;
            return Ok(Some(self.sieve.get_or_init(|| sieve)));
        }
        Ok(self.sieve.get())
    }

    /// Ask for the memory that tells where the postings of a key are, and do not wait for it.
    pub fn prefetch_list(&self, key: u64) {
        let beginning = beginning_of((key >> 32) as u32, self.head.beginning) as usize;
        self.prefetch(Section::Directory, beginning * 4);
    }

    /// Ask for the memory of a byte of a section, and do not wait for it.
    #[inline]
    pub fn prefetch(&self, section: Section, at: usize) {
        let place = self.head.sections[section as usize].0 as usize + at;
        #[cfg(target_arch = "x86_64")]
        if let Some(byte) = self.bytes.all().get(place) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            #[expect(unsafe_code, reason = "there is no other way to ask the processor")]
            // SAFETY: a hint that reads nothing, with the address of something that is there; the
            // instruction is part of x86-64.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast());
            }
        }
    }

    /// From where to where the postings of keys are that begin like this one; they will be read soon.
    pub fn list(&self, key: u64) -> Result<(u32, u32)> {
        let bits = self.head.beginning;
        let beginning = beginning_of((key >> 32) as u32, bits) as usize;
        let ends = self.part(Section::Directory, beginning * 4..beginning * 4 + 8)?;
        let (start, end) = (u32_at(ends, 0), u32_at(ends, 4));
        if start < end {
            self.prefetch(Section::Postings, start as usize * self.head.posting().size);
        }
        Ok((start, end))
    }

    /// The units that store a key, or a few that store one like it, of its `list`. `looked_up`: only
    /// those that also look it up.
    pub fn meet(
        &self,
        (start, end): (u32, u32),
        key: u64,
        looked_up: bool,
        mut meet: impl FnMut(u32),
    ) -> Result<()> {
        if start == end {
            return Ok(());
        }
        let (key, bits) = ((key >> 32) as u32, self.head.beginning);
        let (start, end) = (start as usize, end as usize);
        let form = self.head.posting();
        let list = self.part(Section::Postings, start * form.size..end * form.size)?;
        let (rest, mask) = (rest_of(key, bits), rest_mask(form.rest));
        let rest_at = |n: usize| u32_at(list, n * form.size) & mask;
        let (mut first, mut last) = (0, list.len() / form.size);
        // Behind or before a key that many have there are as many postings of it to pass over.
        while last - first > FEW {
            let middle = usize::midpoint(first, last);
            if rest_at(middle) < rest { first = middle + 1 } else { last = middle }
        }
        let are_first = self.head.has(ASKING_FIRST);
        for posting in list[first * form.size..].chunks_exact(form.size) {
            let own = u32_at(posting, 0) & mask;
            if own < rest {
                continue;
            }
            let unit = form.unit(posting);
            if own > rest || looked_up && unit & IS_PROBE == 0 && are_first {
                break;
            }
            if looked_up && unit & IS_PROBE == 0 {
                continue;
            }
            meet(unit & !IS_PROBE);
        }
        Ok(())
    }

    /// Whether some keys are looked up and not stored.
    pub fn is_tagged(&self) -> bool {
        self.head.has(TAGGED)
    }

    /// Ask for the memory that tells key and weight of a term, and do not wait for it.
    pub fn prefetch_term(&self, number: u32) {
        self.prefetch(Section::Terms, number as usize * 8);
        self.prefetch(Section::Weights, number as usize * 8);
    }

    /// The key of a term.
    pub fn key(&self, number: u32) -> Result<u64> {
        let at = number as usize * 8;
        Ok(u64_at(self.part(Section::Terms, at..at + 8)?, 0))
    }

    /// What the term with a number weighs at least, without looking it up: terms get lighter, those at
    /// the end fastest.
    pub fn least_weight(&self, number: u32) -> Result<u64> {
        let n = self.n_weights() as u32;
        let scale = match self.scale.get() {
            Some(scale) => scale,
            None => {
                let marks = 0..n.checked_ilog2().map_or(0, |bits| (bits + 1) << STEPS);
                let from_end = marks.map(|mark| first_of_mark(mark).clamp(1, n.max(1)));
                let scale = from_end.map(|back| self.weight(n - back)).collect::<Result<_>>()?;
                self.scale.get_or_init(|| scale)
            }
        };
        let back = n.saturating_sub(number).max(1);
        Ok(scale.get(mark_of(back) as usize).copied().unwrap_or(0))
    }

    /// The different weights of terms, the heaviest first, and the first term of each.
    pub fn levels(&self) -> Result<&[(u64, u32)]> {
        if let Some(levels) = self.levels.get() {
            return Ok(levels);
        }
        let levels = levels_of(self.n_weights() as u32, |number| self.weight(number))?;
        Ok(self.levels.get_or_init(|| levels))
    }

    /// The key and the weight of a term.
    pub fn term(&self, number: u32) -> Result<(u64, u64)> {
        Ok((self.key(number)?, self.weight(number)?))
    }

    /// The weight with a number.
    pub fn weight(&self, number: u32) -> Result<u64> {
        let at = number as usize * 8;
        Ok(u64_at(self.part(Section::Weights, at..at + 8)?, 0))
    }

    /// The weight of the features of a unit that are among these: sorted keys, with what each weighs
    /// and how often it occurs.
    pub fn shared(&self, unit: u32, own: &[(u64, u64, u32)]) -> Result<u128> {
        debug_assert!(!self.head.has(TERMS), "units that share weight have keys");
        let range = self.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let keys = self.part(Section::Keys, range.start * 8..range.end * 8)?;
        let counts = if self.head.has(COUNTED) {
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
}

#[cfg(test)]
mod tests {
    use super::{A_STRETCH, first_of_mark, mark_of, step_of};

    #[test]
    fn of_many_small_ones_as_much_is_held_as_of_one_that_is_large() {
        let small = A_STRETCH / 2;
        assert_eq!(step_of(600, small), usize::MAX);
        assert_eq!(step_of(600, 30 * small), 40);
        assert_eq!(step_of(600, 15 * A_STRETCH), 40);
        assert_eq!(step_of(3, 15 * A_STRETCH), 1);
    }

    #[test]
    fn a_mark_stands_for_its_smallest_number_and_those_up_to_the_next() {
        for number in (1..5000).chain([u32::MAX / 2, u32::MAX]) {
            let mark = mark_of(number);
            assert!(first_of_mark(mark) <= number, "{number}");
            assert!(mark_of(first_of_mark(mark)) == mark, "{number}");
        }
    }
}
