//! Web pages: the visible text, what a page says of itself, the semantic hierarchy.

use kernel::html::{self, Role};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::columns::to_bytes;
use crate::documents::Text;
use crate::enter::enter;

/// A page that was read.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Page(html::Page);

type NodeRow = (u32, &'static str, (u32, u32), String, Vec<u32>);

#[pymethods]
impl Page {
    /// The visible text.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.about.title.as_deref()
    }

    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.about.language.as_deref()
    }

    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.0.about.canonical.as_deref()
    }

    /// Keys and contents of meta tags, in the order of the page.
    #[getter]
    fn meta(&self) -> Vec<(String, String)> {
        self.0.about.meta.clone()
    }

    /// Dates in linked data and in `time` elements, the most telling first.
    #[getter]
    fn dates(&self) -> Vec<String> {
        let about = &self.0.about;
        std::iter::once(&about.linked_date).chain(&about.times).flatten().cloned().collect()
    }

    /// Too wild for a parser that builds a tree.
    #[getter]
    fn is_wild(&self) -> bool {
        self.0.is_wild
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.0.nodes.len()
    }

    /// The hierarchy in document order: parent, role, span of the own text, tag path, and of cells
    /// the headers of their column.
    fn nodes(&self) -> Vec<NodeRow> {
        let paths = self.0.paths();
        let row = |(node, path): (&html::Node, String)| {
            let span = (node.run.start, node.run.end);
            (node.parent, Role::NAMES[node.role as usize], span, path, node.headers.clone())
        };
        self.0.nodes.iter().zip(paths).map(row).collect()
    }

    /// What stands for the headline, 0 if there is none.
    #[getter]
    fn headline(&self) -> u64 {
        self.0.headline()
    }

    /// Nodes with text of their own, as columns: start and end of each, what stands for its text,
    /// for its place, for its text in its place, and for its text behind a label.
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyBytes>; 5]> {
        let mut spans = Vec::new();
        let mut columns = [const { Vec::new() }; 4];
        for (node, marks) in self.0.nodes.iter().zip(self.0.marks()) {
            if marks[0] != 0 {
                spans.extend([node.run.start, node.run.end]);
                columns.iter_mut().zip(marks).for_each(|(column, mark)| column.push(mark));
            }
        }
        let [marks, places, placed, told] = columns.map(|column| to_bytes(py, &column));
        Ok([to_bytes(py, &spans)?, marks?, places?, placed?, told?])
    }
}

/// Read pages.
#[pyfunction]
#[pyo3(signature = (pages, *, threads = 0))]
pub fn read_pages(
    py: Python<'_>,
    pages: Vec<Bound<'_, PyString>>,
    threads: usize,
) -> PyResult<Vec<Page>> {
    let pages = pages.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
    enter(py, threads, |cancel| {
        let pages: Vec<&str> = pages.iter().map(Text::as_str).collect();
        html::read_all(&pages, cancel)
    })
    .map(|pages| pages.into_iter().map(Page).collect())
}
