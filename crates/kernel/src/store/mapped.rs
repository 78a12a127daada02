//! A file that is mapped into memory, and may be cut off or overwritten by another program.
//!
//! Who reads a mapped page behind the end of its file gets the signal SIGBUS, which ends the process.
//! A handler puts zeros there instead and notes it in the entry of the mapping, so that the reading
//! thread goes on; who asks [`Mapped::is_as_opened`] afterwards is told, whatever was read. A file that was
//! written to without becoming shorter is told by its length and its time of modification.
//!
//! The handler only reads atomics and calls `mmap`, `sigaction` and `raise`. A fault outside of all
//! mapped segments goes to the handler that was there before ours.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memmap2::{Mmap, UncheckedAdvice};

/// Where a mapping is. Entries are never freed, so that the handler can go through them at any time;
/// those of mappings that are gone are used again.
struct Entry {
    /// Odd while the range is changed.
    version: AtomicUsize,
    start: AtomicUsize,
    /// 0: free.
    end: AtomicUsize,
    is_cut: AtomicBool,
    next: AtomicPtr<Entry>,
}

static ENTRIES: AtomicPtr<Entry> = AtomicPtr::new(ptr::null_mut());
/// Held by whoever changes entries, or the handler of the process.
static CHANGING: Mutex<()> = Mutex::new(());
static PAGE: AtomicUsize = AtomicUsize::new(0);
/// The handler that was there before ours, and whether a fault was left to it since.
static BEFORE: AtomicPtr<libc::sigaction> = AtomicPtr::new(ptr::null_mut());
static IS_LEFT: AtomicBool = AtomicBool::new(false);

fn changing() -> MutexGuard<'static, ()> {
    CHANGING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All entries there are.
fn entries() -> impl Iterator<Item = &'static Entry> {
    let at = |pointer: &AtomicPtr<Entry>| {
        // SAFETY: null, or an entry that was leaked before it was stored.
        #[expect(unsafe_code, reason = "entries are found by a handler, which can take no lock")]
        unsafe {
            pointer.load(Ordering::Acquire).as_ref()
        }
    };
    std::iter::successors(at(&ENTRIES), move |entry| at(&entry.next))
}

impl Entry {
    /// An entry for a mapping.
    fn taken(start: usize, end: usize) -> &'static Self {
        let _changing = changing();
        let free = entries().find(|entry| entry.end.load(Ordering::Relaxed) == 0);
        let entry = free.unwrap_or_else(|| {
            let new: &'static mut Self = Box::leak(Box::new(Self {
                version: AtomicUsize::new(0),
                start: AtomicUsize::new(0),
                end: AtomicUsize::new(0),
                is_cut: AtomicBool::new(false),
                next: AtomicPtr::new(ENTRIES.load(Ordering::Relaxed)),
            }));
            let pointer = ptr::from_mut(new);
            ENTRIES.store(pointer, Ordering::Release);
            // SAFETY: leaked just now, and only read from here on.
            #[expect(unsafe_code, reason = "entries are found by a handler")]
            unsafe {
                &*pointer
            }
        });
        entry.is_cut.store(false, Ordering::Relaxed);
        entry.set(start, end);
        entry
    }

    /// Say where the mapping is. Only who holds `CHANGING` calls it.
    fn set(&self, start: usize, end: usize) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.start.store(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// The end of the mapping, if it holds this address. The mapping that a thread reads is not
    /// changed meanwhile; one that is, or whose range is half told, is another one.
    fn end_if_holds(&self, address: usize) -> Option<usize> {
        let version = self.version.load(Ordering::Acquire);
        let start = self.start.load(Ordering::Relaxed);
        let end = self.end.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let is_told = version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version;
        (is_told && (start..end).contains(&address)).then_some(end)
    }
}

