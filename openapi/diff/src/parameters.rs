//! Parameters: compares the parameters of operations.

use std::rc::Rc;

use super::both::Both;
use super::lifecycle::{self, State, Subject, Sunset};
use super::place::{Place, Root};
use super::rule::Direction;
use super::schema::{Between, Types};
use super::side::Mark;
use super::{Comparison, Finding, Use, responses};
use openapi_document::node::Node;
use openapi_document::provenance::Provenance;
use openapi_document::view::{Location, Operation, Parameter};

/// Compares the parameters of an operation. Those of a callback are treated like response headers.
pub(super) fn compare<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>) {
    let (old, new) = (both.base.parameters(), both.revision.parameters());
    let pairs: Vec<(Option<usize>, Option<usize>)> = pairs(both, &old, &new);
    for (from, to) in pairs {
        match (from.map(|place| &old[place]), to.map(|place| &new[place])) {
            (Some(from), Some(to)) if both.is_callback => {
                let names = (from.name, from.at.node, to.at.node);
                responses::compare_header(comparison, both, names, "request", Direction::Response);
            }
            (from, to) if both.is_callback => {
                let node = |parameter: &Parameter<'d>| parameter.at.node;
                let name = from.or(to).map_or("", |parameter| parameter.name);
                let nodes = (from.map(node), to.map(node));
                let owners = (list(&both.base).node, list(&both.revision).node);
                let way = Direction::Response;
                responses::header_exists(comparison, both, name, nodes, owners, "request", way);
            }
            (Some(from), Some(to)) => compare_both(comparison, both, from, to),
            (None, Some(to)) => added(comparison, both, to),
            (Some(from), None) => removed(comparison, both, from),
            (None, None) => {}
        }
    }
}

/// Pairs parameters. Path parameters are identified by their position in the path, and headers
/// regardless of case.
fn pairs(
    both: &Both<'_>,
    old: &[Parameter<'_>],
    new: &[Parameter<'_>],
) -> Vec<(Option<usize>, Option<usize>)> {
    let key = |operation: &Operation<'_>, parameter: &Parameter<'_>| {
        let place = match parameter.location {
            Location::Path => position(operation.path, parameter.name),
            _ => None,
        };
        let name = match (place, parameter.location) {
            (Some(place), _) => place.to_string(),
            (None, Location::Header) => parameter.name.to_ascii_lowercase(),
            (None, _) => parameter.name.to_owned(),
        };
        (parameter.location, name)
    };
    let keys: Vec<_> = new
        .iter()
        .map(|parameter| key(&both.revision, parameter))
        .collect();
    let mut found = vec![false; new.len()];
    let mut pairs = Vec::new();
    for (from, parameter) in old.iter().enumerate() {
        let wanted = key(&both.base, parameter);
        let to = keys.iter().position(|other| *other == wanted);
        if let Some(to) = to {
            found[to] = true;
        }
        pairs.push((Some(from), to));
    }
    let added = found.iter().enumerate().filter(|(_, found)| !**found);
    pairs.extend(added.map(|(to, _)| (None, Some(to))));
    pairs
}

/// The position of a name among the parameters of a path template.
fn position(path: &str, name: &str) -> Option<usize> {
    let names = path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('}').next());
    names.into_iter().position(|other| other == name)
}

/// The subject, such as `query parameter limit`; a path parameter has its position instead of its
/// name, which may change.
fn subject(parameter: &Parameter<'_>, operation: &Operation<'_>) -> String {
    match position(operation.path, parameter.name).filter(|_| parameter.location == Location::Path)
    {
        Some(place) => format!("path parameter {}", place + 1),
        None => format!(
            "{} parameter {}",
            parameter.location.as_str(),
            parameter.name
        ),
    }
}

fn finding<'d>(both: &Both<'d>, parameter: &Parameter<'d>, id: &str, phrase: &str) -> Finding<'d> {
    let name = format!(
        "{} parameter `{}`",
        parameter.location.as_str(),
        parameter.name
    );
    let stated = Provenance::of(parameter.raw.node).or_else(|| Provenance::of(parameter.at.node));
    Finding {
        subject: subject(parameter, &both.base),
        title: format!("{name} {phrase}"),
        provenance: stated.map_or(both.provenance, |provenance| provenance.level),
        ..both.finding(id, "", "")
    }
}

/// A parameter, marked at its name.
fn name<'d>(parameter: &Parameter<'d>) -> Mark<'d> {
    let node = parameter.at.node;
    let span = node.get("name").map_or(node.span, |name| name.span);
    Mark { node, span }
}

