//! Tests with real documents: breaking changes planted in published documents, and the history of
//! our contract.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use openapi_diff::{Change, Level};
use openapi_document::grammar::{Kind, walk};
use openapi_document::{Document, Node, Pointer, Span, loader};

use super::documents::{changes, listed, load};

/// A class of edits: the places to edit in each kind of object, the new text, the suffixes of the
/// expected rules, and the levels of which one must occur.
struct Class {
    name: &'static str,
    find: fn(&Node, Kind) -> Vec<(Span, String)>,
    rules: &'static [&'static str],
    least: Level,
}

/// The value of a key, with its replacement.
fn value(node: &Node, key: &str, to: impl Fn(&str) -> String) -> Vec<(Span, String)> {
    let found = node.get(key).and_then(|value| {
        let text = value.as_str().or_else(|| value.as_number())?;
        Some((value.span, to(text)))
    });
    found.into_iter().collect()
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// The keys of an object that pass a test.
fn keys(
    node: Option<&Node>,
    fits: impl Fn(&str) -> bool,
    to: impl Fn(&str) -> String,
) -> Vec<(Span, String)> {
    node.into_iter()
        .flat_map(Node::entries)
        .filter(|entry| fits(&entry.key))
        .map(|entry| (entry.key_span, quoted(&to(&entry.key))))
        .collect()
}

fn up(text: &str) -> String {
    text.parse::<u64>()
        .map_or_else(|_| "77".to_owned(), |number| (number + 7).to_string())
}

const CLASSES: &[Class] = &[
    Class {
        name: "an operation was removed",
        find: |node, kind| match kind {
            Kind::PathItem if node.get("trace").is_none() => keys(
                Some(node),
                |key| matches!(key, "get" | "delete"),
                |_| "trace".to_owned(),
            ),
            _ => Vec::new(),
        },
        rules: &[
            "api-removed-without-deprecation",
            "api-removed-with-deprecation",
        ],
        least: Level::Info,
    },
    Class {
        name: "a path has another name",
        find: |node, kind| match kind {
            Kind::Paths => keys(
                Some(node),
                |key| key.starts_with('/'),
                |key| format!("/moved{key}"),
            ),
            _ => Vec::new(),
        },
        rules: &[
            "api-path-removed-without-deprecation",
            "api-path-removed-with-deprecation",
        ],
        least: Level::Info,
    },
    Class {
        name: "a status changed",
        find: |node, kind| match kind {
            Kind::Responses => keys(Some(node), |key| key == "200", |_| "299".to_owned()),
            _ => Vec::new(),
        },
        rules: &["response-success-status-removed"],
        least: Level::Error,
    },
    Class {
        name: "a method of generated code has another name",
        find: |node, kind| match kind {
            Kind::Operation => value(node, "operationId", |_| quoted("planted")),
            _ => Vec::new(),
        },
        rules: &["api-operation-id-changed"],
        least: Level::Warning,
    },
    Class {
        name: "a query parameter has another name",
        find: |node, kind| match kind {
            Kind::Parameter if node.get("in").and_then(Node::as_str) == Some("query") => {
                value(node, "name", |_| quoted("planted"))
            }
            _ => Vec::new(),
        },
        rules: &[
            "request-parameter-removed",
            "request-parameter-removed-with-deprecation",
        ],
        least: Level::Info,
    },
    Class {
        name: "a property has another name",
        find: |node, kind| match kind {
            Kind::Schema => keys(
                node.get("properties"),
                |_| true,
                |key| format!("{key}_planted"),
            ),
            _ => Vec::new(),
        },
        rules: &["property-removed", "-property-became-optional"],
        least: Level::Info,
    },
    Class {
        name: "a limit changed",
        find: |node, kind| match kind {
            // A length limit has no effect on listed values.
            Kind::Schema if node.get("enum").is_none() => value(node, "maxLength", up),
            _ => Vec::new(),
        },
        rules: &["max-length-increased"],
        least: Level::Info,
    },
    Class {
        name: "a type changed",
        find: |node, kind| {
            let kind_of = node.get("type").and_then(Node::as_str);
            let plain = node.get("enum").is_none() && node.get("format").is_none();
            match kind {
                Kind::Schema if kind_of == Some("boolean") && plain => {
                    value(node, "type", |_| "integer".to_owned())
                        .into_iter()
                        .map(|(span, word)| (span, quoted(&word)))
                        .collect()
                }
                _ => Vec::new(),
            }
        },
        rules: &["type-changed", "type-compatible"],
        least: Level::Info,
    },
    Class {
        name: "a listed value changed",
        find: |node, kind| match (kind, node.get("enum")) {
            (Kind::Schema, Some(list))
                if node.get("type").and_then(Node::as_str) == Some("string") =>
            {
                list.items()
                    .filter(|item| item.as_str().is_some())
                    .map(|item| (item.span, quoted("planted value")))
                    .collect()
            }
            _ => Vec::new(),
        },
        rules: &["enum-value-removed"],
        least: Level::Info,
    },
    Class {
        name: "a base address changed",
        find: |node, kind| match kind {
            Kind::Server => value(node, "url", |_| quoted("https://planted.example")),
            _ => Vec::new(),
        },
        rules: &["api-server-removed"],
        least: Level::Error,
    },
];

/// The names of components that operations use, directly or through others.
fn used(document: &Document) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut open: Vec<&Node> = document.root.get("paths").into_iter().collect();
    while let Some(node) = open.pop() {
        if let Some(reference) = node.reference()
            && used.insert(reference.to_owned())
        {
            let pointer = Pointer::parse_fragment(reference.trim_start_matches('#'));
            open.extend(
                pointer
                    .and_then(|pointer| document.lookup(&pointer))
                    .map(|at| at.node),
            );
        }
        open.extend(node.entries().map(|entry| &entry.value));
        open.extend(node.items());
    }
    used
}