/// Answers SIGBUS.
#[expect(unsafe_code, reason = "the system calls it")]
extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the system gives what is known of the signal; of one that was raised by
    // a fault (its code is positive) that has an address.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    if code > 0 {
        for entry in entries() {
            if let Some(end) = entry.end_if_holds(address) {
                // Before the zeros are there: another thread reads them without a fault.
                entry.is_cut.store(true, Ordering::SeqCst);
                if put_zeros(address, end) {
                    return;
                }
            }
        }
    }
    leave(signal, code);
}

/// Map zeros in place of all from the page of an address to the end of its mapping.
#[expect(unsafe_code, reason = "a mapping in place of another")]
fn put_zeros(address: usize, end: usize) -> bool {
    let start = address - address % PAGE.load(Ordering::Relaxed).max(1);
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
    // SAFETY: inside of a mapping of ours that lives as long as somebody reads it, and is only read;
    // its owner unmaps the whole range.
    let made = unsafe {
        libc::mmap(start as *mut libc::c_void, end - start, libc::PROT_READ, kind, -1, 0)
    };
    made != libc::MAP_FAILED
}

/// Leave a signal to the handler that was there before ours. It is put in place: what faulted does so
/// again, and reaches it as if we had never been. If the signal comes back to us, nobody handles it.
#[expect(unsafe_code, reason = "handlers of signals")]
fn leave(signal: libc::c_int, code: libc::c_int) {
    let before = BEFORE.load(Ordering::Acquire);
    // SAFETY: an action of zeros is the default one; `before` was leaked and is never changed; both
    // functions may be called by a handler.
    unsafe {
        let default = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        let is_known = !before.is_null() && !IS_LEFT.swap(true, Ordering::SeqCst);
        let action = if is_known { before.cast_const() } else { &raw const default };
        libc::sigaction(signal, action, ptr::null_mut());
        if code <= 0 {
            // It was sent, and does not come again by itself.
            libc::raise(signal);
        }
    }
}

/// Handle SIGBUS from now on. Others may have put their handler in place of ours since (Python's
/// `faulthandler` does), so this is called before each piece of work.
#[expect(unsafe_code, reason = "handlers of signals")]
fn handle_faults() {
    let ours = on_fault as *const () as libc::sighandler_t;
    // SAFETY: actions are plain values, for which zeros stand for the default; the handler has the
    // signature that SA_SIGINFO asks for.
    unsafe {
        let mut found = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut found);
        if found.sa_sigaction == ours {
            return;
        }
        let _changing = changing();
        libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut found);
        if found.sa_sigaction == ours {
            return;
        }
        PAGE.store(libc::sysconf(libc::_SC_PAGESIZE) as usize, Ordering::Relaxed);
        BEFORE.store(Box::leak(Box::new(found)), Ordering::Release);
        IS_LEFT.store(false, Ordering::SeqCst);
        let mut new = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        new.sa_sigaction = ours;
        new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut new.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const new, ptr::null_mut());
    }
}

/// What changes with the content of a file: its length, and when that was.
type Stamp = (u64, i64, i64);

fn stamp_of(file: &File) -> io::Result<Stamp> {
    file.metadata().map(|found| (found.len(), found.mtime(), found.mtime_nsec()))
}

/// A file that is mapped into memory.
pub struct Mapped {
    map: Mmap,
    file: File,
    stamp: Stamp,
    entry: &'static Entry,
}

impl Mapped {
    /// Map a file.
    #[expect(unsafe_code, reason = "mapping a file")]
    pub fn open(path: &Path) -> io::Result<Self> {
        handle_faults();
        let file = File::open(path)?;
        let stamp = stamp_of(&file)?;
        // SAFETY: a segment is never changed once it has its name, only unlinked, which leaves what
        // is mapped as it is. If another program writes into it, what is read has no meaning, and
        // `is_as_opened` tells; if it becomes shorter, the handler puts zeros there.
        let map = unsafe { Mmap::map(&file) }?;
        let start = map.as_ptr() as usize;
        let entry = Entry::taken(start, start + map.len());
        Ok(Self { map, file, stamp, entry })
    }

