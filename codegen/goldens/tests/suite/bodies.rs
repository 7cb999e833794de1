//! Bodies of each kind.

use std::collections::BTreeMap;

use super::recorder::received;
use super::uploads::Pieces;
use codegen_goldens::operations::several_media_types::NoteBody;
use codegen_goldens::runtime::ByteStream;
use codegen_goldens::runtime::multipart::File;
use codegen_goldens::{client, models};

#[tokio::test]
async fn a_form_has_the_encoding_of_each_field() {
    let card: BTreeMap<_, _> = [("number".to_owned(), "4 2".to_owned())].into();
    let order = models::Order {
        amount: "10.00".parse().unwrap(),
        address: Some([("city".to_owned(), "a b".to_owned())].into()),
        card: Some([("data".to_owned(), card)].into()),
        code: Some("c".to_owned()),
        notes: Some(vec!["a+b".to_owned(), "é".to_owned()]),
        sizes: Some(vec![1, 2]),
        tags: Some(vec!["a".to_owned(), "7".to_owned()]),
    };
    let received = received(|connection| client::form_bodies(connection).order(&order)).await;
    let expected = "address=%7B%22city%22%3A%22a+b%22%7D&amount=10.00&card%5Bdata%5D%5Bnumber%5D=4+2&code=%22c%22&notes=a%2Bb&notes=%C3%A9&\
                    sizes=1%7C2&tags=%22a%22&tags=%227%22";
    assert_eq!(received.body, expected);
    let form = "application/x-www-form-urlencoded";
    assert_eq!(received.header("content-type"), [form]);
}

#[tokio::test]
async fn a_body_in_parts_has_one_for_each_value() {
    parts_are_sent(File::new("a \"b\".txt", "line\r\n")).await;
    let pieces = Pieces::of(&["li", "ne\r\n"]);
    let stream = ByteStream::new(pieces).with_size(6);
    parts_are_sent(File::new("a \"b\".txt", stream)).await;
}

async fn parts_are_sent(file: File) {
    let upload = models::UploadParts {
        file,
        note: Some("é".to_owned()),
        pages: Some(vec![
            [("a".to_owned(), 1)].into(),
            [("b".to_owned(), 2)].into(),
        ]),
        scans: None,
        sheet: Some("1;2".to_owned()),
        words: Some(vec!["a".to_owned(), "b".to_owned()]),
    };
    let received = received(|connection| client::multipart(connection).upload(&upload)).await;
    let media_type = received.header("content-type")[0];
    let boundary = media_type
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap();
    let typed = |name: &str, media_type: &str, text: &str| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"");
        format!("{head}\r\nContent-Type: {media_type}\r\n\r\n{text}")
    };
    let page = |json: &str| typed("pages", "application/json", json);
    let expected = [
        format!("--{boundary}"),
        "Content-Disposition: form-data; name=\"file\"; filename=\"a %22b%22.txt\"".to_owned(),
        "Content-Type: application/octet-stream\r\n\r\nline\r\n".to_owned(),
        format!("--{boundary}"),
        "Content-Disposition: form-data; name=\"note\"\r\n\r\né".to_owned(),
        format!("--{boundary}"),
        page("{\"a\":1}"),
        format!("--{boundary}"),
        page("{\"b\":2}"),
        format!("--{boundary}"),
        typed("sheet", "text/csv", "1;2"),
        format!("--{boundary}"),
        typed("words", "application/json", "\"a\""),
        format!("--{boundary}"),
        typed("words", "application/json", "\"b\""),
        format!("--{boundary}--\r\n"),
    ];
    assert_eq!(received.body, expected.join("\r\n"));
}

#[tokio::test]
async fn each_media_type_is_sent_as_what_it_is() {
    let note = models::Note {
        text: "a b".to_owned(),
    };
    let cases = [
        (
            NoteBody::Json(note.clone()),
            "application/json",
            r#"{"text":"a b"}"#,
        ),
        (
            NoteBody::Form(note),
            "application/x-www-form-urlencoded",
            "text=a+b",
        ),
        (NoteBody::Text("a b".to_owned()), "text/plain", "a b"),
        (
            NoteBody::Bytes("a b".into()),
            "application/octet-stream",
            "a b",
        ),
    ];
    for (body, media_type, expected) in cases {
        let call = |connection: &_| client::several_media_types(connection).note(body);
        let received = received(call).await;
        assert_eq!(received.header("content-type"), [media_type]);
        assert_eq!(received.body, expected);
    }
}
