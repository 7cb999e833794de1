//! Test numbers: a sentence that says of a number that what is made with it is declined is held: "payments with
//! `4000000000000002` are declined with `do_not_honour`". The number stands in the body itself, or in that of what the body
//! names, such as the card that is paid with.

use std::collections::BTreeSet;

use openapi_document::view::{MediaType, Response};
use openapi_document::{Node, Pointer};

use crate::case::Step;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::expression::Template;
use crate::model::{Call, Role, names, prose};
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use super::declined::{self, DECLINED};
use super::told::status_in;
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::laws::trial::addressing::can_address;
use crate::laws::trial::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// A number has so many digits at least.
const LEAST: usize = 8;

/// So many numbers are tried at most.
const MOST: usize = 6;

/// So many ways to a call are tried with each.
const WAYS: usize = 3;

/// So deep in a body is looked for a number.
const DEPTH: usize = 3;

/// The lengths of two numbers of a kind differ by so much at most.
const APART: usize = 4;

/// Words of what is granted.
const GRANTED: [&str; 9] = [
    "approved",
    "approves",
    "authorised",
    "authorized",
    "succeed",
    "succeeds",
    "accepted",
    "works",
    "successful",
];

/// A number with which something is said to be declined, and the reason that is told then.
#[derive(Debug, PartialEq, Eq)]
struct Test<'d> {
    number: &'d str,
    reason: Option<&'d str>,
    status: Option<u16>,
    /// Whether it is said of what the operation makes, by its name.
    is_of_kind: bool,
}

/// Asks with each number that a text says to be declined.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) {
    for test in said(world, call).iter().take(MOST) {
        of(world, call, test, draft).await;
    }
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    test: &Test<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let due = test.status.unwrap_or(DECLINED);
    let response = call.response(due)?;
    let tag = format!("test-number-{}", test.number);
    let ready = world.ready(call, &tag).await.ok()?;
    let sent = world.compose(&ready, &tag).ok()?;
    let (ready, sent) = match direct(world, call, (&ready, &sent), test) {
        Some(sent) => (ready, sent),
        None if test.is_of_kind => indirect(world, call, test, &tag).await?,
        None => return None,
    };
    let before = match due {
        DECLINED => declined::before(world, call, (&ready, &sent)).await,
        _ => None,
    };
    let exchange = world.send(sent).await;
    if succeeded(&exchange) {
        let expected = format!("a refusal, as is said of {}", test.number);
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            Ground::Text,
            expected,
            told(&exchange),
        );
        world.differ(draft, call, claim, &exchange);
        return Some(());
    }
    if status(&exchange) == Some(due) {
        judge(world, call, (&response, test), &exchange, draft);
        is_unrecorded(world, call, &ready, &exchange, draft).await;
    }
    declined::hold(world, call, (before, &exchange), draft).await;
    Some(())
}

/// The request with the number in the place of another one.
fn direct<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &Sent),
    test: &Test<'_>,
) -> Option<Sent> {
    let mut sent = sent.clone();
    let mut json = sent.json.clone()?;
    let at = place(&json, test.number)?;
    value::put(&mut json, &at, value::string(test.number)).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(sent)
}

/// The request after a step that makes what it names with the number.
async fn indirect<'w, 'd>(
    world: &mut World<'w, '_, '_, 'd>,
    call: &Call<'d>,
    test: &Test<'_>,
    tag: &str,
) -> Option<(Ready<'w, 'd>, Sent)> {
    let chosen = world.chosen(call).into_iter();
    let ways: Vec<&'w Recipe<'d>> = chosen.chain(world.ways(call)).collect();
    for (index, way) in ways.into_iter().take(WAYS).enumerate() {
        let Some(before) = with(world, way, test.number) else {
            continue;
        };
        let tag = format!("{tag}-{index}");
        let Ok(ready) = world.prepare_by(way, &before, &tag).await else {
            continue;
        };
        let sent = world.compose(&ready, &tag).ok()?;
        return Some((ready, sent));
    }
    None
}

