//! The command `facts`: prints facts, and writes the user's rulings on them.

use std::fs;

use conformance::facts::{Reading, accepted, drafted, rejected, table};
use conformance::spelling::suggestion;
use openapi_facts::Rule;

use crate::cli::{FactsArguments, FactsFormat, RulingCommand};
use crate::{CONFORMS, DIFFERS, USAGE, complain, say};

/// Runs the command. Returns the exit code.
pub(crate) fn run(arguments: &FactsArguments) -> u8 {
    let kind = arguments.kind.as_deref();
    if let Some(kind) = kind.filter(|kind| !Rule::KINDS.contains(kind)) {
        let known = Rule::KINDS.join(", ");
        let hint = suggestion(kind, Rule::KINDS.into_iter());
        return complain(
            &format!("there is no kind `{kind}`{hint}\n  the kinds are {known}"),
            USAGE,
        );
    }
    let options = match arguments.options() {
        Ok(options) => options,
        Err(error) => return complain(&error.to_string(), USAGE),
    };
    let reading = match Reading::new(&options) {
        Ok(reading) => reading,
        Err(error) => return complain(&error.to_string(), USAGE),
    };
    if arguments.check {
        return check(&reading);
    }
    let written = match &arguments.ruling {
        Some(RulingCommand::Accept { ids }) => {
            accepted(&reading, ids).map(|text| (text, format!("accepted {}", ids.join(", "))))
        }
        Some(RulingCommand::Reject { ids }) => {
            rejected(&reading, ids).map(|text| (text, format!("rejected {}", ids.join(", "))))
        }
        None if arguments.write => {
            let (text, count) = drafted(&reading);
            Ok((text, format!("{count} drafts")))
        }
        None => {
            say(&shown(&reading, arguments));
            return CONFORMS;
        }
    };
    match written {
        Ok((text, done)) => write(arguments, &text, &done),
        Err(reason) => complain(&reason, USAGE),
    }
}

fn shown(reading: &Reading, arguments: &FactsArguments) -> String {
    match arguments.format {
        FactsFormat::Table => {
            let text = table(reading, arguments.kind.as_deref());
            text.trim_end().to_owned()
        }
        FactsFormat::Json => format!("{:#}", reading.json()),
    }
}

fn check(reading: &Reading) -> u8 {
    let unseen = reading.unseen();
    if unseen.is_empty() {
        say("every fact is accepted or rejected");
        return CONFORMS;
    }
    let help = "accept or reject each draft; `conformance facts --write` drafts the new facts";
    complain(&format!("{}\n{help}", unseen.join("\n")), DIFFERS)
}

fn write(arguments: &FactsArguments, text: &str, done: &str) -> u8 {
    let Some(file) = arguments.file() else {
        return complain(
            "name the document by --spec: that within this program cannot be changed",
            USAGE,
        );
    };
    match fs::write(&file, text) {
        Ok(()) => {
            say(&format!("{done} in {}", file.display()));
            CONFORMS
        }
        Err(error) => complain(
            &format!("failed to write {}: {error}", file.display()),
            USAGE,
        ),
    }
}
