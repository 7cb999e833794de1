//! How a record is named in a request: by the values of path parameters, headers and properties of a body.

use spec::Node;

use crate::exchange::Sent;
use crate::model::{Call, Role, names, segment_before};
use crate::value;

/// Whether a request has a header that another one on the same record has to have, too: not those
/// that tell requests apart.
pub(crate) fn told_again(name: &str, with: &Sent) -> bool {
    let words = names::words(name);
    let tells_apart = words
        .iter()
        .any(|own| own == "request" || own == "idempotency");
    !tells_apart && with.header(name).is_some()
}

/// Whether the path of a reader or a list can be filled in for a record.
pub(crate) fn can_address(reader: &Call<'_>, record: &Node, with: &Sent) -> bool {
    let mut names = reader.path_parameters().into_iter();
    names.all(|name| bound(reader, name, record, with).is_some())
}

/// The value of a path parameter in a record, else in the request that the record came with.
pub(crate) fn bound(
    reader: &Call<'_>,
    parameter: &str,
    record: &Node,
    with: &Sent,
) -> Option<Node> {
    let properties: Vec<&str> = record.entries().map(|own| own.key.as_str()).collect();
    let path = reader.operation.path;
    let kind = reader
        .record()
        .map(|own| own.name.clone())
        .unwrap_or_default();
    let segment = names::singular(segment_before(path, parameter).unwrap_or_default());
    // The last parameter is the record's own key; those before it are keys of what it belongs to.
    let is_last = path.rfind('{') == path.find(&format!("{{{parameter}}}"));
    let is_own = is_last && reader.role != Role::List;
    let own = || {
        names::key_property(parameter, &kind, &properties)
            .or_else(|| names::key_property(parameter, &segment, &properties))
    };
    let exact = properties
        .iter()
        .copied()
        .find(|own| names::same(own, parameter));
    let of_request = || {
        let mut arguments = with.path_arguments.iter();
        let (_, text) = arguments.find(|(name, _)| names::same(name, parameter))?;
        Some(value::string(text))
    };
    let of_record = |name: Option<&str>| {
        let node = record.get(name?)?;
        (!node.is_null()).then(|| node.clone())
    };
    if is_own {
        of_record(own()).or_else(of_request)
    } else {
        of_request().or_else(|| of_record(exact))
    }
}

/// Whether a request names a key: in its path, or in a property of its body, or of a part of that, which is named like one.
pub(crate) fn names_key(call: &Call<'_>, sent: &Sent, key: &Node) -> bool {
    let text = value::plain(key);
    let in_path = sent.path_arguments.iter().any(|(_, own)| *own == text);
    // A long text, or one of letters and digits, is no other record's by chance.
    let has = |is: fn(&char) -> bool| text.chars().any(|own| is(&own));
    let is_mixed = text.len() >= 5 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
    let is_telling = key.as_str().is_some_and(|own| own.len() >= 8 || is_mixed);
    let in_body = || {
        let mut body = sent.json.iter();
        body.any(|own| tells_key(own, (key, is_telling), 0))
    };
    (in_path || in_body()) && !call.operation.method.is_safe()
}

/// Parts of parts are looked at this deep.
const DEEPEST: usize = 2;

fn tells_key(body: &Node, (key, is_telling): (&Node, bool), depth: usize) -> bool {
    body.entries().any(|own| {
        let is_called = is_telling || names::subject(&own.key).is_some();
        let within = || depth < DEEPEST && tells_key(&own.value, (key, is_telling), depth + 1);
        (is_called && own.value.same_value(key)) || within()
    })
}
