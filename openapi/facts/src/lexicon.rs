//! Lexicon: words with their roles, and the clause forms that the sentence reader knows.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::form::Form;
use crate::name::{normalized, words};
use crate::pattern::Pattern;
use crate::roles::Roles;

/// `lexicon.yaml` and `forms.yaml`, which the build script joins and converts to JSON.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/lexicon.json"));

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

/// The words and forms.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    pub(crate) roles: Roles,
    /// The forms of a condition on a parameter or property.
    pub(crate) conditions: Vec<Form>,
    forms: HashMap<String, Vec<Form>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    roles: BTreeMap<String, Vec<String>>,
    conditions: Vec<FormData>,
    forms: BTreeMap<String, Vec<FormData>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormData {
    form: String,
    #[serde(default)]
    at: Vec<String>,
    #[serde(default)]
    says: BTreeMap<String, String>,
    #[serde(default)]
    conditional: bool,
}

impl Lexicon {
    /// The lexicon of English.
    pub(crate) fn english() -> &'static Self {
        &LEXICON
    }

    fn load() -> Self {
        // A test parses the shipped data, so the default is never used.
        Self::parse(TEXT).unwrap_or_default()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let data: Data = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let conditions = data.conditions.into_iter().map(form);
        let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
        let mut forms = HashMap::new();
        for (kind, list) in data.forms {
            let list = list.into_iter().map(form).collect::<Result<Vec<_>, _>>()?;
            forms.insert(kind, list);
        }
        Ok(Self {
            roles: Roles::new(data.roles),
            conditions,
            forms,
        })
    }

    /// The forms of a kind of rule, in the order in which the reader tries them.
    pub(crate) fn forms(&self, kind: &str) -> &[Form] {
        self.forms.get(kind).map_or(&[], Vec::as_slice)
    }

    /// Whether a property of this name holds a state, such as `status`.
    pub(crate) fn is_state(&self, name: &str) -> bool {
        self.roles.has("state-name", &normalized(name))
    }

    /// Whether the last word of a name is one that holds a state, as in `orderState`.
    pub(crate) fn ends_like_state(&self, name: &str) -> bool {
        let last = words(name).pop();
        last.is_some_and(|word| self.is_state(&word))
    }
}

fn form(data: FormData) -> Result<Form, String> {
    Ok(Form {
        pattern: Pattern::parse(&data.form).map_err(|part| format!("{part} in {}", data.form))?,
        at: data.at,
        says: data.says,
        is_conditional: data.conditional,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_lexicon_parses_and_names_no_unknown_role() {
        let lexicon = Lexicon::parse(TEXT).unwrap();
        let forms = lexicon.forms.values().flatten();
        let forms = forms.chain(&lexicon.conditions);
        for role in forms.flat_map(|form| form.pattern.roles()) {
            assert!(lexicon.roles.knows(role), "{role}");
        }
    }

    #[test]
    fn no_word_has_a_role_twice() {
        let data: Data = serde_json::from_str(TEXT).unwrap();
        for (role, words) in data.roles {
            let distinct: HashSet<&String> = words.iter().collect();
            assert_eq!(distinct.len(), words.len(), "{role}");
        }
    }
}
