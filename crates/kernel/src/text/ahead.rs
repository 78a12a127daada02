//! Sentences that were found before anybody asked for them.
//!
//! While Python starts, one core has nothing to do. It splits the texts of the files that are going
//! to be read, as far as it comes. What it found is known by the bytes of a text, so that nothing
//! depends on how far that is, nor on what the texts turn out to be part of.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;

use memchr::{memchr, memchr_iter};
use rustc_hash::FxBuildHasher;

use super::analyse::Source;
use super::detect::detect;
use super::language::Language;
use super::sentences::Sentences;
use crate::cancel::Cancel;
use crate::documents::Raw;
use crate::documents::strings::end_of;
use crate::hash;

/// Bytes of a file that are read at a time, and the longest line that is looked at.
const BLOCK: usize = 1 << 20;

/// As much text is split at most: the analysis may have to wait for another source.
const MOST: usize = 64 << 20;

/// What is found of a text without knowing what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Its language.
    pub language: Language,
    /// Whether its words told that, not its line.
    is_detected: bool,
    /// What stands for it.
    pub hash: u128,
    /// How many code points it has.
    pub characters: usize,
    /// Which of all sentences are its own.
    sentences: Range<usize>,
}

/// Texts that were split.
#[derive(Debug, Default)]
pub struct Ahead {
    /// What was found, by what stands for the bytes of a text in its line.
    texts: HashMap<u128, Seen, FxBuildHasher>,
    sentences: Vec<(u32, u32)>,
}

impl Ahead {
    /// Split the texts of files of JSON Lines until somebody wants it to stop. What cannot be read is
    /// left to whoever reads it for its own sake.
    pub fn read(paths: &[PathBuf], stop: &Cancel) -> Self {
        let mut found = Self::default();
        let mut work = Work::default();
        let mut bytes = 0;
        for path in paths.iter().filter(|path| path.is_file()) {
            let Ok(file) = File::open(path) else { continue };
            // An error is met again by who reads the file.
            let _ = each_line(file, |line| {
                bytes += line.len();
                bytes <= MOST && stop.check().is_ok() && found.add(line, &mut work, stop).is_some()
            });
        }
        found
    }

    /// What was found of a text, if it is in this language or its language is not known.
    pub(super) fn find(
        &self,
        text: Source<'_>,
        language: Option<Language>,
    ) -> Option<(&Seen, &[(u32, u32)])> {
        let Source::Raw(raw) = text else { return None };
        if self.texts.is_empty() {
            return None;
        }
        let seen = self.texts.get(&hash::whole(raw.bytes))?;
        let is_same = language.map_or(seen.is_detected, |language| language == seen.language);
        is_same.then(|| (seen, &self.sentences[seen.sentences.clone()]))
    }

    /// Split the text of a line, which is its longest string; `None` if it was to stop.
    fn add(&mut self, line: &[u8], work: &mut Work, stop: &Cancel) -> Option<()> {
        let Some((raw, told)) = longest_string(line) else { return Some(()) };
        let Entry::Vacant(place) = self.texts.entry(hash::whole(raw.bytes)) else {
            return Some(());
        };
        let text = raw.read(&mut work.room);
        // Finding out takes a third of the time that splitting does.
        let language = told.map_or_else(|| detect(text), Language::from_code);
        let start = self.sentences.len();
        let keep = |start: usize, end: usize| self.sentences.push((start as u32, end as u32));
        work.splitter.split(text, language, stop, keep).ok()?;
        place.insert(Seen {
            language,
            is_detected: told.is_none(),
            hash: hash::whole(text.as_bytes()),
            characters: text.chars().count(),
            sentences: start..self.sentences.len(),
        });
        Some(())
    }
}

/// What is used again for each text.
#[derive(Default)]
struct Work {
    splitter: Sentences,
    room: String,
}

/// Call `look` with each line until it says no; ends at a line that is longer than `BLOCK`.
fn each_line(mut file: File, mut look: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut block = Vec::with_capacity(2 * BLOCK);
    loop {
        let held = block.len();
        file.by_ref().take(BLOCK as u64).read_to_end(&mut block)?;
        let is_last = block.len() == held;
        let mut start = 0;
        for end in memchr_iter(b'\n', &block) {
            if !look(&block[start..end]) {
                return Ok(());
            }
            start = end + 1;
        }
        if is_last {
            look(&block[start..]);
            return Ok(());
        }
        block.drain(..start);
        if block.len() >= BLOCK {
            return Ok(());
        }
    }
}

/// What the language of a text is called in most collections.
const LANGUAGE: [&[u8]; 2] = [b"language", b"lang"];

