//! Line total: recomputes a request's total after one of its lines was changed, so that only the changed value is wrong.

use openapi_document::{Node, Pointer};

use crate::amount::Amount;
use crate::names;
use crate::prose;
use crate::value;

/// The broken request with the sum of its lines as total. `None` unless the valid request has such a total.
pub(super) fn with_its_total(valid: &Node, broken: &Node) -> Option<Node> {
    valid.entries().find_map(|list| {
        let lines = valid.get(&list.key)?.as_sequence()?;
        let sum = sum_of(lines)?;
        let is_total = |entry: &&openapi_document::node::Entry| {
            let observed = Amount::read(&entry.value);
            observed
                .is_some_and(|amount| amount.compared(sum).is_some_and(std::cmp::Ordering::is_eq))
        };
        let mut totals = valid.entries().filter(is_total);
        let total = totals.next().filter(|_| totals.next().is_none())?;
        // The total itself must not be the broken value.
        let is_kept = broken.get(&total.key)?.same_value(&total.value);
        let lines = broken.get(&list.key).filter(|_| is_kept)?;
        let now = sum_of(lines.as_sequence()?)?;
        let now = Amount::read(&total.value)?.with(now.units);
        let mut mended = broken.clone();
        let at = Pointer::root().join(total.key.as_str());
        value::put(&mut mended, &at, now.node()).ok()?;
        (!mended.same_value(broken)).then_some(mended)
    })
}

/// The sum of lines: quantity times price of each.
fn sum_of(lines: &[Node]) -> Option<Amount> {
    let mut all = lines.iter().map(of_line);
    let first = all.next()??;
    all.try_fold(first, |sum, item| sum.plus(item?))
}

fn of_line(line: &Node) -> Option<Amount> {
    let only = |words: &[&str]| {
        let mut all = line
            .entries()
            .filter(|entry| prose::has(&names::words(&entry.key), words));
        let only = all.next().filter(|_| all.next().is_none())?;
        Amount::read_signed(&only.value)
    };
    let count = only(&["quantity", "qty"])?;
    let price = only(&["price", "amount"])?;
    count.is_whole().then_some(())?;
    Some(price.with(price.units.checked_mul(count.units)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_follows_its_lines() {
        let read = |text: &str| openapi_document::json::read_text(text).unwrap();
        let valid = read(
            r#"{"lines":[{"quantity":2,"unitPrice":"2.95"},{"quantity":1,"unitPrice":"12.50"}],"total":"18.40","tip":"1.00"}"#,
        );
        let broken = |text: &str| read(&text.replace('_', "\""));
        let none = broken(
            "{_lines_:[{_quantity_:0,_unitPrice_:_2.95_},{_quantity_:1,_unitPrice_:_12.50_}],_total_:_18.40_,_tip_:_1.00_}",
        );
        let mended = with_its_total(&valid, &none).unwrap();
        assert_eq!(mended.get("total").unwrap().as_str(), Some("12.50"));
        let no_number = broken("{_lines_:[{_quantity_:_x_,_unitPrice_:_2.95_}],_total_:_18.40_}");
        assert!(with_its_total(&valid, &no_number).is_none());
        assert!(with_its_total(&valid, &valid).is_none());
        let below = broken(
            "{_lines_:[{_quantity_:2,_unitPrice_:_2.95_},{_quantity_:1,_unitPrice_:_12.50_}],_total_:_-1.00_,_tip_:_1.00_}",
        );
        assert!(with_its_total(&valid, &below).is_none());
        let other = read(r#"{"lines":[{"quantity":2,"unitPrice":"2.95"}],"total":"6.00"}"#);
        assert!(with_its_total(&other, &none).is_none());
    }
}
