//! What a documented conflict says is in use cannot be used for another record: not when it is made, and not when
//! it is changed. The record that has it stays as it was, and may be told its own value again.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role, segment_before};
use crate::names;
use crate::prose;
use crate::shape::Shape;
use crate::value;

use super::taken;
use crate::answered::{record_of, status, succeeded, told};
use crate::laws::lists::filter::turned;
use crate::laws::requests::repetition::another_that_adds_up;
use crate::laws::requests::untouched::tell;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// Words of a conflict about what somebody else has.
const IN_USE: [&str; 9] = [
    "uses",
    "another",
    "taken",
    "exists",
    "already",
    "duplicate",
    "unique",
    "use",
    "used",
];

/// What a key of one's own is called, whatever stands before.
const KEYS: [&str; 5] = ["reference", "code", "email", "number", "name"];

/// Words of a conflict that speak of nothing else.
const TAKEN: [&str; 4] = ["taken", "duplicate", "unique", "uses"];

/// Words of what many records have alike.
const ALIKE: [&str; 8] = [
    "amount",
    "price",
    "total",
    "currency",
    "description",
    "note",
    "memo",
    "reason",
];

/// Words of what is unique among its like only.
const APART: [&str; 4] = ["type", "kind", "types", "kinds"];

/// Tries an operation that documents a conflict about a property of its body.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let told = contested(scene, call).or_else(|| of_maker(scene, call));
    let property = told.or_else(|| shown(scene, call));
    let of_conflict = match property {
        Some(property) => in_use(scene, call, (property, told.is_none()), draft).await,
        None => Ok(false),
    };
    let tried = property.filter(|_| of_conflict == Ok(true));
    let of_facts = taken::look(scene, call, tried, draft).await;
    match of_conflict {
        Ok(false) => of_facts,
        own if of_facts == Ok(true) => own.or(of_facts),
        own => own,
    }
}

/// What the documented conflict says is in use is tried.
async fn in_use<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, is_shown): (&'d str, bool),
    draft: &mut Draft,
) -> Tried {
    let done = match (call.role, call.operation.method) {
        (Role::Create, Method::Post) => made(scene, call, (property, is_shown), draft).await,
        (Role::Change, _) if is_shown => return Ok(false),
        (Role::Change, Method::Patch | Method::Put) => changed(scene, call, property, draft).await,
        _ => return Ok(false),
    };
    done.map(|()| true)
}

/// The text of the body that the documented conflict is about: its example names it, and its words say that
/// somebody has it.
fn contested<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let response = call.response(409)?;
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let text = response.at.node.get("description").and_then(Node::as_str);
    let words = names::words(text.unwrap_or_default());
    let is_told = prose::has(&words, &IN_USE);
    let kind = call.record().and_then(|own| names::words(&own.name).pop());
    // Where all conflicts have one text, that of the operation may tell of this one.
    let mut spoken = call.spoken().into_iter();
    let own = spoken.find(|own| {
        let is_once = prose::has(own, &["once", "twice"]) && prose::has(own, &["used", "reused"]);
        let is_of_keys = prose::has(own, &["idempotency", "key", "keys"]);
        let is_told_of = prose::has(own, &["409"]) && (is_once || prose::has(own, &TAKEN));
        // `The name must not be in use by another store`
        let is_of_another = own.windows(5).any(|part| {
            let noun = names::singular(&part[4]);
            part[..4] == ["in", "use", "by", "another"] && kind.as_ref() == Some(&noun)
        });
        !is_told && !is_of_keys && (is_told_of || is_of_another)
    });
    let says = is_told || own.is_some();
    let words = own.unwrap_or(words);
    let content = response.content();
    let examples = content
        .iter()
        .flat_map(openapi_document::view::MediaType::examples);
    let mut named = Vec::new();
    examples.for_each(|own| prose::texts_in(own.value.node, &mut named));
    let items = scene.model.item_lists(call);
    let is_text = |name: &str| {
        let own = shape.property(document, name);
        let is_item = items.iter().any(|own| own.kind == names::singular(name));
        // The key of another record may be told by as many as want.
        let is_key = scene.model.named_by(&own, name).is_some_and(|kind| {
            let maker = scene.model.creator_of(&kind);
            maker.is_some_and(|own| own.operation.label() != call.operation.label())
        }) || is_shown_key(scene, call, name);
        let is_alike = prose::has(&names::words(name), &ALIKE);
        let is_text = own.type_name() == Some("string") && own.known_values().is_empty();
        is_text && !is_key && !is_item && !is_alike
    };
    let all = shape.property_names();
    let only = |is_it: &dyn Fn(&str) -> bool| {
        let mut found = all.iter().filter(|name| is_text(name) && is_it(name));
        found.next().filter(|_| found.next().is_none()).copied()
    };
    let is_told = |name: &str| prose::speaks_of(&words, name);
    // `ourReference` is called the reference.
    let is_called = |name: &str| {
        let last = names::words(name).pop();
        last.is_some_and(|own| KEYS.contains(&own.as_str()) && words.contains(&own))
    };
    let found = only(&|name| named.contains(&name)).or_else(|| only(&is_told));
    let found = found.or_else(|| only(&is_called));
    found.filter(|_| says)
}

