//! Tests that a case without its preparation is skipped, with a reason that names the failed
//! operation, its last answer, and how to help.

use conformance::level::Verdict;
use serde_json::{Value, json};

use crate::support::rules::{Received, Rules, start};
use crate::support::{case, certify, options, write};

struct Row {
    rules: Rules,
    case: &'static str,
    reason: &'static str,
}

const BOXES: &str = "openapi: 3.0.4
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    post:
      operationId: createBox
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}, examples: {one: {value: {title: a}}}}}}
      responses:
        201: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}, examples: {one: {value: {id: b1, title: a, status: DRAFT}}}}}}
  /boxes/{boxId}:
    get:
      operationId: getBox
      parameters: [{name: boxId, in: path, required: true, schema: {type: string}, example: b1}]
      responses:
        200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}, examples: {one: {value: {id: b1, title: a, status: DRAFT}}}}}}
        404: {description: d}
  /boxes/{boxId}/send:
    post:
      operationId: sendBox
      description: Only packed boxes can be sent.
      parameters: [{name: boxId, in: path, required: true, schema: {type: string}, example: b1}]
      responses:
        200: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}, examples: {one: {value: {id: b1, title: a, status: SENT}}}}}}
        404: {description: d}
        409: {description: The box cannot go.}
  /labels/{labelId}:
    get:
      operationId: getLabel
      parameters: [{name: labelId, in: path, required: true, schema: {type: string}, example: l1}]
      responses:
        200: {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}, examples: {one: {value: {id: l1}}}}}}
        404: {description: d}
components: {schemas: {Box: {type: object, properties: {id: {type: string}, title: {type: string}, status: {type: string, enum: [DRAFT, PACKED, SENT]}}}}}
";

/// Creates and reads boxes, but never packs them.
fn never_packed(request: &Received<'_>, records: &[Value]) -> (u16, Value) {
    if request.line == "POST /boxes" {
        let id = format!("r{}", records.len() + 1);
        return (201, json!({"id": id, "title": "a", "status": "DRAFT"}));
    }
    let id = request.line.split('/').nth(2).unwrap_or_default();
    let found = records.iter().find(|record| record["id"] == id);
    match found {
        None => (404, json!({"code": "NOT_FOUND"})),
        Some(_) if request.line.ends_with("/send") => (409, json!({"code": "INVALID_STATE"})),
        Some(record) => (200, record.clone()),
    }
}

/// Never creates a box.
fn never_made(request: &Received<'_>, _: &[Value]) -> (u16, Value) {
    match request.line {
        "POST /boxes" => (403, json!({"code": "FORBIDDEN"})),
        _ => (404, json!({"code": "NOT_FOUND"})),
    }
}

const ROWS: &[Row] = &[
    Row {
        rules: never_made,
        case: "getBox/200/one",
        reason: "createBox did not succeed (last answer: 403 FORBIDDEN), so the records in the example of getBox did not exist \
                 (last answer: 404 NOT_FOUND); give a scenario or a fact that leads to it",
    },
    Row {
        rules: never_made,
        case: "laws/success/getBox",
        reason: "createBox did not succeed (last answer: 403 FORBIDDEN), and getBox needs it; give a scenario or a fact that leads to it",
    },
    Row {
        rules: never_packed,
        case: "sendBox/200/one",
        reason: "sendBox did not succeed (last answer: 409 INVALID_STATE), as documented in the state DRAFT; give a scenario \
                 or a fact that leads to PACKED",
    },
    Row {
        rules: never_packed,
        case: "laws/success/sendBox",
        reason: "sendBox did not succeed (last answer: 409 INVALID_STATE); give a scenario or a fact that leads to PACKED",
    },
    Row {
        rules: never_packed,
        case: "getLabel/200/one",
        reason: "getLabel did not succeed (last answer: 404 NOT_FOUND): the run created no record for the `labelId` of the example; give a scenario that creates it",
    },
];

#[tokio::test(flavor = "multi_thread")]
async fn a_skip_names_the_obstacle() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let url = start(row.rules).await;
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "api.yaml", BOXES);
        let mut options = options(&spec, &url);
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let case = case(&record, row.case);
        if case.verdict != Verdict::Skip || case.reason.as_deref() != Some(row.reason) {
            wrong.push(format!(
                "{}: {:?} {:?}",
                row.case, case.verdict, case.reason
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
