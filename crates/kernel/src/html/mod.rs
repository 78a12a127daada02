//! Web pages as people see them: the visible text, and the semantic hierarchy over it.
//!
//! A tokenizer that follows the HTML standard cuts a page into tags and texts ([`tokens`], with
//! [`references`]), and tags become open elements ([`reader`]). Open
//! elements are kept on a stack by the standard's rules, as far as they matter for what is seen;
//! every step takes constant time, so that no page, however deep or broken, takes more time than
//! its length is worth. On the way the visible text is written ([`visible`]), and what opens and
//! closes is noted for the hierarchy ([`outline`]): headings, lists, quotations, tables
//! ([`tables`]). Nothing is ever run or fetched.

pub mod about;
pub mod elements;
pub mod outline;
pub mod page;
pub mod reader;
pub mod references;
pub mod tables;
pub mod tokens;
pub mod visible;

pub use about::About;
pub use outline::{Node, Role};
pub use page::Page;

use rayon::prelude::*;

use crate::cancel::Cancel;
use crate::error::Result;

/// Read one page.
pub fn read(page: &str) -> Page {
    reader::read(page)
}

/// Read many pages and make something of each, on all threads of the pool.
pub fn read_all<T: Send>(
    pages: &[&str],
    cancel: &Cancel,
    make: impl Fn(Page) -> T + Sync,
) -> Result<Vec<T>> {
    pages
        .par_iter()
        .map(|page| {
            cancel.check()?;
            Ok(make(read(page)))
        })
        .collect()
}
