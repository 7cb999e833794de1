//! Writes and checks the page of all keywords: each keyword is removed from a document that has
//! them all, and the results of the commands are compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, thread};

use codegen::Options;
use openapi_diff::Contract;
use openapi_document::grammar::{Kind, walk};
use openapi_document::{Diagnostics, Document, Pointer, Severity, loader, schema_in_2020_12};
use serde_json::Value;

const VARIABLE: &str = "KEYWORDS_PAGE";

const SAMPLE: &str = include_str!("../documents/keywords.yaml");

const HEAD: &str = "# What each keyword of OpenAPI does

A test writes this page: it takes a keyword out of a document that has all of them, and compares
what the commands make of both. After a change, run
`KEYWORDS_PAGE=write cargo test -p contract keywords`.

- *generate*: **needed**, no crate is generated without it, because references lead to it; **used**,
  the crate differs; **reported**, `contract generate` gives its place and says what it means for
  the types; –, the crate is the same.
- *lint* and *diff*: **yes**, the findings differ.
- *values*: **yes**, values are held against it: examples by `contract lint`, answers by
  `conformance`.

The versions are those of OpenAPI. A keyword of 3.1 or 3.2 in an older document is an error of
`contract lint`.
";

/// The objects with keywords, in the order of the specification.
const KINDS: [Kind; 26] = [
    Kind::Document,
    Kind::Info,
    Kind::Contact,
    Kind::License,
    Kind::Server,
    Kind::ServerVariable,
    Kind::Components,
    Kind::PathItem,
    Kind::Operation,
    Kind::ExternalDocumentation,
    Kind::Parameter,
    Kind::RequestBody,
    Kind::MediaType,
    Kind::Encoding,
    Kind::Response,
    Kind::Example,
    Kind::Link,
    Kind::Header,
    Kind::Tag,
    Kind::Schema,
    Kind::Discriminator,
    Kind::Xml,
    Kind::SecurityScheme,
    Kind::OauthFlows,
    Kind::OauthFlow,
    Kind::Any,
];

/// The keywords that 3.2 added; the grammar only separates 3.0 from later versions.
const OF_32: [(Kind, &str); 23] = [
    (Kind::Document, "$self"),
    (Kind::Server, "name"),
    (Kind::Components, "mediaTypes"),
    (Kind::PathItem, "query"),
    (Kind::PathItem, "additionalOperations"),
    (Kind::MediaType, "itemSchema"),
    (Kind::Response, "summary"),
    (Kind::Tag, "parent"),
    (Kind::Tag, "kind"),
    (Kind::Tag, "summary"),
    (Kind::Discriminator, "defaultMapping"),
    (Kind::MediaType, "prefixEncoding"),
    (Kind::MediaType, "itemEncoding"),
    (Kind::Encoding, "encoding"),
    (Kind::Encoding, "prefixEncoding"),
    (Kind::Encoding, "itemEncoding"),
    (Kind::Example, "dataValue"),
    (Kind::Example, "serializedValue"),
    (Kind::Xml, "nodeType"),
    (Kind::SecurityScheme, "oauth2MetadataUrl"),
    (Kind::SecurityScheme, "deprecated"),
    (Kind::OauthFlows, "deviceAuthorization"),
    (Kind::OauthFlow, "deviceAuthorizationUrl"),
];

/// The results of the commands for a document.
struct Results {
    document: Document,
    /// The files of the crate; `None` if the generator refuses the document.
    files: Option<Vec<codegen::File>>,
    reported: Diagnostics,
    findings: BTreeMap<&'static str, usize>,
}

impl Results {
    fn of(text: &str) -> Option<Self> {
        let document = loader::load_text("keywords.yaml", text).ok()?;
        let (files, reported) = match codegen::generate(&document, &Options::default()) {
            Ok(mut output) => {
                output
                    .files
                    .retain(|file| file.path != Path::new("openapi.json"));
                (Some(output.files), output.diagnostics)
            }
            Err(errors) => (None, errors),
        };
        let mut findings = BTreeMap::new();
        for finding in openapi_lint::lint(&document).iter() {
            *findings.entry(finding.rule).or_default() += 1;
        }
        Some(Self {
            document,
            files,
            reported,
            findings,
        })
    }

    fn texts(&self) -> Option<Vec<(&Path, &str)>> {
        let files = self.files.as_ref()?.iter();
        Some(
            files
                .map(|file| (file.path.as_path(), file.text.as_str()))
                .collect(),
        )
    }
}

/// The pointers of the objects of a kind that have a keyword.
fn places(document: &Document, kind: Kind, keyword: &str) -> Vec<Pointer> {
    let mut places = Vec::new();
    let root = &mut Pointer::root();
    walk(
        &document.root,
        Kind::Document,
        root,
        &mut |node, found_kind, pointer| {
            if found_kind == kind && node.get(keyword).is_some() {
                places.push(pointer.clone());
            }
            true
        },
    );
    places
}

