//! Tests single faults in a small server: the law that names a fault finds it. The correct server
//! has no difference and no skipped law.

use crate::support::{case, certify, checks, ids, options, troubles, write};
use conformance::report::Record;
use futures_util::future::join_all;

async fn run(fault: &'static str) -> Record {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", crate::support::shelf::SPEC);
    let mut options = options(&spec, &crate::support::shelf::start(fault).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

#[tokio::test]
async fn a_server_without_a_fault_has_no_difference() {
    let record = run("none").await;
    let laws = |id: &&str| id.starts_with("laws/");
    let troubles: Vec<_> = troubles(&record)
        .into_iter()
        .filter(|item| laws(&item.id.as_str()) || !item.differences.is_empty())
        .collect();
    assert!(troubles.is_empty(), "{troubles:#?}");
    for id in [
        "paging/listBooks",
        "deletion/removeBook",
        "parents/getBook",
        "repetition/addBook",
        "head/getShelf",
        "location/addBook",
        "methods/addShelf",
        "parameters/listBooks",
        "refusals/changeBook",
    ] {
        let item = case(&record, &format!("laws/{id}"));
        assert_eq!(item.differences.len(), 0, "{:?}", ids(&record));
    }
}

#[tokio::test]
async fn exceptions_in_the_behaviour_file_are_not_tested() {
    let rows = [
        ("{law: deletion, operations: [removeShelf]", None),
        (
            "{check: deleted-twice, operations: [removeShelf]",
            Some(vec![]),
        ),
        ("{law: deletion, check: deleted-twice", Some(vec![])),
        (
            "{law: parents, check: deleted-twice",
            Some(vec!["deleted-twice"]),
        ),
        (
            "{law: deletion, operations: [removeBook]",
            Some(vec!["deleted-twice"]),
        ),
    ];
    for (exception, expected) in rows {
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "openapi.yaml", crate::support::shelf::SPEC);
        let text = format!(
            "behaviour: 1.0.0\nexceptions: [{exception}, summary: It may be sent again.}}]\n"
        );
        write(folder.path(), "behaviour.yaml", &text);
        let mut options = options(&spec, &crate::support::shelf::start("deleted-twice").await);
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let mut cases = record.cases.iter();
        let item = cases.find(|case| case.id == "laws/deletion/removeShelf");
        assert_eq!(item.map(checks), expected, "{exception}");
    }
}

#[tokio::test]
async fn each_fault_is_caught_by_its_law() {
    let rows = [
        ("overlap", "paging/listBooks", "page-repeats"),
        ("gap", "paging/listBooks", "page-misses"),
        ("large-pages", "paging/listBooks", "page-size-ignored"),
        ("one-direction", "paging/listBooks", "order-ignored"),
        ("other-default", "paging/listBooks", "default-differs"),
        ("maximum-refused", "paging/listBooks", "valid-refused"),
        ("no-maximum", "paging/listBooks", "constraint-ignored"),
        ("still-read", "deletion/removeShelf", "deleted-found"),
        ("deleted-twice", "deletion/removeShelf", "deleted-twice"),
        ("still-listed", "deletion/removeBook", "deleted-listed"),
        ("any-parent", "parents/getBook", "foreign-parent-found"),
        (
            "always-another",
            "repetition/addBook",
            "repeat-made-another",
        ),
        (
            "other-body-granted",
            "repetition/addBook",
            "key-reuse-granted",
        ),
        ("head-not-found", "head/getShelf", "head-differs"),
        (
            "location-nowhere",
            "location/addBook",
            "location-leads-astray",
        ),
        ("any-method", "methods/addShelf", "mistake-granted"),
        ("no-allow", "methods/addShelf", "allow-incomplete"),
        ("accepts-everything", "methods/getShelf", "mistake-granted"),
        ("any-type", "methods/addBook", "mistake-granted"),
        ("no-limit", "methods/addShelf", "mistake-granted"),
        (
            "any-direction",
            "parameters/listBooks",
            "constraint-ignored",
        ),
        ("half-a-body", "parameters/addShelf", "constraint-ignored"),
        (
            "half-a-change",
            "refusals/changeBook",
            "refusal-changed-state",
        ),
    ];
    let runs = rows.map(|(fault, ..)| Box::pin(run(fault)));
    for (record, (fault, id, check)) in join_all(runs).await.iter().zip(rows) {
        let found = checks(case(record, &format!("laws/{id}")));
        assert!(found.contains(&check), "{fault}: {found:?}");
    }
}