/// The place of an operation's parameters, or where they would be.
fn list<'d>(operation: &Operation<'d>) -> Mark<'d> {
    let list = operation.at.node.get("parameters");
    Mark::of(
        list.or_else(|| operation.item.node.get("parameters"))
            .unwrap_or(operation.at.node),
    )
}

fn added<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>, parameter: &Parameter<'d>) {
    let of_path_item = !parameter.raw.pointer.is_within(&both.revision.at.pointer);
    let id = match (parameter.location, of_path_item, parameter.required()) {
        (Location::Path, ..) => "new-request-path-parameter",
        (_, true, true) => "new-required-request-default-parameter-to-existing-path",
        (_, true, false) => "new-optional-request-default-parameter-to-existing-path",
        (_, false, true) => "new-required-request-parameter",
        (_, false, false) => "new-optional-request-parameter",
    };
    let phrase = if parameter.required() {
        "was added and is required"
    } else {
        "was added"
    };
    comparison.push(Finding {
        base: Some((list(&both.base), "it is not here")),
        revision: Some((name(parameter), "added here")),
        ..finding(both, parameter, id, phrase)
    });
}

fn removed<'d>(comparison: &mut Comparison<'d, '_>, both: &Both<'d>, parameter: &Parameter<'d>) {
    let state = State::of(parameter.at.node, Mark::of(parameter.at.node));
    let (id, phrase) = match (state.deprecated, state.sunset()) {
        (None, _) => ("request-parameter-removed", "was removed".to_owned()),
        (Some(_), Sunset::On(date)) if date > comparison.options.today => (
            "request-parameter-removed-before-sunset",
            format!("was removed before its sunset on {date}"),
        ),
        (Some(_), Sunset::NoDate(text)) => (
            "request-parameter-sunset-parse",
            format!("was removed, and its sunset `{text}` is not a date"),
        ),
        (Some(_), _) => (
            "request-parameter-removed-with-deprecation",
            "was removed after its sunset".to_owned(),
        ),
    };
    comparison.push(Finding {
        base: Some((name(parameter), "was here")),
        revision: Some((list(&both.revision), "it is no longer here")),
        ..finding(both, parameter, id, &phrase)
    });
}

fn compare_both<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Parameter<'d>,
    to: &Parameter<'d>,
) {
    let at = |parameter: &Parameter<'d>, key: &str| {
        Mark::of(parameter.at.node.get(key).unwrap_or(parameter.at.node))
    };
    let mut note = |id: &str, key: &str, detail: String, phrase: String| {
        comparison.push(Finding {
            detail,
            base: Some((at(from, key), "")),
            revision: Some((at(to, key), "")),
            ..finding(both, from, id, &phrase)
        });
    };
    if from.name != to.name && from.location == Location::Path {
        let (detail, phrase) = (
            format!("{} → {}", from.name, to.name),
            format!("is now `{}`", to.name),
        );
        note("request-path-parameter-renamed", "name", detail, phrase);
    }
    match (from.required(), to.required()) {
        (false, true) => {
            note(
                "request-parameter-became-required",
                "required",
                String::new(),
                "became required".into(),
            );
        }
        (true, false) => {
            note(
                "request-parameter-became-optional",
                "required",
                String::new(),
                "became optional".into(),
            );
        }
        _ => {}
    }
    compare_life(comparison, both, from, to);
    compare_writing(comparison, both, from, to);
    compare_schemas(comparison, both, from, to);
}

fn compare_life<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Parameter<'d>,
    to: &Parameter<'d>,
) {
    let state =
        |parameter: &Parameter<'d>| State::of(parameter.at.node, Mark::of(parameter.at.node));
    let (today, days) = (comparison.options.today, both.scope.sunset_days);
    for event in lifecycle::compare(Subject::Parameter, &state(from), &state(to), today, days) {
        comparison.push(Finding {
            detail: event.detail,
            base: Some((event.base, "")),
            revision: Some((event.revision, "")),
            ..finding(both, from, event.id, &event.phrase)
        });
    }
}

