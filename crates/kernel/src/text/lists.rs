//! Lists within a block: where their items begin.
//!
//! An item has a mark: `•`, `(2)`, `iv.`, `b)`, `-`. Marks stand at the start of a line or, those
//! that cannot be taken for the end of a sentence, behind a space. Marks of one family that come at
//! least twice are a list; a bullet or a number in brackets at the start of a line is one by itself.

use std::cmp::Reverse;

use memchr::memchr2;

use super::ends::{blanks, is_blank};

/// So many marks make a list.
pub const LIST: usize = 2;

/// Marks of one family are at least so many bytes apart: initials are nearer to each other.
const GAP: usize = 4;

const BULLETS: [char; 21] = [
    '•', '◦', '▪', '▫', '■', '□', '●', '○', '⁃', '⁌', '⁍', '◆', '◇', '★', '☆', '➤', '➢', '➣', '▶',
    '▸', '►',
];

/// What marks look like. Of families with as many marks, the one that begins first is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// `•`, `(1)`, `(a)`, `(iv)`
    Clear,
    /// `*`, `+`, `-`
    Dash,
    /// `1.`, `1)`, `1.)`
    Number,
    /// `a)`, `a.)`
    LetterInBrackets,
    /// `a.`
    Letter,
    /// `ii.`, `ii)`, `ii.)`
    Roman,
}

const FAMILIES: usize = 6;

struct Item {
    at: usize,
    family: Family,
    /// The first byte of the mark.
    first: u8,
    opens_line: bool,
}

/// A mark in front of a text, and how many bytes it has.
#[inline]
fn mark_of(bytes: &[u8]) -> Option<(Family, usize)> {
    let run =
        |from: usize, is: fn(u8) -> bool| bytes[from..].iter().take_while(|b| is(**b)).count();
    match *bytes.first()? {
        0xE2 => {
            let is_this = |c: &char| bytes.starts_with(c.encode_utf8(&mut [0; 4]).as_bytes());
            BULLETS.iter().find(|c| is_this(c)).map(|c| (Family::Clear, c.len_utf8()))
        }
        b'(' => {
            let n = run(1, |b| b.is_ascii_alphanumeric());
            let is_closed = bytes.get(1 + n) == Some(&b')');
            (is_closed && is_inner(&bytes[1..=n])).then_some((Family::Clear, n + 2))
        }
        b'*' | b'+' | b'-' => Some((Family::Dash, 1)),
        b'0'..=b'9' => {
            let n = run(0, |b| b.is_ascii_digit());
            Some((Family::Number, n + closing(&bytes[n..])?))
        }
        first if first.is_ascii_alphabetic() => {
            let n = run(0, is_roman);
            if n > 1 {
                return Some((Family::Roman, n + closing(&bytes[n..])?));
            }
            let more = closing(&bytes[1..])?;
            if bytes[more] == b')' {
                return Some((Family::LetterInBrackets, 1 + more));
            }
            first.is_ascii_lowercase().then_some((Family::Letter, 2))
        }
        _ => None,
    }
}

/// Whether this between brackets is a mark.
fn is_inner(inner: &[u8]) -> bool {
    let is_number = inner.len() < 3 && inner.iter().all(u8::is_ascii_digit);
    let is_letter = inner.len() == 1 && inner[0].is_ascii_alphabetic();
    !inner.is_empty() && (is_number || is_letter || inner.iter().all(|&b| is_roman(b)))
}

/// How many bytes of `.`, `)` or `.)` are in front.
fn closing(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'.', b')', ..] => Some(2),
        [b'.' | b')', ..] => Some(1),
        _ => None,
    }
}

pub fn is_bullet(c: char) -> bool {
    BULLETS.contains(&c)
}

fn is_roman(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'i' | b'v' | b'x' | b'l' | b'c' | b'd' | b'm')
}

/// What stands behind a mark in its line, if that is something and not too near.
fn content(behind: &str) -> Option<char> {
    let spaces = blanks(behind.as_bytes());
    let c = behind[spaces..].chars().next()?;
    (spaces > 0 && c != '\n' && c != '\r').then_some(c)
}

/// Whether a mark may stand within a line.
fn is_inline(mark: &str, family: Family, behind: char) -> bool {
    family != Family::Dash && !mark.ends_with('.') && !behind.is_lowercase()
}

