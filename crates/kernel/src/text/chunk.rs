//! The analysis of some texts on one thread.

use std::ops::Range;

use super::ahead::Ahead;
use super::analyse::{Keep, Source, Spans};
use super::detect::detect;
use super::distinct::{Distincts, Packed, SHORT};
use super::language::Language;
use super::new_words::NewWords;
use super::pieces::pieces;
use super::profile::Profile;
use super::quotations::{is_quoted, quotations};
use super::sentences::Sentences;
use super::vocabulary::{MAX_WORDS, Vocabulary};
use super::words::words;
use crate::cancel::Cancel;
use crate::error::Result;
use crate::hash;

/// Numbers from this on are of words that are new in their chunk.
pub const NEW: u32 = MAX_WORDS;

/// After so many texts in a row that nobody has split ahead, none is asked for: files are read from
/// their beginning, and asking takes a look at every byte of a text.
const UNKNOWN: usize = 4;

/// How many bytes of text there are for each word, about.
const BYTES_PER_WORD: usize = 6;

/// The analysis of some texts; new words have numbers from `NEW` on.
#[derive(Default)]
pub struct Part {
    pub words: Vec<u32>,
    pub sentence_ends: Vec<u32>,
    pub opens_paragraph: Vec<bool>,
    pub document_ends: Vec<u32>,
    pub languages: Vec<Language>,
    pub text_hashes: Vec<u128>,
    pub characters: usize,
    pub spans: Spans,
}

/// The work on some texts.
pub struct Chunk<'v> {
    vocabulary: &'v Vocabulary,
    /// Where the terms of new words may be known.
    memory: Option<&'v Vocabulary>,
    /// What is known of texts already.
    ahead: Option<&'v Ahead>,
    keep: Keep,
    sentences: Sentences,
    /// The new words.
    new: Distincts,
    /// The words of the sentence at hand.
    found: Vec<Found>,
    /// What came of it.
    part: Part,
}

impl<'v> Chunk<'v> {
    /// Nothing is done yet.
    pub fn new(
        vocabulary: &'v Vocabulary,
        memory: Option<&'v Vocabulary>,
        ahead: Option<&'v Ahead>,
        keep: Keep,
    ) -> Self {
        Self {
            vocabulary,
            memory,
            ahead,
            keep,
            sentences: Sentences::default(),
            new: Distincts::default(),
            found: Vec::new(),
            part: Part::default(),
        }
    }

