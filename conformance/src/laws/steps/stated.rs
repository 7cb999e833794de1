//! Stated: what the text of a refusal says of the states of a record: that a step leads from some only, or from some
//! not. Pure.

use openapi_document::Node;

use crate::names;
use crate::prose;

/// In which states a step is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stated<'s> {
    /// In all but these.
    Only(Vec<&'s str>),
    /// In all but these, which are written as their values are: a part of one is none of them.
    Exactly(Vec<&'s str>),
    /// In these.
    Not(Vec<&'s str>),
}

/// Words of what may mean the contrary of what they stand beside.
const DOUBTFUL: [&str; 17] = [
    "not", "must", "unless", "until", "need", "needs", "require", "requires", "required", "first",
    "expected", "should", "before", "isn", "hasn", "no", "never",
];

/// Words that a state is told after.
const IS: [&str; 4] = ["is", "are", "already", "been"];

/// Reads a sentence; `verb` is that of the step.
pub(crate) fn read<'s>(text: &str, states: &[&'s str], verb: &str) -> Option<Stated<'s>> {
    let mut words = words(text);
    // What `has been resolved before` is resolved.
    let been = words
        .windows(3)
        .position(|own| own[0] == "been" && own[2] == "before");
    if let Some(at) = been {
        words.remove(at + 2);
    }
    let has = |wanted: &str| words.iter().any(|own| own == wanted);
    let (is_only, bars) = (has("only"), has("cannot"));
    // What only some may, and others may not, is too much for one reading.
    let is_both = is_only && (has("not") || bars);
    if is_both || !is_only && is_doubtful(&words) {
        return None;
    }
    // Of a code the last word is the state, and what stands before it says of what.
    let is_code = !text.trim().contains(' ') && words.len() > 1;
    let mut longest: Vec<&'s str> = states.to_vec();
    longest.sort_by_key(|own| std::cmp::Reverse(names::words(&own.to_lowercase()).len()));
    let mut found = Vec::new();
    for state in longest {
        let own = names::words(&state.to_lowercase());
        let places = take(&mut words, &own);
        // The step itself is told by the same word as the state that it leads to.
        let is_own = own.iter().any(|own| names::is_done(own, verb));
        let is_told = |at: usize| {
            let is_last = at + own.len() == words.len();
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            let is_state = before.is_some_and(|own| IS.contains(&own.as_str()));
            // `one on which nothing has been paid`
            let mut near = words[at.saturating_sub(3)..at].iter();
            if near.any(|own| own == "nothing" || own == "none") {
                return false;
            }
            (!is_own && (is_only || bars)) || (is_code && is_last) || is_state
        };
        if places.into_iter().any(is_told) && !(is_own && is_only) {
            found.push(state);
        }
    }
    if found.is_empty() {
        return None;
    }
    Some(if is_only {
        Stated::only(text, found)
    } else {
        Stated::Not(found)
    })
}

