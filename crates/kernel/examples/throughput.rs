//! How fast each step of the analysis is, on one thread: `throughput FILE [ROUNDS]`, where the
//! documents of FILE are separated by blank lines or, if there are any, by the byte 1.

use std::time::Instant;

use kernel::Cancel;
use kernel::text::{Analyser, Joiner, Language, Profile, Stem, sentences, words};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file to read");
    let rounds = arguments.next().map_or(3, |n| n.parse().expect("a number of rounds"));
    let text = std::fs::read_to_string(path).expect("a readable UTF-8 file");
    let separator = if text.contains('\u{1}') { "\u{1}" } else { "\n\n" };
    let texts: Vec<&str> = text.split(separator).collect();
    let english = Language::from_code("en");
    let report = |name: &str, work: &mut dyn FnMut() -> usize| {
        let mut best = f64::INFINITY;
        let mut found = 0;
        for _ in 0..rounds {
            let start = Instant::now();
            found = work();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:10} {:8.1} MB/s  {found}", text.len() as f64 / 1e6 / best);
    };
    report("sentences", &mut || {
        let (mut n, cancel) = (0, Cancel::default());
        for text in &texts {
            sentences::sentences(text, english, &cancel, |_, _| n += 1).expect("nothing cancels");
        }
        n
    });
    report("words", &mut || {
        let mut n = 0;
        texts.iter().for_each(|t| words::words(t, 0, t.len(), Joiner::Keep, |_, _| n += 1));
        n
    });
    report("analyse", &mut || {
        let profile = Profile { stem: Stem::First5, ..Profile::default() };
        let pool = kernel::pool::pool(1).expect("a thread");
        let analyser = Analyser::new(profile);
        let mut n = 0;
        for batch in texts.chunks(1_000) {
            let languages = vec![Some(english); batch.len()];
            let analysed =
                pool.install(|| analyser.analyse(batch, &languages, false, &Cancel::default()));
            n += analysed.expect("nothing cancels").words.len();
        }
        n
    });
}