/// Whether the example of a body has the key of another record under a name that does not say so: `store: str_4t`.
fn is_shown_key<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, name: &str) -> bool {
    let body = request::body(scene.contract(), &call.operation, None);
    let body = body.ok().flatten();
    let own = body.as_ref().and_then(|own| own.value.plain()?.get(name));
    scene.model.names_as_shown(name, own)
}

/// The text of the body that an example of the conflict names, with a code or a message that somebody has it: `card_already_saved`.
fn shown<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    const HAD: [&str; 5] = ["already", "taken", "duplicate", "exists", "unique"];
    let response = call.response(409)?;
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let content = response.content();
    let mut examples = content
        .iter()
        .flat_map(openapi_document::view::MediaType::examples);
    examples.find_map(|own| {
        let mut said = Vec::new();
        prose::texts_in(own.value.node, &mut said);
        let is_had = said.iter().any(|own| prose::has(&names::words(own), &HAD));
        let is_text = |name: &&str| {
            let own = shape.property(document, name);
            let is_free = own.type_name() == Some("string") && own.known_values().is_empty();
            let is_key = names::subject(name).is_some_and(|own| !own.is_empty())
                || is_shown_key(scene, call, name);
            is_free && !is_key
        };
        let mut named = shape.property_names().into_iter().filter(is_text);
        named.find(|name| is_had && said.contains(name))
    })
}

/// The operation that makes the record which a call changes.
fn maker_of<'w, 'd>(scene: &Scene<'w, '_, '_, 'd>, call: &Call<'d>) -> Option<&'w Call<'d>> {
    let kind = call.record()?;
    let mut makers = scene.model.of(Role::Create);
    makers.find(|own| own.record().is_some_and(|own| own.is(kind)))
}

/// Of a change that documents a conflict, the property that what makes its record says to be in use.
fn of_maker<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    call.response(409)?;
    let maker = maker_of(scene, call).filter(|_| call.role == Role::Change)?;
    let property = contested(scene, maker)?;
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let own = shape.property_names();
    own.contains(&property).then_some(property)
}

/// What is said of the operation and of its conflict.
fn said(call: &Call<'_>) -> Vec<Vec<String>> {
    let of_conflict = call.text_of(409).into_iter().flat_map(prose::spoken);
    call.spoken().into_iter().chain(of_conflict).collect()
}

