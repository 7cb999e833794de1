//! Sole: of the records under one parent one has a flag, where a text says so: an account that becomes the default takes
//! that from the one which had it.

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use crate::answered::{own_key, record_of};
use crate::laws::lists::listing::lists;
use crate::laws::lists::paging::Paging;
use crate::laws::requests::scope::{name_of, rename};
use crate::scene::addressing::can_address;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};
use crate::value;

/// What a flag is called that one alone may have.
const ONE_ALONE: [&str; 4] = ["default", "primary", "preferred", "main"];

/// Gives the flag to one record and then to another one, and looks at the first.
pub(crate) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let flag = flag(scene, call)?;
    let ready = scene.ready(call, "sole").await.ok()?;
    let (maker, one, other) = match call.role {
        Role::Create => {
            asked(scene, call, flag)?;
            let one = flagged(scene, call, &ready, (flag, "sole-1"))?;
            let other = flagged(scene, call, &ready, (flag, "sole-2"))?;
            (call.clone(), one, other)
        }
        Role::Change => changes(scene, call, &ready, flag).await?,
        _ => return None,
    };
    let has_it = |answer: &Exchange| {
        let own = record_of(call, answer)?;
        let is_set = own.get(flag).and_then(Node::as_bool) == Some(true);
        is_set.then(|| own.clone())
    };
    let made = scene.send(one).await;
    let first = has_it(&made)?;
    let taken = scene.send(other).await;
    let second = has_it(&taken)?;
    let key = own_key(&maker)?;
    if first.get(key)?.same_value(second.get(key)?) {
        return None;
    }
    let (own, read) = by_now(scene, &maker, (&first, &made.sent)).await?;
    if own.get(flag).and_then(Node::as_bool) == Some(true) {
        let pointer = Pointer::root().join(flag);
        let expected = format!(
            "false: `{}` has given it to another one, and one alone has it",
            call.operation.label()
        );
        let claim = Claim::new(&checks::EFFECT_DIFFERS, Ground::Text, expected, "true").at(pointer);
        scene.differ(draft, call, claim, &read);
    }
    Some(())
}

/// A record as it is read, or as it stands in a list where nothing reads it by itself, and the answer that tells of it.
async fn by_now<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    maker: &Call<'d>,
    (record, with): (&Node, &Sent),
) -> Option<(Node, Exchange)> {
    let readers = scene.readers_for(maker, record, with);
    if let Some(reader) = readers.first().copied() {
        let read = scene.read(reader, record, with).await.ok()?;
        return Some((record_of(reader, &read)?.clone(), read));
    }
    let name = own_key(maker)?;
    let lists = lists(scene, maker).into_iter();
    let list = lists
        .filter(|own| can_address(own, record, with))
        .find(|own| scene.covers(own))?;
    let paging = Paging::of(scene, list);
    let key = (name, record.get(name)?);
    let search = paging.find(scene, list, (record, with), key).await.ok()?;
    Some((search.found?, search.last?))
}

/// The requests that give the flag to a record and to a sibling of it.
async fn changes<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    flag: &str,
) -> Option<(Call<'d>, Sent, Sent)> {
    let (maker, record) = scene.made_before(call, ready)?;
    let (maker, record) = (maker.clone(), record.clone());
    let way = scene.chosen(call)?;
    let mut before = way.split()?.1.iter();
    let step = before.find(|own| own.name.operation == maker.operation.label())?;
    let sent = scene.compose_anew(ready, step, "sole").ok()?;
    let made = scene.send(sent).await;
    let key = own_key(&maker)?;
    let sibling = record_of(&maker, &made)?;
    let keys = [(name_of(&record, key)?, name_of(sibling, key)?)];
    let one = flagged(scene, call, ready, (flag, "sole-1"))?;
    let other = flagged(scene, call, ready, (flag, "sole-2"))?;
    let other = rename(scene, call, &other, &keys)?;
    Some((maker, one, other))
}

/// The request of a call with the flag, where its body may have it.
fn flagged<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (flag, tag): (&str, &str),
) -> Option<Sent> {
    let mut sent = scene.compose(ready, tag).ok()?;
    if let Some(asked) = asked(scene, call, flag) {
        let mut body = sent.json.clone()?;
        let set = value::node(Value::Bool(true));
        value::put(&mut body, &Pointer::root().join(asked), set).ok()?;
        scene.put_valid(call, (&mut sent, &ready.call), body)?;
    }
    Some(sent)
}