/// Append the items of a line.
fn line_items(block: &str, start: usize, end: usize, items: &mut Vec<Item>) {
    let bytes = block.as_bytes();
    let mut at = start + blanks(&bytes[start..end]);
    let line = &block[at..end];
    if let Some((family, length)) = mark_of(line.as_bytes())
        && content(&line[length..]).is_some()
    {
        items.push(Item { at: start, family, first: bytes[at], opens_line: true });
    }
    if memchr2(b')', 0xE2, line.as_bytes()).is_none() {
        return;
    }
    while let Some(space) = memchr2(b' ', b'\t', &bytes[at..end]) {
        at += space;
        at += blanks(&bytes[at..end]);
        if at == end || matches!(bytes[at], b'\n' | b'\r') {
            break;
        }
        let rest = &block[at..end];
        if let Some((family, length)) = mark_of(rest.as_bytes())
            && content(&rest[length..]).is_some_and(|c| is_inline(&rest[..length], family, c))
        {
            items.push(Item { at, family, first: bytes[at], opens_line: false });
        }
    }
}

/// Where the items of the block's list begin, in order; none if there is no list.
pub fn items(block: &str, found: &mut Vec<usize>) {
    found.clear();
    let mut items = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', block.as_bytes()) {
        line_items(block, start, end + 1, &mut items);
        start = end + 1;
    }
    if start < block.len() {
        line_items(block, start, block.len(), &mut items);
    }
    // Where there are Roman numbers, letters may be some, too.
    if items.iter().any(|item| item.family == Family::Roman) {
        for item in &mut items {
            let is_letter = matches!(item.family, Family::Letter | Family::LetterInBrackets);
            if is_letter && is_roman(item.first) {
                item.family = Family::Roman;
            }
        }
    }
    let mut last = [None; FAMILIES];
    items.retain(|item| {
        let last = &mut last[item.family as usize];
        let is_apart = last.is_none_or(|last| item.at - last >= GAP);
        if is_apart {
            *last = Some(item.at);
        }
        is_apart
    });
    let Some(family) = prevailing(&items) else { return };
    found.extend(items.iter().filter(|item| item.family == family).map(|item| item.at));
}

/// The family whose marks make a list.
fn prevailing(items: &[Item]) -> Option<Family> {
    let count = |family| items.iter().filter(|item| item.family == family).count();
    let is_clear = |item: &Item| item.family == Family::Clear && item.opens_line;
    if count(Family::Clear) >= LIST || items.iter().any(is_clear) {
        return Some(Family::Clear);
    }
    let first = |family| items.iter().position(|item| item.family == family);
    [Family::Dash, Family::Number, Family::LetterInBrackets, Family::Letter, Family::Roman]
        .into_iter()
        .filter(|&family| count(family) >= LIST)
        .max_by_key(|&family| (count(family), Reverse(first(family))))
}

/// How many marks a line may start with, at most: a quick look. One that is a list by itself counts
/// for all that are needed.
pub fn opening(line: &[u8]) -> usize {
    let line = &line[blanks(line)..];
    match mark_of(line) {
        Some((family, length)) if line.get(length).is_some_and(|&b| is_blank(b)) => {
            if family == Family::Clear { LIST } else { 1 }
        }
        _ => 0,
    }
}

/// Whether the closing bracket at this place may end the mark of an item within a line: a word that
/// begins behind a space, `2)` or `(2)`, and what follows is neither near nor a small letter.
pub fn may_end_mark(bytes: &[u8], at: usize) -> bool {
    let behind = &bytes[at + 1..];
    let spaces = blanks(behind);
    if spaces == 0 || behind.get(spaces).is_none_or(u8::is_ascii_lowercase) {
        return false;
    }
    let end = if at > 0 && bytes[at - 1] == b'.' { at - 1 } else { at };
    let start = end - bytes[..end].iter().rev().take_while(|b| b.is_ascii_alphanumeric()).count();
    let is_first = |start: usize| start == 0 || matches!(bytes[start - 1], b' ' | b'\t' | b'\n');
    let word = &bytes[start..end];
    if start > 0 && bytes[start - 1] == b'(' {
        return is_first(start - 1) && is_inner(word);
    }
    is_first(start) && is_item(word)
}

fn is_item(word: &[u8]) -> bool {
    word.len() == 1
        || (!word.is_empty() && word.iter().all(u8::is_ascii_digit))
        || (!word.is_empty() && word.iter().all(|&b| is_roman(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_begin_at_marks_of_one_family() {
        for (block, expected) in [
            ("1. One.\n2. Two.", vec![0, 8]),
            ("So:\n- a\n- b", vec![4, 8]),
            ("• a", vec![0]),
            ("a • B • C", vec![2, 8]),
            ("(a) One.\nTwo", vec![0]),
            ("Say 1) Yes or 2) No.", vec![4, 14]),
            ("i. One\nii. Two\niii. Three", vec![0, 7, 15]),
            ("e. e. cummings", vec![]),
            ("A. Smith\nB. Jones", vec![]),
            ("In (1921) He and (1950) She", vec![]),
            ("1. One. 2. Two.", vec![]),
            ("", vec![]),
        ] {
            let mut found = Vec::new();
            items(block, &mut found);
            assert_eq!(found, expected, "{block}");
        }
    }
}
