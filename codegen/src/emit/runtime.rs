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
    "byte_stream.rs",
    "checked.rs",
    "choice.rs",
    "client/again.rs",
    "client/arrival.rs",
    "client/call.rs",
    "client/client_credentials.rs",
    "client/clock.rs",
    "client/connection.rs",
    "client/credential.rs",
    "client/endpoint.rs",
    "client/error.rs",
    "client/events.rs",
    "client/incoming.rs",
    "client/link.rs",
    "client/mod.rs",
    "client/pages.rs",
    "client/paging.rs",
    "client/query.rs",
    "client/request.rs",
    "client/response.rs",
    "client/retry.rs",
    "client/retry_after.rs",
    "client/settings.rs",
    "client/streaming.rs",
    "client/token.rs",
    "constraint.rs",
    "date.rs",
    "decimal.rs",
    "event.rs",
    "event_parser.rs",
    "form.rs",
    "json.rs",
    "json_text.rs",
    "lib.rs",
    "media_type.rs",
    "multipart/content.rs",
    "multipart/mod.rs",
    "multipart/splitter.rs",
    "multipart/writer.rs",
    "nullable.rs",
    "number.rs",
    "object.rs",
    "operation.rs",
    "parameter/mod.rs",
    "parameter/nesting.rs",
    "parameter/reader.rs",
    "parameter/style.rs",
    "parameter/style_error.rs",
    "parameter/table.rs",
    "parameter/tree.rs",
    "parameter/writer.rs",
    "pattern.rs",
    "percent.rs",
    "problem.rs",
    "sensitive.rs",
    "server/call.rs",
    "server/context.rs",
    "server/dispatch.rs",
    "server/event_stream.rs",
    "server/eventually.rs",
    "server/faults.rs",
    "server/index.rs",
    "server/mod.rs",
    "server/occasion.rs",
    "server/refusal.rs",
    "server/reply.rs",
    "server/route.rs",
    "server/routes.rs",
    "server/template.rs",
    "server/upload.rs",
    "signature.rs",
    "texts.rs",
    "timestamp.rs",
    "union.rs",
    "uuid.rs",
];

/// What only some crates need, since it takes dependencies, and how `lib.rs` has it.
const SIGNATURE: (&str, &str) = (
    "signature.rs",
    "#[cfg(feature = \"callbacks\")]\npub mod signature;\n\n",
);

/// The files of the support code in a generated crate.
pub(super) fn files(signs: bool) -> Vec<File> {
    let (module, declaration) = SIGNATURE;
    let file = |(path, text): &(&str, &str)| {
        let path = match *path {
            "lib.rs" => "mod.rs",
            other => other,
        };
        File {
            path: format!("src/runtime/{path}").into(),
            text: if signs {
                (*text).to_owned()
            } else {
                text.replace(declaration, "")
            },
        }
    };
    let needed = FILES.iter().filter(|(path, _)| signs || *path != module);
    needed.map(file).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{FILES, SIGNATURE, files};

    fn files_under(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                files_under(&entry.path(), &format!("{name}/"), found);
            } else {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_support_code_is_copied() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/src");
        let mut expected = Vec::new();
        files_under(&folder, "", &mut expected);
        expected.sort();
        let copied: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        assert_eq!(copied, expected);
    }

    #[test]
    fn signatures_are_copied_only_where_they_are_needed() {
        let (module, declaration) = SIGNATURE;
        let copied = |signs: bool| {
            let files = files(signs);
            let has = files.iter().any(|file| file.path.ends_with(module));
            let declares = files.iter().any(|file| file.text.contains(declaration));
            (has, declares)
        };
        assert_eq!(copied(true), (true, true));
        assert_eq!(copied(false), (false, false));
    }
}
