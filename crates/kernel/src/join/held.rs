//! The distinct sentences of each group of documents, and the groups that hold each sentence.
//!
//! A group holds a sentence as its own, of which a part may be boilerplate of its source, or as
//! such boilerplate.

use rayon::prelude::*;

use super::units::Sentences;

/// From how many there are of each to where they end; returns where they begin.
pub fn add_up(ends: &mut [u64]) -> Vec<u64> {
    let mut sum = 0;
    let begin = |end: &mut u64| {
        let start = sum;
        sum += *end;
        *end = sum;
        start
    };
    ends.iter_mut().map(begin).collect()
}

/// The distinct sentences of each group.
#[derive(Debug, Default)]
pub struct Held {
    ends: Vec<u64>,
    sentences: Vec<u32>,
}

impl Held {
    /// Those of so many groups, each sorted; `of` tells them.
    pub fn new(n_groups: usize, of: impl Fn(usize) -> Vec<u32> + Sync + Send) -> Self {
        let all: Vec<Vec<u32>> = (0..n_groups).into_par_iter().map(of).collect();
        let mut ends: Vec<u64> = all.iter().map(|own| own.len() as u64).collect();
        add_up(&mut ends);
        Self { ends, sentences: all.concat() }
    }

    /// Those of a group, sorted.
    #[inline]
    pub fn of(&self, group: usize) -> &[u32] {
        // Where nobody holds any, nothing is kept.
        let Some(&end) = self.ends.get(group) else { return &[] };
        let start = if group == 0 { 0 } else { self.ends[group - 1] };
        &self.sentences[start as usize..end as usize]
    }

    /// Whether a group has a sentence.
    #[inline]
    pub fn has(&self, group: usize, sentence: u32) -> bool {
        self.of(group).binary_search(&sentence).is_ok()
    }

    /// Those of all groups.
    pub fn all(&self) -> &[u32] {
        &self.sentences
    }

    /// Without some sentences; `lose` is told how many each group keeps, and how many it loses.
    pub fn leave_out(&mut self, is_left_out: &[bool], mut lose: impl FnMut(usize, usize, usize)) {
        let (mut kept, mut ends) = (Vec::new(), Vec::with_capacity(self.ends.len()));
        for group in 0..self.ends.len() {
            let (before, start) = (self.of(group), kept.len());
            kept.extend(before.iter().filter(|&&sentence| !is_left_out[sentence as usize]));
            lose(group, kept.len() - start, before.len() - (kept.len() - start));
            ends.push(kept.len() as u64);
        }
        (self.sentences, self.ends) = (kept, ends);
    }
}

/// The bit of a group that holds a sentence as boilerplate.
const MARKED: u32 = 1 << 31;

/// The bit of one to which a part of it is.
const PARTLY: u32 = 1 << 30;

/// A group that holds a sentence.
#[derive(Debug, Clone, Copy, Default)]
pub struct Holder(u32);

impl Holder {
    /// The group.
    #[inline]
    pub fn group(self) -> u32 {
        self.0 & !(MARKED | PARTLY)
    }

    /// Whether it is boilerplate there.
    #[inline]
    pub fn is_marked(self) -> bool {
        self.0 & MARKED != 0
    }
}

/// The groups that hold each sentence.
#[derive(Debug)]
pub struct Holders {
    ends: Vec<u64>,
    holders: Vec<Holder>,
}

impl Holders {
    /// Turn around what groups hold.
    pub fn new(sentences: &Sentences, n_groups: usize) -> Self {
        let Sentences { own, partly, marked, .. } = sentences;
        let mut ends = vec![0_u64; sentences.n_distinct()];
        own.all().iter().chain(marked.all()).for_each(|&s| ends[s as usize] += 1);
        let mut next = add_up(&mut ends);
        let mut holders = vec![Holder::default(); ends.last().map_or(0, |&end| end as usize)];
        let mut add = |sentence: u32, holder: u32| {
            let place = &mut next[sentence as usize];
            holders[*place as usize] = Holder(holder);
            *place += 1;
        };
        for group in 0..n_groups {
            let is_whole = |&&sentence: &&u32| !partly.has(group, sentence);
            own.of(group).iter().filter(is_whole).for_each(|&s| add(s, group as u32));
        }
        for (held, mark) in [(partly, PARTLY), (marked, MARKED)] {
            for group in 0..n_groups {
                held.of(group).iter().for_each(|&s| add(s, group as u32 | mark));
            }
        }
        Self { ends, holders }
    }

    /// Those of a sentence: first all to which nothing of it is boilerplate, last those to which it is.
    #[inline]
    pub fn of(&self, sentence: u32) -> &[Holder] {
        let start = if sentence == 0 { 0 } else { self.ends[sentence as usize - 1] };
        &self.holders[start as usize..self.ends[sentence as usize] as usize]
    }

    /// Those to which nothing of it is boilerplate.
    #[inline]
    pub fn plain(&self, sentence: u32) -> impl Iterator<Item = u32> {
        let all = self.of(sentence).iter().map(|holder| holder.0);
        all.take_while(|holder| holder & (MARKED | PARTLY) == 0)
    }
}
