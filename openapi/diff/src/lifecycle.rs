//! Lifecycle: compares deprecation, sunset and stability.

use jiff::civil::Date;

use super::options::Options;
use super::side::Mark;
use openapi_document::node::Node;

/// A part that can be deprecated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Operation,
    Parameter,
    Property { request: bool },
}

/// The lifecycle fields of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct State<'d> {
    /// The object.
    pub(super) at: Mark<'d>,
    /// The node with `deprecated: true`.
    pub(super) deprecated: Option<&'d Node>,
    pub(super) sunset: Option<&'d Node>,
    pub(super) stability: Option<&'d Node>,
}

/// A change of the lifecycle.
#[derive(Debug)]
pub(super) struct Event<'d> {
    pub(super) id: &'static str,
    pub(super) detail: String,
    pub(super) phrase: String,
    pub(super) base: Mark<'d>,
    pub(super) revision: Mark<'d>,
}

/// Levels of stability, ordered from weak to strong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stability {
    Draft,
    Alpha,
    Beta,
    Stable,
}

/// The value of `x-sunset`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sunset {
    Missing,
    NoDate(String),
    On(Date),
}

impl<'d> State<'d> {
    /// Reads the lifecycle fields of an object.
    pub(super) fn of(node: &'d Node, at: Mark<'d>) -> Self {
        let deprecated = node
            .get("deprecated")
            .filter(|flag| flag.as_bool() == Some(true));
        Self {
            at,
            deprecated,
            sunset: node.get("x-sunset"),
            stability: node.get("x-stability-level"),
        }
    }

    /// The stability level; stable if it is missing or invalid.
    pub(super) fn stability(&self) -> Stability {
        self.stability
            .and_then(Stability::read)
            .unwrap_or(Stability::Stable)
    }

    pub(super) fn sunset(&self) -> Sunset {
        let Some(node) = self.sunset else {
            return Sunset::Missing;
        };
        let text = node.as_str().unwrap_or_default();
        text.parse()
            .map_or_else(|_| Sunset::NoDate(text.to_owned()), Sunset::On)
    }
}

impl Stability {
    pub(super) fn read(node: &Node) -> Option<Self> {
        Some(match node.as_str()? {
            "draft" => Self::Draft,
            "alpha" => Self::Alpha,
            "beta" => Self::Beta,
            "stable" => Self::Stable,
            _ => return None,
        })
    }

    /// The minimum number of days between deprecation and sunset.
    pub(super) fn days(self, options: &Options) -> u16 {
        match self {
            Self::Draft | Self::Alpha => 0,
            Self::Beta => options.sunset_days_beta,
            Self::Stable => options.sunset_days_stable,
        }
    }
}

/// The lifecycle changes of an object that exists on both sides.
pub(super) fn compare<'d>(
    subject: Subject,
    old: &State<'d>,
    new: &State<'d>,
    today: Date,
    days: u16,
) -> Vec<Event<'d>> {
    let mut events = Vec::new();
    events.extend(stability(subject, old, new));
    let kind = match (old.deprecated, new.deprecated) {
        (None, None) => None,
        (Some(_), None) => Some(Kind::Reactivated),
        (None, Some(_)) => Some(deprecated(new, today, days)),
        (Some(_), Some(_)) => moved(old, new, today, days),
    };
    if let Some(kind) = kind {
        let detail = match new.sunset() {
            Sunset::Missing => String::new(),
            Sunset::NoDate(text) => text,
            Sunset::On(date) => date.to_string(),
        };
        let node = |state: &State<'d>, sunset: bool| {
            let node = if sunset {
                state.sunset
            } else {
                state.deprecated
            };
            node.or(state.deprecated).map_or(state.at, Mark::of)
        };
        let phrase = kind.phrase(days, &detail);
        let (base, revision) = (
            node(old, kind.is_of_sunset()),
            node(new, kind.is_of_sunset()),
        );
        events.push(Event {
            id: kind.id(subject),
            detail,
            phrase,
            base,
            revision,
        });
    }
    events
}

/// Kinds of changes of a deprecation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reactivated,
    Deprecated,
    WithSunset,
    SunsetMissing,
    SunsetUnreadable,
    SunsetTooSmall,
    SunsetMovedTooSmall,
    SunsetDeleted,
}

fn deprecated(new: &State<'_>, today: Date, days: u16) -> Kind {
    match new.sunset() {
        Sunset::Missing if days > 0 => Kind::SunsetMissing,
        Sunset::Missing => Kind::Deprecated,
        Sunset::NoDate(_) => Kind::SunsetUnreadable,
        Sunset::On(date) if is_too_near(date, today, days) => Kind::SunsetTooSmall,
        Sunset::On(_) => Kind::WithSunset,
    }
}

fn moved(old: &State<'_>, new: &State<'_>, today: Date, days: u16) -> Option<Kind> {
    match (old.sunset(), new.sunset()) {
        (from, to) if from == to => None,
        (_, Sunset::Missing) => Some(Kind::SunsetDeleted),
        (_, Sunset::NoDate(_)) => Some(Kind::SunsetUnreadable),
        (Sunset::On(from), Sunset::On(to)) => {
            (to < from && is_too_near(to, today, days)).then_some(Kind::SunsetMovedTooSmall)
        }
        (_, Sunset::On(to)) => is_too_near(to, today, days).then_some(Kind::SunsetTooSmall),
    }
}

