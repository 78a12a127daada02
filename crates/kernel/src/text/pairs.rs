//! Which quotation marks of a block belong together.
//!
//! A mark opens a quotation if one that closes it follows; the first of these does. Apostrophes and
//! backticks are also written for other things, so they open one only in front of a word and close
//! one only behind something: `'so it is'`; or at both ends of a line; or, with spaces on both
//! sides, where nothing speaks against it.

use memchr::memchr_iter;

use super::ends::is_blank;
use super::ranges::{Kind, Range, Ranges};

/// What closes a quotation that this opens, of marks that are written for nothing else.
fn closing_of(opening: char) -> Option<(char, Kind)> {
    Some(match opening {
        '"' => ('"', Kind::Symmetric("\"")),
        '“' => ('”', Kind::Quotation),
        '‘' => ('’', Kind::Quotation),
        '„' => ('“', Kind::Quotation),
        '«' => ('»', Kind::Quotation),
        '»' => ('«', Kind::Quotation),
        '‹' => ('›', Kind::Quotation),
        '《' => ('》', Kind::Quotation),
        '「' => ('」', Kind::Quotation),
        '‚' => ('‚', Kind::Symmetric("‚")),
        '‛' => ('‛', Kind::Symmetric("‛")),
        '‟' => ('‟', Kind::Symmetric("‟")),
        _ => return None,
    })
}

/// The quotation marks of a block.
pub struct Pairs<'b> {
    pub block: &'b str,
    pub marks: &'b [(usize, char)],
}

/// Marks that do not come again: many may wait for them.
#[derive(Default)]
struct Missing {
    single: Vec<char>,
    /// Two of them in a row.
    doubled: Vec<char>,
}

impl Pairs<'_> {
    /// Append the quotations in their order. `None` if a character decides of which it is not known
    /// whether it belongs to words.
    pub fn append(&self, ranges: &mut Ranges) -> Option<()> {
        let mut behind = 0;
        let mut missing = Missing::default();
        for (n, &(at, mark)) in self.marks.iter().enumerate() {
            if at < behind {
                continue;
            }
            let found = match closing_of(mark) {
                Some((closing, _)) if missing.single.contains(&closing) => None,
                Some((closing, kind)) => {
                    let found = self.marks[n + 1..].iter().find(|mark| mark.1 == closing);
                    if found.is_none() {
                        missing.single.push(closing);
                    }
                    found.map(|&(end, _)| (end + closing.len_utf8(), kind))
                }
                None if matches!(mark, '\'' | '`') => self.ambiguous(n, &mut missing)?,
                None => None,
            };
            if let Some((end, kind)) = found {
                ranges.push(Range::new(at, end, kind));
                behind = end;
            }
        }
        Some(())
    }

    /// Where the quotation ends that the apostrophe or backtick opens.
    fn ambiguous(&self, n: usize, missing: &mut Missing) -> Option<Option<(usize, Kind)>> {
        let (at, mark) = self.marks[n];
        let rest = &self.block[at..];
        let kind = match mark {
            '`' => Kind::Quotation,
            _ if rest.starts_with("''") => Kind::Symmetric("''"),
            _ => Kind::Symmetric("'"),
        };
        let mut double = |mark: char| {
            if missing.doubled.contains(&mark) {
                return None;
            }
            let mut later = self.marks[n + 2..].windows(2);
            let found =
                later.find(|two| two.iter().all(|m| m.1 == mark) && two[0].0 + 1 == two[1].0);
            if found.is_none() {
                missing.doubled.push(mark);
            }
            found.map(|two| two[1].0 + 1)
        };
        let doubled = match rest.as_bytes() {
            [b'`', b'`', ..] => double('\'').or_else(|| double('`')),
            [b'\'', b'\'', ..] => double('\''),
            _ => None,
        };
        if let Some(end) = doubled {
            return Some(Some((end, kind)));
        }
        let closings: &[char] = if mark == '`' { &['\'', '`'] } else { &['\''] };
        for &closing in closings {
            if let Some(end) = self.before_word(n, closing, missing)? {
                return Some(Some((end, kind)));
            }
        }
        let on_line = closings.iter().find_map(|&closing| self.on_line(n, closing));
        Some(on_line.map(|end| (end, kind)))
    }

    /// The end of a quotation whose mark is in front of a word and whose closing mark behind something.
    fn before_word(&self, n: usize, closing: char, missing: &mut Missing) -> Option<Option<usize>> {
        let at = self.marks[n].0;
        let (before, behind) = self.neighbours(at, 1);
        if missing.single.contains(&closing) || is_word(before)? || !is_word(behind)? {
            return Some(None);
        }
        for &(end, _) in self.marks[n + 1..].iter().filter(|mark| mark.1 == closing) {
            let (before, behind) = self.neighbours(end, 1);
            let is_behind = before.is_some_and(|c| c != closing && !c.is_whitespace());
            if is_behind && !is_word(behind)? {
                return Some(Some(end + 1));
            }
        }
        missing.single.push(closing);
        Some(None)
    }

    /// The end of a quotation whose marks are the first and the last of their line.
    fn on_line(&self, n: usize, closing: char) -> Option<usize> {
        let (at, bytes) = (self.marks[n].0, self.block.as_bytes());
        if at > 0 && bytes[at - 1] != b'\n' {
            return None;
        }
        let end = at + memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
        (end > at + 2 && bytes[end - 1] == closing as u8).then_some(end)
    }

    /// Where a mark stands, but between letters.
    pub fn places(&self, mark: char) -> impl Iterator<Item = usize> {
        self.marks.iter().filter(move |found| found.1 == mark).map(|found| found.0)
    }

    /// Append what is between marks with spaces on both sides.
    pub fn append_spaced(&self, ranges: &mut Ranges) {
        for (mark, token) in [('`', "`"), ('\'', "'")] {
            let mut opening = None;
            for (n, _) in self.marks.iter().enumerate().filter(|(_, found)| found.1 == mark) {
                let at = self.marks[n].0;
                if !self.is_candidate(at, 1, ranges) {
                    continue;
                }
                match opening {
                    Some(start) if self.is_pair(start, n, ranges) => {
                        ranges.push(Range::new(start, at + 1, Kind::Symmetric(token)));
                        opening = None;
                    }
                    _ => opening = Some(at),
                }
            }
        }
    }

    /// Whether a mark is neither in a quotation nor between two letters.
    pub fn is_candidate(&self, at: usize, length: usize, ranges: &Ranges) -> bool {
        let (before, behind) = self.neighbours(at, length);
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !(ranges.quote(at) || (is_letter(before) && is_letter(behind)))
    }

    /// Whether the marks at `start` and of number `n` are a pair: not where the quotation would hold
    /// the end of a sentence, another sentence follow, and the second mark open one as well.
    fn is_pair(&self, start: usize, n: usize, ranges: &Ranges) -> bool {
        let (end, mark) = self.marks[n];
        if !self.is_spaced(start) {
            return false;
        }
        if !(starts_sentence(&self.block[end + 1..]) && has_sentence(&self.block[start + 1..end])) {
            return true;
        }
        let mut later = self.marks[n + 1..].iter().filter(|found| found.1 == mark);
        let next = later.find(|&&(at, _)| self.is_candidate(at, 1, ranges));
        let opens = self.is_spaced(end)
            && next.is_some_and(|&(at, _)| !has_sentence(&self.block[end + 1..at]));
        !opens
    }

    /// Whether a mark follows white space, or nothing, and white space follows it.
    fn is_spaced(&self, at: usize) -> bool {
        let (before, behind) = self.neighbours(at, 1);
        before.is_none_or(char::is_whitespace) && behind.is_some_and(char::is_whitespace)
    }

    fn neighbours(&self, at: usize, length: usize) -> (Option<char>, Option<char>) {
        (self.block[..at].chars().next_back(), self.block[at + length..].chars().next())
    }
}

