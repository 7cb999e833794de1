//! Tests that every report names each value that the run replaced in an example, with the reason,
//! quotes refusals, and shows no secret.

use conformance::options::Options;
use conformance::report::Record;
use serde_json::{Value, json};

use crate::support::rules::{Received, Rules, start};
use crate::support::{binary, case, certify, options, write};

/// One reason to replace a value.
struct Row {
    why: &'static str,
    /// The paths of the document.
    paths: &'static str,
    /// The steps of its scenario; empty without one.
    steps: &'static str,
    rules: Rules,
    options: fn(&mut Options),
    case: &'static str,
    /// Each change: the place, the shown and the sent value. `*` at the end matches anything.
    changes: &'static [&'static str],
}

const MADE: &str = "201: {description: d, content: {application/json: {schema: {type: object}, examples: {one: {value: {id: t1}}}}}}";

async fn run(row: &Row) -> Record {
    let url = start(row.rules).await;
    let folder = tempfile::tempdir().unwrap();
    let paths = row.paths.replace("MADE", MADE);
    let spec = format!("openapi: 3.0.4\ninfo: {{title: Things, version: '1'}}\npaths:\n{paths}");
    let spec = write(folder.path(), "api.yaml", &spec);
    if !row.steps.is_empty() {
        let scenario = format!(
            "arazzo: 1.0.1\ninfo: {{title: t, version: '1'}}\nsourceDescriptions: [{{name: api, url: ../api.yaml, type: openapi}}]\n\
             workflows:\n  - workflowId: w\n    steps:\n{}",
            row.steps
        );
        write(folder.path(), "scenarios/w.arazzo.yaml", &scenario);
    }
    let mut options = options(&spec, &url);
    (row.options)(&mut options);
    certify(&options).await.unwrap()
}

/// A change in one line, with the id of its reason.
fn line(change: &Value) -> String {
    let text = |key: &str| change[key].as_str().unwrap_or("nothing").to_owned();
    format!(
        "{} {}: {} → {}",
        text("in"),
        text("at"),
        text("shown"),
        text("sent")
    )
}

fn fits(line: &str, expected: &str) -> bool {
    expected
        .strip_suffix('*')
        .map_or(line == expected, |start| line.starts_with(start))
}

const PLAIN: fn(&mut Options) = |_| {};
const WITH_LAWS: fn(&mut Options) = |options| options.laws = true;
const WITH_KEY: fn(&mut Options) = |options| {
    options.headers = vec![
        ("X-Key".to_owned(), "key-of-the-run".to_owned()),
        ("X-Shop".to_owned(), "shop-of-the-run".to_owned()),
    ];
};

fn grants(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    let mut record = request.body.clone();
    if !record.is_object() {
        record = json!({});
    }
    record["id"] = format!("r{}", records.len() + 1).into();
    (201, record)
}

/// Refuses the first request with an `email`, and every request with an `email` that a record has.
fn knows_the_example(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    let is_known = records
        .iter()
        .any(|record| record["email"] == request.body["email"]);
    if is_known || request.body["email"] == "jo@shop.example" {
        return (409, json!({"code": "TAKEN"}));
    }
    grants(request, records)
}

/// Refuses members of a team that does not exist.
fn has_teams(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    if request.line == "POST /teams" {
        return grants(request, records);
    }
    let mut parts = request.line.split('/').skip(2);
    let team = parts.next().unwrap_or_default();
    let is_there = records.iter().any(|record| record["id"] == team);
    let is_known = records
        .iter()
        .any(|record| record["email"] == request.body["email"]);
    match (request.line.starts_with("POST"), is_there) {
        (_, false) => (404, json!({"code": "NO_TEAM"})),
        (true, true) if is_known => (409, json!({"code": "TAKEN"})),
        (true, true) => grants(request, records),
        (false, true) => (200, json!({"id": team})),
    }
}

/// Refuses members without a size.
fn has_sized_members(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    match (has_teams(request, records), &request.body["size"]) {
        ((404, missing), _) => (404, missing),
        (_, Value::Null) if request.line.ends_with("/members") => (422, json!({"code": "NO_SIZE"})),
        _ => grants(request, records),
    }
}

/// Refuses requests without a JSON body or credentials.
fn is_strict(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    let is_json = request
        .headers
        .get("content-type")
        .is_some_and(|header| header == "application/json");
    match () {
        () if !request.headers.contains_key("x-key") => (401, json!({})),
        () if !is_json => (415, json!({})),
        () if !request.body.is_object() => (400, json!({})),
        () => grants(request, records),
    }
}

