//! The postings of segments that are merged, one after the other.

use std::cmp::Reverse;

use super::layout::{IS_PROBE, Section, rest_mask, rest_width, u32_at};
use super::merge::GONE;
use super::segment::Segment;
use crate::cancel::Cancel;
use crate::error::Result;

/// The postings of one segment, in their order, by their new units.
pub struct Walk<'a> {
    directory: &'a [u8],
    postings: &'a [u8],
    units: &'a [u32],
    bits: u32,
    size: usize,
    mask: u32,
    /// Where it is: the beginning of the key, and the posting.
    beginning: u32,
    at: u32,
}

impl<'a> Walk<'a> {
    /// From its first one on.
    pub fn new(segment: &'a Segment, units: &'a [u32]) -> Result<Self> {
        let bits = segment.head().beginning;
        Ok(Self {
            directory: segment.section(Section::Directory)?,
            postings: segment.section(Section::Postings)?,
            units,
            bits,
            size: rest_width(bits) + 4,
            mask: rest_mask(rest_width(bits)),
            beginning: 0,
            at: 0,
        })
    }
}

impl Iterator for Walk<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            let posting = self.postings.get(self.at as usize * self.size..)?.get(..self.size)?;
            while u32_at(self.directory, self.beginning as usize * 4 + 4) <= self.at {
                self.beginning += 1;
            }
            self.at += 1;
            let unit = u32_at(posting, self.size - 4);
            let new = self.units[(unit & !IS_PROBE) as usize];
            if new != GONE {
                let beginning = self.beginning.checked_shl(32 - self.bits).unwrap_or(0);
                let key = beginning | u32_at(posting, 0) & self.mask;
                return Some((key, new | unit & IS_PROBE));
            }
        }
    }
}

/// The postings of several segments, merged.
pub struct Postings<'a> {
    walks: Vec<std::iter::Peekable<Walk<'a>>>,
    /// What has the key that comes next, sorted backwards.
    waiting: Vec<u32>,
    key: u32,
    cancel: &'a Cancel,
}

impl<'a> Postings<'a> {
    /// All of them.
    pub fn new(walks: Vec<Walk<'a>>, cancel: &'a Cancel) -> Self {
        let walks = walks.into_iter().map(Iterator::peekable).collect();
        Self { walks, waiting: Vec::new(), key: 0, cancel }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        if self.waiting.is_empty() {
            // Who asks looks at the flag again, and fails.
            self.cancel.check().ok()?;
            let keys = self.walks.iter_mut().filter_map(|walk| walk.peek().map(|next| next.0));
            self.key = keys.min()?;
            for walk in &mut self.walks {
                while let Some((_, unit)) = walk.next_if(|next| next.0 == self.key) {
                    self.waiting.push(unit);
                }
            }
            self.waiting.sort_unstable_by_key(|unit| Reverse((unit & !IS_PROBE, unit & IS_PROBE)));
            // Of one that is there twice, that which is looked up.
            self.waiting.dedup_by_key(|unit| *unit & !IS_PROBE);
        }
        self.waiting.pop().map(|unit| (self.key, unit))
    }
}