/// The steps before a call, the last of them that has a number with this one.
pub(super) fn with<'d>(
    world: &World<'_, '_, '_, 'd>,
    way: &Recipe<'d>,
    number: &str,
) -> Option<Vec<Step<'d>>> {
    let mut before = way.split()?.1.to_vec();
    let step = before.iter_mut().rev().find_map(|step| {
        let body = step.request.body.as_ref()?.value.plain()?;
        let (at, mut json) = (place(body, number)?, body.clone());
        value::put(&mut json, &at, value::string(number)).ok()?;
        let maker = world.model.call(&step.name.operation)?;
        let schema = maker.body.as_ref().filter(|_| maker.role == Role::Create)?;
        let broken = world.contract().validate_request(schema, &json).ok()?;
        broken.is_empty().then_some((step, at))
    });
    let (step, at) = step?;
    let number = Template::Literal(value::string(number));
    step.request.replacements.push((at, number));
    Some(before)
}

/// Where a body has its only number of a card or an account that is about as long.
pub(super) fn place(body: &Node, number: &str) -> Option<Pointer> {
    fn walk(node: &Node, at: &Pointer, number: &str, found: &mut Vec<Pointer>) {
        let prefix = token(number);
        for own in node.entries() {
            let at = at.join(own.key.as_str());
            let text = own.value.as_str();
            let digits = text.filter(|own| is_digits(own));
            let is_alike = digits.is_some_and(|own| own.len().abs_diff(number.len()) <= APART);
            let is_token = prefix.is_some() && text.is_some_and(|own| token(own) == prefix);
            if (prefix.is_none() && is_alike && is_called_so(&at)) || is_token {
                found.push(at);
            } else if at.depth() < DEPTH {
                walk(&own.value, &at, number, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(body, &Pointer::root(), number, &mut found);
    let only = found.pop();
    only.filter(|_| found.is_empty())
}

/// Whether a place is called as the number of a card or an account is.
fn is_called_so(at: &Pointer) -> bool {
    const CALLED: [&str; 7] = [
        "number", "card", "account", "pan", "iban", "phone", "msisdn",
    ];
    const OTHERS: [&str; 6] = ["order", "reference", "invoice", "id", "tax", "serial"];
    let words: Vec<String> = at.segments().flat_map(|own| names::words(&own)).collect();
    prose::has(&words, &CALLED) && !prose::has(&words, &OTHERS)
}

/// Whether a text is a number, or a token that stands for one: `tok_declined00`.
fn is_number(text: &str) -> bool {
    is_digits(text) || token(text).is_some()
}

fn is_digits(text: &str) -> bool {
    text.len() >= LEAST && text.bytes().all(|own| own.is_ascii_digit())
}

/// The word that a token begins with: `tok_declined00`, `pm_card_declined`.
fn token(text: &str) -> Option<&str> {
    let (prefix, rest) = text.split_once('_')?;
    let is_word = !prefix.is_empty() && prefix.bytes().all(|own| own.is_ascii_lowercase());
    let is_one = rest
        .bytes()
        .all(|own| own == b'_' || own.is_ascii_alphanumeric());
    (is_word && is_one && text.len() >= LEAST).then_some(prefix)
}

/// Holds what is declined against the documented answer, and the reason that is told against the one that is said.
fn judge<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (response, test): (&Response<'d>, &Test<'d>),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    if let Some(reason) = test.reason {
        let told = (test.number, reason);
        tells_reason(world, call, (response, told), exchange, draft);
    }
    world.judge_form(draft, call, response, exchange);
    if let Some(code) = status(exchange) {
        world.reach(call, code, draft);
    }
}

/// Holds the reason that is told against the one that is said of a number, where a response shows or lists such.
pub(super) fn tells_reason<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (response, (number, reason)): (&Response<'d>, (&str, &str)),
    exchange: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let body = exchange.outcome.as_ref().ok().and_then(|own| own.json())?;
    let at = shown(response, reason).or_else(|| listed(world, response, reason))?;
    let own = body.at(&at);
    if own.and_then(Node::as_str) != Some(reason) {
        let expected = format!("{reason:?}, as is said of {number}");
        let actual = own.map_or_else(|| "none".to_owned(), Node::to_json);
        let claim = Claim::new(&checks::FINAL_VALUE, Ground::Text, expected, actual).at(at);
        world.differ(draft, call, claim, exchange);
    }
    Some(())
}

/// Where the examples of a response tell a reason.
fn shown(response: &Response<'_>, reason: &str) -> Option<Pointer> {
    fn walk(node: &Node, at: &Pointer, reason: &str) -> Option<Pointer> {
        if node.as_str() == Some(reason) {
            return Some(at.clone());
        }
        let mut entries = node.entries();
        entries.find_map(|own| walk(&own.value, &at.join(own.key.as_str()), reason))
    }
    let content = response.content();
    let mut examples = content.iter().flat_map(MediaType::examples);
    examples.find_map(|own| walk(own.value.node, &Pointer::root(), reason))
}

/// The property of a response that has a reason in its closed list.
fn listed<'d>(
    world: &World<'_, '_, '_, 'd>,
    response: &Response<'d>,
    reason: &str,
) -> Option<Pointer> {
    let document = world.model.document;
    let content = response.content();
    let schema = content.iter().find_map(MediaType::schema);
    let shape = Shape::of(document, schema.as_ref());
    let has = |own: &&str| {
        let known = shape.property(document, own).known_values();
        known.contains(&reason)
    };
    let name = shape.property_names().into_iter().find(has)?;
    Some(Pointer::root().join(name))
}

/// What was declined is in no list, where a text says that it leaves nothing: no record names what was made for it alone.
async fn is_unrecorded<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    declined: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let mut said = call.texts().chain(call.overall).flat_map(prose::spoken);
    said.any(|own| leaves_nothing(&own)).then_some(())?;
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    // What was made for it alone is named by nothing else.
    let label = call.operation.label();
    let is_alone = kept.iter().all(|own| own.sent.operation != label);
    is_alone.then_some(())?;
    let made = kept.iter().filter_map(|own| {
        let maker = world.model.call(&own.sent.operation)?;
        record_of(maker, own)?.get(own_key(maker)?)
    });
    let made: Vec<&Node> = made.collect();
    let mut names = declined.sent.json.as_ref()?.entries();
    let named = names.find(|own| made.iter().any(|key| key.same_value(&own.value)))?;
    let nothing = value::node(openapi_document::Value::Mapping(
        openapi_document::Mapping::default(),
    ));
    let stand = (&nothing, &declined.sent);
    let mut all = lists(world, call).into_iter();
    let list = all.find(|own| can_address(own, stand.0, stand.1))?;
    let shape = Shape::of(world.model.document, list.record().map(|own| &own.schema));
    let listed = shape.property_names();
    listed.contains(&named.key.as_str()).then_some(())?;
    let paging = Paging::of(world, list);
    let search = paging.find(world, list, stand, (&named.key, &named.value));
    if search.await.ok()?.found.is_some() {
        let expected = "no record of a request that was declined";
        let actual = format!("`{}` has a record of it", list.operation.label());
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Ground::Text,
            expected,
            actual,
        );
        world.differ(draft, call, claim, declined);
    }
    Some(())
}

