//! Thread pools, one for each process and number of threads.
//!
//! A forked child inherits its parent's memory but none of its threads: a pool made before the
//! fork would wait for workers that do not exist. So pools are kept in a list keyed by process
//! id, and nothing starts before the first use. The list only grows, by setting its last link
//! once: a lock held by another thread at the instant of a fork would stay locked in the child.

use std::cell::OnceCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

struct Entry {
    process: u32,
    threads: usize,
    /// Which one it is of those with so many threads.
    number: usize,
    pool: ThreadPool,
    next: Link,
}

/// The end of the list, or its next entry for ever.
type Link = OnceLock<Box<Entry>>;

static POOLS: Link = Link::new();

/// How many cores there were at first: asking takes longer than little work does.
static CORES: OnceLock<usize> = OnceLock::new();

/// How often a pool of one thread was asked for.
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// More threads than this are a mistake, not a wish.
pub const MAX_THREADS: usize = 1024;

/// The number of threads that `0` stands for: all cores this process may use.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The pool of this process with that many threads (`0`: as many as there are cores). Of those with
/// one thread there are as many as cores, given out in turn: who asks for one does not wait for others
/// that did.
pub fn pool(threads: usize) -> Result<&'static ThreadPool> {
    if threads > MAX_THREADS {
        let message = format!("threads must be at most {MAX_THREADS}, got {threads}");
        return Err(Error::Parameter(message));
    }
    let threads = if threads == 0 { available_threads() } else { threads };
    let process = std::process::id();
    let number = match threads {
        1 => ASKED.fetch_add(1, Ordering::Relaxed) % *CORES.get_or_init(available_threads),
        _ => 0,
    };
    if let Some(pool) = find(process, threads, number) {
        return Ok(pool);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("twicetold-{n}"))
        .build()
        .map_err(|e| Error::System(format!("cannot start {threads} threads: {e}")))?;
    let mut entry = Box::new(Entry { process, threads, number, pool, next: Link::new() });
    loop {
        let end = last_link();
        match end.set(entry) {
            Ok(()) => return Ok(&end.get().expect("set just now").pool),
            Err(refused) => entry = refused,
        }
        // Somebody was faster, perhaps with the same wish.
        if let Some(pool) = find(process, threads, number) {
            return Ok(pool);
        }
    }
}

/// So many threads have pools of their own, which are never let go of.
const OWN_POOLS: usize = 8;

static OWN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static OWN_POOL: OnceCell<Option<ThreadPool>> = const { OnceCell::new() };
}

/// Whether the calling thread is a pool of its own, in which what runs in parallel is done one part
/// after the other: waking another thread takes longer than little work does. The first few that ask
/// are.
pub fn is_own_pool() -> bool {
    OWN_POOL.with(|own| {
        let made = || {
            let is_one_more = OWN.fetch_add(1, Ordering::Relaxed) < OWN_POOLS;
            let builder = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
            if is_one_more { builder.build().ok() } else { None }
        };
        own.get_or_init(made).is_some()
    })
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    std::iter::successors(POOLS.get(), |entry| entry.next.get()).map(|entry| &**entry)
}

fn last_link() -> &'static Link {
    entries().last().map_or(&POOLS, |entry| &entry.next)
}

fn find(process: u32, threads: usize, number: usize) -> Option<&'static ThreadPool> {
    let wanted = (process, threads, number);
    entries().find(|e| (e.process, e.threads, e.number) == wanted).map(|e| &e.pool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_request_gets_the_same_pool() {
        let one = pool(2).expect("two threads can be had");
        let two = pool(2).expect("two threads can be had");
        assert!(std::ptr::eq(one, two));
        assert_eq!(one.current_num_threads(), 2);
        assert_eq!(pool(3).expect("three threads can be had").current_num_threads(), 3);
    }

    #[test]
    fn pools_of_one_thread_are_given_out_in_turn() {
        let cores = available_threads();
        let pools: Vec<_> = (0..2 * cores).map(|_| pool(1).expect("one thread")).collect();
        let is_known = |&n: &usize| pools[..n].iter().any(|known| std::ptr::eq(*known, pools[n]));
        // Others may ask meanwhile, but nobody gets more than there are.
        let different = (0..pools.len()).filter(|n| !is_known(n)).count();
        assert!((cores.min(2)..=cores).contains(&different), "{different} of {cores}");
        assert!(pools.iter().all(|pool| pool.current_num_threads() == 1));
    }

    #[test]
    fn too_many_threads_are_refused() {
        assert!(matches!(pool(MAX_THREADS + 1), Err(Error::Parameter(_))));
    }

    #[test]
    fn a_few_threads_work_by_themselves() {
        use rayon::prelude::*;
        let works_here = || {
            let here = std::thread::current().id();
            is_own_pool() && (0..100).into_par_iter().all(|_| std::thread::current().id() == here)
        };
        let found = (0..OWN_POOLS + 2).map(|_| std::thread::spawn(works_here).join().ok());
        assert_eq!(found.filter(|found| *found == Some(true)).count(), OWN_POOLS);
    }

    #[test]
    fn zero_means_all_cores() {
        assert_eq!(pool(0).expect("a pool").current_num_threads(), available_threads());
    }
}
