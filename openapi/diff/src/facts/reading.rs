//! Reading: the facts of one side, and where they stand.

use std::collections::{HashMap, HashSet};

use openapi_document::view::{Location, Operation};
use openapi_document::{Node, Pointer, Span, yaml};
use openapi_facts::{Evidence, Fact, FactId, Rule, Source, Subject, Vocabulary};

use crate::both::mark;
use crate::change::Spot;
use crate::contract::Contract;

/// What one side says about the service. Operations are called as in the revision.
#[derive(Debug)]
pub(super) struct Reading<'d> {
    contract: Contract<'d>,
    vocabulary: Vocabulary<'d>,
    pub(super) facts: Vec<Fact>,
    rejected: Vec<FactId>,
    /// Whether sentences are read.
    pub(super) is_english: bool,
    /// What operations are called on this side, by their name in the revision.
    own_names: HashMap<String, String>,
}

impl<'d> Reading<'d> {
    /// What a side says. `names` has what its operations are called in the revision, where that differs.
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
            own_names: names
                .iter()
                .map(|(own, new)| (new.clone(), own.clone()))
                .collect(),
        }
    }

    /// The ids of the facts that the owner has rejected.
    pub(super) fn rejected(&self) -> impl Iterator<Item = FactId> {
        self.rejected.iter().cloned()
    }

    /// Leaves out what is only read, and was rejected on either side.
    pub(super) fn pass_over(&mut self, rejected: &HashSet<FactId>) {
        let counts = |fact: &Fact| fact.evidence() > Evidence::Read || !rejected.contains(&fact.id);
        self.facts.retain(counts);
    }

    /// Leaves out what is only read.
    pub(super) fn pass_over_sentences(&mut self) {
        self.facts.retain(|fact| fact.evidence() > Evidence::Read);
    }

    /// The machines of the behaviour file.
    pub(super) fn has_machine(&self, name: &str) -> bool {
        let behaviour = self.contract.behaviour;
        behaviour.is_some_and(|behaviour| behaviour.machine(name).is_some())
    }

    /// Whether the side has the operation, schema or component.
    pub(super) fn has_owner(&self, owner: &str) -> bool {
        self.vocabulary.has_owner(self.own_name(owner))
    }

    /// Whether the side has the parameter or property.
    pub(super) fn has(&self, subject: &Subject) -> bool {
        self.vocabulary.has_subject(&self.own_subject(subject))
    }

    /// Where the parameters of this name travel.
    pub(super) fn locations(&self, subject: &Subject) -> Vec<Location> {
        let operation = self.operation(&subject.owner);
        let parameters = operation.map(|operation| operation.parameters());
        let named = { parameters.into_iter().flatten() }
            .filter(|one| Some(one.name) == subject.name.as_deref());
        named.map(|one| one.location).collect()
    }

    /// Whether an operation of the side takes the parameter or property.
    pub(super) fn takes(&self, subject: &Subject) -> bool {
        self.vocabulary.takes(&self.own_subject(subject))
    }

    /// The operation of a name.
    pub(super) fn operation(&self, owner: &str) -> Option<Operation<'d>> {
        self.vocabulary.labelled(self.own_name(owner)).cloned()
    }

    fn own_name<'a>(&'a self, owner: &'a str) -> &'a str {
        self.own_names.get(owner).map_or(owner, String::as_str)
    }

    fn own_subject(&self, subject: &Subject) -> Subject {
        Subject {
            owner: self.own_name(&subject.owner).to_owned(),
            name: subject.name.clone(),
        }
    }

    /// How sure the side is of a fact, where its entry in the behaviour file says so.
    pub(super) fn entry_of(&self, fact: &Fact) -> Option<&'d Node> {
        let entries = &self.contract.behaviour?.facts;
        let spans: Vec<Span> = fact.because.iter().filter_map(Source::span).collect();
        entries.iter().find(|entry| spans.contains(&entry.span))
    }

    /// Where a fact stands; of what is not there the place of what it would be about.
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

    /// The parameter, the operation or the schema that a rule is about.
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
        let mut components = components.filter(|(own, _)| *own == about.owner());
        match components.next() {
            Some((_, found)) => at(found.pointer, found.node.span),
            None => at(Pointer::root(), document.root.span),
        }
    }
}

/// The pointer to the node that stands at a place, or has its key there.
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
