//! What a whole crate has beside its code: `Cargo.toml` and `README.md`.

use std::path::Path;

use codegen::{Options, Runtime, Side, generate};

/// The manifest and the README of a crate, and whether it has a copy of the runtime.
fn written(only: Option<Side>, runtime: Runtime) -> (String, String, bool) {
    let text = "\
openapi: 3.1.0
info: {title: Pets, version: '1', license: {name: Apache 2.0}}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: There is one.}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: x-key}
security: [{key: []}]
";
    let document = openapi_document::loader::load_text("pets.yaml", text).unwrap();
    let options = Options {
        crate_name: "pets".to_owned(),
        complete_crate: true,
        only,
        runtime,
        ..Options::default()
    };
    let files = generate(&document, &options).unwrap().files;
    let text = |path: &str| {
        let file = files.iter().find(|file| file.path == Path::new(path));
        file.unwrap().text.clone()
    };
    let copied = files
        .iter()
        .any(|file| file.path.starts_with("src/runtime"));
    (text("Cargo.toml"), text("README.md"), copied)
}

#[test]
fn a_client_with_https_is_the_default() {
    let (manifest, readme, copied) = written(None, Runtime::Copied);
    assert!(manifest.contains("\ndefault = [\"client\", \"rustls\"]\n"));
    assert!(manifest.contains("\nlicense = \"Apache-2.0\"\n"));
    assert!(manifest.contains("\ndescription = \"Pets: models, client and server stubs\"\n"));
    assert!(!manifest.contains("openapi-generate-runtime") && copied);
    assert!(readme.contains("\n    .key(\"secret\");\n"), "{readme}");
    assert!(readme.contains(".get_pet(\"id\").await?"), "{readme}");
    assert!(!readme.contains("## Read a list"), "no operation has pages");
}

#[test]
fn a_server_alone_has_nothing_of_a_client() {
    let (manifest, readme, _) = written(Some(Side::Server), Runtime::Copied);
    assert!(manifest.contains("\ndefault = [\"server\"]\n"));
    assert!(!manifest.contains("reqwest") && !manifest.contains("\nclient"));
    assert!(!readme.contains("## Call"), "{readme}");
}

#[test]
fn the_runtime_may_be_a_package() {
    let folder = Some("../runtime".to_owned());
    let (manifest, _, copied) = written(None, Runtime::Package(folder));
    assert!(!copied);
    assert!(manifest.contains("openapi-generate-runtime = { path = \"../runtime\", version = "));
    assert!(manifest.contains("\nclient = [\"openapi-generate-runtime/client\"]\n"));
    let (manifest, _, _) = written(None, Runtime::Package(None));
    assert!(manifest.contains("openapi-generate-runtime = { version = "));
}
