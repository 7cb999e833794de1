use openapi_generate_runtime::Uuid;
use proptest::prelude::*;

#[test]
fn other_forms_are_refused() {
    for text in [
        "",
        "3f1c2d54000040008000000000000001",
        "{3f1c2d54-0000-4000-8000-000000000001}",
        "urn:uuid:3f1c2d54-0000-4000-8000-000000000001",
        "3f1c2d540-000-4000-8000-000000000001",
        "3f1c2d54-0000-4000-8000-00000000000g",
        "3f1c2d54-0000-4000-8000-0000000000é",
        " 3f1c2d54-0000-4000-8000-00000000001",
    ] {
        assert!(Uuid::new(text).is_err(), "{text}");
    }
}

#[test]
fn capitals_make_no_difference_but_are_kept() {
    let lower = Uuid::new("3f1c2d54-abcd-4000-8000-00000000000f").unwrap();
    let upper = Uuid::new("3F1C2D54-ABCD-4000-8000-00000000000F").unwrap();
    assert_eq!(lower, upper);
    assert_eq!(upper.to_string(), "3F1C2D54-ABCD-4000-8000-00000000000F");
}

proptest! {
    #[test]
    fn the_text_is_kept(text in "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}") {
        let json = format!("\"{text}\"");
        let id: Uuid = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(serde_json::to_string(&id).unwrap(), json);
        prop_assert_eq!(id.value(), ::uuid::Uuid::parse_str(&text).unwrap());
    }
}
