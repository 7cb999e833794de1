//! Action: one change of a document, applied to every node that its target selects.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::merge::{self, Kind};
use super::selector::Selector;
use super::{NOT_APPLICABLE, Problem, WITHOUT_EFFECT, not_valid, unknown};
use crate::diagnostic::Diagnostic;
use crate::node::{Node, Value};
use crate::pointer::Pointer;

/// One action of an overlay.
pub(super) struct Action<'o> {
    target: Selector<'o>,
    change: Change<'o>,
}

/// How an action changes the selected nodes.
enum Change<'o> {
    /// Removes them.
    Remove,
    /// Merges a value into them.
    Update(&'o Node),
    /// Merges a value from the document into them.
    Copy(Selector<'o>),
    /// Does nothing.
    None,
}

impl<'o> Action<'o> {
    pub(super) fn read(node: &'o Node) -> Result<Self, Vec<Diagnostic>> {
        let known = ["target", "description", "update", "copy", "remove"];
        let mut problems = unknown(node, &known);
        let target = match node.get("target") {
            Some(target) => Selector::read(target),
            None => Err(not_valid(node, "an action needs a `target`").into()),
        };
        match (target, Change::read(node)) {
            (Ok(target), Ok(change)) if problems.is_empty() => Ok(Self { target, change }),
            (target, change) => {
                problems.extend(target.err().map(|problem| *problem));
                problems.extend(change.err().map(|problem| *problem));
                Err(problems)
            }
        }
    }

    /// Applies the action. Returns a finding if it changes nothing.
    pub(super) fn apply(&self, root: &mut Node) -> Result<Option<Diagnostic>, Problem> {
        let places = self.target.places(root);
        let copied;
        let value = match &self.change {
            _ if places.is_empty() => {
                return Ok(Some(self.without_effect("the target selects nothing")));
            }
            Change::None => {
                let title = "the action has no `update`, `copy` or `remove`";
                return Ok(Some(self.without_effect(title)));
            }
            Change::Remove => return self.remove(places, root).map(|()| None),
            Change::Update(value) => *value,
            Change::Copy(from) => {
                copied = only(from, root)?;
                &copied
            }
        };
        self.is_of_one_kind(&places, root)?;
        for place in places {
            if let Some(node) = root.at_mut(&place) {
                merge::into_node(node, value)?;
            }
        }
        Ok(None)
    }

    fn without_effect(&self, title: &str) -> Diagnostic {
        let finding = Diagnostic::warning(WITHOUT_EFFECT, format!("{title}: nothing is changed"));
        finding.at(self.target.node.span, "here")
    }

    /// Removes the nodes, inner ones and later items first, so that no other pointer moves.
    fn remove(&self, mut places: Vec<Pointer>, root: &mut Node) -> Result<(), Problem> {
        places.sort_by_key(|place| {
            let index = place.last().and_then(|last| last.parse::<usize>().ok());
            Reverse((place.segments().count(), index))
        });
        for mut place in places {
            let Some(segment) = place.last().map(Cow::into_owned) else {
                let title = "the document itself cannot be removed";
                return Err(not_applicable(self.target.node, title));
            };
            place.pop();
            match root.at_mut(&place).map(|parent| &mut parent.value) {
                Some(Value::Mapping(map)) => map.entries.retain(|entry| entry.key != segment),
                Some(Value::Sequence(items)) => {
                    let index = segment.parse::<usize>().ok();
                    if let Some(index) = index.filter(|index| *index < items.len()) {
                        items.remove(index);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// All selected nodes must be objects, or all arrays, or none of either.
    fn is_of_one_kind(&self, places: &[Pointer], root: &Node) -> Result<(), Problem> {
        let nodes: Vec<&Node> = places.iter().filter_map(|place| root.at(place)).collect();
        let Some((first, others)) = nodes.split_first() else {
            return Ok(());
        };
        let is_other = |node: &&&Node| Kind::of(node) != Kind::of(first);
        let Some(other) = others.iter().find(is_other) else {
            return Ok(());
        };
        let title = "the target selects values of several kinds, which one action cannot change";
        let problem = not_applicable(self.target.node, title);
        let problem = problem.also(first.span, first.type_name());
        Err(problem.also(other.span, other.type_name()).into())
    }
}

impl<'o> Change<'o> {
    fn read(node: &'o Node) -> Result<Self, Problem> {
        match node.get("remove").map(|flag| (flag, flag.as_bool())) {
            Some((_, Some(true))) => return Ok(Self::Remove),
            Some((flag, None)) => {
                return Err(not_valid(flag, "`remove` must be true or false").into());
            }
            Some((_, Some(false))) | None => {}
        }
        match (node.get("update"), node.get("copy")) {
            (Some(_), Some(copy)) => {
                Err(not_valid(copy, "an action has `update` or `copy`, not both").into())
            }
            (Some(value), None) => Ok(Self::Update(value)),
            (None, Some(copy)) => Ok(Self::Copy(Selector::read(copy)?)),
            (None, None) => Ok(Self::None),
        }
    }
}

/// A copy of the single selected node.
fn only(from: &Selector<'_>, root: &Node) -> Result<Node, Problem> {
    let places = from.places(root);
    let node = match places.as_slice() {
        [place] => root.at(place).cloned(),
        _ => None,
    };
    node.ok_or_else(|| {
        let title = format!(
            "`copy` selects {} values, but needs exactly one",
            places.len()
        );
        not_applicable(from.node, &title)
    })
}

fn not_applicable(node: &Node, title: &str) -> Problem {
    let problem = Diagnostic::error(NOT_APPLICABLE, title);
    problem.at(node.span, "here").into()
}
