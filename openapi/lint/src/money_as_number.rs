//! Checks for amounts that are JSON numbers, which most parsers round.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::{Entry, Node};

pub(super) const RULE: Rule = Rule {
    id: "money-as-number",
    default: Level::Error,
    summary: "An amount is a decimal string, unless `x-money-as-number` marks the property",
    why: "Most JSON parsers turn numbers into binary fractions: 0.1 + 0.2 is not 0.3, and 10.00 \
          becomes 10.",
    remedy: "Write `type: string, format: decimal`. If the interface uses a number and cannot \
             change, write `x-money-as-number: true`. The rule does not apply to documents \
             without `x-provenance`.",
    wrong: "\
components:
  schemas:
    Payment:
      x-provenance: {level: documented, section: Payments}
      type: object
      properties:
        amount: {type: number}",
    right: "\
components:
  schemas:
    Payment:
      x-provenance: {level: documented, section: Payments}
      type: object
      properties:
        amount: {type: string, format: decimal}",
    check: Check::Document(check),
};

/// The last word of a property name that holds money.
const MONEY: [&str; 8] = [
    "amount", "fee", "price", "total", "balance", "rate", "cost", "captured",
];

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.has_provenance {
        return;
    }
    for schema in context.of(Kind::Schema) {
        let properties = schema.node.get("properties");
        for entry in properties.into_iter().flat_map(Node::entries) {
            if is_money(&entry.key) && is_number(entry) {
                let title = format!("`{}` is an amount, but has a number type", entry.key);
                let help = "write `type: string, format: decimal`; where the interface shows a \
                            number, say so with `x-money-as-number: true`";
                let span = entry.value.get("type").unwrap_or(&entry.value).span;
                diagnostics.push(
                    RULE.finding(title)
                        .at(span, "parsers round this")
                        .help(help),
                );
            }
        }
    }
}

fn is_number(entry: &Entry) -> bool {
    let kind = entry.value.get("type").and_then(Node::as_str);
    let excused = entry.value.get("x-money-as-number").and_then(Node::as_bool) == Some(true);
    matches!(kind, Some("number" | "integer")) && !excused
}

/// Whether the last word of a name is one for money: `lineAmountTotal`, `fee`, `setupFee`,
/// `max_fee`.
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