/// Another request with a value that a record has is refused, and changes nothing of it.
async fn made<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, is_shown): (&str, bool),
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "clashes-1").await?;
    let mut sent = scene.compose(&ready, "first")?;
    if let Some(mut json) = sent.json.clone().filter(|own| own.get(property).is_none()) {
        // The example that was granted leaves it out.
        let own = ready.state.fresh.fork("clashes-own").uuid();
        let text: String = own.chars().take(13).collect();
        value::put(
            &mut json,
            &Pointer::root().join(property),
            value::string(&text),
        )?;
        let _ = scene.put_valid(call, (&mut sent, &ready.call), json);
    }
    let ignores_case = is_of_one_case(scene, call, property);
    if ignores_case {
        let lettered = sent
            .json
            .as_ref()
            .and_then(|own| lettered(scene, call, own, property));
        if let Some(json) = lettered {
            scene.put_json(&mut sent, &ready.call, json);
        }
    }
    let first = scene.send(sent).await;
    let record = record_of(call, &first).cloned();
    let record = record.ok_or("the first request was not granted")?;
    let of_first = first.sent.json.as_ref().and_then(|own| own.get(property));
    let own = of_first.cloned().ok_or("the request does not tell it")?;
    let before = read(scene, call, (&record, &first.sent)).await;
    let other = turned(&own).filter(|_| ignores_case);
    let owner = scope(scene, call, property);
    if owner.is_some() {
        elsewhere(scene, call, (property, own.clone()), draft).await?;
    }
    // Where no text says among which records, it is among those of one owner at least.
    let is_within = owner.is_some() || is_shown;
    for (index, own) in std::iter::once(own).chain(other).enumerate() {
        let tag = format!("clashes-2-{index}");
        let second = if is_within {
            send_with(scene, call, &ready, (property, own), &tag).await?
        } else {
            make_with(scene, call, (property, own), &tag).await?
        };
        refused(scene, call, (property, &second), draft);
        let before = before.clone();
        stays(scene, call, (&record, &first.sent, before), &second, draft).await;
    }
    if draft.is_clean() && owner.is_some() {
        of_each_kind(scene, call, (&ready, &first), property, draft).await?;
    }
    Ok(())
}

/// Whether a text of the operation, of what makes its record, of the property, or one of the whole document that speaks of it says that.
fn is_of_one_case<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, property: &str) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, property);
    let own = shape.keyword("description").and_then(Node::as_str);
    let mut own = own.into_iter().flat_map(prose::spoken);
    // An email is an address.
    let last = names::words(property).pop();
    let is_email = last.is_some_and(|own| own == "email");
    let speaks_of = |words: &Vec<String>| {
        let is_address = is_email && prose::has(words, &["addresses"]);
        is_address || prose::speaks_of(words, property)
    };
    let mut overall = call.overall.into_iter().flat_map(prose::spoken);
    let maker = maker_of(scene, call).into_iter();
    let mut said = maker.chain([call]).flat_map(said);
    said.any(|own| prose::ignores_case(&own))
        || own.any(|own| prose::ignores_case(&own))
        || overall.any(|own| speaks_of(&own) && prose::ignores_case(&own))
}

/// A body whose text has letters in the place of digits, where that is as valid.
pub(crate) fn lettered<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    property: &str,
) -> Option<Node> {
    let letter = |own: char| match own.to_digit(10) {
        Some(digit) => char::from(b'A' + u8::try_from(digit).unwrap_or_default()),
        None => own,
    };
    let text: String = body.get(property)?.as_str()?.chars().map(letter).collect();
    let mut whole = body.clone();
    value::put(
        &mut whole,
        &Pointer::root().join(property),
        value::string(&text),
    )
    .ok()?;
    let found = scene
        .contract()
        .validate_request(call.body.as_ref()?, &whole);
    found.is_ok_and(|all| all.is_empty()).then_some(whole)
}

/// What is unique is so whatever else is asked for with it: a deposit has not the reference of a withdrawal.
async fn of_each_kind<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, first): (&Ready<'_, 'd>, &Exchange),
    property: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let is_apart = |own: &Vec<String>| prose::has(own, &["unique"]) && prose::has(own, &APART);
    let said = said(call);
    if said.iter().any(is_apart) {
        return Ok(());
    }
    let of_first = first.sent.json.as_ref().and_then(|own| own.get(property));
    let own = of_first.cloned().ok_or("the request does not tell it")?;
    let all = scene.kinds_otherwise(call, (ready, &ready.call));
    for (index, step) in all.iter().enumerate() {
        let mut sent = scene.compose_step(ready, step, &format!("clashes-kind-{index}"))?;
        let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
        value::put(&mut json, &Pointer::root().join(property), own.clone())?;
        scene.put_json(&mut sent, step, json);
        let second = scene.send(sent).await;
        if draft.is_clean() {
            refused(scene, call, (property, &second), draft);
        }
    }
    Ok(())
}

