//! Laws: what must hold of a server whatever its records are, derived from the document by names and
//! shapes, and sharpened by the behaviour file. Each law is a file; it brings operations to their
//! calls, sends what it needs, and reports a case for each operation: `laws/<law>/<operationId>`.

use std::collections::BTreeMap;

use crate::collect::Selection;
use crate::execute::Runner;
use crate::model::Model;
use crate::recipe::Recipes;

mod addressing;
mod agreement;
mod amount;
mod answered;
mod authentication;
mod bounds;
mod compare;
mod constraints;
mod deletion;
mod freshness;
mod head;
mod histories;
mod inheritance;
mod listing;
mod location;
mod methods;
mod order;
mod pages;
mod paging;
mod parameters;
mod parents;
mod races;
mod refusals;
mod repetition;
mod success;
mod sums;
mod unknown;
pub(crate) mod world;

use world::World;

/// One law.
#[derive(Debug, PartialEq, Eq)]
pub struct Law {
    /// Kebab-case, kept for ever.
    pub id: &'static str,
    /// What must hold, in one line.
    pub doc: &'static str,
}

macro_rules! laws {
    ($($module:ident, $id:literal, $doc:literal;)*) => {
        /// Every law there is, in the order in which they are tried.
        pub static ALL: &[Law] = &[$(Law { id: $id, doc: $doc }),*];

        /// Tries every law.
        pub(crate) async fn run(world: &mut World<'_, '_, '_, '_>) {
            $(
                world.begin($id);
                $module::run(world).await;
            )*
        }
    };
}

laws! {
    success, "success", "an operation that is brought to succeed answers as documented, with what was sent";
    authentication, "authentication", "without credentials, with garbled ones or those of another scheme nothing is granted";
    unknown, "unknown", "a key that nobody has is not found";
    constraints, "constraints", "a request that breaks one keyword of its schema is refused, and one at its bounds is not";
    agreement, "agreement", "what was answered is what is read, by every key, in every list and each time";
    listing, "listing", "what was made is in the lists of its kind, and looks there as it is read";
    pages, "paging", "pages join without gap or repeat, in the size and order that was asked for, else the documented ones";
    deletion, "deletion", "what is deleted is gone: it is not read, not listed, and not deleted again";
    parents, "parents", "a child is found under its own parent only";
    repetition, "repetition", "the same request with the same key makes one record, and another one with that key is refused";
    head, "head", "HEAD answers as GET does, without a body";
    location, "location", "where a success says that its record stands, it is";
    methods, "methods", "another method, kind of answer, kind or size of body is refused, as documented";
    parameters, "parameters", "a parameter that breaks one keyword of its schema is refused, and so is a body that ends early";
    refusals, "refusals", "a change that is refused leaves its record as it was";
    races, "races", "what is granted once, one after another, is granted once when asked at once";
    bounds, "bounds", "a request at the bounds of its schema is granted, and comes back as it was sent";
    freshness, "freshness", "each record has a key of its own, and times move with what they tell of";
    inheritance, "inheritance", "a child has its parent's key, and what the examples of both have in common";
    sums, "sums", "what is taken from a record never exceeds it: not at once, not in parts, not at the same time";
    histories, "histories", "whatever is done with a record, it is read as the last step has left it";
}

/// What laws need to know before any traffic.
#[derive(Debug)]
pub struct Laws<'l, 'd> {
    /// What the document says of its records.
    pub model: Model<'d>,
    /// How operations are brought to succeed.
    pub recipes: Recipes<'d>,
    /// What is in scope.
    pub selection: &'l Selection,
}

/// Documented statuses that were answered as documented: (operation, status) → the cases that did.
pub(crate) type Reached = BTreeMap<(String, u16), Vec<String>>;

/// Tries every law on a server.
pub(crate) async fn hold<'d>(runner: &mut Runner<'_, '_, 'd>, laws: &Laws<'_, 'd>) -> Reached {
    let mut world = World::new(runner, &laws.model, &laws.recipes, laws.selection);
    run(&mut world).await;
    world.into_reached()
}
