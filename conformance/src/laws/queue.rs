//! Queue: what is to be done yet beside what is under way, so that no two that share something are at the same time.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// So many are under way with those that mostly wait for time to pass.
const WAITING: usize = 24;

/// So many are looked at for one that shares nothing with those under way.
const AHEAD: usize = 512;

/// What is to be done yet, in order.
pub(super) struct Queue<T> {
    waiting: VecDeque<Entry<T>>,
    /// So many are at work at once.
    at_once: usize,
    /// How many are, without those that mostly wait.
    at_work: usize,
    under_way: usize,
    /// The numbers of what some share.
    numbers: HashMap<String, usize>,
    held: HashSet<usize>,
}

/// One of them.
pub(super) struct Entry<T> {
    /// What is to be done.
    pub(super) own: T,
    /// Whether it mostly waits for time to pass.
    is_slow: bool,
    /// What it shares with others, by number, once that was asked for.
    things: Option<Vec<usize>>,
}

impl<T> Queue<T> {
    /// A queue of which so many are at work at once. Those that mostly wait come first, and take nobody's place, as
    /// long as more than one is at work at all.
    pub(super) fn new(all: impl IntoIterator<Item = (T, bool)>, at_once: usize) -> Self {
        let entries = all.into_iter().map(|(own, is_slow)| Entry {
            own,
            is_slow,
            things: None,
        });
        let (slow, quick): (Vec<_>, Vec<_>) = entries.partition(|own| own.is_slow);
        Self {
            waiting: slow.into_iter().chain(quick).collect(),
            at_once,
            at_work: 0,
            under_way: 0,
            numbers: HashMap::new(),
            held: HashSet::new(),
        }
    }

    /// The next one that has a place, and shares nothing with those under way, nor with one before it that waits.
    pub(super) fn next(&mut self, shared: impl Fn(&T) -> BTreeSet<String>) -> Option<Entry<T>> {
        let most = if self.at_once > 1 { WAITING } else { 1 };
        if self.under_way >= most {
            return None;
        }
        let mut taken = self.held.clone();
        let mut found = None;
        for (place, entry) in self.waiting.iter_mut().enumerate().take(AHEAD) {
            // Those that take no place are the first.
            if !entry.is_slow && self.at_work >= self.at_once {
                break;
            }
            let numbers = &mut self.numbers;
            let things = entry.things.get_or_insert_with(|| {
                let numbered = shared(&entry.own).into_iter().map(|own| {
                    let next = numbers.len();
                    *numbers.entry(own).or_insert(next)
                });
                numbered.collect()
            });
            if !things.iter().any(|own| taken.contains(own)) {
                found = Some(place);
                break;
            }
            taken.extend(things.iter());
        }
        let entry = self.waiting.remove(found?)?;
        self.held.extend(entry.things.iter().flatten());
        self.under_way += 1;
        self.at_work += usize::from(!entry.is_slow);
        Some(entry)
    }

    /// One of them is over.
    pub(super) fn leave(&mut self, entry: &Entry<T>) {
        for thing in entry.things.iter().flatten() {
            self.held.remove(thing);
        }
        self.under_way -= 1;
        self.at_work -= usize::from(!entry.is_slow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the name of one tells that it shares: `ab` shares `a` and `b`.
    fn shared(name: &&str) -> BTreeSet<String> {
        name.chars().map(String::from).collect()
    }

    fn started(queue: &mut Queue<&'static str>) -> Vec<Entry<&'static str>> {
        std::iter::from_fn(|| queue.next(shared)).collect()
    }

    fn names(entries: &[Entry<&'static str>]) -> Vec<&'static str> {
        entries.iter().map(|own| own.own).collect()
    }

    fn queue(all: &[&'static str], at_once: usize) -> Queue<&'static str> {
        Queue::new(all.iter().map(|own| (*own, false)), at_once)
    }

    #[test]
    fn what_shares_something_is_never_at_the_same_time() {
        let mut queue = queue(&["a", "ab", "b", "c", "", "a"], 8);
        let first = started(&mut queue);
        // `b` waits for `ab`, which comes before it.
        assert_eq!(names(&first), ["a", "c", ""]);
        queue.leave(&first[1]);
        assert!(started(&mut queue).is_empty());
        queue.leave(&first[0]);
        let second = started(&mut queue);
        assert_eq!(names(&second), ["ab"]);
        queue.leave(&second[0]);
        assert_eq!(names(&started(&mut queue)), ["b", "a"]);
    }

    #[test]
    fn so_many_are_at_work_at_once() {
        let mut queue = queue(&["a", "b", "c"], 2);
        let first = started(&mut queue);
        assert_eq!(names(&first), ["a", "b"]);
        queue.leave(&first[0]);
        assert_eq!(names(&started(&mut queue)), ["c"]);
    }

    #[test]
    fn who_waits_begins_first_and_takes_nobodys_place() {
        let all = [("a", false), ("b", false), ("c", true)];
        let mut queue = Queue::new(all, 2);
        assert_eq!(names(&started(&mut queue)), ["c", "a", "b"]);
        let mut alone = Queue::new(all, 1);
        let first = started(&mut alone);
        assert_eq!(names(&first), ["c"]);
        alone.leave(&first[0]);
        assert_eq!(names(&started(&mut alone)), ["a"]);
    }
}
