//! Follows the tutorials exactly, in an empty folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use programs::build::build;
use programs::guide;

use crate::packages::root;

/// The port in the tutorials.
const PORT: &str = "8765";

#[test]
fn the_first_server_is_certified() {
    let folder = tempfile::tempdir().unwrap();
    follow("certify.md", folder.path(), 9);
    let certificate = folder.path().join("target/certify/certificate.json");
    let certificate = std::fs::read_to_string(certificate).unwrap();
    assert!(
        certificate.contains("\"verdict\": \"pass\""),
        "{certificate}"
    );
}

#[test]
fn the_first_client_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    follow("client.md", folder.path(), 4);
    assert!(folder.path().join("notes/src/client/notes.rs").is_file());
}

/// Writes each file of a tutorial and runs each command, which must end as the tutorial states.
fn follow(name: &str, folder: &Path, expected: usize) {
    if !prerequisites::PYTHON.is_met() {
        return;
    }
    build(&["contract", "conformance"]).unwrap();
    let guide = std::fs::read_to_string(root().join("docs/tutorials").join(name)).unwrap();
    let guide = guide.replace(PORT, &free_port());
    let blocks = guide::blocks(&guide);
    assert_eq!(blocks.len(), expected, "{blocks:#?}");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs_folder().display());
    guide::follow(blocks, folder, &path).unwrap();
}

/// The folder of the programs, above that of this test.
fn programs_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().to_owned()
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}
