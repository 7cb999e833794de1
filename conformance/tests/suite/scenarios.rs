//! Tests the scenario engine with a configurable server.

use std::sync::{Arc, Mutex};

use crate::support::{binary, case, certify, checks, ids, options, write};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::level::Verdict;
use conformance::report::Record;
use serde_json::{Value, json};

const SPEC: &str = r"
openapi: 3.0.4
info: {title: Orders, version: '1'}
paths:
  /orders:
    post:
      operationId: createOrder
      tags: [orders]
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties: {key: {type: string, x-natural-key: true}, note: {type: string}}
            examples:
              plain: {value: {key: order-1, note: a}}
              again: {value: {key: order-1, note: a}}
      responses:
        '201':
          description: created
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Order'}
              examples: {plain: {value: {id: o1, key: order-1, note: a, state: NEW}}}
        '409':
          description: there is one
          content:
            application/json: {examples: {again: {value: {}}}}
  /orders/{id}:
    get:
      operationId: getOrder
      tags: [reading]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        '200':
          description: the order
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Order'}
              examples: {done: {value: {id: o1, key: order-1, note: a, state: DONE}}}
components:
  schemas:
    Order:
      type: object
      properties:
        id: {type: string}
        key: {type: string, x-natural-key: true}
        note: {type: string}
        state: {type: string, x-extensible-enum: [NEW, DONE]}
";

