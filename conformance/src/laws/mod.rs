//! Laws: what must hold of a server whatever its records are, derived from the document by names and
//! shapes, and sharpened by the behaviour file. Each law is a file; it brings operations to their
//! calls, sends what it needs, and says what it finds in a case for each operation: `laws/<law>/<operationId>`.

use std::collections::BTreeMap;

use crate::collect::Selection;
use crate::model::{Call, Model, Role};
use crate::recipe::Recipes;

pub(crate) mod amounts;
pub(crate) mod exceptions;
mod lists;
mod notices;
mod queue;
mod records;
mod requests;
mod schedule;
pub(crate) mod steps;
mod trial;

pub(crate) use lists::paging::divides;
pub(crate) use schedule::hold;
use trial::draft::{Draft, Tried};
use trial::world::World;

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
    /// Beside others, and before them: it waits for time to pass.
    Waiting,
    /// Beside others on a record, and alone on a list, which others would change.
    Apart,
    /// Beside a few others: it races on records of its own.
    Racing,
    /// Alone: it looks at what others would change.
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
    ($($group:ident::$module:ident, $id:literal, $stage:ident, $doc:literal;)*) => {
        /// Every law there is, in the order in which they are reported.
        pub static ALL: &[Law] = &[$(Law { id: $id, doc: $doc, stage: Stage::$stage }),*];

        /// Tries a law on an operation.
        async fn run<'d>(
            law: &Law,
            world: &mut World<'_, '_, '_, 'd>,
            call: &Call<'d>,
            draft: &mut Draft,
        ) -> Tried {
            match law.id {
                $($id => $group::$module::run(world, call, draft).await,)*
                _ => Ok(false),
            }
        }
    };
}

laws! {
    records::success, "success", First, "an operation that is brought to succeed answers as documented, with what was sent";
    requests::authentication, "authentication", Beside, "without credentials, with garbled ones or those of another scheme nothing is granted";
    requests::unknown, "unknown", Beside, "a key that nobody has is not found";
    requests::references, "references", Beside, "what a body names has to be there, and what is named must not be deleted";
    requests::constraints, "constraints", Beside, "a request that breaks one keyword of its schema is refused, and one at its bounds is not";
    records::agreement, "agreement", Beside, "what was answered is what is read, by every key, in every list and each time";
    lists::listing, "listing", Alone, "what was made is in the lists of its kind, and looks there as it is read";
    lists::pages, "paging", Alone, "pages join without gap or repeat, in the size and order that was asked for, else the documented ones";
    records::deletion, "deletion", Beside, "what is deleted is gone: it is not read, not listed, and not deleted again";
    records::parents, "parents", Beside, "a child is found under its own parent only";
    requests::repetition, "repetition", Alone, "the same request with the same key makes one record, and another one with that key is refused";
    requests::head, "head", Apart, "HEAD answers as GET does, without a body";
    requests::location, "location", Beside, "where a success says that its record stands, it is";
    requests::methods, "methods", Beside, "another method, kind of answer, kind or size of body is refused, as documented";
    requests::parameters, "parameters", Beside, "a parameter that breaks one keyword of its schema is refused, and so is a body that ends early";
    requests::refusals, "refusals", Beside, "a change that is refused leaves its record as it was";
    steps::races, "races", Racing, "what is granted once, one after another, is granted once when asked at once";
    steps::rivals, "rivals", Racing, "of two steps that exclude each other one is granted when both are asked for at once";
    requests::bounds, "bounds", Beside, "a request at the bounds of its schema is granted, and comes back as it was sent";
    records::freshness, "freshness", Beside, "each record has a key of its own, and times move with what they tell of";
    records::inheritance, "inheritance", Beside, "a child has its parent's key, and what the examples of both have in common";
    amounts::sums, "sums", Alone, "what is taken from a record never exceeds it: not at once, not in parts, not at the same time";
    amounts::supply, "supply", Alone, "no more is taken than a record tells to be available, and what is released is available again";
    notices::notifications, "notifications", Waiting, "what a callback or a webhook promises comes: once, in time, signed and in its form";
    amounts::aggregates, "aggregates", Alone, "what is said to be the sum or the number of records moves as they do, whatever is done with them";
    amounts::balance, "balance", Beside, "the amounts of one record agree with each other, whatever is taken from it";
    amounts::moves, "moves", Beside, "what is paid in or out moves a balance by as much, and comes back when it is called off";
    records::merge, "merge", Beside, "what a patch does not name stays as it was, and what it sets to null is null";
    lists::standing, "standing", Alone, "what a step has changed stays in the lists that can be asked for its state";
    records::replacing, "replacing", Beside, "what a PUT leaves out has its default, or is no longer what it was";
    requests::defaults, "defaults", Beside, "a property that is left out does what its documented default does";
    records::omitted, "omitted", Alone, "what a request leaves out is not taken from the one before it";
    records::isolation, "isolation", Alone, "what is done to one record is done to no other one";
    records::versions, "versions", Beside, "an entity tag tells versions apart: it moves with each change, and another version is not changed";
    requests::tenants, "tenants", Beside, "what belongs to one tenant is not found by another";
    requests::rights, "rights", Beside, "whoever may only read is refused what changes something, as documented";
    steps::finality, "finality", Beside, "what is over stays over: no step leads from a state whose name says so";
    steps::clashes, "clashes", Beside, "what a documented conflict says is in use is refused for another record, and changes nothing";
    amounts::means, "means", Alone, "what is said to go into or out of a balance that no request names does so, and no more than is there";
    steps::expiry, "expiry", Beside, "what is made for some time lasts as long, and is over then";
    steps::barred, "barred", Beside, "a step is refused in the states that its documented refusal tells of";
    steps::capacity, "capacity", Beside, "no more is made than a text says there may be";
    steps::settings, "settings", Beside, "a state that is set is one that a text leads to from the state that there is";
    steps::former, "former", Beside, "a step that is said to lead back leads to the state that was before, and to the one that is told for each";
    lists::filters, "filters", Alone, "a list that is asked for the records with a value has all of them, and no others";
    requests::leftovers, "leftovers", Alone, "a request that is refused makes no record";
    records::pairs, "pairs", Beside, "what a documented pair shows an operation to do to a record, and to leave alone, is what it does";
    records::terms, "terms", Beside, "a time is so long after another one as is asked for, or said, where documented answers show it";
    records::keeping, "keeping", Beside, "what is said to keep what it had does, whatever becomes of what it was made of";
    requests::limits, "limits", Beside, "what a text says to be limited by a property of another record is refused beyond it";
    requests::sides, "sides", Beside, "what is moved goes to another record than it comes from, where a text says so";
    requests::casing, "casing", Beside, "what a text says to be kept in small letters, or without the spaces around it, is, however it was sent";
    steps::histories, "histories", Beside, "whatever is done with a record, it is read as the last step has left it";
    steps::chronicle, "chronicle", Beside, "a list of what has happened to a record tells of each step once, under its name";
    requests::answers, "answers", Alone, "whatever an answer was asked for, it is as the schema of its documented status says";
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