/// Whether a sentence says that nothing is made of what is declined.
fn leaves_nothing(words: &[String]) -> bool {
    const KEPT: [&str; 5] = ["recorded", "stored", "saved", "created", "listed"];
    const OPEN: [&str; 5] = ["may", "if", "unless", "only", "except"];
    let is_not = words
        .windows(2)
        .any(|own| own[0] == "not" && KEPT.contains(&&*own[1]));
    let is_nothing = words.windows(2).any(|own| {
        let is_none = matches!(own[1].as_str(), "nothing" | "no");
        is_none && matches!(own[0].as_str(), "changes" | "leaves" | "makes" | "creates")
    });
    prose::has(words, &["declined"]) && (is_not || is_nothing) && !prose::has(words, &OPEN)
}

/// The numbers with which what an operation makes is said to be declined: in its own texts, those of the whole document, and
/// those of the operations that make what its body names.
fn said<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Vec<Test<'d>> {
    let document = world.model.document;
    let noun = |own: &Call<'d>| names::words(&own.record()?.name).pop();
    let pays = call.role == Role::Create || call.response(DECLINED).is_some();
    let Some(own) = noun(call).filter(|_| pays) else {
        return Vec::new();
    };
    let kinds: Vec<String> = world.model.of(Role::Create).filter_map(noun).collect();
    let shape = Shape::of(document, call.body.as_ref());
    let properties = shape.property_names().into_iter();
    let makers = properties.filter_map(|name| {
        let kind = world
            .model
            .named_by(&shape.property(document, name), name)?;
        world.model.creator_of(&kind)
    });
    let label = call.operation.label();
    let makers: Vec<&Call<'d>> = makers
        .filter(|own| own.operation.label() != label)
        .collect();
    let asked = makers.iter().copied().chain([call]);
    let asked: BTreeSet<&str> = asked.flat_map(|own| prefixes(world, own)).collect();
    // A code, or a reason, of a refusal looks like a token, but no request begins so.
    let is_one = |own: &str| {
        let is_asked = token(own).is_none_or(|prefix| asked.contains(prefix));
        is_number(own) && is_asked && !world.model.codes().is_known(own)
    };
    let mut found: Vec<Test<'d>> = Vec::new();
    let texts = call.texts().chain(call.overall);
    let mut all: Vec<(&'d str, bool)> = texts.map(|own| (own, true)).collect();
    let makers = makers.into_iter();
    all.extend(makers.flat_map(Call::texts).map(|own| (own, false)));
    for (text, is_own) in all {
        let clauses = prose::sentences(text).into_iter();
        let clauses = clauses.flat_map(|own| clauses_of(own, &is_one));
        let tests = clauses.flat_map(|clause| tests(clause, (&own, &kinds), &is_one));
        for test in tests.filter(|own| is_own || own.is_of_kind) {
            if !found.iter().any(|known| known.number == test.number) {
                found.push(test);
            }
        }
    }
    found
}

