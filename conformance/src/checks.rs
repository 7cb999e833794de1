//! Lists the checks: every kind of difference that the runner reports.

use crate::level::Level;

/// One check. Its id never changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Check {
    /// Kebab-case; names the difference.
    pub id: &'static str,
    /// The difference in one line.
    pub doc: &'static str,
    /// The highest level of the check. The contract's provenance may lower it.
    pub level: Level,
}

impl Check {
    /// Whether the difference shows that the step failed, so that later steps which need it cannot
    /// succeed.
    pub fn breaks_the_step(&self) -> bool {
        [
            &STATUS_CODE,
            &UNDECLARED_STATUS,
            &NOT_IMPLEMENTED,
            &SERVER_ERROR,
            &REJECTION_EXPECTED,
            &UNTIL_DEADLINE,
        ]
        .contains(&self)
    }
}

macro_rules! checks {
    ($($name:ident, $level:ident, $id:literal, $doc:literal;)*) => {
        $(
            #[doc = concat!(" ", $doc)]
            pub static $name: Check = Check { id: $id, doc: $doc, level: Level::$level };
        )*

        /// Every check.
        pub static ALL: &[&Check] = &[$(&$name),*];
    };
}

checks! {
    NO_ANSWER, Must, "no-answer", "the server sends no complete answer within the time limit";
    CONNECTION_CLOSED, Must, "connection-closed", "the server closes the connection before it answers, or the answer is not HTTP";
    BODY_INCOMPLETE, Must, "body-incomplete", "the body ends before its announced length";
    BODY_TOO_LARGE, Must, "body-too-large", "the body is larger than the runner reads";
    NOT_IMPLEMENTED, Must, "not-implemented", "the server answers 501 to an operation in scope";
    SERVER_ERROR, Must, "server-error", "the server answers an undocumented 5xx";
    REJECTION_EXPECTED, Must, "rejection-expected", "the server accepts a request that it must refuse";
    STATUS_CODE, Must, "status-code", "the status is not the documented one";
    UNDECLARED_STATUS, Must, "undeclared-status", "the operation does not document this status";
    MEDIA_TYPE, Must, "media-type", "the media type is not the documented one";
    PROBLEM_STATUS, Must, "problem-status", "the `status` of an `application/problem+json` body differs from that of the answer";
    HEADER_MISSING, Must, "header-missing", "a required response header is missing";
    HEADER_VALUE, Must, "header-value", "a response header breaks its schema";
    BODY_MISSING, Must, "body-missing", "the answer lacks its documented body";
    INVALID_UTF8, Must, "invalid-utf8", "a JSON body is not UTF-8";
    INVALID_JSON, Must, "invalid-json", "a body of a JSON media type is not JSON";
    DUPLICATE_KEY, Must, "duplicate-key", "an object has the same key twice";
    FIELD_MISSING, Must, "field-missing", "a field is missing that the schema requires or the example shows";
    ITEM_MISSING, Should, "item-missing", "an array is empty where the documented example has items";
    UNDECLARED_PROPERTY, Should, "undeclared-property", "an object has a property that its schema does not list";
    SCHEMA_TYPE, Must, "schema-type", "the type of a value is not that of its schema";
    SCHEMA_FORMAT, Must, "schema-format", "a value breaks the format of its schema";
    SCHEMA_PATTERN, Must, "schema-pattern", "a value breaks the pattern of its schema";
    SCHEMA_ENUM, Must, "schema-enum", "a value is not one that its schema lists";
    SCHEMA_BOUNDS, Must, "schema-bounds", "a value is outside the bounds of its schema";
    SCHEMA_SHAPE, Must, "schema-shape", "a value breaks another keyword of its schema";
    JSON_TYPE, Must, "json-type", "the JSON type of a value is not that of the documented example";
    DECIMAL_STYLE, Must, "decimal-style", "a decimal amount is not a string of plain decimal digits";
    TIMESTAMP_STYLE, Must, "timestamp-style", "a timestamp is not UTC with exactly three fractional digits";
    DATE_STYLE, Must, "date-style", "a date is not written YYYY-MM-DD";
    UUID_STYLE, Must, "uuid-style", "a UUID is not written in its lower-case hyphenated form";
    URL_STYLE, Must, "url-style", "a URL is not absolute";
    LETTER_CASE, Must, "letter-case", "the letter case of a constant differs from the documented one";
    FINAL_VALUE, Must, "final-value", "an enumeration, flag or refusal code differs from the documented one";
    ECHO, Must, "echo", "the server answers another value than it received";
    READ_BACK, Must, "read-back", "a later reading does not show a written value";
    SUCCESS_CRITERION, Must, "success-criterion", "a success criterion of the scenario step does not hold";
    UNTIL_DEADLINE, Must, "until-deadline", "the server does not meet the condition of the step before its deadline";
    CREDENTIALS_IGNORED, Must, "credentials-ignored", "the server accepts a request with missing or wrong credentials";
    UNKNOWN_KEY_FOUND, Must, "unknown-key-found", "the server answers 2xx for a key that does not exist";
    TYPE_COERCED, Should, "type-coerced", "the server accepts a string, number or boolean in place of another of these";
    CONSTRAINT_IGNORED, Must, "constraint-ignored", "the server accepts a request that breaks its schema or a documented rule";
    REFUSAL_CHANGED_STATE, Must, "refusal-changed-state", "the server changed a record with a request that it refused";
    READ_DIFFERS, Must, "read-differs", "a later reading shows other values than the server's answer";
    READ_UNSTABLE, Must, "read-unstable", "two readings of an unchanged record differ";
    LIST_MISSES, Must, "list-misses", "a list lacks a record that the runner created";
    LIST_ITEM_DIFFERS, Must, "list-item-differs", "an item of a list differs from the record";
    PAGE_SIZE_IGNORED, Must, "page-size-ignored", "the server returns more items on a page than requested";
    PAGE_REPEATS, Must, "page-repeats", "an item is on two pages of a list";
    PAGE_MISSES, Must, "page-misses", "an item of a list is on none of its pages";
    FILTER_IGNORED, Must, "filter-ignored", "the server lists records that do not match the filter";
    FILTER_MISSES, Must, "filter-misses", "the server leaves out a record that matches the filter";
    TOTAL_DIFFERS, Must, "total-differs", "the total, page count or page number of a list is wrong";
    MORE_PROMISED, Must, "more-promised", "a list announces a next page that does not exist";
    ORDER_IGNORED, Must, "order-ignored", "items are not in the requested or documented order";
    DEFAULT_DIFFERS, Must, "default-differs", "an omitted parameter or property does not have its documented default";
    DELETED_FOUND, Must, "deleted-found", "the server still returns a deleted record";
    DELETED_LISTED, Must, "deleted-listed", "a deleted record is still in a list";
    DELETED_TWICE, Must, "deleted-twice", "the server accepts a second deletion of a record";
    FOREIGN_PARENT_FOUND, Must, "foreign-parent-found", "the server shows a record under another parent or to another tenant";
    REPEAT_MADE_ANOTHER, Must, "repeat-made-another", "the server created another record for a repeat with the same key";
    REPEAT_DONE_AGAIN, Must, "repeat-done-again", "the server changed a record again for a repeat with the same key";
    REPEAT_REFUSED, Must, "repeat-refused", "the server refuses a repeat that it must answer like the first request";
    KEY_REUSE_GRANTED, Must, "key-reuse-granted", "the server accepts a used key with another body";
    HEAD_DIFFERS, Must, "head-differs", "the answer to HEAD differs from that to GET";
    LOCATION_LEADS_ASTRAY, Must, "location-leads-astray", "`location` leads to no record, or to another one";
    MISTAKE_GRANTED, Must, "mistake-granted", "the server accepts a wrong method, or a body of a wrong type or size";
    ALLOW_INCOMPLETE, Should, "allow-incomplete", "a 405 answer lacks an `allow` header with the methods of the path";
    RACE_WON_TWICE, Must, "race-won-twice", "parallel requests succeed more often than sequential ones may";
    SUM_EXCEEDED, Must, "sum-exceeded", "the server accepts parts that exceed the whole";
    CHILD_DIFFERS, Must, "child-differs", "a record differs from its source record, although the examples show the same values";
    KEY_REUSED, Must, "key-reused", "two records have the same key";
    TIME_STANDS_STILL, Must, "time-stands-still", "a time did not change with its event, or went back";
    TIME_ASTRAY, Must, "time-astray", "the time of a new record is in another zone or unit";
    STEP_UNDONE, Must, "step-undone", "an accepted step left its record in another state than documented";
    EFFECT_DIFFERS, Must, "effect-differs", "a flag, time, counter or amount does not become what the document says";
    VALID_REFUSED, Must, "valid-refused", "the server refuses a request that is within the bounds of its schema";
    PATCH_CHANGED_MORE, Must, "patch-changed-more", "a patch or step changed a value that it does not name";
    OTHERS_CHANGED, Must, "others-changed", "a change of one record changed another one";
    BALANCE_UNMOVED, Must, "balance-unmoved", "a payment does not change the balance by its amount";
    PUT_KEPT, Must, "put-kept", "a PUT that omits a property kept its value";
    VERSION_DIFFERS, Must, "version-differs", "the entity tag of a change is not that of the next reading";
    WRITTEN_TOLD, Must, "written-told", "an answer contains a `writeOnly` property";
    MADE_ANEW, Must, "made-anew", "a change altered the record's creation time";
    SUM_DIFFERS, Must, "sum-differs", "the parts of a record do not add up to its total";
    VERSION_IGNORED, Must, "version-ignored", "the server ignores `if-match` or `if-none-match`";
    VERSION_STANDS, Must, "version-stands", "a change left the entity tag unchanged";
    BULK_DIFFERS, Must, "bulk-differs", "the server answers a bulk request for another number of items";
    HISTORY_DIFFERS, Must, "history-differs", "after several steps, a record does not show the result of the last one";
    TRANSITION_FORBIDDEN, Must, "transition-forbidden", "the server accepts a step in a state that does not permit it";
    EVENT_ASTRAY, Must, "event-astray", "the list of events lacks a step, repeats it, or names it differently";
    NOTIFICATION_MISSING, Must, "notification-missing", "a notification that must follow at once did not arrive in time";
    NOTIFICATION_REPEATED, Must, "notification-repeated", "the server sends an acknowledged notification again";
    NOTIFICATION_REQUEST, Must, "notification-request", "the method, media type or headers of a notification are not the documented ones";
    NOTIFICATION_PAYLOAD, Must, "notification-payload", "the body of a notification is not JSON, or breaks its schema";
    NOTIFICATION_SIGNATURE, Must, "notification-signature", "the signature or timestamp of a notification is not valid";
    NOTIFICATION_ASTRAY, Must, "notification-astray", "a notification is about another record";
    PARALLEL_COUNT, Must, "parallel-count", "the number of accepted parallel requests is not the permitted one";
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The text of all source files in a folder.
    fn sources(folder: &Path) -> String {
        let entries = fs::read_dir(folder).unwrap();
        let texts = entries.map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path)
            } else {
                fs::read_to_string(&path).unwrap()
            }
        });
        texts.collect()
    }

    #[test]
    fn ids_are_unique_kebab_case_and_documented() {
        for (index, check) in ALL.iter().enumerate() {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(check.id.chars().all(kebab), "{}", check.id);
            assert!(
                check.doc.len() > 20 && !check.doc.ends_with('.'),
                "{}",
                check.id
            );
            assert!(
                !ALL[..index].iter().any(|other| other.id == check.id),
                "{}",
                check.id
            );
        }
    }

    #[test]
    fn every_check_is_used_and_on_its_page() {
        let page = include_str!("../../docs/checks.md");
        let sources = sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
        for check in ALL {
            let row = format!("| `{}` | {} | {} |", check.id, check.level, check.doc);
            assert!(page.contains(&row), "docs/checks.md lacks the row\n{row}");
            let name = check.id.to_uppercase().replace('-', "_");
            assert!(
                sources.contains(&format!("checks::{name}")),
                "{name} is never used"
            );
        }
    }
}