/// One edit per class: span, original text, and class.
fn plan(document: &Document, classes: &'static [Class]) -> Vec<(Span, String, &'static Class)> {
    let used = used(document);
    let mut plan: Vec<(Span, String, &'static Class)> = Vec::new();
    let line = |span: Span| document.place(span).line;
    for class in classes {
        let mut all: Vec<(Span, String)> = Vec::new();
        walk(
            &document.root,
            Kind::Document,
            &mut Pointer::root(),
            &mut |node, kind, pointer| {
                let segments: Vec<_> = pointer.segments().collect();
                let reached = match segments.as_slice() {
                    [first, section, name, ..] if first == "components" => {
                        let name = openapi_document::pointer::escape(name);
                        used.contains(&format!("#/components/{section}/{name}"))
                    }
                    _ => true,
                };
                if reached {
                    all.extend((class.find)(node, kind));
                }
                true
            },
        );
        // The middle of a document is as good a place as any.
        let middle = all.len() / 2;
        let apart = |span: Span| {
            plan.iter()
                .all(|(other, ..)| line(*other).abs_diff(line(span)) > 400)
        };
        if let Some(found) = all
            .split_off(middle)
            .into_iter()
            .find(|(span, _)| apart(*span))
        {
            plan.push((found.0, found.1, class));
        }
    }
    plan
}

/// Applies edits to a text, and checks that each is found at its place, and nothing elsewhere.
fn find(name: &str, text: &str, base: &Document, plan: &[(Span, String, &'static Class)]) {
    let mut edited = text.to_owned();
    let mut sorted: Vec<_> = plan.iter().collect();
    sorted.sort_by_key(|(span, ..)| std::cmp::Reverse(span.start));
    for (span, by, _) in sorted {
        edited.replace_range(span.range(), by);
    }
    let revision = load(name, &edited);
    let found = changes(base, &revision);
    for (span, _, class) in plan {
        let line = base.place(*span).line;
        let is_found = found.iter().any(|change| {
            change.level >= class.least
                && class.rules.iter().any(|end| change.rule.id.ends_with(end))
                && touches(base, &revision, change, line)
        });
        assert!(
            is_found,
            "{name}:{line}: {} is not found in\n{}",
            class.name,
            listed(&found)
        );
    }
    let lines: Vec<usize> = plan
        .iter()
        .map(|(span, ..)| base.place(*span).line)
        .collect();
    let stray = found.iter().find(|change| {
        change.rule.id != "api-version-not-bumped"
            && !lines
                .iter()
                .any(|line| touches(base, &revision, change, *line))
    });
    assert!(
        stray.is_none(),
        "{name}: unexpected change: {}",
        listed(stray.map(std::slice::from_ref).unwrap_or_default())
    );
}

/// Whether a change points at a line of either document.
fn touches(base: &Document, revision: &Document, change: &Change, line: usize) -> bool {
    let at = |document: &Document, spot: &Option<openapi_diff::Spot>| {
        spot.as_ref()
            .is_some_and(|spot| document.place(spot.span).line == line)
    };
    at(base, &change.base) || at(revision, &change.revision)
}

#[test]
fn planted_breaks_in_published_documents_are_found_and_nothing_else() {
    if !prerequisites::PUBLISHED_DOCUMENTS.is_met() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut planted = BTreeSet::new();
    for name in [
        "digitalocean.yaml",
        "box.json",
        "twilio-api-v2010.json",
        "adyen-CheckoutService-v71.json",
        "paypal-checkout_orders_v2.json",
        "swagger-petstore3.yaml",
    ] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let base = load(name, &text);
        assert_eq!(changes(&base, &base).len(), 0, "{name}");
        // A removal hides changes inside the removed part, so removals are planted separately.
        let (gone, changed) = CLASSES.split_at(3);
        for classes in [gone, changed] {
            let plan = plan(&base, classes);
            planted.extend(plan.iter().map(|(.., class)| class.name));
            find(name, &text, &base, &plan);
        }
    }
    let missing: Vec<_> = CLASSES
        .iter()
        .filter(|class| !planted.contains(class.name))
        .collect();
    assert!(
        missing.is_empty(),
        "never planted: {:?}",
        missing.iter().map(|class| class.name).collect::<Vec<_>>()
    );
}

fn git(arguments: &[&str]) -> Option<String> {
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec");
    let output = Command::new("git")
        .current_dir(contract)
        .args(arguments)
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The contract in a commit.
fn checked_out(commit: &str) -> Option<(tempfile::TempDir, Document)> {
    let folder = tempfile::tempdir().unwrap();
    let files = git(&["ls-tree", "-r", "--name-only", commit, "."])?;
    let yaml = |file: &&str| Path::new(file).extension().is_some_and(|end| end == "yaml");
    for file in files.lines().filter(yaml) {
        let text = git(&["show", &format!("{commit}:./{file}")])?;
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let document = loader::load(&folder.path().join("openapi.yaml")).ok()?;
    Some((folder, document))
}

/// The identity of a change.
fn print(change: &Change) -> String {
    format!(
        "{} · {:?} · {} · {}",
        change.rule.id, change.operation, change.subject, change.detail
    )
}

#[test]
fn the_changes_in_the_history_of_the_contract_have_distinct_identities() {
    if !prerequisites::HISTORY.is_met() {
        return;
    }
    let log = git(&[
        "log",
        "--format=%H",
        "-n",
        "12",
        "--",
        "openapi.yaml",
        "paths",
        "schemas",
    ]);
    let commits: Vec<String> = log
        .iter()
        .flat_map(|log| log.lines())
        .map(str::to_owned)
        .collect();
    assert!(commits.len() > 1, "{commits:?}");
    let documents: Vec<_> = commits
        .iter()
        .filter_map(|commit| checked_out(commit))
        .collect();
    assert!(documents.len() > 1, "none of {commits:?} loads");
    for pair in documents.windows(2) {
        let ((_, revision), (_, base)) = (&pair[0], &pair[1]);
        let found = changes(base, revision);
        let prints: BTreeSet<_> = found.iter().map(print).collect();
        assert_eq!(
            prints.len(),
            found.len(),
            "two changes have the same identity\n{}",
            listed(&found)
        );
        for change in &found {
            let (old, new) = (change.base.as_ref(), change.revision.as_ref());
            assert!(
                old.is_some() && new.is_some(),
                "no place: {}",
                print(change)
            );
        }
        assert!(changes(base, base).is_empty());
    }
}