    /// Analyse some texts; `room` is for those that have to be written down.
    pub fn analyse(
        &mut self,
        texts: &[Source<'_>],
        languages: &[Option<Language>],
        room: &mut String,
        cancel: &Cancel,
    ) -> Result<()> {
        // As many as English has: a list that doubles is copied again and again.
        let bytes: usize = texts.iter().map(|text| text.len()).sum();
        self.part.words.reserve(bytes / BYTES_PER_WORD);
        let mut unknown = 0;
        for (text, language) in texts.iter().zip(languages) {
            cancel.check()?;
            let ahead = self.ahead.filter(|_| unknown < UNKNOWN);
            let seen = ahead.and_then(|ahead| ahead.find(*text, *language));
            unknown = if seen.is_some() { 0 } else { unknown + 1 };
            let text = text.read(room);
            let language = match seen {
                Some((seen, _)) => seen.language,
                None => language.unwrap_or_else(|| detect(text)),
            };
            self.add(text, language, seen.map(|(_, sentences)| sentences), cancel)?;
            let (hash, characters) = match seen {
                Some((seen, _)) => (seen.hash, seen.characters),
                None => (hash::whole(text.as_bytes()), text.chars().count()),
            };
            self.part.languages.push(language);
            self.part.text_hashes.push(hash);
            self.part.characters += characters;
        }
        Ok(())
    }

    /// What came of it, and the new words with their terms, by number.
    pub fn finish(self, cancel: &Cancel) -> Result<(Part, NewWords)> {
        let new = NewWords::new(self.new, self.memory, self.vocabulary.profile(), cancel)?;
        Ok((self.part, new))
    }

    /// Add a text, whose sentences may be known.
    fn add(
        &mut self,
        text: &str,
        language: Language,
        known: Option<&[(u32, u32)]>,
        cancel: &Cancel,
    ) -> Result<()> {
        let mut cursor = (self.keep != Keep::Nothing).then(|| Cursor::new(text));
        let quoted = if cursor.is_some() { quotations(text) } else { Vec::new() };
        let &Profile { joiner, longest, .. } = self.vocabulary.profile();

        let (vocabulary, new, part, keep) =
            (self.vocabulary, &mut self.new, &mut self.part, self.keep);
        let found = &mut self.found;
        let (mut last, mut opens) = (0, true);
        let mut sentence = |start: usize, end: usize| {
            opens |= has_blank_line(&text[last..start]);
            last = end;
            // First all words and where they are looked up, then their numbers: so many lookups wait
            // for memory at the same time.
            found.clear();
            words(text, start, end, joiner, |from, to| {
                found.push(Found::new(text, from, to, language, vocabulary));
            });
            // What holds no word (a row of stars, a lone bullet) is no sentence.
            if found.is_empty() {
                return;
            }
            let words = part.words.len();
            part.words
                .extend(found.iter().map(|found| found.number(text, language, vocabulary, new)));
            let mut end_piece = |range: Range<usize>| {
                part.sentence_ends.push((words + range.end) as u32);
                part.opens_paragraph.push(std::mem::take(&mut opens));
                let Some(cursor) = &mut cursor else { return };
                let from = if range.start == 0 { start } else { found[range.start].range().start };
                let to =
                    if range.end == found.len() { end } else { found[range.end - 1].range().end };
                let first = cursor.code_points(from);
                if keep == Keep::Words {
                    for Range { start, end } in found[range].iter().map(Found::range) {
                        let span = (cursor.code_points(start), cursor.code_points(end));
                        part.spans.words.push(span);
                    }
                }
                part.spans.sentences.push((first, cursor.code_points(to)));
                part.spans.texts.push(hash::term(&text[from..to]));
                part.spans.quoted.push(is_quoted(&quoted, from, to));
            };
            match longest {
                Some(longest) => {
                    pieces(text, found.len(), |word| found[word].range(), longest, end_piece);
                }
                None => end_piece(0..found.len()),
            }
        };
        match known {
            Some(known) => {
                known.iter().for_each(|&(start, end)| sentence(start as usize, end as usize));
            }
            None => self.sentences.split(text, language, cancel, sentence)?,
        }
        self.part.document_ends.push(self.part.sentence_ends.len() as u32);
        Ok(())
    }
}

/// A word of a sentence that is soon asked for.
struct Found {
    /// The word; nothing in place of a long one.
    packed: Packed,
    /// Where it is looked up.
    place: u32,
    /// Where it stands: texts have less than 4 GiB.
    start: u32,
    end: u32,
}

impl Found {
    #[inline]
    fn new(
        text: &str,
        start: usize,
        end: usize,
        language: Language,
        vocabulary: &Vocabulary,
    ) -> Self {
        let (packed, place) = if end - start > SHORT {
            (Packed::default(), 0)
        } else {
            let packed = Packed::new(text.as_bytes(), start, end, language);
            (packed, vocabulary.prefetch(packed))
        };
        Self { packed, place: place as u32, start: start as u32, end: end as u32 }
    }

    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The number of the word in the vocabulary or, from `NEW` on, among the new ones.
    #[inline]
    fn number(
        &self,
        text: &str,
        language: Language,
        vocabulary: &Vocabulary,
        new: &mut Distincts,
    ) -> u32 {
        if self.packed == Packed::default() {
            let surface = &text[self.range()];
            let known = vocabulary.find_long(language, surface);
            return known.unwrap_or_else(|| NEW + new.number_long(surface, language));
        }
        let known = vocabulary.find_short(self.place as usize, self.packed);
        known.unwrap_or_else(|| NEW + new.number_short(self.packed, &text[self.range()], language))
    }
}

/// Whether what stands between two sentences has two ends of lines.
fn has_blank_line(gap: &str) -> bool {
    gap.bytes().filter(|&byte| byte == b'\n').count() > 1
}

/// Turns byte positions that never decrease into code points.
struct Cursor<'t> {
    text: &'t str,
    is_ascii: bool,
    byte: usize,
    code_point: u32,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, is_ascii: text.is_ascii(), byte: 0, code_point: 0 }
    }

    fn code_points(&mut self, byte: usize) -> u32 {
        if self.is_ascii {
            return byte as u32;
        }
        self.code_point += self.text[self.byte..byte].chars().count() as u32;
        self.byte = byte;
        self.code_point
    }
}
