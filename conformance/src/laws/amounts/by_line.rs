//! By line: what a request takes back of the lines of the record above it ("of a line at most `quantity` − `returned_quantity`
//! can be returned") is no more than there is of each, in one request or in two; and where it is refused for one of them, nothing
//! was taken of the others.

use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names, prose};
use crate::shape::Shape;
use crate::value;

use super::amount::Amount;
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// Names of how many.
const COUNTS: [&str; 3] = ["quantity", "qty", "count"];

/// Words of what there is no more of.
const BOUNDS: [&str; 8] = [
    "exceed",
    "exceeds",
    "exceeding",
    "remaining",
    "remains",
    "left",
    "most",
    "more",
];

/// How a request names lines, and how many of each.
#[derive(Debug, Clone, Copy)]
struct Names<'d> {
    /// The list of the request.
    list: &'d str,
    /// What names a line in the request.
    key: &'d str,
    /// How many of it.
    count: &'d str,
}

/// A line of the record above: what names it, and how many there are.
#[derive(Debug, Clone)]
struct Line {
    key: Node,
    whole: Amount,
}

/// Takes all of a line and one more, and one too many of one line beside another one.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let names = said(world, call)?;
    let ready = world.ready(call, "by-line").await.ok()?;
    let lines = lines(world, call, &ready, names)?;
    let first = lines.first()?.clone();
    let more = first.whole.with(first.whole.units.checked_add(1)?);
    let beyond = take(world, call, (&ready, "beyond"), names, &[(&first, more)]).await?;
    if is_too_much(world, call, (&beyond, names), (&first, None), draft) {
        return Some(());
    }
    let all = take(
        world,
        call,
        (&ready, "all"),
        names,
        &[(&first, first.whole)],
    )
    .await?;
    succeeded(&all).then_some(())?;
    let one = first.whole.with(1);
    let again = take(world, call, (&ready, "again"), names, &[(&first, one)]).await?;
    if is_too_much(world, call, (&again, names), (&first, Some(one)), draft) {
        return Some(());
    }
    beside(world, call, names, draft).await;
    Some(())
}

/// What is refused for one line has taken nothing of the other: all of that is granted afterwards, as it is where nothing was refused.
async fn beside<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    names: Names<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let fresh = world.ready(call, "by-line-fresh").await.ok()?;
    let known = lines(world, call, &fresh, names)?;
    let [_, other, ..] = &known[..] else {
        return None;
    };
    let granted = take(
        world,
        call,
        (&fresh, "fresh"),
        names,
        &[(other, other.whole)],
    )
    .await?;
    succeeded(&granted).then_some(())?;
    let ready = world.ready(call, "by-line-beside").await.ok()?;
    let known = lines(world, call, &ready, names)?;
    let [first, other, ..] = &known[..] else {
        return None;
    };
    let more = first.whole.with(first.whole.units.checked_add(1)?);
    let both = [(other, other.whole.with(1)), (first, more)];
    let refused = take(world, call, (&ready, "both"), names, &both).await?;
    if is_too_much(world, call, (&refused, names), (first, None), draft) {
        return None;
    }
    let rest = [(other, other.whole)];
    let after = take(world, call, (&ready, "rest"), names, &rest).await?;
    if !succeeded(&after) {
        let expected = "a success: the request before was refused, for another line";
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Ground::Text,
            expected,
            told(&after),
        );
        world.differ(draft, call, claim, &after);
    }
    Some(())
}

/// The list in the body of an operation that names lines and how many of each, where a text says that there may be too few.
fn said<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>) -> Option<Names<'d>> {
    let takes =
        matches!(call.role, Role::Create | Role::Change) && !call.path_parameters().is_empty();
    let refusals = [409, 422].into_iter().filter_map(|code| call.text_of(code));
    let mut said = call.texts().chain(refusals).flat_map(prose::spoken);
    (takes && said.any(|own| prose::has(&own, &BOUNDS))).then_some(())?;
    let document = world.model.document;
    let body = Shape::of(document, call.body.as_ref());
    let mut lists = body.property_names().into_iter();
    lists.find_map(|list| {
        let item = body.property(document, list).items(document);
        let names = item.property_names();
        let mut counts = names.iter().filter(|own| is_count(own));
        let count = counts.next().filter(|_| counts.next().is_none())?;
        let mut keys = names.iter().filter(|own| names_line(own));
        let key = keys.next().filter(|_| keys.next().is_none())?;
        Some(Names { list, key, count })
    })
}

