//! Search: finds the equations between amounts that documented records satisfy.

use openapi_document::Node;

use super::Shown;
use crate::decimal::Decimal;
use crate::expression::{Expression, Factor, Term, at};
use crate::lexicon::Lexicon;
use crate::name::words;
use crate::rule::Equation;
use crate::subject::Subject;

/// A record with more amounts than this has equations by chance.
const MOST: usize = 12;

/// The equations that the records satisfy: the amount of a line, the sum of a list, the sum of
/// amounts.
pub(super) fn equations(owner: &str, shown: &Shown<'_>) -> Vec<Equation> {
    let names = amounts(&shown.records);
    if names.len() > MOST {
        return Vec::new();
    }
    let lists = lists(&shown.records);
    let mut found = Vec::new();
    for name in &names {
        let build = |equals: Expression| Equation {
            subject: Subject {
                owner: owner.to_owned(),
                name: Some(name.clone()),
            },
            equals,
            decimals: None,
            rounded: None,
            from: None,
            per: None,
            condition: None,
        };
        let products = products(&names, name).into_iter().map(&build);
        found.extend(products.filter(|equation| is_of_lines(equation, shown)));
        let sums = lists.iter().filter(|_| !shown.is_page);
        let sums = sums.flat_map(|list| sums_of(list, name)).map(&build);
        found.extend(sums.filter(|equation| is_of_list(equation, shown)).take(1));
        let linear = linear(&names, name).into_iter().map(&build);
        found.extend(
            linear
                .filter(|equation| is_of_amounts(equation, shown))
                .take(1),
        );
    }
    // Two equations for one property would share an id, so only the first one counts.
    found.dedup_by(|one, other| one.subject == other.subject);
    found
}

/// Whether a word of a name has a role.
fn has(role: &str, name: &str) -> bool {
    let roles = &Lexicon::english().roles;
    words(name).iter().any(|word| roles.has(role, word))
}

/// Whether a name is that of an amount, and not of a percentage or a key.
fn is_amount(name: &str) -> bool {
    has("amount-name", name) && !has("no-amount-name", name)
}

