use openapi_generate_runtime::{Pattern, pattern};

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

#[test]
fn expressions_mean_what_they_mean_in_ecma_262() {
    for (source, good, bad) in [
        (r"^[\w-\.]+@", "a-b.c@", "a b@"),
        (r"^[a-\d]$", "-", "b"),
        (r"^[^]$", "\n", ""),
        (r"^[]?$", "", "a"),
        (r"^[[&&a]$", "[", "b"),
        (r"^\u00e9\x41\t$", "éA\t", "e"),
        (r"^\ud83d\ude00$", "😀", "a"),
        (r"^\p{Lu}$", "É", "é"),
        (r"^\s$", "\u{feff}", "\u{85}"),
        (r"^.$", "a", "\u{2028}"),
        (r"^{a}$", "{a}", "a"),
        (r"^a{2,3}]$", "aa]", "a]"),
        (r"^\-\_\/\$$", "-_/$", "-"),
    ] {
        assert!(pattern::is_supported(source), "{source}");
        assert!(pattern::is_match(source, good), "{source}");
        assert!(!pattern::is_match(source, bad), "{source}");
    }
    for source in [r"\A", r"\1", r"a(?=b)", r"[\e]", "["] {
        assert!(!pattern::is_supported(source), "{source}");
    }
}
