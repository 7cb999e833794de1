//! Actions: splits an operation whose path ends in a parameter with a closed list of steps.
//!
//! `POST /cards/{card_id}/{action}` with `block` or `unblock` becomes two operations. Each gets the
//! sentences of the description that are about it.

use std::collections::BTreeSet;

use openapi_document::node::Entry;
use openapi_document::view::{Document, Located};
use openapi_document::{Node, Pointer, Value};

use crate::names;
use crate::prose;

/// The greatest number of steps. A longer list may mean something else.
const MOST: usize = 8;

/// An address that several steps share.
struct Actions {
    /// The path before the parameter.
    before: String,
    id: Option<String>,
    parameter: String,
    names: Vec<String>,
}

/// Splits each operation that several steps share, unless the user selected it by its id.
pub(crate) fn split_all(document: &mut Document, selected: &BTreeSet<String>) {
    let root = document.located_root();
    let Some(paths) = root.get("paths") else {
        return;
    };
    let mut written: Vec<Entry> = Vec::new();
    let mut is_written = false;
    for (entry, item) in paths.entries() {
        let found = actions(document, &entry.key, &item);
        let is_free = |actions: &Actions| {
            let written = |name: &String| format!("{}{name}", actions.before);
            let known = |name: &String| paths.node.get(&written(name)).is_some();
            let is_requested = actions.id.as_ref().is_some_and(|id| selected.contains(id));
            !is_requested && !actions.names.iter().any(known)
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
        let mut paths = root.entries.iter_mut().filter(|entry| entry.key == "paths");
        if let Some(Value::Mapping(paths)) = paths.next().map(|path| &mut path.value.value) {
            paths.entries = written;
        }
        // The copied index drops the cached places of the old tree.
        document.index = document.index.clone();
    }
}

/// The steps of an address. The path must contain a record before the parameter, and `post` must be
/// its only method.
fn actions(document: &Document, path: &str, item: &Located<'_>) -> Option<Actions> {
    const METHODS: [&str; 7] = ["get", "put", "patch", "delete", "head", "options", "trace"];
    let (before, last) = path.trim_end_matches('/').rsplit_once('/')?;
    let parameter = last.strip_prefix('{')?.strip_suffix('}')?;
    let post = item.get("post")?;
    let id = post.node.get("operationId").and_then(Node::as_str);
    let is_alone = !METHODS.iter().any(|method| item.node.get(method).is_some());
    if !before.contains('{') || !is_alone {
        return None;
    }
    let lists = [item, &post]
        .into_iter()
        .filter_map(|node| node.get("parameters"));
    let all: Vec<Located<'_>> = lists
        .flat_map(|list| list.items().collect::<Vec<_>>())
        .collect();
    let names = all.into_iter().find_map(|name| {
        let name = document.resolve(&name).ok()?;
        let is_it = name.node.get("name").and_then(Node::as_str) == Some(parameter);
        let schema = document
            .resolve(&name.get("schema").filter(|_| is_it)?)
            .ok()?;
        let known = schema.node.get("enum")?.items();
        let names: Option<Vec<&str>> = known.map(Node::as_str).collect();
        names
    })?;
    let is_word = |text: &&str| {
        let letters = |letter: char| letter.is_ascii_lowercase() || letter == '-' || letter == '_';
        text.starts_with(|letter: char| letter.is_ascii_lowercase()) && text.chars().all(letters)
    };
    let is_list = (2..=MOST).contains(&names.len()) && names.iter().all(is_word);
    // Searches the whole document only after the parameter turned out to be a list of steps.
    let by_path = path.replace('~', "~0").replace('/', "~1");
    let is_free = is_list && !is_linked(&document.root, (id, &by_path));
    is_free.then(|| Actions {
        before: format!("{before}/"),
        id: id.map(str::to_owned),
        parameter: parameter.to_owned(),
        names: names.into_iter().map(str::to_owned).collect(),
    })
}

/// Whether a link names an operation's id, or a reference contains its path.
fn is_linked(node: &Node, (id, path): (Option<&str>, &str)) -> bool {
    let is_it = |entry: &Entry| {
        let links = entry.value.entries().filter(|_| entry.key == "links");
        let mut ids = links.filter_map(|link| link.value.get("operationId")?.as_str());
        ids.any(|item| Some(item) == id)
    };
    let within = |entry: &Entry| is_it(entry) || is_linked(&entry.value, (id, path));
    let is_reference = node.as_str().is_some_and(|node| node.contains(path));
    is_reference
        || node.entries().any(within)
        || node.items().any(|item| is_linked(item, (id, path)))
}

/// Reduces a path item to one step.
fn only(document: &Document, item: &mut Node, actions: &Actions, name: &str) {
    without(document, item, &actions.parameter);
    let Value::Mapping(mapping) = &mut item.value else {
        return;
    };
    let mut posts = mapping.entries.iter_mut();
    let Some(post) = posts
        .find(|post| post.key == "post")
        .map(|key| &mut key.value)
    else {
        return;
    };
    without(document, post, &actions.parameter);
    let id = post.get("operationId").and_then(Node::as_str);
    let id = id.map(|id| format!("{id}-{name}"));
    put(post, "operationId", |_| id.clone().unwrap_or_default());
    for key in ["summary", "description"] {
        put(post, key, |item| text_about(item, name, &actions.names));
    }
    let Value::Mapping(mapping) = &mut post.value else {
        return;
    };
    let responses = mapping
        .entries
        .iter_mut()
        .filter(|entry| entry.key == "responses");
    for responses in responses {
        if let Value::Mapping(all) = &mut responses.value.value {
            for entry in &mut all.entries {
                let about_step = |text: &str| text_about(text, name, &actions.names);
                put(&mut entry.value, "description", about_step);
            }
        }
    }
}

/// Replaces a text property of an object.
fn put(object: &mut Node, key: &str, other: impl Fn(&str) -> String) {
    let Value::Mapping(mapping) = &mut object.value else {
        return;
    };
    let mut entries = mapping.entries.iter_mut().filter(|entry| entry.key == key);
    if let Some(entry) = entries.next()
        && let Value::String(text) = &entry.value.value
    {
        entry.value.value = Value::String(other(text));
    }
}

/// Removes a parameter from the list of parameters.
fn without(document: &Document, node: &mut Node, parameter: &str) {
    let Value::Mapping(mapping) = &mut node.value else {
        return;
    };
    let lists = mapping
        .entries
        .iter_mut()
        .filter(|entry| entry.key == "parameters");
    for list in lists {
        if let Value::Sequence(items) = &mut list.value.value {
            items.retain(|candidate| {
                let pointer = Pointer::root();
                let candidate = document.resolve(&Located {
                    node: candidate,
                    pointer,
                });
                let name = candidate
                    .ok()
                    .and_then(|item| item.node.get("name")?.as_str());
                name != Some(parameter)
            });
        }
    }
}

/// The sentences of a text that are about one of several steps: those that name no step, and of the
/// others the part from this step's name to the next step's name.
fn text_about(text: &str, name: &str, all: &[String]) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let begins = |part: &str, name: &str| {
        let part = part.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let part = part.strip_prefix("and ").unwrap_or(part);
        let part = part.trim_start_matches(|letter: char| !letter.is_alphanumeric());
        let rest = part.strip_prefix(name);
        rest.is_some_and(|rest| !rest.starts_with(is_word))
    };
    let of_one = |part: &str| all.iter().any(|item| begins(part, item));
    let marked = |sentence: &str, name: &str| sentence.contains(&format!("`{name}`"));
    // `A card that is blocked already cannot be blocked again` is about `block`.
    let mentions = |sentence: &str, name: &str| {
        let words = names::words(&sentence.to_lowercase());
        let words_of_name = names::words(name);
        let is_done = |word: &String| words_of_name.len() == 1 && names::is_done(word, name);
        marked(sentence, name) || words.iter().any(is_done)
    };
    let mut found = Vec::new();
    for sentence in prose::sentences(text) {
        let mut kept = Vec::new();
        let mut is_same = true;
        let mut is_divided = false;
        for part in sentence.split(',') {
            if of_one(part) {
                is_divided = true;
                is_same = begins(part, name) || marked(part, name);
            }
            if is_same {
                kept.push(part);
            }
        }
        let is_of_others = all
            .iter()
            .any(|other| other != name && mentions(sentence, other))
            && !mentions(sentence, name);
        if !kept.is_empty() && (is_divided || !is_of_others) {
            found.push(kept.join(",").trim().to_owned());
        }
    }
    found.iter().fold(String::new(), |text, item| {
        let end = if item.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        format!("{text}{item}{end} ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_one_step() {
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
            assert_eq!(text_about(text, name, &all), expected);
        }
        let refused = "A card that is already blocked cannot be blocked again.";
        assert_eq!(text_about(refused, "unblock", &all), "");
        assert_eq!(text_about(refused, "block", &all), format!("{refused} "));
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
        split_all(&mut document, &BTreeSet::new());
        let all = document.operations().into_iter();
        let all: Vec<_> = all
            .map(|operation| {
                format!(
                    "{} {} {}",
                    operation.path,
                    operation.label(),
                    operation.parameters().len()
                )
            })
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
