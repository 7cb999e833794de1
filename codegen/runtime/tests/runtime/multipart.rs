use codegen_runtime::Bytes;
use codegen_runtime::multipart::{self, Part};
use proptest::prelude::*;

#[test]
fn parts_round_trip() {
    let parts = [
        Part::text("purpose", "a;b=\"c\""),
        Part::file("file", "näme; \"1\".bin", vec![0, 13, 10, 45, 45, 255]),
        Part::text("empty", ""),
    ];
    let (content_type, body) = multipart::write(&parts);
    assert!(
        content_type.starts_with("multipart/form-data; boundary="),
        "{content_type}"
    );
    assert_eq!(multipart::read(&content_type, &body).unwrap(), parts);
}

#[test]
fn what_others_write_is_read_too() {
    let body = "preamble\r\n--x y\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x y  \r\n\
        Content-Disposition: form-data; filename=f.txt; name=b\r\nContent-Type: text/plain\r\n\r\n2\r\n--x y--\r\nend";
    let body = Bytes::from(body);
    let parts = multipart::read(
        "multipart/form-data; boundary=\"x y\"; charset=utf-8",
        &body,
    )
    .unwrap();
    assert_eq!(parts[0], Part::text("a", "1"));
    assert_eq!(parts[1].name, "b");
    assert_eq!(parts[1].file_name.as_deref(), Some("f.txt"));
    assert_eq!(parts[1].media_type.as_deref(), Some("text/plain"));
    assert_eq!(parts[1].content, "2");
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
        let parts = [Part::file(&name, &name, content)];
        let (content_type, body) = multipart::write(&parts);
        prop_assert_eq!(multipart::read(&content_type, &body).unwrap(), parts);
    }

    #[test]
    fn any_body_is_judged_without_a_panic(body in "(--|b|\r\n|:|;|=|name|\"|Content-Disposition){0,20}") {
        let _ = multipart::read("multipart/form-data; boundary=b", &Bytes::from(body));
    }
}
