//! The bytes of a segment while they are written, to memory or to a file.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::blocks::{Blocks, SMALL_BLOCKS};
use super::layout::{HEAD, Head, Section, checksum_of};
use crate::error::{Error, Result};

/// Bytes that are handed to a file at a time.
const AT_A_TIME: usize = 1 << 20;
/// How bytes are divided.
const BLOCKS: Blocks = Blocks::SMALL;
const BLOCK: usize = BLOCKS.size();

enum Sink {
    Memory(Vec<u8>),
    /// Memory as long as there are fewer bytes than these, then a file.
    Growing(Vec<u8>, PathBuf, usize),
    File(BufWriter<File>, Unfinished),
}

/// Where a file is that is not complete. It is removed if it never is; what cannot be removed then is
/// swept later: no commit names it.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            let _ = std::fs::remove_file(&self.0);
        }
    }
}

/// A segment that is being written, section after section.
pub struct Output {
    sink: Sink,
    /// What it begins with; the sections are noted here as they are written.
    pub head: Head,
    /// What stands in the block that is not full yet.
    block: Vec<u8>,
    /// The first block, whose head is not known yet.
    first: Vec<u8>,
    sums: Vec<u8>,
    length: u64,
    /// Whether a file is on disk when it is sealed; else its user sees to that.
    syncs: bool,
}

impl Output {
    /// Write to memory.
    pub fn memory(head: Head) -> Self {
        Self::new(Sink::Memory(Vec::new()), head)
    }

    /// Write a new file, which only its user can read.
    pub fn file(path: &Path, head: Head) -> Result<Self> {
        Ok(Self::new(Sink::new_file(path)?, head))
    }

    /// Write to memory, or from so many bytes on such a file, which may not be on disk in the end.
    pub fn growing(path: &Path, from: usize, head: Head) -> Self {
        let sink = Sink::Growing(Vec::new(), path.into(), from);
        Self { syncs: false, ..Self::new(sink, head) }
    }

    fn new(sink: Sink, mut head: Head) -> Self {
        head.flags |= SMALL_BLOCKS;
        let block = vec![0; HEAD];
        let (first, sums) = (Vec::new(), Vec::new());
        Self { sink, head, block, first, sums, length: HEAD as u64, syncs: true }
    }

    /// Write a section.
    pub fn put(
        &mut self,
        section: Section,
        write: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let padding = self.length.next_multiple_of(8) - self.length;
        self.bytes(&[0; 8][..padding as usize])?;
        let start = self.length;
        write(self)?;
        self.head.sections[section as usize] = (start, self.length - start);
        Ok(())
    }

    /// Write some bytes.
    #[inline]
    pub fn bytes(&mut self, mut bytes: &[u8]) -> Result<()> {
        self.length += bytes.len() as u64;
        if self.block.len() + bytes.len() >= BLOCK {
            bytes = self.blocks(bytes)?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    /// Write bytes that fill a block; gives back those that are left.
    fn blocks<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8]> {
        let (now, rest) = bytes.split_at(BLOCK - self.block.len());
        self.block.extend_from_slice(now);
        self.end_block()?;
        let (full, rest) = rest.split_at(rest.len() / BLOCK * BLOCK);
        full.chunks(BLOCK).for_each(|block| BLOCKS.add_sum(block, &mut self.sums));
        self.sink.write(full)?;
        Ok(rest)
    }

    /// Write a number of 4 bytes.
    #[inline]
    pub fn u32(&mut self, number: u32) -> Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    /// Write a number of 8 bytes.
    #[inline]
    pub fn u64(&mut self, number: u64) -> Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn end_block(&mut self) -> Result<()> {
        if self.first.is_empty() {
            self.first.clone_from(&self.block);
        }
        BLOCKS.add_sum(&self.block, &mut self.sums);
        let block = std::mem::take(&mut self.block);
        self.sink.write(&block)?;
        self.block = block;
        self.block.clear();
        Ok(())
    }

    /// Write head and checksums; a file is on disk then, unless its user syncs it. Returns how many bytes there are, and
    /// these if they are in memory.
    pub fn sealed(mut self) -> Result<(u64, Vec<u8>)> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let head = self.head.to_bytes();
        self.first[..HEAD].copy_from_slice(&head);
        let first = BLOCKS.sums(&self.first);
        self.sums[..first.len()].copy_from_slice(&first);
        let whole = checksum_of(&head, &self.sums);
        self.sink.write(&self.sums)?;
        self.sink.write(&whole.to_le_bytes())?;
        let length = self.length + self.sums.len() as u64 + 8;
        Ok((length, self.sink.end(&head, self.syncs)?))
    }
}

