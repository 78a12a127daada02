//! A batch of documents, as columns: what an engine takes.

use std::borrow::Cow;
use std::ops::Range;

use kernel::documents::fields::PARTS;
use kernel::documents::{self, Line, Names, Place, read_lines};
use kernel::ids::Given;
use kernel::text::Source;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

use crate::collection::{DocumentIds, IdSet};
use crate::enter::{ParameterError, enter};

/// A text. Half of a surrogate pair, which no UTF-8 can hold, becomes U+FFFD: the number of code
/// points stays.
pub enum Text {
    Borrowed(PyBackedStr),
    Owned(String),
}

impl Text {
    pub fn new(text: &Bound<'_, PyString>) -> PyResult<Self> {
        if let Ok(text) = PyBackedStr::try_from(text.clone()) {
            return Ok(Self::Borrowed(text));
        }
        let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        let mut bytes: Vec<u8> = encoded.extract()?;
        // A half is three bytes that start like this, and so is U+FFFD.
        for at in 0..bytes.len().saturating_sub(2) {
            if bytes[at] == 0xED && bytes[at + 1] >= 0xA0 {
                bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
            }
        }
        Ok(Self::Owned(String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

/// Where the text of a document is.
enum Content {
    /// Here.
    Text(Text),
    /// In a line of the block with this number, or written down.
    Line(usize, documents::Text),
}

/// A document of a batch.
pub struct Document {
    pub id: String,
    content: Content,
    pub published: Option<i64>,
    pub language: Option<String>,
    pub source: Option<String>,
    pub title: Option<String>,
    url: Option<String>,
}

/// A place for a document: the line it comes from, and the document unless it was dropped.
struct Slot {
    line: usize,
    document: Option<Document>,
}

/// Bytes, and from where to where they hold whole lines.
type Block = (PyBackedBytes, usize, usize);

fn lines_of((bytes, start, end): &Block) -> &[u8] {
    &bytes[*start..*end]
}

fn check_blocks(blocks: &[Block]) -> PyResult<()> {
    if blocks.iter().any(|(bytes, start, end)| start > end || *end > bytes.len()) {
        return Err(ParameterError::new_err("lines must be inside their block"));
    }
    Ok(())
}

type Columns = (
    Vec<String>,
    Vec<String>,
    Vec<Option<String>>,
    Vec<Option<i64>>,
    Vec<Option<String>>,
    Vec<Option<String>>,
);

/// What is known of a document of a line: its slot, id, time, language, source, title, address, and how
/// many bytes its text has there.
type LineRow = (
    usize,
    String,
    Option<i64>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    usize,
);

/// A document that was dropped: its line and id.
type Repeated = (usize, String);

/// How many documents got another id; of the first its line, its id and the other one.
type Renamed = (usize, Option<(usize, String, String)>);

/// A batch of documents.
#[pyclass(module = "twicetold._kernel")]
pub struct Documents {
    slots: Vec<Slot>,
    /// Lines that want a closer look: slot and place in the blocks.
    rest: Vec<(usize, Place)>,
    blocks: Vec<Block>,
    n_lines: usize,
    /// Up to which slot ids are known to be new.
    sealed: usize,
    n_ids: usize,
}

impl Documents {
    fn name(
        &mut self,
        ids: &mut DocumentIds,
        slots: Range<usize>,
        keep: bool,
    ) -> (Vec<Repeated>, Renamed) {
        let (mut repeated, mut renamed) = (Vec::new(), (0, None));
        for slot in &mut self.slots[slots] {
            let Some(document) = &mut slot.document else { continue };
            match ids.0.give(&document.id, keep) {
                Given::Own => {}
                Given::Other(other) => {
                    renamed.0 += 1;
                    let id = std::mem::replace(&mut document.id, other);
                    renamed.1.get_or_insert_with(|| (slot.line, id, document.id.clone()));
                }
                Given::Repeated => {
                    let dropped = slot.document.take().expect("it was there just now");
                    repeated.push((slot.line, dropped.id));
                }
            }
        }
        (repeated, renamed)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.slots.iter().filter_map(|slot| slot.document.as_ref())
    }

    /// The text of one of the documents.
    pub fn source<'t>(&'t self, document: &'t Document) -> Source<'t> {
        match &document.content {
            Content::Text(text) => Source::Text(text.as_str()),
            Content::Line(_, documents::Text::Owned(text)) => Source::Text(text),
            Content::Line(block, text) => {
                let raw = text.raw(lines_of(&self.blocks[*block]));
                Source::Raw(raw.expect("it is in its block"))
            }
        }
    }

    fn text<'t>(&'t self, document: &'t Document) -> Cow<'t, str> {
        match self.source(document) {
            Source::Text(text) => Cow::Borrowed(text),
            Source::Raw(raw) => raw.to_text(),
        }
    }
}

#[pymethods]
impl Documents {
    /// Documents that Python has.
    #[staticmethod]
    #[pyo3(signature = (ids, texts, languages, published, sources = None, titles = None))]
    fn from_columns(
        ids: Vec<Bound<'_, PyString>>,
        texts: Vec<Bound<'_, PyString>>,
        languages: Vec<Option<Bound<'_, PyString>>>,
        published: Vec<Option<i64>>,
        sources: Option<Vec<Option<Bound<'_, PyString>>>>,
        titles: Option<Vec<Option<Bound<'_, PyString>>>>,
    ) -> PyResult<Self> {
        let n = ids.len();
        let [sources, titles] =
            [sources, titles].map(|column| column.unwrap_or_else(|| vec![None; n]));
        let lengths = [texts.len(), languages.len(), published.len(), sources.len(), titles.len()];
        if lengths.iter().any(|&length| length != n) {
            return Err(ParameterError::new_err("columns of documents differ in length"));
        }
        let mut slots = Vec::with_capacity(n);
        for (at, published) in published.into_iter().enumerate() {
            let [language, source, title] =
                [&languages, &sources, &titles].map(|column| column[at].as_ref());
            let document = document(&ids[at], &texts[at], language, published, source, title)?;
            slots.push(Slot { line: 0, document: Some(document) });
        }
        Ok(Self { slots, rest: Vec::new(), blocks: Vec::new(), n_lines: 0, sealed: n, n_ids: n })
    }

    /// The documents of blocks of JSON Lines, the first of which has the number `line`. A block comes
    /// with where its lines start and end; all but the last end where a line ends. `names` are the
    /// keys to look for as id, text, published, language, source, title and address, each with
    /// whether upper and lower case matter. A document without an id is called `label:line`. With
    /// `only`, ascending numbers of lines from 0, the others are passed over.
    #[staticmethod]
    #[pyo3(signature = (blocks, line, label, names, *, only = None, threads = 0))]
    fn from_json_lines(
        py: Python<'_>,
        blocks: Vec<Block>,
        line: usize,
        label: &str,
        names: [(Vec<String>, bool); PARTS],
        only: Option<Vec<usize>>,
        threads: usize,
    ) -> PyResult<Self> {
        check_blocks(&blocks)?;
        let exact = std::array::from_fn(|part| names[part].1);
        let names = Names { names: names.map(|(names, _)| names), exact };
        let (found, n_lines) = enter(py, threads, |cancel| {
            let blocks: Vec<&[u8]> = blocks.iter().map(lines_of).collect();
            read_lines(&blocks, &names, only.as_deref(), cancel)
        })?;
        let mut slots = Vec::with_capacity(found.len());
        let mut rest = Vec::new();
        let mut n_ids = 0;
        for (n, place, found) in found {
            let line = line + n;
            n_ids += usize::from(matches!(&found, Line::Record(record) if record.id.is_some()));
            let document = match found {
                Line::Record(record) => Some(Document {
                    id: record.id.unwrap_or_else(|| format!("{label}:{line}")),
                    content: Content::Line(place.block, record.text),
                    published: record.published,
                    language: record.language,
                    source: record.source,
                    title: record.title,
                    url: record.url,
                }),
                Line::Other => {
                    rest.push((slots.len(), place));
                    None
                }
            };
            slots.push(Slot { line, document });
        }
        Ok(Self { slots, rest, blocks, n_lines, sealed: 0, n_ids })
    }

    /// The lines that want a closer look: number of the slot, number of the line, content.
    fn rest<'py>(&self, py: Python<'py>) -> Vec<(usize, usize, Bound<'py, PyBytes>)> {
        let row = |(slot, place): &(usize, Place)| {
            let line = &lines_of(&self.blocks[place.block])[place.range.clone()];
            (*slot, self.slots[*slot].line, PyBytes::new(py, line))
        };
        self.rest.iter().map(row).collect()
    }

    /// Put a document into a slot.
    #[pyo3(signature = (slot, id, text, language, published, source = None, title = None))]
    #[expect(clippy::too_many_arguments, reason = "the parts of a document")]
    fn put(
        &mut self,
        slot: usize,
        id: &Bound<'_, PyString>,
        text: &Bound<'_, PyString>,
        language: Option<&Bound<'_, PyString>>,
        published: Option<i64>,
        source: Option<&Bound<'_, PyString>>,
        title: Option<&Bound<'_, PyString>>,
    ) -> PyResult<()> {
        let n = self.slots.len();
        let Some(slot) = self.slots.get_mut(slot) else {
            return Err(ParameterError::new_err(format!("no slot {slot}, there are {n}")));
        };
        slot.document = Some(document(id, text, language, published, source, title)?);
        Ok(())
    }

    /// Give documents before the slot `until` their ids, and drop those whose id came before in their
    /// file. Returns the lines and ids of these, and how many got another id, with the line, the id
    /// and the other one of the first.
    #[pyo3(signature = (ids, until = None))]
    fn seal(&mut self, ids: &mut DocumentIds, until: Option<usize>) -> (Vec<Repeated>, Renamed) {
        let until = until.unwrap_or(self.slots.len()).min(self.slots.len());
        let found = self.name(ids, self.sealed.min(until)..until, false);
        self.sealed = self.sealed.max(until);
        if self.sealed == self.slots.len() {
            self.rest.clear();
        }
        found
    }

    /// The same for all documents that are there; none is dropped.
    fn named(&mut self, ids: &mut DocumentIds) -> Renamed {
        self.name(ids, 0..self.slots.len(), true).1
    }

    /// How many documents of lines have an id of their own.
    #[getter]
    fn n_ids(&self) -> usize {
        self.n_ids
    }

    /// Add the ids to a set.
    fn register(&self, ids: &mut IdSet) {
        self.iter().for_each(|document| _ = ids.0.add(&document.id));
    }

    /// Put a prefix before each id that is taken, as often as it takes until the id is in neither set,
    /// and add all ids to those of these documents. Returns the ids that were taken.
    fn tell_apart(
        &mut self,
        taken: &IdSet,
        own: &mut IdSet,
        prefix: &str,
    ) -> PyResult<Vec<String>> {
        if prefix.is_empty() {
            return Err(ParameterError::new_err("a prefix must not be empty"));
        }
        let mut changed = Vec::new();
        for document in self.slots.iter_mut().filter_map(|slot| slot.document.as_mut()) {
            let before = changed.len();
            while taken.0.has(&document.id) || own.0.has(&document.id) {
                if changed.len() == before {
                    changed.push(document.id.clone());
                }
                document.id.insert_str(0, prefix);
            }
            own.0.add(&document.id);
        }
        Ok(changed)
    }

    /// Ids, texts, languages, times, sources and titles, as `from_columns` takes them.
    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        for document in self.iter() {
            columns.0.push(document.id.clone());
            columns.1.push(self.text(document).into_owned());
            columns.2.push(document.language.clone());
            columns.3.push(document.published);
            columns.4.push(document.source.clone());
            columns.5.push(document.title.clone());
        }
        columns
    }

    /// The documents that were read from lines here, but for their texts.
    fn lines(&self) -> Vec<LineRow> {
        let mut rows = Vec::with_capacity(self.slots.len());
        for (n, slot) in self.slots.iter().enumerate() {
            let Some(document) = &slot.document else { continue };
            let Document { id, published, language, source, title, url, .. } = document;
            let size = match self.source(document) {
                Source::Text(text) => text.len(),
                Source::Raw(raw) => raw.bytes.len(),
            };
            let [language, source, title, url] = [language, source, title, url].map(Clone::clone);
            rows.push((n, id.clone(), *published, language, source, title, url, size));
        }
        rows
    }

    /// Write texts down and let go of the lines, if these hold much that nobody wants: for who keeps
    /// documents longer than it takes to read them.
    fn slimmed(&mut self) {
        let all: usize = self.blocks.iter().map(|(_, start, end)| end - start).sum();
        let size = |document: &Document| match self.source(document) {
            Source::Text(text) => text.len(),
            Source::Raw(raw) => raw.bytes.len(),
        };
        if self.iter().map(size).sum::<usize>() >= all / 2 {
            return;
        }
        let texts: Vec<Option<String>> = self
            .slots
            .iter()
            .map(|slot| slot.document.as_ref().map(|document| self.text(document).into_owned()))
            .collect();
        for (slot, text) in self.slots.iter_mut().zip(texts) {
            if let (Some(document), Some(text)) = (&mut slot.document, text) {
                document.content = Content::Text(Text::Owned(text));
            }
        }
        self.rest.clear();
        self.blocks.clear();
    }

    /// The text of the document in a slot.
    fn text_of(&self, slot: usize) -> PyResult<Cow<'_, str>> {
        let document = self.slots.get(slot).and_then(|slot| slot.document.as_ref());
        let Some(document) = document else {
            return Err(ParameterError::new_err(format!("no document in slot {slot}")));
        };
        Ok(self.text(document))
    }

    /// Documents of several batches, by their slots, in this order. Texts of lines stay where they are.
    #[staticmethod]
    fn gathered(py: Python<'_>, parts: Vec<(PyRef<'_, Self>, Vec<usize>)>) -> PyResult<Self> {
        let (mut slots, mut blocks) = (Vec::new(), Vec::new());
        for (batch, wanted) in &parts {
            let first = blocks.len();
            let held = batch.blocks.iter();
            blocks.extend(held.map(|(bytes, start, end)| (bytes.clone_ref(py), *start, *end)));
            for &slot in wanted {
                let found = batch.slots.get(slot).and_then(|slot| slot.document.as_ref());
                let Some(document) = found else {
                    let message = format!("no document in slot {slot}");
                    return Err(ParameterError::new_err(message));
                };
                let content = match &document.content {
                    Content::Line(block, text) => Content::Line(first + block, text.clone()),
                    Content::Text(Text::Owned(text)) => Content::Text(Text::Owned(text.clone())),
                    Content::Text(Text::Borrowed(text)) => {
                        Content::Text(Text::Borrowed(text.clone_ref(py)))
                    }
                };
                let document = Document {
                    id: document.id.clone(),
                    content,
                    published: document.published,
                    language: document.language.clone(),
                    source: document.source.clone(),
                    title: document.title.clone(),
                    url: document.url.clone(),
                };
                slots.push(Slot { line: 0, document: Some(document) });
            }
        }
        let sealed = slots.len();
        Ok(Self { slots, rest: Vec::new(), blocks, n_lines: 0, sealed, n_ids: sealed })
    }

