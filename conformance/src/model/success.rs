//! Success: finds the record, or the items of a list, in the documented success of an operation.

use openapi_document::view::{
    Document, Located, Location, MediaType, Method, Operation, Response, Status,
};
use openapi_document::{Node, Pointer};
use openapi_facts::envelope::Envelope;

use super::{Call, Record, Role, Success, collection, names_one};
use crate::encoding;
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// Builds the call of an operation. `keys` are the parameters that name one record at or below its path.
pub(super) fn call<'d>(
    document: &'d Document,
    operation: Operation<'d>,
    keys: &[&'d str],
) -> Call<'d> {
    let chosen = chosen(&operation);
    let successes = operation.responses().into_iter();
    let success = successes
        .filter(|response| response.status.is_success())
        .min_by_key(|response| match response.status {
            // A PUT to an empty address creates its record.
            Status::Code(201) if chosen.is_some() || is_put_beside(&operation) => 0,
            // A 200 that answers repeated requests comes after the success of the creation.
            Status::Code(200)
                if operation.method == Method::Post && is_of_another(&operation, response) =>
            {
                299
            }
            Status::Code(code) => code,
            _ => u16::MAX,
        });
    let success = success.map(|response| read_success(document, &operation, response, keys));
    let content = operation.request_body().map(|body| body.content());
    let media = content.and_then(encoding::preferred);
    let overall = document.root.get("info");
    let parameters = operation.parameters().into_iter();
    let of_path = parameters.filter(|parameter| parameter.location == Location::Path);
    let mut path_parameters: Vec<&str> = of_path.map(|parameter| parameter.name).collect();
    path_parameters.sort_by_key(|name| operation.path.find(&format!("{{{name}}}")));
    Call {
        path_parameters,
        links: Vec::new(),
        body: media.and_then(|media| media.schema()),
        success,
        role: Role::Other,
        about: names::singular(collection(operation.path)),
        chosen,
        overall: overall.and_then(|node| node.get("description")?.as_str()),
        operation,
    }
}

/// Whether a success of a POST answers only repeated requests: its text says so ("the key has been used before with
/// the same body"), or the operation also documents 201.
fn is_of_another(operation: &Operation<'_>, response: &Response<'_>) -> bool {
    const BEFORE: [&str; 8] = [
        "before", "already", "earlier", "repeat", "repeated", "replay", "replayed", "again",
    ];
    let text = response.at.node.get("description").and_then(Node::as_str);
    let words = names::words(&text.unwrap_or_default().to_lowercase());
    operation.documents(201) || prose::has(&words, &BEFORE)
}

/// Whether an operation puts a single part of a record, such as the dispute of a payment.
fn is_put_beside(operation: &Operation<'_>) -> bool {
    let path = operation.path.trim_end_matches('/');
    operation.method == Method::Put && !path.ends_with('}')
}

/// The path parameter whose value the client chooses as key. Only operations that also document 201 count, as this
/// status shows that a record was created.
fn chosen<'d>(operation: &Operation<'d>) -> Option<&'d str> {
    let creates = match operation.method {
        Method::Put => true,
        // A POST to the address of one record that answers 201 creates that record.
        Method::Post => names_one(operation.path),
        _ => false,
    };
    named_freely(operation).filter(|_| creates && operation.documents(201))
}

/// The parameter at the end of a path, if any text may be the key.
pub(super) fn named_freely<'d>(operation: &Operation<'d>) -> Option<&'d str> {
    let (_, last) = operation.path.trim_end_matches('/').rsplit_once('/')?;
    let name = last.strip_prefix('{')?.strip_suffix('}')?;
    let mut parameters = operation.parameters().into_iter();
    let parameter = parameters
        .find(|parameter| parameter.location == Location::Path && parameter.name == name)?;
    let schema = parameter.schema()?.node;
    let is_text = schema.get("type").and_then(Node::as_str) == Some("string");
    let is_listed = ["enum", "const"]
        .iter()
        .any(|key| schema.get(key).is_some());
    (is_text && !is_listed).then_some(parameter.name)
}

