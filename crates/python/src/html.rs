//! Web pages: the visible text, what a page says of itself, the semantic hierarchy.

use std::sync::OnceLock;

use kernel::html::{self, Role};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::columns::to_bytes;
use crate::documents::Text;
use crate::enter::enter;

/// A page that was read, and what else is asked of pages, made when it is or together with them.
#[pyclass(frozen, module = "twicetold._kernel")]
pub struct Page {
    page: html::Page,
    marks: OnceLock<(u64, Vec<[u64; 4]>)>,
    paths: OnceLock<Vec<String>>,
}

impl Page {
    /// What stands for the headline, and for each node.
    fn marks(&self) -> &(u64, Vec<[u64; 4]>) {
        self.marks.get_or_init(|| (self.page.headline(), self.page.marks()))
    }

    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| self.page.paths())
    }
}

type NodeRow = (u32, &'static str, (u32, u32), String, Vec<u32>);

#[pymethods]
impl Page {
    /// The visible text.
    #[getter]
    fn text(&self) -> &str {
        &self.page.text
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.page.about.title.as_deref()
    }

    #[getter]
    fn language(&self) -> Option<&str> {
        self.page.about.language.as_deref()
    }

    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.page.about.canonical.as_deref()
    }

    /// Keys and contents of meta tags, in the order of the page.
    #[getter]
    fn meta(&self) -> Vec<(String, String)> {
        self.page.about.meta.clone()
    }

    /// Dates in linked data and in `time` elements, the most telling first.
    #[getter]
    fn dates(&self) -> Vec<String> {
        let about = &self.page.about;
        std::iter::once(&about.linked_date).chain(&about.times).flatten().cloned().collect()
    }

    /// Too wild for a parser that builds a tree.
    #[getter]
    fn is_wild(&self) -> bool {
        self.page.is_wild
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.page.nodes.len()
    }

    /// The hierarchy in document order: parent, role, span of the own text, tag path, and of cells
    /// the headers of their column.
    fn nodes(&self) -> Vec<NodeRow> {
        let row = |(node, path): (&html::Node, &String)| {
            let span = (node.run.start, node.run.end);
            (node.parent, Role::NAMES[node.role as usize], span, path.clone(), node.headers.clone())
        };
        self.page.nodes.iter().zip(self.paths()).map(row).collect()
    }

    /// Nodes with text of their own: where each starts, and its number, role and tag path as a
    /// line, parted by tabs.
    fn places<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let mut starts = Vec::new();
        let mut lines = String::new();
        for (n, (node, path)) in self.page.nodes.iter().zip(self.paths()).enumerate() {
            if node.run.start < node.run.end {
                lines.push_str(if starts.is_empty() { "" } else { "\n" });
                starts.push(node.run.start);
                lines += &format!("{n}\t{}\t{path}", Role::NAMES[node.role as usize]);
            }
        }
        Ok((to_bytes(py, &starts)?, lines))
    }

    /// What stands for the headline, 0 if there is none.
    #[getter]
    fn headline(&self) -> u64 {
        self.marks().0
    }

    /// Nodes with text of their own, as columns: start and end of each, what stands for its text,
    /// for its place, for its text in its place, and for its text behind a label.
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyBytes>; 5]> {
        let mut spans = Vec::new();
        let mut columns = [const { Vec::new() }; 4];
        for (node, marks) in self.page.nodes.iter().zip(&self.marks().1) {
            if marks[0] != 0 {
                spans.extend([node.run.start, node.run.end]);
                columns.iter_mut().zip(marks).for_each(|(column, &mark)| column.push(mark));
            }
        }
        let [marks, places, placed, told] = columns.map(|column| to_bytes(py, &column));
        Ok([to_bytes(py, &spans)?, marks?, places?, placed?, told?])
    }
}

/// Of pages with more nodes, what else is asked of them waits until it is: it may be large.
const MANY: usize = 10_000;

/// Read pages. `ready`: with what is asked of pages in a collection, which takes time, too.
#[pyfunction]
#[pyo3(signature = (pages, *, ready = false, threads = 0))]
pub fn read_pages(
    py: Python<'_>,
    pages: Vec<Bound<'_, PyString>>,
    ready: bool,
    threads: usize,
) -> PyResult<Vec<Page>> {
    let pages = pages.iter().map(Text::new).collect::<PyResult<Vec<_>>>()?;
    enter(py, threads, |cancel| {
        let pages: Vec<&str> = pages.iter().map(Text::as_str).collect();
        html::read_all(&pages, cancel, |page| {
            let found = Page { page, marks: OnceLock::new(), paths: OnceLock::new() };
            if ready && found.page.nodes.len() <= MANY {
                found.marks();
                found.paths();
            }
            found
        })
    })
}
