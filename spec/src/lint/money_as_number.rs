//! Money as a JSON number loses digits in most readers.

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::grammar::Kind;
use crate::node::{Entry, Node};

pub(super) const RULE: Rule = Rule {
    id: "money-as-number",
    summary: "An amount is a decimal string, unless `x-money-as-number` says that the interface shows a number",
    check,
};

/// The last word of a property name that holds money.
const MONEY: [&str; 9] = [
    "amount", "fee", "price", "total", "balance", "rate", "cost", "refunded", "captured",
];

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.has_provenance {
        return;
    }
    context.walk(&mut |node, kind, _| {
        if kind != Kind::Schema {
            return;
        }
        for entry in node.get("properties").into_iter().flat_map(Node::entries) {
            if is_money(&entry.key) && is_number(entry) {
                let title = format!("`{}` is money, and typed as a number", entry.key);
                let help = "write `type: string, format: decimal`; where the interface shows a \
                            number, say so with `x-money-as-number: true`";
                let span = entry.value.get("type").unwrap_or(&entry.value).span;
                diagnostics.push(
                    RULE.error(title)
                        .at(span, "digits get lost here")
                        .help(help),
                );
            }
        }
    });
}

fn is_number(entry: &Entry) -> bool {
    let kind = entry.value.get("type").and_then(Node::as_str);
    let excused = entry.value.get("x-money-as-number").and_then(Node::as_bool) == Some(true);
    matches!(kind, Some("number" | "integer")) && !excused
}

/// `lineAmountTotal`, `fee`, `setupFee`, `max_fee`: the last word decides.
fn is_money(name: &str) -> bool {
    let start = name
        .rfind(|c: char| c.is_ascii_uppercase() || c == '_' || c == '-')
        .unwrap_or(0);
    let last = name[start..]
        .trim_start_matches(['_', '-'])
        .to_ascii_lowercase();
    MONEY.contains(&last.as_str())
}

#[cfg(test)]
mod tests {
    use super::is_money;

    #[test]
    fn the_last_word_decides() {
        for name in [
            "amount",
            "feeAmount",
            "lineAmountTotal",
            "setup_fee",
            "price",
            "rate",
        ] {
            assert!(is_money(name), "{name}");
        }
        for name in [
            "amountCount",
            "feeOwner",
            "intervalCount",
            "totalCount",
            "value",
            "é",
        ] {
            assert!(!is_money(name), "{name}");
        }
    }
}
