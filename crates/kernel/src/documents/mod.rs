//! Documents from JSON Lines, read on all cores.
//!
//! [`lines`] takes a block of lines apart, `quick` a usual object, `values` any other; [`strings`] are left
//! where they stand; [`fields`] knows which key holds what, [`dates`] reads the usual dates. What is unusual in a line, from a nested date to broken JSON, is not decided
//! here: the line is handed back for a closer look.

pub mod dates;
pub mod fields;
pub mod lines;
mod quick;
pub mod strings;
mod values;

pub use fields::Names;
pub use lines::{Line, Place, Record, Text, count_lines, read_lines};
pub use strings::Raw;