const CREATE: &str = "
      - stepId: create
        operationId: createOrder
        x-example: plain
        outputs: {id: $response.body#/id, key: $request.body#/key}
";

/// The behaviour of the server.
#[derive(Clone, Copy, Default)]
struct Behaviour {
    /// The number of reads after which an order is done.
    done_after: usize,
    /// Whether the server accepts a second order with the same key.
    takes_twice: bool,
    /// Whether the server refuses the first step.
    refuses: bool,
}

#[derive(Clone)]
struct Shop {
    behaviour: Behaviour,
    orders: Arc<Mutex<Vec<(Value, usize)>>>,
}

async fn create(
    State(shop): State<Shop>,
    Json(mut order): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let mut orders = shop.orders.lock().unwrap();
    let known = orders.iter().any(|(item, _)| item["key"] == order["key"]);
    if shop.behaviour.refuses {
        return (StatusCode::FORBIDDEN, Json(json!({})));
    }
    if known && !shop.behaviour.takes_twice {
        return (StatusCode::CONFLICT, Json(json!({})));
    }
    order["id"] = format!("o{}", orders.len()).into();
    order["state"] = "NEW".into();
    orders.push((order.clone(), 0));
    (StatusCode::CREATED, Json(order))
}

async fn read(State(shop): State<Shop>, Path(id): Path<String>) -> (StatusCode, Json<Value>) {
    let mut orders = shop.orders.lock().unwrap();
    match orders
        .iter_mut()
        .find(|(order, _)| order["id"] == id.as_str())
    {
        Some((order, reads)) => {
            *reads += 1;
            if *reads > shop.behaviour.done_after {
                order["state"] = "DONE".into();
            }
            (StatusCode::OK, Json(order.clone()))
        }
        None => (StatusCode::NOT_FOUND, Json(json!({}))),
    }
}

async fn remove(State(shop): State<Shop>, Path(id): Path<String>) -> StatusCode {
    let mut orders = shop.orders.lock().unwrap();
    let before = orders.len();
    orders.retain(|(order, _)| order["id"] != id.as_str());
    if orders.len() < before {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::NOT_FOUND
    }
}

async fn serve(behaviour: Behaviour) -> String {
    let shop = Shop {
        behaviour,
        orders: Arc::default(),
    };
    let router = Router::new()
        .route("/orders", post(create))
        .route("/orders/{id}", get(read).delete(remove))
        .with_state(shop);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

fn scenario(steps: &str) -> String {
    let inputs = if steps.contains("$inputs.missing") {
        "missing: {}"
    } else {
        ""
    };
    format!(
        "arazzo: 1.0.1\nworkflows:\n  - workflowId: w\n    inputs: {{properties: {{{inputs}}}}}\n    \
         steps:{steps}"
    )
}

async fn run(steps: &str, behaviour: Behaviour) -> Record {
    run_on(SPEC, steps, behaviour).await
}

async fn run_on(spec: &str, steps: &str, behaviour: Behaviour) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", spec);
    write(folder.path(), "scenarios/w.arazzo.yaml", &scenario(steps));
    certify(&options(&spec, &serve(behaviour).await))
        .await
        .unwrap()
}

fn read_step(until: &str) -> String {
    format!(
        "      - stepId: read
        operationId: getOrder
        x-example: done
        x-final: true
        parameters: [{{name: id, in: path, value: $steps.create.outputs.id}}]
        successCriteria: [{{condition: $response.body#/key == $steps.create.outputs.key}}]
{until}"
    )
}

const UNTIL: &str = "        x-until:
          deadline: PT0.3S
          interval: PT0.01S
          criteria: [{condition: $response.body#/state == 'DONE'}]
";

#[tokio::test]
async fn a_step_without_an_example_covers_the_answer_without_a_body() {
    let removal = "
    delete:
      operationId: removeOrder
      tags: [orders]
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        '204': {description: gone}
components:";
    let spec = SPEC.replace("\ncomponents:", removal);
    let steps = format!(
        "{CREATE}      - stepId: remove
        operationId: removeOrder
        parameters: [{{name: id, in: path, value: $steps.create.outputs.id}}]
        successCriteria: [{{condition: $statusCode == 204}}]
"
    );
    let record = run_on(&spec, &steps, Behaviour::default()).await;
    let removed = case(&record, "removeOrder/204/default");
    assert_eq!(removed.verdict, Verdict::Pass, "{removed:?}");
    let again = format!(
        "{steps}      - stepId: remove-again
        operationId: removeOrder
        parameters: [{{name: id, in: path, value: $steps.create.outputs.id}}]
        successCriteria: [{{condition: $statusCode == 204}}]
"
    );
    let record = run_on(&spec, &again, Behaviour::default()).await;
    let removed = case(&record, "removeOrder/204/default");
    assert_eq!(removed.verdict, Verdict::Fail, "{removed:?}");
}

#[tokio::test]
async fn a_step_waits_until_its_criteria_hold() {
    let steps = format!("{CREATE}{}", read_step(UNTIL));
    let patient = Behaviour {
        done_after: 3,
        ..Behaviour::default()
    };
    let record = run(&steps, patient).await;
    assert_eq!(case(&record, "w/read").requests, 4);
    for id in [
        "w/create",
        "w/read",
        "createOrder/201/plain",
        "getOrder/200/done",
    ] {
        let case = case(&record, id);
        assert_eq!(
            (case.verdict, checks(case)),
            (Verdict::Pass, vec![]),
            "{case:#?}"
        );
    }
    assert_eq!(case(&record, "getOrder/200/done").via, ["w/read"]);

    let never = Behaviour {
        done_after: usize::MAX,
        ..Behaviour::default()
    };
    let record = run(&steps, never).await;
    let late = case(&record, "w/read");
    assert_eq!(checks(late), ["until-deadline"]);
    assert_eq!(late.differences[0].pointer, "/state");
    assert!(late.differences[0].spec.file.ends_with("w.arazzo.yaml"));
    let at_once = format!("{CREATE}{}", read_step(""));
    let record = run(&at_once, never).await;
    assert_eq!(checks(case(&record, "w/read")), ["final-value"]);
    assert_eq!(case(&record, "getOrder/200/done").verdict, Verdict::Warn);
}

#[tokio::test]
async fn steps_that_need_a_failed_step_are_skipped() {
    let refuses = Behaviour {
        refuses: true,
        ..Behaviour::default()
    };
    let record = run(&format!("{CREATE}{}", read_step(UNTIL)), refuses).await;
    assert_eq!(checks(case(&record, "w/create")), ["status-code"]);
    let read = case(&record, "w/read");
    assert_eq!((read.verdict, read.requests), (Verdict::Skip, 0));
    assert!(
        read.reason
            .as_ref()
            .unwrap()
            .contains("`create`: createOrder did not succeed (last answer: 403)")
    );
}

#[tokio::test]
async fn parallel_copies_are_counted() {
    let race = |keys: &str, exactly: bool| {
        format!(
            "
      - stepId: race
        operationId: createOrder
        x-example: plain
        x-parallel: {{count: 8, keys: {keys}, exactly: {exactly}, atMost: {{condition: $statusCode == 201, count: 1}}}}
"
        )
    };
    let record = run(&race("shared", true), Behaviour::default()).await;
    let one = case(&record, "w/race");
    assert_eq!((one.verdict, one.requests), (Verdict::Pass, 8), "{one:#?}");
    let takes_twice = Behaviour {
        takes_twice: true,
        ..Behaviour::default()
    };
    let refuses = Behaviour {
        refuses: true,
        ..Behaviour::default()
    };
    for (keys, exactly, behaviour, met) in [
        ("shared", true, takes_twice, 8),
        ("shared", false, takes_twice, 8),
        ("fresh", false, Behaviour::default(), 8),
        ("shared", true, refuses, 0),
    ] {
        let record = run(&race(keys, exactly), behaviour).await;
        let case = case(&record, "w/race");
        let count = case
            .differences
            .iter()
            .find(|difference| difference.check.id == "parallel-count");
        assert_eq!(
            count.unwrap().actual,
            format!("{met} answers"),
            "{keys} {exactly}"
        );
    }
    let record = run(&race("shared", false), refuses).await;
    assert_eq!(checks(case(&record, "w/race")), ["undeclared-status"]);
}

#[tokio::test]
async fn a_criterion_that_does_not_hold_is_named() {
    let criterion = "        successCriteria: [{condition: $response.body#/note == 'b'}]\n";
    let record = run(&format!("{CREATE}{criterion}"), Behaviour::default()).await;
    let create = case(&record, "w/create");
    assert_eq!(checks(create), ["success-criterion"]);
    let difference = &create.differences[0];
    assert_eq!(
        (difference.pointer.as_str(), difference.actual.as_str()),
        ("/note", "\"a\"")
    );
    assert_eq!(difference.expected, "\"b\" ($response.body#/note == 'b')");
    assert!(difference.spec.file.ends_with("w.arazzo.yaml") && difference.spec.line == 10);
}

#[tokio::test]
async fn a_rejection_is_demanded() {
    let again = "      - stepId: again
        operationId: createOrder
        x-example: again
        x-rejection: true
";
    let steps = format!("{CREATE}{again}");
    let record = run(&steps, Behaviour::default()).await;
    assert_eq!(
        case(&record, "w/again").verdict,
        Verdict::Pass,
        "{:#?}",
        ids(&record)
    );
    let takes_twice = Behaviour {
        takes_twice: true,
        ..Behaviour::default()
    };
    let record = run(&steps, takes_twice).await;
    assert_eq!(checks(case(&record, "w/again")), ["rejection-expected"]);
}

#[tokio::test]
async fn mistakes_of_a_scenario_are_errors() {
    for (step, reason) in [
        (
            "operationId: noSuchThing",
            "which the document does not have",
        ),
        (
            "operationId: createOrder\n        x-example: none",
            "does not have",
        ),
        (
            "operationId: getOrder",
            "gives no value to the required parameter `id`",
        ),
        (
            "operationId: createOrder\n        parameters: [{name: x, value: 1}]",
            "does not declare",
        ),
    ] {
        let record = run(
            &format!("\n      - stepId: s\n        {step}\n"),
            Behaviour::default(),
        )
        .await;
        let case = case(&record, "w/s");
        assert_eq!(case.verdict, Verdict::Error, "{step}");
        assert!(case.reason.as_ref().unwrap().contains(reason), "{case:#?}");
        assert!(record.counts.error > 0, "{step}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inputs_come_from_the_configuration() {
    let steps = "
      - stepId: create
        operationId: createOrder
        x-example: plain
        requestBody: {replacements: [{target: /note, value: $inputs.missing}]}
        successCriteria: [{condition: $response.body#/note == 'from the file'}]
";
    let record = run(steps, Behaviour::default()).await;
    let create = case(&record, "w/create");
    assert_eq!(create.verdict, Verdict::Skip);
    assert!(
        create.reason.as_ref().unwrap().contains("`inputs.missing`"),
        "{create:#?}"
    );

    let folder = tempfile::tempdir().unwrap();
    // A conflict needs an earlier order, which this scenario lacks.
    let spec = SPEC.replace("again: {value: {key: order-1, note: a}}", "");
    write(folder.path(), "openapi.yaml", &spec);
    write(folder.path(), "scenarios/w.arazzo.yaml", &scenario(steps));
    write(
        folder.path(),
        "conformance.toml",
        "areas = ['orders']\n[inputs]\nmissing = 'for all'\n[scenarios.w]\nmissing = 'from the file'\n",
    );
    let url = serve(Behaviour::default()).await;
    let arguments = [
        "run",
        "--without-laws",
        "--spec",
        "openapi.yaml",
        "--url",
        &url,
        "--config",
        "conformance.toml",
    ];
    let output = binary(&arguments, folder.path());
    let account = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{account}");
    assert!(
        account.contains("✓ w/create") && !account.contains("getOrder"),
        "{account}"
    );
}
