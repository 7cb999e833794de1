//! Actions: an operation whose path ends in the name of a step, of which its document has a closed list, is as many
//! operations: `POST /cards/{card_id}/{action}` with `block` or `unblock` is a step of each of these names, as if the document
//! had written it so, each with what its text says of that one.

use std::collections::BTreeSet;

use openapi_document::node::Entry;
use openapi_document::view::{Document, Located};
use openapi_document::{Node, Pointer, Value};

use crate::names;
use crate::prose;

/// An address that stands for more steps than this may mean something else.
const MOST: usize = 8;

/// One address of several steps.
struct Actions {
    /// The path before the name of the step.
    before: String,
    id: Option<String>,
    parameter: String,
    names: Vec<String>,
}

/// Writes out each step that shares its address with others, but where the operation is asked for by its name.
pub(crate) fn write_out(document: &mut Document, asked: &BTreeSet<String>) {
    let root = document.located_root();
    let Some(paths) = root.get("paths") else {
        return;
    };
    let mut written: Vec<Entry> = Vec::new();
    let mut is_written = false;
    for (entry, item) in paths.entries() {
        let found = actions(document, &entry.key, &item);
        let is_free = |own: &Actions| {
            let written = |name: &String| format!("{}{name}", own.before);
            let known = |name: &String| paths.node.get(&written(name)).is_some();
            let is_asked = own.id.as_ref().is_some_and(|own| asked.contains(own));
            !is_asked && !own.names.iter().any(known)
        };
        let Some(actions) = found.filter(is_free) else {
            written.push(entry.clone());
            continue;
        };
        is_written = true;
        for name in &actions.names {
            let mut item = entry.value.clone();
            only(document, &mut item, &actions, name);
            written.push(Entry {
                key: format!("{}{name}", actions.before),
                value: item,
                ..entry.clone()
            });
        }
    }
    if let (true, Value::Mapping(root)) = (is_written, &mut document.root.value) {
        let mut paths = root.entries.iter_mut().filter(|own| own.key == "paths");
        if let Some(Value::Mapping(paths)) = paths.next().map(|own| &mut own.value.value) {
            paths.entries = written;
        }
        // What was noted of the places was of another tree.
        document.index = document.index.clone();
    }
}

/// The steps that an address stands for: of a record that stands before them in the path, and nothing else is done there.
fn actions(document: &Document, path: &str, item: &Located<'_>) -> Option<Actions> {
    const METHODS: [&str; 7] = ["get", "put", "patch", "delete", "head", "options", "trace"];
    let (before, last) = path.rsplit_once('/')?;
    let parameter = last.strip_prefix('{')?.strip_suffix('}')?;
    let post = item.get("post")?;
    let id = post.node.get("operationId").and_then(Node::as_str);
    let is_alone = !METHODS.iter().any(|own| item.node.get(own).is_some());
    if !before.contains('{') || !is_alone {
        return None;
    }
    let lists = [item, &post]
        .into_iter()
        .filter_map(|own| own.get("parameters"));
    let all: Vec<Located<'_>> = lists
        .flat_map(|own| own.items().collect::<Vec<_>>())
        .collect();
    let names = all.into_iter().find_map(|own| {
        let own = document.resolve(&own).ok()?;
        let is_it = own.node.get("name").and_then(Node::as_str) == Some(parameter);
        let schema = document
            .resolve(&own.get("schema").filter(|_| is_it)?)
            .ok()?;
        let known = schema.node.get("enum")?.items();
        let names: Option<Vec<&str>> = known.map(Node::as_str).collect();
        names
    })?;
    let is_word = |own: &&str| {
        let letters = |own: char| own.is_ascii_lowercase() || own == '-' || own == '_';
        own.starts_with(|own: char| own.is_ascii_lowercase()) && own.chars().all(letters)
    };
    let is_list = (2..=MOST).contains(&names.len()) && names.iter().all(is_word);
    // The whole document is searched only for what is a list of steps.
    let by_path = path.replace('~', "~0").replace('/', "~1");
    let is_free = is_list && !is_linked(&document.root, (id, &by_path));
    is_free.then(|| Actions {
        before: format!("{before}/"),
        id: id.map(str::to_owned),
        parameter: parameter.to_owned(),
        names: names.into_iter().map(str::to_owned).collect(),
    })
}

/// Whether a link leads to an operation by its id, or a reference into it by its path.
fn is_linked(node: &Node, (id, path): (Option<&str>, &str)) -> bool {
    let is_it = |own: &Entry| {
        let links = own.value.entries().filter(|_| own.key == "links");
        let mut ids = links.filter_map(|own| own.value.get("operationId")?.as_str());
        ids.any(|own| Some(own) == id)
    };
    let within = |own: &Entry| is_it(own) || is_linked(&own.value, (id, path));
    let is_reference = node.as_str().is_some_and(|own| own.contains(path));
    is_reference || node.entries().any(within) || node.items().any(|own| is_linked(own, (id, path)))
}

/// Leaves one step of an address.
fn only(document: &Document, item: &mut Node, actions: &Actions, name: &str) {
    without(document, item, &actions.parameter);
    let Value::Mapping(mapping) = &mut item.value else {
        return;
    };
    let mut posts = mapping.entries.iter_mut();
    let Some(post) = posts
        .find(|own| own.key == "post")
        .map(|own| &mut own.value)
    else {
        return;
    };
    without(document, post, &actions.parameter);
    let id = post.get("operationId").and_then(Node::as_str);
    let id = id.map(|own| format!("{own}-{name}"));
    put(post, "operationId", |_| id.clone().unwrap_or_default());
    for key in ["summary", "description"] {
        put(post, key, |own| said_of(own, name, &actions.names));
    }
    let Value::Mapping(mapping) = &mut post.value else {
        return;
    };
    let responses = mapping
        .entries
        .iter_mut()
        .filter(|own| own.key == "responses");
    for responses in responses {
        if let Value::Mapping(all) = &mut responses.value.value {
            for own in &mut all.entries {
                let said = |own: &str| said_of(own, name, &actions.names);
                put(&mut own.value, "description", said);
            }
        }
    }
}