    /// All of its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Whether nobody wrote to the file, or cut it off, since it was mapped.
    pub fn is_as_opened(&self) -> bool {
        !self.entry.is_cut.load(Ordering::SeqCst)
            && stamp_of(&self.file).is_ok_and(|stamp| stamp == self.stamp)
            && self.stamp.0 == self.map.len() as u64
    }

    /// Let the system take back the memory of what was read; it is read again.
    #[expect(unsafe_code, reason = "asking the system")]
    pub fn rest(&self) {
        // SAFETY: nothing is ever written through this mapping, so that what is read after it
        // is what the file has. Advice that is not taken costs nothing.
        let _ = unsafe { self.map.unchecked_advise(UncheckedAdvice::DontNeed) };
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        let _changing = changing();
        self.entry.set(0, 0);
    }
}

/// Do work that reads mapped files. Whoever does it asks afterwards whether they are as they were.
pub fn watching<T>(work: impl FnOnce() -> T) -> T {
    handle_faults();
    work()
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;
    use std::path::PathBuf;

    use super::{Mapped, watching};

    fn file(name: &str, pages: usize) -> PathBuf {
        let path = std::env::temp_dir().join(format!("twicetold-{}-{name}", std::process::id()));
        File::create(&path)
            .and_then(|mut file| file.write_all(&vec![7; pages * 65_536]))
            .expect("written");
        path
    }

    fn cut(path: &PathBuf, size: u64) {
        OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(size)).expect("cut");
    }

    #[test]
    fn what_is_cut_off_reads_as_zeros_and_is_told() {
        let path = file("cut", 4);
        let (one, other) =
            (Mapped::open(&path).expect("mapped"), Mapped::open(&path).expect("mapped"));
        assert!(one.bytes().iter().all(|&byte| byte == 7) && one.is_as_opened());
        cut(&path, 65_536);
        let read = watching(|| (one.bytes()[65_535], one.bytes()[3 * 65_536], one.bytes()[65_536]));
        assert_eq!(read, (7, 0, 0));
        assert!(!one.is_as_opened() && !other.is_as_opened());
        // What was put there is gone with the mapping, and its entry used again.
        drop((one, other));
        let again = Mapped::open(&path).expect("mapped");
        assert!(again.is_as_opened() && again.bytes().len() == 65_536);
        // A length that comes back is told by the time, or by who read meanwhile.
        cut(&path, 0);
        assert_eq!(again.bytes()[0], 0);
        cut(&path, 65_536);
        assert!(!again.is_as_opened());
        std::fs::remove_file(path).expect("removed");
    }

    #[test]
    fn one_that_nobody_has_by_its_name_any_more_is_as_it_was() {
        let path = file("gone", 1);
        let one = Mapped::open(&path).expect("mapped");
        std::fs::remove_file(path).expect("removed");
        assert!(one.bytes().iter().all(|&byte| byte == 7) && one.is_as_opened());
    }

    #[test]
    fn many_threads_read_while_files_are_cut() {
        let path = file("threads", 8);
        for round in 0..200 {
            File::create(&path)
                .and_then(|mut file| file.write_all(&[7; 500_000]))
                .expect("written");
            let one = Mapped::open(&path).expect("mapped");
            let sums: Vec<u64> = std::thread::scope(|scope| {
                let read = || one.bytes().iter().map(|&byte| u64::from(byte)).sum::<u64>();
                let readers: Vec<_> = (0..3).map(|_| scope.spawn(read)).collect();
                cut(&path, round * 2_500);
                readers.into_iter().map(|reader| reader.join().expect("alive")).collect()
            });
            assert!(!one.is_as_opened());
            assert!(sums.iter().all(|&sum| sum <= 7 * 500_000));
        }
        std::fs::remove_file(path).expect("removed");
    }
}
