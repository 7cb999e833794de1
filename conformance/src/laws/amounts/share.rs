//! Share: an amount that is so many percent of another one, as a text says or a property beside it does, with a fixed
//! amount on top or without: a fee of `2.9 % + 0.30`, a tax of a fifth. Held against an answer where the documented
//! ones keep to it. A share that cannot be told to the last unit may be rounded either way, but where a text says which.

use std::cmp::Ordering;

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer};

use crate::names;
use crate::prose;
use crate::value;

use super::arithmetic::Wrong;
use crate::amount::Amount;

/// Names of what is a part of something.
const SHARES: [&str; 14] = [
    "fee",
    "fees",
    "tax",
    "vat",
    "gst",
    "discount",
    "commission",
    "deposit",
    "tip",
    "surcharge",
    "penalty",
    "interest",
    "levy",
    "duty",
];

/// Fractions that are written as words, of a hundred.
const FRACTIONS: [(&str, i128); 5] = [
    ("half", 50),
    ("quarter", 25),
    ("fifth", 20),
    ("tenth", 10),
    ("twentieth", 5),
];

/// Words of a sentence that says when there is nothing of a share.
const NOTHING: [&str; 7] = [
    "nothing", "free", "none", "waived", "exempt", "below", "under",
];

/// So many parts of a whole are counted: thousandths of a percent.
const WHOLE: i128 = 100_000;

/// How a share is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
    HalfDown,
    HalfUp,
    Nearest,
    Either,
}

/// How a share is told: of which amount, how many parts of the whole, and how much on top.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// Where its object stands, whatever the place in a list.
    at: Vec<String>,
    /// The share.
    name: String,
    /// What it is a share of.
    of: String,
    rate: Rate,
    /// On top of it, in units of the last place.
    fixed: i128,
}

/// How many parts of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Rate {
    Told(i128),
    Property(String),
}

/// The first share of an answer that is none, where each documented answer keeps to one rule for it.
pub(crate) fn wrong(body: &Node, shown: &[&Node], texts: &[&str]) -> Option<Wrong> {
    let mut answered = Vec::new();
    within(body, &Pointer::root(), &mut answered);
    answered.retain(|(_, own)| own.entries().any(|own| is_share(&own.key)));
    if answered.is_empty() {
        return None;
    }
    let told = Told::of(texts);
    let mut objects = Vec::new();
    for shown in shown {
        within(shown, &Pointer::root(), &mut objects);
    }
    answered.iter().find_map(|(at, object)| {
        let place = place(at);
        let alike = objects
            .iter()
            .filter(|(own, known)| self::place(own) == place && kind_of(known) == kind_of(object));
        let alike: Vec<&Node> = alike.map(|(_, own)| *own).collect();
        if alike.iter().any(|own| told.is_of_another(own, object)) {
            return None;
        }
        object.entries().find_map(|entry| {
            let is_nothing = Amount::read(&entry.value).is_some_and(|own| own.units == 0);
            if told.may_be_nothing && is_nothing {
                return None;
            }
            let rules = rules(&alike, &place, &entry.key, &told);
            let dues = rules.iter().map(|own| own.due(object, told.rounding));
            let dues: Vec<Option<Due>> = dues.collect();
            let astray = |own: &Option<Due>| own.as_ref().is_some_and(|own| !own.holds());
            let first = dues.first()?.as_ref()?;
            dues.iter().all(astray).then(|| Wrong {
                pointer: at.join(entry.key.as_str()),
                due: value::plain(&first.told.with(first.least).node()),
                told: value::plain(&first.told.node()),
            })
        })
    })
}

/// Which of several kinds an object says that it is: what is said of one kind says nothing of another one.
fn kind_of(object: &Node) -> Option<&str> {
    ["type", "kind"]
        .iter()
        .find_map(|own| object.get(own)?.as_str())
}

/// Whether a name is that of a part of something.
pub(crate) fn is_share(name: &str) -> bool {
    prose::has(&names::words(name), &SHARES)
}

