//! What may be wrong with a shop, one thing at a time, and in what correct shops differ.

use std::time::Duration;

use serde_json::Value;

use super::Reply;

/// One fault. The first field is the operation that has it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// Nothing is wrong.
    None,
    /// The body of a success is changed.
    Body(&'static str, fn(&mut Value)),
    /// The body of a refusal is changed.
    Problem(&'static str, u16, fn(&mut Value)),
    /// The text of a success is changed.
    Text(&'static str, fn(&mut Vec<u8>)),
    /// A status in the place of another.
    Status(&'static str, u16, u16),
    /// A header of the answers with a status has another value, or is not there.
    Header(&'static str, u16, &'static str, Option<&'static str>),
    /// A request that breaks one rule for a field is accepted.
    Accepts(&'static str, &'static str, Aspect),
    /// Somebody is let in who is not known.
    Opens(&'static str, Door),
    /// A rule about records is not kept.
    Breaks(Rule),
    /// What is checked is done a little later.
    Races(&'static str),
    /// No answer ever comes.
    Hangs(&'static str),
}

/// What is not looked at in a field.
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

/// Who is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Nobody,
    AnyToken,
    AnyScheme,
    /// Whoever is refused has had done what was asked for.
    TooLate,
}

/// Rules that may be broken.
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
            (Self::Accepts(own, field, aspect), Self::Accepts(other, name, part)) => {
                (own, field, aspect) == (other, name, part)
            }
            (Self::Opens(own, door), Self::Opens(other, way)) => (own, door) == (other, way),
            (Self::Breaks(own), Self::Breaks(other)) => own == other,
            (Self::Races(own), Self::Races(other)) | (Self::Hangs(own), Self::Hangs(other)) => {
                own == other
            }
            _ => false,
        }
    }
}

impl Fault {
    /// Changes an answer.
    pub(crate) fn spoil(self, operation: &str, reply: &mut Reply) {
        let is_success = reply.status < 300;
        match (self, &mut reply.body) {
            (Self::Body(own, change), Some(body)) if own == operation && is_success => change(body),
            (Self::Problem(own, status, change), Some(body))
                if own == operation && status == reply.status =>
            {
                change(body);
            }
            (Self::Status(own, from, to), _) if own == operation && from == reply.status => {
                reply.status = to;
            }
            (Self::Header(own, status, name, value), _)
                if own == operation && status == reply.status =>
            {
                reply.headers.retain(|(own, _)| *own != name);
                let value = value.map(|own| (name, own.to_owned()));
                reply.headers.extend(value);
            }
            _ => {}
        }
    }

    /// Changes the text of an answer.
    pub(crate) fn rewrite(self, operation: &str, status: u16, text: &mut Vec<u8>) {
        match self {
            Self::Text(own, change) if own == operation && status < 300 => change(text),
            _ => {}
        }
    }
}

/// In what correct shops differ.
#[allow(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// Names are sorted.
    pub(crate) sorted: bool,
    /// Headers that nobody asked for.
    pub(crate) more_headers: bool,
    /// Ids are numbers in a row.
    pub(crate) counted: bool,
    /// Ids are UUIDs.
    pub(crate) uuids: bool,
    /// Every answer takes its time.
    pub(crate) pause: Option<Duration>,
    /// Another wording.
    pub(crate) blunt: bool,
    /// 400 for every refusal of content.
    pub(crate) only_400: bool,
    /// Properties beyond those that are listed, where the schema allows them.
    pub(crate) more_properties: bool,
}

impl Style {
    pub(crate) fn text(self, text: &'static str) -> &'static str {
        if self.blunt { "No." } else { text }
    }

    /// Writes a body as this shop does.
    pub(crate) fn restyle(self, body: &mut Value) {
        match body {
            Value::Array(items) => items.iter_mut().for_each(|own| self.restyle(own)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|own| self.restyle(own));
                if self.sorted {
                    fields.sort_keys();
                }
            }
            _ => {}
        }
    }
}
