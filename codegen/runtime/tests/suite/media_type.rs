use openapi_generate_runtime::media_type::matches;

#[test]
fn parameters_and_case_do_not_matter() {
    for (actual, documented, expected) in [
        ("application/json", "application/json", true),
        ("Application/JSON; charset=utf-8", "application/json", true),
        ("application/problem+json", "application/json", true),
        ("application/json", "application/problem+json", false),
        ("application/jsonp", "application/json", false),
        ("text/plain", "application/json", false),
        ("image/png", "image/*", true),
        ("text/plain", "image/*", false),
        ("anything/atall", "*/*", true),
        ("", "application/json", false),
    ] {
        assert_eq!(
            matches(actual, documented),
            expected,
            "{actual} as {documented}"
        );
    }
}