/// What names the owner, in the path or the body, within whose records alone a property is said to be unique: `unique in the program`.
fn scope<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, property: &str) -> Option<&'d str> {
    const WITHIN: [&str; 10] = [
        "within", "in", "inside", "per", "of", "to", "among", "for", "on", "under",
    ];
    const TAKEN: [&str; 8] = [
        "unique", "used", "taken", "exists", "already", "once", "twice", "new",
    ];
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, property);
    let own = shape.keyword("description").and_then(Node::as_str);
    let texts = own.into_iter().chain(call.text_of(409)).chain(call.texts());
    let said: Vec<Vec<String>> = texts.flat_map(prose::spoken).collect();
    let is_owner = |kind: &str| {
        let last = kind.rsplit(' ').next().unwrap_or_default();
        said.iter().any(|words| {
            let is_within = |part: &[String]| {
                let (first, rest) = (&part[0], &part[1..]);
                WITHIN.contains(&first.as_str()) && rest.iter().any(|own| own == last)
            };
            // `The customer has this card already`
            let is_of_owner = words
                .windows(2)
                .any(|own| own[0] == last && own[1] == "has");
            prose::has(words, &TAKEN)
                && (is_of_owner
                    || words.windows(3).any(is_within)
                    || words.windows(2).any(is_within))
        })
    };
    let mut owners = call.path_parameters().into_iter();
    let in_path = owners.find(|parameter| {
        let segment = segment_before(call.operation.path, parameter);
        // Of what nobody makes there is one only.
        let is_made = scene
            .model
            .creator_for(&call.operation, parameter)
            .is_some();
        is_made && segment.is_some_and(|own| is_owner(&names::singular(own)))
    });
    // `must be new for this seller`, whom the body names.
    let mut named = Shape::of(document, call.body.as_ref())
        .property_names()
        .into_iter();
    let kind = |name: &str| {
        let plain = || Some(names::singular(name)).filter(|_| is_shown_key(scene, call, name));
        names::subject(name).or_else(plain)
    };
    let names_owner = |own: &&str| *own != property && kind(own).is_some_and(|own| is_owner(&own));
    in_path.or_else(|| named.find(names_owner))
}

/// What is unique within its owner alone may be that of a record elsewhere.
async fn elsewhere<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, own): (&str, Node),
    draft: &mut Draft,
) -> Result<(), String> {
    let other = make_with(scene, call, (property, own), "clashes-elsewhere").await?;
    if status(&other) != Some(409) {
        return Ok(());
    }
    let claim = Claim::new(
        &checks::VALID_REFUSED,
        Ground::Refusal(409),
        format!("a success: no other record of the same owner has this `{property}`"),
        told(&other),
    )
    .at(Pointer::root().join(property));
    scene.differ(draft, call, claim, &other);
    Ok(())
}

/// Makes a record with a value that another one has.
async fn make_with<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, own): (&str, Node),
    tag: &str,
) -> Result<Exchange, String> {
    let ready = scene.ready(call, tag).await?;
    send_with(scene, call, &ready, (property, own), "second").await
}

/// The same under the owner that there is.
async fn send_with<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (property, own): (&str, Node),
    tag: &str,
) -> Result<Exchange, String> {
    let mut sent = scene.compose(ready, tag)?;
    let json = sent.json.clone().ok_or("the call has no JSON body")?;
    let mut json = another_that_adds_up(scene, call, &json).unwrap_or(json);
    value::put(&mut json, &Pointer::root().join(property), own)?;
    scene.put_json(&mut sent, &ready.call, json);
    Ok(scene.send(sent).await)
}

