//! `src/runtime/`: the support code, as it stands in `codegen/runtime`.

use crate::output::File;

macro_rules! copied {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../runtime/src/", $path)))),*]
    };
}

/// Each file of the support code and its text.
const FILES: &[(&str, &str)] = copied![
    "answer.rs",
    "client/call.rs",
    "client/connection.rs",
    "client/credential.rs",
    "client/endpoint.rs",
    "client/error.rs",
    "client/mod.rs",
    "client/request.rs",
    "client/response.rs",
    "client/retry.rs",
    "client/settings.rs",
    "constraint.rs",
    "date.rs",
    "decimal.rs",
    "form.rs",
    "json.rs",
    "json_text.rs",
    "lib.rs",
    "media_type.rs",
    "multipart.rs",
    "nullable.rs",
    "number.rs",
    "object.rs",
    "operation.rs",
    "parameter/mod.rs",
    "parameter/reader.rs",
    "parameter/style.rs",
    "parameter/table.rs",
    "parameter/tree.rs",
    "pattern.rs",
    "percent.rs",
    "problem.rs",
    "sensitive.rs",
    "server/call.rs",
    "server/context.rs",
    "server/dispatch.rs",
    "server/faults.rs",
    "server/mod.rs",
    "server/refusal.rs",
    "server/routes.rs",
    "server/template.rs",
    "timestamp.rs",
    "union.rs",
    "uuid.rs",
];

/// The files of the support code in a generated crate.
pub(super) fn files() -> Vec<File> {
    let file = |(path, text): &(&str, &str)| {
        let path = match *path {
            "lib.rs" => "mod.rs",
            other => other,
        };
        File {
            path: format!("src/runtime/{path}").into(),
            text: (*text).to_owned(),
        }
    };
    FILES.iter().map(file).collect()
}