const ROWS: &[Row] = &[
    Row {
        why: "key",
        paths: "
  /things:
    post:
      operationId: createThing
      parameters:
        - {name: Idempotency-Key, in: header, required: true, schema: {type: string}, example: first-key-of-all}
        - {name: Request-Id, in: header, schema: {type: string}, example: 6a112e4a-83d0-4dd8-8111-be242b8dc188}
      requestBody: {content: {application/json: {schema: {type: object, properties: {ref: {type: string, x-natural-key: true}, note: {type: string}}}, examples: {one: {value: {ref: order-1, note: a}}}}}}
      responses:
        MADE
",
        steps: "",
        rules: grants,
        options: PLAIN,
        case: "createThing/201/one",
        changes: &[
            "header Idempotency-Key: first-key-of-all → first-key-of-all-*",
            "header Request-Id: 6a112e4a-83d0-4dd8-8111-be242b8dc188 → *",
            "body /ref: order-1 → order-1-*",
        ],
    },
    Row {
        why: "taken",
        paths: "
  /things:
    post:
      operationId: createThing
      requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string}, note: {type: string}}}, examples: {one: {value: {email: jo@shop.example, note: a}}}}}}
      responses:
        MADE
        409: {description: A thing with this email already exists.}
",
        steps: "",
        rules: knows_the_example,
        options: PLAIN,
        case: "createThing/201/one",
        changes: &["body /email: jo@shop.example → jo-*"],
    },
    Row {
        why: "record unique",
        paths: "
  /teams:
    post:
      operationId: createTeam
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}, examples: {one: {value: {title: a}}}}}}
      responses:
        201: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}, examples: {one: {value: {id: t1, title: a}}}}}}
  /teams/{teamId}:
    get:
      operationId: getTeam
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}, example: t1}]
      responses:
        200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}}}}
        404: {description: d}
  /teams/{teamId}/members:
    post:
      operationId: addMember
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}, example: t1}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {email: {type: string}}}, examples: {one: {value: {email: jo@shop.example}}}}}}
      responses:
        201: {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}, email: {type: string}}}, examples: {one: {value: {id: m1, email: jo@shop.example}}}}}}
        404: {description: d}
        409: {description: A member with this email already exists.}
components: {schemas: {Team: {type: object, properties: {id: {type: string}, title: {type: string}}}}}
",
        steps: "",
        rules: has_teams,
        options: WITH_LAWS,
        case: "addMember/201/one",
        changes: &["path teamId: t1 → r*", "body /email: jo@shop.example → jo-*"],
    },
    Row {
        why: "future past",
        paths: "
  /things:
    post:
      operationId: createThing
      requestBody: {content: {application/json: {schema: {type: object, properties: {due: {type: string, format: date, description: It has to be in the future.}, born: {type: string, format: date, description: It must be in the past.}}}, examples: {one: {value: {due: '2020-02-01', born: '2199-02-01'}}}}}}
      responses:
        MADE
",
        steps: "",
        rules: grants,
        options: PLAIN,
        case: "createThing/201/one",
        changes: &["body /due: 2020-02-01 → 2*", "body /born: 2199-02-01 → 2*"],
    },
    Row {
        why: "credential configuration",
        paths: "
  /things:
    post:
      operationId: createThing
      security: [{key: []}]
      parameters:
        - {name: X-Key, in: header, schema: {type: string}, example: key-of-the-page}
        - {name: X-Shop, in: header, schema: {type: string}, example: shop-of-the-page}
      responses:
        MADE
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
",
        steps: "",
        rules: grants,
        options: WITH_KEY,
        case: "createThing/201/one",
        changes: &[
            "header X-Key: key-of-the-page → $CONFORMANCE_AUTH",
            "header X-Shop: shop-of-the-page → $CONFORMANCE_X_SHOP",
        ],
    },
    Row {
        why: "scenario configuration record",
        paths: "
  /things:
    post:
      operationId: createThing
      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}}, examples: {one: {value: {a: a1, b: b1, c: c1}}}}}}
      responses:
        MADE
