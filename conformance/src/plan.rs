//! Plan: orders scripts, and blocks requests that must not be sent. Pure.

use std::collections::HashMap;

use openapi_document::view::{Document, Method};

use crate::case::{Collection, Script, Settled, Step, Via};
use crate::collect::{Selection, area};
use crate::withheld::Withheld;

/// What the runner may do to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Whether unsafe requests may be sent.
    pub writes: bool,
    /// Whether requests may race each other.
    pub races: bool,
}

impl Policy {
    /// Everything is allowed on this machine; a server elsewhere may handle real money.
    pub fn new(is_loopback: bool, allow_writes: bool) -> Self {
        Self {
            writes: is_loopback || allow_writes,
            races: is_loopback,
        }
    }
}

/// Scripts and cases in order.
#[derive(Debug)]
pub struct Plan<'d> {
    /// Scripts and decided cases.
    pub items: Vec<Item<'d>>,
    /// Scripts of operations that can harm the server; they run after everything else.
    pub last: Vec<Item<'d>>,
    /// Cases that scripts decide.
    pub via: Vec<Via>,
    /// What the runner may do to the server.
    pub policy: Policy,
}

impl Plan<'_> {
    /// The ids of the cases.
    pub fn cases(&self) -> Vec<String> {
        let of_item = |item: &Item<'_>| match item {
            Item::Settled(settled) => vec![settled.name.id.clone()],
            Item::Script(script) => {
                let reported = script.steps.iter().filter(|step| step.reported);
                reported.map(|step| step.name.id.clone()).collect()
            }
        };
        let scripted = self.items.iter().chain(&self.last).flat_map(of_item);
        scripted
            .chain(self.via.iter().map(|via| via.name.id.clone()))
            .collect()
    }

    /// Removes items that decide no selected case.
    pub fn keep(&mut self, selection: &Selection) {
        if !selection.is_partial() {
            return;
        }
        self.via.retain(|via| selection.wants(&via.name.id));
        let steps: Vec<&String> = self.via.iter().flat_map(|via| &via.steps).collect();
        let is_requested = |item: &Item<'_>| match item {
            Item::Settled(settled) => selection.wants(&settled.name.id),
            Item::Script(script) => script
                .steps
                .iter()
                .any(|step| selection.wants(&step.name.id) || steps.contains(&&step.name.id)),
        };
        self.items.retain(is_requested);
        self.last.retain(is_requested);
    }
}

/// One item of a plan.
#[derive(Debug)]
pub enum Item<'d> {
    /// A case that needs no request.
    Settled(Settled),
    /// Steps that run in order.
    Script(Script<'d>),
}

/// Orders items by area as the document has them: decided cases, single examples, scenarios. Single
/// examples that delete records come at the end, because later areas may need the records. Single
/// examples of operations that can harm the server go to [`Plan::last`].
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
