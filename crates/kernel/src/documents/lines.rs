//! Blocks of JSON Lines to records.

use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr_iter};
use rayon::prelude::*;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::dates::microseconds;
use super::fields::{Names, PARTS, Places};
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
pub type NumberedLine = (usize, Range<usize>, Line);

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
}

/// The lines of a block that are not blank, and how many lines there are.
pub fn read_lines(
    block: &[u8],
    names: &Names,
    cancel: &Cancel,
) -> Result<(Vec<NumberedLine>, usize)> {
    let pieces = pieces(block);
    let mut first = 0;
    let mut numbered = Vec::with_capacity(pieces.len());
    for piece in pieces {
        numbered.push((first, piece.clone()));
        first += memchr_iter(b'\n', &block[piece]).count();
    }
    let parts = numbered
        .into_par_iter()
        .map(|(first, piece)| {
            let mut places = Places::new(names);
            let (mut found, mut number, mut at) = (Vec::new(), first, piece.start);
            while at < piece.end {
                cancel.check()?;
                let end = memchr(b'\n', &block[at..piece.end]).map_or(piece.end, |n| at + n);
                let line = &block[at..end];
                if !line.trim_ascii().is_empty() {
                    let record = read_line(line, &mut places);
                    found.push((number, at..end, record.map_or(Line::Other, Line::Record)));
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
    let [id, text, published, language] = found?.map(|value| value.map(|(_, value)| value));
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
    Some(Record { id, text, published, language })
}

/// The value of a key that matters.
enum Value {
    Text(String),
    Number(String),
    /// `null` or an empty text: as if it were not there.
    Nothing,
    Strange,
}

/// The best value for each part so far, and how far down the list of names its key stands.
type Found = [Option<(u8, Value)>; PARTS];

/// Reads an object; `None` where two keys claim the same name.
struct Object<'p, 'n> {
    places: &'p mut Places<'n>,
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = Option<Found>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Option<Found>, A::Error> {
        let mut found: Found = Default::default();
        let mut seen = [0_u64; PARTS];
        let mut is_clear = true;
        while let Some(place) = map.next_key_seed(Key { places: self.places })? {
            let Some((part, at)) = place else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value_seed(AnyValue)?;
            let slot = usize::from(part);
            let bit = 1_u64.checked_shl(u32::from(at)).unwrap_or(0);
            is_clear &= bit != 0 && seen[slot] & bit == 0;
            seen[slot] |= bit;
            let is_better = found[slot].as_ref().is_none_or(|(best, _)| at < *best);
            if is_better && !matches!(value, Value::Nothing) {
                found[slot] = Some((at, value));
            }
        }
        Ok(is_clear.then_some(found))
    }
}

struct Key<'p, 'n> {
    places: &'p mut Places<'n>,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = Option<super::fields::Place>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        reader: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = Option<super::fields::Place>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> std::result::Result<Self::Value, E> {
        Ok(self.places.of(key))
    }
}

struct AnyValue;

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> std::result::Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(if text.is_empty() { Value::Nothing } else { Value::Text(text.to_owned()) })
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Value, E> {
        Ok(Value::Strange)
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Value, E> {
        Ok(Value::Strange)
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(
        self,
        mut seq: A,
    ) -> std::result::Result<Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Strange)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Strange)
    }
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
            ],
            exact: [false; PARTS],
        }
    }

    fn read(block: &str) -> Vec<(usize, Line)> {
        let found = read_lines(block.as_bytes(), &names(), &Cancel::default()).expect("read").0;
        found.into_iter().map(|(number, _, line)| (number, line)).collect()
    }

    fn record(id: Option<&str>, text: &str) -> Line {
        let id = id.map(str::to_owned);
        Line::Record(Record { id, text: text.to_owned(), published: None, language: None })
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
        let broken = read_lines(b"{\"text\": \"\xff\"}", &names(), &Cancel::default());
        assert_eq!(broken.expect("read").0[0].2, Line::Other);
    }

    #[test]
    fn large_blocks_are_read_in_pieces() {
        let line = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(10_000));
        let found = read(&line.repeat(40));
        assert_eq!(found.len(), 40);
        assert!(found.iter().enumerate().all(|(n, line)| line.0 == n));
    }
}
