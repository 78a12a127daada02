//! The postings of segments that are merged, in the order of their keys.

use std::ops::Range;

use super::build::asking_first;
use super::layout::{IS_PROBE, Posting, Section, rest_mask, u32_at};
use super::merge::GONE;
use super::segment::{Pauses, Segment};
use crate::cancel::Cancel;
use crate::error::Result;

/// The postings of one segment, by their new units.
pub struct Walk<'a> {
    directory: &'a [u8],
    postings: &'a [u8],
    units: &'a [u32],
    bits: u32,
    form: Posting,
    mask: u32,
    pauses: Pauses<'a>,
}

impl<'a> Walk<'a> {
    /// Those of this segment, which is gone through beside others that have so many bytes with it.
    pub fn new(segment: &'a Segment, units: &'a [u32], bytes: usize) -> Result<Self> {
        let (bits, form) = (segment.head().beginning, segment.head().posting());
        Ok(Self {
            directory: segment.section(Section::Directory)?,
            postings: segment.section(Section::Postings)?,
            units,
            bits,
            form,
            mask: rest_mask(form.rest),
            pauses: Pauses::beside_others(segment, 1 << bits, bytes),
        })
    }

    /// Add those whose keys begin with one of these, of so many bits: at most as many as here.
    fn add(&mut self, beginnings: Range<u64>, bits: u32, found: &mut Vec<u64>) {
        let finer = self.bits - bits;
        self.pauses.at((beginnings.start << finer) as usize);
        for own in beginnings.start << finer..beginnings.end << finer {
            let at = own as usize * 4;
            let Some(ends) = self.directory.get(at..at + 8) else { return };
            let size = self.form.size;
            let [start, end] = [u32_at(ends, 0), u32_at(ends, 4)].map(|at| at as usize * size);
            let Some(list) = self.postings.get(start..end) else { return };
            let upper = (own as u32).checked_shl(32 - self.bits).unwrap_or(0);
            for posting in list.chunks_exact(size) {
                let unit = self.form.unit(posting);
                let new = self.units[(unit & !IS_PROBE) as usize];
                if new != GONE {
                    let key = upper | u32_at(posting, 0) & self.mask;
                    let is_stored_only = u64::from(unit & IS_PROBE == 0);
                    found.push(u64::from(key) << 32 | u64::from(new) << 1 | is_stored_only);
                }
            }
        }
    }
}

/// So many beginnings of keys are merged at a time.
const TOGETHER: u64 = 128;

/// The postings of several segments, merged: those of some beginnings of keys at a time.
pub struct Postings<'a> {
    walks: Vec<Walk<'a>>,
    bits: u32,
    /// The beginning that comes next.
    beginning: u64,
    /// What has those before: key, unit, and whether it is not looked up; and how far it was told.
    waiting: Vec<u64>,
    at: usize,
    cancel: &'a Cancel,
}

impl<'a> Postings<'a> {
    /// All of them.
    pub fn new(walks: Vec<Walk<'a>>, cancel: &'a Cancel) -> Self {
        let bits = walks.iter().map(|walk| walk.bits).min().unwrap_or(0);
        Self { walks, bits, beginning: 0, waiting: Vec::new(), at: 0, cancel }
    }
}

impl Iterator for Postings<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        while self.at == self.waiting.len() {
            // Who asks looks at the flag again, and fails.
            self.cancel.check().ok()?;
            if self.beginning >> self.bits != 0 {
                return None;
            }
            self.waiting.clear();
            let end = (self.beginning + TOGETHER).min(1 << self.bits);
            for walk in &mut self.walks {
                walk.add(self.beginning..end, self.bits, &mut self.waiting);
            }
            // Of each segment they come in order but for a few: a sort that keeps runs is faster.
            self.waiting.sort();
            // Of one that is there twice, that which is looked up.
            self.waiting.dedup_by_key(|posting| *posting >> 1);
            let mut moved = Vec::new();
            let runs = self.waiting.chunk_by_mut(|a, b| *a >> 32 == *b >> 32);
            runs.for_each(|run| asking_first(run, &mut moved));
            self.beginning = end;
            self.at = 0;
        }
        let posting = self.waiting[self.at];
        self.at += 1;
        let is_probe = if posting & 1 == 0 { IS_PROBE } else { 0 };
        Some(((posting >> 32) as u32, (posting as u32 >> 1) | is_probe))
    }
}