fn is_too_near(date: Date, today: Date, days: u16) -> bool {
    let ahead = date.duration_since(today).as_hours() / 24;
    ahead < i64::from(days)
}

impl Kind {
    fn is_of_sunset(self) -> bool {
        !matches!(
            self,
            Self::Reactivated | Self::Deprecated | Self::SunsetMissing
        )
    }

    fn id(self, subject: Subject) -> &'static str {
        let (operation, parameter, request, response) = self.ids();
        match subject {
            Subject::Operation => operation,
            Subject::Parameter => parameter,
            Subject::Property { request: true } => request,
            Subject::Property { request: false } => response,
        }
    }

    /// The ids for operations, parameters, and properties of requests and responses.
    fn ids(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::Reactivated => (
                "endpoint-reactivated",
                "request-parameter-reactivated",
                "request-property-reactivated",
                "response-property-reactivated",
            ),
            Self::Deprecated => (
                "endpoint-deprecated",
                "request-parameter-deprecated",
                "request-property-deprecated",
                "response-property-deprecated",
            ),
            Self::WithSunset => (
                "endpoint-deprecated-with-sunset",
                "request-parameter-deprecated",
                "request-property-deprecated-with-sunset",
                "response-property-deprecated-with-sunset",
            ),
            Self::SunsetMissing => (
                "api-deprecated-sunset-missing",
                "request-parameter-deprecated-sunset-missing",
                "request-property-deprecated-sunset-missing",
                "response-property-deprecated-sunset-missing",
            ),
            Self::SunsetUnreadable => (
                "api-deprecated-sunset-parse",
                "request-parameter-sunset-parse",
                "request-property-deprecated-sunset-invalid",
                "response-property-deprecated-sunset-invalid",
            ),
            Self::SunsetTooSmall => (
                "api-sunset-date-too-small",
                "request-parameter-sunset-date-too-small",
                "request-property-sunset-date-too-small",
                "response-property-sunset-date-too-small",
            ),
            Self::SunsetMovedTooSmall => (
                "api-sunset-date-changed-too-small",
                "request-parameter-sunset-date-changed-too-small",
                "request-property-sunset-date-changed-too-small",
                "response-property-sunset-date-changed-too-small",
            ),
            Self::SunsetDeleted => (
                "sunset-deleted",
                "request-parameter-sunset-deleted",
                "request-property-sunset-deleted",
                "response-property-sunset-deleted",
            ),
        }
    }

    fn phrase(self, days: u16, sunset: &str) -> String {
        match self {
            Self::Reactivated => "is no longer deprecated".to_owned(),
            Self::Deprecated => "was deprecated".to_owned(),
            Self::WithSunset => format!("was deprecated, with its sunset on {sunset}"),
            Self::SunsetMissing => "was deprecated without a sunset".to_owned(),
            Self::SunsetUnreadable => format!("has the sunset `{sunset}`, which is not a date"),
            Self::SunsetTooSmall => {
                format!("has its sunset on {sunset}, less than {days} days ahead")
            }
            Self::SunsetMovedTooSmall => {
                format!("had its sunset moved to {sunset}, less than {days} days ahead")
            }
            Self::SunsetDeleted => "lost its sunset, but stays deprecated".to_owned(),
        }
    }
}

fn stability<'d>(subject: Subject, old: &State<'d>, new: &State<'d>) -> Option<Event<'d>> {
    let text = |node: Option<&Node>| node.and_then(Node::as_str).unwrap_or("stable").to_owned();
    let (from, to) = (text(old.stability), text(new.stability));
    let node = |state: &State<'d>| state.stability.map_or(state.at, Mark::of);
    let event = |id, phrase| {
        let detail = format!("{from} → {to}");
        Some(Event {
            id,
            detail,
            phrase,
            base: node(old),
            revision: node(new),
        })
    };
    if new
        .stability
        .is_some_and(|node| Stability::read(node).is_none())
    {
        return (subject == Subject::Operation && from != to).then(|| {
            event(
                "api-invalid-stability-level",
                format!("has the stability `{to}`, which is not a level"),
            )
        })?;
    }
    let ids = match subject {
        Subject::Operation => ("api-stability-decreased", "api-stability-increased"),
        Subject::Parameter => return None,
        Subject::Property { request: true } => (
            "request-property-stability-decreased",
            "request-property-stability-increased",
        ),
        Subject::Property { request: false } => (
            "response-property-stability-decreased",
            "response-property-stability-increased",
        ),
    };
    let phrase = format!("is {to} instead of {from}");
    match new.stability().cmp(&old.stability()) {
        std::cmp::Ordering::Less => event(ids.0, phrase),
        std::cmp::Ordering::Greater => event(ids.1, phrase),
        std::cmp::Ordering::Equal => None,
    }
}
