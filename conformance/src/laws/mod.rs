//! Laws: what must hold of a server whatever its records are, derived from the document by names and
//! shapes, and sharpened by the behaviour file. Each law is a file; it brings operations to their
//! calls, sends what it needs, and reports a case for each operation: `laws/<law>/<operationId>`.

use std::collections::BTreeMap;

use crate::collect::Selection;
use crate::model::{Call, Model, Role};
use crate::recipe::Recipes;

mod addressing;
mod agreement;
mod amount;
mod answered;
mod answers;
mod arithmetic;
mod authentication;
mod balance;
mod barred;
mod blocked;
mod bound;
mod bounds;
mod chronicle;
mod clashes;
mod compare;
mod constraints;
mod currency;
mod defaults;
mod deletion;
mod differing;
mod draft;
mod effect;
pub(crate) mod exceptions;
mod expiry;
mod filter;
mod filters;
mod finality;
mod flow;
mod formula;
mod found;
mod freshness;
mod head;
mod histories;
mod inheritance;
mod isolation;
mod items;
mod judging;
mod key;
mod lag;
mod leftovers;
mod listing;
mod location;
mod means;
mod merge;
mod methods;
mod moves;
mod notifications;
mod omission;
mod once;
mod order;
mod ordered;
mod pages;
mod paging;
mod pairs;
mod parameters;
mod parents;
mod parts;
mod party;
mod races;
mod reading;
mod references;
mod refusals;
mod repetition;
mod replaced;
mod replacing;
mod replay;
mod rivals;
mod rule;
mod schedule;
mod shared;
mod showing;
mod siblings;
mod standing;
mod stated;
mod step;
mod steps;
mod success;
mod sums;
mod taken;
mod taking;
mod tenants;
mod totals;
mod unknown;
mod untouched;
mod versions;
mod webhooks;
mod world;

pub(crate) use schedule::hold;
use world::World;

/// One law.
#[derive(Debug, PartialEq, Eq)]
pub struct Law {
    /// Kebab-case, kept for ever.
    pub id: &'static str,
    /// What must hold, in one line.
    pub doc: &'static str,
    /// When it is tried.
    pub(crate) stage: Stage,
}

/// When a law is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before the others: it finds out how operations are brought to succeed.
    First,
    /// Beside others: it looks at records of its own only.
    Beside,
    /// Beside others on a record, and alone on a list, which others would change.
    Apart,
    /// Alone: it looks at what others would change, or races.
    Alone,
}

impl Stage {
    /// When a law of this stage is tried on an operation.
    fn on(self, call: &Call<'_>) -> Self {
        match self {
            Self::Apart if call.role == Role::List => Self::Alone,
            Self::Apart => Self::Beside,
            _ => self,
        }
    }
}

macro_rules! laws {
    ($($module:ident, $id:literal, $stage:ident, $doc:literal;)*) => {
        /// Every law there is, in the order in which they are reported.
        pub static ALL: &[Law] = &[$(Law { id: $id, doc: $doc, stage: Stage::$stage }),*];

        /// Tries a law on an operation.
        async fn run<'d>(law: &Law, world: &mut World<'_, '_, '_, 'd>, call: &Call<'d>) {
            match law.id {
                $($id => $module::run(world, call).await,)*
                _ => {}
            }
        }
    };
}

laws! {
    success, "success", First, "an operation that is brought to succeed answers as documented, with what was sent";
    authentication, "authentication", Beside, "without credentials, with garbled ones or those of another scheme nothing is granted";
    unknown, "unknown", Beside, "a key that nobody has is not found";
    references, "references", Beside, "what a body names has to be there, and what is named must not be deleted";
    constraints, "constraints", Beside, "a request that breaks one keyword of its schema is refused, and one at its bounds is not";
    agreement, "agreement", Beside, "what was answered is what is read, by every key, in every list and each time";
    listing, "listing", Alone, "what was made is in the lists of its kind, and looks there as it is read";
    pages, "paging", Alone, "pages join without gap or repeat, in the size and order that was asked for, else the documented ones";
    deletion, "deletion", Beside, "what is deleted is gone: it is not read, not listed, and not deleted again";
    parents, "parents", Beside, "a child is found under its own parent only";
    repetition, "repetition", Alone, "the same request with the same key makes one record, and another one with that key is refused";
    head, "head", Apart, "HEAD answers as GET does, without a body";
    location, "location", Beside, "where a success says that its record stands, it is";
    methods, "methods", Beside, "another method, kind of answer, kind or size of body is refused, as documented";
    parameters, "parameters", Beside, "a parameter that breaks one keyword of its schema is refused, and so is a body that ends early";
    refusals, "refusals", Beside, "a change that is refused leaves its record as it was";
    races, "races", Alone, "what is granted once, one after another, is granted once when asked at once";
    rivals, "rivals", Alone, "of two steps that exclude each other one is granted when both are asked for at once";
    bounds, "bounds", Beside, "a request at the bounds of its schema is granted, and comes back as it was sent";
    freshness, "freshness", Beside, "each record has a key of its own, and times move with what they tell of";
    inheritance, "inheritance", Beside, "a child has its parent's key, and what the examples of both have in common";
    sums, "sums", Alone, "what is taken from a record never exceeds it: not at once, not in parts, not at the same time";
    notifications, "notifications", Alone, "what a callback or a webhook promises comes: once, in time, signed and in its form";
    balance, "balance", Beside, "the amounts of one record agree with each other, whatever is taken from it";
    moves, "moves", Beside, "what is paid in or out moves a balance by as much, and comes back when it is called off";
    merge, "merge", Beside, "what a patch does not name stays as it was, and what it sets to null is null";
    standing, "standing", Alone, "what a step has changed stays in the lists that can be asked for its state";
    replacing, "replacing", Beside, "what a PUT leaves out has its default, or is no longer what it was";
    defaults, "defaults", Beside, "a property that is left out does what its documented default does";
    isolation, "isolation", Alone, "what is done to one record is done to no other one";
    versions, "versions", Beside, "an entity tag tells versions apart: it moves with each change, and another version is not changed";
    tenants, "tenants", Beside, "what belongs to one tenant is not found by another";
    finality, "finality", Beside, "what is over stays over: no step leads from a state whose name says so";
    clashes, "clashes", Beside, "what a documented conflict says is in use is refused for another record, and changes nothing";
    means, "means", Alone, "what is said to go into or out of a balance that no request names does so, and no more than is there";
    expiry, "expiry", Beside, "what is made for some time lasts as long, and is over then";
    barred, "barred", Beside, "a step is refused in the states that its documented refusal tells of";
    filters, "filters", Alone, "a list that is asked for the records with a value has all of them, and no others";
    leftovers, "leftovers", Alone, "a request that is refused makes no record";
    pairs, "pairs", Beside, "what a documented pair shows an operation to do to a record, and to leave alone, is what it does";
    histories, "histories", Beside, "whatever is done with a record, it is read as the last step has left it";
    chronicle, "chronicle", Beside, "a list of what has happened to a record tells of each step once, under its name";
    answers, "answers", Alone, "whatever an answer was asked for, it is as the schema of its documented status says";
}

/// What laws need to know before any traffic.
#[derive(Debug)]
pub struct Laws<'l, 'd> {
    /// What the document says of its records.
    pub model: &'l Model<'d>,
    /// How operations are brought to succeed.
    pub recipes: Recipes<'l, 'd>,
    /// What is in scope.
    pub selection: &'l Selection,
}

/// Documented statuses that were answered as documented: (operation, status) → the cases that did.
pub(crate) type Reached = BTreeMap<(String, u16), Vec<String>>;