/// The states that a text names before it says that any other one is refused: `books it on an active card. In any other
/// status it is refused`.
pub(crate) fn none_but<'s>(text: &str, states: &[&'s str]) -> Vec<&'s str> {
    const REFUSED: [&str; 6] = ["refused", "rejected", "409", "cannot", "conflict", "fails"];
    let named = |words: &[String]| -> Vec<&'s str> {
        let has = |state: &&&'s str| {
            let own = names::words(&state.to_lowercase());
            !take(&mut words.to_vec(), &own).is_empty()
        };
        states.iter().filter(has).copied().collect()
    };
    let mut before: Vec<&'s str> = Vec::new();
    for sentence in prose::sentences(text) {
        // The state in `card_voided` is none that it is allowed in.
        let words = words(&without_codes(sentence, states));
        let is_state = |own: &str| matches!(names::singular(own).as_str(), "status" | "state");
        let other = words.windows(3).position(|own| {
            let (first, second, last) = (own[0].as_str(), own[1].as_str(), own[2].as_str());
            let is_any = matches!(first, "any" | "all" | "every" | "the") && second == "other";
            (is_any || (first == "in" && second == "another")) && is_state(last)
        });
        // The code of a refusal may well be `CARD_NOT_ACTIVE`.
        let plain = prose::unmarked(sentence);
        let is_doubtful = prose::has(&plain, &["not", "unless", "except", "if"]);
        if let Some(at) = other {
            let own = named(&words[..at]);
            let all = if own.is_empty() { before } else { own };
            let is_plain = prose::has(&words, &REFUSED) && !is_doubtful;
            return if is_plain { all } else { Vec::new() };
        }
        // What an operation is for is said first, and what it leads to beside where it leads from.
        let is_told = !prose::has(&words, &["nothing", "no", "not", "never", "cannot"]);
        let becomes = prose::has(&words, &["becomes", "become"]);
        if (before.is_empty() || becomes) && is_told {
            let joined = format!(" {} ", words.join(" "));
            let is_led_to = |state: &&str| {
                let own = names::words(&state.to_lowercase()).join(" ");
                let becomes = ["becomes", "become"].map(|verb| format!(" {verb} {own} "));
                becomes.iter().any(|own| joined.contains(own))
            };
            let own = named(&words).into_iter().filter(|own| !is_led_to(own));
            before.extend(own);
        }
    }
    Vec::new()
}

/// A sentence without the codes that it has in marks.
fn without_codes(sentence: &str, states: &[&str]) -> String {
    let parts = sentence.split('`').enumerate();
    let kept = parts.map(|(index, own)| {
        let is_code = !own.contains([' ', ':']) && names::words(own).len() > 1;
        let is_kept = index % 2 == 0 || !is_code || states.contains(&own);
        if is_kept { own } else { " " }
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// The states that a sentence says a step to be allowed in, and refused in others: `allowed from pending only, otherwise
/// 409`. What stands in brackets is said beside.
pub(crate) fn allowed<'s>(sentence: &str, states: &[&'s str]) -> Vec<&'s str> {
    const ALLOWED: [&str; 4] = ["allowed", "possible", "permitted", "accepted"];
    const FROM: [&str; 5] = ["from", "while", "in", "when", "for"];
    const DOUBTFUL: [&str; 8] = [
        "not", "never", "unless", "except", "cannot", "also", "even", "before",
    ];
    let plain = prose::without_asides(sentence);
    let mut words = words(&plain);
    let at = |list: &[&str]| words.iter().position(|own| list.contains(&own.as_str()));
    let is_said = at(&ALLOWED)
        .zip(at(&FROM))
        .is_some_and(|(allowed, from)| allowed < from);
    let end = at(&["otherwise", "else"]);
    let is_bound = end.is_some() || at(&["only"]).is_some();
    // The code of a refusal may well be `not_open`.
    words.truncate(end.unwrap_or(words.len()));
    if !is_said || !is_bound || prose::has(&words, &DOUBTFUL) {
        return Vec::new();
    }
    let has = |state: &&&'s str| {
        let own = names::words(&state.to_lowercase());
        !take(&mut words.clone(), &own).is_empty()
    };
    states.iter().filter(has).copied().collect()
}

/// The word of a sentence that says that what is no longer so is refused: `open`.
pub(crate) fn no_longer(text: &str) -> Option<&'static str> {
    const SO: [&str; 6] = [
        "open",
        "pending",
        "outstanding",
        "active",
        "live",
        "running",
    ];
    const REFUSED: [&str; 4] = ["refused", "rejected", "409", "cannot"];
    let words = words(text);
    let own = words.windows(3).find_map(|own| {
        let is_told = own[0] == "no" && own[1] == "longer";
        SO.into_iter().find(|word| is_told && *word == own[2])
    });
    own.filter(|_| prose::has(&words, &REFUSED))
}

