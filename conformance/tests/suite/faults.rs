//! Tests single faults between the runner and the reference server: the check that names a fault
//! finds it, and the unchanged server has no difference.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::support::proxy::{Fault, Memory, Passing};
use crate::support::sandbox::{KEY, Sandbox};
use crate::support::{case, certify, ids, options, troubles};
use conformance::judge::Difference;
use conformance::level::{Level, Profile, Verdict};
use conformance::options::Options;
use conformance::report::Record;
use futures_util::future::join_all;
use serde_json::{Value, json};

fn contract() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml")
}

/// The areas that the reference server implements.
fn implemented(url: &str) -> Options {
    let mut options = options(&contract(), url);
    options.headers = vec![("authorization".to_owned(), KEY.to_owned())];
    options.selection.areas = ["transactions", "payouts"].map(str::to_owned).into();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    options.seed = u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap();
    options
}

/// The description, the fault, and the finding: case, check, pointer, and parts of the expected and
/// actual texts.
type Row = (
    &'static str,
    Fault,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const CREATE: &str = "POST /v1/transactions";
const REFUND: &str = "POST /v1/transactions/refund";
const READ: &str = "GET /v1/transactions/*";
const READ_BY_MERCHANT_ID: &str = "GET /v1/transactions/merchant/*";

fn on(passing: &mut Passing, request: &str, change: impl Fn(&mut Value)) {
    if passing.answers(request) {
        passing.edit(change);
    }
}

fn amount_as_number(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) {
        passing.rewrite(r#""amount":"100.00""#, r#""amount":100.00"#);
    }
}

fn field_gone(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        body.as_object_mut().unwrap().remove("currency");
    });
}

fn nested_field_gone(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        body["actions"].as_object_mut().unwrap().remove("capture");
    });
}

fn ok_for_created(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) && passing.status == 201 {
        passing.status = 200;
    }
}

fn found_for_not_found(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) && passing.status == 404 {
        passing.status = 400;
    }
}

fn no_milliseconds(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        let text = body["createdAt"].as_str().unwrap();
        body["createdAt"] = format!("{}Z", &text[..19]).into();
    });
}

fn other_status(passing: &mut Passing, _: &mut Memory) {
    on(passing, READ_BY_MERCHANT_ID, |body| {
        if body["status"] == "ACCEPTED" {
            body["status"] = "CANCELLED".into();
        }
    });
}

fn other_flag(passing: &mut Passing, _: &mut Memory) {
    on(passing, READ_BY_MERCHANT_ID, |body| {
        body["actions"]["cancel"] = true.into();
    });
}

/// Accepts a second refund that must be refused because another one is active.
fn second_refund_accepted(passing: &mut Passing, memory: &mut Memory) {
    if !passing.answers(REFUND) {
        return;
    }
    if passing.status == 201 {
        memory.insert("refund".to_owned(), passing.body.clone());
    } else if let (409, Some(earlier)) = (passing.status, memory.get("refund")) {
        passing.status = 201;
        let json = "application/json".parse().unwrap();
        passing.headers.insert("content-type", json);
        passing.body.clone_from(earlier);
    }
}

fn echo_altered(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        if body.get("originMerchantTransactionId").is_some() {
            body["originMerchantTransactionId"] = "cart-0".into();
        }
    });
}

fn amount_shortened(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) {
        passing.rewrite(r#""amount":"100.00""#, r#""amount":"100.0""#);
    }
}

/// A reading by the merchant's id returns the previous version.
fn lagging_read(passing: &mut Passing, memory: &mut Memory) {
    let key = match (passing.status, passing.method.as_str()) {
        (200 | 201, "POST") if !passing.answers(REFUND) => "POST",
        (200, "GET") if passing.answers(READ_BY_MERCHANT_ID) => "GET",
        _ => return,
    };
    let body: Value = serde_json::from_slice(&passing.body).unwrap();
    let Some(id) = body.get("id") else { return };
    if key == "POST" {
        memory
            .entry(id.to_string())
            .or_insert_with(|| passing.body.clone());
    } else if let Some(earlier) = memory.get(&id.to_string()) {
        passing.body.clone_from(earlier);
    }
}

fn other_amount_on_read(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(READ) {
        passing.rewrite(r#""amount":"100.00""#, r#""amount":"100.01""#);
    }
}

/// A reading by id always returns the version of the creation.
fn stale_read(passing: &mut Passing, memory: &mut Memory) {
    if passing.answers(CREATE) && passing.status == 201 {
        let body: Value = serde_json::from_slice(&passing.body).unwrap();
        memory.insert(body["id"].to_string(), passing.body.clone());
    } else if passing.answers(READ) && passing.status == 200 {
        let body: Value = serde_json::from_slice(&passing.body).unwrap();
        if let Some(created) = memory.get(&body["id"].to_string()) {
            passing.body.clone_from(created);
        }
    }
}

fn other_notification_address(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        if body["meta"].get("customIpnUrl").is_some() {
            body["meta"]["customIpnUrl"] = "https://elsewhere.example/".into();
        }
    });
}

