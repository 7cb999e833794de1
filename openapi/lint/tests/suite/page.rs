//! Checks that the page about the rules is current.

use std::fs;
use std::path::Path;

#[test]
fn the_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lint-rules.md");
    let page = fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == openapi_lint::page(),
        "docs/lint-rules.md does not match the rules\n\
         run `cargo xtask lint --page > docs/lint-rules.md`, and commit what it writes"
    );
}