/// How the tokens begin that the requests of an operation show.
fn prefixes<'w, 'd>(world: &World<'w, '_, '_, 'd>, call: &Call<'d>) -> BTreeSet<&'w str> {
    fn walk<'b>(node: &'b Node, found: &mut BTreeSet<&'b str>) {
        found.extend(node.as_str().and_then(token));
        for own in node.items() {
            walk(own, found);
        }
        for own in node.entries() {
            walk(&own.value, found);
        }
    }
    let mut found = BTreeSet::new();
    let ways = world.all_ways(call).iter();
    let steps = ways.filter_map(|own| Some(own.split()?.0));
    for body in steps.filter_map(|own| own.request.body.as_ref()?.value.plain()) {
        walk(body, &mut found);
    }
    found
}

/// The parts of a sentence that each say what becomes of a number.
fn clauses_of<'d>(sentence: &'d str, is_number: &dyn Fn(&str) -> bool) -> Vec<&'d str> {
    let whole = |own: &&str| {
        let words = prose::unmarked(own);
        let says = is_declined(&words) || prose::has(&words, &GRANTED);
        says && own.split('`').skip(1).step_by(2).any(is_number)
    };
    let split = |own| {
        let parts: Vec<&str> = str::split(own, " and ").collect();
        if parts.iter().all(whole) {
            parts
        } else {
            vec![own]
        }
    };
    sentence.split([',', ';']).flat_map(split).collect()
}

fn is_declined(words: &[String]) -> bool {
    const DECLINED: [&str; 6] = [
        "declined", "declines", "refused", "rejected", "fail", "fails",
    ];
    prose::has(words, &DECLINED)
}