",
        steps: "
      - stepId: before
        operationId: createThing
        outputs: {id: $response.body#/id}
      - stepId: then
        operationId: createThing
        x-example: one
        requestBody: {replacements: [{target: /a, value: written}, {target: /b, value: $inputs.b}, {target: /c, value: $steps.before.outputs.id}]}
    inputs: {type: object, properties: {b: {type: string, default: given}}}
",
        rules: grants,
        options: PLAIN,
        case: "w/then",
        changes: &["body /a: a1 → written", "body /b: b1 → given", "body /c: c1 → r1"],
    },
    Row {
        why: "spoiled",
        paths: STRICT,
        steps: "",
        rules: is_strict,
        options: WITH_KEY,
        case: "createThing/400/default",
        changes: &[r#"body : {"a":"a1"} → {"a*"#],
    },
    Row {
        why: "spoiled",
        paths: STRICT,
        steps: "",
        rules: is_strict,
        options: WITH_KEY,
        case: "createThing/415/default",
        changes: &["header content-type: application/json → text/plain"],
    },
    Row {
        why: "spoiled",
        paths: STRICT,
        steps: "",
        rules: is_strict,
        options: WITH_KEY,
        case: "createThing/401/default",
        changes: &["header X-Key: $CONFORMANCE_AUTH → nothing"],
    },
    Row {
        why: "spoiled",
        paths: "
  /things:
    get:
      operationId: listThings
      parameters: [{name: page, in: query, schema: {type: integer}, example: 2}]
      responses:
        200: {description: d}
        400: {description: d}
",
        steps: "",
        rules: grants,
        options: PLAIN,
        case: "listThings/400/default",
        changes: &["query page: 2 → malformed"],
    },
    Row {
        why: "spoiled",
        paths: "
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{name: id, in: path, required: true, schema: {type: string}, example: 6a112e4a-83d0-4dd8-8111-be242b8dc188}]
      responses:
        200: {description: d}
        400: {description: d}
",
        steps: "",
        rules: grants,
        options: PLAIN,
        case: "getThing/400/default",
        changes: &["path id: 6a112e4a-83d0-4dd8-8111-be242b8dc188 → not-a-uuid"],
    },
    Row {
        why: "record other-request",
        paths: "
  /teams:
    post:
      operationId: createTeam
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}, examples: {one: {value: {title: a}}}}}}
      responses:
        201: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Team'}, examples: {one: {value: {id: t1, title: a}}}}}}
  /teams/{teamId}/members:
    post:
      operationId: addMember
      parameters: [{name: teamId, in: path, required: true, schema: {type: string}, example: t1}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string, example: a}, size: {type: integer}}}}}}
      responses:
        201: {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}, example: {id: m1}}}}
        404: {description: d}
components: {schemas: {Team: {type: object, properties: {id: {type: string}, title: {type: string}}}}}
",
        steps: "",
        rules: has_sized_members,
        options: WITH_LAWS,
        case: "addMember/201/example",
        changes: &["path teamId: t1 → r*", "body /size: nothing → *"],
    },
];

const STRICT: &str = "
  /things:
    post:
      operationId: createThing
      security: [{key: []}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}, examples: {one: {value: {a: a1}}}}}}
      responses:
        MADE
        400: {description: d}
        401: {description: d}
        415: {description: d}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
";

/// The mistakes in the changes of a case.
fn wrong(row: &Row, record: &Record) -> Vec<String> {
    let case = case(record, row.case);
    let changes = serde_json::to_value(&case.changes).unwrap();
    let changes = changes.as_array().unwrap();
    let lines: Vec<String> = changes.iter().map(line).collect();
    let message = format!("{} ({:?})", lines.join("; "), case.reason);
    let mut whys: Vec<&str> = changes
        .iter()
        .filter_map(|change| change["why"].as_str())
        .collect();
    let mut expected: Vec<&str> = row.why.split(' ').collect();
    for all in [&mut whys, &mut expected] {
        all.sort_unstable();
        all.dedup();
    }
    let mut wrong = Vec::new();
    let mut pairs = lines.iter().zip(row.changes);
    let is_each = pairs.all(|(line, expected)| fits(line, expected));
    if lines.len() != row.changes.len() || !is_each {
        wrong.push(format!("{} of {}: {message}", row.case, row.why));
    }
    if whys != expected {
        wrong.push(format!(
            "{}: {whys:?} is not {expected:?}: {message}",
            row.case
        ));
    }
    wrong
}

#[tokio::test(flavor = "multi_thread")]
async fn each_replaced_value_is_reported_with_its_reason() {
    let mut all = Vec::new();
    for row in ROWS {
        all.extend(wrong(row, &run(row).await));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unchanged_example_has_no_changes() {
    let row = Row {
        why: "",
        options: PLAIN,
        case: "createThing/201/one",
        changes: &[],
        ..copy(&ROWS[5])
    };
    let record = run(&Row { steps: "", ..row }).await;
    assert_eq!(case(&record, "createThing/201/one").changes, []);
}

fn copy(row: &Row) -> Row {
    Row { ..*row }
}

/// Secrets in the request, long and short, and in the answer.
const PIN: &str = "pin-of-somebody-4711";
const CODE: &str = "123";
const SECRET_OF_SERVER: &str = "made-by-the-server";
/// A secret in a header.
const SIGN: &str = "77331";
/// The credential of the run.
const KEY: &str = "key-of-the-run-0815";

const SECRETIVE: &str = "openapi: 3.0.4
info: {title: Cards, version: '1'}
security: [{key: []}]
paths:
  /cards:
    post:
      operationId: createCard
      parameters:
        - {name: X-Key, in: header, schema: {type: string}, example: key-of-the-page}
        - {name: X-Sign, in: header, required: true, schema: {type: string, x-sensitive: true, x-natural-key: true}, example: '77331'}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/Card'}
            examples: {one: {value: {ref: card-1, pin: pin-of-somebody-4711, code: '123'}}}
      responses:
        201: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}, examples: {one: {value: {ref: card-1}}}}}}
        422: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Card:
      type: object
      properties:
        ref: {type: string, x-natural-key: true}
        pin: {type: string, x-sensitive: true, x-natural-key: true}
        code: {type: string, x-sensitive: true}
        told: {type: string, x-sensitive: true}
    Problem: {type: object, properties: {title: {type: string}, detail: {type: string}, errors: {type: array, items: {type: object}}}}
