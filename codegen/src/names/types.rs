//! Names of types: that of the component, else the place of use, else what several places share.

use super::identifier::camel;
use super::scope::Scope;
use crate::ir::TypeDef;

/// What the generated modules bring into scope under these names already.
const RESERVED: &[&str] = &[
    "BTreeMap",
    "Box",
    "Bytes",
    "Clone",
    "Date",
    "Debug",
    "Decimal",
    "Default",
    "Deserialize",
    "Deserializer",
    "Display",
    "Err",
    "Error",
    "File",
    "FnOnce",
    "Formatter",
    "From",
    "FromStr",
    "Into",
    "JsonText",
    "None",
    "Nullable",
    "Number",
    "Ok",
    "Option",
    "Part",
    "Parts",
    "Pattern",
    "Result",
    "Self",
    "Sensitive",
    "Serialize",
    "Serializer",
    "Some",
    "String",
    "Timestamp",
    "ToString",
    "Unreadable",
    "Uuid",
    "Validate",
    "Value",
    "Vec",
    "Violations",
];

/// The name of each type, and of what makes values of it.
pub(super) fn assign(types: &[TypeDef]) -> (Vec<String>, Vec<String>) {
    let mut order: Vec<usize> = (0..types.len())
        .filter(|&index| types[index].used)
        .collect();
    order.sort_by(|&a, &b| {
        let key = |index: usize| {
            let def: &TypeDef = &types[index];
            (def.component.is_none(), &def.component, &def.contexts)
        };
        key(a).cmp(&key(b))
    });
    let mut scope = Scope::with(RESERVED);
    let mut names = vec![String::new(); types.len()];
    for index in order {
        let def = &types[index];
        names[index] = match &def.component {
            Some(component) => component_name(&mut scope, component),
            None => inline_name(&mut scope, &def.contexts),
        };
    }
    let mut builders = vec![String::new(); types.len()];
    for (builder, (name, def)) in builders.iter_mut().zip(names.iter().zip(types)) {
        if def.used && def.shape.required() > 0 {
            *builder = scope.take(&format!("{name}Builder"));
        }
    }
    (names, builders)
}

fn component_name(scope: &mut Scope, component: &str) -> String {
    let name = camel(component);
    if RESERVED.contains(&name.as_str()) {
        return scope.take(&format!("{name}Model"));
    }
    scope.take(&name)
}

/// One place gives its name. Several places give the words they all end in, if that name is free.
fn inline_name(scope: &mut Scope, contexts: &[Vec<String>]) -> String {
    let Some((first, others)) = contexts.split_first() else {
        return scope.take("Inline");
    };
    let whole = camel(&first.join(" "));
    if others.is_empty() {
        return scope.take(&whole);
    }
    let same = |end: usize| {
        let word = |context: &[String]| context.iter().rev().nth(end).map(|word| camel(word));
        let own = word(first);
        own.is_some() && others.iter().all(|context| word(context) == own)
    };
    let shared = (0..first.len()).take_while(|&end| same(end)).count();
    let ending = &first[first.len() - shared..];
    let says_something = ending.iter().any(|word| !is_generic(word));
    let ending = camel(&ending.join(" "));
    if says_something && scope.is_free(&ending) {
        return scope.take(&ending);
    }
    scope.take(&whole)
}

/// Words that say nothing without the one before them.
fn is_generic(word: &str) -> bool {
    const GENERIC: &[&str] = &[
        "action", "data", "default", "id", "item", "kind", "name", "ok", "request", "response",
        "status", "type", "value",
    ];
    let word = word.to_ascii_lowercase();
    word.starts_with("variant") || GENERIC.contains(&word.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(contexts: &[&[&str]]) -> String {
        let words = |context: &&[&str]| context.iter().map(|&word| word.to_owned()).collect();
        let contexts: Vec<Vec<String>> = contexts.iter().map(words).collect();
        inline_name(&mut Scope::with(RESERVED), &contexts)
    }

    #[test]
    fn one_place_gives_its_name_and_several_what_they_share() {
        assert_eq!(name(&[&["Purchase", "cardHolder"]]), "PurchaseCardHolder");
        assert_eq!(
            name(&[&["Card", "cardHolder"], &["Purchase", "cardHolder"]]),
            "CardHolder"
        );
        assert_eq!(
            name(&[&["Card", "status"], &["Purchase", "status"]]),
            "CardStatus"
        );
        assert_eq!(
            name(&[&["Card", "number"], &["Purchase", "number"]]),
            "CardNumber"
        );
    }
}
