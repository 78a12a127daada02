//! Whether a sentence ends at a full stop.
//!
//! The rules are those of `sentencex`. Most full stops need few of them: those behind a usual word,
//! and those just before a small letter.

use std::sync::OnceLock;

use sentencex::languages::{Catalan, Italian, Language as Splitter};

use super::ends::is_end;
use super::language::Language;

/// Words that `sentencex` looks at more closely without having them among its abbreviations: units,
/// degrees, bearings, and names with an exclamation mark.
const CLOSER: [&str; 34] = [
    "gal", "fl", "ft", "in", "lb", "mi", "mph", "oz", "pt", "qt", "sq", "yd", "ba", "bcom", "bs",
    "bsc", "dds", "jd", "llb", "lld", "llm", "ma", "mba", "mcom", "md", "ms", "msc", "phd", "ne",
    "nw", "se", "sw", "yahoo", "yum",
];

/// More white space than this is not looked at closely.
const SPACES: usize = 8;

/// A bit for each hash of a word that may not end a sentence: so many that hardly another word has one.
struct Risky([u64; 1 << (BITS - 6)]);

/// A hash has so many bits.
const BITS: usize = 15;

impl Risky {
    /// Those of a language, made once.
    fn of(language: Language, splitter: &dyn Splitter) -> &'static Self {
        static ALL: [OnceLock<Risky>; 256] = [const { OnceLock::new() }; 256];
        ALL[usize::from(language.number())].get_or_init(|| {
            let mut bits = [0; 1 << (BITS - 6)];
            let abbreviations = splitter.get_abbreviations().iter().map(String::as_str);
            for word in abbreviations.chain(CLOSER) {
                let place = Self::place(word.as_bytes());
                bits[place / 64] |= 1 << (place % 64);
            }
            Self(bits)
        })
    }

    /// Where the bit of a word is: of its last bytes, whether letters are small or large.
    #[inline]
    fn place(word: &[u8]) -> usize {
        let last = word.iter().rev().take(8);
        let packed = last.fold(0, |packed: u64, &byte| packed << 8 | u64::from(byte | 0x20));
        (packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
    }

    #[inline]
    fn contains(&self, word: &[u8]) -> bool {
        let place = Self::place(word);
        self.0[place / 64] >> (place % 64) & 1 == 1
    }
}

/// How what follows tells that a sentence goes on.
#[derive(Clone, Copy)]
enum Continuation {
    /// By a small letter or a digit.
    Small,
    /// By the same, whatever stands before it but words.
    SmallWord,
    /// By rules of `sentencex`.
    Others,
}

impl Continuation {
    /// That of a language. For two of them `sentencex` would compile an expression at each full stop.
    fn of(splitter: &dyn Splitter) -> Self {
        let is = |other: &dyn Splitter| {
            std::ptr::eq(splitter.get_abbreviations(), other.get_abbreviations())
        };
        if is(&Italian {}) {
            Self::Small
        } else if is(&Catalan {}) {
            Self::SmallWord
        } else {
            Self::Others
        }
    }
}

/// The rules of a language.
pub struct Stops<'l> {
    pub splitter: &'l dyn Splitter,
    risky: &'static Risky,
    continuation: Continuation,
}

impl<'l> Stops<'l> {
    pub fn new(language: Language, splitter: &'l dyn Splitter) -> Self {
        let continuation = Continuation::of(splitter);
        Self { splitter, risky: Risky::of(language, splitter), continuation }
    }