/// What a body asks for the flag by: its own name, or one that says to give it, such as `make_default` for `is_default`.
fn asked<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, flag: &str) -> Option<&'d str> {
    let document = scene.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let all = body.property_names();
    let own = names::words(flag).pop();
    let gives = |name: &&str| {
        let is_flag = body.property(document, name).type_name() == Some("boolean");
        is_flag && is_given_by(name, own.as_deref().unwrap_or_default())
    };
    let itself = all.iter().find(|name| **name == flag);
    itself
        .or_else(|| all.iter().find(|name| gives(name)))
        .copied()
}

/// Whether a name says to give a flag: `make_default`, `set_as_default`.
fn is_given_by(name: &str, flag: &str) -> bool {
    const GIVES: [&str; 7] = ["is", "make", "set", "as", "be", "mark", "the"];
    let words = names::words(name);
    words.split_last().is_some_and(|(last, rest)| {
        last == flag && rest.iter().all(|own| GIVES.contains(&own.as_str()))
    })
}

/// The flag of a record of which a text says that one alone has it.
fn flag<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<&'d str> {
    let document = scene.model.document;
    let record = Shape::of(document, call.record().map(|own| &own.schema));
    let spoken = call.spoken();
    let mut all = record.property_names().into_iter();
    all.find(|name| {
        let property = record.property(document, name);
        let words = names::words(name);
        let is_flag = property.type_name() == Some("boolean");
        let is_alone = |own: &&String| ONE_ALONE.contains(&own.as_str());
        let Some(word) = words.last().filter(is_alone).filter(|_| is_flag) else {
            return false;
        };
        let text = property.keyword("description").and_then(Node::as_str);
        let own = text.map_or_else(Vec::new, prose::spoken);
        own.iter().chain(&spoken).any(|own| is_sole(own, word))
    })
}

/// Whether a sentence says that one alone has a flag: `exactly one account is the default`, `the former default loses it`.
fn is_sole(words: &[String], flag: &str) -> bool {
    const ONE: [&str; 4] = ["only", "exactly", "most", "always"];
    const LOST: [&str; 10] = [
        "longer",
        "stops",
        "loses",
        "ceases",
        "replaces",
        "former",
        "formerly",
        "previous",
        "previously",
        "cleared",
    ];
    const DOUBTFUL: [&str; 6] = ["unless", "except", "may", "if", "deleted", "defaults"];
    let one_alone = words
        .windows(2)
        .any(|own| own[1] == "one" && ONE.contains(&own[0].as_str()));
    // `A customer has one default card`
    let has_one = words.windows(3).any(|own| {
        let has = matches!(own[0].as_str(), "has" | "have" | "is");
        has && own[1] == "one" && own[2] == flag
    });
    let is_named = words.iter().any(|own| own == flag);
    is_named && (one_alone || has_one || prose::has(words, &LOST)) && !prose::has(words, &DOUBTFUL)
}

#[cfg(test)]
mod tests {
    use super::{is_given_by, is_sole};
    use crate::names;

    #[test]
    fn what_one_alone_has() {
        for (text, expected) in [
            ("Exactly one account of a merchant is the default", true),
            (
                "The account that was the default before is no longer the default",
                true,
            ),
            ("Makes it the default; the previous one loses that", true),
            ("Whether it is the default", false),
            ("A customer has one default card.", true),
            ("A customer may have one default card.", false),
            (
                "If it is the default, another one becomes the default and the former is archived",
                false,
            ),
            ("Only one of them is archived", false),
        ] {
            assert_eq!(is_sole(&names::words(text), "default"), expected, "{text}");
        }
    }

    #[test]
    fn what_asks_for_the_flag() {
        for (name, expected) in [
            ("make_default", true),
            ("setAsDefault", true),
            ("default", true),
            ("no_default", false),
            ("default_rate", false),
        ] {
            assert_eq!(is_given_by(name, "default"), expected, "{name}");
        }
    }
}
