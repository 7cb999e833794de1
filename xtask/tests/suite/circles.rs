//! Tests that the modules within a package do not depend on each other in a circle.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::modules::{Circle, ModulePath, Modules};
use crate::packages::{metadata, root};

/// Siblings see a module and everything below it as one module.
#[test]
fn modules_form_no_circle() {
    let mut found = String::new();
    let mut crates = 0;
    for package in metadata(&root())["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let targets = package["targets"].as_array().unwrap();
        let of_kind = |kind| targets.iter().find(|target| target["kind"][0] == kind);
        let Some(target) = of_kind("lib").or_else(|| of_kind("bin")) else {
            continue;
        };
        crates += 1;
        let modules = Modules::read(Path::new(target["src_path"].as_str().unwrap()));
        found.push_str(&report(name, &modules.circles()));
    }
    assert!(crates > 10, "{crates} crates");
    assert!(found.is_empty(), "modules that name each other:\n{found}");
}

/// Each circle with the names that cause it.
fn report(package: &str, circles: &BTreeMap<ModulePath, Vec<Circle>>) -> String {
    let mut text = String::new();
    for (module, circles) in circles {
        for circle in circles {
            let place = [&[package.to_owned()], module.as_slice()].concat();
            writeln!(text, "in {}:", place.join("::")).unwrap();
            for (edge, why) in circle {
                writeln!(text, "  {edge}: {why}").unwrap();
            }
        }
    }
    text
}
