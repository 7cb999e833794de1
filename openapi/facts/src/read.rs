//! Reads facts from a document and its behaviour file, with one reader per sort of evidence.

pub(crate) mod prose;

mod amounts;
mod behaviour;
mod examples;
mod language;
mod names;
mod schema;
mod texts;

use openapi_document::view::{Document, Operation};
use openapi_document::{Behaviour, Diagnostics, Node, Pointer};

use crate::collection::{Collection, Facts};
use crate::entry;
use crate::fact::Fact;
use crate::lexicon::Lexicon;
use crate::place::{Place, Trail};
use crate::rule::Rule;
use crate::source::Source;
use crate::vocabulary::Vocabulary;
use prose::sentence::sentences;

/// Reads the facts of a document and its behaviour file.
pub fn read(document: &Document, behaviour: Option<&Behaviour>) -> Facts {
    read_kinds(document, behaviour, Kinds::All)
}

/// Reads the facts about how a client calls an operation: its pages, and its idempotency keys. This
/// takes a fraction of the time of [`read`], and gives facts of other kinds only where it meets them.
pub fn read_calls(document: &Document, behaviour: Option<&Behaviour>) -> Facts {
    read_kinds(document, behaviour, Kinds::OfCalls)
}

/// The kinds of facts to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinds {
    All,
    /// Pages and idempotency keys.
    OfCalls,
}

fn read_kinds(document: &Document, behaviour: Option<&Behaviour>, kinds: Kinds) -> Facts {
    let mut facts = Collection::default();
    let vocabulary = Vocabulary::new(document);
    let lexicon = Lexicon::english();
    let mut problems = Diagnostics::default();
    let mut entries = Vec::new();
    if let Some(behaviour) = behaviour {
        behaviour::read(behaviour, &mut facts);
        entries = entry::read(behaviour, &vocabulary, &mut problems);
    }
    for operation in vocabulary.operations() {
        schema::read(&vocabulary, operation, &mut facts);
    }
    for operation in vocabulary.operations() {
        names::read(operation, lexicon, &mut facts);
    }
    if kinds == Kinds::All {
        for operation in vocabulary.operations() {
            amounts::read(&vocabulary, operation, &mut facts);
        }
        examples::read(&vocabulary, &mut facts);
    }
    if !language::is_english(document) {
        let note = "the descriptions are not in English: no fact is read from sentences";
        return facts.finish(entries, problems, vec![note.to_owned()]);
    }
    texts::each(document, &mut |trail, text| {
        let Some(words) = text
            .as_str()
            .filter(|words| texts::may_say_a_rule(words, kinds))
        else {
            return;
        };
        let mut place = None;
        for sentence in sentences(words) {
            if !texts::may_say_a_rule(&sentence.text, kinds) {
                continue;
            }
            if place.is_none() {
                place = Place::new(&vocabulary, trail);
            }
            let Some(place) = &place else { return };
            for rule in prose::read(&sentence, place, lexicon, kinds) {
                facts.add(Fact::new(rule, source(text, &sentence.text)));
            }
        }
    });
    facts.finish(entries, problems, Vec::new())
}

/// Reads what the keywords and names of one operation state. Use it for operations that the service
/// sends, which [`read`] skips.
pub fn read_operation<'d>(document: &'d Document, operation: &Operation<'d>) -> Vec<Fact> {
    let mut facts = Collection::default();
    schema::read(&Vocabulary::new(document), operation, &mut facts);
    names::read(operation, Lexicon::english(), &mut facts);
    facts
        .finish(Vec::new(), Diagnostics::default(), Vec::new())
        .list
}

fn source(text: &Node, sentence: &str) -> Source {
    Source::Sentence {
        span: text.span,
        text: sentence.to_owned(),
    }
}

/// Reads the rules of one sentence at the node that a pointer leads to, with the same readers as
/// [`read`]. If the sentence is in a list item of the node's text, the item's topic counts as the
/// place.
pub fn read_sentence(vocabulary: &Vocabulary<'_>, pointer: &Pointer, sentence: &str) -> Vec<Rule> {
    let Some(trail) = Trail::of(vocabulary.document, pointer) else {
        return Vec::new();
    };
    let Some(place) = Place::new(vocabulary, &trail) else {
        return Vec::new();
    };
    let lexicon = Lexicon::english();
    let around = trail.text().map(sentences).unwrap_or_default();
    let found = sentences(sentence).into_iter();
    let found = found.map(|sentence| {
        let mut around = around.iter();
        let known = around.find(|other| other.text == sentence.text);
        known.cloned().unwrap_or(sentence)
    });
    found
        .flat_map(|sentence| prose::read(&sentence, &place, lexicon, Kinds::All))
        .collect()
}
