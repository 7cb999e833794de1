//! One of the ways to an operation that may be tried.

use super::BodySize;
use super::change::Change;
use super::choice::Choice;
use crate::sample::Extent;

/// One way that may be tried.
#[derive(Debug, Clone, Default)]
pub(super) struct Way<'d> {
    /// The example of the call.
    pub(super) own: Option<&'d str>,
    /// The maker of its record, and its example.
    pub(super) maker: Option<(String, Option<&'d str>)>,
    /// What the maker is asked for beside its example.
    pub(super) choice: Option<Choice>,
    /// What changes the record before the call, one after another.
    pub(super) changes: Vec<Change<'d>>,
    /// Whether what is made under the record before the call is of all that the record says to be due: then it may be in the
    /// state of what is settled.
    pub(super) settles: bool,
    /// How much is made up where there is no example.
    pub(super) extent: Extent,
    /// How much of what is made before the call.
    pub(super) extent_before: Extent,
    /// What changes the record that the maker is about, before it makes its own.
    pub(super) before_maker: Vec<Change<'d>>,
    /// The example of the call itself that comes before it.
    pub(super) own_before: Option<&'d str>,
    /// What is named beyond the examples: the operation, and the property of its body.
    pub(super) naming: Vec<(String, &'d str)>,
    /// Whether what the call is about is taken from the list of such.
    pub(super) is_listed: bool,
    /// The operation that has no body, which it need not have.
    pub(super) bare: Option<String>,
    /// Whether the call, which has no body, sends an empty one so that it has a content type.
    pub(super) is_typed: bool,
    /// The path up to which keys are those of records that exist already, as lists have them; what nothing makes below it is taken
    /// from lists, too, or put there.
    pub(super) existing: Option<String>,
    /// The operation whose records are not made: those that examples name are taken.
    pub(super) stands_on: Option<String>,
}

impl<'d> Way<'d> {
    pub(super) fn key(&self, label: &str, depth: usize) -> Option<&'d str> {
        match &self.maker {
            _ if depth == 0 => self.own,
            Some((maker, key)) if maker == label => *key,
            _ => None,
        }
    }

    /// How much is made up so many steps before the call.
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

    /// Whether a property of an operation's body names something though its example does not.
    pub(super) fn names(&self, operation: &str, property: &str) -> bool {
        let mut naming = self.naming.iter();
        naming.any(|own| own.0 == operation && own.1 == property)
    }

    /// The way of a change that comes in between.
    pub(super) fn between(&self, change: &Change<'d>) -> Self {
        Self {
            maker: Some((change.operation.clone(), change.example)),
            choice: change.setting.clone(),
            settles: self.settles,
            extent: self.extent_before,
            extent_before: self.extent_before,
            bare: change.is_bare.then(|| change.operation.clone()),
            ..self.beside()
        }
    }

    /// The way of what has to be there beside it.
    pub(super) fn beside(&self) -> Self {
        Self {
            stands_on: self.stands_on.clone(),
            existing: self.existing.clone(),
            ..Self::default()
        }
    }

    pub(super) fn name(&self) -> String {
        let maker = self.maker.as_ref().and_then(|(_, key)| *key);
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
        let before = self.before_maker.iter();
        let before: Vec<String> = before.map(|own| format!("/after-{}", own.name())).collect();
        let before = before.concat();
        let choice = self
            .choice
            .as_ref()
            .map(|(pointer, value)| format!("/with{pointer}={}", value.to_json()));
        let again = self.own_before.map(|own| format!("/again-{own}"));
        let naming = self.naming.iter().map(|own| format!("/naming-{}", own.1));
        let naming: String = naming.collect();
        let stands = self.stands_on.iter().map(|own| format!("/on-{own}"));
        let stands: String = stands.collect();
        let existing = self.existing.iter().map(|own| format!("/existing-{own}"));
        let existing: String = existing.collect();
        let bare = if self.bare.is_some() { "/bare" } else { "" };
        let typed = if self.is_typed { "/typed" } else { "" };
        let listed = if self.is_listed { "/listed" } else { "" };
        let settled = if self.settles { "/settled" } else { "" };
        format!(
            "{}/{}/{change}{settled}{extent}{}{}{}{naming}{stands}{existing}{bare}{typed}{listed}",
            self.own.unwrap_or("-"),
            maker.unwrap_or("-"),
            before,
            choice.unwrap_or_default(),
            again.unwrap_or_default()
        )
    }
}
