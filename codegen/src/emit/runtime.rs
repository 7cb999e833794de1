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
    "builder.rs",
    "byte_stream.rs",
    "canonical.rs",
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
    "client/lenient.rs",
    "client/link.rs",
    "client/mod.rs",
    "client/own_server.rs",
    "client/pages.rs",
    "client/paging.rs",
    "client/query.rs",
    "client/refusal.rs",
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
    "ecma.rs",
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
    "rule/evaluation.rs",
    "rule/mod.rs",
    "rule/scalar.rs",
    "rule/seen.rs",
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
    "whole.rs",
];

/// What only some crates need: the beginning of its paths, and the lines of `lib.rs` that have it.
struct Optional {
    path: &'static str,
    lines: &'static [&'static str],
}

/// Signatures take dependencies.
const SIGNATURE: Optional = Optional {
    path: "signature.rs",
    lines: &["#[cfg(feature = \"callbacks\")]\npub mod signature;\n\n"],
};
const RULE: Optional = Optional {
    path: "rule/",
    lines: &["pub mod rule;\n", "pub use rule::Rule;\n"],
};

/// The files of the support code in a generated crate, with those of signatures and of rules where
/// it has some.
pub(super) fn files(signs: bool, rules: bool) -> Vec<File> {
    let left_out = [(SIGNATURE, signs), (RULE, rules)];
    let left_out = left_out.into_iter().filter(|(_, needed)| !needed);
    let left_out: Vec<Optional> = left_out.map(|(own, _)| own).collect();
    let file = |(path, text): &(&str, &str)| {
        let path = match *path {
            "lib.rs" => "mod.rs",
            other => other,
        };
        let lines = left_out.iter().flat_map(|own| own.lines);
        File {
            path: format!("src/runtime/{path}").into(),
            text: lines.fold((*text).to_owned(), |text, line| text.replace(line, "")),
        }
    };
    let needed = FILES
        .iter()
        .filter(|(path, _)| !left_out.iter().any(|own| path.starts_with(own.path)));
    needed.map(file).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{FILES, Optional, RULE, SIGNATURE, files};

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
    fn signatures_and_rules_are_copied_only_where_they_are_needed() {
        let copied = |signs: bool, rules: bool, optional: &Optional| {
            let files = files(signs, rules);
            let path = format!("src/runtime/{}", optional.path);
            let has = files.iter().any(|file| {
                let own = file.path.to_string_lossy();
                own.starts_with(&path)
            });
            let declares = |line: &&str| files.iter().any(|file| file.text.contains(*line));
            (has, optional.lines.iter().all(declares))
        };
        assert_eq!(copied(true, false, &SIGNATURE), (true, true));
        assert_eq!(copied(false, true, &SIGNATURE), (false, false));
        assert_eq!(copied(false, true, &RULE), (true, true));
        assert_eq!(copied(true, false, &RULE), (false, false));
    }
}