/// Whether something, or a part of it, has a share.
pub(crate) fn is_within(node: &Node) -> bool {
    let of_entry = |own: &Entry| is_share(&own.key) || is_within(&own.value);
    node.entries().any(of_entry) || node.items().any(is_within)
}

/// What texts tell of shares.
struct Told {
    rates: Vec<i128>,
    /// What may come on top: decimals, and whole numbers as they stand.
    fixed: Vec<(i128, u32)>,
    rounding: Rounding,
    /// Whether there may be nothing of it: below some amount, or for some.
    may_be_nothing: bool,
    /// What sentences that tell a rate write as code: a value that it is said of alone, such as `debit_card`.
    marked: Vec<String>,
}

impl Told {
    fn of(texts: &[&str]) -> Self {
        let (mut rates, mut fixed) = (Vec::new(), vec![(0, 0)]);
        let mut may_be_nothing = false;
        let mut marked = Vec::new();
        // What each of several adds to one amount is rounded each time, and no share of their sum.
        let is_of_one = |own: &&str| !own.contains("added to");
        let sentences = texts.iter().flat_map(|own| prose::sentences(own));
        for sentence in sentences.filter(is_of_one) {
            let own = rates_of(sentence);
            if !own.is_empty() {
                may_be_nothing |= prose::has(&names::words(sentence), &NOTHING);
                fixed.extend(numbers(sentence).into_iter().filter_map(|(own, _)| own));
                let code = sentence.split('`').skip(1).step_by(2);
                marked.extend(code.map(str::to_owned));
            }
            rates.extend(own);
        }
        rates.sort_unstable();
        rates.dedup();
        Self {
            rates,
            fixed,
            rounding: rounding(texts),
            may_be_nothing,
            marked,
        }
    }

    /// Whether a documented object has a value that a rate is said of, and another one has another value there.
    fn is_of_another(&self, shown: &Node, object: &Node) -> bool {
        let is_marked = |own: &Entry| {
            let text = own.value.as_str();
            text.is_some_and(|own| self.marked.iter().any(|marked| marked == own))
        };
        shown.entries().filter(|own| is_marked(own)).any(|own| {
            let other = object.get(&own.key);
            other.is_some_and(|other| !other.same_value(&own.value))
        })
    }
}

/// How texts say that shares are rounded.
fn rounding(texts: &[&str]) -> Rounding {
    let all: Vec<Vec<String>> = texts.iter().flat_map(|own| prose::spoken(own)).collect();
    let says = |words: &[&str]| {
        all.iter().any(|own| {
            let rounds = own.iter().any(|own| own.starts_with("round"));
            (rounds && prose::has(own, words)) || prose::has(own, &["truncated", "floor"])
        })
    };
    let truncates = all
        .iter()
        .any(|own| prose::has(own, &["truncated", "floor"]));
    // `half up`, `halves are rounded up`, but not "half-year plans, rounded down"
    let is_half = !truncates
        && all.iter().any(|own| {
            let mut near = own.windows(2);
            near.any(|own| {
                let is_way = matches!(own[1].as_str(), "up" | "down" | "away");
                own[0] == "halves" || own[1] == "halves" || (own[0] == "half" && is_way)
            })
        });
    match (truncates || says(&["down"]), !truncates && says(&["up"])) {
        (true, false) if is_half => Rounding::HalfDown,
        (true, false) => Rounding::Down,
        (false, true) if is_half => Rounding::HalfUp,
        (false, true) if says(&["nearest"]) => Rounding::Nearest,
        (false, true) => Rounding::Up,
        (false, false) if !truncates && says(&["nearest"]) => Rounding::Nearest,
        _ => Rounding::Either,
    }
}

/// The numbers of a sentence: units with places, and whether a percent sign follows.
fn numbers(sentence: &str) -> Vec<(Option<(i128, u32)>, bool)> {
    let is_part = |own: char| own.is_ascii_digit() || own == '.';
    let mut found = Vec::new();
    let mut rest = sentence;
    while let Some(at) = rest.find(|own: char| own.is_ascii_digit()) {
        let own = &rest[at..];
        let end = own.find(|own| !is_part(own)).unwrap_or(own.len());
        let (number, after) = own.split_at(end);
        let number = number.trim_end_matches('.');
        let (whole, places) = number.split_once('.').unwrap_or((number, ""));
        let units = format!("{whole}{places}").parse().ok();
        let scale = u32::try_from(places.len()).ok();
        let after_plain = after.trim_start();
        let is_rate = after_plain.starts_with('%') || after_plain.starts_with("percent");
        found.push((units.zip(scale), is_rate));
        rest = after;
    }
    found
}

