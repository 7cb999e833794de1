use codegen_runtime::{Pattern, pattern};

#[test]
fn classes_mean_ascii_as_in_ecma_262() {
    static DIGITS: Pattern = Pattern::new(r"^[\d-]+\/\w$");
    assert!(DIGITS.matches("12-3/a"));
    assert!(!DIGITS.matches("١٢/a"));
    assert!(!DIGITS.matches("12/ä"));
    assert!(Pattern::new(r"^[^\d]\D\W\.$").matches("ab-."));
}

#[test]
fn any_part_of_the_text_may_match() {
    assert!(Pattern::new("b").matches("abc"));
    assert!(!Pattern::new("^b").matches("abc"));
}

#[test]
fn what_cannot_be_compiled_is_known_and_not_enforced() {
    assert!(pattern::is_supported(r"^E\d{4}$"));
    assert!(!pattern::is_supported("^(?!a)"));
    assert!(Pattern::new("^(?!a)").matches("a"));
}
