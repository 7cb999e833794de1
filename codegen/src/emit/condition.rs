//! `#[cfg(feature = …)]` in code, decided for features whose state is known.

use std::fmt::Write;
use std::str::Lines;

/// A text without what needs features that are off, and without the conditions on those that are on.
/// `state` has what is known of a feature.
pub(super) fn resolve(text: &str, state: impl Fn(&str) -> Option<bool>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines();
    let mut comments = String::new();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let condition = trimmed
            .strip_prefix("#[cfg(")
            .and_then(|rest| rest.strip_suffix(")]"))
            .map(|condition| Condition::read(condition).resolve(&state));
        match condition {
            Some(Known::Off) => {
                comments.clear();
                let indent = line.len() - trimmed.len();
                skip(&mut lines, indent);
            }
            Some(Known::On) => out.push_str(&std::mem::take(&mut comments)),
            Some(Known::Open(condition)) => {
                out.push_str(&std::mem::take(&mut comments));
                out.push_str(&line[..line.len() - trimmed.len()]);
                let _ = writeln!(out, "#[cfg({condition})]");
            }
            None if trimmed.starts_with("///") => {
                comments.push_str(line);
                comments.push('\n');
            }
            None => {
                out.push_str(&std::mem::take(&mut comments));
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Passes over what an attribute of this indentation is on.
fn skip(lines: &mut Lines<'_>, indent: usize) {
    let mut first = true;
    for line in lines.by_ref() {
        let trimmed = line.trim_start();
        let outer = line.len() - trimmed.len() == indent;
        let attribute = first && (trimmed.starts_with("#[") || trimmed.starts_with("///"));
        let ends = [",", ";", "}"].iter().any(|end| trimmed.ends_with(end));
        if outer && !attribute && ends {
            return;
        }
        first &= attribute;
    }
}

/// A condition on features.
enum Condition<'t> {
    Feature(&'t str),
    Not(&'t str),
    Any(Vec<&'t str>),
    Other(&'t str),
}

/// What is known of a condition.
enum Known {
    On,
    Off,
    Open(String),
}

impl<'t> Condition<'t> {
    fn read(text: &'t str) -> Self {
        let feature = |text: &'t str| {
            let name = text.trim().strip_prefix("feature = \"")?;
            name.strip_suffix('"')
        };
        let inner = |name: &str| text.strip_prefix(name)?.strip_suffix(')');
        if let Some(name) = feature(text) {
            return Self::Feature(name);
        }
        if let Some(name) = inner("not(").and_then(feature) {
            return Self::Not(name);
        }
        let names = inner("any(").and_then(|list| list.split(',').map(feature).collect());
        names.map_or(Self::Other(text), Self::Any)
    }

    fn resolve(&self, state: impl Fn(&str) -> Option<bool>) -> Known {
        let open = |text: String| Known::Open(text);
        match self {
            Self::Feature(name) => match state(name) {
                Some(true) => Known::On,
                Some(false) => Known::Off,
                None => open(shown(name)),
            },
            Self::Not(name) => match state(name) {
                Some(true) => Known::Off,
                Some(false) => Known::On,
                None => open(format!("not({})", shown(name))),
            },
            Self::Any(names) if names.iter().any(|name| state(name) == Some(true)) => Known::On,
            Self::Any(names) => {
                let others = names.iter().filter(|name| state(name).is_none());
                let others: Vec<String> = others.map(|name| shown(name)).collect();
                match others.as_slice() {
                    [] => Known::Off,
                    [one] => open(one.clone()),
                    many => open(format!("any({})", many.join(", "))),
                }
            }
            Self::Other(text) => open((*text).to_owned()),
        }
    }
}

fn shown(feature: &str) -> String {
    format!("feature = \"{feature}\"")
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn what_is_off_is_left_out_and_what_is_on_loses_its_condition() {
        let text = r#"
struct A {
    /// B.
    #[cfg(feature = "off")]
    b: B,
    /// C.
    #[cfg(feature = "on")]
    c: C,
    #[cfg(feature = "open")]
    d: D,
}

#[cfg(not(feature = "on"))]
fn e() {
    f();
}

fn g() {
    match h {
        #[cfg(feature = "off")]
        I::J => {
            k();
        }
        #[cfg(any(feature = "off", feature = "open"))]
        L => m(n, || {
            o
        }),
        #[cfg(feature = "off")]
        #[allow(p, reason = "q")]
        R(
            s,
        ) => t,
        u => v,
    }
}
"#;
        let expected = r#"
struct A {
    /// C.
    c: C,
    #[cfg(feature = "open")]
    d: D,
}


fn g() {
    match h {
        #[cfg(feature = "open")]
        L => m(n, || {
            o
        }),
        u => v,
    }
}
"#;
        let state = |feature: &str| match feature {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        assert_eq!(resolve(text, state), expected);
    }
}