fn is_count(name: &str) -> bool {
    let last = names::words(name).pop().unwrap_or_default();
    COUNTS.contains(&last.as_str())
}

/// Whether a property names a line: `lineNo`, `line_id`, `order_item_id`.
fn names_line(name: &str) -> bool {
    const KEYS: [&str; 5] = ["id", "no", "number", "index", "key"];
    const LINES: [&str; 3] = ["line", "item", "position"];
    let words = names::words(name);
    let is_line = prose::has(&words, &LINES);
    is_line
        && words
            .last()
            .is_some_and(|own| KEYS.contains(&own.as_str()) || own == "line")
}

/// The lines of the record above, of its only list that has such.
fn lines<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    names: Names<'d>,
) -> Option<Vec<Line>> {
    let (_, record) = world.made_before(call, ready)?;
    let mut lists = record.entries().filter_map(|own| {
        let lines = own.value.items().map(|item| line(item, names));
        let lines: Vec<Line> = lines.collect::<Option<_>>()?;
        (!lines.is_empty()).then_some(lines)
    });
    lists.next().filter(|_| lists.next().is_none())
}

fn line(item: &Node, names: Names<'_>) -> Option<Line> {
    let key = item.get(names.key).or_else(|| item.get("id"))?;
    let mut counts = item
        .entries()
        .filter(|own| names::words(&own.key) == names::words(names.count));
    let whole = counts.next().and_then(|own| Amount::read(&own.value))?;
    (whole.is_whole() && whole.units > 0).then(|| Line {
        key: key.clone(),
        whole,
    })
}

/// Asks for so many of some lines.
async fn take<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, tag): (&Ready<'_, 'd>, &str),
    names: Names<'d>,
    wanted: &[(&Line, Amount)],
) -> Option<Exchange> {
    let mut sent = world.compose(ready, &format!("by-line-{tag}")).ok()?;
    let mut json = sent.json.clone()?;
    let shown = json.get(names.list)?.items().next();
    let nothing = || value::node(Value::Mapping(Mapping::default()));
    let shown = shown.cloned().unwrap_or_else(nothing);
    let mut items = Vec::new();
    for (line, count) in wanted {
        let mut item = shown.clone();
        value::put(
            &mut item,
            &Pointer::root().join(names.key),
            line.key.clone(),
        )
        .ok()?;
        value::put(&mut item, &Pointer::root().join(names.count), count.node()).ok()?;
        items.push(item);
    }
    let list = value::node(Value::Sequence(items));
    value::put(&mut json, &Pointer::root().join(names.list), list).ok()?;
    world.put_valid(call, (&mut sent, &ready.call), json)?;
    Some(world.send(sent).await)
}

/// Takes down that more of a line was granted than there is.
fn is_too_much<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (exchange, names): (&Exchange, Names<'d>),
    (line, after_all): (&Line, Option<Amount>),
    draft: &mut Draft,
) -> bool {
    if !succeeded(exchange) {
        world.judge_seen(draft, call, exchange, |own| matches!(own, 409 | 422));
        return false;
    }
    let whole = value::plain(&line.whole.node());
    let what = match after_all {
        Some(_) => "granted: one more, after all of it",
        None => "granted: one more than there are",
    };
    let expected = format!(
        "no more than {whole} of the line {}",
        value::plain(&line.key)
    );
    let at = Pointer::root().join(names.list).join("0").join(names.count);
    let claim = Claim::new(&checks::SUM_EXCEEDED, Ground::Text, expected, what).at(at);
    world.differ(draft, call, claim, exchange);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_line() {
        for (name, expected) in [
            ("lineNo", true),
            ("line_id", true),
            ("order_item_id", true),
            ("line", true),
            ("sku", false),
            ("order_id", false),
            ("line_total", false),
        ] {
            assert_eq!(names_line(name), expected, "{name}");
        }
    }

    #[test]
    fn the_lines_of_a_record() {
        let names = Names {
            list: "lines",
            key: "line_no",
            count: "quantity",
        };
        let item = |text: &str| line(&openapi_document::json::read_text(text).unwrap(), names);
        let own = item(r#"{"line_no":2,"quantity":3}"#).unwrap();
        assert_eq!(own.whole.units, 3);
        assert_eq!(own.key.to_json(), "2");
        assert!(item(r#"{"id":"ln_1","quantity":3}"#).is_some());
        assert!(item(r#"{"line_no":2,"quantity":"0.5"}"#).is_none());
        assert!(item(r#"{"line_no":2}"#).is_none());
    }
}
