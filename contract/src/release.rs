//! What a version has to become, by the rules that cargo reads versions by: what breaks somebody
//! raises the leftmost part that is not zero.

use semver::Version;
use serde::Serialize;

/// How much of a version a change asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Nothing changed.
    None,
    /// Nobody has to know.
    Patch,
    /// There is something more.
    Minor,
    /// Somebody breaks.
    Major,
}

impl Step {
    /// The step as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

/// What became of a version, and whether that will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// Whose version it is.
    pub of: String,
    /// What it was.
    pub base: String,
    /// What it is.
    pub revision: String,
    /// How far it has to be raised.
    pub step: Step,
    /// The least version that will do; nothing where what was is no semantic version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<String>,
    /// Whether it was raised far enough; so it is where nobody can say.
    pub is_enough: bool,
}

/// Judges a version.
pub fn judge(of: &str, base: &str, revision: &str, step: Step) -> Verdict {
    let was = parse(base);
    let is = parse(revision);
    let least = was.as_ref().map(|was| least(was, step));
    let is_enough = match (&least, &is) {
        (Some(least), Some(is)) => is >= least,
        // It was a version and is none any more.
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

/// Whether a version is lower than it was.
pub fn went_down(base: &str, revision: &str) -> bool {
    matches!((parse(base), parse(revision)), (Some(was), Some(is)) if is < was)
}

/// A version; `1` and `1.2` are taken for `1.0.0` and `1.2.0`.
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
    // A pre-release promises nothing but to become the release.
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
    fn versions_are_raised_as_cargo_reads_them() {
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
        assert!(went_down("1.2.3", "1.1.0") && !went_down("1.2", "1.2.0"));
        assert!(!judge("it", "1.2.3", "soon", Step::Patch).is_enough);
        let dated = judge("it", "2024-01-31", "2024-01-31", Step::Major);
        assert_eq!((dated.least, dated.is_enough), (None, true));
    }
}