/// The rates of a sentence, in parts of the whole.
fn rates_of(sentence: &str) -> Vec<i128> {
    let numbers = numbers(sentence).into_iter();
    let percent = numbers.filter_map(|(own, is_rate)| {
        let (units, scale) = own.filter(|(_, scale)| is_rate && *scale <= 3)?;
        units.checked_mul(10_i128.pow(3 - scale))
    });
    let words = names::words(sentence);
    let fractions = FRACTIONS.iter().filter_map(|(word, percent)| {
        let at = words.iter().position(|own| own == word)?;
        let before = at.checked_sub(1).and_then(|at| words.get(at))?;
        matches!(before.as_str(), "a" | "one").then_some(percent * 1_000)
    });
    percent
        .chain(fractions)
        .filter(|own| (1..WHOLE).contains(own))
        .collect()
}

/// The rate that a property tells: of a hundred where it is named so, and in hundredths of a percent.
fn rate_of(name: &str, node: &Node) -> Option<i128> {
    let words = names::words(name);
    let amount = Amount::read(node)?;
    if prose::has(&words, &["bps"]) || words.ends_with(&["basis".to_owned(), "points".to_owned()]) {
        return amount.times(10);
    }
    if prose::has(&words, &["percent", "percentage", "pct"]) {
        return amount.times(1_000);
    }
    let all = amount
        .times(WHOLE)
        .filter(|_| prose::has(&words, &["rate"]))?;
    // A rate of one or more is told in percent.
    Some(if all < WHOLE { all } else { all / 100 })
}

/// What a rule says of an object.
struct Due {
    told: Amount,
    least: i128,
    most: i128,
}

impl Due {
    fn holds(&self) -> bool {
        (self.least..=self.most).contains(&self.told.units)
    }
}

impl Rule {
    /// What the share of an object has to be.
    fn due(&self, object: &Node, rounding: Rounding) -> Option<Due> {
        let told = Amount::read(object.get(&self.name)?)?;
        let of = Amount::read(object.get(&self.of)?)?;
        let is_alike = of.is_of_unit(told) && of.places() == told.places();
        let of = is_alike.then_some(of)?;
        let rate = match &self.rate {
            Rate::Told(rate) => *rate,
            Rate::Property(name) => rate_of(name, object.get(name)?)?,
        };
        let parts = of.units.checked_mul(rate)?;
        let (down, rest) = (parts / WHOLE, parts % WHOLE);
        let up = down + i128::from(rest > 0);
        let is_half = matches!(
            rounding,
            Rounding::HalfDown | Rounding::HalfUp | Rounding::Nearest
        );
        let rounding = match (rest * 2).cmp(&WHOLE) {
            Ordering::Greater if is_half => Rounding::Up,
            Ordering::Less if is_half => Rounding::Down,
            _ => rounding,
        };
        let (least, most) = match rounding {
            Rounding::Down | Rounding::HalfDown => (down, down),
            Rounding::Up | Rounding::HalfUp => (up, up),
            Rounding::Nearest | Rounding::Either => (down, up),
        };
        let (least, most) = (least + self.fixed, most + self.fixed);
        Some(Due { told, least, most })
    }
}

