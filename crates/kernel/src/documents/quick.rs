//! Lines as they mostly are: one object of strings and whole numbers, nothing nested, no escape that
//! stands for a number. These are read without building anything; the text stays where it is.

use std::ops::Range;

use super::dates::microseconds;
use super::fields::{PARTS, Places};
use super::lines::{Record, Text};
use super::strings::{Raw, end_of};

/// More digits than this may not fit a number.
const MAX_DIGITS: usize = 18;

#[derive(Clone)]
enum Value {
    /// A string that is not empty: where it stands, and whether it has escapes.
    Text(Range<usize>, bool),
    /// A whole number.
    Number(Range<usize>),
    /// `null` or an empty text.
    Nothing,
    /// `true` or `false`.
    Other,
}

/// A line as a record; `None` if it is not as most lines are, which says nothing about it. Places in
/// the record are those in the line.
pub fn read_quickly(line: &[u8], places: &mut Places<'_>) -> Option<Record> {
    // Control characters are not allowed in strings, and rare between them.
    let lowest = line.iter().fold(u8::MAX, |lowest, &byte| lowest.min(byte));
    if lowest < b' ' || std::str::from_utf8(line).is_err() {
        return None;
    }
    let [id, text, published, language, source, title, url] = values(line, places)?;
    let Value::Text(text, has_escapes) = text else { return None };
    if !is_visible(&line[text.clone()]) {
        return None;
    }
    let words = |value: Value| match value {
        Value::Text(range, has_escapes) => {
            Some(Some(Raw { bytes: &line[range], has_escapes }.to_text()))
        }
        Value::Number(range) => {
            Some(Some(Raw { bytes: &line[range], has_escapes: false }.to_text()))
        }
        Value::Nothing => Some(None),
        Value::Other => None,
    };
    let are_words = [&published, &language, &source, &title, &url];
    if are_words.iter().any(|value| matches!(value, Value::Number(_))) {
        return None;
    }
    let published = match words(published)? {
        Some(date) => Some(microseconds(&date)?),
        None => None,
    };
    Some(Record {
        id: words(id)?.map(|id| id.into_owned()),
        text: Text::InPlace { range: text, has_escapes },
        published,
        language: words(language)?.map(|language| language.into_owned()),
        source: words(source)?.map(|source| source.into_owned()),
        title: words(title)?.map(|title| title.into_owned()),
        url: words(url)?.map(|url| url.into_owned()),
    })
}

/// Whether there is something to see in a string, as far as ASCII tells.
fn is_visible(string: &[u8]) -> bool {
    let mut bytes = string.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'\\' {
            bytes.next();
        } else if byte.is_ascii_graphic() {
            return true;
        }
    }
    false
}

/// The best value for each part.
fn values(line: &[u8], places: &mut Places<'_>) -> Option<[Value; PARTS]> {
    let mut found = [const { Value::Nothing }; PARTS];
    let mut best = [u8::MAX; PARTS];
    let mut seen = [0_u64; PARTS];
    let mut at = after(line, 0, b'{')?;
    loop {
        let start = after(line, at, b'"')?;
        let (end, has_escapes) = end_of(line, start)?;
        if has_escapes {
            return None;
        }
        let key = std::str::from_utf8(&line[start..end]).ok()?;
        let (value, behind) = value(line, after(line, end + 1, b':')?)?;
        if let Some((part, rank)) = places.of(key) {
            let part = usize::from(part);
            let bit = 1_u64.checked_shl(u32::from(rank))?;
            // Two keys that claim the same name.
            if seen[part] & bit != 0 {
                return None;
            }
            seen[part] |= bit;
            if rank < best[part] && !matches!(value, Value::Nothing) {
                (found[part], best[part]) = (value, rank);
            }
        }
        at = blank(line, behind);
        match line.get(at)? {
            b',' => at += 1,
            b'}' if blank(line, at + 1) == line.len() => return Some(found),
            _ => return None,
        }
    }
}

/// The value that comes next, and what is behind it.
fn value(line: &[u8], at: usize) -> Option<(Value, usize)> {
    let at = blank(line, at);
    let literal =
        |word: &[u8], value| line[at..].starts_with(word).then_some((value, at + word.len()));
    match line.get(at)? {
        b'"' => {
            let (end, has_escapes) = end_of(line, at + 1)?;
            let is_empty = end == at + 1;
            let value =
                if is_empty { Value::Nothing } else { Value::Text(at + 1..end, has_escapes) };
            Some((value, end + 1))
        }
        b'0'..=b'9' => {
            let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_whole = matches!(line.get(at + digits), Some(b',' | b'}' | b' '));
            let is_usual = digits == 1 || (line[at] != b'0' && digits <= MAX_DIGITS);
            (is_whole && is_usual).then_some((Value::Number(at..at + digits), at + digits))
        }
        b'n' => literal(b"null", Value::Nothing),
        b't' => literal(b"true", Value::Other),
        b'f' => literal(b"false", Value::Other),
        _ => None,
    }
}

/// What is behind this byte, if it comes next.
fn after(line: &[u8], at: usize, byte: u8) -> Option<usize> {
    let at = blank(line, at);
    (line.get(at) == Some(&byte)).then_some(at + 1)
}

fn blank(line: &[u8], at: usize) -> usize {
    at + line[at.min(line.len())..].iter().take_while(|byte| **byte == b' ').count()
}
