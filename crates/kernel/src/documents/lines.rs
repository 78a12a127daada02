//! Blocks of JSON Lines to records.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2_iter};
use rayon::prelude::*;
use serde::de::Deserializer;

use super::dates::microseconds;
use super::fields::{Names, Places};
use super::quick::read_quickly;
use super::strings::Raw;
use super::values::{Object, Value};
use crate::cancel::Cancel;
use crate::error::Result;

/// Bytes of lines that a thread reads in one go.
const PIECE: usize = 256 * 1024;
/// Python does not read objects and lists that are much deeper; with fewer brackets none can be.
const DEEP: usize = 1000;

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
    pub text: Text,
    /// When it was published, in microseconds since 1970.
    pub published: Option<i64>,
    /// The code of its language.
    pub language: Option<String>,
    /// Who published it.
    pub source: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// Where it was found.
    pub url: Option<String>,
}

/// The text of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Text {
    /// Left in its block, between two quotation marks.
    InPlace {
        /// Its bytes there.
        range: Range<usize>,
        /// Whether there are escapes in it.
        has_escapes: bool,
    },
    /// Written down.
    Owned(String),
}

impl Text {
    /// What stands in the block, if it is there.
    pub fn raw<'t>(&self, block: &'t [u8]) -> Option<Raw<'t>> {
        match self {
            Self::InPlace { range, has_escapes } => {
                Some(Raw { bytes: &block[range.clone()], has_escapes: *has_escapes })
            }
            Self::Owned(_) => None,
        }
    }
}

/// How many lines blocks have, with one that has no end yet.
pub fn count_lines(blocks: &[&[u8]]) -> usize {
    let ended: usize = blocks.iter().map(|block| memchr_iter(b'\n', block).count()).sum();
    let last = blocks.iter().rfind(|block| !block.is_empty());
    ended + usize::from(last.is_some_and(|block| !block.ends_with(b"\n")))
}

