//! Tables: rows and columns with their headers, and tables that only lay out a page.
//!
//! After Lim and Ng, "An automated approach for retrieving hierarchical data from HTML tables",
//! CIKM 1999. Cells are put on a grid by their spans. A cell belongs under the headers at the
//! start of its row; a header of columns stands in the text once and so has one node, and each
//! cell below names it.

use super::elements::*;
use super::page::Element;

/// Columns that are told apart, and headers above each other.
const COLUMNS: usize = 1000;
const HEADERS: usize = 8;

/// A table with data, being read row by row.
#[derive(Debug, Default)]
pub struct Table {
    /// Headers of each column.
    headers: Vec<Vec<u32>>,
    /// For how many more rows each column is taken by a cell from above.
    taken: Vec<u16>,
    /// Headers at the start of rows: column, node, and for how many more rows they hold.
    row_headers: Vec<(usize, u32, u16)>,
    column: usize,
    in_head: bool,
    is_header_row: bool,
    at_start: bool,
    has_rows: bool,
}

impl Table {
    /// Look whether a table has data: at least two rows and two columns, or headers or a caption,
    /// and neither headings nor tables nor, without headers, other blocks in its cells.
    pub fn of(table: u32, elements: &[Element]) -> Option<Self> {
        let (mut rows, mut columns, mut has_headers, mut has_blocks) = (0, 0, false, false);
        for element in inside(table, elements) {
            match element.name {
                H1..=H6 | TABLE | ARTICLE | SECTION | FORM => return None,
                TR => {
                    rows += 1;
                    columns = columns.max(element.counts[0].saturating_add(element.counts[1]));
                }
                TH | CAPTION => has_headers = true,
                TBODY | THEAD | TFOOT | TD => {}
                name => has_blocks |= flags_of(name) & BLOCK != 0 && name != HR,
            }
        }
        let has_data = has_headers || (rows > 1 && columns > 1 && !has_blocks);
        has_data.then(|| Self { in_head: true, ..Self::default() })
    }

    /// A row begins, with so many cells and headers; leading rows of nothing but headers, a cell in
    /// the corner of the first aside, are those of columns.
    pub fn row(&mut self, cells: u16, headers: u16, in_thead: bool) {
        let has_corner = !self.has_rows && cells == 1 && headers > 1;
        let is_all_headers = headers > 0 && (cells == 0 || has_corner);
        self.is_header_row = self.in_head && (in_thead || is_all_headers);
        self.in_head = self.is_header_row;
        if self.has_rows {
            for rows in &mut self.taken {
                *rows = rows.saturating_sub(1);
            }
            for (_, _, rows) in &mut self.row_headers {
                *rows = rows.saturating_sub(1);
            }
            self.row_headers.retain(|(_, _, rows)| *rows > 0);
        }
        self.has_rows = true;
        self.column = 0;
        self.at_start = true;
    }

    /// Whether the row holds headers of columns.
    pub fn is_header_row(&self) -> bool {
        self.is_header_row
    }

    /// The innermost header from above that holds for the row.
    pub fn row_header(&self) -> Option<u32> {
        self.row_headers.last().map(|&(_, node, _)| node)
    }

    /// The headers of rows hold no longer.
    pub fn forget(&mut self) {
        self.row_headers.clear();
        self.at_start = false;
    }

    /// A cell comes; return the header it belongs under, if any, and those of its column.
    pub fn cell(
        &mut self,
        node: u32,
        [columns, rows]: [u16; 2],
        is_header: bool,
    ) -> (Option<u32>, Vec<u32>) {
        while self.taken.get(self.column).is_some_and(|&rows| rows > 0) {
            self.column += 1;
        }
        let first = self.column.min(COLUMNS);
        let end = (self.column + usize::from(columns)).min(COLUMNS);
        if self.taken.len() < end {
            self.taken.resize(end, 0);
            self.headers.resize(end, Vec::new());
        }
        self.taken[first..end].fill(rows);
        self.column = end.max(self.column);
        if self.is_header_row {
            for headers in &mut self.headers[first..end] {
                if headers.len() < HEADERS {
                    headers.push(node);
                }
            }
            return (None, Vec::new());
        }
        let under = self.row_header();
        self.at_start &= is_header;
        if self.at_start && self.row_headers.len() < HEADERS {
            self.row_headers.push((first, node, rows));
        }
        (under, self.headers.get(first).cloned().unwrap_or_default())
    }
}

/// The elements inside a table: they follow it, up to the first that is in none of them.
fn inside(table: u32, elements: &[Element]) -> impl Iterator<Item = &Element> {
    elements[table as usize + 1..].iter().take_while(move |element| element.parent >= table)
}
