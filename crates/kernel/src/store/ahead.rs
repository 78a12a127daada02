//! Memory that is asked for before it is read, so that nobody waits for one unit after the other.
//!
//! Units that are looked at stand far from each other in a segment. Where a list ends has to be known
//! before the list can be asked for, and that before what its entries stand for.

use super::layout::{MET, Section, TERMS, number_at};
use super::segment::Segment;
use crate::error::Result;

/// How many units ahead each step is done.
const ENDS: usize = 12;
const LISTS: usize = 8;
const TERMS_OF: usize = 4;
/// What comes into the processor's memory at once, and how often it is asked for one list.
const LINE: usize = 64;
const MOST: usize = 4;

/// Who goes through units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Looks at the numbers of their terms.
    Numbers,
    /// Reads all they have.
    All,
}

/// Ask for what is read of some units, when the one at this place is read next.
pub fn ahead(segment: &Segment, units: &[u32], at: usize, reads: Reads) -> Result<()> {
    if at == 0 {
        units.iter().take(ENDS).for_each(|&unit| ends(segment, unit, reads));
        units.iter().take(LISTS).try_for_each(|&unit| lists(segment, unit, reads))?;
        units.iter().take(TERMS_OF).try_for_each(|&unit| terms(segment, unit, reads))?;
    }
    if let Some(&unit) = units.get(at + ENDS) {
        ends(segment, unit, reads);
    }
    if let Some(&unit) = units.get(at + LISTS) {
        lists(segment, unit, reads)?;
    }
    units.get(at + TERMS_OF).map_or(Ok(()), |&unit| terms(segment, unit, reads))
}

fn ends(segment: &Segment, unit: u32, reads: Reads) {
    let unit = unit as usize;
    segment.prefetch(Section::UnitEnds, unit * 4);
    if reads == Reads::All {
        segment.prefetch(Section::Sketches, unit * segment.head().sketch_width as usize * 8);
        if segment.head().has(MET) {
            segment.prefetch(Section::MetEnds, unit * 4);
        }
    }
}

fn lists(segment: &Segment, unit: u32, reads: Reads) -> Result<()> {
    let unit = unit as usize;
    let range = segment.range(Section::UnitEnds, unit, 4, 0)?;
    let width = segment.number_width();
    (range.start * width..range.end * width)
        .step_by(LINE)
        .take(MOST)
        .for_each(|at| segment.prefetch(Section::Numbers, at));
    if reads == Reads::All && segment.head().has(MET) {
        let range = segment.range(Section::MetEnds, unit, 4, 0)?;
        segment.prefetch(Section::Met, range.start * 4);
    }
    Ok(())
}

fn terms(segment: &Segment, unit: u32, reads: Reads) -> Result<()> {
    if reads == Reads::All && segment.head().has(TERMS) {
        let range = segment.range(Section::UnitEnds, unit as usize, 4, 0)?;
        let width = segment.number_width();
        let numbers = segment.part(Section::Numbers, range.start * width..range.end * width)?;
        let numbers = numbers.chunks_exact(width).map(|bytes| number_at(bytes, 0, width));
        numbers.for_each(|number| segment.prefetch_term(number));
    }
    Ok(())
}