";

/// Like [`tells_all`], but in plain text.
fn repeats_all_in_plain_text(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    let (status, body) = repeats_all(request, records);
    let detail = body["detail"].as_str().unwrap_or_default();
    (status, format!("Refused: {detail}").into())
}

/// A refusal that repeats everything in the request.
fn repeats_all(request: &Received<'_>, _: &[Value]) -> (u16, Value) {
    let (pin, code) = (&request.body["pin"], &request.body["code"]);
    let key = request
        .headers
        .get("x-key")
        .and_then(|header| header.to_str().ok());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let detail = format!(
        "{} with {} is not for {}",
        text(pin),
        text(code),
        key.unwrap_or_default()
    );
    let errors = json!([
        {"field": "pin", "value": pin}, {"field": "code", "value": code}, {"told": SECRET_OF_SERVER}, {"code": code}
    ]);
    (
        422,
        json!({"title": "Refused", "detail": detail, "errors": errors}),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_quoted_in_every_report_and_its_secrets_in_none() {
    let mut wrong = Vec::new();
    for rules in [repeats_all, repeats_all_in_plain_text] {
        let texts = reports_of(rules).await;
        wrong.extend([leaks(&texts), missing_texts(&texts)].concat());
        wrong.push("--".to_owned());
    }
    assert_eq!(wrong, ["--", "--"], "{}", wrong.join("\n"));
}

/// Every report of a run, by its name.
async fn reports_of(rules: Rules) -> Vec<(String, String)> {
    let url = start(rules).await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api.yaml", SECRETIVE);
    let header = format!("X-Key: {KEY}");
    let arguments = [
        "run", "--spec", "api.yaml", "--url", &url, "--header", &header,
    ];
    let reports = ["--out", "out", "--report", "all", "--without-laws"];
    let output = binary(&[&arguments[..], &reports].concat(), folder.path());
    let account = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let mut texts = vec![("terminal".to_owned(), account)];
    for entry in std::fs::read_dir(folder.path().join("out")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            texts.push((name, crate::support::details::readable(&path)));
        }
    }
    let id = "createCard/201/one";
    let report = ["explain", id, "--from", "out/report.json"];
    let explained = binary(&report, folder.path());
    texts.push((
        "explain".to_owned(),
        String::from_utf8(explained.stdout).unwrap(),
    ));
    texts
}

/// The secrets that reports contain, each with its report.
fn leaks(texts: &[(String, String)]) -> Vec<String> {
    // A run of digits in a hash or a time is not a secret.
    let short = |code| regex::Regex::new(&format!(r#"[":' ]{code}\b["', \\]"#)).unwrap();
    let short = [(CODE, short(CODE)), (SIGN, short(SIGN))];
    let mut wrong = Vec::new();
    for (name, text) in texts {
        let long = [PIN, SECRET_OF_SERVER, KEY, "pin-of-somebody"].into_iter();
        let long = long.filter(|secret| text.contains(secret));
        let short = short.iter().filter(|(_, form)| form.is_match(text));
        let all = long.chain(short.map(|(code, _)| *code));
        wrong.extend(all.map(|secret| format!("{secret} is in {name}")));
    }
    wrong
}

/// The reports that do not quote the refusal or a change.
fn missing_texts(texts: &[(String, String)]) -> Vec<String> {
    let quoted = "$CONFORMANCE_SECRET with $CONFORMANCE_SECRET is not for $CONFORMANCE_AUTH";
    let reports = [
        "terminal",
        "explain",
        "report.json",
        "junit.xml",
        "report.sarif",
        "annotations.txt",
        "summary.md",
        "report.html",
    ];
    let mut wrong = Vec::new();
    for name in reports {
        let text = texts.iter().find(|(text, _)| text == name);
        let text = text.map(|(_, text)| text.as_str()).unwrap_or_default();
        // The table of the summary does not show changes.
        let changes = ["card-1-", "a key is new in each run"];
        let changes = changes.into_iter().filter(|_| name != "summary.md");
        let all = ["Refused", quoted].into_iter().chain(changes);
        let missing = all.filter(|words| !text.contains(words));
        wrong.extend(missing.map(|words| format!("`{words}` is not in {name}")));
    }
    wrong
}