fn nothing_implemented(passing: &mut Passing, _: &mut Memory) {
    passing.status = 501;
    passing.body.clear();
}

fn other_media_type(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) && passing.status == 201 {
        passing
            .headers
            .insert("content-type", "text/plain".parse().unwrap());
    }
}

fn upper_case_uuid(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        body["id"] = body["id"].as_str().unwrap().to_uppercase().into();
    });
}

fn uuid_without_hyphens(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| {
        body["id"] = body["id"].as_str().unwrap().replace('-', "").into();
    });
}

fn lower_case_constant(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| body["type"] = "trt_purchase".into());
}

fn key_twice(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) {
        passing.rewrite("{", r#"{"currency":"XXX","#);
    }
}

fn null_for_a_text(passing: &mut Passing, _: &mut Memory) {
    on(passing, CREATE, |body| body["currency"] = Value::Null);
}

fn half_a_body(passing: &mut Passing, _: &mut Memory) {
    if passing.answers(CREATE) && passing.status == 201 {
        passing.body.truncate(passing.body.len() / 2);
    }
}

/// The case that most faults change.
const PURCHASE: &str = "createPurchase/201/accepted";

const FAULTS: &[Row] = &[
    (
        "an amount as a number",
        amount_as_number,
        PURCHASE,
        "decimal-style",
        "/amount",
        "a string of decimal digits",
        "100.00",
    ),
    (
        "a field gone",
        field_gone,
        PURCHASE,
        "field-missing",
        "/currency",
        "\"EUR\"",
        "absent",
    ),
    (
        "a nested field gone",
        nested_field_gone,
        PURCHASE,
        "field-missing",
        "/actions/capture",
        "false",
        "absent",
    ),
    (
        "200 for 201",
        ok_for_created,
        PURCHASE,
        "status-code",
        "",
        "status 201",
        "status 200",
    ),
    (
        "400 for 404",
        found_for_not_found,
        "createPurchase/404/unknown-card",
        "status-code",
        "",
        "status 404",
        "status 400",
    ),
    (
        "a timestamp without milliseconds",
        no_milliseconds,
        PURCHASE,
        "timestamp-style",
        "/createdAt",
        "a timestamp such as",
        "Z\"",
    ),
    (
        "another status where it is final",
        other_status,
        "pending-becomes-final/read-by-merchant-id",
        "final-value",
        "/status",
        "\"ACCEPTED\"",
        "\"CANCELLED\"",
    ),
    (
        "another flag where the state is final",
        other_flag,
        "pending-becomes-final/read-by-merchant-id",
        "final-value",
        "/actions/cancel",
        "false",
        "true",
    ),
    (
        "a second active refund accepted",
        second_refund_accepted,
        "second-refund-while-active/second-refund",
        "rejection-expected",
        "",
        "status 409",
        "status 201",
    ),
    (
        "sixteen active refunds accepted",
        second_refund_accepted,
        "racing-refunds-that-stay-active/refunds",
        "parallel-count",
        "",
        "exactly 1 answers",
        "16 answers",
    ),
    (
        "an echoed field altered",
        echo_altered,
        PURCHASE,
        "echo",
        "/originMerchantTransactionId",
        "\"cart-1001\" as sent",
        "\"cart-0\"",
    ),
    (
        "an echoed amount with fewer digits",
        amount_shortened,
        PURCHASE,
        "echo",
        "/amount",
        "\"100.00\" as sent",
        "\"100.0\"",
    ),
    (
        "a re-read that lags",
        lagging_read,
        "pending-becomes-final/read-by-merchant-id",
        "final-value",
        "/status",
        "\"ACCEPTED\"",
        "\"PENDING\"",
    ),
    (
        "a re-read with another amount",
        other_amount_on_read,
        "pending-becomes-final/read",
        "read-back",
        "/amount",
        "\"100.00\" as written before",
        "\"100.01\"",
    ),
    (
        "501 everywhere",
        nothing_implemented,
        PURCHASE,
        "not-implemented",
        "",
        "status 201",
        "status 501",
    ),
    (
        "another media type",
        other_media_type,
        PURCHASE,
        "media-type",
        "",
        "application/json",
        "text/plain",
    ),
    (
        "an upper-case UUID",
        upper_case_uuid,
        PURCHASE,
        "uuid-style",
        "/id",
        "a lower-case UUID",
        "-",
    ),
    (
        "a UUID without hyphens",
        uuid_without_hyphens,
        PURCHASE,
        "uuid-style",
        "/id",
        "a lower-case UUID",
        "\"",
    ),
    (
        "a constant in lower case",
        lower_case_constant,
        PURCHASE,
        "letter-case",
        "/type",
        "TRT_PURCHASE",
        "\"trt_purchase\"",
    ),
    (
        "a key twice",
        key_twice,
        PURCHASE,
        "duplicate-key",
        "/currency",
        "once",
        "twice",
    ),
    (
        "null for a text",
        null_for_a_text,
        PURCHASE,
        "schema-type",
        "/currency",
        "",
        "null",
    ),
    (
        "half a body",
        half_a_body,
        PURCHASE,
        "invalid-json",
        "",
        "a JSON value",
        " at byte ",
    ),
    (
        "a re-read that never changes",
        stale_read,
        "pending-becomes-final/read",
        "until-deadline",
        "/status",
        "ACCEPTED",
        "PENDING",
    ),
    (
        "another notification address",
        other_notification_address,
        "purchase-capture-refund/purchase",
        "success-criterion",
        "/meta/customIpnUrl",
        "https://merchant.example/notifications",
        "https://elsewhere.example/",
    ),
];

