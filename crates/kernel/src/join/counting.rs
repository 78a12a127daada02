//! How matches between the sentences of two documents are counted.

/// How matches between two documents are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// The sentences of each that have a match in the other.
    #[default]
    Exists,
    /// As many matches as there can be with each sentence in at most one.
    Matching,
    /// All matches, but never more than there are sentences.
    Double,
}

impl Counting {
    /// How many sentences count as matched; `links` are, for each of them, those it matches.
    pub fn of(self, links: &[Vec<usize>]) -> usize {
        match self {
            Self::Exists => links.iter().filter(|places| !places.is_empty()).count(),
            Self::Matching => most_matched(links),
            Self::Double => links.iter().map(Vec::len).sum::<usize>().min(links.len()),
        }
    }
}

/// How many can be linked at most, each with one other that nobody else is linked with.
fn most_matched(links: &[Vec<usize>]) -> usize {
    let n_others = links.iter().flatten().max().map_or(0, |&most| most + 1);
    let mut partner = vec![usize::MAX; n_others];
    (0..links.len()).filter(|&own| match_one(own, links, &mut partner)).count()
}

/// Link one more, where need be by linking others anew along the shortest path to a free place.
fn match_one(own: usize, links: &[Vec<usize>], partner: &mut [usize]) -> bool {
    // Through whom each place was reached.
    let mut through = vec![usize::MAX; partner.len()];
    let mut queue = std::collections::VecDeque::from([own]);
    while let Some(asking) = queue.pop_front() {
        for &place in &links[asking] {
            if through[place] != usize::MAX {
                continue;
            }
            through[place] = asking;
            if partner[place] != usize::MAX {
                queue.push_back(partner[place]);
                continue;
            }
            let mut free = place;
            loop {
                let asking = through[free];
                let before = partner.iter().position(|&own| own == asking);
                partner[free] = asking;
                match before {
                    Some(before) => free = before,
                    None => return true,
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The most that can be linked, by trying everything.
    fn tried(links: &[Vec<usize>], taken: u32) -> usize {
        let Some((first, rest)) = links.split_first() else { return 0 };
        let linked = first.iter().filter(|&&place| taken & 1 << place == 0);
        let with = linked.map(|&place| 1 + tried(rest, taken | 1 << place)).max();
        with.unwrap_or(0).max(tried(rest, taken))
    }

    proptest! {
        #[test]
        fn no_other_way_to_link_gives_more(
            links in prop::collection::vec(prop::collection::btree_set(0..6_usize, 0..5), 0..7),
        ) {
            let links: Vec<Vec<usize>> =
                links.into_iter().map(|places| places.into_iter().collect()).collect();
            prop_assert_eq!(most_matched(&links), tried(&links, 0));
            prop_assert!(most_matched(&links) <= Counting::Exists.of(&links));
            prop_assert!(Counting::Exists.of(&links) <= Counting::Double.of(&links));
        }
    }
}
