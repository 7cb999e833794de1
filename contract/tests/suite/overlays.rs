//! Tests `contract overlay`, and `--overlay` of the other commands.

use openapi_document::json;

use crate::support::Bench;

/// It fixes an invalid pattern, and lowers a limit.
const OVERLAY: &str = "overlay: 1.1.0
info: {title: Mended, version: 1.0.0}
actions:
  - target: $.info
    update: {x-mended: true}
  - target: $.paths['/things/{id}'].get.parameters[?@.name == 'id'].schema
    update: {maxLength: 20, pattern: '^a'}
";

fn bench() -> Bench {
    let bench = Bench::new();
    let (good, bad) = ("maxLength: 40", "maxLength: 40, pattern: '('");
    bench.replace("openapi.yaml", good, bad);
    bench.commit();
    bench.write("mended.overlay.yaml", OVERLAY);
    bench
}

#[test]
fn a_document_is_written_with_overlays_applied() {
    let bench = bench();
    bench.write("second.yaml", &OVERLAY.replace("20", "10"));
    let files = ["openapi.yaml", "mended.overlay.yaml", "second.yaml"];
    let out = bench.run(&[&["overlay"], &files[..]].concat()).ends(0).out;
    let root = json::read_text(&out).unwrap();
    let mended = root.get("info").unwrap().get("x-mended").unwrap();
    assert_eq!(mended.as_bool(), Some(true));
    assert!(out.contains("\"maxLength\": 10"), "{out}");
}

#[test]
fn commands_see_the_changed_document() {
    let bench = bench();
    let overlaid = ["--overlay", "mended.overlay.yaml"];
    let lint = ["lint", "openapi.yaml"];
    bench
        .run(&lint)
        .ends(1)
        .tells(&["invalid-pattern", "openapi.yaml:"]);
    bench.run(&[&lint, &overlaid[..]].concat()).ends(0);
    let bundle = bench.run(&[&["bundle", "openapi.yaml"], &overlaid[..]].concat());
    assert!(bundle.ends(0).out.contains("\"maxLength\": 20"));
    let generate = ["generate", "openapi.yaml", "--out", "made", "--unformatted"];
    bench.run(&[&generate, &overlaid[..]].concat()).ends(0);
    assert!(
        bench
            .read("made/openapi.json")
            .contains("\"maxLength\": 20")
    );
}

#[test]
fn both_sides_of_a_comparison_are_changed() {
    let bench = bench();
    let diff = ["diff", "openapi.yaml"];
    bench.replace("openapi.yaml", "maxLength: 40", "maxLength: 30");
    bench.run(&diff).ends(1).tells(&["parameter-max"]);
    let overlaid = ["--overlay", "mended.overlay.yaml"];
    bench.run(&[&diff, &overlaid[..]].concat()).ends(0);
}

#[test]
fn findings_have_places_in_both_files() {
    let bench = bench();
    bench.replace("mended.overlay.yaml", "'^a'", "'['");
    let lint = ["lint", "openapi.yaml", "--overlay", "mended.overlay.yaml"];
    bench.run(&lint).ends(1).tells(&["mended.overlay.yaml:7:"]);
    bench.replace("mended.overlay.yaml", "x-mended: true", "title: {}");
    let places = ["mended.overlay.yaml:5:21", "openapi.yaml:3:10"];
    bench.run(&lint).ends(3).tells(&places);
    let absent = ["lint", "openapi.yaml", "--overlay", "absent.yaml"];
    bench
        .run(&absent)
        .ends(3)
        .tells(&["failed to read `absent.yaml`"]);
    bench.replace("mended.overlay.yaml", "title: {}", "x-mended: true");
    bench.replace("mended.overlay.yaml", "'['", "'^a'");
    bench.replace("mended.overlay.yaml", "target: $.info", "target: $.inf");
    bench
        .run(&lint)
        .ends(0)
        .tells(&["overlay-without-effect", "mended.overlay.yaml:4:13"]);
}