/// What a clause says of its numbers, of a kind of record beside others.
fn tests<'d>(
    clause: &'d str,
    (kind, kinds): (&str, &[String]),
    is_number: &dyn Fn(&str) -> bool,
) -> Vec<Test<'d>> {
    const OPEN: [&str; 14] = [
        "may", "might", "can", "if", "unless", "when", "while", "not", "never", "no", "except",
        "only", "once", "first",
    ];
    // The reason may well be `do_not_honour`.
    let words = prose::unmarked(clause);
    if !is_declined(&words) || prose::has(&words, &OPEN) || prose::has(&words, &GRANTED) {
        return Vec::new();
    }
    let before = clause.split('`').next().unwrap_or_default();
    let before = names::words(&before.to_lowercase());
    let mut nouns = before.iter().map(|own| names::singular(own));
    let about = nouns.find(|own| kinds.contains(own));
    // What is said of another kind is not said of this one.
    if about.as_ref().is_some_and(|own| own != kind) {
        return Vec::new();
    }
    let marked = || clause.split('`').skip(1).step_by(2);
    let is_reason =
        |own: &&str| !own.contains([' ', ':']) && own.parse::<u64>().is_err() && !is_number(own);
    let mut reasons = marked().filter(is_reason);
    let reason = reasons.next().filter(|_| reasons.next().is_none());
    let numbers = marked().filter(|own| is_number(own));
    let test = |number| Test {
        number,
        reason,
        status: status_in(clause),
        is_of_kind: about.is_some(),
    };
    numbers.map(test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_test_numbers() {
        let kinds = ["payment".to_owned(), "refund".to_owned()];
        let read = |sentence: &'static str| -> Vec<(&str, Option<&str>, bool)> {
            let is_one = |own: &str| {
                is_number(own) && token(own).is_none_or(|own| ["tok", "pm"].contains(&own))
            };
            let found = clauses_of(sentence, &is_one).into_iter();
            let found = found.flat_map(|own| tests(own, ("payment", &kinds), &is_one));
            found
                .map(|own| (own.number, own.reason, own.is_of_kind))
                .collect()
        };
        let two = [
            ("4000000000000002", Some("do_not_honour"), true),
            ("4000000000009995", Some("no_funds"), true),
        ];
        for sentence in [
            "`4242424242424242` is approved, payments with `4000000000000002` are declined with `do_not_honour`, payments with `4000000000009995` are declined with `no_funds`",
            "Payments with `4000000000000002` are declined with `do_not_honour` and payments with `4000000000009995` are declined with `no_funds`",
        ] {
            assert_eq!(read(sentence), two, "{sentence}");
        }
        assert_eq!(
            read("The token `tok_declined00` is declined with 402 and the code `card_declined`"),
            [("tok_declined00", Some("card_declined"), false)]
        );
        for sentence in [
            "`pm_card_visa` succeeds, `pm_card_refused` is declined with `card_declined`",
            "`pm_card_visa` succeeds and `pm_card_refused` is declined with `card_declined`",
            "Test methods: `pm_card_visa` (succeeds); `pm_card_refused` (declined with `card_declined`)",
        ] {
            let one = [("pm_card_refused", Some("card_declined"), false)];
            assert_eq!(read(sentence), one, "{sentence}");
        }
        assert_eq!(
            read(
                "Payments with `4242424242424242` are approved and those with `4000000000000002` are declined"
            ),
            [("4000000000000002", None, false)]
        );
        assert_eq!(
            read("`4000000000000002` is declined"),
            [("4000000000000002", None, false)]
        );
        for sentence in [
            "`4242424242424242` is approved",
            "Refunds of payments with `4000000000000002` are declined",
            "Payments with `4000000000000002` may be declined",
            "Payments with `4000000000000002` are not declined",
            "Payments of `42` are declined",
        ] {
            assert!(read(sentence).is_empty(), "{sentence}");
        }
    }

    #[test]
    fn what_leaves_nothing() {
        for (text, expected) in [
            ("A declined payment (`402`) is not recorded.", true),
            ("A payment that is declined leaves nothing.", true),
            ("A request that is refused changes nothing.", false),
            (
                "A declined payment creates no record and leaves the order open.",
                true,
            ),
            ("A declined payment is recorded.", false),
            ("A declined payment may not be recorded.", false),
            ("A payment is not recorded.", false),
        ] {
            let said = prose::spoken(text).iter().any(|own| leaves_nothing(own));
            assert_eq!(said, expected, "{text}");
        }
    }

    #[test]
    fn where_a_body_has_its_number() {
        for (body, expected) in [
            (
                r#"{"number":"4242424242424242","cvc":"123"}"#,
                Some("/number"),
            ),
            (r#"{"card":{"pan":"4242424242424242"}}"#, Some("/card/pan")),
            (
                r#"{"number":"4242424242424242","account":"1234567812345678"}"#,
                None,
            ),
            (r#"{"number":"none"}"#, None),
            (
                r#"{"number":"4242424242424242","token":"tok_visa4242"}"#,
                Some("/number"),
            ),
            (r#"{"order_number":"4242424242424242"}"#, None),
            (r#"{"number":"12345678"}"#, None),
        ] {
            let body = openapi_document::json::read_text(body).unwrap();
            let found = place(&body, "4000000000000002");
            assert_eq!(found.map(|own| own.to_string()).as_deref(), expected);
        }
        let body = r#"{"order":"ord_1234abcd","method":{"token":"tok_visa4242"}}"#;
        let body = openapi_document::json::read_text(body).unwrap();
        let found = place(&body, "tok_declined00").map(|own| own.to_string());
        assert_eq!(found.as_deref(), Some("/method/token"));
    }
}
