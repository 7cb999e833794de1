//! Running: a property of each item that a text says to be the sum of another one over this item and all earlier ones is what
//! the item before it tells, and its own.

use std::cmp::Ordering;

use openapi_document::{Node, Pointer};

use super::ordered::is_time_of_itself;
use super::pages::Stand;
use super::paging::Walk;
use crate::checks;
use crate::laws::amounts::amount::Amount;
use crate::laws::records::freshness::is_time_of_making;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::World;
use crate::model::{Call, names, prose};
use crate::shape::Shape;
use crate::value;

/// Properties of the items of a list: the sum, what it is the sum of, and what all of its items have in common.
#[derive(Debug, PartialEq, Eq)]
struct Running<'d> {
    sum: &'d str,
    of: &'d str,
    same: Option<&'d str>,
}

impl<'d> Stand<'_, 'd> {
    /// Holds each item of a page against the one before it.
    pub(super) fn runs(&self, world: &World<'_, '_, '_, 'd>, whole: &Walk, draft: &mut Draft) {
        let (Some(running), Some(last)) = (running(world, self.list), &whole.last) else {
            return;
        };
        // What is not said to be of the same account is told of a list of one account alone.
        if running.same.is_none() && self.list.path_parameters().is_empty() {
            return;
        }
        let at = self.list.record().map(|own| &own.at);
        let astray = whole.pages.iter().find_map(|page| {
            let records: Vec<&Node> = page.iter().filter_map(|own| own.at(at?)).collect();
            running.astray(&records)
        });
        if let Some(told) = astray {
            let texts = (
                format!(
                    "`{}` of the item before it and its own `{}`",
                    running.sum, running.of
                ),
                told,
            );
            let place = Pointer::root().join(running.sum);
            self.differ_at(world, (&checks::SUM_DIFFERS, place), texts, last, draft);
        }
    }
}

/// One item, as far as it is looked at.
struct Entry<'n> {
    group: Option<String>,
    time: Option<&'n Node>,
    sum: Amount,
    before: Amount,
}

impl Running<'_> {
    /// The first sum that follows from none that may be before it, whichever end of the page is the earlier one.
    fn astray(&self, records: &[&Node]) -> Option<String> {
        let mut entries: Vec<Entry<'_>> = records
            .iter()
            .map(|own| self.entry(own))
            .collect::<Option<_>>()?;
        let up = first_astray(&entries)?;
        entries.reverse();
        first_astray(&entries).map(|_| up)
    }

    fn entry<'n>(&self, record: &'n Node) -> Option<Entry<'n>> {
        let sum = Amount::read_signed(record.get(self.sum)?)?;
        let of = Amount::read_signed(record.get(self.of)?)?;
        let mut names = record.entries().map(|own| own.key.as_str());
        let time = names.find(|own| is_time_of_making(own) || is_time_of_itself(own));
        let group = match self.same {
            Some(name) => Some(record.get(name)?.to_json()),
            None => None,
        };
        Some(Entry {
            group,
            time: time.and_then(|own| record.get(own)),
            sum,
            before: sum.plus(of.with(-of.units))?,
        })
    }
}

/// The sum of the first of some items, the earliest first, that follows from none before it. Items of one time may stand in
/// any order among themselves.
fn first_astray(entries: &[Entry<'_>]) -> Option<String> {
    let is_alike = |one: &Entry<'_>, other: &Entry<'_>| match (one.time, other.time) {
        (Some(one), Some(other)) => one.same_value(other),
        _ => false,
    };
    let wrong = |at: &usize| {
        let own = &entries[*at];
        let group = |other: &&Entry<'_>| other.group == own.group;
        let earlier = entries[..*at].iter().rev().filter(group);
        let mut earlier = earlier.skip_while(|other| is_alike(own, other));
        let Some(last) = earlier.next() else {
            return false;
        };
        let with_last = earlier.take_while(|other| is_alike(last, other));
        let mates = entries.iter().enumerate();
        let mates = mates.filter(|(index, other)| index != at && is_alike(own, other));
        let mates = mates.map(|(_, own)| own).filter(group);
        let mut all = std::iter::once(last).chain(with_last).chain(mates);
        !all.any(|other| other.sum.compared(own.before) == Some(Ordering::Equal))
    };
    let at = (0..entries.len()).find(wrong)?;
    Some(value::plain(&entries[at].sum.node()))
}

/// What the texts of a list, and of the properties of its items, say.
fn running<'d>(world: &World<'_, '_, '_, 'd>, list: &Call<'d>) -> Option<Running<'d>> {
    let document = world.model.document;
    let shape = Shape::of(document, list.record().map(|own| &own.schema));
    let names = shape.property_names();
    let own = names.iter().filter_map(|name| {
        let text = shape.property(document, name);
        let text = text.keyword("description").and_then(Node::as_str)?;
        Some((Some(*name), text))
    });
    let of_list = list.texts().map(|own| (None, own));
    of_list.chain(own).find_map(|(about, text)| {
        let mut sentences = prose::sentences(text).into_iter();
        sentences.find_map(|own| read(own, about, &names))
    })
}