/// A row of the page.
fn row(sample: &Results, kind: Kind, keyword: &str) -> String {
    let places = places(&sample.document, kind, keyword);
    let mut root = sample.document.root.to_serde();
    for place in &places {
        // An enclosing object may have been changed already.
        let object = root.pointer_mut(place.as_str());
        if let Some(object) = object.and_then(Value::as_object_mut) {
            object.shift_remove(keyword);
        }
    }
    let without = Results::of(&root.to_string());
    let generate = generated(sample, without.as_ref(), &places, keyword);
    let (lint, diff) = match &without {
        None => (true, true),
        Some(without) => (
            without.findings != sample.findings,
            !compare(&sample.document, &without.document).is_empty(),
        ),
    };
    let is_note =
        keyword.starts_with("content") || (keyword.starts_with('$') && !keyword.ends_with("Ref"));
    let values = kind == Kind::Schema
        && !is_note
        && places.iter().any(|place| {
            let schema = sample.document.root.at(place).unwrap();
            schema_in_2020_12(schema, false).get(keyword).is_some()
        });
    let since = match (kind, keyword) {
        _ if OF_32.contains(&(kind, keyword)) => "3.2",
        _ if kind.since_31(keyword) => "3.1",
        _ => "3.0",
    };
    let word = |yes: bool| if yes { "yes" } else { "–" };
    let (lint, diff, values) = (word(lint), word(diff), word(values));
    format!("| `{keyword}` | {since} | {generate} | {lint} | {diff} | {values} |\n")
}

fn generated(
    sample: &Results,
    without: Option<&Results>,
    places: &[Pointer],
    keyword: &str,
) -> &'static str {
    let Some(without) = without.filter(|results| results.files.is_some()) else {
        return "needed";
    };
    let is_reported = |place: &Pointer| {
        let object = sample.document.root.at(place).unwrap();
        let span = object.get(keyword).unwrap().span;
        let mut reported = sample.reported.iter();
        reported.any(|diagnostic| {
            diagnostic.severity > Severity::Info
                && diagnostic
                    .primary
                    .as_ref()
                    .is_some_and(|(at, _)| *at == span)
        })
    };
    let warnings = |results: &Results| {
        let found = results.reported.iter();
        found
            .filter(|diagnostic| diagnostic.severity > Severity::Info)
            .count()
    };
    if places.iter().any(is_reported) {
        "reported"
    } else if sample.texts() != without.texts() {
        "used"
    } else if warnings(sample) > warnings(without) {
        "reported"
    } else {
        "–"
    }
}

fn compare(base: &Document, revision: &Document) -> Vec<openapi_diff::Change> {
    let of = |document| Contract {
        document,
        behaviour: None,
    };
    let options = openapi_diff::Options::on("2026-06-01".parse().unwrap());
    openapi_diff::compare(of(base), of(revision), &options)
}

fn page() -> String {
    let sample = Results::of(SAMPLE).unwrap();
    assert!(
        sample.files.is_some(),
        "{}",
        sample.reported.render(&sample.document.sources, false)
    );
    // The sample is converted to JSON first, so that both sides of a comparison come from JSON.
    let sample = Results::of(&sample.document.root.to_json()).unwrap();
    let all = KINDS.iter();
    let all = all.flat_map(|kind| kind.field_names().map(move |keyword| (*kind, keyword)));
    let is_absent = |row: &(Kind, &str)| places(&sample.document, row.0, row.1).is_empty();
    let absent: Vec<_> = all.filter(is_absent).collect();
    assert!(absent.is_empty(), "the sample lacks {absent:?}");
    let table = |kind: &Kind| {
        let mut text = String::new();
        let rows = kind
            .field_names()
            .map(|keyword| row(&sample, *kind, keyword));
        let rows: String = rows.collect();
        if !rows.is_empty() {
            let _ = write!(text, "\n## {kind:?}\n\n");
            text.push_str("| keyword | since | generate | lint | diff | values |\n");
            text.push_str("|---|---|---|---|---|---|\n");
            text.push_str(&rows);
        }
        text
    };
    let (first, second) = KINDS.split_at(KINDS.len() / 2);
    let tables: Vec<String> = thread::scope(|scope| {
        let half = scope.spawn(|| first.iter().map(table).collect::<Vec<_>>());
        let rest: Vec<_> = second.iter().map(table).collect();
        let mut all = half.join().unwrap();
        all.extend(rest);
        all
    });
    format!("{HEAD}{}", tables.concat())
}

#[test]
fn the_page_of_keywords_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/keywords.md");
    let page = page();
    if env::var(VARIABLE).is_ok_and(|word| word == "write") {
        fs::write(&path, &page).unwrap();
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        current == page,
        "docs/keywords.md differs; run `{VARIABLE}=write cargo test -p contract keywords`"
    );
}