/// Compares how values are serialized.
fn compare_writing<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Parameter<'d>,
    to: &Parameter<'d>,
) {
    let at = |parameter: &Parameter<'d>, key: &str| {
        let node = parameter.at.node;
        let schema = node.get("schema").filter(|_| key == "content");
        Mark::of(node.get(key).or(schema).unwrap_or(node))
    };
    let changes = form(from, to).into_iter().chain(allowances(from, to));
    for Writing { id, key, old, new } in changes {
        let phrase = format!("has `{key}` {new} instead of {old}");
        comparison.push(Finding {
            detail: format!("{old} → {new}"),
            base: Some((at(from, key), "before")),
            revision: Some((at(to, key), "now")),
            ..finding(both, from, id, &phrase)
        });
    }
}

/// A keyword for the serialization of values, before and after.
struct Writing {
    id: &'static str,
    key: &'static str,
    old: String,
    new: String,
}

/// The change of the media type; without one, of the style, or of `explode` within the same style.
fn form(from: &Parameter<'_>, to: &Parameter<'_>) -> Option<Writing> {
    let media = |parameter: &Parameter<'_>| {
        let names: Vec<_> = parameter.content().iter().map(|media| media.name).collect();
        if names.is_empty() {
            "plain".to_owned()
        } else {
            names.join(", ")
        }
    };
    let writing = |id, key, old: String, new: String| Some(Writing { id, key, old, new });
    let (old, new) = (media(from), media(to));
    if old != new {
        return writing("request-parameter-content-changed", "content", old, new);
    }
    let (old, new) = (from.style().to_owned(), to.style().to_owned());
    if old != new {
        return writing("request-parameter-style-changed", "style", old, new);
    }
    let (old, new) = (from.explode().to_string(), to.explode().to_string());
    if old != new && has_parts(from, to) {
        return writing("request-parameter-explode-changed", "explode", old, new);
    }
    None
}

/// The changes of `allowReserved` and `allowEmptyValue`.
fn allowances(from: &Parameter<'_>, to: &Parameter<'_>) -> impl Iterator<Item = Writing> {
    const ALLOWANCES: [(&str, &str, &str); 2] = [
        (
            "allowReserved",
            "request-parameter-allow-reserved-added",
            "request-parameter-allow-reserved-removed",
        ),
        (
            "allowEmptyValue",
            "request-parameter-allow-empty-value-added",
            "request-parameter-allow-empty-value-removed",
        ),
    ];
    let flag = |parameter: &Parameter<'_>, key: &str| {
        parameter.at.node.get(key).and_then(Node::as_bool) == Some(true)
    };
    ALLOWANCES
        .into_iter()
        .filter_map(move |(key, added, removed)| {
            let (old, new) = (flag(from, key), flag(to, key));
            (old != new).then(|| Writing {
                id: if new { added } else { removed },
                key,
                old: old.to_string(),
                new: new.to_string(),
            })
        })
}

/// Whether values may be arrays or objects, which a style joins.
fn has_parts(from: &Parameter<'_>, to: &Parameter<'_>) -> bool {
    let parts = Types::ARRAY.or(Types::OBJECT);
    let types = |parameter: &Parameter<'_>| {
        let schema = parameter.schema();
        let word = schema.and_then(|schema| Some(schema.node.get("type")?.as_str()?.to_owned()));
        word.and_then(|word| Types::parse(&word))
            .unwrap_or(Types::ANY)
    };
    types(from).has(parts) || types(to).has(parts)
}

fn compare_schemas<'d>(
    comparison: &mut Comparison<'d, '_>,
    both: &Both<'d>,
    from: &Parameter<'d>,
    to: &Parameter<'d>,
) {
    let schema = |parameter: &Parameter<'d>| parameter.schema().map(|schema| schema.node);
    let (old, new) = (schema(from), schema(to));
    let (old, new) = (old.as_slice(), new.as_slice());
    let owners = (from.at.node, to.at.node);
    let Some(pair) = comparison.pairs.enter(Between {
        base: old,
        revision: new,
        owners,
    }) else {
        return;
    };
    let json = from
        .content()
        .iter()
        .any(openapi_document::view::MediaType::is_json);
    let described = finding(both, from, "", "");
    comparison.uses.push(Use {
        scope: Rc::clone(&both.scope),
        place: Place::new(Direction::Request, Root::Parameter(from.location), !json),
        subject: described.subject,
        name: format!("{} parameter `{}`", from.location.as_str(), from.name),
        provenance: described.provenance,
        pair,
        sites: old
            .first()
            .zip(new.first())
            .map(|(old, new)| (Mark::of(old), Mark::of(new))),
    });
}