/// The state that texts say a word to mean: `the hold is open (authorized) until it is captured`.
pub(crate) fn meant<'s>(
    texts: impl Iterator<Item = &'s str>,
    word: &str,
    states: &[&'s str],
) -> Option<&'s str> {
    let all = texts.flat_map(prose::sentences);
    let mut found: Vec<&'s str> = Vec::new();
    for sentence in all {
        for state in states {
            let is_told = ["`", ""].iter().any(|mark| {
                let told = format!("{word} ({mark}{state}{mark})");
                sentence
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .contains(&told)
            });
            if is_told && !found.contains(state) {
                found.push(*state);
            }
        }
    }
    let [only] = found[..] else { return None };
    Some(only)
}

/// The words of a sentence, where whatever says that something cannot be says `cannot`.
pub(super) fn words(text: &str) -> Vec<String> {
    const CANNOT: [&str; 7] = [
        "can no longer",
        "may no longer",
        "can not",
        "can t",
        "may not",
        "must not",
        "can never",
    ];
    let joined = format!(" {} ", names::words(&text.to_lowercase()).join(" "));
    let joined = CANNOT.iter().fold(joined, |text, own| {
        text.replace(&format!(" {own} "), " cannot ")
    });
    joined.split_whitespace().map(str::to_owned).collect()
}

/// Whether a sentence of an operation says where its step leads from: it speaks of the step, and says `only` or
/// `cannot`.
pub(crate) fn says_where_from(text: &str, verb: &str) -> bool {
    let words = words(text);
    let is_step = |own: &String| own == verb || names::is_done(own, verb);
    let bars = words.iter().any(|own| own == "only" || own == "cannot");
    bars && words.iter().any(is_step)
}

/// Whether a sentence says of a kind of record that only some of it can be what a verb asks for: `only a paused
/// subscription can be resumed`, `the plan can be changed only while the subscription is active`.
pub(crate) fn says_only_of(text: &str, kind: &str, verb: &str) -> bool {
    let words = words(text);
    let at = |wanted: &dyn Fn(&String) -> bool| words.iter().position(wanted);
    let last = kind.rsplit(' ').next().unwrap_or_default();
    let kind = at(&|own| names::singular(own) == last);
    let (only, done) = (
        at(&|own| own == "only"),
        at(&|own| names::is_done(own, verb)),
    );
    let is_said = only.zip(kind).zip(done);
    let is_while = |only: usize, kind: usize| {
        const BETWEEN: [&str; 8] = ["while", "when", "if", "a", "an", "the", "its", "this"];
        let is = words.get(kind + 1).is_some_and(|own| own == "is");
        let mut between = words[only + 1..kind].iter().map(String::as_str);
        is && between.all(|own| BETWEEN.contains(&own))
    };
    is_said.is_some_and(|((only, kind), done)| {
        only < kind && (kind < done || (done < only && is_while(only, kind)))
    }) && words.iter().any(|own| own == "can" || own == "may")
}

/// Whether a text may mean the contrary of what its words are.
pub(crate) fn is_doubtful(words: &[String]) -> bool {
    DOUBTFUL
        .iter()
        .any(|own| words.iter().any(|word| word == own))
}

/// Whether a text says that something is done once and not again, and that this is what a verb asks for.
pub(crate) fn says_once(text: &str, verb: &str) -> bool {
    const ONCE: [&str; 6] = [
        "only once",
        "once only",
        "at most once",
        "no more than once",
        "cannot be done twice",
        "not a second time",
    ];
    // A request that is sent again with its key is another matter.
    const OTHER: [&str; 12] = [
        "key",
        "idempotent",
        "idempotency",
        "request",
        "requests",
        "same",
        "however",
        "often",
        "repeated",
        "retry",
        "retries",
        "retried",
    ];
    let words = words(text);
    let joined = words.join(" ");
    let is_it = |own: &String| own == verb || names::is_done(own, verb);
    let is_barred = |own: &[String]| match own {
        [cannot, be, done, more] => {
            let is_more = matches!(more.as_str(), "again" | "twice");
            cannot == "cannot" && be == "be" && names::is_done(done, verb) && is_more
        }
        _ => false,
    };
    let is_other = words.iter().any(|own| OTHER.contains(&own.as_str()));
    let is_once = ONCE.iter().any(|own| joined.contains(own)) && words.iter().any(is_it);
    (is_once || words.windows(4).any(is_barred)) && !is_other
}