    /// All texts in UTF-8, one behind the other, and where each starts and how long it is: two numbers
    /// of 8 bytes.
    fn contents<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let (texts, places) = enter(py, 1, |cancel| {
            let (mut texts, mut places, mut room) = (String::new(), Vec::new(), String::new());
            for document in self.iter() {
                cancel.check()?;
                let text = match self.source(document) {
                    Source::Text(text) => text,
                    Source::Raw(raw) => raw.read(&mut room),
                };
                places.extend((texts.len() as u64).to_ne_bytes());
                places.extend((text.len() as u64).to_ne_bytes());
                texts.push_str(text);
            }
            Ok((texts, places))
        })?;
        Ok((PyBytes::new(py, texts.as_bytes()), PyBytes::new(py, &places)))
    }

    /// How many lines the blocks had.
    #[getter]
    fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// The last line that is not blank.
    #[getter]
    fn last_line(&self) -> Option<usize> {
        self.slots.last().map(|slot| slot.line)
    }

    /// How many documents have no date.
    #[getter]
    fn undated(&self) -> usize {
        self.iter().filter(|document| document.published.is_none()).count()
    }

    fn __len__(&self) -> usize {
        self.iter().count()
    }
}

/// How many lines blocks have, with one that has no end yet.
#[pyfunction]
pub fn count_lines(py: Python<'_>, blocks: Vec<Block>) -> PyResult<usize> {
    check_blocks(&blocks)?;
    enter(py, 1, |_| Ok(documents::count_lines(&blocks.iter().map(lines_of).collect::<Vec<_>>())))
}

fn document(
    id: &Bound<'_, PyString>,
    text: &Bound<'_, PyString>,
    language: Option<&Bound<'_, PyString>>,
    published: Option<i64>,
    source: Option<&Bound<'_, PyString>>,
    title: Option<&Bound<'_, PyString>>,
) -> PyResult<Document> {
    let owned = |text: &Bound<'_, PyString>| Text::new(text).map(|text| text.as_str().to_owned());
    Ok(Document {
        id: Text::new(id)?.as_str().to_owned(),
        content: Content::Text(Text::new(text)?),
        published,
        language: language.map(owned).transpose()?,
        source: source.map(owned).transpose()?,
        title: title.map(owned).transpose()?,
        url: None,
    })
}
