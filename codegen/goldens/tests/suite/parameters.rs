//! Parameters in each style.

use std::collections::BTreeMap;

use super::recorder::received;
use codegen_goldens::client;
use codegen_goldens::runtime::JsonText;

fn words(texts: [&str; 2]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

fn numbers() -> BTreeMap<String, i64> {
    [("x".to_owned(), 1), ("y".to_owned(), -2)].into()
}

#[tokio::test]
async fn a_path_has_labels_lists_and_matrices() {
    let call = |connection: &_| {
        client::path_styles(connection).find_things(
            words(["round", "a.b"]),
            words(["é/", "b c"]),
            numbers(),
        )
    };
    let expected = "GET /things.round,a.b/%C3%A9%2F,b%20c;x=1;y=-2 HTTP/1.1";
    assert_eq!(received(call).await.line(), expected);
}

#[tokio::test]
async fn a_query_has_a_pair_for_each_item_or_a_delimiter_between_them() {
    let call = |connection: &_| {
        client::query_styles(connection).list_things(
            words(["a&b", "c"]),
            words(["red", "light blue"]),
            words(["1", "2"]),
            words(["kg", "m|s"]),
            numbers(),
            "https://a.b/?c=d&e#f %",
        )
    };
    let mut expected = [
        "tags=a%26b",
        "tags=c",
        "colours=red,light%20blue",
        "sizes=1%202",
        "units=kg%7Cm%7Cs",
        "near%5Bx%5D=1",
        "near%5By%5D=-2",
        "raw=https://a.b/?c=d%26e%23f%20%25",
    ];
    let received = received(call).await;
    let target = received.line().split(' ').nth(1).unwrap();
    let mut actual: Vec<&str> = target
        .strip_prefix("/things?")
        .unwrap()
        .split('&')
        .collect();
    actual.sort_unstable();
    expected.sort_unstable();
    assert_eq!(actual, expected);
}

#[tokio::test]
async fn a_header_is_not_percent_encoded_and_a_cookie_is() {
    let call = |connection: &_| {
        client::header_and_cookie_parameters(connection).count_things(
            words(["a b", "c;d"]),
            numbers(),
            JsonText(numbers()),
            "a b;c",
        )
    };
    let received = received(call).await;
    assert_eq!(received.line(), "GET /things HTTP/1.1");
    assert_eq!(received.header("x-tags"), ["a b,c;d"]);
    assert_eq!(received.header("x-place"), ["x=1,y=-2"]);
    assert_eq!(received.header("x-filter"), [r#"{"x":1,"y":-2}"#]);
    assert_eq!(received.header("cookie"), ["session=a%20b%3Bc"]);
}