/// Takes some words that stand beside each other out of a text; where they stood.
fn take(words: &mut [String], own: &[String]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while !own.is_empty() && at + own.len() <= words.len() {
        let here = &mut words[at..at + own.len()];
        if here == own {
            here.fill(String::new());
            places.push(at);
        }
        at += 1;
    }
    places
}

impl<'s> Stated<'s> {
    /// All but some states, which a text names.
    pub(crate) fn only(text: &str, states: Vec<&'s str>) -> Self {
        let is_marked = |own: &&str| text.contains(&format!("`{own}`"));
        if states.iter().all(is_marked) {
            Self::Exactly(states)
        } else {
            Self::Only(states)
        }
    }

    /// Whether a step is refused in a state.
    pub(crate) fn bars(&self, state: &str, verb: &str) -> bool {
        let words = names::words(&state.to_lowercase());
        match self {
            Self::Not(all) => all.contains(&state),
            Self::Exactly(all) => {
                !all.contains(&state) && !words.iter().any(|own| names::is_done(own, verb))
            }
            // What was captured in part was captured, and what was refunded in part may be refunded.
            Self::Only(all) => {
                let is_like = |own: &&str| {
                    let own = names::words(&own.to_lowercase());
                    own.iter().any(|word| words.contains(word))
                };
                let is_own = words.iter().any(|own| names::is_done(own, verb));
                // A payment that is refunded in part is still one that was captured.
                let is_done = |own: &&str| own.to_lowercase().ends_with("ed");
                let first = words.first().map(String::as_str);
                let is_part = matches!(first, Some("partially" | "partly" | "partial"))
                    && all.iter().all(is_done);
                !all.iter().any(is_like) && !is_own && !is_part
            }
        }
    }
}

