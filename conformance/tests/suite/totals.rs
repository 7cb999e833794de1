//! Tests totals that a list has in a header, against the items of all its pages.

use crate::support::{case, certify, checks, options, raw_server_of_heads, write};

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 10, default: 10}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
      responses:
        '200':
          description: Some of the notes.
          headers: {X-Total-Count: {schema: {type: integer}}}
          content:
            application/json:
              schema:
                type: array
                items: {type: object, required: [id], properties: {id: {type: string}}}
";

/// The number of notes.
const ALL: usize = 7;

/// What the server does wrong, if anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Habit {
    Correct,
    /// The header counts the items of the page.
    CountsThePage,
    /// From the fifth note on, every request is one too many.
    IsBusy,
}

fn number(head: &str, name: &str) -> Option<usize> {
    let line = head.lines().next()?;
    let query = line.split(' ').nth(1)?.split_once('?')?.1;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(key, value)| (key == name).then(|| value.parse().ok())?)
}

fn answer(head: &str, habit: Habit) -> Vec<u8> {
    let limit = number(head, "limit").unwrap_or(10);
    let offset = number(head, "offset").unwrap_or(0);
    let ids = (offset..ALL.min(offset + limit)).map(|id| format!(r#"{{"id":"n{id}"}}"#));
    let ids: Vec<String> = ids.collect();
    let total = match habit {
        Habit::CountsThePage => ids.len(),
        _ => ALL,
    };
    let status = match habit {
        Habit::IsBusy if offset > 3 => "429 Too Many Requests",
        _ => "200 OK",
    };
    let body = format!("[{}]", ids.join(","));
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-total-count: {total}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[tokio::test]
async fn a_total_in_a_header_counts_the_items_of_all_pages() {
    let rows = [
        (Habit::Correct, &[][..]),
        (Habit::CountsThePage, &["total-differs"]),
        // A refusal of the client is no end of the list.
        (Habit::IsBusy, &[]),
    ];
    for (habit, expected) in rows {
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "openapi.yaml", SPEC);
        let server = raw_server_of_heads(move |head| Some(answer(head, habit))).await;
        let mut options = options(&spec, &format!("http://{server}"));
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let found = checks(case(&record, "laws/paging/listNotes"));
        assert_eq!(found, expected);
    }
}
