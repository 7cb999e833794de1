//! Reading: the facts of one side, with their places.

use std::collections::{HashMap, HashSet};

use openapi_document::view::{Location, Operation};
use openapi_document::{Node, Pointer, Span, yaml};
use openapi_facts::{Evidence, Fact, FactId, Rule, Source, Subject, Vocabulary};

use crate::both::mark;
use crate::change::Spot;
use crate::contract::Contract;

/// The facts of one side. Operations have their names in the revision.
#[derive(Debug)]
pub(super) struct Reading<'d> {
    contract: Contract<'d>,
    vocabulary: Vocabulary<'d>,
    pub(super) facts: Vec<Fact>,
    rejected: Vec<FactId>,
    /// Whether the descriptions are in English, so that sentences are read.
    pub(super) is_english: bool,
    /// The names of operations on this side, by their names in the revision.
    local_names: HashMap<String, String>,
}

impl<'d> Reading<'d> {
    /// Reads the facts of a side. `names` has the new name of each renamed operation.
    pub(super) fn of(contract: Contract<'d>, names: &HashMap<String, String>) -> Self {
        let read = openapi_facts::read(contract.document, contract.behaviour);
        let renamed = |fact: Fact| match names.get(fact.rule.owner()) {
            Some(name) => {
                let rule = fact.rule.about(name);
                let id = FactId::of(&rule);
                Fact { id, rule, ..fact }
            }
            None => fact,
        };
        let rejected = read.rejected.into_iter().map(renamed);
        Self {
            contract,
            vocabulary: Vocabulary::new(contract.document),
            is_english: read.notes.is_empty(),
            rejected: rejected.map(|fact| fact.id).collect(),
            facts: read.list.into_iter().map(renamed).collect(),
            local_names: names
                .iter()
                .map(|(old, new)| (new.clone(), old.clone()))
                .collect(),
        }
    }

    /// The ids of rejected facts.
    pub(super) fn rejected(&self) -> impl Iterator<Item = FactId> {
        self.rejected.iter().cloned()
    }

    /// Removes facts that are only read and that either side rejects.
    pub(super) fn drop_rejected(&mut self, rejected: &HashSet<FactId>) {
        let counts = |fact: &Fact| fact.evidence() > Evidence::Read || !rejected.contains(&fact.id);
        self.facts.retain(counts);
    }

    /// Removes facts that are only read.
    pub(super) fn drop_sentences(&mut self) {
        self.facts.retain(|fact| fact.evidence() > Evidence::Read);
    }

    /// Whether the behaviour file has a machine with this name.
    pub(super) fn has_machine(&self, name: &str) -> bool {
        let behaviour = self.contract.behaviour;
        behaviour.is_some_and(|behaviour| behaviour.machine(name).is_some())
    }

    /// Whether this side has the operation, schema or component.
    pub(super) fn has_owner(&self, owner: &str) -> bool {
        self.vocabulary.has_owner(self.local_name(owner))
    }

    /// Whether this side has the parameter or property.
    pub(super) fn has(&self, subject: &Subject) -> bool {
        self.vocabulary.has_subject(&self.local_subject(subject))
    }

    /// The locations of the operation's parameters with this name.
    pub(super) fn locations(&self, subject: &Subject) -> Vec<Location> {
        let operation = self.operation(&subject.owner);
        let parameters = operation.map(|operation| operation.parameters());
        let named = { parameters.into_iter().flatten() }
            .filter(|one| Some(one.name) == subject.name.as_deref());
        named.map(|one| one.location).collect()
    }

    /// Whether an operation on this side has the parameter or property in its request.
    pub(super) fn takes(&self, subject: &Subject) -> bool {
        self.vocabulary.takes(&self.local_subject(subject))
    }

    /// The operation with this name.
    pub(super) fn operation(&self, owner: &str) -> Option<Operation<'d>> {
        self.vocabulary.labelled(self.local_name(owner)).cloned()
    }

    fn local_name<'a>(&'a self, owner: &'a str) -> &'a str {
        self.local_names.get(owner).map_or(owner, String::as_str)
    }

    fn local_subject(&self, subject: &Subject) -> Subject {
        Subject {
            owner: self.local_name(&subject.owner).to_owned(),
            name: subject.name.clone(),
        }
    }

    /// The entry of a fact in the behaviour file, which may have a provenance.
    pub(super) fn entry_of(&self, fact: &Fact) -> Option<&'d Node> {
        let entries = &self.contract.behaviour?.facts;
        let spans: Vec<Span> = fact.because.iter().filter_map(Source::span).collect();
        entries.iter().find(|entry| spans.contains(&entry.span))
    }

    /// The place of a fact; if this side lacks it, the place of its subject.
    pub(super) fn spot(&self, fact: Option<&Fact>, about: &Rule, label: &str) -> Spot {
        let strongest = fact.and_then(|fact| fact.because.iter().max_by_key(|one| one.evidence()));
        let Some((source, span)) = strongest.and_then(|source| Some((source, source.span()?)))
        else {
            return self.near(about);
        };
        let label = match source {
            Source::Sentence { text, .. } => format!("“{text}”"),
            _ => label.to_owned(),
        };
        let in_behaviour = matches!(source, Source::Behaviour(_));
        let pointer = if in_behaviour {
            self.contract.behaviour.and_then(|behaviour| {
                let tree = yaml::read(&behaviour.sources, span.file).ok()?;
                pointer(&tree, span)
            })
        } else {
            pointer(&self.contract.document.root, span)
        };
        Spot {
            pointer: pointer.unwrap_or_else(Pointer::root),
            span,
            in_behaviour,
            label,
        }
    }

    /// The place of the parameter, operation or schema that a rule concerns.
    fn near(&self, about: &Rule) -> Spot {
        let document = self.contract.document;
        let at = |pointer: Pointer, span: Span| Spot {
            pointer,
            span,
            in_behaviour: false,
            label: String::new(),
        };
        let name = about.subject().and_then(|subject| subject.name.as_deref());
        if let Some(operation) = self.operation(about.owner()) {
            let parameters = operation.parameters();
            let parameter = parameters.iter().find(|one| Some(one.name) == name);
            return match parameter {
                Some(parameter) => at(parameter.at.pointer.clone(), parameter.at.node.span),
                None => at(operation.at.pointer.clone(), mark(&operation).span),
            };
        }
        let components = ["schemas", "responses", "requestBodies"];
        let components = components
            .into_iter()
            .flat_map(|section| document.components(section));
        let mut components = components.filter(|(name, _)| *name == about.owner());
        match components.next() {
            Some((_, found)) => at(found.pointer, found.node.span),
            None => at(Pointer::root(), document.root.span),
        }
    }
}

/// The pointer to the node with this span, or whose key has it.
fn pointer(root: &Node, span: Span) -> Option<Pointer> {
    let mut open = vec![(root, Pointer::root())];
    while let Some((node, at)) = open.pop() {
        if node.span == span {
            return Some(at);
        }
        for entry in node.entries() {
            let at = at.join(&entry.key);
            if entry.key_span == span {
                return Some(at);
            }
            open.push((&entry.value, at));
        }
        open.extend(
            node.items()
                .enumerate()
                .map(|(index, item)| (item, at.join(index.to_string()))),
        );
    }
    None
}
