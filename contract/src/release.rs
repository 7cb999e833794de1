//! Release: the required version, by cargo's rules: a breaking change increases the leftmost part
//! that is not zero.

use semver::Version;
use serde::Serialize;

/// The part of a version that a change increases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Nothing changed.
    None,
    /// No client is affected.
    Patch,
    /// Something was added.
    Minor,
    /// Some client breaks.
    Major,
}

impl Step {
    /// The word for the step.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

/// The change of a version, and whether it suffices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The owner of the version.
    pub of: String,
    /// The old version.
    pub base: String,
    /// The new version.
    pub revision: String,
    /// The required step.
    pub step: Step,
    /// The lowest sufficient version; `None` if the old one is not a semantic version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<String>,
    /// Whether the new version suffices; also `true` if this cannot be decided.
    pub is_enough: bool,
}

/// Judges the change of a version.
pub fn judge(of: &str, base: &str, revision: &str, step: Step) -> Verdict {
    let was = parse(base);
    let is = parse(revision);
    let least = was.as_ref().map(|was| least(was, step));
    let is_enough = match (&least, &is) {
        (Some(least), Some(is)) => is >= least,
        // The new text is not a version, although the old one was.
        (Some(_), None) => step == Step::None,
        (None, _) => true,
    };
    Verdict {
        of: of.to_owned(),
        base: base.to_owned(),
        revision: revision.to_owned(),
        step,
        least: least.map(|least| least.to_string()),
        is_enough,
    }
}

/// Whether a version is lower than before.
pub fn is_decrease(base: &str, revision: &str) -> bool {
    matches!((parse(base), parse(revision)), (Some(was), Some(is)) if is < was)
}

/// Parses a version; `1` and `1.2` mean `1.0.0` and `1.2.0`.
fn parse(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches('v');
    let plain = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let missing = 2usize.saturating_sub(text.matches('.').count());
    let text = if plain {
        text.to_owned() + &".0".repeat(missing)
    } else {
        text.to_owned()
    };
    Version::parse(&text).ok()
}

fn least(was: &Version, step: Step) -> Version {
    let of = |major, minor, patch| Version::new(major, minor, patch);
    if step == Step::None {
        return was.clone();
    }
    // A pre-release may only become its release.
    if !was.pre.is_empty() {
        return of(was.major, was.minor, was.patch);
    }
    match (was.major, was.minor, step) {
        (0, 0, _) => of(0, 0, was.patch + 1),
        (0, minor, Step::Major) => of(0, minor + 1, 0),
        (major, _, Step::Major) => of(major + 1, 0, 0),
        (1.., minor, Step::Minor) => of(was.major, minor + 1, 0),
        (major, minor, _) => of(major, minor, was.patch + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_increased_by_cargo_rules() {
        for (base, step, least) in [
            ("1.2.3", Step::Major, "2.0.0"),
            ("1.2.3", Step::Minor, "1.3.0"),
            ("1.2.3", Step::Patch, "1.2.4"),
            ("1.2.3", Step::None, "1.2.3"),
            ("0.2.3", Step::Major, "0.3.0"),
            ("0.2.3", Step::Minor, "0.2.4"),
            ("0.0.3", Step::Minor, "0.0.4"),
            ("0.0.3", Step::Major, "0.0.4"),
            ("2.0.0-rc.1", Step::Major, "2.0.0"),
            ("71", Step::Minor, "71.1.0"),
        ] {
            let verdict = judge("it", base, base, step);
            assert_eq!(verdict.least.as_deref(), Some(least), "{base} {step:?}");
            assert_eq!(verdict.is_enough, step == Step::None, "{base} {step:?}");
            assert!(judge("it", base, least, step).is_enough);
        }
        assert!(judge("it", "1.2.3", "3.0.0", Step::Minor).is_enough);
        assert!(!judge("it", "1.2.3", "1.1.0", Step::None).is_enough);
        assert!(is_decrease("1.2.3", "1.1.0") && !is_decrease("1.2", "1.2.0"));
        assert!(!judge("it", "1.2.3", "soon", Step::Patch).is_enough);
        let dated = judge("it", "2024-01-31", "2024-01-31", Step::Major);
        assert_eq!((dated.least, dated.is_enough), (None, true));
    }
}
