//! Queue: selects the next task so that no two running tasks share a resource.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// At most this many tasks run at once, including waiting ones.
const WAITING: usize = 24;

/// At most this many tasks are searched for one that can start.
const AHEAD: usize = 512;

/// Tasks that have not started, in order.
pub(super) struct Queue<T> {
    waiting: VecDeque<Entry<T>>,
    /// The maximum number of working tasks.
    at_once: usize,
    /// The number of working tasks, without those that mostly wait.
    at_work: usize,
    running: usize,
    /// A number for each resource.
    numbers: HashMap<String, usize>,
    held: HashSet<usize>,
}

/// A task in the queue.
pub(super) struct Entry<T> {
    /// The task.
    pub(super) task: T,
    /// Whether it mostly waits.
    is_slow: bool,
    /// The numbers of its resources; `None` until they are computed.
    things: Option<Vec<usize>>,
}

impl<T> Queue<T> {
    /// A queue with a limit of working tasks. Tasks that mostly wait come first and do not count, unless the limit is
    /// one.
    pub(super) fn new(all: impl IntoIterator<Item = (T, bool)>, at_once: usize) -> Self {
        let entries = all.into_iter().map(|(task, is_slow)| Entry {
            task,
            is_slow,
            things: None,
        });
        let (slow, quick): (Vec<_>, Vec<_>) = entries.partition(|item| item.is_slow);
        Self {
            waiting: slow.into_iter().chain(quick).collect(),
            at_once,
            at_work: 0,
            running: 0,
            numbers: HashMap::new(),
            held: HashSet::new(),
        }
    }

    /// The next task that can start: it shares no resource with a running task, nor with an earlier one in the queue.
    pub(super) fn next(&mut self, shared: impl Fn(&T) -> BTreeSet<String>) -> Option<Entry<T>> {
        let most = if self.at_once > 1 { WAITING } else { 1 };
        if self.running >= most {
            return None;
        }
        let mut taken = self.held.clone();
        let mut found = None;
        for (place, entry) in self.waiting.iter_mut().enumerate().take(AHEAD) {
            // Tasks that do not count come first in the queue.
            if !entry.is_slow && self.at_work >= self.at_once {
                break;
            }
            let numbers = &mut self.numbers;
            let things = entry.things.get_or_insert_with(|| {
                let numbered = shared(&entry.task).into_iter().map(|item| {
                    let next = numbers.len();
                    *numbers.entry(item).or_insert(next)
                });
                numbered.collect()
            });
            if !things.iter().any(|item| taken.contains(item)) {
                found = Some(place);
                break;
            }
            taken.extend(things.iter());
        }
        let entry = self.waiting.remove(found?)?;
        self.held.extend(entry.things.iter().flatten());
        self.running += 1;
        self.at_work += usize::from(!entry.is_slow);
        Some(entry)
    }

    /// Marks a task as finished.
    pub(super) fn leave(&mut self, entry: &Entry<T>) {
        for thing in entry.things.iter().flatten() {
            self.held.remove(thing);
        }
        self.running -= 1;
        self.at_work -= usize::from(!entry.is_slow);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The resources of a test task: `ab` uses `a` and `b`.
    fn shared(name: &&str) -> BTreeSet<String> {
        name.chars().map(String::from).collect()
    }

    fn started(queue: &mut Queue<&'static str>) -> Vec<Entry<&'static str>> {
        std::iter::from_fn(|| queue.next(shared)).collect()
    }

    fn names(entries: &[Entry<&'static str>]) -> Vec<&'static str> {
        entries.iter().map(|item| item.task).collect()
    }

    fn queue(all: &[&'static str], at_once: usize) -> Queue<&'static str> {
        Queue::new(all.iter().map(|item| (*item, false)), at_once)
    }

    #[test]
    fn tasks_that_share_a_resource_never_run_together() {
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
    fn the_limit_holds_for_working_tasks() {
        let mut queue = queue(&["a", "b", "c"], 2);
        let first = started(&mut queue);
        assert_eq!(names(&first), ["a", "b"]);
        queue.leave(&first[0]);
        assert_eq!(names(&started(&mut queue)), ["c"]);
    }

    #[test]
    fn waiting_tasks_start_first_and_do_not_count() {
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