/// The rules for a share that every documented object which has it keeps, one at least with something in it.
fn rules(alike: &[&Node], at: &[String], name: &str, told: &Told) -> Vec<Rule> {
    if !is_share(name) {
        return Vec::new();
    }
    let Some(first) = alike.iter().find(|own| own.get(name).is_some()) else {
        return Vec::new();
    };
    let others = first.entries().filter(|own| own.key != name);
    let others: Vec<&str> = others.map(|own| own.key.as_str()).collect();
    let properties = others.iter().filter(|own| {
        first
            .get(own)
            .is_some_and(|node| rate_of(own, node).is_some())
    });
    let properties = properties.map(|own| Rate::Property((*own).to_owned()));
    let rates: Vec<Rate> = told
        .rates
        .iter()
        .copied()
        .map(Rate::Told)
        .chain(properties)
        .collect();
    let places = first
        .get(name)
        .and_then(Amount::read)
        .map_or(0, Amount::places);
    let mut found = Vec::new();
    for of in &others {
        for rate in &rates {
            for (fixed, scale) in &told.fixed {
                let Some(more) = places.checked_sub(*scale) else {
                    continue;
                };
                let rule = Rule {
                    at: at.to_vec(),
                    name: name.to_owned(),
                    of: (*of).to_owned(),
                    rate: rate.clone(),
                    fixed: fixed * 10_i128.pow(more),
                };
                if !found.contains(&rule) && is_kept(&rule, alike, told.rounding) {
                    found.push(rule);
                }
            }
        }
    }
    found
}

fn is_kept(rule: &Rule, alike: &[&Node], rounding: Rounding) -> bool {
    let dues = alike.iter().filter_map(|own| rule.due(own, rounding));
    let dues: Vec<Due> = dues.collect();
    let says = |own: &Due| own.told.units > 1 && own.least > 0;
    dues.iter().any(says) && dues.iter().all(Due::holds)
}

/// Every object of an answer, with where it stands.
fn within<'n>(node: &'n Node, at: &Pointer, found: &mut Vec<(Pointer, &'n Node)>) {
    if node.entries().next().is_some() {
        found.push((at.clone(), node));
    }
    for entry in node.entries() {
        within(&entry.value, &at.join(entry.key.as_str()), found);
    }
    for (index, item) in node.items().enumerate() {
        within(item, &at.join(index.to_string()), found);
    }
}

