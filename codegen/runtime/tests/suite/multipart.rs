use std::collections::BTreeMap;

use openapi_generate_runtime::multipart::{self, Content, File, Part, Parts};
use openapi_generate_runtime::{ByteStream, Bytes};
use proptest::prelude::*;
use serde::Serialize;

fn value<T: Serialize>(name: &str, value: &T) -> Vec<Part> {
    Part::value(name, value).unwrap()
}

fn whole(body: ByteStream) -> Bytes {
    Content::from(body).whole().unwrap().clone()
}

fn written(parts: &[Part]) -> Parts {
    let (content_type, body) = multipart::write(parts);
    assert!(
        content_type.starts_with("multipart/form-data; boundary="),
        "{content_type}"
    );
    let read = multipart::read(&content_type, &whole(body)).unwrap();
    assert_eq!(read, parts);
    read.into()
}

#[test]
fn values_and_files_come_out_by_name() {
    let file = File::new("näme; \"1\".bin", vec![0, 13, 10, 45, 45, 255]);
    let address = BTreeMap::from([("city".to_owned(), 7)]);
    let mut list = value("purpose", &"a;b=\"c\"");
    list.push(Part::file("file", &file));
    list.extend(value("count", &12));
    list.extend(value("tags", &["x", "y"]));
    list.extend(value("address", &address));
    list.extend(value("addresses", &[&address, &address]));
    list.extend(value("single", &[&address]));
    list.extend(value("absent", &None::<i32>));

    let mut parts = written(&list);
    assert_eq!(parts.file("file"), Ok(file));
    assert_eq!(parts.value::<String>("purpose").unwrap(), "a;b=\"c\"");
    assert_eq!(parts.value::<i64>("count"), Ok(12));
    assert_eq!(parts.value::<Vec<String>>("tags").unwrap(), ["x", "y"]);
    assert_eq!(
        parts.value::<BTreeMap<String, i64>>("address"),
        Ok(address.clone())
    );
    let addresses = parts.value::<Vec<BTreeMap<String, i64>>>("addresses");
    assert_eq!(addresses, Ok(vec![address.clone(), address.clone()]));
    let single = parts.value::<Vec<BTreeMap<String, i64>>>("single");
    assert_eq!(single, Ok(vec![address]));
    assert_eq!(parts.optional_value::<i32>("absent"), Ok(None));
}

#[test]
fn what_is_wrong_has_a_place() {
    let mut parts = written(&value("count", &"many"));
    assert_eq!(
        parts.clone().value::<i64>("count").unwrap_err().pointer,
        "/count"
    );
    assert_eq!(parts.value::<i64>("total").unwrap_err().pointer, "/total");
    assert_eq!(
        parts.file("file").unwrap_err().message,
        "missing field `file`"
    );
    let mut parts = written(&value("map", &BTreeMap::from([("a", "b")])));
    assert_eq!(
        parts
            .value::<BTreeMap<String, bool>>("map")
            .unwrap_err()
            .pointer,
        "/map/a"
    );
}

#[test]
fn what_others_write_is_read_too() {
    let body = "preamble\r\n--x y\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x y  \r\n\
        Content-Disposition: form-data; filename=f.txt; name=b\r\nContent-Type: text/plain\r\n\r\n2\r\n--x y--\r\nend";
    let body = Bytes::from(body);
    let content_type = "multipart/form-data; boundary=\"x y\"; charset=utf-8";
    let parts = multipart::read(content_type, &body).unwrap();
    assert_eq!(parts[..1], value("a", &1));
    assert_eq!(parts[1].name, "b");
    let file = &parts[1].file;
    assert_eq!(
        (file.name.as_deref(), file.media_type.as_deref()),
        (Some("f.txt"), Some("text/plain"))
    );
    assert_eq!(file.content, "2".into());
}

#[test]
fn broken_bodies_are_refused() {
    for body in [
        "",
        "--b",
        "--b\r\n",
        "--b\r\nx\r\n--b--",
        "--b\r\n\r\n\r\n--b--",
        "--b\r\nno-name: 1\r\n\r\n\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nnever ends",
        "--b\r\nContent-Disposition: form-data; name=a\r\n--b\r\n\r\n1\r\n--b--",
    ] {
        let error =
            multipart::read("multipart/form-data; boundary=b", &Bytes::from(body)).unwrap_err();
        assert!(error.malformed, "{body:?}");
    }
    assert!(multipart::read("multipart/form-data", &Bytes::from("--b--")).is_err());
}

proptest! {
    #[test]
    fn any_content_round_trips(name in "\\PC{1,8}", content in any::<Vec<u8>>()) {
        let parts = [Part::file(&name, &File::new(&name, content))];
        let (content_type, body) = multipart::write(&parts);
        prop_assert_eq!(multipart::read(&content_type, &whole(body)).unwrap(), parts);
    }

    #[test]
    fn any_body_is_judged_without_a_panic(body in "(--|b|\r\n|:|;|=|name|\"|Content-Disposition){0,20}") {
        let _ = multipart::read("multipart/form-data; boundary=b", &Bytes::from(body));
    }
}