    /// Where the sentence ends that a run of marks may end, without regard to quotations and lists:
    /// behind the white space.
    #[inline]
    pub fn end(&self, block: &str, start: usize, end: usize) -> Option<usize> {
        if end - start == 1 {
            // In no language does a sentence end just before a small letter or a digit.
            let next = block.as_bytes().get(end);
            if next.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
                return None;
            }
            if let Some(end) = self.plain_end(block, start, end) {
                return Some(end);
            }
        }
        self.splitter.find_boundary(block, start, end)
    }

    /// The same where there is no doubt: a usual word before the mark, and behind it nothing that may
    /// go on with it, such as the number of a note in square brackets.
    fn plain_end(&self, block: &str, start: usize, end: usize) -> Option<usize> {
        let behind = &block.as_bytes()[end..];
        let spaces = behind.iter().take(SPACES + 1).take_while(|b| is_space(**b)).count();
        let is_usual = match behind[spaces..] {
            [] | [0xE2, 0x80, 0x90..=0x9F, ..] => true,
            [first, ..] if first.is_ascii_alphanumeric() => spaces > 0,
            [first, ..] => first.is_ascii_graphic() && first != b'[',
        };
        if spaces > SPACES || !is_usual {
            return None;
        }
        let word = usual_word(&block.as_bytes()[..start])?;
        if self.risky.contains(word) {
            return None;
        }
        let next = self.splitter.get_next_word_approx(block, end);
        (!self.continues(next)).then_some(end + spaces)
    }

    /// Whether a sentence goes on with this.
    fn continues(&self, next: &str) -> bool {
        let is_small = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        match self.continuation {
            Continuation::Small => next.bytes().next().is_some_and(is_small),
            Continuation::SmallWord if first_of_word(next).is_none_or(|b| b < 128) => {
                first_of_word(next).is_some_and(is_small)
            }
            _ => self.splitter.continue_in_next_word(next),
        }
    }

    /// If another sentence starts behind a quotation that ends at `end`, where: `get_boundary_extend`
    /// without its regular expression where the text is ASCII.
    pub fn behind_quotation(&self, block: &str, end: usize) -> Option<usize> {
        let next = self.splitter.get_next_word_approx(block, end);
        let more = match first_of_word(next) {
            Some(b'a'..=b'z' | b'0'..=b'9') => return None,
            Some(128..) => self.splitter.get_boundary_extend(next)?,
            _ if self.continues(next.trim()) => return None,
            _ => next.bytes().take_while(|&b| is_end(b) || is_space(b)).count(),
        };
        Some(end + more)
    }
}

/// The first byte that belongs to a word, or may do so.
fn first_of_word(text: &str) -> Option<u8> {
    text.bytes().find(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 128)
}

/// A longer word, in bytes, is none that is usual: looking for where it starts may take long.
const LONGEST: usize = 64;

/// The last word, if it is of ASCII, behind white space, and neither an initial nor a number with a
/// unit.
#[inline]
fn usual_word(head: &[u8]) -> Option<&[u8]> {
    let (mut start, mut has_digits) = (head.len(), false);
    while start > 0 && !is_space(head[start - 1]) {
        if head.len() - start == LONGEST {
            return None;
        }
        start -= 1;
        has_digits |= head[start].is_ascii_digit();
        if matches!(head[start], b'.' | b'/' | b'\'' | 128..) {
            return None;
        }
    }
    let word = &head[start..];
    (word.len() > 1 && !(has_digits && word[word.len() - 1].is_ascii_alphabetic())).then_some(word)
}

pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of up to four small letters, and some that are longer.
    fn words() -> impl Iterator<Item = String> {
        let letters = |n: u32| {
            (0..26_u32.pow(n)).map(move |code| {
                let letter = |at: u32| char::from(b'a' + (code / 26_u32.pow(at) % 26) as u8);
                (0..n).map(letter).collect()
            })
        };
        let long = ["Yahoo", "approx", "Messrs", "PhD", "BCom", "5ft", "1921", "(in", "x)"];
        (1..5).flat_map(letters).chain(long.map(String::from))
    }

    #[test]
    fn no_word_is_taken_for_a_usual_one() {
        for code in ["en", "de", "es"] {
            let splitter = sentencex::language_factory(code);
            let stops = Stops::new(Language::from_code(code), &*splitter);
            for word in words() {
                let block = format!("A 5 {word}. Mai");
                let start = block.len() - 5;
                let expected = splitter.find_boundary(&block, start, start + 1);
                assert_eq!(stops.end(&block, start, start + 1), expected, "{block}");
            }
        }
    }

    #[test]
    fn what_follows_decides_as_it_does_in_sentencex() {
        for (code, mark) in ["en", "it", "ca"].iter().flat_map(|c| [(c, "."), (c, "!"), (c, "?")]) {
            let splitter = sentencex::language_factory(code);
            let stops = Stops::new(Language::from_code(code), &*splitter);
            for behind in [
                "",
                " ",
                "a",
                "5",
                "A",
                " a",
                " A",
                "\n A",
                " [1] A",
                "[1]",
                "\"",
                "\" A",
                ",",
                " , a",
                "” A",
                " “A",
                " …",
                "\u{a0}A",
                ")",
                "          A",
                "I",
                " I",
            ] {
                for word in ["word", "it's", "x", "I", "U.S", "1921", "é", "a/b", "w "] {
                    let block = format!("The {word}{mark}{behind}");
                    let start = 4 + word.len();
                    let expected = splitter.find_boundary(&block, start, start + 1);
                    assert_eq!(stops.end(&block, start, start + 1), expected, "{block}");
                }
            }
        }
    }
}
