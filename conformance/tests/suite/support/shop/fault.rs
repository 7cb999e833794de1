//! The faults of a shop, one at a time, and the ways in which correct shops differ.

use std::time::Duration;

use serde_json::Value;

use super::Reply;

/// One fault. The first field is the operation that has it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// No fault.
    None,
    /// Changes the body of a success.
    Body(&'static str, fn(&mut Value)),
    /// Changes the body of a refusal.
    Problem(&'static str, u16, fn(&mut Value)),
    /// Changes the text of a success.
    Text(&'static str, fn(&mut Vec<u8>)),
    /// Sends another status.
    Status(&'static str, u16, u16),
    /// Changes or omits a header of answers with a status.
    Header(&'static str, u16, &'static str, Option<&'static str>),
    /// Accepts a request that breaks one rule for a field.
    Accepts(&'static str, &'static str, Aspect),
    /// Accepts a request without valid credentials.
    Opens(&'static str, Door),
    /// Breaks a rule about records.
    Breaks(Rule),
    /// Acts a little later than it checks.
    Races(&'static str),
    /// Never answers.
    Hangs(&'static str),
}

/// The rule that a field does not check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    Type,
    Null,
    Required,
    Maximum,
    Minimum,
    Format,
    Enum,
    Undeclared,
    MaxItems,
    Fraction,
}

/// The credentials that the shop accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Nobody,
    AnyToken,
    AnyScheme,
    /// Refuses the request, but executes it.
    TooLate,
}

/// The rules that a fault can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    UnknownCustomerRead,
    UnknownChargeRead,
    UnknownChargeCaptured,
    UnknownChargeCancelled,
    UnknownCustomerUpdated,
    UnknownCustomerDeleted,
    UnknownChargeListed,
    UpdateIsForgotten,
    UpdateLosesPhone,
    UpdateAnswersOld,
    CaptureIsForgotten,
    CancelIsForgotten,
    ReadAddsOne,
    ReadTurnsTags,
    ReadByHalves,
    NewestIsNotListed,
    ListShowsOldName,
    RefundIsNotListed,
    RefundOverwrites,
    RefusedIsKept,
    RefusedTakesReference,
    CaptureBeyond,
    CaptureTwice,
    CaptureLowersAmount,
    CaptureCapturesOthers,
    CancelAfterCapture,
    RefundBeyond,
    RefundEachAlone,
    RefundBeyondCaptured,
    RefundBeforeCapture,
    RefundNotCounted,
    RefundInOtherCurrency,
    RefundOfForeignCharge,
    DeletedIsRead,
    DeletedIsListed,
    DeleteTwice,
    DeleteDoesNothing,
    RepeatMakesAnother,
    KeyForOtherBody,
    ReferenceTwice,
    PageRepeatsLast,
    PageSkipsOne,
    SizeIgnored,
    SizeOffByOne,
    DefaultSizeIgnored,
    MoreForEver,
    NeverMore,
    OrderIgnored,
    FilterIgnored,
    StatusFilterIgnored,
    TotalIsOfPage,
    TotalIsUnfiltered,
    SinceIgnored,
    SinceIsNow,
    AnySizeAccepted,
    LocationLeadsNowhere,
    UpdatedAtStands,
    CreatedAtMoves,
    TimeStands,
    MaximumRefused,
    LongestRefused,
    AstralRefused,
    AstralCut,
    MetadataForgotten,
    MetadataOfOneEntry,
    DescriptionCut,
    CurrencyDefaulted,
    CaptureFlagIgnored,
    UpdateClearsRest,
}

impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Accepts(target, field, aspect), Self::Accepts(other, name, part)) => {
                (target, field, aspect) == (other, name, part)
            }
            (Self::Opens(target, door), Self::Opens(other, other_door)) => {
                (target, door) == (other, other_door)
            }
            (Self::Breaks(target), Self::Breaks(other)) => target == other,
            (Self::Races(target), Self::Races(other))
            | (Self::Hangs(target), Self::Hangs(other)) => target == other,
            _ => false,
        }
    }
}

impl Fault {
    /// Changes an answer.
    pub(crate) fn spoil(self, operation: &str, reply: &mut Reply) {
        let is_success = reply.status < 300;
        match (self, &mut reply.body) {
            (Self::Body(target, change), Some(body)) if target == operation && is_success => {
                change(body);
            }
            (Self::Problem(target, status, change), Some(body))
                if target == operation && status == reply.status =>
            {
                change(body);
            }
            (Self::Status(target, from, to), _) if target == operation && from == reply.status => {
                reply.status = to;
            }
            (Self::Header(target, status, name, value), _)
                if target == operation && status == reply.status =>
            {
                reply.headers.retain(|(header, _)| *header != name);
                let value = value.map(|value| (name, value.to_owned()));
                reply.headers.extend(value);
            }
            _ => {}
        }
    }

    /// Changes the text of an answer.
    pub(crate) fn rewrite(self, operation: &str, status: u16, text: &mut Vec<u8>) {
        match self {
            Self::Text(target, change) if target == operation && status < 300 => change(text),
            _ => {}
        }
    }
}

/// The ways in which correct shops differ.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate choice")]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// Sorts names.
    pub(crate) sorted: bool,
    /// Adds undocumented headers.
    pub(crate) more_headers: bool,
    /// Uses consecutive numbers as ids.
    pub(crate) counted: bool,
    /// Uses UUIDs as ids.
    pub(crate) uuids: bool,
    /// Waits before each answer.
    pub(crate) pause: Option<Duration>,
    /// Uses other texts.
    pub(crate) blunt: bool,
    /// Sends 400 for every refusal of a body.
    pub(crate) only_400: bool,
    /// Adds undeclared properties where the schema allows them.
    pub(crate) more_properties: bool,
}

impl Style {
    pub(crate) fn text(self, text: &'static str) -> &'static str {
        if self.blunt { "No." } else { text }
    }

    /// Writes a body in this style.
    pub(crate) fn restyle(self, body: &mut Value) {
        match body {
            Value::Array(items) => items.iter_mut().for_each(|item| self.restyle(item)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|field| self.restyle(field));
                if self.sorted {
                    fields.sort_keys();
                }
            }
            _ => {}
        }
    }
}