impl Sink {
    fn new_file(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let file = file.map_err(|error| failed(path, &error))?;
        Ok(Self::File(BufWriter::with_capacity(AT_A_TIME, file), Unfinished(path.into())))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Memory(all) => all.extend_from_slice(bytes),
            Self::Growing(all, path, from) => {
                if all.len() + bytes.len() < *from {
                    all.extend_from_slice(bytes);
                    return Ok(());
                }
                let mut file = Self::new_file(path)?;
                file.write(all)?;
                file.write(bytes)?;
                *self = file;
            }
            Self::File(file, Unfinished(path)) => {
                file.write_all(bytes).map_err(|error| failed(path, &error))?
            }
        }
        Ok(())
    }

    /// Put the head where it belongs.
    fn end(self, head: &[u8], syncs: bool) -> Result<Vec<u8>> {
        match self {
            Self::Memory(mut all) | Self::Growing(mut all, ..) => {
                all[..HEAD].copy_from_slice(head);
                Ok(all)
            }
            Self::File(mut file, mut unfinished) => {
                let mut end = || {
                    file.flush()?;
                    file.seek(SeekFrom::Start(0))?;
                    file.write_all(head)?;
                    file.flush()?;
                    if syncs { file.get_ref().sync_all() } else { Ok(()) }
                };
                end().map_err(|error| failed(&unfinished.0, &error))?;
                unfinished.0.clear();
                Ok(Vec::new())
            }
        }
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    let what = error.to_string();
    let what = what.split(" (os error").next().unwrap_or_default();
    Error::System(format!("{}: cannot write: {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(mut output: Output, content: usize) -> (u64, Vec<u8>) {
        output.put(Section::Ids, |out| out.bytes(&vec![7; content])).expect("written");
        output.sealed().expect("sealed")
    }

    #[test]
    fn the_length_of_the_content_follows_from_the_whole() {
        for content in (0..5).chain(BLOCK - HEAD - 2..BLOCK - HEAD + 3).chain([5 * BLOCK]) {
            let (length, bytes) = written(Output::memory(Head::default()), content);
            assert_eq!(length, bytes.len() as u64);
            assert_eq!(BLOCKS.content_length(bytes.len()), Some(HEAD + content));
        }
    }

    #[test]
    fn a_file_that_is_not_sealed_is_removed_and_one_that_was_there_stays() {
        let path = std::env::temp_dir().join(format!("twicetold-unsealed-{}", std::process::id()));
        drop(Output::file(&path, Head::default()).expect("a new file"));
        assert!(!path.exists());
        std::fs::write(&path, b"another's").expect("written");
        assert!(Output::file(&path, Head::default()).is_err());
        let mut output = Output::growing(&path, 1, Head::default());
        assert!(output.bytes(&[7; 2 * BLOCK]).is_err());
        drop(output);
        assert_eq!(std::fs::read(&path).expect("it is there"), b"another's");
        std::fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn a_file_has_the_bytes_that_memory_has() {
        let path = std::env::temp_dir().join(format!("twicetold-output-{}", std::process::id()));
        for content in [0, 100, 3 * BLOCK + 5] {
            let (length, bytes) = written(Output::memory(Head::default()), content);
            let output = Output::file(&path, Head::default()).expect("a new file");
            assert_eq!(written(output, content), (length, Vec::new()));
            assert_eq!(std::fs::read(&path).expect("it is there"), bytes);
            assert!(Output::file(&path, Head::default()).is_err());
            std::fs::remove_file(&path).expect("it is there");
            let all = bytes.len();
            for (from, is_file) in [(1, true), (all, true), (all + 1, false)] {
                let found = written(Output::growing(&path, from, Head::default()), content);
                let kept = if is_file { Vec::new() } else { bytes.clone() };
                assert_eq!(found, (length, kept));
                assert_eq!(std::fs::read(&path).ok(), is_file.then(|| bytes.clone()));
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}