/// Every text of a refusal: its description, and the texts of its examples.
pub(crate) fn texts(node: &Node, found: &mut Vec<String>) {
    if let Some(text) = node.as_str() {
        let sentences = prose::sentences(text).into_iter();
        found.extend(sentences.map(str::to_owned));
    }
    for entry in node
        .entries()
        .filter(|own| own.key != "schema" && own.key != "headers")
    {
        texts(&entry.value, found);
    }
    for item in node.items() {
        texts(item, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_a_step_is_allowed_in() {
        let states = ["pending", "funded", "disputed", "open"];
        for (sentence, expected) in [
            (
                "Allowed from `pending` only, otherwise 409",
                &["pending"][..],
            ),
            (
                "Allowed from `funded` only (not while disputed), otherwise 409",
                &["funded"],
            ),
            (
                "Allowed from `funded` and `disputed`, otherwise 409 `not_open`",
                &["funded", "disputed"],
            ),
            ("Only possible while the dispute is `open`", &["open"]),
            // What is said of more, or of the contrary.
            ("Allowed while the milestone is `funded`", &[]),
            ("Not allowed from `funded`, otherwise it is", &[]),
            ("Only the owner may do so, from `open` on", &[]),
            ("It is also allowed from `open`, else `409`", &[]),
        ] {
            assert_eq!(allowed(sentence, &states), expected, "{sentence}");
        }
    }

    #[test]
    fn what_texts_say_of_states() {
        let states = ["open", "paid", "partially_paid", "shipped", "cancelled"];
        for (text, verb, expected) in [
            (
                "Only an open order can be paid",
                "pay",
                Some(Stated::Only(vec!["open"])),
            ),
            (
                "only open or paid orders are cancelled",
                "cancel",
                Some(Stated::Only(vec!["open", "paid"])),
            ),
            (
                "The order is shipped",
                "cancel",
                Some(Stated::Not(vec!["shipped"])),
            ),
            (
                "already_cancelled",
                "cancel",
                Some(Stated::Not(vec!["cancelled"])),
            ),
            (
                "A shipped order cannot be cancelled",
                "cancel",
                Some(Stated::Not(vec!["shipped"])),
            ),
            (
                "A shipped order can no longer be cancelled, and a cancelled order can't be cancelled again",
                "cancel",
                Some(Stated::Not(vec!["shipped"])),
            ),
            (
                "It is partially paid",
                "ship",
                Some(Stated::Not(vec!["partially_paid"])),
            ),
            (
                "Only an order in status `open`, on which nothing has been paid, can be voided",
                "void",
                Some(Stated::Exactly(vec!["open"])),
            ),
            (
                "Only orders that are `paid` can be shipped",
                "ship",
                Some(Stated::Exactly(vec!["paid"])),
            ),
            ("More than was paid", "refund", None),
            ("The order is not paid", "ship", None),
            ("The order must be paid first", "ship", None),
            ("Its state does not allow that", "ship", None),
        ] {
            assert_eq!(read(text, &states, verb), expected, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_kind_of_record() {
        for (text, expected) in [
            ("Only a paused subscription can be resumed", true),
            ("Only an active customer can resume a subscription", false),
            ("A resumed subscription can only be cancelled", false),
            (
                "A plan can be resumed only while its subscription is paused",
                true,
            ),
            (
                "It can be resumed only while the customer of the subscription is active",
                false,
            ),
        ] {
            assert_eq!(
                says_only_of(text, "subscription", "resume"),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_said_of_all_other_states() {
        let states = ["inactive", "active", "blocked"];
        for (text, expected) in [
            (
                "Books it on an `active` card. On a card in any other status it is refused with `CARD_NOT_ACTIVE`.",
                &["active"][..],
            ),
            (
                "Blocks an `active` or `inactive` card; in all other states it is refused.",
                &["inactive", "active"],
            ),
            (
                "Takes an `active` card. Nothing can be done with an inactive card. Cards in any other status are refused.",
                &["active"],
            ),
            (
                "An `inactive` card becomes `active`, an `active` one `blocked`. In any other state it is refused.",
                &["inactive", "blocked"],
            ),
            (
                "An `inactive` card becomes `active`. A `blocked` card becomes `inactive`. In any other state it is refused.",
                &["inactive", "blocked"],
            ),
            (
                "Adds to an `active` card. `409` with `card_inactive` or `card_blocked` in the other states.",
                &["active"],
            ),
            ("Activates it. Any other status is refused", &[]),
            ("Needs an active card. Any other status is shown", &[]),
            ("Needs an active card. Any other status is not refused", &[]),
        ] {
            assert_eq!(none_but(text, &states), expected, "{text}");
        }
        let longer = |text| no_longer(text);
        assert_eq!(
            longer("A hold that is no longer open is refused"),
            Some("open")
        );
        assert_eq!(longer("A hold that is no longer open is kept"), None);
        assert_eq!(longer("A hold that is no longer there is refused"), None);
        let told = ["The hold is open (`active`) until it is captured"];
        assert_eq!(meant(told.into_iter(), "open", &states), Some("active"));
        assert_eq!(meant(told.into_iter(), "pending", &states), None);
    }

    #[test]
    fn what_is_done_once() {
        for (text, verb, expected) in [
            ("A transfer is settled only once", "settle", true),
            (
                "It is settled only once, however often that is asked",
                "settle",
                false,
            ),
            ("Settles it, at most once", "settle", false),
            (
                "A settled transfer can not be settled again",
                "settle",
                true,
            ),
            ("A rejected transfer cannot be tried again", "settle", false),
            ("The secret is shown only once", "settle", false),
            ("With the same key it is settled only once", "settle", false),
        ] {
            assert_eq!(says_once(text, verb), expected, "{text}");
        }
    }

    #[test]
    fn states_that_a_step_is_barred_from() {
        let only = Stated::Only(vec!["captured"]);
        for (state, expected) in [
            ("authorized", true),
            ("captured", false),
            ("partially_captured", false),
            ("refunded", false),
            ("partially_refunded", false),
            ("voided", true),
        ] {
            assert_eq!(only.bars(state, "refund"), expected, "{state}");
        }
    }
}
