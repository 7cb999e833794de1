//! Plan: the choices from which one recipe for a call is built.

use super::BodySize;
use super::change::Change;
use super::choice::Choice;
use crate::sample::Extent;

/// One way to reach a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan<'d> {
    /// The example that the call sends.
    pub(super) example: Option<&'d str>,
    /// The operation that creates the call's record, and its example.
    pub(super) creator: Option<(String, Option<&'d str>)>,
    /// A property that the creating request sets beyond its example.
    pub(super) choice: Option<Choice>,
    /// The changes of the record before the call, in order.
    pub(super) changes: Vec<Change<'d>>,
    /// Whether payments before the call pay everything that the record shows as due, so that its state can become
    /// settled.
    pub(super) settles: bool,
    /// How much of the call's body is generated if it has no example.
    pub(super) extent: Extent,
    /// How much is generated in the steps before the call.
    pub(super) extent_before: Extent,
    /// The changes of the parent record before the creation.
    pub(super) before_creator: Vec<Change<'d>>,
    /// The example that the call sends once before the actual call.
    pub(super) earlier_example: Option<&'d str>,
    /// The references beyond the examples: operation and body property.
    pub(super) naming: Vec<(String, &'d str)>,
    /// Whether the call's record comes from a list.
    pub(super) is_listed: bool,
    /// The operation that is sent without its optional body.
    pub(super) bare: Option<String>,
    /// Whether a call that documents no body sends an empty one, so that it has a content type.
    pub(super) is_typed: bool,
    /// The part of the path whose keys are those of existing records from lists. Below it, records that no operation
    /// creates also come from lists, or are put there.
    pub(super) existing: Option<String>,
    /// The operation whose records come from examples instead of a creation.
    pub(super) based_on: Option<String>,
}

impl<'d> Plan<'d> {
    pub(super) fn key(&self, label: &str, depth: usize) -> Option<&'d str> {
        match &self.creator {
            _ if depth == 0 => self.example,
            Some((creator, key)) if creator == label => *key,
            _ => None,
        }
    }

    /// How much is generated in a step that is `depth` steps before the call.
    pub(super) fn extent_at(&self, depth: usize) -> Extent {
        if depth == 0 {
            self.extent
        } else {
            self.extent_before
        }
    }

    /// How much of a body the call sends.
    pub(super) fn size(&self) -> BodySize {
        match self.extent {
            _ if self.is_typed => BodySize::Empty,
            Extent::Required | Extent::Plain => BodySize::Required,
            _ => BodySize::Whole,
        }
    }

    /// Whether a body property names a record although the example lacks it.
    pub(super) fn names(&self, operation: &str, property: &str) -> bool {
        let mut naming = self.naming.iter();
        naming.any(|pair| pair.0 == operation && pair.1 == property)
    }

    /// The plan of a change between creation and call.
    pub(super) fn between(&self, change: &Change<'d>) -> Self {
        Self {
            creator: Some((change.operation.clone(), change.example)),
            choice: change.setting.clone(),
            settles: self.settles,
            extent: self.extent_before,
            extent_before: self.extent_before,
            bare: change.is_bare.then(|| change.operation.clone()),
            ..self.beside()
        }
    }

    /// The plan of another step that the call needs.
    pub(super) fn beside(&self) -> Self {
        Self {
            based_on: self.based_on.clone(),
            existing: self.existing.clone(),
            ..Self::default()
        }
    }

    pub(super) fn name(&self) -> String {
        let creator = self.creator.as_ref().and_then(|(_, key)| *key);
        let change = match &self.changes[..] {
            [] => "-".to_owned(),
            all => all.iter().map(Change::name).collect::<Vec<_>>().join("+"),
        };
        let extent = match (self.extent, self.extent_before) {
            (Extent::Plain, _) => "/plain",
            (Extent::Required, _) => "/required",
            (_, Extent::Required) => "/required-before",
            _ => "",
        };
        let before = self.before_creator.iter();
        let before: Vec<String> = before
            .map(|change| format!("/after-{}", change.name()))
            .collect();
        let before = before.concat();
        let choice = self
            .choice
            .as_ref()
            .map(|(pointer, value)| format!("/with{pointer}={}", value.to_json()));
        let again = self.earlier_example.map(|item| format!("/again-{item}"));
        let naming = self.naming.iter().map(|pair| format!("/naming-{}", pair.1));
        let naming: String = naming.collect();
        let stands = self.based_on.iter().map(|item| format!("/on-{item}"));
        let stands: String = stands.collect();
        let existing = self.existing.iter().map(|item| format!("/existing-{item}"));
        let existing: String = existing.collect();
        let bare = if self.bare.is_some() { "/bare" } else { "" };
        let typed = if self.is_typed { "/typed" } else { "" };
        let listed = if self.is_listed { "/listed" } else { "" };
        let settled = if self.settles { "/settled" } else { "" };
        format!(
            "{}/{}/{change}{settled}{extent}{}{}{}{naming}{stands}{existing}{bare}{typed}{listed}",
            self.example.unwrap_or("-"),
            creator.unwrap_or("-"),
            before,
            choice.unwrap_or_default(),
            again.unwrap_or_default()
        )
    }
}
