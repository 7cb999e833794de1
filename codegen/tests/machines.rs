//! What state machines become: `goldens/machines/input.yaml` beside its output, in pieces.
//!
//! `UPDATE_GOLDENS=1 cargo test -p codegen --test machines` writes the pieces anew; they are compiled
//! and used here.
#![deny(warnings)]
#![allow(clippy::unwrap_used, reason = "a test may stop where it cannot go on")]

use std::path::{Path, PathBuf};
use std::{env, fs};

use codegen::{Options, format, generate, page};
use spec::{Behaviour, behaviour, loader};

/// Each piece of a file, and how it begins.
const PIECES: [(&str, &str); 5] = [
    ("kinds", "/// Which machine it is."),
    ("states", "/// Where it stands.\n"),
    ("words", "impl Status {"),
    ("events", "/// What can happen to it."),
    ("table", "/// Where it can begin."),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Actor {
    Guest,
    Timer,
}

#[allow(
    unreachable_pub,
    dead_code,
    clippy::pedantic,
    reason = "a test has few users"
)]
mod lamp {
    use super::Actor;
    include!("goldens/machines/lamp.states.rs");
    include!("goldens/machines/lamp.words.rs");
    include!("goldens/machines/lamp.events.rs");
    include!("goldens/machines/lamp.table.rs");
}

#[allow(
    unreachable_pub,
    dead_code,
    clippy::pedantic,
    reason = "a test has few users"
)]
mod door {
    use super::Actor;
    include!("goldens/machines/door.kinds.rs");
    include!("goldens/machines/door.states.rs");
    include!("goldens/machines/door.words.rs");
    include!("goldens/machines/door.events.rs");
    include!("goldens/machines/door.table.rs");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/machines")
}

fn input() -> Behaviour {
    behaviour::load(&folder().join("input.yaml")).unwrap()
}

/// The generated files of the records, by name.
fn outputs() -> Vec<(String, String)> {
    let text = "openapi: 3.0.4\ninfo: {title: Golden, version: '1'}\npaths: {}";
    let document = loader::load_text("golden.yaml", text).unwrap();
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: Some(input()),
    };
    let mut files = generate(&document, &options).unwrap().files;
    files.retain(|file| file.path.starts_with("src/behaviour"));
    let files = format(files).unwrap().into_iter();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files.map(|file| (name(&file.path), file.text)).collect()
}

/// The text cut where a piece begins.
fn pieces(text: &str) -> Vec<(&'static str, String)> {
    let starts = PIECES.iter();
    let starts = starts.filter_map(|(piece, start)| Some((*piece, text.find(start)?)));
    let starts: Vec<_> = starts.collect();
    let ends = starts
        .iter()
        .skip(1)
        .map(|(_, start)| *start)
        .chain([text.len()]);
    let cut = |((piece, start), end): (&(&'static str, usize), usize)| {
        (*piece, format!("{}\n", text[*start..end].trim_end()))
    };
    starts.iter().zip(ends).map(cut).collect()
}

/// The pieces of the files of the records, by name.
fn pieces_of(outputs: &[(String, String)]) -> Vec<(String, String)> {
    let records = outputs.iter().filter(|(name, _)| name != "mod");
    let all = records.flat_map(|(name, text)| {
        let pieces = pieces(text).into_iter();
        pieces.map(move |(piece, text)| (format!("{name}.{piece}.rs"), text))
    });
    all.collect()
}

/// How many lines a piece may have.
const LONGEST: usize = 40;

fn assert_golden(name: &str, actual: &str) {
    let path = folder().join(name);
    assert!(actual.lines().count() <= LONGEST, "{name} is long");
    if env::var_os("UPDATE_GOLDENS").is_some_and(|wanted| !wanted.is_empty()) {
        return fs::write(&path, actual).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{name}: UPDATE_GOLDENS=1 writes it anew");
}

#[test]
fn every_piece_is_what_comes_out() {
    let outputs = outputs();
    let names: Vec<_> = outputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["door", "lamp", "mod"]);
    for (name, text) in pieces_of(&outputs) {
        assert_golden(&name, &text);
    }
    let page = page(&input());
    let mut sections: Vec<String> = Vec::new();
    for line in page.split_inclusive('\n') {
        if line.starts_with('#') || sections.is_empty() {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
        }
    }
    for (index, section) in sections.iter().enumerate() {
        assert_golden(&format!("page.{index}.md"), section);
    }
    let expected = pieces_of(&outputs).len() + sections.len();
    let files = fs::read_dir(folder()).unwrap().count();
    assert_eq!(files, expected + 1, "a piece comes from nothing");
}

#[test]
fn the_table_decides() {
    use door::{Event as Push, Kind, Status as Door};
    use lamp::{Event, Status};
    assert_eq!(lamp::next(Status::Dark, Event::Press), Some(Status::Bright));
    assert_eq!(lamp::next(Status::Dark, Event::Late), None);
    assert_eq!(Status::from_wire(true), Some(Status::Bright));
    assert_eq!(Door::SelfValue.wire(), None);
    assert_eq!(Door::from_name("Self"), Some(Door::SelfValue));
    assert_eq!(Event::Late.by(), Actor::Timer);
    assert_eq!(Event::Press.operation(), Some("pressButton"));
    assert_eq!(door::next(Kind::Gate, Door::InUse, Push::Push), None);
    assert_eq!(
        door::next(Kind::Exit, Door::InUse, Push::Push),
        Some(Door::SelfValue)
    );
    assert_eq!(Kind::from_wire("OUT"), Some(Kind::Exit));
    assert_eq!(Push::Push.operation(Kind::Exit), Some("pushHard"));
}