/// What a sentence says of some properties; `about` is the one whose description it is.
fn read<'d>(sentence: &str, about: Option<&'d str>, names: &[&'d str]) -> Option<Running<'d>> {
    const OPEN: [&str; 12] = [
        "if",
        "unless",
        "may",
        "not",
        "no",
        "except",
        "only",
        "without",
        "excluding",
        "other",
        "or",
        "when",
    ];
    let words = names::words(sentence);
    let has = |list: &[&str]| prose::has(&words, list);
    let is_of_earlier = has(&["earlier", "previous", "preceding", "before", "older"])
        && has(&["all"])
        && has(&["this", "own", "itself"]);
    let is_sum = has(&["sum", "total"]) && (is_of_earlier || has(&["running"]));
    if !is_sum || has(&OPEN) {
        return None;
    }
    let marked = sentence.split('`').skip(1).step_by(2);
    let known = marked.map(|own| names.iter().copied().find(|name| *name == own));
    let mut known = known.collect::<Option<Vec<&'d str>>>()?.into_iter();
    let sum = match about {
        Some(own) => own,
        None => known.next()?,
    };
    let of = known.next().filter(|own| *own != sum)?;
    let same = match words.iter().position(|own| own == "same") {
        Some(at) => Some(shared(&words[at + 1..], names)?),
        None => None,
    };
    // Nothing else is named.
    known
        .all(|own| Some(own) == same)
        .then_some(Running { sum, of, same })
}

/// The property that is named by what is left of a sentence.
fn shared<'d>(rest: &[String], names: &[&'d str]) -> Option<&'d str> {
    let is_it = |name: &&&str| {
        let own = names::words(name);
        own == rest || names::subject(name).is_some_and(|own| own == rest.join(" "))
    };
    names.iter().find(is_it).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_what_came_before() {
        let names = ["balance", "net", "currency", "account_id", "created_at"];
        for (text, about, expected) in [
            (
                "`balance` is the sum of `net` of this entry and all earlier ones in the same currency",
                None,
                Some(("balance", "net", Some("currency"))),
            ),
            (
                "The sum of `net` of this entry and of all previous ones of the same account",
                Some("balance"),
                Some(("balance", "net", Some("account_id"))),
            ),
            (
                "Running total of `net`",
                Some("balance"),
                Some(("balance", "net", None)),
            ),
            ("`balance` is the balance after this entry", None, None),
            (
                "`balance` is the sum of `net` of all earlier entries",
                None,
                None,
            ),
            (
                "`balance` is the sum of `net` of this entry and all earlier ones that are not reversed",
                None,
                None,
            ),
            (
                "`balance` is the sum of `net` of this entry and all earlier ones in the same month",
                None,
                None,
            ),
        ] {
            let found = read(text, about, &names);
            let expected = expected.map(|(sum, of, same)| Running { sum, of, same });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn each_sum_follows_from_the_one_before_it() {
        let running = Running {
            sum: "s",
            of: "n",
            same: Some("c"),
        };
        for (text, expected) in [
            // The newest first, and last.
            (r#"[["E",70,-30,3],["G",5,5,2],["E",100,100,1]]"#, None),
            (r#"[["E",100,100,1],["G",5,5,2],["E",70,-30,3]]"#, None),
            // Of a page in the middle of a list.
            (r#"[["E",70,-30,3],["E",100,10,2]]"#, None),
            (
                r#"[["E",75,-30,3],["G",5,5,2],["E",100,100,1]]"#,
                Some("100"),
            ),
            (r#"[["E",75,-30,3],["G",5,5,2]]"#, None),
            // Two of one time, whichever comes first.
            (r#"[["E",60,10,2],["E",50,-10,2],["E",60,60,1]]"#, None),
            (r#"[["E",50,-10,2],["E",60,10,2],["E",50,50,1]]"#, None),
            (r#"[["E",20,10,2],["E",10,10,2],["E",0,50,1]]"#, None),
        ] {
            let page = openapi_document::json::read_text(text).unwrap();
            let records: Vec<Node> = page
                .items()
                .map(|own| {
                    let part = |at| own.items().nth(at).map(Node::to_json).unwrap_or_default();
                    let (c, s, n, at) = (part(0), part(1), part(2), part(3));
                    let text = format!(r#"{{"c":{c},"s":{s},"n":{n},"created_at":{at}}}"#);
                    openapi_document::json::read_text(&text).unwrap()
                })
                .collect();
            let records: Vec<&Node> = records.iter().collect();
            assert_eq!(running.astray(&records).as_deref(), expected, "{text}");
        }
    }
}