/// A record is not changed to a value that another one has, nor is anything else of it by that request; its own
/// value is nobody else's.
async fn changed<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    property: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "clashes-other").await?;
    let other = made_of(scene, call, &ready)?;
    let theirs = other.get(property).filter(|own| !own.is_null()).cloned();
    let theirs = theirs.ok_or("no other record tells it")?;
    let ready = scene.ready(call, "clashes-own").await?;
    let record = made_of(scene, call, &ready)?;
    let ours = record.get(property).cloned().ok_or("no record tells it")?;
    if ours.same_value(&theirs) {
        return Err("two records have the same".to_owned());
    }
    beside(scene, call, &ready, (property, &theirs)).await?;
    let valid = scene.compose(&ready, "own")?;
    let before = read(scene, call, (&record, &valid)).await;
    let refusal = change(scene, call, &ready, (property, theirs)).await?;
    let kept = record_of(call, &refusal).and_then(|record| record.get(property));
    if succeeded(&refusal) && kept.is_some_and(|kept| kept.same_value(&ours)) {
        return Err(format!("a change leaves `{property}` as it is"));
    }
    refused(scene, call, (property, &refusal), draft);
    stays(scene, call, (&record, &valid, before), &refusal, draft).await;
    if draft.is_clean() {
        let mut granted = change(scene, call, &ready, (property, ours)).await?;
        if succeeded(&granted) && is_of_one_case(scene, call, property) {
            // What else it asks for is not done twice to one record.
            let ready = scene.ready(call, "clashes-turned").await?;
            let ours = made_of(scene, call, &ready)?.get(property).cloned();
            if let Some(other) = ours.as_ref().and_then(turned) {
                let told = change(scene, call, &ready, (property, other)).await?;
                if status(&told) == Some(409) {
                    granted = told;
                }
            }
        }
        if succeeded(&refusal) || succeeded(&granted) {
            return Ok(());
        }
        let claim = Claim::new(
            &checks::VALID_REFUSED,
            Ground::Refusal(409),
            format!("a success: its own `{property}`"),
            told(&granted),
        )
        .at(Pointer::root().join(property));
        scene.differ(draft, call, claim, &granted);
    }
    Ok(())
}

/// What is unique among the records of one owner alone is made beside the record that is changed.
async fn beside<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (property, theirs): (&str, &Node),
) -> Result<(), String> {
    let maker = maker_of(scene, call);
    let Some(maker) = maker.filter(|own| scope(scene, own, property).is_some()) else {
        return Ok(());
    };
    let label = maker.operation.label();
    let kept = ready.state.kept.iter().flatten();
    let made = kept.into_iter().find(|own| own.sent.operation == label);
    let mut sent = made.ok_or("its maker was not asked")?.sent.clone();
    let mut json = sent.json.clone().ok_or("its maker has no JSON body")?;
    value::put(&mut json, &Pointer::root().join(property), theirs.clone())?;
    sent.put_json(scene.model.document, maker.body.as_ref(), json);
    let made = scene.send(sent).await;
    let is_made = succeeded(&made);
    is_made.then_some(()).ok_or_else(|| told(&made))
}

/// The record that the steps before a call have made for it.
fn made_of<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Result<Node, String> {
    let made = scene.made_before(call, ready);
    let (_, record) = made.ok_or("no step makes a record of its own")?;
    Ok(record.clone())
}

/// Asks for a change with one value more.
async fn change<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (property, wanted): (&str, Node),
) -> Result<Exchange, String> {
    let mut sent = scene.compose(ready, "change")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    value::put(&mut json, &Pointer::root().join(property), wanted)?;
    let schema = call.body.as_ref().ok_or("the call has no schema")?;
    if !scene.contract().validate_request(schema, &json)?.is_empty() {
        return Err(format!("`{property}` cannot be told as it was answered"));
    }
    scene.put_json(&mut sent, &ready.call, json);
    Ok(scene.send(sent).await)
}

/// What somebody has is refused with the documented conflict.
fn refused<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, exchange): (&str, &Exchange),
    draft: &mut Draft,
) {
    if succeeded(exchange) {
        let claim = Claim::new(
            &checks::KEY_REUSED,
            Ground::Refusal(409),
            format!("a refusal: `{property}` is in use"),
            told(exchange),
        )
        .at(Pointer::root().join(property));
        scene.differ(draft, call, claim, exchange);
        return;
    }
    let Some(response) = call.response(409) else {
        return;
    };
    let was_clean = draft.is_clean();
    scene.judge_form(draft, call, &response, exchange);
    if was_clean {
        scene.reach(call, 409, draft);
    }
}

async fn read<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, with): (&Node, &Sent),
) -> Option<Node> {
    let reader = scene.readers_for(call, record, with).first().copied()?;
    let read = scene.read(reader, record, with).await.ok()?;
    record_of(reader, &read).cloned()
}

/// A record is as it was before a request that was refused.
async fn stays<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, with, before): (&Node, &Sent, Option<Node>),
    refusal: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let before = before.filter(|own| !succeeded(refusal) && !scene.model.is_moving(own))?;
    let after = read(scene, call, (record, with)).await?;
    tell(scene, (call, call), (&before, &after), refusal, draft);
    Some(())
}
