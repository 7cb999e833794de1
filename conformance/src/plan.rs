//! Plan: the order of what is run, and what must not be sent. Pure.

use std::collections::HashMap;

use openapi_document::view::{Document, Method};

use crate::case::{Collection, Script, Settled, Step, Via};
use crate::collect::{Selection, area};
use crate::withheld::Withheld;

/// What may be done to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether requests that change something may be sent.
    pub writes: bool,
    /// Whether requests may race each other.
    pub races: bool,
}

impl Policy {
    /// On this machine everything goes; elsewhere somebody's money may be behind the server.
    pub fn new(is_loopback: bool, allow_writes: bool) -> Self {
        Self {
            writes: is_loopback || allow_writes,
            races: is_loopback,
        }
    }
}

/// What is run, in order.
#[derive(Debug)]
pub struct Plan<'d> {
    /// Scripts and settled cases.
    pub items: Vec<Item<'d>>,
    /// Scripts of operations that harm the server, which follow everything else.
    pub last: Vec<Item<'d>>,
    /// Cases that scripts decide.
    pub via: Vec<Via>,
    /// What may be done.
    pub policy: Policy,
}

impl Plan<'_> {
    /// The ids of its cases.
    pub fn cases(&self) -> Vec<String> {
        let of_item = |item: &Item<'_>| match item {
            Item::Settled(settled) => vec![settled.name.id.clone()],
            Item::Script(script) => {
                let reported = script.steps.iter().filter(|step| step.reported);
                reported.map(|step| step.name.id.clone()).collect()
            }
        };
        let own = self.items.iter().chain(&self.last).flat_map(of_item);
        own.chain(self.via.iter().map(|via| via.name.id.clone()))
            .collect()
    }

    /// Leaves out what decides no case that is asked for.
    pub fn keep(&mut self, selection: &Selection) {
        if !selection.is_partial() {
            return;
        }
        self.via.retain(|via| selection.wants(&via.name.id));
        let steps: Vec<&String> = self.via.iter().flat_map(|via| &via.steps).collect();
        let is_wanted = |item: &Item<'_>| match item {
            Item::Settled(settled) => selection.wants(&settled.name.id),
            Item::Script(script) => script
                .steps
                .iter()
                .any(|step| selection.wants(&step.name.id) || steps.contains(&&step.name.id)),
        };
        self.items.retain(is_wanted);
        self.last.retain(is_wanted);
    }
}

/// One item of a plan.
#[derive(Debug)]
pub enum Item<'d> {
    /// Nothing is to be sent.
    Settled(Settled),
    /// Steps to be run one after another.
    Script(Script<'d>),
}

/// Orders by area as the document has them: what is settled, single examples, scenarios; and after all of them the
/// single examples that delete what others may need, whose area may come later. Single examples of operations that harm the
/// server are apart.
pub fn plan<'d>(
    document: &Document,
    collection: Collection<'d>,
    policy: Policy,
    withheld: &Withheld,
) -> Plan<'d> {
    let mut order = HashMap::new();
    for operation in document.operations() {
        let next = order.len();
        order.entry(area(&operation)).or_insert(next);
    }
    let settled = collection.settled.into_iter().map(Item::Settled);
    let scripts = collection.scripts.into_iter().map(|mut script| {
        block(&mut script, policy);
        Item::Script(script)
    });
    let mut items: Vec<Item<'d>> = settled.chain(scripts).collect();
    items.sort_by_key(|item| {
        let (area, rank) = match item {
            Item::Settled(settled) => (&settled.name.area, 0),
            Item::Script(script) if script.steps.iter().any(|step| step.flow.spot.is_some()) => {
                (&script.area, 2)
            }
            Item::Script(script) if script.steps.iter().any(deletes) => (&script.area, 3),
            Item::Script(script) => (&script.area, 1),
        };
        let is_last = rank == 3;
        let area = order.get(area).copied().unwrap_or(usize::MAX);
        (is_last, area, rank)
    });
    let harms = |item: &Item<'_>| match item {
        Item::Settled(_) => false,
        Item::Script(script) => match &script.steps[..] {
            [step] => withheld.is_last(&step.name.operation),
            _ => false,
        },
    };
    let (last, items) = items.into_iter().partition(harms);
    Plan {
        items,
        last,
        via: collection.via,
        policy,
    }
}

fn deletes(step: &Step<'_>) -> bool {
    step.operation.method == Method::Delete
}

fn block(script: &mut Script<'_>, policy: Policy) {
    for step in &mut script.steps {
        let writes = !step.operation.method.is_safe();
        let races = step.flow.parallel.is_some();
        if writes && !policy.writes {
            step.blocked = Some(
                "the request changes something, and the server is not on this machine: \
                 give --allow-writes to send it"
                    .to_owned(),
            );
        } else if races && !policy.races {
            step.blocked =
                Some("requests race each other on servers on this machine only".to_owned());
        }
    }
}
