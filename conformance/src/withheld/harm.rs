//! Harm: how an operation can harm a server that others use, by its path, method and `operationId`.

use std::fmt;

use openapi_document::view::{Document, Located, Location, Method, Operation};
use openapi_facts::envelope::Envelope;

use crate::encoding;
use crate::names;
use crate::shape::Shape;

/// The harm that an operation can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Harm {
    /// The operation stops the server.
    Stop,
    /// The operation resets the server, or erases what it stores.
    Reset,
    /// The operation ends the session of the run.
    Session,
    /// The operation replaces or revokes a credential.
    Credential,
    /// The operation deletes a whole collection, or a single resource without a key.
    Collection,
    /// The operation changes a setting of the whole server or account.
    Setting,
    /// The document or the configuration declares the operation as harmful.
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

/// The verbs of operations that replace a setting and answer nothing: `setCors`, `updateSortOrder`.
const SETTERS: [&str; 3] = ["set", "update", "configure"];

/// The names of keys that do not name their record.
const CALLED: [&str; 3] = ["id", "ids", "key"];

/// The last path segments of settings, which a `POST` changes even if it documents 201.
const SETTINGS: [&str; 4] = ["settings", "config", "configuration", "preferences"];

/// The path segment for the account of the run.
const ACCOUNT: &str = "me";

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
    /// Whether an operation applies a harmful verb to the record in its path.
    pub fn is_of_record(operation: &Operation<'_>) -> bool {
        operation.method == Method::Post && by_verb(operation).is_some()
    }

    /// The harm that an operation can do. An operation with a path parameter acts on a record,
    /// which may belong to the run.
    pub fn of(
        document: &Document,
        all: &[Operation<'_>],
        operation: &Operation<'_>,
    ) -> Option<Self> {
        let declared = operation.at.node.get("x-conformance");
        let declared = declared.and_then(|declared| declared.get("destructive")?.as_bool());
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
                let is_account = operation.path.split('/').any(|item| item == ACCOUNT);
                let is_setting = is_account
                    || is_setting(document, all, operation)
                    || replaces_silently(document, all, operation);
                is_setting.then_some(Self::Setting)
            }
            Method::Post => {
                let is_setting = is_setting(document, all, operation)
                    || replaces_silently(document, all, operation);
                let last = operation.stem().rsplit('/').next().unwrap_or_default();
                let is_created = operation.documents(201) && !SETTINGS.contains(&last);
                (is_setting && !is_created).then_some(Self::Setting)
            }
            _ => None,
        })
    }
}

/// The harm of a verb. The verb is the last segment of the path, or the first or last word of that
/// segment or of the `operationId`. For a safe method and `DELETE`, the verb must be the whole last
/// segment.
fn by_verb(operation: &Operation<'_>) -> Option<Harm> {
    let segment = operation.stem().rsplit('/').next().unwrap_or_default();
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

/// Whether a deletion selects no record: neither its query nor its body is required.
fn removes_all(operation: &Operation<'_>) -> bool {
    let parameters = operation.parameters();
    let mut parameters = parameters.iter();
    let is_chosen = parameters.any(|part| part.location == Location::Query && part.required());
    let body = operation.request_body();
    !is_chosen && !body.is_some_and(|part| part.required())
}

/// Whether an operation changes a single resource: a `GET` with the same path does not return a
/// list.
fn is_setting(document: &Document, all: &[Operation<'_>], operation: &Operation<'_>) -> bool {
    let read = reading(all, operation);
    read.is_some_and(|schema| !is_list(document, &schema))
}

/// Whether an operation is named as a setter, every success of it has no body, and its body has no
/// key of a record: it replaces something that existed before. An operation on a collection
/// replaces records.
fn replaces_silently(
    document: &Document,
    all: &[Operation<'_>],
    operation: &Operation<'_>,
) -> bool {
    let first = |text: &str| names::words(text).into_iter().next().unwrap_or_default();
    let segment = operation.stem().rsplit('/').next().unwrap_or_default();
    let verbs = [first(segment), first(operation.id().unwrap_or_default())];
    let is_setter = verbs.iter().any(|verb| SETTERS.contains(&verb.as_str()));
    let responses = operation.responses();
    let mut successes = responses.iter().filter(|item| item.status.is_success());
    let is_silent =
        successes.clone().next().is_some() && successes.all(|success| success.content().is_empty());
    let is_of_list = || {
        let read = reading(all, operation);
        read.is_some_and(|schema| is_list(document, &schema))
    };
    is_setter && is_silent && !is_of_list() && !names_a_record(document, operation)
}

/// Whether the body or a required query parameter has the key of a record.
fn names_a_record(document: &Document, operation: &Operation<'_>) -> bool {
    let is_key = |name: &str| names::subject(name).is_some() || CALLED.contains(&name);
    let parameters = operation.parameters();
    let mut parameters = parameters.iter();
    let asks = parameters
        .any(|part| part.location == Location::Query && part.required() && is_key(part.name));
    let body = operation.request_body();
    let schema = body.and_then(|body| encoding::preferred(body.content())?.schema());
    let shape = Shape::of(document, schema.as_ref());
    let items = shape.items(document);
    let names = shape.property_names().into_iter();
    asks || names.chain(items.property_names()).any(is_key)
}

/// The schema that the `GET` of an operation's path answers.
fn reading<'d>(all: &[Operation<'d>], operation: &Operation<'_>) -> Option<Located<'d>> {
    let is_reader =
        |item: &&Operation<'_>| item.path == operation.path && item.method == Method::Get;
    let mut successes = all.iter().find(is_reader)?.responses().into_iter();
    let success = successes.find(|success| success.status.is_success())?;
    encoding::preferred(success.content())?.schema()
}

fn is_list(document: &Document, schema: &Located<'_>) -> bool {
    let shape = Shape::of(document, Some(schema));
    let is_array = shape.type_name() == Some("array");
    is_array || Envelope::of(document, Some(schema)).items.is_some()
}