/// Puts another text in the place of one that an object has.
fn put(object: &mut Node, key: &str, other: impl Fn(&str) -> String) {
    let Value::Mapping(mapping) = &mut object.value else {
        return;
    };
    let mut own = mapping.entries.iter_mut().filter(|own| own.key == key);
    if let Some(own) = own.next()
        && let Value::String(text) = &own.value.value
    {
        own.value.value = Value::String(other(text));
    }
}

/// Takes a parameter out of a list of them.
fn without(document: &Document, node: &mut Node, parameter: &str) {
    let Value::Mapping(mapping) = &mut node.value else {
        return;
    };
    let lists = mapping
        .entries
        .iter_mut()
        .filter(|own| own.key == "parameters");
    for list in lists {
        if let Value::Sequence(items) = &mut list.value.value {
            items.retain(|own| {
                let pointer = Pointer::root();
                let own = document.resolve(&Located { node: own, pointer });
                let name = own.ok().and_then(|own| own.node.get("name")?.as_str());
                name != Some(parameter)
            });
        }
    }
}

/// What a text says of one of several steps: the sentences that name none of them, and of the others the part that begins
/// with its name and ends where another one begins.
fn said_of(text: &str, name: &str, all: &[String]) -> String {
    let is_word = |own: char| own.is_alphanumeric() || own == '_' || own == '-';
    let begins = |part: &str, name: &str| {
        let part = part.trim_start_matches(|own: char| !own.is_alphanumeric());
        let part = part.strip_prefix("and ").unwrap_or(part);
        let part = part.trim_start_matches(|own: char| !own.is_alphanumeric());
        let rest = part.strip_prefix(name);
        rest.is_some_and(|own| !own.starts_with(is_word))
    };
    let of_one = |part: &str| all.iter().any(|own| begins(part, own));
    let marked = |sentence: &str, name: &str| sentence.contains(&format!("`{name}`"));
    // `A card that is blocked already cannot be blocked again` is said of `block`.
    let tells = |sentence: &str, name: &str| {
        let words = names::words(&sentence.to_lowercase());
        let own = names::words(name);
        let is_done = |word: &String| own.len() == 1 && names::is_done(word, name);
        marked(sentence, name) || words.iter().any(is_done)
    };
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        let mut kept = Vec::new();
        let mut is_own = true;
        let mut is_divided = false;
        for part in sentence.split(',') {
            if of_one(part) {
                is_divided = true;
                is_own = begins(part, name) || marked(part, name);
            }
            if is_own {
                kept.push(part);
            }
        }
        let is_of_others =
            all.iter().any(|own| own != name && tells(sentence, own)) && !tells(sentence, name);
        if !kept.is_empty() && (is_divided || !is_of_others) {
            found.push(kept.join(",").trim().to_owned());
        }
    }
    found.iter().fold(String::new(), |text, own| {
        let end = if own.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        format!("{text}{own}{end} ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_step() {
        let all = ["activate", "block", "unblock"].map(str::to_owned);
        let text = "`activate` takes an `issued` card to `active`, `block` an `active` card to `blocked`,\n`unblock` a \
                    `blocked` card to `active`. Any other state gives 409. An `unblock` of a lost card fails.";
        for (name, expected) in [
            (
                "activate",
                "`activate` takes an `issued` card to `active`. Any other state gives 409. ",
            ),
            (
                "block",
                "`block` an `active` card to `blocked`. Any other state gives 409. ",
            ),
            (
                "unblock",
                "`unblock` a `blocked` card to `active`. Any other state gives 409. An `unblock` of a lost card fails. ",
            ),
        ] {
            assert_eq!(said_of(text, name, &all), expected);
        }
        let refused = "A card that is already blocked cannot be blocked again.";
        assert_eq!(said_of(refused, "unblock", &all), "");
        assert_eq!(said_of(refused, "block", &all), format!("{refused} "));
    }

    #[test]
    fn steps_that_share_an_address() {
        let text = r##"
openapi: 3.0.3
info: {title: Cards, version: "1"}
paths:
  /cards/{id}/actions/{action}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
      - {$ref: "#/components/parameters/Action"}
    post: {operationId: act, responses: {"200": {description: Done.}}}
  /reports/{format}:
    post:
      operationId: report
      parameters: [{name: format, in: path, required: true, schema: {type: string, enum: [csv, pdf]}}]
      responses: {"200": {description: Done.}}
components:
  parameters:
    Action: {name: action, in: path, required: true, schema: {type: string, enum: [block, unblock]}}
"##;
        let mut document = openapi_document::loader::load_text("cards.yaml", text).unwrap();
        write_out(&mut document, &BTreeSet::new());
        let all = document.operations().into_iter();
        let all: Vec<_> = all
            .map(|own| format!("{} {} {}", own.path, own.label(), own.parameters().len()))
            .collect();
        assert_eq!(
            all,
            [
                "/cards/{id}/actions/block act-block 1",
                "/cards/{id}/actions/unblock act-unblock 1",
                "/reports/{format} report 1",
            ]
        );
    }
}
