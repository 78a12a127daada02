//! Blocks of JSON Lines to records.

use std::ops::Range;

use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
use serde::de::Deserializer;

use super::dates::microseconds;
use super::fields::{Names, Places};
use super::values::{Object, Value};
use crate::cancel::Cancel;
use crate::error::Result;

/// Bytes of lines that a thread reads in one go.
const PIECE: usize = 256 * 1024;

/// What a line holds.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// A document.
    Record(Record),
    /// Something that wants a closer look.
    Other,
}

/// The number of a line (from 0), its place and what it holds.
pub type NumberedLine = (usize, Place, Line);

/// Where a line stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The number of its block.
    pub block: usize,
    /// Its bytes there.
    pub range: Range<usize>,
}

/// A document as it stands in a line.
#[derive(Debug, PartialEq)]
pub struct Record {
    /// The id; `None` if there is none.
    pub id: Option<String>,
    /// The text, which has something to see in it.
    pub text: String,
    /// When it was published, in microseconds since 1970.
    pub published: Option<i64>,
    /// The code of its language.
    pub language: Option<String>,
    /// Who published it.
    pub source: Option<String>,
}

/// The lines of blocks that are not blank, and how many lines there are. A block ends where a line
/// ends; only the last one may end without.
pub fn read_lines(
    blocks: &[&[u8]],
    names: &Names,
    cancel: &Cancel,
) -> Result<(Vec<NumberedLine>, usize)> {
    let mut first = 0;
    let mut numbered = Vec::new();
    for (n, block) in blocks.iter().enumerate() {
        for piece in pieces(block) {
            numbered.push((first, n, piece.clone()));
            first += memchr_iter(b'\n', &block[piece]).count();
        }
    }
    let parts = numbered
        .into_par_iter()
        .map(|(first, n, piece)| {
            let block = blocks[n];
            let mut places = Places::new(names);
            let (mut found, mut number, mut at) = (Vec::new(), first, piece.start);
            while at < piece.end {
                cancel.check()?;
                let end = memchr(b'\n', &block[at..piece.end]).map_or(piece.end, |n| at + n);
                let line = &block[at..end];
                if !line.trim_ascii().is_empty() {
                    let record = read_line(line, &mut places);
                    let line = record.map_or(Line::Other, Line::Record);
                    found.push((number, Place { block: n, range: at..end }, line));
                }
                number += 1;
                at = end + 1;
            }
            Ok(found)
        })
        .collect::<Result<Vec<_>>>()?;
    Ok((parts.into_iter().flatten().collect(), first))
}

/// Ranges of whole lines.
fn pieces(block: &[u8]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < block.len() {
        let rest = &block[(start + PIECE).min(block.len())..];
        let end = memchr(b'\n', rest).map_or(block.len(), |n| start + PIECE + n + 1);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// A line as a record; `None` if anything about it is unusual.
fn read_line(line: &[u8], places: &mut Places<'_>) -> Option<Record> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    let found = reader.deserialize_map(Object { places }).ok()?;
    reader.end().ok()?;
    let [id, text, published, language, source] = found?.map(|value| value.map(|(_, value)| value));
    let text = match text? {
        Value::Text(text) => text,
        _ => return None,
    };
    if text.chars().all(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let id = match id {
        None => None,
        Some(Value::Text(id) | Value::Number(id)) => Some(id),
        Some(_) => return None,
    };
    let published = match published {
        None => None,
        Some(Value::Text(date)) => Some(microseconds(&date)?),
        Some(_) => return None,
    };
    let language = match language {
        None => None,
        Some(Value::Text(language)) => Some(language),
        Some(_) => return None,
    };
    let source = match source {
        None => None,
        Some(Value::Text(source)) => Some(source),
        Some(_) => return None,
    };
    Some(Record { id, text, published, language, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let list = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
        Names {
            names: [
                list(&["id", "_id"]),
                list(&["text", "body"]),
                list(&["date"]),
                list(&["lang"]),
                list(&["source"]),
            ],
            exact: [false; 5],
        }
    }

    fn read(block: &str) -> Vec<(usize, Line)> {
        let found = read_lines(&[block.as_bytes()], &names(), &Cancel::default()).expect("read").0;
        found.into_iter().map(|(number, _, line)| (number, line)).collect()
    }

    fn record(id: Option<&str>, text: &str) -> Line {
        let id = id.map(str::to_owned);
        Line::Record(Record {
            id,
            text: text.to_owned(),
            published: None,
            language: None,
            source: None,
        })
    }

    #[test]
    fn usual_lines_are_records() {
        let block = concat!(
            "{\"id\": \"a\", \"text\": \"One\\nline \\u00e9.\", \"tags\": [1, {\"x\": null}]}\n",
            "\n  \r\n",
            "{\"text\": \"\", \"Body\": \"B\", \"_id\": 7, \"lang\": null}\r\n",
            "{\"text\": \"T\", \"date\": \"1970-01-01T00:00:01Z\", \"lang\": \"en\"}",
        );
        let dated = Line::Record(Record {
            id: None,
            text: "T".into(),
            published: Some(1_000_000),
            language: Some("en".into()),
            source: None,
        });
        let expected =
            [(0, record(Some("a"), "One\nline é.")), (3, record(Some("7"), "B")), (4, dated)];
        assert_eq!(read(block), expected);
    }

    #[test]
    fn unusual_lines_want_a_closer_look() {
        for line in [
            "{",
            "[]",
            "1",
            "{\"text\": \"a\"} x",
            "{\"text\": 1}",
            "{\"text\": \" \"}",
            "{}",
            "{\"text\": \"a\", \"id\": 1.5}",
            "{\"text\": \"a\", \"id\": {\"$oid\": \"x\"}}",
            "{\"text\": \"a\", \"date\": 5}",
            "{\"text\": \"a\", \"date\": \"soon\"}",
            "{\"text\": \"a\", \"TEXT\": \"b\"}",
            "{\"text\": \"\\ud800\"}",
            "{\"text\": \"\u{1}\"}",
            "{\"text\": \"a\", \"lang\": true}",
            "{\"text\": \"a\", \"text\": \"b\"}",
        ] {
            assert_eq!(read(line), [(0, Line::Other)], "{line}");
        }
        let broken = read_lines(&[b"{\"text\": \"\xff\"}"], &names(), &Cancel::default());
        assert_eq!(broken.expect("read").0[0].2, Line::Other);
    }

    #[test]
    fn lines_are_numbered_through_all_blocks() {
        let blocks: [&[u8]; 3] = [b"{\"text\": \"a\"}\n\n", b"", b"{\"text\": \"b\"}\n{"];
        let (found, n) = read_lines(&blocks, &names(), &Cancel::default()).expect("read");
        let places: Vec<_> = found.iter().map(|(n, place, _)| (*n, place.block)).collect();
        assert_eq!((places, n), (vec![(0, 0), (2, 2), (3, 2)], 3));
        assert_eq!(&blocks[2][found[2].1.range.clone()], b"{");
    }

    #[test]
    fn large_blocks_are_read_in_pieces() {
        let line = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(10_000));
        let found = read(&line.repeat(40));
        assert_eq!(found.len(), 40);
        assert!(found.iter().enumerate().all(|(n, line)| line.0 == n));
    }
}