/// The amounts of records and of nested objects.
fn amounts(records: &[&Node]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for entry in records.iter().flat_map(|record| record.entries()) {
        let inner = entry
            .value
            .entries()
            .filter(|_| Decimal::of_node(&entry.value).is_none());
        let inner = inner.map(|inner| (format!("{}.{}", entry.key, inner.key), &inner.value));
        for (name, value) in inner.chain([(entry.key.clone(), &entry.value)]) {
            if is_amount(&name) && Decimal::of_node(value).is_some() && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// A list of objects, with the amounts of its items.
struct List {
    name: String,
    amounts: Vec<String>,
}

fn lists(records: &[&Node]) -> Vec<List> {
    let mut found: Vec<List> = Vec::new();
    for entry in records.iter().flat_map(|record| record.entries()) {
        let items: Vec<&Node> = entry.value.items().collect();
        let amounts = amounts(&items);
        let is_known = found.iter().any(|list| list.name == entry.key);
        if !amounts.is_empty() && !is_known {
            let name = entry.key.clone();
            found.push(List { name, amounts });
        }
    }
    found
}

fn term(names: &[String], (is_negative, is_sum): (bool, bool)) -> Term {
    Term {
        is_negative,
        is_sum,
        factors: names.iter().cloned().map(Factor::Property).collect(),
    }
}

/// Candidates: quantity times price per piece.
fn products(names: &[String], target: &str) -> Vec<Expression> {
    let is_whole = has("whole-name", target) && !has("piece-name", target);
    let pairs = pairs(names)
        .into_iter()
        .filter(|pair| is_whole && !pair.iter().any(|name| name == target));
    let terms = pairs.map(|pair| term(&pair, (false, false)));
    terms.map(|term| Expression { terms: vec![term] }).collect()
}

/// The pairs of a quantity and a price per piece.
fn pairs(names: &[String]) -> Vec<[String; 2]> {
    let counts = names.iter().filter(|name| has("count-name", name));
    let prices = names.iter().filter(|name| has("piece-name", name));
    counts
        .flat_map(|count| prices.clone().map(|price| [price.clone(), count.clone()]))
        .collect()
}

/// Candidates: the sum of a property, or of quantity times price, over the items of a list.
fn sums_of(list: &List, target: &str) -> Vec<Expression> {
    if !has("whole-name", target) {
        return Vec::new();
    }
    let single = list
        .amounts
        .iter()
        .filter(|name| !has("count-name", name) && !has("piece-name", name));
    let single = single.map(|name| vec![name.clone()]);
    let pairs = pairs(&list.amounts).into_iter().map(Vec::from);
    let inner = |names: Vec<String>| {
        let names = names.iter().map(|name| format!("{}.{name}", list.name));
        let names: Vec<String> = names.collect();
        Expression {
            terms: vec![term(&names, (false, true))],
        }
    };
    single.chain(pairs).map(inner).collect()
}

/// Candidates: sums and differences of two or three amounts, the sums first.
fn linear(names: &[String], target: &str) -> Vec<Expression> {
    let rest: Vec<&String> = { names.iter() }
        .filter(|name| *name != target && !has("count-name", name) && !has("piece-name", name))
        .collect();
    let mut sets: Vec<Vec<&String>> = Vec::new();
    for (index, one) in rest.iter().enumerate() {
        for (further, two) in rest.iter().enumerate().skip(index + 1) {
            sets.push(vec![one, two]);
            let more = rest.iter().skip(further + 1);
            sets.extend(more.map(|three| vec![*one, *two, *three]));
        }
    }
    sets.sort_by_key(Vec::len);
    let is_target = has("whole-name", target) || has("rest-name", target);
    let expression = |set: &Vec<&String>| {
        // An amount is subtracted only if its name says so; the search never guesses the sign.
        let of_net = has("net-name", target);
        let lowers = |name: &&String| {
            let takes = has("lowering-name", name) || has("taken-name", name);
            takes || of_net && has("raising-name", name)
        };
        let (lowering, raising): (Vec<&String>, Vec<&String>) =
            set.iter().copied().partition(lowers);
        let raising =
            { raising.into_iter() }.map(|name| term(std::slice::from_ref(name), (false, false)));
        let lowering =
            { lowering.into_iter() }.map(|name| term(std::slice::from_ref(name), (true, false)));
        let terms: Vec<Term> = raising.chain(lowering).collect();
        let begins = terms.first().is_some_and(|term| !term.is_negative);
        begins.then_some(Expression { terms })
    };
    sets.iter()
        .filter(|_| is_target)
        .filter_map(expression)
        .collect()
}

/// The records that satisfy an equation, each combination of values once; empty if one record
/// breaks it.
fn kept<'d>(equation: &Equation, shown: &Shown<'d>) -> Vec<&'d Node> {
    let mut found: Vec<(Vec<Option<Decimal>>, &Node)> = Vec::new();
    let target = equation.subject.name.as_deref().unwrap_or_default();
    for record in &shown.records {
        if equation.equals.value(record).is_none() || at(record, target).is_none() {
            continue;
        }
        if equation.mistake(record).is_some() {
            return Vec::new();
        }
        let names = equation.equals.properties().chain([target]);
        let values = names
            .map(|name| Decimal::of_node(at(record, name)?))
            .collect();
        if !found.iter().any(|(known, _)| *known == values) {
            found.push((values, record));
        }
    }
    found.into_iter().map(|(_, record)| record).collect()
}

fn number(record: &Node, name: &str) -> Option<Decimal> {
    Decimal::of_node(at(record, name)?).filter(|value| !value.is_zero())
}

/// Accepts an equation if one record has neither 0 nor 1 in any factor.
fn is_of_lines(equation: &Equation, shown: &Shown<'_>) -> bool {
    let names: Vec<&str> = equation.equals.properties().collect();
    kept(equation, shown).iter().any(|record| {
        let values = names.iter().map(|name| number(record, name));
        let one = Decimal::parse("1");
        let is_more = |value: &Decimal| Some(value) != one.as_ref();
        values.flatten().filter(is_more).count() == names.len()
    })
}

/// Accepts an equation if a list has two non-zero items, or two lists have one each.
fn is_of_list(equation: &Equation, shown: &Shown<'_>) -> bool {
    let path = equation.equals.properties().next().unwrap_or_default();
    let Some((list, inner)) = path.split_once('.') else {
        return false;
    };
    let kept = kept(equation, shown);
    let counts: Vec<usize> = { kept.iter() }
        .filter_map(|record| record.get(list))
        .map(|list| {
            list.items()
                .filter(|item| number(item, inner).is_some())
                .count()
        })
        .filter(|count| *count > 0)
        .collect();
    let is_shown = counts.len() > 1 || counts.iter().any(|count| *count > 1);
    is_shown && !is_open(equation, shown, &kept)
}

/// Accepts an equation if two records have no zero amount. If the names support it, one such record
/// suffices, or any two records.
fn is_of_amounts(equation: &Equation, shown: &Shown<'_>) -> bool {
    let names: Vec<&str> = equation.equals.properties().collect();
    let kept = kept(equation, shown);
    let target = equation.subject.name.as_deref().unwrap_or_default();
    let is_full = |record: &&&Node| {
        names
            .iter()
            .chain([&target])
            .all(|name| number(record, name).is_some())
    };
    let full = kept.iter().filter(is_full).count();
    let is_enough = if is_named_so(target, &names) {
        full > 0 || kept.len() > 1
    } else {
        full > 1
    };
    is_enough && !is_open(equation, shown, &kept)
}

/// Whether an unused amount that could be added or subtracted is zero in every record, so that the
/// equation may be incomplete.
fn is_open(equation: &Equation, shown: &Shown<'_>, kept: &[&Node]) -> bool {
    let target = equation.subject.name.as_deref();
    let is_part = |name: &&str| has("lowering-name", name) || has("raising-name", name);
    let mut open = { shown.names.iter().copied() }
        .filter(is_part)
        .filter(|name| Some(*name) != target && !has("no-amount-name", name))
        .filter(|name| {
            !equation
                .equals
                .properties()
                .any(|used| used.split('.').next() == Some(name))
        });
    open.any(|name| !kept.iter().any(|record| number(record, name).is_some()))
}

/// Whether the names support an equation: net and tax, taken and left.
fn is_named_so(target: &str, names: &[&str]) -> bool {
    let [one, two] = names else { return false };
    let is = |role: &str, name: &str| has(role, name);
    let of_tax = |net: &str, tax: &str| {
        is("net-name", net) && is("tax-name", tax) && is("whole-name", target)
    };
    let of_rest = is("rest-name", target) && is("taken-name", two);
    let of_discount = is("whole-name", target) && is("lowering-name", two);
    of_tax(one, two) || of_tax(two, one) || of_rest || of_discount
}