/// The longest string of a line of JSON, if it can be left where it stands, and the language that the
/// line tells, if it does. Whoever knows better does not take what was found with another one.
fn longest_string(line: &[u8]) -> Option<(Raw<'_>, Option<&str>)> {
    let (mut at, mut best) = (0, Raw { bytes: &[], has_escapes: false });
    let (mut language, mut is_language) = (None, false);
    while let Some(found) = memchr(b'"', &line[at..]) {
        let start = at + found + 1;
        let (end, has_escapes) = end_of(line, start)?;
        let bytes = &line[start..end];
        // What has no string for it does not tell it.
        if is_language && line[at..start - 1].trim_ascii() == b":" && !bytes.is_empty() {
            language = std::str::from_utf8(bytes).ok();
        }
        is_language = LANGUAGE.contains(&bytes);
        if bytes.len() > best.bytes.len() {
            best = Raw { bytes, has_escapes };
        }
        at = end + 1;
    }
    let is_text = !best.bytes.is_empty() && std::str::from_utf8(best.bytes).is_ok();
    is_text.then_some((best, language))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::text::sentences::sentences;
    use crate::text::{Analyser, Profile};

    fn read(content: &[u8], name: &str) -> Ahead {
        let path = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
        fs::write(&path, content).expect("a temporary file");
        let found = Ahead::read(std::slice::from_ref(&path), &Cancel::default());
        fs::remove_file(path).expect("it is there");
        found
    }

    fn raw(text: &str) -> Source<'_> {
        Source::Raw(Raw { bytes: text.as_bytes(), has_escapes: text.contains('\\') })
    }

    #[test]
    fn what_is_found_is_what_would_be_found() {
        let texts =
            ["Cats ran home. The dogs did not!", "Köpek de o eve gitti.\\nBu çok güzel.", ""];
        let lines = texts.map(|text| format!("{{\"text\": \"{text}\", \"id\": \"x\"}}\n"));
        let ahead = read(lines.concat().as_bytes(), "found");
        let mut room = String::new();
        for text in &texts[..2] {
            let (seen, found) = ahead.find(raw(text), None).expect("it was split");
            let text = raw(text).read(&mut room);
            let mut expected = Vec::new();
            let emit = |start: usize, end: usize| expected.push((start as u32, end as u32));
            sentences(text, detect(text), &Cancel::default(), emit).expect("not cancelled");
            assert_eq!(found, expected);
            assert_eq!((seen.language, seen.characters), (detect(text), text.chars().count()));
            assert_eq!(seen.hash, hash::whole(text.as_bytes()));
        }
        assert!(ahead.find(raw("Cats ran home."), None).is_none());
    }

    #[test]
    fn an_analysis_is_the_same_with_it() {
        let first = r#"Mr. Smith said \"no.\" He left.\n\nThen, on 3 May, it rained!"#;
        let texts = [first, "Other. Words."];
        let ahead = read(format!("{{\"body\": \"{}\"}}\n", texts[0]).as_bytes(), "analysis");
        assert_eq!(ahead.texts.len(), 1);
        let sources = texts.map(raw);
        for language in [None, Some(Language::from_code("en")), Some(Language::from_code("fr"))] {
            let [with, without] = [Some(&ahead), None].map(|ahead| {
                let analyser = Analyser::new(Profile::default());
                let found = analyser.analyse_sources(
                    &sources,
                    &[language; 2],
                    true,
                    ahead,
                    &Cancel::default(),
                );
                let found = found.expect("not cancelled");
                format!("{:?} {:?} {:?}", found.spans, found.text_hashes, found.languages)
            });
            assert_eq!(with, without);
        }
    }

    #[test]
    fn another_language_is_not_what_was_found() {
        let ahead = read(b"{\"text\": \"The cats of the house ran to the dogs.\"}", "language");
        let text = raw("The cats of the house ran to the dogs.");
        assert!(ahead.find(text, Some(Language::from_code("en"))).is_some());
        assert!(ahead.find(text, Some(Language::from_code("tr"))).is_none());
    }

    #[test]
    fn a_line_may_tell_its_language() {
        let text = "The cats of the house ran to the dogs.";
        let [ahead, untold] = ["\"fr\"", "null"].map(|told| {
            let line = format!("{{\"lang\" : {told}, \"text\": \"{text}\", \"language\": \"\"}}");
            read(line.as_bytes(), "told")
        });
        assert_eq!(untold.find(raw(text), None).map(|found| found.0.language), Some(detect(text)));
        // It was not detected, so that it says nothing to whom nothing was told.
        assert!(ahead.find(raw(text), None).is_none());
        assert!(ahead.find(raw(text), Some(Language::from_code("en"))).is_none());
        let (seen, _) = ahead.find(raw(text), Some(Language::from_code("fr"))).expect("split");
        assert_eq!(seen.language, Language::from_code("fr"));
    }

    #[test]
    fn anything_can_be_in_a_file() {
        let long = vec![b'x'; 3 * BLOCK];
        let contents: [&[u8]; 6] =
            [b"", b"\n\n", b"{\"text\": \"\\u00e9", b"\"\xff\xfe\"\n\"\\", b"\"\"", &long];
        for (n, content) in contents.iter().enumerate() {
            let ahead = read(content, &format!("any-{n}"));
            assert!(ahead.sentences.is_empty());
        }
        let missing = Ahead::read(&["no such file".into()], &Cancel::default());
        assert!(missing.texts.is_empty());
    }

    #[test]
    fn lines_may_lie_across_blocks() {
        let text = "A sentence of a few words. ".repeat(500);
        let lines: String = (0..300).map(|n| format!("{{\"text\": \"{n} {text}\"}}\n")).collect();
        let ahead = read(lines.as_bytes(), "blocks");
        assert_eq!(ahead.texts.len(), 300);
    }

    #[test]
    fn it_stops_when_asked() {
        let path = std::env::temp_dir().join(format!("{}-stop", std::process::id()));
        fs::write(&path, "\"A text.\"\n").expect("a temporary file");
        let stop = Cancel::default();
        stop.cancel();
        assert!(Ahead::read(std::slice::from_ref(&path), &stop).texts.is_empty());
        fs::remove_file(path).expect("it is there");
    }
}