pub(super) fn read_success<'d>(
    document: &'d Document,
    operation: &Operation<'d>,
    response: Response<'d>,
    keys: &[&'d str],
) -> Success<'d> {
    let media = response.content().into_iter().find(MediaType::is_json);
    let schema = media.as_ref().and_then(MediaType::schema);
    let shape = Shape::of(document, schema.as_ref());
    let items = items_at(document, operation, &shape, schema.as_ref());
    let inner = match &items {
        Some((_, items)) => items.clone(),
        None => shape,
    };
    let record = record(document, operation, &inner, keys);
    Success {
        response,
        media,
        record,
        items: items.map(|(at, _)| at),
    }
}

/// The pointer to the items of a list, and their shape. `None` for a record with a list in it: an object with its
/// path parameter as property, such as `bookId` of `/books/{bookId}`, or with many properties.
fn items_at<'d>(
    document: &'d Document,
    operation: &Operation<'d>,
    shape: &Shape<'d>,
    schema: Option<&Located<'d>>,
) -> Option<(Pointer, Shape<'d>)> {
    let path = operation.path.trim_end_matches('/');
    let last = path
        .rsplit_once("/{")
        .and_then(|(_, word)| word.strip_suffix('}'));
    let names = shape.property_names();
    let is_key = |name: &&str| last.is_some_and(|last| names::same(name, last));
    let envelope = Envelope::of(document, schema);
    let is_other = names.len() > 8 && !envelope.leads_on();
    let items = envelope
        .items
        .filter(|_| !is_other && !names.iter().any(is_key));
    items.filter(|(_, items)| items.lists_properties())
}

/// The record of a body: the body itself if it has a key, else the only object in it with a key.
fn record<'d>(
    document: &'d Document,
    operation: &Operation<'d>,
    shape: &Shape<'d>,
    keys: &[&'d str],
) -> Option<Record<'d>> {
    let has_key = |shape: &Shape<'d>| {
        let names = shape.property_names();
        // `{"project": {…}}` of `/projects/{project}` is an envelope, not a key.
        let is_plain = |name: &str| !shape.property(document, name).lists_properties();
        let is_named =
            |name: &str| keys.iter().any(|property| names::same(property, name)) && is_plain(name);
        names
            .iter()
            .any(|name| names::subject(name).is_some() || is_named(name))
    };
    let record_at = |at: Pointer, shape: &Shape<'d>| {
        let schema = shape.target()?.clone();
        let name = match schema.pointer.component("schemas") {
            Some(name) => names::words(&name).join(" "),
            None => names::singular(collection(operation.path)),
        };
        let key = names::key_property("id", &name, &shape.property_names());
        Some(Record {
            at,
            schema,
            name,
            key,
            of: None,
        })
    };
    if has_key(shape) {
        return record_at(Pointer::root(), shape);
    }
    let below = |at: &Pointer, shape: &Shape<'d>| -> Vec<(Pointer, Shape<'d>)> {
        let names = shape.property_names().into_iter();
        let parts = names.map(|name| (at.join(name), shape.property(document, name)));
        parts.filter(|(_, part)| part.lists_properties()).collect()
    };
    let outer = below(&Pointer::root(), shape);
    let mut inner: Vec<_> = { outer.iter().cloned() }
        .filter(|(_, part)| has_key(part))
        .collect();
    // `{"data": {"list": {…}}}`
    if let ([(at, part)], true) = (&outer[..], inner.is_empty()) {
        inner = below(at, part);
        inner.retain(|(_, part)| has_key(part));
    }
    // An object with a `name` is a record, not an envelope: an object in it, such as its author, is a part of it.
    if !inner.is_empty() && shape.property_names().contains(&"name") {
        return record_at(Pointer::root(), shape);
    }
    match &inner[..] {
        [(at, shape)] => record_at(at.clone(), shape),
        _ => None,
    }
}
