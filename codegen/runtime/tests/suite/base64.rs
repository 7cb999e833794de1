use codegen_runtime::base64::{decode, encode};

#[test]
fn texts_of_the_rfc_come_out_and_go_back() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(encode(bytes.as_bytes()), text);
        assert_eq!(decode(text).unwrap(), bytes.as_bytes());
    }
    assert_eq!(encode(&[0xfb, 0xff]), "+/8=");
}

#[test]
fn what_is_written_otherwise_is_not_read() {
    for text in [
        "Z", "Zg", "Zg=", "Zh==", "Z===", "====", "Zg==Zg==", "Zm9v\n", "-_8=",
    ] {
        assert_eq!(decode(text), None, "{text}");
    }
}