/// Where something stands, whatever its place in a list.
fn place(at: &Pointer) -> Vec<String> {
    let plain = |own: String| {
        if own.bytes().all(|own| own.is_ascii_digit()) {
            String::new()
        } else {
            own
        }
    };
    at.segments().map(|own| plain(own.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str, shown: &[&str], text: &str) -> Option<String> {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let shown: Vec<Node> = shown.iter().map(|own| read(own)).collect();
        let shown: Vec<&Node> = shown.iter().collect();
        wrong(&read(body), &shown, &[text]).map(|own| format!("{} {}", own.pointer, own.due))
    }

    #[test]
    fn a_text_may_say_when_there_is_nothing_of_it() {
        let tax = &[r#"{"subtotal":"29.70","tax":"5.94","total":"35.64"}"#][..];
        for (body, text, expected) in [
            (
                r#"{"subtotal":"10.00","tax":"0.00"}"#,
                "A tax of 20%, and nothing for less than 20.00.",
                None,
            ),
            (
                r#"{"subtotal":"10.00","tax":"1.00"}"#,
                "A tax of 20%, and nothing for less than 5.00.",
                Some("/tax 2.00"),
            ),
        ] {
            assert_eq!(found(body, tax, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn halves_are_rounded_as_is_told() {
        let tax = &[r#"{"subtotal":1000,"tax":50}"#][..];
        for (body, text, expected) in [
            (
                r#"{"subtotal":1010,"tax":51}"#,
                "5 %, halves are rounded up",
                None,
            ),
            (
                r#"{"subtotal":1010,"tax":50}"#,
                "5 %, rounded to a whole cent with halves rounded up",
                Some("/tax 51"),
            ),
            (
                r#"{"subtotal":1010,"tax":51}"#,
                "5 %, rounded half down",
                Some("/tax 50"),
            ),
            (
                r#"{"subtotal":1009,"tax":51}"#,
                "5 %, rounded half up",
                Some("/tax 50"),
            ),
            (
                r#"{"subtotal":1010,"tax":51}"#,
                "5 %, rounded to the nearest cent",
                None,
            ),
        ] {
            assert_eq!(found(body, tax, text).as_deref(), expected, "{body} {text}");
        }
    }

    #[test]
    fn shares_of_one_kind_are_none_of_another() {
        let text = "The fee of a sale is 2 % of its amount, rounded down; a payout has none.";
        let shown = &[
            r#"{"type":"sale","amount":8000,"fee":160}"#,
            r#"{"type":"payout","amount":-500,"fee":0}"#,
        ];
        for (body, expected) in [
            (r#"{"type":"sale","amount":4990,"fee":99}"#, None),
            (
                r#"{"type":"sale","amount":4990,"fee":100}"#,
                Some("/fee 99"),
            ),
            (r#"{"type":"payout","amount":4990,"fee":0}"#, None),
            (r#"{"type":"bonus","amount":4990,"fee":0}"#, None),
        ] {
            assert_eq!(found(body, shown, text).as_deref(), expected, "{body}");
        }
    }

    #[test]
    fn shares_are_those_of_the_documented_answers() {
        let tax = &[r#"{"subtotal":"29.70","tax":"5.94","total":"35.64"}"#][..];
        for (body, shown, text, expected) in [
            (
                r#"{"subtotal":"10.00","tax":"2.00"}"#,
                tax,
                "With a tax of a fifth.",
                None,
            ),
            (
                r#"{"subtotal":"10.00","tax":"1.00"}"#,
                tax,
                "With a tax of a fifth.",
                Some("/tax 2.00"),
            ),
            (
                r#"{"subtotal":"10.00","tax":"1.00"}"#,
                tax,
                "With a tax of 20%.",
                Some("/tax 2.00"),
            ),
            // Each part is rounded, and their sum is no share of the whole.
            (
                r#"{"subtotal":"10.00","tax":"1.99"}"#,
                tax,
                "A tax of 20% of each part, which is added to `tax`.",
                None,
            ),
            (
                r#"{"subtotal":"10.00","tax":"1.00"}"#,
                tax,
                "With a tax.",
                None,
            ),
            (
                r#"{"subtotal":"10.00","tax":"1.00"}"#,
                tax,
                "With a tax of 10 percent.",
                None,
            ),
            // Rounded either way, but where it is told.
            (
                r#"{"subtotal":"0.33","tax":"0.07"}"#,
                tax,
                "A tax of 20 %.",
                None,
            ),
            (
                r#"{"subtotal":"0.33","tax":"0.07"}"#,
                tax,
                "A tax of 20 %, rounded down.",
                Some("/tax 0.06"),
            ),
            (
                r#"{"subtotal":"0.33","tax":"0.06"}"#,
                tax,
                "A tax of 20 %, rounded half up.",
                Some("/tax 0.07"),
            ),
            (
                r#"{"subtotal":"0.32","tax":"0.07"}"#,
                tax,
                "20 %, rounded to the nearest cent",
                Some("/tax 0.06"),
            ),
        ] {
            assert_eq!(
                found(body, shown, text).as_deref(),
                expected,
                "{body} {text}"
            );
        }
        let fee = &[r#"{"amount":10000,"fee":320,"net":9680}"#][..];
        let text = "The fee is 2.9% of the amount, plus 30 cents.";
        assert_eq!(found(r#"{"amount":2000,"fee":88}"#, fee, text), None);
        assert_eq!(
            found(r#"{"amount":2000,"fee":58}"#, fee, text).as_deref(),
            Some("/fee 88")
        );
        let beside = &[r#"{"lines":[{"net":1000,"taxRate":"0.19","tax":190}]}"#][..];
        let one =
            |line: &str| format!(r#"{{"lines":[{{"net":1,"taxRate":"0.19","tax":0}},{line}]}}"#);
        assert_eq!(
            found(
                &one(r#"{"net":2000,"taxRate":"0.07","tax":140}"#),
                beside,
                ""
            ),
            None
        );
        let wrong = found(
            &one(r#"{"net":2000,"taxRate":"0.07","tax":380}"#),
            beside,
            "",
        );
        assert_eq!(wrong.as_deref(), Some("/lines/1/tax 140"));
    }
}