fn assert_found(record: &Record, (what, _, id, check, pointer, expected, actual): &Row) {
    assert_eq!(record.counts.verdict(), Verdict::Fail, "{what}");
    let case = case(record, id);
    assert_eq!(case.verdict, Verdict::Fail, "{what}: {case:#?}");
    let named =
        |difference: &&Difference| difference.check.id == *check && difference.pointer == *pointer;
    let found = case.differences.iter().find(named);
    let found = found.unwrap_or_else(|| panic!("{what} is not named: {case:#?}"));
    assert_eq!(found.level, Level::Must, "{what}");
    assert!(found.expected.contains(expected), "{what}: {found:#?}");
    assert!(found.actual.contains(actual), "{what}: {found:#?}");
    let is_source = [
        "openapi.yaml",
        "paths/",
        "examples/",
        "schemas/",
        "scenarios/",
    ];
    assert!(
        is_source.iter().any(|part| found.spec.file.contains(part)),
        "{what}: {found:#?}"
    );
    assert!(
        found.spec.line > 1 && found.curl.starts_with("curl "),
        "{what}: {found:#?}"
    );
    assert!(
        !found.curl.contains(KEY) && found.curl.contains("$CONFORMANCE_AUTH"),
        "{what}"
    );
}

/// The scenarios with shorter deadlines, because most faults make some of them wait.
fn impatient_scenarios(folder: &Path) {
    for entry in std::fs::read_dir(contract().with_file_name("scenarios")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path)
            .unwrap()
            .replace("PT5S", "PT2S");
        std::fs::write(folder.join(path.file_name().unwrap()), text).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_is_caught_by_the_check_that_names_it() {
    let sandbox = Sandbox::start();
    let folder = tempfile::Builder::new()
        .suffix("scenarios")
        .tempdir()
        .unwrap();
    impatient_scenarios(folder.path());
    std::fs::create_dir(folder.path().join("none")).unwrap();
    for some in FAULTS.chunks(6) {
        join_all(some.iter().map(async |row| {
            let mut options = implemented(&crate::support::proxy::start(&sandbox.url, row.1).await);
            options.selection.areas = ["transactions".to_owned()].into();
            // Faults of single answers need no scenario.
            let alone = row.2.starts_with("createPurchase/");
            options.scenarios = Some(folder.path().join(if alone { "none" } else { "" }));
            assert_found(&certify(&options).await.unwrap(), row);
        }))
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_untouched_server_has_no_difference() {
    let sandbox = Sandbox::start();
    let through = crate::support::proxy::start(&sandbox.url, |_, _| {}).await;
    // Directly, again on the same database, and through a proxy that changes nothing.
    for url in [&sandbox.url, &sandbox.url, &through] {
        for profile in [Profile::Documented, Profile::Complete] {
            let mut options = implemented(url);
            options.profile = profile;
            let record = certify(&options).await.unwrap();
            assert!(troubles(&record).is_empty(), "{:#?}", troubles(&record));
            assert_eq!(record.counts.verdict(), Verdict::Pass);
            assert!(record.counts.pass >= 40, "{:#?}", ids(&record));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undeclared_property_warns() {
    let sandbox = Sandbox::start();
    let url = crate::support::proxy::start(&sandbox.url, |passing, _| {
        on(passing, CREATE, |body| body["surplus"] = json!(1));
    })
    .await;
    let mut options = implemented(&url);
    options
        .selection
        .operations
        .insert("createPurchase".to_owned());
    let record = certify(&options).await.unwrap();
    let case = case(&record, "createPurchase/201/accepted");
    assert_eq!(case.verdict, Verdict::Warn, "{case:#?}");
    assert_eq!(crate::support::checks(case), ["undeclared-property"]);
    assert_eq!(record.counts.verdict(), Verdict::Pass);
}