/// The lines of blocks that are not blank, and how many lines have an end. A block ends where a line
/// ends; only the last one may end without. With `only`, ascending numbers of lines, no others.
pub fn read_lines(
    blocks: &[&[u8]],
    names: &Names,
    only: Option<&[usize]>,
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
            let mut wanted = only.map(|only| &only[only.partition_point(|&n| n < first)..]);
            while at < piece.end {
                if wanted.is_some_and(<[usize]>::is_empty) {
                    break;
                }
                cancel.check()?;
                let end = memchr(b'\n', &block[at..piece.end]).map_or(piece.end, |n| at + n);
                let line = &block[at..end];
                let is_wanted = wanted.is_none_or(|wanted| wanted[0] == number);
                if is_wanted {
                    wanted = wanted.map(|wanted| &wanted[1..]);
                }
                if is_wanted && !line.trim_ascii().is_empty() {
                    let record = read_line(line, at, &mut places);
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

/// The line that starts at `start` in its block as a record; `None` if anything about it is unusual.
fn read_line(line: &[u8], start: usize, places: &mut Places<'_>) -> Option<Record> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some(mut record) = read_quickly(line, places) else {
        return read_carefully(line, places);
    };
    if let Text::InPlace { range, .. } = &mut record.text {
        *range = start + range.start..start + range.end;
    }
    Some(record)
}

fn read_carefully(line: &[u8], places: &mut Places<'_>) -> Option<Record> {
    if memchr2_iter(b'[', b'{', line).count() > DEEP {
        return None;
    }
    let mut reader = serde_json::Deserializer::from_slice(line);
    let found = reader.deserialize_map(Object { places }).ok()?;
    reader.end().ok()?;
    let [id, text, published, language, source, title, url] =
        found?.map(|value| value.map(|(_, value)| value));
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
    // Anything but a text is not decided here.
    let words = |value: Option<Value>| match value {
        None => Some(None),
        Some(Value::Text(words)) => Some(Some(words)),
        Some(_) => None,
    };
    Some(Record {
        id,
        text: Text::Owned(text),
        published,
        language: words(language)?,
        source: words(source)?,
        title: words(title)?,
        url: words(url)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Names {
        let list = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect();
        Names {
            names: [
                list(&["id", "_id"]),
                list(&["text", "body"]),
                list(&["date"]),
                list(&["lang"]),
                list(&["source"]),
                list(&["title"]),
                list(&["url"]),
            ],
            exact: [false; 7],
        }
    }

    fn read(block: &str) -> Vec<(usize, Line)> {
        let found =
            read_lines(&[block.as_bytes()], &names(), None, &Cancel::default()).expect("read").0;
        found.into_iter().map(|(number, _, line)| (number, written(line, block))).collect()
    }

    /// With its text written down.
    fn written(line: Line, block: &str) -> Line {
        let Line::Record(mut record) = line else { return line };
        if let Some(raw) = record.text.raw(block.as_bytes()) {
            record.text = Text::Owned(raw.to_text().into_owned());
        }
        Line::Record(record)
    }

    fn record(id: Option<&str>, text: &str) -> Line {
        let id = id.map(str::to_owned);
        let text = Text::Owned(text.to_owned());
        let (published, language, source, title, url) = Default::default();
        Line::Record(Record { id, text, published, language, source, title, url })
    }

    #[test]
    fn usual_lines_are_records() {
        let block = concat!(
            "{\"id\": \"a\", \"text\": \"One\\nline \\u00e9.\", \"tags\": [1, {\"x\": null}]}\n",
            "\n  \r\n",
            "{\"text\": \"\", \"Body\": \"B\", \"_id\": 7, \"lang\": null}\r\n",
            "{\"text\": \"T\", \"date\": \"1970-01-01T00:00:01Z\", \"lang\": \"en\", ",
            "\"title\": \"A \\\"title\\\"\", \"url\": \"http://x\"}",
        );
        let dated = Line::Record(Record {
            id: None,
            text: Text::Owned("T".into()),
            published: Some(1_000_000),
            language: Some("en".into()),
            source: None,
            title: Some("A \"title\"".into()),
            url: Some("http://x".into()),
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
            "{\"text\": \"a\", \"title\": 7}",
            "{\"text\": \"a\", \"url\": [\"b\"]}",
            "{\"text\": \"a\", \"text\": \"b\"}",
        ] {
            assert_eq!(read(line), [(0, Line::Other)], "{line}");
        }
        let broken = read_lines(&[b"{\"text\": \"\xff\"}"], &names(), None, &Cancel::default());
        assert_eq!(broken.expect("read").0[0].2, Line::Other);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn quick_reading_is_as_careful_reading(
            parts in prop::collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ":", ",", " ", "\t", "\r", "\"", "\"id\"", "\"text\"", "\"Text\"", "\"body\"",
                "\"date\"", "\"lang\"", "\"title\"", "\"url\"", "\"x\"", "null", "true", "0", "7", "01", "-1", "1.5", "1e3", "12345678901234567890",
                "\"\"", "\"a\"", "\" \"", "\"\\n\"", "\"a\\\"b\\\\\"", "\"é\\u00e9\"", "\"2026-01-02\"", "\"en\"",
                "\"id\":\"a\"", "\"text\":\"b c\"", "\"text\": \"\\tb\"", "\"date\":\"2026-01-02T03:04Z\"", "\"id\" : 12",
            ]), 0..14),
        ) {
            let line = format!("{{{}}}", parts.concat());
            let names = names();
            let quick = read_quickly(line.as_bytes(), &mut Places::new(&names));
            let careful = read_carefully(line.as_bytes(), &mut Places::new(&names));
            if let Some(quick) = quick {
                let expected = careful.map(Line::Record);
                prop_assert_eq!(Some(written(Line::Record(quick), &line)), expected, "{}", line);
            }
        }

        #[test]
        fn usual_objects_are_read_quickly(
            id in "[a-z0-9/ é]{1,8}", text in "[a-z][a-z \"\\\\\n/é长]{0,20}", n in 0_u64..1_000_000,
        ) {
            let line = serde_json::json!({"id": id, "n": n, "text": text, "lang": "en"}).to_string();
            let names = names();
            let quick = read_quickly(line.as_bytes(), &mut Places::new(&names)).expect("usual");
            let expected = read_carefully(line.as_bytes(), &mut Places::new(&names));
            prop_assert_eq!(Some(written(Line::Record(quick), &line)), expected.map(Line::Record));
        }
    }

    #[test]
    fn lines_are_numbered_through_all_blocks() {
        let blocks: [&[u8]; 3] = [b"{\"text\": \"a\"}\n\n", b"", b"{\"text\": \"b\"}\n{"];
        let (found, n) = read_lines(&blocks, &names(), None, &Cancel::default()).expect("read");
        let places: Vec<_> = found.iter().map(|(n, place, _)| (*n, place.block)).collect();
        assert_eq!((places, n), (vec![(0, 0), (2, 2), (3, 2)], 3));
        assert_eq!(&blocks[2][found[2].1.range.clone()], b"{");
    }

    #[test]
    fn only_the_lines_that_are_wanted_are_read() {
        let line = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(10_000));
        let block = line.repeat(40);
        let blocks = [block.as_bytes(), b"", b"\n{\"text\": \"a\"}\n{\"text\": \"b\"}"];
        assert_eq!(count_lines(&blocks), 43);
        assert_eq!((count_lines(&blocks[..2]), count_lines(&[])), (40, 0));
        let cancel = Cancel::default();
        let (all, ended) = read_lines(&blocks, &names(), None, &cancel).expect("read");
        for only in [vec![], vec![0], vec![3, 4, 17, 39, 40, 42], (0..43).collect()] {
            let found = read_lines(&blocks, &names(), Some(&only), &cancel).expect("read");
            let is_wanted = |line: &&NumberedLine| only.contains(&line.0);
            assert!(found.0.iter().eq(all.iter().filter(is_wanted)), "{only:?}");
            assert_eq!(found.1, ended);
        }
    }

    #[test]
    fn large_blocks_are_read_in_pieces() {
        let line = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(10_000));
        let found = read(&line.repeat(40));
        assert_eq!(found.len(), 40);
        assert!(found.iter().enumerate().all(|(n, line)| line.0 == n));
    }
}
