//! Pairs as lines of JSON, to the byte what `Pair.to_json` makes of them in Python.
//!
//! A large scan has hundreds of thousands of passages: as objects of Python they take longer to make
//! than to find.

use std::ops::Range;

use rayon::prelude::*;

use crate::align::Kind;
use crate::cancel::Cancel;
use crate::error::Result;

/// Pairs that a thread writes in one go.
const PART: usize = 512;

/// A pair, as far as it is not in columns.
pub struct Line<'p> {
    /// The ids of both documents.
    pub ids: [&'p str; 2],
    /// The name of the relation.
    pub relation: &'p str,
    /// Left in right, right in left, resemblance, odds.
    pub scores: [f64; 4],
    /// The probabilities that left is told in right, right in left, and that text was taken.
    pub probabilities: Option<[f64; 3]>,
    /// Which side is known to be earlier.
    pub earlier: Option<Side>,
}

/// A side of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Side {
    /// The first document.
    Left,
    /// The second one.
    Right,
}

impl Side {
    /// Both of them, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// What may stand beside pairs, by their numbers.
#[derive(Debug, Default)]
pub struct Beside {
    /// How much of left's content right has, and the reverse.
    pub content: Option<[Vec<f64>; 2]>,
    /// The passages.
    pub passages: Option<Passages>,
}

/// The passages of all pairs, as columns.
#[derive(Debug, Default)]
pub struct Passages {
    /// Where those of each pair end.
    pub ends: Vec<u32>,
    /// From where to where in left, and in right.
    pub spans: Vec<[u32; 4]>,
    /// How well they match.
    pub scores: Vec<f64>,
    /// The numbers of their types ([`Kind::ALL`]).
    pub types: Vec<u8>,
}

impl Passages {
    fn of(&self, pair: usize) -> Range<usize> {
        let start = if pair == 0 { 0 } else { self.ends[pair - 1] };
        start as usize..self.ends[pair] as usize
    }

    /// Whether there is one of each for every passage, and passages for `pairs` pairs.
    pub fn are_whole(&self, pairs: usize) -> bool {
        let n = self.ends.last().map_or(0, |&end| end as usize);
        self.ends.len() == pairs
            && self.ends.is_sorted()
            && [self.spans.len(), self.scores.len(), self.types.len()] == [n; 3]
            && self.types.iter().all(|&kind| usize::from(kind) < Kind::ALL.len())
    }
}

/// The lines of some pairs; `line` gives one by its number.
pub fn lines<'p>(
    pairs: Range<usize>,
    line: impl Fn(usize) -> Line<'p> + Sync,
    beside: &Beside,
    cancel: &Cancel,
) -> Result<Vec<u8>> {
    let parts: Vec<Range<usize>> =
        pairs.clone().step_by(PART).map(|start| start..pairs.end.min(start + PART)).collect();
    let written = parts
        .into_par_iter()
        .map(|part| {
            let mut out = Vec::new();
            for at in part {
                cancel.check()?;
                write(&mut out, at, &line(at), beside);
            }
            Ok(out)
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(written.concat())
}

fn write(out: &mut Vec<u8>, at: usize, line: &Line<'_>, beside: &Beside) {
    let [there, back, resemblance, odds] = line.scores;
    out.extend_from_slice(b"{\"left\":");
    text(out, line.ids[0]);
    out.extend_from_slice(b",\"right\":");
    text(out, line.ids[1]);
    out.extend_from_slice(b",\"relation\":");
    text(out, line.relation);
    number(out, ",\"left_in_right\":", there);
    number(out, ",\"right_in_left\":", back);
    if let Some([mine, theirs]) = &beside.content {
        number(out, ",\"left_content_in_right\":", mine[at]);
        number(out, ",\"right_content_in_left\":", theirs[at]);
    }
    number(out, ",\"resemblance\":", resemblance);
    number(out, ",\"odds\":", odds);
    number(out, ",\"score\":", if back > there { back } else { there });
    out.extend_from_slice(b",\"earlier\":");
    match line.earlier {
        Some(side) => text(out, side.name()),
        None => out.extend_from_slice(b"null"),
    }
    if let Some([left, right, taken]) = line.probabilities {
        number(out, ",\"probability\":", left.max(right));
        number(out, ",\"left_in_right_probability\":", left);
        number(out, ",\"right_in_left_probability\":", right);
        number(out, ",\"taken\":", taken);
    }
    out.extend_from_slice(b",\"passages\":[");
    if let Some(passages) = &beside.passages {
        let all = passages.of(at);
        for n in all.clone() {
            let before = if n == all.start { "{\"left\":[" } else { ",{\"left\":[" };
            let [from, to, right_from, right_to] = passages.spans[n];
            whole(out, before, from);
            whole(out, ",", to);
            whole(out, "],\"right\":[", right_from);
            whole(out, ",", right_to);
            number(out, "],\"score\":", passages.scores[n]);
            out.extend_from_slice(b",\"type\":");
            text(out, Kind::ALL[usize::from(passages.types[n])].name());
            out.push(b'}');
        }
    }
    out.extend_from_slice(b"]}\n");
}

fn text(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("memory takes what is written to it");
}

/// A number behind what comes before it; what is none is `null`.
fn number(out: &mut Vec<u8>, before: &str, number: f64) {
    out.extend_from_slice(before.as_bytes());
    serde_json::to_writer(out, &number).expect("memory takes what is written to it");
}

fn whole(out: &mut Vec<u8>, before: &str, number: u32) {
    out.extend_from_slice(before.as_bytes());
    serde_json::to_writer(out, &number).expect("memory takes what is written to it");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_order_and_have_what_stands_beside_them() {
        let line = |at| Line {
            ids: ["a\"", "é"],
            relation: "overlap",
            scores: [0.25, 1.0, 0.5, 2.0],
            probabilities: None,
            earlier: [None, Some(Side::Left)][at],
        };
        let passages = Passages {
            ends: vec![0, 2],
            spans: vec![[0, 1, 2, 3], [4, 5, 6, 7]],
            scores: vec![1.0, 0.5],
            types: vec![0, 3],
        };
        assert!(passages.are_whole(2) && !passages.are_whole(1));
        let content = Some([vec![0.0, 0.5], vec![1.0, f64::NAN]]);
        let beside = Beside { content, passages: Some(passages) };
        let found = lines(1..2, line, &beside, &Cancel::default()).expect("not cancelled");
        let expected = concat!(
            r#"{"left":"a\"","right":"é","relation":"overlap","left_in_right":0.25,"#,
            r#""right_in_left":1.0,"left_content_in_right":0.5,"right_content_in_left":null,"#,
            r#""resemblance":0.5,"odds":2.0,"score":1.0,"earlier":"left","passages":["#,
            r#"{"left":[0,1],"right":[2,3],"score":1.0,"type":"verbatim"},"#,
            r#"{"left":[4,5],"right":[6,7],"score":0.5,"type":"quoted"}]}"#,
            "\n",
        );
        assert_eq!(String::from_utf8(found).expect("text"), expected);
        let many = lines(0..2, line, &beside, &Cancel::default()).expect("not cancelled");
        assert!(many.ends_with(expected.as_bytes()) && many.len() > expected.len());
    }

    #[test]
    fn it_stops_when_asked() {
        let cancel = Cancel::default();
        cancel.cancel();
        let line = |_| Line {
            ids: ["a", "b"],
            relation: "overlap",
            scores: [0.0; 4],
            probabilities: None,
            earlier: None,
        };
        assert!(lines(0..1, line, &Beside::default(), &cancel).is_err());
    }
}