/// Whether a character belongs to words as regular expressions see it; `None` where that takes more
/// than its being a letter.
fn is_word(c: Option<char>) -> Option<bool> {
    match c {
        None => Some(false),
        Some(c) if c.is_ascii() => Some(c.is_ascii_alphanumeric() || c == '_'),
        Some(c) if c.is_alphabetic() => Some(true),
        Some(c) if c.is_whitespace() || matches!(c, '\u{2010}'..='\u{2027}') => Some(false),
        Some('«' | '»' | '。' | '，' | '、' | '：' | '；' | '！' | '？' | '（' | '）') => {
            Some(false)
        }
        Some(_) => None,
    }
}

/// Whether a large letter follows some spaces.
pub fn starts_sentence(text: &str) -> bool {
    let kept = text.trim_start_matches([' ', '\t']);
    kept.len() < text.len() && kept.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
}

/// Whether somewhere a large letter follows a full stop and spaces.
fn has_sentence(text: &str) -> bool {
    memchr_iter(b'.', text.as_bytes()).any(|at| {
        let behind = &text.as_bytes()[at + 1..];
        let letter = behind.iter().find(|b| !is_blank(**b));
        is_blank(*behind.first().unwrap_or(&b'.')) && letter.is_some_and(u8::is_ascii_uppercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::block::Block;

    fn quotations(block: &str) -> Vec<&str> {
        let (mut seen, mut ranges) = (Block::default(), Ranges::default());
        seen.look(block, 0, block.len());
        let pairs = Pairs { block, marks: &seen.quotes };
        pairs.append(&mut ranges).expect("known characters");
        pairs.append_spaced(&mut ranges);
        ranges.all.iter().map(|range| &block[range.start..range.end]).collect()
    }

    #[test]
    fn marks_that_belong_together_are_found() {
        for (block, expected) in [
            ("\"a 'b' c\" \"d", vec!["\"a 'b' c\""]),
            ("„a“ «b» “c” ‘d’ “", vec!["„a“", "«b»", "“c”", "‘d’"]),
            ("the dogs' 'a dog's life' '90s", vec!["'a dog's life'"]),
            ("'a b. '\n'", vec!["'a b. '"]),
            ("``a'' `b' ``c``", vec!["``a''", "`b'", "``c``"]),
            ("so ' a b ' it ' is", vec!["' a b '"]),
            ("", vec![]),
        ] {
            assert_eq!(quotations(block), expected, "{block}");
        }
    }
}
