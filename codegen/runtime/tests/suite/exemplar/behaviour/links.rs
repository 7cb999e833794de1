//! Links: what was sent and what came back fills the next request.

use super::shop::{client, purchase};
use crate::client::GetTransaction;
use crate::models::FileNote;
use crate::operations::files::AddNoteBody;
use crate::operations::transactions::GetTransactionParameters;
use crate::runtime::client::{Expression, Link, Linked, Request};
use crate::runtime::{Decimal, Uuid};

const VALUES: &[(Expression, &str)] = &[
    (Expression::Method, "POST"),
    (Expression::StatusCode, "200"),
    (Expression::RequestPath("id"), "a/b"),
    (Expression::RequestHeader("X-Note"), "n"),
    (Expression::RequestBody("/text"), "c"),
    (
        Expression::ResponseHeader("content-type"),
        "application/json",
    ),
    (Expression::ResponseBody("/text"), "c"),
    (Expression::Constant("7"), "7"),
    (
        Expression::Text(&[
            Expression::Constant("\"<\""),
            Expression::ResponseBody("/text"),
        ]),
        "<c",
    ),
];

fn note() -> FileNote {
    FileNote {
        text: "c".to_owned(),
        author: None,
    }
}

#[tokio::test]
async fn every_expression_has_its_value() {
    let note = note();
    let request = client()
        .await
        .files()
        .add_note("a/b", &AddNoteBody::Json(note));
    let linked = request.header("x-note", "n").linked().await.unwrap();
    let link = linked.origin.follow("next", 200..=299).unwrap();
    for (expression, expected) in VALUES {
        let value: String = link.value(*expression).unwrap();
        assert_eq!(value, *expected, "{expression}");
    }
    let url: String = link.value(Expression::Url).unwrap();
    assert!(
        url.starts_with("http://127.0.0.1:") && url.ends_with("/files/a%2Fb/notes"),
        "{url}"
    );
    let whole: FileNote = link.body(Expression::RequestBody("")).unwrap();
    assert_eq!(whole.text, "c");
}

#[tokio::test]
async fn what_is_not_there_is_an_error_unless_it_is_optional() {
    let note = note();
    let request = client()
        .await
        .files()
        .add_note("a", &AddNoteBody::Json(note));
    let linked = request.linked().await.unwrap();
    let error = linked
        .origin
        .follow("next", 201..=201)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "the link `next` cannot be followed: the answer 200 does not have it"
    );

    let link = linked.origin.follow("next", 200..=200).unwrap();
    for expression in [
        Expression::RequestQuery("id"),
        Expression::RequestHeader("x-other"),
        Expression::RequestBody("/other"),
        Expression::RequestBody("/text/0"),
        Expression::ResponseBody("/text~1"),
        Expression::Text(&[Expression::ResponseHeader("x-other")]),
    ] {
        let none: Option<String> = link.optional(expression).unwrap();
        assert_eq!(none, None, "{expression}");
        let error = link.value::<String>(expression).unwrap_err().to_string();
        assert!(error.ends_with("has no value"), "{error}");
    }
    let error = link
        .value::<i32>(Expression::ResponseBody("/text"))
        .unwrap_err();
    assert!(
        error.message.starts_with("`$response.body#/text`: "),
        "{error}"
    );
}

/// What the generator emits for a link from a purchase to its transaction.
fn transaction(link: &Link<'_>) -> crate::client::Request<GetTransaction> {
    let id = link.value(Expression::ResponseBody("/id")).unwrap();
    Request::new(link.connection(), GetTransactionParameters { id })
}

#[tokio::test]
async fn a_value_keeps_its_type_and_its_digits() {
    let request = client().await.transactions().create_purchase(&purchase());
    let linked: Linked<_> = request.linked().await.unwrap();
    let link = linked.origin.follow("transaction", 201..=201).unwrap();
    let id: Uuid = link.value(Expression::ResponseBody("/id")).unwrap();
    assert_eq!(id, linked.response.body.id);
    let request_id: String = link.value(Expression::RequestHeader("Request-Id")).unwrap();
    assert_eq!(Some(request_id), linked.response.request_id);
    let amount: Decimal = link.value(Expression::RequestBody("/amount")).unwrap();
    assert_eq!(amount.as_str(), "10.00");
    assert_eq!(transaction(&link).await.unwrap_err().status().unwrap(), 404);
}
