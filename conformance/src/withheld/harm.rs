//! Harm: what an operation does to a server that others use, as its path, its method and its `operationId` show.

use std::fmt;

use openapi_document::view::{Document, Located, Location, Method, Operation};
use openapi_facts::envelope::Envelope;

use crate::encoding;
use crate::names;
use crate::shape::Shape;

/// What an operation does to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// It stops the server.
    Stop,
    /// It resets the server, or erases what is stored.
    Reset,
    /// It ends the session that the run uses.
    Session,
    /// It replaces or revokes a credential.
    Credential,
    /// It deletes all records of a collection, or what there is one of.
    Collection,
    /// It changes a setting of the whole server or account.
    Setting,
    /// The document or the configuration says so.
    Declared,
}

/// The verbs of each harm.
const VERBS: [(Harm, &[&str]); 5] = [
    (Harm::Stop, &["shutdown", "reboot", "restart", "terminate"]),
    (Harm::Reset, &["reset", "purge", "clear"]),
    (Harm::Session, &["logout", "signout"]),
    (
        Harm::Credential,
        &["revoke", "rotate", "regenerate", "password"],
    ),
    (Harm::Collection, &["remove", "delete"]),
];

/// The segment that stands for the account of the run.
const OWN: &str = "me";

impl fmt::Display for Harm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stop => "stops the server",
            Self::Reset => "resets the server or erases what it stores",
            Self::Session => "ends the session",
            Self::Credential => "replaces or revokes a credential",
            Self::Collection => "deletes records that this run did not create",
            Self::Setting => "changes a setting that this run did not create",
            Self::Declared => "is declared as destructive",
        })
    }
}

impl Harm {
    /// Whether an operation does to the record that its path names what harms one of others.
    pub fn is_of_record(operation: &Operation<'_>) -> bool {
        operation.method == Method::Post && by_verb(operation).is_some()
    }

    /// The harm that an operation does. One with a path parameter acts on a record, which may be the run's.
    pub fn of(
        document: &Document,
        all: &[Operation<'_>],
        operation: &Operation<'_>,
    ) -> Option<Self> {
        let declared = operation.at.node.get("x-conformance");
        let declared = declared.and_then(|own| own.get("destructive")?.as_bool());
        match declared {
            Some(true) => return Some(Self::Declared),
            Some(false) => return None,
            None => {}
        }
        if operation.path.contains('{') {
            return None;
        }
        by_verb(operation).or_else(|| match operation.method {
            Method::Delete => removes_all(operation).then_some(Self::Collection),
            Method::Put | Method::Patch => {
                let is_own = operation.path.split('/').any(|own| own == OWN);
                let is_setting = is_own || is_setting(document, all, operation);
                is_setting.then_some(Self::Setting)
            }
            Method::Post => {
                let is_setting = !operation.documents(201) && is_setting(document, all, operation);
                is_setting.then_some(Self::Setting)
            }
            _ => None,
        })
    }
}

/// The harm of a verb that is the last segment of the path, or begins or ends its words or those of the `operationId`. A method that reads or
/// deletes has to have the verb as its last segment.
fn by_verb(operation: &Operation<'_>) -> Option<Harm> {
    let segment = operation.path.rsplit('/').next().unwrap_or_default();
    let segment = names::words(segment);
    let id = names::words(operation.id().unwrap_or_default());
    let is_safe = operation.method.is_safe();
    let is_named = |verb: &str| {
        let spelled = |words: &[String]| {
            let (first, last) = (words.first(), words.last());
            [first, last]
                .into_iter()
                .flatten()
                .any(|word| word.as_str() == verb)
                || words.concat() == *verb
        };
        if is_safe || operation.method == Method::Delete {
            segment.concat() == *verb
        } else {
            spelled(&segment) || spelled(&id)
        }
    };
    let mut verbs = VERBS.iter();
    verbs.find_map(|(harm, verbs)| verbs.iter().any(|verb| is_named(verb)).then_some(*harm))
}

/// Whether a deletion names no record: neither its query nor its body has to say which.
fn removes_all(operation: &Operation<'_>) -> bool {
    let parameters = operation.parameters();
    let mut parameters = parameters.iter();
    let is_chosen = parameters.any(|own| own.location == Location::Query && own.required());
    let body = operation.request_body();
    !is_chosen && !body.is_some_and(|own| own.required())
}

/// Whether a change is of what there is one of: the same path is read, and answers no list.
fn is_setting(document: &Document, all: &[Operation<'_>], operation: &Operation<'_>) -> bool {
    let is_reader = |own: &&Operation<'_>| own.path == operation.path && own.method == Method::Get;
    let Some(reader) = all.iter().find(is_reader) else {
        return false;
    };
    let mut successes = reader.responses().into_iter();
    let success = successes.find(|own| own.status.is_success());
    let schema = success
        .and_then(|own| encoding::preferred(own.content()))
        .and_then(|media| media.schema());
    schema.is_some_and(|own| !is_list(document, &own))
}

fn is_list(document: &Document, schema: &Located<'_>) -> bool {
    let shape = Shape::of(document, Some(schema));
    let is_array = shape.type_name() == Some("array");
    is_array || Envelope::of(document, Some(schema)).items.is_some()
}
