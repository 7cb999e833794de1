use std::collections::BTreeMap;

use openapi_generate_runtime::constraint::{self, Validate, Violations};
use openapi_generate_runtime::{Decimal, Number, Pattern};

/// Runs one check and gives the keywords it found broken.
fn broken(check: impl Fn(&mut Violations<'_>)) -> Vec<&'static str> {
    struct Checked<F>(F);
    impl<F: Fn(&mut Violations<'_>)> Validate for Checked<F> {
        fn validate(&self, found: &mut Violations<'_>) {
            (self.0)(found);
        }
    }
    Checked(check)
        .violations()
        .iter()
        .map(|violation| violation.keyword)
        .collect()
}

#[test]
fn lengths_count_characters() {
    assert_eq!(
        broken(|found| constraint::max_length(found, "äöü", 3)),
        [""; 0]
    );
    assert_eq!(
        broken(|found| constraint::max_length(found, "äöüß", 3)),
        ["maxLength"]
    );
    assert_eq!(
        broken(|found| constraint::min_length(found, "äöü", 3)),
        [""; 0]
    );
    assert_eq!(
        broken(|found| constraint::min_length(found, "äö", 3)),
        ["minLength"]
    );
}

#[test]
fn bounds_include_or_exclude() {
    assert_eq!(broken(|found| constraint::minimum(found, &1, &1)), [""; 0]);
    assert_eq!(
        broken(|found| constraint::minimum(found, &0, &1)),
        ["minimum"]
    );
    assert_eq!(broken(|found| constraint::maximum(found, &1, &1)), [""; 0]);
    assert_eq!(
        broken(|found| constraint::maximum(found, &2, &1)),
        ["maximum"]
    );
    assert_eq!(
        broken(|found| constraint::above(found, &1.0, &1.0)),
        ["exclusiveMinimum"]
    );
    assert_eq!(
        broken(|found| constraint::above(found, &1.1, &1.0)),
        [""; 0]
    );
    assert_eq!(
        broken(|found| constraint::below(found, &1, &1)),
        ["exclusiveMaximum"]
    );
    assert_eq!(broken(|found| constraint::below(found, &0, &1)), [""; 0]);
}

#[test]
fn multiples_are_exact() {
    for (value, expected) in [
        ("0.3", vec![]),
        ("0.35", vec!["multipleOf"]),
        ("1e400", vec![]),
    ] {
        let number = Number::new(value).unwrap();
        assert_eq!(
            broken(|found| constraint::multiple_of(found, &number, "0.1")),
            expected
        );
    }
    let decimal = Decimal::new("10.005").unwrap();
    assert_eq!(
        broken(|found| constraint::multiple_of(found, &decimal, "0.01")),
        ["multipleOf"]
    );
    assert_eq!(
        broken(|found| constraint::multiple_of(found, &7, "0")),
        [""; 0]
    );
}

#[test]
fn collections_have_sizes_and_differing_items() {
    assert_eq!(
        broken(|found| constraint::min_items(found, 1, 2)),
        ["minItems"]
    );
    assert_eq!(
        broken(|found| constraint::max_items(found, 3, 2)),
        ["maxItems"]
    );
    assert_eq!(
        broken(|found| constraint::min_properties(found, 1, 2)),
        ["minProperties"]
    );
    assert_eq!(
        broken(|found| constraint::max_properties(found, 3, 2)),
        ["maxProperties"]
    );
    assert_eq!(
        broken(|found| constraint::unique_items(found, &[1, 2, 1])),
        ["uniqueItems"]
    );
    assert_eq!(
        broken(|found| constraint::unique_items(found, &["a", "b"])),
        [""; 0]
    );
}

#[test]
fn places_are_json_pointers() {
    struct Code(&'static str);
    impl Validate for Code {
        fn validate(&self, found: &mut Violations<'_>) {
            static CODE: Pattern = Pattern::new("^E[0-9]{4}$");
            constraint::pattern(&mut found.member("code"), self.0, &CODE);
        }
    }
    let value: BTreeMap<String, Vec<Option<Code>>> = [(
        "a/b~c".to_owned(),
        vec![None, Some(Code("E1001")), Some(Code("no"))],
    )]
    .into();
    let violations = value.violations();
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].pointer, "/a~1b~0c/2/code");
    assert_eq!(violations[0].detail, "must match ^E[0-9]{4}$");
}

#[test]
fn uris_have_a_scheme_and_allowed_characters() {
    for uri in [
        "https://example.com/a?b=c#d",
        "urn:isbn:0451450523",
        "mailto:a@b.example",
    ] {
        assert_eq!(
            broken(|found| constraint::uri(found, uri)),
            [""; 0],
            "{uri}"
        );
    }
    for text in [
        "",
        "example.com",
        "https://",
        "1a:b",
        ":b",
        "https://a b",
        "https://ä.example",
    ] {
        assert_eq!(
            broken(|found| constraint::uri(found, text)),
            ["format"],
            "{text}"
        );
    }
}

#[test]
fn numbers_may_be_enumerated() {
    assert_eq!(
        broken(|found| constraint::one_of(found, &7, &["7", "9"])),
        [""; 0]
    );
    assert_eq!(
        broken(|found| constraint::one_of(found, &8, &["7", "9"])),
        ["enum"]
    );
}
